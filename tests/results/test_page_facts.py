"""What the page of a selection adds: sources, the map, rows, the knee and the calls."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.columns.name_words import number_axis
from tamis.evaluation.measure import measure_of
from tamis.results.plot_facts import cluster_order
from tamis.results.shared_facts import command_for, repeat_patterns
from tamis.results.slider_facts import knee, pack_sources, slider_facts, source_steps


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    rng = np.random.default_rng(4)
    return rng.normal(size=(80, 4))[:, [0, 0, 1, 1, 2, 2, 3, 3]] + 0.3 * rng.normal(size=(80, 8))


def _records(
    columns: bytes, records: bytes
) -> dict[tuple[int, int], tuple[int, list[tuple[int, int]]]]:
    whose = np.frombuffer(columns, dtype="<u4").tolist()
    numbers = iter(np.frombuffer(records, dtype="<i2").tolist())
    found = {}
    for column in whose:
        step, carried, count = next(numbers), next(numbers), next(numbers)
        found[column, step] = carried, [(next(numbers), next(numbers)) for _ in range(count)]
    assert next(numbers, None) is None
    return found


def test_the_last_record_before_a_step_names_the_carriers_of_that_step(table: np.ndarray) -> None:
    found = tamis.select(table, k=5, method="sfs")
    measure = found.measure
    known = measure.reproduction(found.path.indices[:5])
    records = _records(*pack_sources(measure, known, source_steps(5, 8, 5), 0.0))
    for step in range(1, 6):
        targets = np.setdiff1d(np.arange(8), known.kept[:step])
        positions, _, _ = measure.carriers(known, step, targets)
        for i, column in enumerate(targets.tolist()):
            last = max(s for c, s in records if c == column and s <= step)
            _, pairs = records[column, last]
            there = positions[i][positions[i] >= 0].tolist()
            assert [place for place, _ in pairs] == there


def test_a_wide_table_has_the_sources_of_the_chosen_number_only() -> None:
    assert source_steps(50, 100_000, 20) == [20]
    assert source_steps(50, 2_000, 20) == list(range(1, 51))
    assert 20 in source_steps(100, 4_000, 20)


def test_similar_columns_stand_together_on_the_map_and_join_first(table: np.ndarray) -> None:
    order, merges = cluster_order(np.corrcoef(table, rowvar=False))
    place = {int(column): i for i, column in enumerate(order)}
    assert all(abs(place[j] - place[j + 1]) == 1 for j in (0, 2, 4, 6))
    assert sorted(order.tolist()) == list(range(8))
    heights = [similarity for *_, similarity in merges]
    assert heights == sorted(heights, reverse=True)
    assert {frozenset(pair[:2]) for pair in merges[:4]} == {
        frozenset((place[j], place[j + 1])) for j in (0, 2, 4, 6)
    }


def test_rows_of_the_sample_are_the_table_in_256_steps(table: np.ndarray) -> None:
    facts = slider_facts(tamis.select(table, k=3, method="sfs"))
    assert facts.sample_rows == facts.sample_seen == 80
    assert facts.sample_gap is None
    levels = np.frombuffer(facts.sampled_values, dtype=np.uint8).reshape(-1, 80)
    for row, line in zip(facts.sampled, levels, strict=True):
        column, distinct, low, high, mean, std = row
        assert distinct == 80
        values = table[:, column]
        assert (low, high) == pytest.approx((values.min(), values.max()), rel=1e-5)
        assert (mean, std) == pytest.approx((values.mean(), values.std()), rel=1e-4, abs=1e-5)
        np.testing.assert_allclose(low + (high - low) * line / 254, values, atol=(high - low) / 250)


def test_a_table_that_is_gone_has_no_rows_and_says_so(table: np.ndarray) -> None:
    found = tamis.select(table.copy(), k=3, method="sfs")
    facts = slider_facts(found)
    assert facts.sample_rows == 0
    assert facts.sample_gap == "unreadable"
    stored = tamis.select(tamis.summarise(table), k=3, method="sfs")
    assert slider_facts(stored).sample_rows == 0


def test_categories_and_missing_values_are_sampled_as_such() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=300) for j in range(4)})
    frame["town"] = rng.choice(["Ulm", "Bonn", "Kiel"], size=300, p=[0.6, 0.3, 0.1])
    frame.loc[5:60, "town"] = None
    frame.loc[::7, "x1"] = np.nan
    found = tamis.select(frame, k=2, method="representatives", missing="auto")
    facts = slider_facts(found)
    row = [column for column, *_ in facts.sampled].index(4)
    assert facts.sampled[row][-1] == ("Ulm", "Bonn", "Kiel")
    assert facts.sampled[row][1] == 3
    levels = np.frombuffer(facts.sampled_values, dtype=np.uint8).reshape(-1, 200)
    assert 0 < (levels[row] == 255).sum() < 60
    assert facts.kinds == ("categorical", "numeric")


def test_the_knee_is_where_the_curve_leaves_its_chord_most() -> None:
    assert knee(np.array([0.1, 0.6, 0.65, 0.7, 0.75, 0.8])) == 2
    assert knee(np.array([0.1, 0.2, 0.3])) is None
    assert knee(np.ones(8)) is None


def test_names_make_an_axis_only_where_they_are_rising_or_falling_numbers() -> None:
    assert number_axis(["1000", "990.5", "980"]) == (980.0, 1000.0)
    assert number_axis(["1", "3", "2"]) is None
    assert number_axis(["1", "2"]) is None
    assert number_axis(["nan", "1", "2"]) is None


def test_a_command_keeps_what_was_given_but_its_goal_and_files() -> None:
    given = "tamis select a.csv -k 5 -o out.csv --report=r.html --exclude '{x}' --json -m pfs"
    assert command_for(given) == "tamis select a.csv --exclude '{{x}}' -m pfs -k {k}{more}"


def test_the_report_of_a_table_in_a_file_reads_its_rows_again(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    pd.DataFrame(np.random.default_rng(0).normal(size=(30, 5)).round(3)).to_csv(path, index=False)
    found = tamis.select(str(path), k=2, method="sfs")
    assert slider_facts(found).sample_rows == 30
    path.unlink()
    assert slider_facts(found).sample_rows == 0


def test_measures_without_a_gram_have_chance_and_no_drawers(table: np.ndarray) -> None:
    found = tamis.select(table, k=2, method="greedy-fs")
    facts = slider_facts(found)
    assert measure_of(found.summary.statistic).name == "information"
    assert len(set(facts.curve.chance)) == 1
    assert facts.drawers_at(2) == ["dropped"] * 8


def test_a_command_that_takes_no_number_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    pd.DataFrame(np.random.default_rng(0).normal(size=(30, 5)).round(3)).to_csv(path, index=False)
    found = tamis.select(str(path), k=2, method="sfs")
    request = replace(found.request, command="tamis demo --report page.html")
    assert repeat_patterns(request).command.startswith(f"tamis select {path} --method sfs")


@pytest.mark.parametrize("method", ["sfs", "greedy-fs"])
def test_a_page_without_correlations_has_no_map_of_them_and_says_so(
    table: np.ndarray, tmp_path: Path, method: str
) -> None:
    found = tamis.select(table, 3, method=method)
    facts = slider_facts(found, gram=False)
    assert facts.map is facts.live is None
    page = found.report(tmp_path / "page.html", gram=False).read_text()
    assert "was omitted on request" in page
    assert '<figure data-heat="' not in page
    assert '"map": null' in page or '"map":null' in page
    whole = found.report(tmp_path / "page.html").read_text()
    assert '<figure data-heat="' in whole
    assert "was omitted on request" not in whole


def test_a_given_list_has_a_map_unless_correlations_are_not_wanted(
    table: np.ndarray, tmp_path: Path
) -> None:
    found = tamis.score(table, ["x0", "x2"])
    assert '<figure data-heat="' in found.report(tmp_path / "page.html").read_text()
    assert '<figure data-heat="' not in found.report(tmp_path / "page.html", gram=False).read_text()


def test_a_huge_value_that_the_analysis_limits_has_a_report(table: np.ndarray, tmp_path: Path):
    frame = pd.DataFrame(table, columns=list("abcdefgh"))
    frame.loc[3, "a"], frame.loc[4, "b"], frame.loc[5, "b"] = 1e300, 1.7e308, -1.7e308
    assert tamis.select(frame, 2).report(tmp_path / "page.html").exists()
