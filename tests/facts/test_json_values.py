"""Facts become plain values through one function."""

import json
from dataclasses import dataclass, field
from typing import Any

from tamis.facts.json_schema import FLAT, to_plain


@dataclass(frozen=True)
class Inner:
    name: str


@dataclass(frozen=True)
class Outer:
    parts: tuple[Inner, ...]
    more: dict[str, Any] = field(metadata=FLAT)
    none: None = None


def test_values_are_plain_all_the_way_down_and_texts_stand_beside_their_facts() -> None:
    outer = Outer((Inner("a"), Inner("b")), {"pairs": {1: (True, 0.5)}})
    plain = to_plain(outer, {Inner: {"said": lambda inner: f"<{inner.name}>"}})
    assert plain == {
        "parts": [{"name": "a", "said": "<a>"}, {"name": "b", "said": "<b>"}],
        "pairs": {"1": [True, 0.5]},
        "none": None,
    }
    assert json.loads(json.dumps(plain)) == plain


def test_what_is_done_to_plain_values_does_not_reach_the_facts() -> None:
    outer = Outer((), {"list": [1]})
    to_plain(outer, {})["list"].append(2)
    assert outer.more == {"list": [1]}
