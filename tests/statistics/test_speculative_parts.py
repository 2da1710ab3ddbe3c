"""The pass that judges an engine's table sums it up, too, where the sums may be wanted."""

import numpy as np
import pytest
from tests.engines import CountsPasses, FrameInParts, GivesParts, keep_rows_in_parts

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.run import front
from tamis.sources.read import read
from tamis.sources.source import Source, SourceInfo
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally, read_clean
from tamis.statistics.speculative import SpeculativeSums

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

    def gather(self, columns, work):
        return super().gather(columns, ReadOnce(work))


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


def read_tables(source, columns):
    return source.tables(columns, mark_missing=True)


def judge(source, numbers, missing=MISSING):
    """Make the pass that judges columns, of which these are numbers to be summed up."""
    sums = SpeculativeSums(source, range(6), missing, blocks=False)
    assert sums._found.columns == list(range(6))
    (sums,) = read(source, range(6), sums, rows=read_tables)
    return sums.take(source, numbers)


def sum_up(source, columns, missing=MISSING, first=None):
    tally = Tally(len(columns))
    sums = GramRows(len(columns))
    return read_clean(source, columns, sums, missing, tally, first=first).moments, tally


@pytest.mark.parametrize("columns", [[0, 1, 2, 3, 4, 5], [5, 2]])
def test_sums_are_those_of_a_pass_of_their_own_for_any_of_the_columns(columns):
    frame = make_frame()
    source = CountsPasses(frame, [0, 30, 31])
    first = judge(source, columns)
    assert len(source.passes) == 1
    found, tally = sum_up(source, columns, first=first.rows)
    assert len(source.passes) == 1
    own, expected = sum_up(FrameInParts(frame, [40]), columns)
    assert found.scatter == pytest.approx(own.scatter, rel=1e-12)
    assert found.mean == pytest.approx(own.mean, rel=1e-12)
    assert (tally.rows, tally.used) == (expected.rows, expected.used) == (80, 80)


def test_with_gaps_there_are_no_sums_of_some_of_the_columns():
    frame = make_frame()
    frame.loc[3, "c"] = np.nan
    assert judge(CountsPasses(frame), [0, 1]) is None
    assert judge(CountsPasses(frame), [0, 1, 2, 3, 4, 5]).rows.lacks_fill


def test_a_value_that_is_refused_ends_the_sums_and_not_the_pass():
    frame = make_frame()
    frame.loc[70, "c"] = np.inf
    assert judge(CountsPasses(frame), range(6), MissingPolicy.ERROR) is None


def test_means_of_the_first_pass_fill_the_gaps():
    frame = make_frame()
    frame.loc[3, "c"] = np.nan
    source = CountsPasses(frame)
    first = judge(source, list(range(6)))
    source.passes.clear()
    found, _ = sum_up(source, range(6), first=first.rows)
    assert source.passes == [("GramRows", 6)]
    filled = frame.fillna(frame["c"].mean())
    assert found.scatter == pytest.approx(np.cov(filled.T) * 79, rel=1e-12)


def test_parts_that_go_by_once_are_read_once():
    frame = make_frame()
    source = OnceInParts(frame)
    found = tamis.select(GivesParts(source), k=3, method="sfs")
    assert found.names == tamis.select(frame, k=3, method="sfs").names
    assert len(source.passes) == 1


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
    summed = tamis.select(GivesParts(source), **asked)
    monkeypatch.setattr(front, "plan_sums", lambda *_: None)
    plain = tamis.select(GivesParts(FrameInParts(frame, [0, 30, 31], gives_rows=True)), **asked)
    assert summed.names == plain.names
    assert summed.retained == pytest.approx(plain.retained, rel=1e-12)
    assert summed.names == tamis.select(frame, **asked).names
