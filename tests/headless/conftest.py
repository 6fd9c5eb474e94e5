"""One process for each file of tests; each test begins a game of its own in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.headless.door import Door


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with Door() as opened:
        yield opened
