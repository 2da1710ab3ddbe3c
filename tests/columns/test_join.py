"""Counts of parts of a table put together: those of one pass over all of it."""

import numpy as np
import pytest

from tamis.columns import tally
from tamis.columns.tally import count_columns
from tamis.sources.open import open_source
from tests.engines import FrameInParts

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    rng = np.random.default_rng(1)
    return pandas.DataFrame(
        {
            "few": rng.integers(0, 5, 400),
            "many": rng.integers(-300, 300, 400).astype(float),
            "gaps": np.where(rng.random(400) < 0.2, np.nan, rng.normal(size=400)),
            "late": [*[None] * 390, *"abcdefghij"],
            "amounts": [f"{value:,.2f}" for value in 1e4 * rng.random(400)],
            "texts": rng.choice(["red", "blue ", "n/a", "7", "08"], 400),
            "days": pandas.date_range("2020-01-01", periods=400),
        }
    )


def facts(one):
    if one is None:
        return None
    known = dict(vars(one))
    for name in ("sketch", "numbers"):
        if name in known:
            known[name] = facts(known[name])
    known.pop("_ends", None)
    for name in ("_overflown", "_outer"):
        known.pop(name, None)
    if hasattr(one, "lowest") and one.filled:
        known["_known"] = (one.lowest, one.highest)
    return {name: np.asarray(value).tolist() for name, value in known.items()}


@pytest.mark.parametrize("room", [20, 20_000])
@pytest.mark.parametrize("cuts", [[100], [0, 1, 2, 50, 390]], ids=str)
def test_parts_have_the_counts_of_the_table(frame, room, cuts, monkeypatch):
    monkeypatch.setattr(tally, "DISTINCT_KEPT", (room, room))
    monkeypatch.setattr(tally, "_STRIP_BYTES", 3 * 64 * room)
    parts, whole = FrameInParts(frame, cuts), open_source(frame)
    found, expected = (count_columns(source, range(7)) for source in (parts, whole))
    assert found.rows == expected.rows == 400
    for mine, theirs in zip(found.columns, expected.columns, strict=True):
        assert type(mine) is type(theirs)
        assert facts(mine) == facts(theirs)
