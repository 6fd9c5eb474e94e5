"""The board of wood, wires and lamps: kits, buttons, sensors, light. It sees views, never a secret."""

from pathlib import Path

from companion import words

words.register("hardware", Path(__file__).parent / "words")
