"""Tables of genes in a real browser: what the page counts and finds is what the JSON says."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.reports import Report, report_of

import tamis

pytestmark = pytest.mark.nightly


def _expected(report: Report) -> dict[str, int]:
    statuses = Counter(row.status for row in report.facts.dropped)
    return {kind.split()[0]: statuses[kind] for kind in ("safe", "partly lost", "lost")}


def _check(page: Any, report: Report, every: int) -> None:
    for kind, count in _expected(report).items():
        assert page.locator(f"#count-{kind}").inner_text() == f"{count:,}"
    for row in report.facts.dropped[::every]:
        page.locator("#filter").fill(row.column)
        found = page.locator("#found tr").filter(
            has=page.get_by_role("link", name=row.column, exact=True)
        )
        found.first.wait_for()
        share = page.evaluate(
            "(name) => modules.columns.describeStatus("
            "modules.state.indexNames().position.get(name)).share",
            row.column,
        )
        assert share == pytest.approx(max(row.new_rows, 0.0), abs=1.01e-3)
    page.locator("#filter").fill("no such gene")
    page.get_by_text("has this in its name").wait_for()


def test_a_page_on_12533_genes_is_small_and_agrees_with_the_json(
    show: Callable[..., Any], real: Callable[[str], np.ndarray]
) -> None:
    table = real("lung_gordon")
    found = tamis.select(table, k=30, method="sfs", held_out=True)
    report = report_of(found)
    assert report.facts.used == 12_533
    assert len(report.render().encode()) < 1_500_000
    _check(show(report), report, 2_500)


def test_a_page_on_40000_columns_agrees_with_the_json(show: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 4)) @ rng.normal(size=(4, 40_000)) + rng.normal(size=(20, 40_000))
    found = tamis.select(X.astype(np.float32), k=5, method="sfs", held_out=True)
    report = report_of(found)
    assert report.facts.used == 40_000
    _check(show(report), report, 16_000)
