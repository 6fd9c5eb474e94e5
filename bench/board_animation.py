"""What it costs to move 96 lamps at thirty frames a second, through effects, power limit and encoder.

Beside the share of one core stands what the encoder alone takes of it.
"""

from __future__ import annotations

import sys
from time import process_time

from companion.picture import Glow
from hardware import kits
from hardware.effects import FRAME
from hardware.frames import Scene
from hardware.shine import Shine
from hardware.simulated import MockWires

FRAMES = 300
TARGET = 10.0


def main() -> int:
    kit = kits.load("joystick")
    wires = MockWires(kit)
    shine, scene = Shine(lambda: wires.lights(kit)), Scene()
    scene.show({lamp: Glow("white", "pulse") for lamp in range(kit.lamps)}, 0)
    shine.send(scene.frame(0, kit.chain, kit.lamps), 0)
    begin = process_time()
    for number in range(1, FRAMES + 1):
        now = number * FRAME
        shine.send(scene.frame(now, kit.chain, kit.lamps), now)
        scene.next_change(now)
    whole = process_time() - begin
    lights = wires.lights(kit)
    frames = [((level, 0, 0),) * kit.lamps for level in (10, 20)]
    begin = process_time()
    for number in range(FRAMES):
        lights.show(frames[number % 2])
    encoder = process_time() - begin
    share, alone = (100 * seconds / (FRAMES * FRAME) for seconds in (whole, encoder))
    met = share < TARGET
    print(f"the encoder alone: {alone:.1f} % of one core")
    print(
        f"a full animation: {share:.1f} % = {share / alone:.1f}× the encoder, {wires.wire.messages} messages"
        f" (target under {TARGET:g} %: {'met' if met else 'MISSED'})"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
