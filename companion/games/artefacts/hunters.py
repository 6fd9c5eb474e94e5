"""The action phase: walking, teleporting, fighting, cards, artefacts. CFA-22, CFA-42 to CFA-44, CFA-60 on."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.contract import Action, Told
from companion.games.artefacts import cards, fate, ghosts, paths
from companion.games.artefacts.actions import Draw, End, Fight, Pick, Step, Teleport, Use
from companion.games.artefacts.box import ObjectCard
from companion.games.artefacts.events import Banished, Fought, Life, Picked, Stepped, Teleported, Used
from companion.games.artefacts.manor import COLOURS, Colour, Square
from companion.games.artefacts.options import HAND, POINTS
from companion.games.artefacts.state import Artefact, Ghost, Pending, State, alive, with_ghost
from companion.games.artefacts.stock import spend
from companion.refusals import Illegal

BAR_MOVES = 2
"""Movement points of an energy bar. CFA-62, CFA-Q26."""


def begin_turn(state: State) -> State:
    """A fresh set of action points. CFA-22."""
    return replace(state, points=POINTS, moves=0, spent=())


def legal_acts(state: State, colour: Colour) -> list[Action]:
    """Everything a colour may do in its turn. CFA-22."""
    found: list[Action] = [Draw()] if why_no_draw(state, colour) is None else []
    found += [End()]
    found += legal_fights(state, colour)
    found += [Pick()] if liftable(state, colour) else []
    found += [Step(to) for to in paths.steps(state, colour)] if state.points + state.moves else []
    found += [Teleport(to) for to in teleports(state, colour)]
    found += [use for card in USES for use in legal_uses(state, colour, card)]
    return found


def act(state: State, colour: Colour, action: Action, told: list[Told]) -> State:
    """What a colour does in its turn. CFA-22."""
    match action:
        case Step():
            return step(state, colour, action, told)
        case Teleport():
            return teleport(state, colour, action, told)
        case Fight():
            return fight(state, colour, action, told)
        case Use():
            return use(state, colour, action, told)
        case Draw():
            return draw(state, colour, told)
        case Pick():
            return pick(state, colour, told)
    return end(state)


# Walking


def step(state: State, colour: Colour, action: Step, told: list[Told]) -> State:
    """Walk one square, paid with movement points first; a trap tile springs. CFA-22, CFA-41, CFA-Q26."""
    if not state.points + state.moves:
        raise Illegal("artefacts.no_points", rule="CFA-22")
    if action.to not in paths.steps(state, colour):
        if action.to in state.plan.doors(state.pawns[colour]):
            raise Illegal("artefacts.closed", rule="CFA-43", at=action.to)
        raise Illegal("artefacts.no_door", rule="CFA-22", at=action.to)
    paid = {"moves": state.moves - 1} if state.moves else {"points": state.points - 1}
    told.append(Stepped(colour, action.to))
    state = fate.stand(replace(state, **paid), colour, action.to, told)
    if state.plan.kind(action.to) == "trap":
        return replace(state, pending=Pending("trap", colour=colour))
    return state


def teleports(state: State, colour: Colour) -> list[Square]:
    """The free teleporters a pawn on one may go to. CFA-42, CFA-Q21."""
    if state.plan.kind(state.pawns[colour]) != "teleporter":
        return []
    return [at for at in _other_teleporters(state, colour) if free(state, at)]


def _other_teleporters(state: State, colour: Colour) -> list[Square]:
    return [at for at in state.plan.teleporters() if at != state.pawns[colour]]


def free(state: State, at: Square) -> bool:
    """Whether a teleporter is free. CFA-Q21."""
    if at in state.pawns.values():
        return False
    haunted = any(ghost.at == at for ghost in state.ghosts)
    return not haunted or state.options.free_teleporter == "no_pawn"


def teleport(state: State, colour: Colour, action: Teleport, told: list[Told]) -> State:
    """Go to another free teleporter at no cost. CFA-42."""
    if state.plan.kind(state.pawns[colour]) != "teleporter":
        raise Illegal("artefacts.not_on_teleporter", rule="CFA-42")
    if action.to not in _other_teleporters(state, colour):
        raise Illegal("artefacts.no_teleporter", rule="CFA-42", at=action.to)
    if not free(state, action.to):
        raise Illegal("artefacts.teleporter_taken", rule="CFA-42", at=action.to)
    told.append(Teleported(colour, action.to))
    return fate.stand(state, colour, action.to, told)


# Fighting


def foes(state: State, colour: Colour) -> list[Ghost]:
    """The ghosts a colour may fight now. CFA-60, CFA-Q3, CFA-Q11."""
    here = [ghost for ghost in state.ghosts if ghost.at == state.pawns[colour]]
    if not state.options.fight_in_centre:
        here = [ghost for ghost in here if not ghost.escaped]
    if state.options.fights_per_turn == "per_ghost":
        return [ghost for ghost in here if f"fight:{ghost.id}" not in state.spent]
    return [] if any(what.startswith("fight:") for what in state.spent) else here


def legal_fights(state: State, colour: Colour) -> list[Fight]:
    """Every way to fight each ghost here. CFA-60."""
    found = []
    for ghost in foes(state, colour):
        tries = [Fight(ghost.id, crucifix=True)]
        tries += [Fight(ghost.id, v, p) for v in range(HAND + 2) for p in range(state.life[colour] + 1)]
        found += [fight for fight in tries if why_no_fight(state, colour, ghost, fight) is None]
    return found


def why_no_fight(state: State, colour: Colour, ghost: Ghost, action: Fight) -> Illegal | None:
    """What is wrong with the means of a fight, if anything. CFA-60, CFA-Q2, CFA-Q3."""
    hand, cost = state.hands[colour], state.options.costs
    if action.crucifix:
        if action.vacuums or action.life:
            return Illegal("artefacts.crucifix_alone", rule="CFA-60")
        if "crucifix" not in hand:
            return Illegal("artefacts.not_in_hand", rule="CFA-62", card=cards.card_word("crucifix"))
    elif action.vacuums < 0 or action.life < 0 or not action.vacuums + action.life:
        return Illegal("artefacts.fight_with", rule="CFA-60")
    elif action.vacuums + action.life > ghost.power:
        return Illegal("artefacts.too_much", rule="CFA-60", n=ghost.power)
    if action.vacuums > hand.count("vacuum"):
        return Illegal("artefacts.vacuums", rule="CFA-60", n=hand.count("vacuum"))
    if action.life > state.life[colour]:
        return Illegal("artefacts.life", rule="CFA-60", n=state.life[colour])
    price = action.vacuums * cost.vacuum + action.crucifix * cost.crucifix
    return Illegal("artefacts.no_points", rule="CFA-Q2") if price > state.points else None


def fight(state: State, colour: Colour, action: Fight, told: list[Told]) -> State:
    """Take power from a ghost on your square; at nothing it is gone. CFA-60."""
    foe = next((ghost for ghost in state.ghosts if ghost.id == action.ghost), None)
    if foe is None or foe.at != state.pawns[colour]:
        raise Illegal("artefacts.no_ghost_here", rule="CFA-60")
    if foe not in foes(state, colour):
        escaped = foe.escaped and not state.options.fight_in_centre
        raise Illegal(
            "artefacts.fled" if escaped else "artefacts.fought", rule="CFA-Q11" if escaped else "CFA-22"
        )
    if refusal := why_no_fight(state, colour, foe, action):
        raise refusal
    left = 0 if action.crucifix else foe.power - action.vacuums - action.life
    told.append(Fought(colour, foe.id, action.vacuums, action.life, action.crucifix, left))
    cost = state.options.costs
    price = action.vacuums * cost.vacuum + action.crucifix * cost.crucifix
    state = replace(state, points=state.points - price, spent=_once(state, f"fight:{foe.id}"))
    state = spend(
        state, colour, "crucifix" if action.crucifix else "vacuum", action.vacuums + action.crucifix
    )
    return fate.hurt(_weaken(state, foe, left, told), colour, action.life, told)


def _once(state: State, what: str) -> tuple[str, ...]:
    return tuple(sorted((*state.spent, what)))


def _weaken(state: State, ghost: Ghost, power: int, told: list[Told]) -> State:
    if power:
        return with_ghost(state, replace(ghost, power=power))
    told.append(Banished(ghost.id))
    return replace(state, ghosts=tuple(other for other in state.ghosts if other.id != ghost.id))


# Cards


def why_no_draw(state: State, colour: Colour) -> Illegal | None:
    """Why a colour may not draw an object card now, if so. CFA-22, CFA-61, CFA-Q30."""
    if "draw" in state.spent:
        return Illegal("artefacts.drew", rule="CFA-22")
    if not state.points:
        return Illegal("artefacts.no_points", rule="CFA-22")
    if len(state.hands[colour]) >= HAND and state.options.draw_at_limit == "refuse":
        return Illegal("artefacts.hand_full", rule="CFA-61", n=HAND)
    return None if cards.can_draw(state) else Illegal("artefacts.no_cards", rule="CFA-Q30")


def draw(state: State, colour: Colour, told: list[Told]) -> State:
    """Draw an object card for a point. CFA-22."""
    if refusal := why_no_draw(state, colour):
        raise refusal
    state = replace(state, points=state.points - 1, spent=_once(state, "draw"))
    return cards.ask_for_object(state, colour, told)


Target = Colour | Square | None


def targets(state: State, colour: Colour, card: str) -> list[Target]:
    """What a card can be used on by a colour. CFA-62, CFA-Q31, CFA-Q33."""
    match card:
        case "chalice":
            return [ally for ally in sorted(COLOURS) if not alive(state, ally)]
        case "teleportable":
            needs_free = state.options.teleportable_needs_free
            return [at for at in _other_teleporters(state, colour) if free(state, at) or not needs_free]
        case "kit" if state.options.kit_target == "same_tile":
            here = state.pawns[colour]
            return [ally for ally in sorted(COLOURS) if alive(state, ally) and state.pawns[ally] == here]
    return [None]


def why_no_use(state: State, colour: Colour, card: ObjectCard) -> Illegal | None:
    """Why a colour may not play a card now, whatever its target. CFA-22, CFA-62, CFA-Q2, CFA-Q3."""
    if card not in USES:
        return Illegal("artefacts.in_fights_only", rule="CFA-62", card=cards.card_word(card))
    if card not in state.hands[colour]:
        return Illegal("artefacts.not_in_hand", rule="CFA-62", card=cards.card_word(card))
    if state.options.object_uses_per_turn == 1 and "use" in state.spent:
        return Illegal("artefacts.used", rule="CFA-22")
    price: int = getattr(state.options.costs, card)
    return Illegal("artefacts.no_points", rule="CFA-Q2") if price > state.points else None


def legal_uses(state: State, colour: Colour, card: ObjectCard) -> list[Use]:
    """A card on everything it can be used on now."""
    if why_no_use(state, colour, card) is not None:
        return []
    return [Use(card, target) for target in targets(state, colour, card)]


def use(state: State, colour: Colour, action: Use, told: list[Told]) -> State:
    """Play an object card. CFA-62, CFA-63."""
    if refusal := why_no_use(state, colour, action.card):
        raise refusal
    if action.target not in targets(state, colour, action.card):
        raise Illegal(f"artefacts.target_{action.card}", rule="CFA-62")
    told.append(Used(colour, action.card))
    price: int = getattr(state.options.costs, action.card)
    state = replace(state, points=state.points - price, spent=_once(state, "use"))
    state = spend(state, colour, action.card)
    return USES[action.card](state, colour, action.target, told)


def _heal(state: State, colour: Colour, target: Target, told: list[Told]) -> State:
    """One point of life, up to the most there is. CFA-62, CFA-Q31."""
    patient = target if isinstance(target, str) else colour
    life = min(state.options.max_life, state.life[patient] + 1)
    told.append(Life(patient, life))
    return replace(state, life={**state.life, patient: life})


def _raise_ally(state: State, colour: Colour, target: Target, told: list[Told]) -> State:
    assert isinstance(target, str)
    return fate.revive(state, target, told)


def _eat(state: State, colour: Colour, target: Target, told: list[Told]) -> State:
    return replace(state, moves=state.moves + BAR_MOVES)


def _beam(state: State, colour: Colour, target: Target, told: list[Told]) -> State:
    assert isinstance(target, tuple)
    told.append(Teleported(colour, target))
    return fate.stand(state, colour, target, told)


USES: dict[ObjectCard, Callable[[State, Colour, Target, list[Told]], State]] = {
    "chalice": _raise_ally,
    "energy_bar": _eat,
    "kit": _heal,
    "teleportable": _beam,
}
"""What the cards do that are played outside a fight. CFA-62."""


# Artefacts


def liftable(state: State, colour: Colour) -> list[Colour]:
    """The artefacts a colour may pick up where it stands: its own, and dropped ones. CFA-Q23, CFA-Q32."""
    here = state.pawns[colour]
    return [
        each
        for each in COLOURS
        if (artefact := state.artefacts[each]).at == here and (each == colour or artefact.picked)
    ]


def pick(state: State, colour: Colour, told: list[Told]) -> State:
    """Pick up what lies here; an artefact's first time makes every ghost stronger. CFA-44, CFA-Q23."""
    found = liftable(state, colour)
    if not found:
        raise Illegal("artefacts.nothing_here", rule="CFA-44")
    for each in found:
        told.append(Picked(colour, each))
        first = not state.artefacts[each].picked
        carried = Artefact(by=colour, picked=True)
        state = replace(state, artefacts={**state.artefacts, each: carried})
        state = ghosts.grow(state, told) if first else state
    return fate.stand(state, colour, state.pawns[colour], told)


def end(state: State) -> State:
    """The next colour has its turn. CFA-Q36."""
    return begin_turn(replace(state, turn=state.turn + 1))
