"""Work that is promised is done while the parts of a table are read for something else."""

import numpy as np
import pytest
from tests.engines import CountsPasses, FrameInParts, GivesParts, keep_rows_in_parts

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.run import prepare
from tamis.sources import promised
from tamis.sources.frames import FrameSource
from tamis.sources.info import SourceInfo
from tamis.sources.promised import HeldPart, PromisedParts
from tamis.sources.source import Source
from tamis.statistics.missing import Tally
from tamis.statistics.tiles import gather_moments
from tamis.statistics.tiles_ahead import promise_tiles

pandas = pytest.importorskip("pandas")
MISSING = MissingPolicy.AUTO


class OncePart(Source):
    """A part that goes by once, as one of Spark does."""

    def __init__(self, inner):
        self._inner, self._read = inner, False
        self.info = SourceInfo(names=inner.names, kinds=inner.kinds, once=True)

    def tables(self, columns, *, mark_missing=False):
        assert not self._read, "a part was read twice"
        self._read = True
        return self._inner.tables(columns, mark_missing=mark_missing)

    def batches(self, columns):
        return self._inner.batches(columns)

    def pick(self, columns):
        return self._inner.pick(columns)


class OnceInParts(CountsPasses):
    """An engine whose parts go by once."""

    def gather(self, columns, work, add):
        return super().gather(columns, ReadOnce(work), add)


class ReadOnce:
    """Work on a part that goes by once; a class of the module, so that it can be sent."""

    def __init__(self, func):
        self.func = func
        self.keywords = func.keywords

    def __call__(self, number, part):
        return self.func(number, OncePart(part))


def make_frame(rows=80):
    rng = np.random.default_rng(2)
    frame = pandas.DataFrame(rng.normal(size=(rows, 6)), columns=list("abcdef"))
    return frame.assign(a=frame["b"] + 0.1 * frame["a"])


def count_rows(number, part):  # noqa: ARG001
    tables = part.tables(range(len(part.names)))
    return {"rows": {"count": np.array(sum(table.num_rows for table in tables))}}


def add_counts(parts):
    return {"count": sum(part["count"] for part in parts)}


@pytest.mark.parametrize("engine", [FrameInParts, CountsPasses])
def test_promised_sums_are_those_of_a_pass_of_their_own_for_any_of_the_columns(engine):
    frame = make_frame()
    source, again = engine(frame, [0, 30, 31]), FrameInParts(frame, [0, 30, 31])
    parts = PromisedParts(source, promise_tiles(source, [0, 2, 3, 5], MISSING))
    found = parts.gather(range(6), count_rows, add_counts)
    assert found == {"rows": {"count": 80}}
    source.gather = None  # no other pass is made
    for columns in ([0, 2, 3, 5], [5, 2]):
        tallies = Tally(len(columns)), Tally(len(columns))
        ahead = gather_moments(source, columns, MISSING, tallies[0])
        own = gather_moments(again, columns, MISSING, tallies[1])
        assert ahead.scatter == pytest.approx(own.scatter, rel=1e-12)
        assert ahead.mean == pytest.approx(own.mean, rel=1e-12)
        assert tallies[0].rows == tallies[1].rows == 80


def test_other_columns_another_policy_and_gaps_are_read_anew():
    frame = make_frame()
    frame.loc[3, "c"] = np.nan
    for columns, policy in (([1, 2], MISSING), ([2], MissingPolicy.DROP), ([3], MISSING)):
        source = CountsPasses(frame)
        parts = PromisedParts(source, promise_tiles(source, [2, 3], MISSING))
        parts.gather(range(6), count_rows, add_counts)
        source.passes.clear()
        found = gather_moments(source, columns, policy, Tally(len(columns)))
        own = FrameInParts(frame, [40])
        expected = gather_moments(own, columns, policy, Tally(len(columns)))
        assert source.passes
        assert found.scatter == pytest.approx(expected.scatter, rel=1e-12)


def test_means_made_ahead_fill_the_gaps():
    frame = make_frame()
    frame.loc[3, "c"] = np.nan
    source = CountsPasses(frame)
    parts = PromisedParts(source, promise_tiles(source, [2, 3], MISSING))
    parts.gather(range(6), count_rows, add_counts)
    source.passes.clear()
    found = gather_moments(source, [2, 3], MISSING, Tally(2))
    assert source.passes == [("tiles.part_tiles", 2)]
    filled = frame[["c", "d"]].fillna(frame["c"].mean())
    assert found.scatter == pytest.approx(np.cov(filled.T) * 79, rel=1e-12)


def test_a_pass_over_too_few_columns_does_what_it_is_asked_for():
    source = CountsPasses(make_frame())
    parts = PromisedParts(source, promise_tiles(source, [2, 3], MISSING))
    parts.gather([2], count_rows, add_counts)
    assert source.sums_ahead is None
    parts.gather([1, 3, 2], count_rows, add_counts)
    assert source.sums_ahead.columns == (2, 3)


def test_parts_that_go_by_once_are_held_and_read_again():
    frame = make_frame()
    held = HeldPart(OncePart(FrameSource(frame)))
    first = [table.column_names for table in held.tables([1, 4])]
    assert first == [["b", "e"]]
    assert held.whole
    again = np.concatenate(list(held.batches([4, 0])))
    assert again.tolist() == frame[["e", "a"]].to_numpy().tolist()


@pytest.mark.parametrize(("room", "passes"), [(1 << 20, 1), (2000, 2)])
def test_a_part_too_large_to_hold_is_summed_up_in_a_pass_of_its_own(room, passes, monkeypatch):
    monkeypatch.setattr(promised, "MAX_HELD_BYTES", room)
    frame = make_frame()
    source = OnceInParts(frame)
    found = tamis.select(GivesParts(source), k=3, method="sfs")
    assert found.names == tamis.select(frame, k=3, method="sfs").names
    assert len(source.passes) == passes


CHANGED = {
    "plain": {},
    "a value for missing ones": {"na": [0.5]},
    "a column set aside": {"exclude": ["f"]},
    "another size": {"scale": False},
    "pareto": {"scale": "pareto"},
    "gaps dropped": {"missing": "drop"},
    "another method": {"method": "krzanowski"},
    "the default": {"method": "forward"},
    "the default without the key": {"method": "forward", "exclude": ["key", "mark"]},
    "extreme values clipped": {"method": "forward", "options": {"outliers": "clip"}},
    "pareto by default": {"method": "forward", "scale": "pareto"},
}


@pytest.mark.parametrize("case", CHANGED)
def test_no_setting_is_answered_by_sums_that_were_made_for_another(case, monkeypatch):
    frame = make_frame().assign(key=np.arange(80), mark=[-999.0, *np.linspace(0, 1, 79)])
    keep_rows_in_parts(monkeypatch)
    asked = {"method": "sfs", "k": 3, **CHANGED[case]}
    source = FrameInParts(frame, [0, 30, 31], gives_rows=True)
    ahead = tamis.select(GivesParts(source), **asked)
    monkeypatch.setattr(prepare, "promise_sums", lambda *given: given[1])
    plain = tamis.select(GivesParts(FrameInParts(frame, [0, 30, 31], gives_rows=True)), **asked)
    assert ahead.names == plain.names
    assert ahead.retained == pytest.approx(plain.retained, rel=1e-12)
    assert ahead.names == tamis.select(frame, **asked).names
