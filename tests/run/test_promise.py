"""Which requests let the pass that judges the columns sum them up, too."""

import pytest
from tests.engines import FrameInParts, GivesParts, make_picks_frame

import tamis
from tamis.run import promise
from tamis.sources.promised import PromisedParts

CASES = {
    "a Gram matrix": ({"method": "sfs"}, True),
    "text that is skipped": ({"method": "sfs", "columns": ["a", "c", "size"]}, True),
    "held-out rows": ({"method": "sfs", "held_out": True}, False),
    "the default, by block of rows": ({}, False),
    "another size of columns": ({"method": "sfs", "scale": "pareto"}, False),
    "means that are asked for": ({"method": "sfs", "missing": "mean"}, False),
    "mutual information": ({"method": "greedy-fs"}, False),
    "classes": ({"method": "chi2", "y": "class"}, False),
}


@pytest.mark.parametrize("case", CASES)
def test_sums_are_promised_where_the_method_will_take_them(case, monkeypatch):
    asked, expected = CASES[case]
    made = []

    class Noted(PromisedParts):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(promise, "PromisedParts", Noted)
    source = FrameInParts(make_picks_frame(), [100], gives_rows=True)
    tamis.select(GivesParts(source), k=2, **asked)
    assert bool(made) is expected


def test_a_table_in_memory_is_not_summed_up_ahead(monkeypatch):
    monkeypatch.setattr(promise, "PromisedParts", None)
    assert len(tamis.select(make_picks_frame(), k=2, method="sfs").names) == 2
