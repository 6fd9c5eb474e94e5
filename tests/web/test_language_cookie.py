"""A stranger who chooses a language keeps it: a cookie that no script reads and no other site sends."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("language", ["fr", "de", "en"])
def test_a_language_chosen_before_joining_is_kept_whatever_the_browser_asks_for(
    house: Any, language: str
) -> None:
    phone = house.phone(language="en" if language != "en" else "fr")
    answer = phone.post("/me", follow=False, language=language)
    cookie = answer.headers["set-cookie"]
    assert f"={language};" in cookie
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert any(part.strip().lower().startswith("max-age=") for part in cookie.split(";"))
    assert phone.get("/").scene["language"] == language
