"""A kit as the text of its file, to be read again."""

from __future__ import annotations

import msgspec

from hardware.kits import Kit


def kit_text(kit: Kit) -> str:
    """A kit as TOML."""
    lines = [f"{name} = {_toml(said)}" for name in ("about", "beside") if (said := getattr(kit, name))]
    for name in (
        "board",
        "buttons",
        "line_buttons",
        "matrix",
        "expander",
        "encoder",
        "status",
        "sound",
        "chain",
        "second_chain",
    ):
        part = getattr(kit, name)
        if part:
            lines += ["", *_table(name, part if isinstance(part, dict) else msgspec.structs.asdict(part))]
    for strip in kit.strips:
        lines += ["", *_table("[strips]", msgspec.structs.asdict(strip))]
    return "\n".join(lines).strip() + "\n"


def _table(name: str, fields: dict[str, object]) -> list[str]:
    plain = {key: value for key, value in fields.items() if value is not None and not isinstance(value, dict)}
    nested = {key: value for key, value in fields.items() if isinstance(value, dict) and value}
    lines = [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in plain.items())]
    for key, value in nested.items():
        lines += ["", *_table(f"{name}.{key}", value)]
    return lines


def _toml(value: object) -> str:
    return (
        msgspec.json.encode(value).decode().replace(",", ", ") if isinstance(value, list) else _scalar(value)
    )


def _scalar(value: object) -> str:
    return msgspec.json.encode(value).decode()
