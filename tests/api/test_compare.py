"""Several methods on one table: the figures of each, the recommendation, what is not compared."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LinearRegression
from tests.needs import nightly

import tamis
from tamis import registry
from tamis.cli import main
from tamis.errors import TamisError
from tamis.evaluation import contest as contest_module
from tamis.evaluation.stability import find_in_halves, stability_of
from tamis.evaluation.trial import N_HALVES, Trial
from tamis.sources.arrays import ArraySource
from tamis.statistics.row_blocks import fold_choices
from tamis.statistics.row_hash import number_rows

SIZES = [2, 5]


@pytest.fixture(scope="module")
def wine():
    return load_wine(as_frame=True).data


@pytest.fixture(scope="module")
def labels():
    return [f"class {label}" for label in load_wine().target]


@pytest.fixture(scope="module")
def found(wine, labels):
    return tamis.compare(wine, k=SIZES, y=labels, criteria=["share"])


def without_seconds(facts):
    """Drop what differs between two runs: times and how they rank."""
    return {
        **facts,
        "figures": {name: part for name, part in facts["figures"].items() if name != "seconds"},
        "repeat": None,
    }


def test_every_method_of_selection_is_compared_or_has_a_reason(found):
    every = {method.id for method in registry.methods("selection")}
    assert set(found.names) | set(found.unsuitable) == every
    assert {"sfs", "representatives", "laplacian", "proclus", "tree-importance"} <= set(found.names)


@pytest.mark.parametrize("sizes", [SIZES[1:], nightly(SIZES)])
def test_columns_and_shares_are_those_of_select(found, wine, labels, sizes):
    figures = found.contest.figures["share"]
    for one, by_size in found.names.items():
        method = registry.get(one)
        for k in sizes:
            alone = tamis.select(wine, k, method=one, y=labels if method.supervised else None)
            assert by_size[k] == alone.names, one
            share = tamis.score(wine, alone.names, method="sfs").retained
            assert figures[one, k].value == pytest.approx(share, abs=1e-9)
            if method.needs == "gram" and method.scale:
                assert figures[one, k].value == pytest.approx(alone.retained, abs=1e-9)


def test_extreme_values_are_limited_for_the_default_as_select_limits_them():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3)) @ rng.normal(size=(3, 12)) + 0.8 * rng.normal(size=(400, 12))
    X[:6] *= 40
    found = tamis.compare(X, ["forward", "sfs"], k=[3], criteria=["share", "held-out"])
    alone = tamis.select(X, 3)
    assert found.names["forward"][3] == alone.names
    assert found.contest.figure("share", "forward", 3).value == pytest.approx(alone.retained)
    held = found.contest.figure("held-out", "forward", 3).value
    assert held == pytest.approx(alone.held_out[2], abs=1e-9)
    # The others choose on all values, and are measured by the same shares.
    plain = tamis.select(X, 3, method="sfs")
    assert found.names["sfs"][3] == plain.names != alone.names
    share = tamis.score(X, plain.names).retained
    assert found.contest.figure("share", "sfs", 3).value == pytest.approx(share)
    said = "Shares are measured with the extreme values of 12 columns limited"
    assert any(note.startswith(said) for note in found.notes)


def test_counts_are_compared_standardised_and_that_is_said():
    X = np.random.default_rng(1).negative_binomial(0.05, 0.2, size=(200, 120)).astype(float)
    found = tamis.compare(X, ["forward", "sfs"], k=[3], criteria=["share"])
    assert found.names["forward"][3] == tamis.select(X, 3, scale=True).names
    assert any('scale="standard" there gives the columns' in note for note in found.notes)


def test_held_out_shares_and_stability_are_those_of_select(wine):
    ids = ["sfs", "spca"]
    found = tamis.compare(wine, ids, k=SIZES, criteria=["held-out", "stability"])
    for one in ids:
        for k in SIZES:
            alone = tamis.select(wine, k, method=one, held_out=True)
            cell = found.contest.figure("held-out", one, k)
            assert cell.value == pytest.approx(alone.held_out[k - 1], abs=1e-9)
            sets = find_in_halves(alone.by_block, k)[:N_HALVES]
            index = stability_of(sets, list(wine.columns)).index
            assert found.contest.figure("stability", one, k).value == pytest.approx(index)


@pytest.mark.parametrize("method", ["representatives", "variance", "laplacian"])
def test_held_out_shares_of_other_methods_equal_a_slow_loop(wine, method):
    found = tamis.compare(wine, [method], k=4, criteria=["held-out"])
    X = wine.to_numpy()
    numbers = number_rows(X, list(wine.columns))
    errors = totals = 0.0
    for marks in fold_choices(np.bincount(numbers, minlength=20)):
        train, test = X[marks[numbers]], X[~marks[numbers]]
        kept = tamis.select(train, 4, method=method).indices
        mean, std = train.mean(axis=0), X.std(axis=0)
        train, test = (train - mean) / std, (test - mean) / std
        fitted = LinearRegression().fit(train[:, kept], train).predict(test[:, kept])
        errors += ((test - fitted) ** 2).sum()
        totals += (test**2).sum()
    cell = found.contest.figure("held-out", method, 4)
    assert cell.value == pytest.approx(1 - errors / totals, abs=1e-8)


@pytest.mark.nightly
def test_the_same_from_any_form_in_any_run(wine, labels, tmp_path):
    path = tmp_path / "wine.parquet"
    table = {name: wine[name].to_numpy() for name in wine.columns}
    pyarrow.parquet.write_table(pa.table({**table, "label": labels}), path, row_group_size=31)
    ids = ["sfs", "variance", "greedy-fs", "tree-importance"]
    first = tamis.compare(wine, ids, k=[3], y=labels)
    again = tamis.compare(wine, ids, k=[3], y=labels)
    read = tamis.compare(str(path), ids, k=[3], y="label")
    assert without_seconds(first.to_dict()) == without_seconds(again.to_dict())
    assert read.names == first.names
    for criterion in first.contest.figures:
        for cell, figure in first.contest.figures[criterion].items():
            if criterion != "seconds":
                other = read.contest.figures[criterion][cell].value
                assert other == pytest.approx(figure.value, abs=1e-9), criterion
    assert read.recommendation == first.recommendation


def test_the_table_is_read_once_for_all_methods(wine, labels, monkeypatch):
    passes = []
    read = ArraySource.batches

    def counted(self, columns):
        passes.append(len(self.array))
        return read(self, columns)

    monkeypatch.setattr(ArraySource, "batches", counted)
    tamis.compare(wine.to_numpy(), k=[3], y=labels, criteria=["share", "neighbours", "redundancy"])
    assert passes == [len(wine)]


def test_a_table_too_long_to_be_held_is_read_once_for_each_summary(wine, monkeypatch):
    from tamis.run import held_source

    monkeypatch.setattr(held_source.HeldSource.__init__, "__defaults__", (0,))
    passes = []
    read = ArraySource.batches
    monkeypatch.setattr(
        ArraySource, "batches", lambda self, columns: passes.append(1) or read(self, columns)
    )
    ids = [method.id for method in registry.methods("selection") if method.needs == "gram"]
    tamis.compare(wine.to_numpy(), ids, k=[3], criteria=["share"])
    # What its columns are like, standardised, and as it is for `variance`.
    assert len(passes) == 3


def test_rows_are_sampled_above_a_size_and_that_is_said():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2500, 3)) @ rng.normal(size=(3, 6)) + rng.normal(size=(2500, 6))
    found = tamis.compare(X, ["sfs", "pfs"], k=2, criteria=["share", "neighbours"])
    assert found.contest.ground.rows.shape == (834, 6)
    np.testing.assert_array_equal(found.contest.ground.sample.values, X[::3])
    assert any("every 3rd row (834 rows)" in note for note in found.notes)


def test_supervised_methods_gain_nothing_from_labels_without_meaning():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(80, 150)), np.repeat([0, 1], 40)
    found = tamis.compare(X, ["tree-importance", "sfs"], k=5, y=y, criteria=["prediction"])
    cell = found.contest.figure("prediction", "tree-importance", 5)
    assert abs(cell.value - 0.5) < 0.2
    assert "within noise" in found.recommendation
    kept = X[:, [int(name[1:]) for name in found.names["tree-importance"][5]]]
    fitted = LinearRegression().fit(kept, y).score(kept, y)
    assert fitted > 0.15  # on the rows used, the columns do separate


def test_text_is_compared_by_information_alone(wine):
    mixed = wine.assign(shade=np.where(wine["hue"] > 1, "light", "dark"))
    found = tamis.compare(mixed, k=[3])
    assert set(found.names) == {m.id for m in registry.methods("selection") if m.takes_text
                                and not m.supervised}  # fmt: skip
    assert "exclude them" in found.unsuitable["sfs"]
    assert found.unsuitable["tree-importance"] == "needs labels"
    alone = tamis.select(mixed, 3, method="representatives")
    assert found.contest.figure("share", alone.request.method.id, 3).value == pytest.approx(
        alone.retained
    )
    assert "of the information" in found.recommendation
    numbers = tamis.compare(mixed, ["sfs", "representatives"], k=[3], criteria="share")
    assert numbers.skipped == {"shade": "text or categories, not numbers"}
    assert "shade" not in numbers.names["representatives"][3]


def test_a_constant_number_beside_text_is_said_and_ends_nothing():
    rng = np.random.default_rng(0)
    table = {"a": rng.standard_normal(60), "same": np.ones(60), "t": rng.choice([*"xyz"], 60)}
    table |= {"b": rng.standard_normal(60), "u": rng.choice([*"pq"], 60)}
    found = tamis.compare(pa.table(table), ["forward", "representatives"], k=[2])
    assert found.constant == ("same",)


def test_a_budget_ends_it_with_what_is_done(wine):
    found = tamis.compare(wine, k=[3], budget=1e-6)
    assert list(found.names) == ["forward"]
    assert found.unsuitable["pfs"] == "not reached within the budget"
    assert "No held-out share of all methods: the budget is spent." in found.notes
    assert "no other method was measured" in found.recommendation
    assert found.to_dict()["figures"]["held-out"]["forward"]["mean"] is None


def test_the_budget_of_a_single_method_is_refused_in_a_sentence(wine):
    with pytest.raises(TamisError, match="above 0"):
        tamis.compare(wine, ["sfs"], budget=-1)


def test_the_frame_is_of_the_library_of_the_input(wine):
    polars = pytest.importorskip("polars")
    asked = {"methods": ["sfs", "laplacian"], "k": 3, "criteria": ["share", "held-out"]}
    frames = [
        tamis.compare(t, **asked).frame for t in (wine, polars.DataFrame(wine.to_dict("list")))
    ]
    assert [type(frame).__module__.split(".")[0] for frame in frames] == ["pandas", "polars"]
    assert list(frames[0].columns) == ["method", "k", "kept", "share", "held-out", "held-out_std"]
    assert len(frames[0]) == 2
    assert isinstance(tamis.compare(wine.to_numpy(), **asked).frame, pa.Table)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"methods": ["sf"]}, "did you mean 'sfs'"),
        ({"methods": ["pca"]}, "method of extraction"),
        ({"methods": []}, "list of methods is empty"),
        ({"criteria": ["shares"]}, "did you mean 'share'"),
        ({"criteria": []}, "list of criteria is empty"),
        ({"k": [3, 99]}, "13 columns to choose from"),
        ({"k": []}, "is empty"),
        ({"k": 0}, "at least 1"),
        ({"methods": ["tree-importance"]}, "needs labels"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(wine, asked, message):
    with pytest.raises(TamisError, match=message):
        tamis.compare(wine, **asked)


def test_a_held_out_share_below_zero_is_worse_than_predicting_the_mean_in_every_view(tmp_path):
    X = np.random.default_rng(3).normal(size=(30, 60))
    found = tamis.compare(X, methods=["sfs", "pfs"], k=5, criteria=["share", "held-out"])
    assert found.to_dict()["figures"]["held-out"]["sfs"]["mean"] < -0.05
    page = found.report(tmp_path / "c.html").read_text(encoding="utf-8")
    for view in (str(found), found._repr_html_(), page):
        assert "worse than predicting the mean" in view
    assert "&lt; 0</text>" in page
    assert "it is best on held-out rows, where all are worse" in found.recommendation


def test_small_tables_are_compared_over_all_numbers_of_columns(wine):
    found = tamis.compare(wine.iloc[:, :4], ["sfs"], criteria="share")
    assert found.contest.sizes == (1, 2, 3)


def test_the_command_prints_a_leaderboard_and_writes_a_page(wine, labels, tmp_path, capsys):
    wine.assign(label=labels).to_csv(tmp_path / "wine.csv", index=False)
    page = tmp_path / "page.html"
    command = ["compare", str(tmp_path / "wine.csv"), "-m", "sfs,pfs,tree-importance", "-k", "2,4"]
    main([*command, "--target", "label", "--report", str(page)])
    out = capsys.readouterr().out
    assert out.startswith("Use ")
    assert max(map(len, out.replace(str(page), "").splitlines())) <= 100
    assert "stable" in out
    text = page.read_text(encoding="utf-8")
    assert "Methods by criteria" in text
    assert text.count('<svg class="lines"') == 9
    main([*command, "--criteria", "share,redundancy", "--exclude", "label", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["basis"] == "share"
    assert facts["unsuitable"] == [{"method": "tree-importance", "why": "needs labels"}]
    assert np.allclose(np.diag(facts["agreement"]["values"]), 1)
    assert facts["repeat"]["python"].startswith("tamis.compare(")


def test_what_labels_are_given_for_is_measured_though_the_budget_is_spent(wine, labels):
    found = tamis.compare(wine, k=[3], y=labels, budget=1e-6)
    assert found.advice.criterion == "prediction"
    alone = tamis.compare(wine, k=[3], budget=1e-6, criteria=["held-out"])
    assert alone.advice.criterion == "held-out"


def test_part_of_the_budget_is_left_when_all_methods_have_run(wine, labels, monkeypatch):
    left = []
    run = Trial.run

    def slow(trial):
        run(trial)
        clock[0] += 30.0

    def measured(contest, criterion, deadline, *more):
        left.append((criterion.id, deadline.left))
        return measure(contest, criterion, deadline, *more)

    clock = [0.0]
    measure = contest_module._measure
    monkeypatch.setattr(Trial, "run", slow)
    monkeypatch.setattr(contest_module, "_measure", measured)
    monkeypatch.setattr("tamis.evaluation.contest.time.monotonic", lambda: clock[0])
    found = tamis.compare(wine, k=[3], y=labels, budget=100, criteria=["share", "prediction"])
    assert left[0] == ("prediction", 10.0)
    # The first method, then those that labels are given for; each in its usual place.
    ids = [trial.method.id for trial in found.contest.trials]
    assert ids[0] == "forward"
    assert all(registry.get(one).supervised for one in ids[1:])
    assert len(ids) == 3


def test_rows_without_a_label_are_counted_and_refused_before_the_work(wine, labels):
    some = [None, None, *labels[2:]]
    asked = {"k": [2], "y": some, "criteria": ["share", "prediction"]}
    found = tamis.compare(wine, ["sfs"], missing="drop", **asked)
    said = "Where labels are needed, 2 of 178 rows are dropped because their label is missing."
    assert said in found.notes
    assert said in str(found)
    with pytest.raises(TamisError, match='y has 2 missing labels of 178: pass missing="drop"'):
        tamis.compare(wine, ["sfs"], **asked)
    with pytest.raises(TamisError, match="y has the same label in all 178 rows"):
        tamis.compare(wine, ["sfs"], k=[2], y=["a"] * 178)


def test_dropped_rows_are_mentioned_wherever_a_comparison_is_shown(wine, tmp_path):
    holes = wine.copy()
    holes.iloc[:7, 2] = np.nan
    found = tamis.compare(holes, ["sfs"], k=[2], missing="drop", criteria=["share"])
    said = "Dropped 7 of 178 rows because of missing values; 171 are used."
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(said in shown for shown in (str(found), found._repr_html_(), page))


def test_a_class_that_the_sampled_rows_lack_ends_nothing():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2_500, 4))
    y = np.where(np.arange(2_500) % 3 == 1, "b", "a")  # every third row is looked at: all "a"
    found = tamis.compare(X, ["sfs"], k=[2], y=y, criteria=["share", "prediction"])
    assert found.advice.criterion == "share"
    assert any("the same label in all" in note for note in found.notes)
    assert "AUC" in str(found)
