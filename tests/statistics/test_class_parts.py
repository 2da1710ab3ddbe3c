"""Classes counted where the parts of a table are: the picks of filters on the table in memory."""

import numpy as np
import pytest
from tests.engines import FrameInParts, GivesParts

import tamis
from tamis.statistics import class_table

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    rng = np.random.default_rng(5)
    base = rng.normal(size=(300, 3))
    frame = pandas.DataFrame(base @ rng.normal(size=(3, 6)), columns=list("abcdef"))
    frame += 0.5 * rng.normal(size=frame.shape)
    frame["class"] = np.where(base[:, 0] > 0.5, "high", np.where(base[:, 1] > 0, "mid", "low"))
    frame["size"] = np.where(base[:, 0] > 0, "large", "small")
    return frame


ASKED = (
    ({"method": "information-gain"}, True, [100]),
    ({"method": "information-gain", "missing": "drop"}, True, [0, 1, 120, 299]),
    ({"method": "chi2", "options": {"redundancy": "drop"}}, True, [3, 200]),
    ({"method": "odds-ratio"}, False, [50, 150]),
    ({"method": "information-gain", "options": {"binning": "mdl"}}, False, [90]),
    ({"method": "jmi"}, True, [0, 120]),
    ({"method": "jmi", "missing": "drop", "options": {"start": "pair"}}, True, [7, 7, 250]),
    ({"method": "jmi", "options": {"binning": "mdl", "corrected": True}}, False, [90, 91]),
)


@pytest.mark.parametrize(("asked", "text", "cuts"), ASKED, ids=str)
def test_parts_give_the_columns_of_the_table(frame, asked, text, cuts, monkeypatch):
    monkeypatch.setattr(class_table, "STRIP_CELLS", 64)  # counts come in several strips
    frame = frame if text else frame.drop(columns="size")
    if "missing" in asked:
        frame.loc[::17, "b"] = np.nan
        frame.loc[5, "class"] = None
    parts = GivesParts(FrameInParts(frame, cuts))
    found, expected = (tamis.select(data, k=3, y="class", **asked) for data in (parts, frame))
    assert found.names == expected.names
    assert found.missing == expected.missing
    assert found.summary.n_rows == expected.summary.n_rows
    mine, theirs = found.summary.statistic, expected.summary.statistic
    np.testing.assert_array_equal(mine.counts.table, theirs.counts.table)
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-10)
    assert found.retained == pytest.approx(expected.retained, rel=1e-9)


@pytest.mark.parametrize("start", ["column", "pair"])
def test_pairs_are_counted_at_once_where_their_tables_are_small(frame, start, monkeypatch):
    source, passes = FrameInParts(frame, [100]), []
    gather = source.gather
    monkeypatch.setattr(source, "gather", lambda *sent: [passes.append(sent), gather(*sent)][1])
    asked = {"k": 6, "method": "jmi", "y": "class", "options": {"start": start}}
    found, expected = (tamis.select(data, **asked) for data in (GivesParts(source), frame))
    assert found.names == expected.names
    at_once, passes[:] = len(passes), []
    monkeypatch.setattr(class_table, "STRIP_CELLS", 64)
    assert tamis.select(GivesParts(source), **asked).names == expected.names
    assert len(passes) == at_once + 4  # one for each kept column, but the last, instead of one
