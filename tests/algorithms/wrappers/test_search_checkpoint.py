import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.algorithms.wrappers.searching import table

from tamis.algorithms.wrappers.lots import select_genetic
from tamis.algorithms.wrappers.search_checkpoint import Checkpoint, hash_inputs
from tamis.algorithms.wrappers.steps import select_backward, select_forward
from tamis.errors import TamisError

SCRIPT = """
import json, os, signal, sys, tamis
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier
from tamis.algorithms.wrappers import search_checkpoint
search_checkpoint._MIN_SECONDS_BETWEEN_WRITES = search_checkpoint._MIN_WRITE_RATIO = 0.0
X, y = load_wine(return_X_y=True)
class Counted(DecisionTreeClassifier):
    def fit(self, X, y):
        left = int(os.environ.get("FITS", 0))
        os.environ["FITS"] = str(left - 1)
        if left == 1:
            os.kill(os.getpid(), signal.SIGKILL)  # in the middle of the search, on any machine
        return super().fit(X, y)
options = {"learner": Counted(random_state=0), "cv": 3, "population": 20, "generations": 8}
if len(sys.argv) > 2:
    options["checkpoint"] = sys.argv[2]
found = tamis.select(X[:, :8], method=sys.argv[1], y=y, options=options)
facts = found.to_dict()
print(json.dumps([found.names, facts["evidence"], facts["scores"]]))
"""


@pytest.fixture(scope="module")
def wine():
    return table(*load_wine(return_X_y=True))


def run(*arguments, fits=0):
    """Start the search in a process of its own, which is killed at so many fits."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FITS": str(fits)},
    )


def scores_in(path):
    return len(json.loads(path.read_text())["scores"]) if path.exists() else 0


@pytest.mark.nightly
def test_a_killed_search_goes_on_to_the_same_answer(tmp_path):
    path = tmp_path / "search.json"
    whole = run("wrapper-genetic")
    killed = run("wrapper-genetic", path, fits=100)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    done = scores_in(path)
    expected = json.loads(whole.communicate()[0])
    assert 20 <= done < expected[1]["evaluations"]
    assert json.loads(run("wrapper-genetic", path).communicate()[0]) == expected
    assert scores_in(path) == expected[1]["evaluations"]
    assert [file.name for file in tmp_path.iterdir() if not file.name.startswith(".")] == [
        "search.json"
    ]


def test_a_search_that_is_resumed_computes_nothing_anew_and_finds_the_same(wine, tmp_path):
    path = tmp_path / "search.json"
    first = select_genetic(wine, 4, checkpoint=path, max_evaluations=60)
    known = path.read_bytes()
    again = select_genetic(wine, 4, checkpoint=path, max_evaluations=60)
    assert again.evidence == first.evidence
    assert path.read_bytes() == known
    longer = select_genetic(wine, 4, checkpoint=path)
    assert longer.evidence == select_genetic(wine, 4).evidence


def test_another_search_on_the_same_rows_uses_what_is_known(wine, tmp_path):
    path = tmp_path / "search.json"
    forward = select_forward(wine, 13, checkpoint=path)
    backward = select_backward(wine, 1, checkpoint=path)
    both = forward.evidence.evaluations + backward.evidence.evaluations
    assert backward.kept.tolist() == select_backward(wine, 1).kept.tolist()
    assert len(json.loads(path.read_text())["scores"]) < both


@pytest.mark.parametrize(
    "other",
    [
        {"cv": 5},
        {"random_state": 1},
        {"test_size": 0.0},
        {"learner": "tree"},
        {"scoring": "balanced_accuracy"},
    ],
)
def test_a_checkpoint_of_another_search_is_refused(wine, tmp_path, other):
    path = tmp_path / "search.json"
    select_forward(wine, 1, checkpoint=path)
    known = path.read_bytes()
    with pytest.raises(TamisError, match="belongs to another table or other settings"):
        select_forward(wine, 1, checkpoint=path, **other)
    assert path.read_bytes() == known


def fraction_right(estimator, X, y):
    return estimator.score(X, y)


def fraction_wrong(estimator, X, y):
    return -estimator.score(X, y)


def test_a_checkpoint_is_not_taken_for_that_of_another_function(wine, tmp_path):
    path = tmp_path / "search.json"
    select_forward(wine, 1, checkpoint=path, scoring=fraction_right)
    known = path.read_bytes()
    select_forward(wine, 1, checkpoint=path, scoring=fraction_right)
    with pytest.raises(TamisError, match="belongs to another table or other settings"):
        select_forward(wine, 1, checkpoint=path, scoring=fraction_wrong)
    assert path.read_bytes() == known


def test_a_lambda_is_refused_for_resuming_in_one_sentence(wine, tmp_path):
    with pytest.raises(TamisError, match=r"^checkpoint: .* give a function with a name") as refusal:
        select_forward(
            wine, 1, checkpoint=tmp_path / "a.json", scoring=lambda e, X, y: e.score(X, y)
        )
    assert str(refusal.value).count(".") == 1
    assert not (tmp_path / "a.json").exists()


def test_a_checkpoint_of_another_table_is_refused(wine, tmp_path):
    path = tmp_path / "search.json"
    select_forward(wine, 1, checkpoint=path)
    X, y = load_wine(return_X_y=True)
    X[0, 0] += 1e-9
    with pytest.raises(TamisError, match="belongs to another table"):
        select_forward(table(X, y), 1, checkpoint=path)


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2\n", "{}", "[]", "", '{"format": "other"}', "\x00", "[" * 9999, '{"format": 1.0}'],
)
def test_a_file_that_is_no_checkpoint_is_left_alone(wine, tmp_path, text):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(TamisError, match="is not a checkpoint of a wrapper search"):
        select_forward(wine, 1, checkpoint=path)
    assert path.read_text() == text


@pytest.mark.parametrize("score", ["9" * 400, "9" * 5000, "[]", '"x"', "null", "{}"])
def test_a_score_that_is_no_number_is_refused_in_one_sentence(tmp_path, score):
    path = tmp_path / "search.json"
    Checkpoint(path, "mark")
    path.write_text(path.read_text().replace('"scores": {}', f'"scores": {{"0 1": {score}}}'))
    with pytest.raises(TamisError, match="is not a checkpoint of a wrapper search"):
        Checkpoint(path, "mark")


def test_a_place_that_cannot_be_written_is_refused_before_the_search(wine, tmp_path):
    with pytest.raises(TamisError, match=r"Cannot write .*: no such file or"):
        select_forward(wine, 1, checkpoint=tmp_path / "none" / "search.json")
    with pytest.raises(TamisError, match="cannot be read: is a directory"):
        select_forward(wine, 1, checkpoint=tmp_path)


def test_scores_are_read_as_they_were_written(tmp_path):
    scores = {"1 3": 1 / 3, "": -1e-300, "10": 0.1 + 0.2}
    Checkpoint(tmp_path / "a.json", "mark").write(scores)
    assert Checkpoint(tmp_path / "a.json", "mark").scores == scores


def test_the_fingerprint_knows_every_parameter_of_a_learner_and_no_place_in_memory():
    def learner(C):
        return make_pipeline(StandardScaler(), LogisticRegression(C=C))

    assert hash_inputs(learner(1.0)) == hash_inputs(learner(1.0))
    assert hash_inputs(learner(1.0)) != hash_inputs(learner(2.0))
    assert hash_inputs(np.zeros(2)) != hash_inputs(np.zeros((2, 1)))
