from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import tamis
from tamis import registry
from tamis.facts.selection_answer import SelectionFacts
from tamis.facts.shared_answer import SkippedColumn
from tamis.presentation.prose.about_selection import selection_sentence
from tamis.presentation.prose.writing import signed_sum
from tamis.presentation.terminal.methods import method_text, methods_text
from tamis.presentation.terminal.screen import NO_EDGE
from tamis.presentation.terminal.selection import selection_text
from tamis.registry.command import flag
from tamis.results.selection_facts import selection_facts


def _facts(X: Any, **options: Any) -> SelectionFacts:
    return selection_facts(tamis.select(X, **options))


def test_a_selection_shows_kept_and_dropped_columns(numbers: np.ndarray) -> None:
    facts = _facts(numbers, k=2, method="sfs")
    lines = selection_text(facts).splitlines()
    assert lines[0] == selection_sentence(facts)
    assert lines[3].split()[:2] == ["1", facts.names[0]]
    assert any(line.startswith("  dropped ") for line in lines)
    assert lines[-1].startswith("By chance alone, the kept columns would explain about 3.4%")
    assert lines[-1].endswith("held_out=True measures the share explained on held-out rows.")
    assert len(lines) == 3 + 2 + 2 + 5 + 2


def test_figures_of_a_table_stay_apart_where_nearly_all_is_explained() -> None:
    table = {"a": [1, 2, 3, 4, 5], "b": [2, 4, 6, 8, 10.1], "c": [5, 3, 8, 1, 2]}
    found = tamis.select(pd.DataFrame(table), k=2)
    row = next(line for line in str(found).splitlines() if line.startswith("    2 "))
    assert row.split()[2:4] == [">99.99%", ">99.99%"]


def test_dropped_columns_are_listed_least_explained_first(numbers: np.ndarray) -> None:
    text = selection_text(_facts(numbers, k=3)).split("  dropped")[1].split("\n\n")[0]
    shares = [float(line.split("%")[0].split()[-1]) for line in text.splitlines()[1:]]
    assert shares == sorted(shares)


def test_what_holds_on_rows_not_used_stands_beside_what_is_explained(numbers: np.ndarray) -> None:
    facts = _facts(numbers, k=3, held_out=True)
    text = selection_text(facts)
    shares = facts.held_out.share
    assert f"on new rows they explain {100 * shares[2]:.1f}% of" in text.splitlines()[0]
    assert f"({100 * facts.retained:.1f}% on these rows, where no 3 columns" in text.splitlines()[0]
    head = next(i for i, line in enumerate(text.splitlines()) if line.startswith("  kept "))
    assert text.splitlines()[head].endswith("explained   ceiling   on new rows")
    assert text.splitlines()[head + 1].endswith(f" {100 * shares[0]:.1f}%")
    assert "On new rows (10 folds, each held out in turn, columns selected again in each)" in text
    assert "--held-out" not in text
    assert facts.held_out is not None
    worse = replace(facts.held_out, share=(-0.5, -0.5, -0.5))
    assert "worse than predicting the mean" in selection_text(replace(facts, held_out=worse))


def test_stability_names_what_could_replace_a_column(numbers: np.ndarray) -> None:
    facts = _facts(numbers, k=2, stability=True)
    found, name = facts.stability, facts.names[0]
    text = selection_text(facts)
    assert f"Stability over 50 half-samples: {found.index:.2f} (" in text
    other = found.substitutes[name][0]
    lines = text.split("half-samples   could be replaced")[1].splitlines()
    line = next(line for line in lines if line.startswith(f"  {name} "))
    assert f"{other.column} (" in line
    assert f"{100 * found.frequency[name]:.0f}%" in line
    few = replace(facts, blocks=10)
    assert "10 blocks of rows instead of 20" in selection_text(few)


def test_a_number_found_by_the_rule_comes_with_its_interval_and_reason(numbers: np.ndarray) -> None:
    facts = _facts(numbers, k="auto")
    text, auto = selection_text(facts), facts.auto
    assert text.startswith(f"Keep {auto.k} ({auto.low}-{auto.high}) of 7 columns: ")
    assert f"{auto.k} columns are enough: a further one would explain only" in text


@pytest.fixture
def long_names() -> Any:
    pytest.importorskip("pandas")
    import pandas as pd

    rng = np.random.default_rng(0)
    names = [f"a name that goes on and on {j} until the end of the line" for j in range(40)]
    frame = pd.DataFrame(rng.normal(size=(90, 40)), columns=names)
    return frame.assign(**{f"text {j}": "x" for j in range(8)}, one=1.0)


