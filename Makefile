# Everything installs into .venv; nothing is needed beforehand but Python 3.11 or newer and make.
# The system's own is taken where it will do: it is the Python of a Pi, and built to be fast.
PYTHON ?= $(shell for each in /usr/bin/python3 python3; do \
	$$each -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; echo $$each)
VENV = .venv
BIN = $(VENV)/bin

.PHONY: run test chromium lint format bench clean install uninstall test-install test-pi test-pi-systemd test-arm64 test-slow pictures
.DEFAULT_GOAL := test

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $@

# A table on this machine: an address, a QR code, a simulated board. Ctrl-C ends it.
run: $(VENV)/installed
	$(BIN)/companion play

lint: $(VENV)/installed
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# A file of tests for each processor at a time, in their order: those in a browser, the longest, begin early.
test: $(VENV)/installed chromium
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

# The browser of tests/browser, installed where that is possible; otherwise those tests say how to get it.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || [ "$$(id -u)" != 0 ] || \
		{ apt-get -q update && apt-get -qy install chromium; } || true

# The long runs: 200 kills in mid-game, every flipped bit of a journal, whole evenings in the manor, every side of the table.
test-slow: $(VENV)/installed chromium
	$(BIN)/python -m pytest -m slow

# The README's pictures, taken of the real pages.
pictures: $(VENV)/installed chromium
	$(BIN)/python -m tests.browser.pictures

# Each prints its numbers side by side and whether its target is met. One alone: make bench BENCH=start_up
BENCH = start_up board_animation board_idle board_latency phantom_worlds phantom_playouts canterville_worlds artefacts_action web_push web_peer
bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable ".[test,bench]"
	@missed=0; for each in $(BENCH); do echo "$$each"; $(BIN)/python -m bench.$$each || missed=1; done; exit $$missed

clean:
	rm -rf $(VENV) build dist *.egg-info

# On a Raspberry Pi, with sudo: KIT=joystick, PWM=1, HOTSPOT=1; PURGE=1 removes the games too.
install:
	sh systemd/install.sh

uninstall:
	sh systemd/uninstall.sh

# In a clean Debian of its own; needs root and debootstrap. SUITE=trixie for the newer one.
test-install:
	$(PYTHON) tests/install/clean_root.py --suite $(or $(SUITE),bookworm)

# The installed companion under real systemd, with simulated pins and lamps; needs root, debootstrap and QEMU.
test-pi-systemd: $(VENV)/installed
	$(BIN)/python -m tests.systemd.virtual_pi

# The board's own code on a real kernel's GPIO, SPI and I2C; needs root and QEMU, see tests/virtual_pi.
test-pi: $(VENV)/installed
	$(BIN)/python -m tests.virtual_pi

# In an emulated 64-bit ARM userland; needs root, debootstrap and qemu-user-static.
test-arm64:
	$(PYTHON) -m tests.install.arm64
