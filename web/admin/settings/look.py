"""A look: what one person's eyes and hands need.

It is no secret, and it changes no drawing: a look is a few attributes of `<html>`, and the style sheets do
the rest, so that phones which see the same still share what is drawn for them.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

COOKIE = "look"
CHOICES: dict[str, tuple[str, ...]] = {
    "scheme": ("phone", "dark", "light"),
    "text": ("normal", "large", "huge"),
    "colours": ("standard", "red_green", "blue_yellow", "contrast"),
    "hand": ("right", "left"),
    "side": ("bottom", "right", "top", "left"),
}
"""What can be chosen; the first is what it is for whoever chooses nothing."""


class Look(msgspec.Struct, frozen=True):
    """What one phone has chosen."""

    scheme: str = "phone"
    """Dark, light, or as the phone itself is set."""
    text: str = "normal"
    colours: str = "standard"
    """`red_green` and `blue_yellow` are for eyes that are weak there."""
    hand: str = "right"
    side: str = "bottom"
    """The edge of the printed board at which this person sits: it is drawn below."""


def chosen(fields: Mapping[str, str]) -> Look:
    """The look that a form asks for; what it cannot mean is left as it is for everybody."""
    return Look(**{name: fields[name] for name, words in CHOICES.items() if fields.get(name) in words})


def read(cookie: str) -> Look:
    """The look that a cookie remembers."""
    return chosen(dict(zip(CHOICES, cookie.split("."), strict=False)))


def written(look: Look) -> str:
    """A look as the text of a cookie."""
    return ".".join(msgspec.structs.astuple(look))


# Into a page


MEDIA = {scheme: f'media="(prefers-color-scheme: {scheme})"' for scheme in ("dark", "light")}
"""How a page says that something of its head is for the dark or for the light."""
SHEETS = f'<link rel="stylesheet" href="/static/daylight.css" {MEDIA["light"]}>\n'
WORN = '<link rel="stylesheet" href="/static/settings.css">\n'
"""Only phones with a wish of their own need this one."""


def dressed(html: str, look: Look) -> str:
    """A whole page in a look."""
    worn = "" if look == Look() or WORN in html else WORN
    html = html.replace("<html ", f"<html {_attributes(look)}", 1).replace(
        "</head>", f"{worn}{SHEETS}</head>", 1
    )
    if look.scheme != "phone":
        for scheme, media in MEDIA.items():
            html = html.replace(media, f'media="{"all" if scheme == look.scheme else "not all"}"')
    return html


def _attributes(look: Look) -> str:
    """`data-text="large"` and so on, for what is not as usual."""
    wishes = msgspec.structs.asdict(look)
    return "".join(
        f'data-{name}="{wish}" '
        for name, wish in wishes.items()
        if name != "scheme" and wish != CHOICES[name][0]
    )
