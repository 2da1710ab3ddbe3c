"""The table of all columns in a real browser: filtered, sorted, and long."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.reports import Report, report_of

import tamis
from tamis.results.slider_facts import NOTHING_LISTED

pytestmark = pytest.mark.slow

Show = Callable[..., Any]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Report:
    rng = np.random.default_rng(6)
    path = tmp_path_factory.mktemp("mixed") / "mixed.csv"
    hidden = rng.normal(size=(150, 2))
    lines = ["id,a1,a2,a10,b,half"]
    for i, (x, y) in enumerate(hidden):
        near = [x + 0.1 * rng.normal(), x + 0.5 * rng.normal(), 2 * x]
        half = f"{y:.3f}" if i % 3 == 0 else ""
        cells = ",".join(f"{value:.4f}" for value in [*near, y])
        lines.append(f"{i + 500},{cells},{half}")
    path.write_text("\n".join(lines) + "\n")
    return report_of(tamis.select(str(path), k=2, include=["b"], max_missing=1))


def names(page: Any) -> list[str]:
    return page.locator("#found tr:not(.space) th a").all_inner_texts()


def test_chips_list_what_they_say(show: Show, mixed: Report) -> None:
    page = show(mixed)
    assert names(page) == ["id", "a1", "a2", "a10", "b", "half"]
    expected = {
        "kept": set(mixed.facts.names),
        "dropped": {row.column for row in mixed.facts.dropped},
        "skipped": {"id"},
        "odd": {"id", "half"},
        "fixed": {"b"},
    }
    for chip, columns in expected.items():
        button = page.locator(f"#all-chips [data-chip={chip}]")
        button.click()
        assert set(names(page)) == columns
        assert button.locator(".count").inner_text() == str(len(columns))
        assert button.get_attribute("aria-pressed") == "true"
    page.locator("#all-chips [data-chip=all]").click()
    row = page.locator("#found tr", has=page.get_by_role("link", name="half", exact=True))
    assert "67% empty" in row.inner_text()


@pytest.mark.nightly
def test_heads_sort_and_the_third_press_gives_the_order_of_the_table(
    show: Show, mixed: Report
) -> None:
    page = show(mixed)
    head = page.locator(".all .at-name")
    head.locator("button").click()
    assert names(page) == ["a1", "a2", "a10", "b", "half", "id"]
    head.locator("button").click()
    assert names(page) == ["id", "half", "b", "a10", "a2", "a1"]
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").click()
    assert names(page) == ["id", "a1", "a2", "a10", "b", "half"]
    page.locator(".all .at-missing button").click()
    assert names(page)[0] == "half"


@pytest.mark.nightly
def test_a_few_rows_of_the_kept_columns_are_shown_unless_rows_are_omitted(
    show: Show, mixed: Report
) -> None:
    page = show(mixed)
    assert page.locator("#rows-head th").all_inner_texts() == list(mixed.facts.names)
    assert page.locator("#rows-body tr").count() == 5
    bare = show(mixed.change(listed=NOTHING_LISTED))
    assert not bare.locator("#sample-rows").is_visible()


@pytest.mark.nightly
def test_a_long_list_holds_only_the_rows_in_sight(show: Show) -> None:
    X = np.random.default_rng(0).normal(size=(12, 6000)).astype(np.float32)
    page = show(report_of(tamis.select(X, k=3, method="sfs"), gram=False))
    rows = page.locator("#found tr:not(.space)")
    assert rows.count() < 60
    page.evaluate("document.getElementById('all-box').scrollTop = 3000 * 44")
    page.get_by_role("link", name="x3000", exact=True).wait_for()
    assert rows.count() < 60
    page.evaluate("document.getElementById('all-box').scrollTop = 1e9")
    page.get_by_role("link", name="x5999", exact=True).wait_for()
    heights = page.evaluate(
        "[...document.querySelectorAll('#found tr')].map((row) => row.offsetHeight)"
    )
    assert sum(heights) == pytest.approx(6000 * 44, rel=1e-3)
