"""A messy table goes from the file to a right answer at the first command."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from tests.messy import customers

import tamis
from tamis.cli import main
from tamis.errors import TamisError


@pytest.fixture(scope="module")
def messy(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        frame = customers()
    path = tmp_path_factory.mktemp("shop") / "customers.csv"
    frame.to_csv(path, index=False)
    return frame, path


def test_the_first_command_answers_and_names_all_that_should_be_checked(messy, capsys):
    main(["select", str(messy[1]), "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["method"]["id"] == "forward"
    assert {"plan", "minutes"} <= set(facts["names"])
    skipped = {row["column"]: row["why"] for row in facts["skipped"]}
    assert skipped["fax"] == "without any value"
    assert "another value in each of" in skipped["email"]
    assert facts["constant"] == ["country"]
    advice = {row["column"]: row["advice"] for row in facts["warnings"]}
    assert advice == {
        "postcode": "--categories postcode",
        "churned": "--target churned",
    }
    assert "every integer from 100,000 to" in skipped["customer_id"]
    assert any("'revenue'" in doubt and "read as numbers" in doubt for doubt in facts["doubts"])
    assert facts["missing"]["shares"]["ratio"] > 0.1  # infinities


def test_the_advice_can_be_followed_at_once(messy, capsys):
    flags = ["--exclude", "customer_id", "--categories", "postcode", "--numbers", "revenue"]
    main(["select", str(messy[1]), *flags, "--target", "churned", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["warnings"] == []
    explained = {row["column"]: row for row in facts["dropped"]}
    assert next(iter(explained["revenue"]["weights"])) == "plan"
    assert explained["postcode"]["share"] > 0.9  # rare codes are pooled


def test_frame_and_file_give_the_same_answer(messy):
    frame, path = messy
    read = pd.read_csv(path, parse_dates=["signed up"])
    found = tamis.select(read)
    assert found.names == tamis.select(path).names
    assert tamis.select(read, numbers=["revenue"], k=6).names == (
        tamis.select(path, numbers=["revenue"], k=6).names
    )
    assert found.suspects == tamis.select(path).suspects
    assert len(frame) == found.to_dict()["rows"]


def test_texts_that_are_no_amounts_are_refused(messy):
    with pytest.raises(TamisError, match=r"Column 'email' has the text .* no amount"):
        tamis.select(messy[1], numbers=["email"])
    table = pd.DataFrame({"a": range(1500), "b": ["$ 1.50"] * 1499 + ["free"], "c": range(1500)})
    table["c"] = table["c"] % 7
    with pytest.raises(TamisError, match="Column 'b' has the text 'free', which is no amount"):
        tamis.select(table, numbers=["b"])


def test_every_table_gets_one_method_and_text_alone_works():
    wine = load_wine(as_frame=True).data
    assert tamis.select(wine, 3).request.method.id == "forward"
    named = wine.assign(sample=[f"s{i}" for i in range(len(wine))])
    assert tamis.select(named, 3).request.method.id == "forward"
    texts = pd.DataFrame({"a": list("xyxy") * 20, "b": list("uuvv") * 20, "c": list("pqqp") * 20})
    assert tamis.select(texts, 1).request.method.id == "forward"
    mixed = texts.assign(n=np.arange(80) % 9, m=np.arange(80) ** 2)
    assert tamis.select(mixed, 1, scale=True).request.method.id == "forward"


def mixed_tables():
    """Give five tables with text and numbers, made from real and from generated ones."""
    for load in (load_wine, load_iris, load_breast_cancer):
        data = load(as_frame=True)
        frame = data.data.iloc[:, :20].copy()
        for name in list(frame.columns)[::3]:
            frame[name] = pd.qcut(frame[name], 4, labels=["low", "mid", "high", "top"]).astype(str)
        yield frame.assign(kind=np.asarray(data.target_names)[data.target])
    for seed in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            yield customers(600, seed)


def test_representatives_explain_more_than_the_methods_of_the_note():
    for frame in mixed_tables():
        asked = {"k": 4, "missing": "auto"}
        found = tamis.select(frame, method="representatives", **asked)
        plain = greedy(found.summary.statistic.matrix, 4)
        assert found.retained >= plain - 1e-12
        for other in ("greedy-fs", "rspfs"):
            other_share = tamis.select(frame, method=other, **asked).retained
            assert found.retained >= other_share - 1e-12
        swapped = tamis.select(frame, method="representatives", refine=True, **asked)
        assert found.retained <= swapped.retained <= swapped.bound


def greedy(M, k):
    """Take the column that raises the mean of the largest shared information most."""
    M = np.asarray(M)
    kept = []
    for _ in range(k):
        kept.append(max(range(len(M)), key=lambda j: M[[*kept, j]].max(axis=0).mean()))
    return M[kept].max(axis=0).mean()
