from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.presentation.prose.writing import cut, shorten_name


def test_a_name_is_cut_in_the_middle() -> None:
    assert cut("temperature_inlet_left", 12) == "temper\N{HORIZONTAL ELLIPSIS}_left"


@pytest.mark.parametrize("width", [4, 7, 12, 30])
@pytest.mark.parametrize(
    "names",
    [
        [f"a long start {j} and the same long end" for j in range(30)],
        [f"the same long start and then {j:04d}" for j in range(300)],
        [f"{j:04d} and the same long end of a name" for j in range(300)],
        ["a" * n for n in range(1, 40)],
    ],
)
def test_shortened_names_stay_distinct_and_short_ones_as_they_are(
    names: list[str], width: int
) -> None:
    short = shorten_name(names, width)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(short[name] == name for name in names if len(name) <= width)


def test_random_names_fit_the_width() -> None:
    letters = np.random.default_rng(0).choice(list("abcdef"), size=(500, 40))
    short = shorten_name(["".join(row) for row in letters], 14)
    assert {len(text) for text in short.values()} == {14}


def test_a_name_that_is_a_number_is_quoted_beside_a_weight_in_every_view(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    spectrum = rng.normal(size=(50, 2)) @ rng.normal(size=(2, 6)) + 0.1 * rng.normal(size=(50, 6))
    table = pd.DataFrame(spectrum, columns=[str(2300 + 10 * j) for j in range(6)])
    found = tamis.select(table, k=2, method="sfs")
    quoted, bare = f' x "{found.names[0]}"', f" x {found.names[0]}"
    for view in (str(found), str(found.explain()[0]), found.explain()[0].by, str(found.dropped)):
        assert quoted in view
        assert bare not in view
    assert f"\N{MULTIPLICATION SIGN} &quot;{found.names[0]}&quot;" in found._repr_html_()
    page = found.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert f"&#34;<b><bdi>{found.names[0]}</bdi></b>&#34;" in page


def test_terms_are_listed_by_their_size() -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 20)) + rng.normal(size=(60, 1))
    found = tamis.select(X, k=10, method="sfs")
    terms = [[f"{abs(w):.2f}" for w in row.weights.values()] for row in found.explain()]
    assert terms == [sorted(sizes, reverse=True) for sizes in terms]
    known = found.measure.reproduction(found.path.kept)
    _, weights, _ = found.measure.carriers(known, 10, np.setdiff1d(np.arange(20), found.path.kept))
    assert (np.diff(np.abs(weights)) > 0).any()  # the best alone is not always the largest
