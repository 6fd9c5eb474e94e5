"""A virtual Pi for the board: real kernel GPIO, SPI and I²C. See README.md; `make test-pi` runs it."""
