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


def test_every_registered_method_is_compared_with_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    versions = import_module("benchmarks.versions")
    versions.write_tables(tmp_path)
    jobs = versions.list_jobs(tmp_path)
    for kind in ("selection", "extraction"):
        assert {f"{kind} {method.id}" for method in registry.methods(kind)} <= jobs.keys()
    assert versions.time_job(jobs["selection variance"]) > 0
