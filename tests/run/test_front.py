"""A table is opened, judged and turned into a request once, whatever is asked of it."""

from collections import Counter
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.cli import main

# Where each step of the front is looked up, by the name under which it is.
STEPS = {
    "open_source": ("tamis.run.front",),
    "match_request": ("tamis.run.selection", "tamis.run.extraction", "tamis.api.compare"),
    "prepare": (
        "tamis.run.selection",
        "tamis.run.extraction",
        "tamis.api.compare",
        "tamis.run.again",
    ),
    "judge_related": ("tamis.run.look",),
}
ONCE = dict.fromkeys(STEPS, 1)


@pytest.fixture
def calls(monkeypatch):
    """Count how often each step is taken, and how often a request is made of what is asked."""
    counted = Counter()

    def count(name, function):
        def call(*given, **how):
            counted[name] += 1
            return function(*given, **how)

        return call

    for name, places in STEPS.items():
        for place in places:
            module = import_module(place)
            monkeypatch.setattr(module, name, count(name, getattr(module, name)))
    request = import_module("tamis.run.request")
    monkeypatch.setattr(request.Request, "of", count("Request.of", request.Request.of))
    goal = count("resolve_goal", tamis.registry.resolve_goal)
    monkeypatch.setattr("tamis.registry.resolve_goal", goal)
    return counted


@pytest.fixture
def frame():
    table = np.random.default_rng(0).standard_normal((120, 6)).round(3)
    return pd.DataFrame(table, columns=[*"abcdef"]).assign(town=[*"xyz"] * 40)


def test_select_takes_every_step_once(frame, calls):
    tamis.select(frame, k=2)
    assert calls == {**ONCE, "Request.of": 1, "resolve_goal": 1}


def test_a_named_method_takes_every_step_once(frame, calls):
    tamis.select(frame, k=2, method="sfs")
    assert calls == {**ONCE, "Request.of": 1, "resolve_goal": 1}


def test_score_and_extract_take_every_step_once(frame, calls):
    tamis.score(frame, ["a", "b"])
    assert calls == {**ONCE, "Request.of": 1, "resolve_goal": 1}
    calls.clear()
    tamis.extract(frame, k=2)
    assert calls == {**ONCE, "Request.of": 1, "resolve_goal": 1}


def test_compare_judges_a_table_once_for_all_methods(frame, calls):
    tamis.compare(frame, ["sfs", "pivoted-qr"], k=[2], criteria=["share"])
    assert {name: calls[name] for name in ("open_source", "prepare", "judge_related")} == {
        "open_source": 1,
        "prepare": 1,
        "judge_related": 1,
    }


def test_the_command_opens_once_and_its_page_once_more_for_rows_to_show(frame, calls, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    main(["select", str(tmp_path / "t.csv"), "-k", "2", "--report", str(tmp_path / "r.html")])
    # The goal is looked at before anything heavy is loaded, too.
    assert calls == {**ONCE, "open_source": 2, "prepare": 2, "Request.of": 1, "resolve_goal": 2}
