"""What befalls the hunters: where they stand, what they carry, how they die and rise, who wins. CFA-60 on."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import Result, Told
from companion.games.artefacts.events import Died, Dropped, Home, Life, Revived
from companion.games.artefacts.manor import ARMS, CENTRE, COLOURS, Colour, Square
from companion.games.artefacts.options import ESCAPES
from companion.games.artefacts.state import Artefact, State, alive, escaped, living
from companion.games.artefacts.stock import chalices, put

CROSS = (CENTRE, *ARMS.values())


def stand(state: State, colour: Colour, at: Square, told: list[Told]) -> State:
    """A pawn comes to stand on a square; on the cross it delivers what it carries. CFA-70, CFA-Q23."""
    state = replace(state, pawns={**state.pawns, colour: at})
    own_arm = state.options.delivery_cell == "own_arm"
    if at not in ((state.options.arm(colour),) if own_arm else CROSS):
        return state
    for each in carried(state, colour):
        told.append(Home(colour, each))
        state = _set(state, each, Artefact(home=True, picked=True))
    return state


def carried(state: State, colour: Colour) -> list[Colour]:
    """The artefacts a colour carries."""
    return [each for each in COLOURS if state.artefacts[each].by == colour]


def drop_all(state: State, colour: Colour, told: list[Told]) -> State:
    """What a colour carries comes to lie where its pawn is. CFA-Q24, CFA-Q32."""
    at = state.pawns[colour]
    for each in carried(state, colour):
        told.append(Dropped(each, at))
        state = _set(state, each, Artefact(at=at, picked=True))
    return state


def _set(state: State, colour: Colour, artefact: Artefact) -> State:
    return replace(state, artefacts={**state.artefacts, colour: artefact})


def hurt(state: State, colour: Colour, points: int, told: list[Told]) -> State:
    """A colour loses life, perhaps its last. CFA-60, CFA-64, CFA-Q31."""
    if not points:
        return state
    left = state.life[colour] - points
    told.append(Life(colour, left))
    state = replace(state, life={**state.life, colour: left})
    return state if left else _die(state, colour, told)


def _die(state: State, colour: Colour, told: list[Told]) -> State:
    """The pawn lies on its square, cards go to the discard, artefacts are dropped. CFA-Q32."""
    told.append(Died(colour))
    for card in state.hands[colour]:
        state = put(state, card)
    state = replace(state, hands={**state.hands, colour: ()})
    return drop_all(state, colour, told)


def revive(state: State, colour: Colour, told: list[Told]) -> State:
    """A dead ally stands up again. CFA-62, CFA-Q33."""
    life, on_arm = state.options.revive_life, state.options.revive_place == "own_arm"
    at = state.options.arm(colour) if on_arm else state.pawns[colour]
    told.append(Revived(colour, at, life))
    state = replace(state, life={**state.life, colour: life})
    return stand(state, colour, at, told)


def judge(state: State) -> Result | None:
    """Whether the game has ended; a win comes before a loss. CFA-70, CFA-71, CFA-Q25, CFA-Q38."""
    if state.result is not None:
        return state.result
    if all(artefact.home for artefact in state.artefacts.values()) and _gathered(state):
        return Result("players", "home")
    if escaped(state) >= ESCAPES:
        return Result("ghosts", "escaped")
    return Result("ghosts", "dead") if lost_for_good(state) else None


def _gathered(state: State) -> bool:
    everybody = all(state.pawns[colour] in CROSS for colour in living(state))
    return everybody or not state.options.win_needs_all_pawns_on_cross


def lost_for_good(state: State) -> bool:
    """Whether somebody is dead without his artefact and nobody can bring him back. CFA-71, CFA-Q34."""
    if not living(state):
        return True
    dead = [colour for colour in COLOURS if not alive(state, colour)]
    return not chalices(state) and any(not state.artefacts[colour].picked for colour in dead)
