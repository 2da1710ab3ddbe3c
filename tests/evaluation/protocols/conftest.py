"""Toy experiments in the place of the papers'."""

from collections.abc import Callable
from typing import Any

import pytest

from tamis.evaluation.protocols.protocol import Protocol


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Let these be all the experiments there are."""

    def put(*protocols: Protocol) -> None:
        monkeypatch.setattr(
            "tamis.evaluation.protocols.catalogue.protocols", lambda: tuple(protocols)
        )

    return put
