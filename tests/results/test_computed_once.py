"""A result computes what it shows once, however many views show it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.algorithms import residual
from tamis.evaluation import extraction_outcome, measure
from tamis.run.search import Search


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count conditionings on columns, and searches."""
    counts = {"conditionings": 0, "searches": 0}
    condition, search = residual.condition, Search.__call__

    def conditioned(*given: Any) -> Any:
        counts["conditionings"] += 1
        return condition(*given)

    def searched(*given: Any, **named: Any) -> Any:
        counts["searches"] += 1
        return search(*given, **named)

    monkeypatch.setattr(measure, "condition", conditioned)
    monkeypatch.setattr(residual, "condition", conditioned)
    monkeypatch.setattr(Search, "__call__", searched)
    return counts


@pytest.mark.parametrize("method", ["sfs", "pfs", "vif", "spca"])
@pytest.mark.parametrize("goal", [{"k": 3}, {"retain": 0.8}], ids=["k", "retain"])
def test_all_views_of_a_selection_take_two_conditionings_and_one_more_search(
    method: str, goal: dict[str, Any], counted: dict[str, int], numbers: np.ndarray, tmp_path: Path
) -> None:
    found = tamis.select(numbers, method=method, **goal)
    asked = counted["searches"]
    found.to_dict()
    assert counted["conditionings"] == 1
    found.report(tmp_path / "report.html")
    found.to_dict()
    assert counted["conditionings"] == 2
    assert asked == 1
    assert counted["searches"] - asked <= 1


def test_all_views_of_an_extraction_cross_validate_once(
    monkeypatch: pytest.MonkeyPatch, numbers: np.ndarray, tmp_path: Path
) -> None:
    calls = []
    validate = extraction_outcome.cross_validate
    monkeypatch.setattr(
        extraction_outcome, "cross_validate", lambda *given: calls.append(1) or validate(*given)
    )
    found = tamis.extract(numbers, 1, method="lda", y=np.arange(len(numbers)) % 2)
    found.to_dict()
    found.report(tmp_path / "report.html")
    assert len(calls) == 1


def test_what_a_caller_does_to_the_facts_does_not_reach_the_report(
    numbers: np.ndarray, tmp_path: Path
) -> None:
    found = tamis.select(numbers, k=2)
    facts = found.to_dict()
    facts["method"]["name"] = "some other name"
    facts["dropped"].clear()
    assert found.to_dict()["dropped"]
    assert "some other name" not in found.report(tmp_path / "report.html").read_text("utf-8")
