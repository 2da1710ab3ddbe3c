"""Joint counts where the parts of a table are: the information of the table in memory."""

import numpy as np
import pytest
from tests.engines import FrameInParts, GivesParts

import tamis
from tamis.statistics import joint_counts, mutual_information
from tamis.statistics.coded_rows import TileCounts

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    rng = np.random.default_rng(5)
    base = rng.normal(size=(300, 3))
    frame = pandas.DataFrame(base @ rng.normal(size=(3, 6)), columns=list("abcdef"))
    frame["size"] = np.where(base[:, 0] > 0, "large", "small")
    frame["coat"] = rng.choice(["wool", "silk", None], 300)
    frame.loc[rng.integers(0, 300, 20), "b"] = np.nan
    frame["key"] = [f"id{j}" for j in range(300)]
    return frame


ASKED = (
    ({"method": "representatives"}, [100]),
    ({"method": "representatives", "missing": "category"}, [0, 1, 120, 299]),
    ({"method": "representatives", "missing": "drop"}, [3, 200]),
    ({"method": "greedy-fs"}, [50, 150]),
)


@pytest.mark.parametrize(("asked", "cuts"), ASKED, ids=str)
def test_parts_share_the_information_of_the_table(frame, asked, cuts, monkeypatch):
    monkeypatch.setattr(mutual_information, "_MAX_TILE_BYTES", 32 * 15**2)  # several tiles
    parts = GivesParts(FrameInParts(frame, cuts))
    found, expected = (tamis.select(data, k=4, **asked) for data in (parts, frame))
    assert found.names == expected.names
    assert found.skipped == expected.skipped
    assert found.missing == expected.missing
    np.testing.assert_allclose(
        found.summary.statistic.matrix, expected.summary.statistic.matrix, atol=1e-12
    )


def test_a_part_that_is_dropped_as_a_whole_is_no_error(frame):
    frame.loc[:9, "coat"] = None
    asked = {"k": 3, "method": "representatives", "missing": "drop"}
    parts = GivesParts(FrameInParts(frame, [5, 10]))
    assert tamis.select(parts, **asked).names == tamis.select(frame, **asked).names
    frame["coat"] = np.where(np.arange(300) < 299, None, "wool")
    frame.loc[299, "b"] = np.nan
    with pytest.raises(tamis.TamisError, match="none is left"):
        tamis.select(GivesParts(FrameInParts(frame, [5])), max_missing=1.0, **asked)


def test_missing_values_are_refused_with_the_counts_of_all_parts(frame):
    parts = GivesParts(FrameInParts(frame, [10]))
    with pytest.raises(tamis.TamisError) as mine:
        tamis.select(parts, k=2, method="representatives", missing="error")
    with pytest.raises(tamis.TamisError) as theirs:
        tamis.select(frame, k=2, method="representatives", missing="error")
    assert str(mine.value) == str(theirs.value)


def test_tiles_of_any_size_give_one_matrix():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, size=(200, 9)).astype(np.uint8)
    counts = [np.bincount(column, minlength=4) for column in codes.T]

    def count(tiles):
        found = TileCounts(tiles, np.arange(9))
        found.add(codes[:50])
        found.add(codes[50:])
        return found.counts[0]

    whole = joint_counts.relate_pairs(count, counts)
    small = joint_counts.relate_pairs(count, counts, tile_budget=32 * 8**2)
    np.testing.assert_allclose(small, whole, atol=1e-14)
