"""What holds on rows not used to choose the columns, and where that is said."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reports import report_of

import tamis
from tamis.cli import main
from tamis.rules.pictures import WORSE


def _select(rows: int, width: int, k: int, **options: Any) -> tamis.Selection:
    X = np.random.default_rng(3).normal(size=(rows, width))
    return tamis.select(X, k=k, method="sfs", held_out=True, **options)


def _with_one_factor() -> np.ndarray:
    """One factor in all columns, and few rows: more than a few columns fit noise."""
    rng = np.random.default_rng(5)
    return rng.normal(size=(60, 1)) + rng.normal(size=(60, 150))


@pytest.fixture(scope="module")
def worse() -> tamis.Selection:
    return _select(30, 60, 5)


def test_a_loss_that_is_small_in_points_and_large_beside_the_share_is_overfitted() -> None:
    found = _select(300, 100, 8)
    lost = found.retained - found.held_out[-1]
    facts = found.to_dict()["overfit"]
    assert 0.03 < lost < 0.1
    assert lost > 0.25 * found.retained
    assert facts["overfitted"]
    assert lost > 2 * facts["standard_error"]
    assert facts["advice"] == 'k="auto"'


def test_a_loss_within_its_noise_is_not_called_overfitted() -> None:
    rng = np.random.default_rng(0)
    strong = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 12)) + rng.normal(size=(200, 12))
    facts = tamis.select(strong, k=4, method="sfs", held_out=True).to_dict()["overfit"]
    assert not facts["overfitted"]
    assert facts["sentence"] == ""
    assert tamis.select(strong, k=4, method="sfs").to_dict()["overfit"] is None


def test_overfitted_is_said_in_every_view(worse: tamis.Selection) -> None:
    said = worse.to_dict()["overfit"]["sentence"]
    assert said.startswith("Overfitted: ")
    assert json.loads(json.dumps(worse.to_dict()))["overfit"]["overfitted"] is True
    page = report_of(worse).render()
    for view in (str(worse), worse._repr_html_(), page):
        assert said in view


def test_a_share_below_zero_is_worse_than_predicting_the_mean_in_every_view(
    worse: tamis.Selection,
) -> None:
    share = worse.held_out[-1]
    assert share < -0.05
    page = report_of(worse).render()
    axes = worse.plot()
    lines = [text.get_text() for text in axes.get_legend().get_texts()]
    drawn = " ".join(" ".join(lines).split())  # a long entry of the legend is broken
    given = tamis.score(
        np.random.default_rng(3).normal(size=(30, 60)), worse.names, method="sfs", held_out=True
    )
    for view in (str(worse), worse._repr_html_(), page, drawn, str(given).split("\n")[0]):
        assert WORSE in view
        assert f"{100 * share:.1f}%" not in view
    assert f'<span id="figure-rows">on new rows: {WORSE}</span></dt><dd id="figure-share"' in page


def test_the_number_of_columns_at_which_the_held_out_share_peaks_is_named() -> None:
    found = tamis.select(_with_one_factor(), k=20, method="sfs", held_out=True)
    peak = found.to_dict()["overfit"]["peak"]
    assert peak["share"] == max(found.held_out)
    assert peak["k"] == int(np.argmax(found.held_out)) + 1 < 20
    most = f"Most on new rows with {peak['k']} ({100 * peak['share']:.1f}%); these 20 explain"
    assert most in str(found)
    assert tamis.select(_with_one_factor(), k=1, held_out=True).to_dict()["overfit"]["peak"] is None


def test_a_given_list_is_judged_without_advice_about_its_number() -> None:
    found = tamis.score(_with_one_factor(), list(range(20)), held_out=True)
    facts = found.to_dict()["overfit"]
    assert facts["overfitted"]
    assert facts["advice"] == ""
    assert "auto" not in str(found)


def test_the_command_spells_the_advice_as_a_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    names = ",".join(f"c{j}" for j in range(150))
    np.savetxt(table, _with_one_factor(), delimiter=",", header=names, comments="")
    main(["select", str(table), "-k", "20", "--held-out"])
    text = capsys.readouterr().out
    assert "-k auto finds a number that the rows support" in " ".join(text.split())