def test_all_kept_columns_are_listed_where_their_number_was_requested(long_names: Any) -> None:
    text = selection_text(_facts(long_names, k=25, method="sfs"))
    assert "more (names has them)" not in text
    assert "dropped, 10 least explained" in text
    assert "Skipped (constant): one." in text
    assert "Skipped (text or categories, not numbers): text 0, text 1" in text
    assert "text 5 and 2 more." in text


def test_a_long_list_that_nobody_requested_is_cut_unless_everything_is_wanted(
    long_names: Any,
) -> None:
    facts = _facts(long_names, retain=0.9, method="sfs")
    kept = facts.k
    assert f"      ... and {kept - 20} more (names has them)" in selection_text(facts)
    full = selection_text(facts, everything=True)
    assert all(f"{i + 1:>3} {name}" in full for i, name in enumerate(facts.names))
    assert all(f"\n  {row.column} " in full for row in facts.dropped)
    assert "text 6, text 7." in full


@pytest.mark.parametrize(("top", "lines"), [(0, 0), (3, 4), (99, 16)])
def test_the_number_of_dropped_columns_listed_can_be_set(
    long_names: Any, top: int, lines: int
) -> None:
    text = selection_text(_facts(long_names, k=25), top=top)
    listed = text.split("\n  dropped")[1].split("\n\n")[0] if lines else ""
    assert len(listed.splitlines()) == lines


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_the_text_fits_the_terminal_and_no_two_names_become_equal(
    long_names: Any, width: int
) -> None:
    facts = _facts(long_names, k=25, stability=True)
    text = selection_text(facts, width=width)
    assert max(map(len, text.splitlines())) <= width
    kept = text.split("new rows\n")[1].split("\n\n")[0].splitlines()
    shown = [line[6:].split("  ")[0] for line in kept]
    assert len(set(shown)) == 25
    assert all("\N{HORIZONTAL ELLIPSIS}" in name for name in shown) == (width < 100)


def test_names_are_never_shortened_in_a_file_or_a_pipe(long_names: Any) -> None:
    facts = _facts(long_names, k=25)
    assert "\N{HORIZONTAL ELLIPSIS}" not in selection_text(facts, width=NO_EDGE)


def test_nothing_dropped_and_nothing_left_out_leave_no_headings(numbers: np.ndarray) -> None:
    text = selection_text(_facts(numbers, k=7))
    assert "dropped" not in text
    assert "Skipped" not in text
    assert not text.endswith("\n")


def test_control_characters_in_names_do_not_reach_the_terminal(numbers: np.ndarray) -> None:
    facts = _facts(numbers, k=2)
    bad = "x\x1b[31m\n"
    first, *others = facts.dropped
    facts = replace(
        facts,
        names=(bad, *facts.names[1:]),
        dropped=(replace(first, column=bad, weights={bad: 0.5}), *others),
        constant=(bad,),
        skipped=(SkippedColumn(bad, "excluded"),),
    )
    text = selection_text(facts)
    assert "\x1b" not in text
    assert text.count("x?[31m?") == 5


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ({}, ""),
        ({"a": 1.0}, "1.00 a"),
        ({"a": -0.5, "b": 0.25}, "-0.50 a + 0.25 b"),
        ({"a - b": -0.5, "c": -0.25}, "-0.50 a - b - 0.25 c"),
    ],
)
def test_a_linear_combination_is_a_signed_sum(weights: dict[str, float], text: str) -> None:
    assert signed_sum(weights) == text


def test_methods_are_listed_and_each_has_a_text_with_its_flags() -> None:
    text = methods_text(registry.methods())
    for method in registry.methods():
        assert f"{method.id:<20} {method.name} - {method.paper}" in text
        one = method_text(method)
        for option in method.taken:
            assert f"\n  {flag(option.name)} " in one
        flat = " ".join(one.split())
        assert all(part in flat for part in (method.when, method.when_not, method.cost))
        assert f"--method {method.id}" in one.splitlines()[-1]
    assert text.index("tamis.select") < text.index("tamis.extract")


def test_fewer_columns_than_asked_are_explained_in_terminal_and_report(
    numbers: np.ndarray, tmp_path: Path
) -> None:
    found = tamis.select(np.column_stack([numbers, numbers[:, 0]]), k=8)
    assert found.shortfall is not None
    assert found.shortfall in str(found).splitlines()[0]
    assert found.shortfall in found.report(tmp_path / "report.html").read_text("utf-8")


