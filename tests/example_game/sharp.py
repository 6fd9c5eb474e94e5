"""The example bot of `docs/bots.md`: a package of its own, for somebody else's game."""

from companion.bots import Bot, Moment
from companion.contract import Action


class Sharp(Bot):
    """Opens a door behind which the ghost can be, the likeliest first."""

    def choose(self, moment: Moment) -> Action:
        """From the worlds that fit what its seat knows."""
        rooms = [world.ghost for world in moment.game.worlds(moment.view)]
        return max(moment.choices, key=lambda choice: rooms.count(choice.room))


BOT = Sharp()
