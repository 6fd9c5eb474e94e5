"""The board of the hotel as it is drawn: its squares, the lines over them, the gauge beside it."""
