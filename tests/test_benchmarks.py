"""The benchmarks cover every registered method."""

from importlib import import_module
from pathlib import Path

import pytest

from tamis import registry


@pytest.mark.parametrize("section", ["tall", "methods"])
def test_every_registered_method_has_a_benchmark_row(
    section: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    plan = import_module("benchmarks.plan")
    timed = {row.subject for row in plan.SECTIONS[section](quick=True).rows}
    every = registry.methods("selection")
    wanted = [m.id for m in every if section == "methods" or m.needs == "gram"]
    assert {f"tamis {method}" for method in wanted} <= timed
