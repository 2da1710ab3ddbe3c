"""`y="clusters"`: clusters of the rows in the place of labels, and what they are made of."""

import functools

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

import tamis
from tamis import registry
from tamis.algorithms import cluster_count
from tamis.algorithms.cluster_count import assign_clusters, choose_clusters
from tamis.algorithms.learners import CrossValidated, make_folds
from tamis.algorithms.wrappers.job import set_aside
from tamis.errors import TamisError
from tamis.facts.shared_answer import ClusterFacts
from tamis.selection import ChiSquareScore
from tamis.statistics.labels import ClusterLabels, Target, name_clusters

GROUPS = np.repeat([0, 1, 2], 40)
SUPERVISED = [m.id for m in registry.methods("selection") if m.supervised]
QUICK = {"max_evaluations": 20, "cv": 3}


@pytest.fixture(autouse=True)
def few_tries(monkeypatch):
    """Compare 2 to 4 clusters with two starts each: the rules have tests of their own."""
    monkeypatch.setattr(cluster_count, "_STARTS", 2)
    few = functools.partial(cluster_count.choose_clusters, most=4)
    monkeypatch.setattr(cluster_count, "choose_clusters", few)


@pytest.fixture(scope="module")
def frame():
    """Three groups of rows, each apart from the others in a, b or d; c is noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 4))
    for group, j in enumerate((0, 1, 3)):
        X[:, j] += 14 * (group == GROUPS)
    return pd.DataFrame(X, columns=["a", "b", "c", "d"])


def target_of(rows):
    """Make the target that a method sees."""
    codes = assign_clusters(rows, rows)
    quality = ClusterFacts(rows.shape[1], "silhouette", 1.0, 1.0)
    clusters = ClusterLabels(rows, assign_clusters, name_clusters(codes), quality)
    return Target.of(clusters.labels, "auto", what="y", clusters=clusters)


def own_options(method):
    return {name: value for name, value in QUICK.items() if registry.get(method).has(name)}


@pytest.mark.parametrize("method", SUPERVISED)
def test_every_supervised_method_finds_the_columns_that_make_the_clusters(method, frame):
    found = tamis.select(frame, 2, method=method, y="clusters", options=own_options(method))
    assert found.names[0] in "abd"
    assert list(found.labels.counts.values()) == [40, 40, 40]
    assert found.request.settings["y"] == "clusters"


@pytest.mark.parametrize("method", ["lda", "kda", "lfda"])
def test_discriminants_separate_the_clusters(method, frame):
    found = tamis.extract(frame, 2, method=method, y="clusters")
    assert found.separation.accuracy > 0.95
    assert found.sample.labels[::40] == ("cluster 1", "cluster 2", "cluster 3")


def test_labels_are_those_of_k_means_on_standardised_rows_with_the_best_silhouette(frame):
    found = tamis.select(frame, 1, method="chi2", y="clusters")
    Z = (frame - frame.mean()) / frame.std(ddof=0)
    count = choose_clusters(Z.to_numpy(), "silhouette")
    codes = KMeans(count, n_init=10, random_state=0).fit(Z.to_numpy()).labels_
    assert sorted(found.labels.counts.values()) == sorted(np.bincount(codes).tolist())
    again = assign_clusters(frame.to_numpy(), frame.to_numpy())
    assert adjusted_rand_score(codes, again) == 1.0


def test_a_column_of_that_name_goes_first(frame):
    named = frame.assign(clusters=np.where(frame["c"] > 0, "up", "down"))
    found = tamis.select(named, 1, method="information-gain", y="clusters")
    assert found.names == ["c"]
    assert set(found.labels.counts) == {"up", "down"}


def test_the_answer_says_what_the_clusters_are_and_how_firm(frame):
    facts = tamis.select(frame, 2, method="chi2", y="clusters").to_dict()["labels"]
    assert facts["clusters"] == {"columns": 4, "rule": "silhouette", "seeds": 1.0, "halves": 1.0}
    assert "3 clusters of the rows (40, 40, 40)" in facts["sentence"]
    noise = pd.DataFrame(np.random.default_rng(1).standard_normal((90, 12)))
    facts = tamis.select(noise, 2, method="chi2", y="clusters").to_dict()["labels"]
    assert facts["clusters"]["halves"] < 0.5
    assert "not stable" in facts["sentence"]


def test_the_line_that_repeats_it_does(frame):
    found = tamis.select(frame, 2, method="chi2", y="clusters")
    call = found.to_dict()["repeat"]["python"]
    assert eval(call, {"tamis": tamis, "table": frame}).names == found.names


def test_held_out_rows_have_no_part_in_the_clusters_of_the_others():
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((90, 5)) + 6 * rng.integers(0, 3, (90, 1))
    target = target_of(rows)
    for train, test in make_folds(target, 5, 0):
        spoilt = rows.copy()
        spoilt[test] = 1e6 * rng.standard_normal((len(test), 5))
        seen = target.seen_from(train).labels
        assert (target_of(spoilt).seen_from(train).labels[train] == seen[train]).all()
        alone = name_clusters(assign_clusters(rows[train], rows[train]))
        assert (seen[train] == alone).all()


@pytest.mark.parametrize("method", ["wrapper-forward", "wrapper-genetic"])
def test_a_search_finds_the_same_whatever_is_in_the_rows_set_aside(method, frame):
    X = frame.to_numpy()
    _, others, _ = set_aside(target_of(X), 0.2, 0)
    spoilt = X.copy()
    spoilt[others] = 1e3 * np.random.default_rng(4).standard_normal((len(others), 4))
    assert len(others) == 24
    options = {"max_evaluations": 12, "cv": 3}
    kept = [
        tamis.select(rows, 2, method=method, y="clusters", options=options).path.evidence
        for rows in (X, spoilt)
    ]
    assert kept[0].kept == kept[1].kept
    assert kept[0].score == kept[1].score


MEASURED = {
    "wrapper": lambda t: tamis.select(t, 2, method="wrapper-forward", y="clusters", options=QUICK),
    "policy": lambda t: tamis.select(
        t, method="chi2", y="clusters", policy="incremental", options={"cv": 3}
    ),
    "permutation": lambda t: tamis.select(t, 2, method="permutation-importance", y="clusters"),
    "discriminants": lambda t: tamis.extract(t, 2, method="lda", y="clusters").separation,
}


@pytest.mark.parametrize("measured", MEASURED)
def test_what_is_measured_on_held_out_rows_takes_clusters_of_the_others(
    measured, frame, monkeypatch
):
    trained, plain = [], ClusterLabels.seen_from

    def seen_from(self, train):
        trained.append((len(train), len(self.labels)))
        return plain(self, train)

    monkeypatch.setattr(ClusterLabels, "seen_from", seen_from)
    # No label of the clusters of all rows may be learnt where rows are held out.
    MEASURED[measured](frame)
    assert trained
    assert all(few < rows for few, rows in trained)


def test_learners_are_trained_and_tested_on_the_labels_of_each_split():
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((60, 3)) + 5 * rng.integers(0, 2, (60, 1))
    target = target_of(rows)
    splits = make_folds(target, 4, 0)
    for learner in ("naive-bayes", "knn"):
        judge = CrossValidated(rows, target, splits, learner=learner)
        scores = []
        for train, test in splits:
            seen = Target(target.clusters.seen_from(train), target.task, "y")
            scores.append(CrossValidated(rows, seen, [(train, test)], learner=learner).score([0]))
        np.testing.assert_allclose(judge.fold_scores([0]), scores)


def test_missing_values_are_filled_or_their_rows_dropped(frame):
    gaps = frame.copy()
    gaps.loc[[3, 50], "c"] = np.nan
    dropped = tamis.select(gaps, 2, method="tree-importance", y="clusters", missing="drop")
    assert dropped.missing.rows_unlabelled == 0
    assert set(dropped.names) < {"a", "b", "d"}
    filled = tamis.select(gaps, 2, method="chi2", y="clusters", missing="auto")
    assert sum(filled.labels.counts.values()) == 120
    with pytest.raises(TamisError, match="missing values"):
        tamis.select(gaps, 2, method="chi2", y="clusters", missing="error")


def test_text_is_ranked_by_the_clusters_of_the_numbers(frame):
    mixed = frame.assign(kind=np.array(["x", "y", "z"])[GROUPS])
    found = tamis.select(mixed, 1, method="information-gain", y="clusters")
    assert found.names == ["kind"]
    assert found.to_dict()["labels"]["clusters"]["columns"] == 4


def test_an_estimator_takes_the_word_too(frame):
    fitted = ChiSquareScore(2).fit(frame, "clusters")
    assert set(fitted.get_feature_names_out()) < {"a", "b", "d"}
    scores = tamis.extraction.LinearDiscriminants(2).fit(frame, "clusters").transform(frame)
    assert scores.shape == (120, 2)


BAD = [
    ({"method": "sfs"}, "only supervised methods"),
    ({"method": None}, "only supervised methods"),
    ({"method": "tree-importance", "task": "regression"}, "clusters are classes"),
    ({"method": "permutation-importance", "options": {"oob": True}}, "omit one of them"),
]


@pytest.mark.parametrize(("asked", "advice"), BAD)
def test_what_cannot_be_done_is_refused(asked, advice, frame):
    with pytest.raises(TamisError, match=advice):
        tamis.select(frame, 1, y="clusters", **asked)


def test_tables_without_rows_to_cluster_are_refused(frame):
    table = pa.Table.from_pandas(frame)
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    with pytest.raises(TamisError, match="read only once"):
        tamis.select(reader, 1, method="tree-importance", y="clusters")
    words = pd.DataFrame({"p": list("abab"), "q": list("aabb")})
    with pytest.raises(TamisError, match="no columns of numbers"):
        tamis.select(words, 1, method="chi2", y="clusters")
    with pytest.raises(TamisError, match="too few"):
        tamis.select(frame[:3], 1, method="tree-importance", y="clusters")
    with pytest.raises(TamisError, match="rows"):
        tamis.select(tamis.summarise(frame), 1, method="chi2", y="clusters")
