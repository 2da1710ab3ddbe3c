"""How good a given list of columns is."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LinearRegression

import tamis
from tamis.cli import main
from tamis.errors import TamisError


@pytest.fixture(scope="module")
def wine():
    return load_wine(as_frame=True).data


def share(frame, names):
    """Regress every standardised column on some of them: the mean of R²."""
    Z = (frame - frame.mean()) / frame.std(ddof=0)
    kept = Z[list(names)].to_numpy()
    fitted = LinearRegression().fit(kept, Z.to_numpy()).predict(kept)
    return 1 - ((Z.to_numpy() - fitted) ** 2).mean(axis=0).mean()


def test_the_columns_that_select_keeps_get_its_figures(wine):
    found = tamis.select(wine, 5)
    judged = tamis.score(wine, found.names)
    assert judged.names == found.names
    assert judged.retained == pytest.approx(found.retained, abs=1e-12)
    assert judged.bound == pytest.approx(found.bound)
    assert [str(row) for row in judged.explain()] == [str(row) for row in found.explain()]
    np.testing.assert_allclose(judged.curve.retained, found.curve.retained)


@pytest.mark.parametrize("seed", range(4))
def test_what_would_be_better_is_better(wine, seed):
    names = np.random.default_rng(seed).permutation(wine.columns)[:4].tolist()
    judged = tamis.score(wine, names)
    assert judged.names == names
    assert judged.retained == pytest.approx(share(wine, names), abs=1e-9)
    assert judged.best.retained == pytest.approx(share(wine, judged.best.names), abs=1e-9)
    assert judged.retained <= judged.best.retained <= judged.bound
    for swap in judged.swaps:
        others = [swap.joins if name == swap.leaves else name for name in names]
        gain = share(wine, others) - share(wine, names)
        assert swap.change == pytest.approx(gain, abs=1e-9)
        assert swap.change > 0
    for more in judged.additions:
        gain = share(wine, [*names, more.joins]) - share(wine, names)
        assert more.change == pytest.approx(gain, abs=1e-9)
    assert judged.swaps[0].change == pytest.approx(max(all_swaps(wine, names)), abs=1e-9)


def all_swaps(frame, names):
    base = share(frame, names)
    for i in range(len(names)):
        for joins in set(frame.columns) - set(names):
            yield share(frame, [joins if p == i else n for p, n in enumerate(names)]) - base


def test_swaps_of_shared_information_equal_the_definition(wine):
    mixed = wine.assign(**{name: pd.qcut(wine[name], 3).astype(str) for name in wine.columns[:4]})
    names = ["ash", "hue", "proline"]
    judged = tamis.score(mixed, names, method="representatives")
    assert judged.measure.name == "information"
    M, used = judged.summary.statistic.matrix, judged.names_of(np.arange(len(judged.used)))
    place = {name: j for j, name in enumerate(used)}
    base = M[[place[n] for n in names]].max(axis=0).mean()
    for swap in judged.swaps:
        others = [place[swap.joins if n == swap.leaves else n] for n in names]
        assert swap.change == pytest.approx(M[others].max(axis=0).mean() - base, abs=1e-12)
    for name, found in judged.substitutes(n=2).items():
        for joins, change in found:
            others = [place[joins if n == name else n] for n in names]
            assert change == pytest.approx(M[others].max(axis=0).mean() - base, abs=1e-12)
    assert judged.best.retained >= judged.retained


def test_no_list_is_better_than_the_best(wine):
    best = tamis.select(wine, 3, refine="exact")
    judged = tamis.score(wine, best.names)
    assert judged.swaps == []
    assert "tamis finds none better" in judged.to_dict()["sentence"]


def test_the_command_shows_it_and_writes_a_report(wine, tmp_path, capsys):
    wine.to_csv(tmp_path / "wine.csv", index=False)
    page = tmp_path / "page.html"
    command = ["score", str(tmp_path / "wine.csv"), "--columns", "ash,hue", "--report", str(page)]
    main([*command, "--held-out", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["names"] == ["ash", "hue"]
    assert len(facts["score"]["swaps"]) == 2
    assert len(facts["held_out"]["share"]) == 2
    assert "What would explain more" in page.read_text(encoding="utf-8")
    main(command)
    assert "swap ash for" in capsys.readouterr().out


def test_lists_that_cannot_be_judged_are_refused(wine):
    with pytest.raises(TamisError, match="The list of columns is empty: name at least one"):
        tamis.score(wine, [])
    with pytest.raises(TamisError, match="has no column 'hues': did you mean 'hue'"):
        tamis.score(wine, ["hues"])
    with pytest.raises(TamisError, match="columns='hue': give a list of column names"):
        tamis.score(wine, "hue")
    with pytest.raises(TamisError, match=r'columns=\["one"\]: the column cannot be kept'):
        tamis.score(wine.assign(one=1.0), ["one", "hue"])