def test_scores_accuracy_and_reasons_are_shown_in_the_terminal_and_on_the_page(tmp_path):
    X, y = load_wine(return_X_y=True, as_frame=True)
    table = X.assign(**{f"{name} again": X[name] for name in X.columns})
    found = tamis.select(
        table, method="information-gain", y=y, policy="incremental", redundancy="drop"
    )
    text = str(found)
    assert "scores (* kept)" in text
    assert "accuracy with those so far" in text
    assert "Columns were added by score while the learner 'naive-bayes' improved" in text
    assert "redundant: 1.00 x flavanoids" in text
    assert "are redundant (explained by kept ones) and" in text
    assert "adjusted" in text  # the p-values of the filter stay beside it
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'class="ranking"' in page
    assert 'id="significance-title"' in page
    assert '<span class="reason">redundant</span>' in page


def test_shared_importance_is_said_where_nothing_else_tells_columns_apart():
    X, y = load_wine(return_X_y=True)
    found = tamis.select(X, 3, method="tree-importance", y=y)
    assert "Columns that correlate share their importance" in str(found)
    assert tamis.select(X, 3, method="variance").to_dict()["reasons"] == ""


def test_a_share_that_chance_alone_gives_is_called_so() -> None:
    X = np.random.default_rng(1).normal(size=(40, 30))
    found = tamis.select(X, k=10, method="sfs")
    below = [row.column for row in found.explain() if 0 < row.share <= found.chance]
    above = [row.column for row in found.explain() if row.share > found.chance]
    assert below
    assert above
    text = selection_text(selection_facts(found), everything=True)
    dropped = {
        line.split()[0]: line for line in text.split("  dropped")[1].splitlines()[1:] if line
    }
    assert all("no more than chance: " in dropped[name] for name in below)
    assert not any("no more than chance" in dropped[name] for name in above)
    assert found._repr_html_().count("no more than chance: ") == min(len(below), 8)


def test_new_rows_stand_first_in_the_table_of_dropped_columns_and_decide_on_its_order() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 12)) + 0.5 * rng.normal(size=(60, 12))
    found = tamis.select(X, 4)
    text = selection_text(found._facts, width=100)
    at = text.index("  dropped")
    head, *rows = text[at:].splitlines()[:9]
    assert head.split()[:7] == ["dropped", "on", "new", "rows", "on", "these", "rows"]
    order = sorted(found.explain(), key=lambda row: row.new_rows)
    assert [row.split()[0] for row in rows] == [row.column for row in order]
    new, these = rows[-1].split()[1:3]
    assert (new, these) == (f"{order[-1].new_rows:.1%}", f"{order[-1].share:.1%}")
    counts = Counter(row.status for row in order)
    assert f"Dropped columns: {counts['safe']} safe (at least 95% explained on new rows" in text
    assert f"{counts['partly lost']} partly lost or not sure" in " ".join(text.split())
    narrow = selection_text(found._facts, width=50)
    assert "new rows" in narrow[narrow.index("  dropped") :].splitlines()[0]
    unmeasured = selection_text(tamis.select(X, 4, held_out=False)._facts, width=100)
    assert "safe" not in unmeasured
    assert unmeasured[unmeasured.index("  dropped") :].split()[:2] == ["dropped", "explained"]


def test_a_share_worse_than_the_prediction_of_the_mean_is_explained_below_the_tables() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(20, 12))
    text = selection_text(_facts(noise, k=2, method="sfs", held_out=True), width=120)
    assert text.count(" worse\n") + text.count(" worse ") > 1
    assert "\nworse: worse than predicting the mean.\n" in text
    related = noise[:, :2] @ rng.normal(size=(2, 12)) + 0.1 * noise
    assert "worse:" not in selection_text(_facts(related, k=2, held_out=True), width=120)


def test_a_ceiling_that_says_nothing_is_left_empty() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 30)) + rng.normal(size=(200, 30))
    facts = _facts(X, k=4)
    rows = selection_text(facts, width=100).split("  kept ")[1].splitlines()[1:5]
    for row, share, bound in zip(rows, facts.curve.retained, facts.curve.bound, strict=True):
        assert (f"{100 * bound:.1f}%" in row) is bool(bound <= 1.5 * share)
