"""Forms are taken from our own pages alone: a sister site under the same name is a stranger too."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_form_from_elsewhere_is_refused_even_with_its_token(
    house: Any, header: dict[str, str], status: int
) -> None:
    phone = house.guest("Ada")
    assert phone.forge("/seat/take", follow=False, headers=header, seat="p1").status == status
