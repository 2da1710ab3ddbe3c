"""An index of pandas is no column: every public function gives the answer of the plain frame."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import clustering, evaluation, extraction, selection
from tests.conftest import INDEXES, NAMES, build_index, build_table
from tests.needs import nightly

pd = pytest.importorskip("pandas")

Answer = Callable[[Any], Any]

X = build_table()
KIND = np.where(X[:, 0] + X[:, 5] > 0, "up", "down")
TEXT = np.array(["red", "green", "blue"])[np.digitize(X[:, 1], [-1, 1])]


def build_frame(index: str | None) -> Any:
    """Make a frame of numbers, text and labels with an index of this kind."""
    frame = pd.DataFrame(X, columns=NAMES).assign(colour=TEXT, kind=KIND)
    return frame if index is None else frame.set_axis(build_index(index, len(X)))


def numbers(frame: Any) -> Any:
    return frame[NAMES]


def series(frame: Any) -> Any:
    """Give the labels with an index that is another than the table's."""
    return frame["kind"].set_axis(np.arange(len(frame))[::-1] + 1000)


def told(found: Any) -> Any:
    return found.to_dict()


SELECTED: dict[str, Answer] = {
    "numbers": lambda t: told(tamis.select(numbers(t), k=3)),
    "text": lambda t: told(tamis.select(t, k=3)),
    "named method": lambda t: told(tamis.select(numbers(t), k=3, method="pfs", refine=True)),
    "auto": lambda t: told(tamis.select(numbers(t), k="auto")),
    "retain": lambda t: told(tamis.select(numbers(t), retain=0.9)),
    "forbid": lambda t: told(tamis.select(numbers(t), k=2, forbid=["x6"])),
    "costs": lambda t: told(tamis.select(numbers(t), k=2, costs={"x6": 9.0})),
    "include": lambda t: told(tamis.select(numbers(t), k=2, include=["x1"], exclude=["x0"])),
    "categories": lambda t: told(tamis.select(t, k=3, categories=["x1"])),
    "held-out": lambda t: told(tamis.select(numbers(t), k=3, held_out=True, stability=True)),
    "held-out later": lambda t: tamis.select(t, k=3, columns=NAMES).held_out,
    "substitutes": lambda t: tamis.select(numbers(t), k=3).substitutes(),
    "labels by name": lambda t: told(tamis.select(t, 3, method="tree-importance", y="kind")),
    "labels beside": lambda t: told(
        tamis.select(numbers(t), 3, method="information-gain", y=series(t))
    ),
    "rows": lambda t: told(tamis.select(numbers(t), 3, method="laplacian")),
    "frame of columns": lambda t: tamis.select(numbers(t), k=3).to_frame().to_dict(),
}
OTHERS: dict[str, Answer] = {
    "score": lambda t: told(tamis.score(numbers(t), ["x0", "x5"])),
    "extract": lambda t: told(tamis.extract(numbers(t), 2)),
    "extract with labels": lambda t: told(tamis.extract(numbers(t), 1, method="lda", y=series(t))),
    "compare": lambda t: compared(tamis.compare(numbers(t), ["sfs", "pivoted-qr"], k=2)),
    "mutual_information": lambda t: tamis.mutual_information(t).to_frame().to_dict(),
    "summarise": lambda t: told(tamis.select(tamis.summarise(numbers(t), blocks=True), 3)),
    "Cobweb": lambda t: clustering.Cobweb(n_init=1).fit(t.iloc[:20]).labels_,
    "neighbours": lambda t: evaluation.neighbourhood_agreement(numbers(t), t[["x0", "x5"]]),
    "clusters": lambda t: evaluation.cluster_agreement(
        numbers(t), t[["x0", "x5"]], clusters=2, labels=series(t)
    ),
    "medoids": lambda t: evaluation.medoid_widths(numbers(t), t[["x0", "x5"]], clusters=(2,)),
}
ESTIMATORS: dict[str, Answer] = {
    "numbers": lambda t: selection.SequentialForwardSelection(3).fit(numbers(t)).ranking_,
    "text": lambda t: selection.Representatives(3).fit(t).ranking_,
    "labels": lambda t: selection.TreeImportance(3).fit(numbers(t), series(t)).ranking_,
    "components": lambda t: extraction.PrincipalComponents(2).fit(numbers(t)).components_,
    "explained": lambda t: (
        selection.SequentialForwardSelection(3).fit(numbers(t)).explain(numbers(t))
    ),
}
PAGES: dict[str, Answer] = {
    "page": lambda t: written(tamis.select(t, k=3, y="kind")),
    "page of components": lambda t: written(tamis.extract(t, 2, columns=NAMES, y=series(t))),
}
ANSWERS = {
    f"{group}: {name}": answer
    for group, answers in (("select", SELECTED), ("", OTHERS), ("estimator", ESTIMATORS))
    for name, answer in answers.items()
}


def written(found: Any) -> str:
    """Give the text of the report, rows included."""
    with TemporaryDirectory() as folder:
        return found.report(Path(folder) / "page.html").read_text()


def compared(found: Any) -> Any:
    return found.frame.drop(columns="seconds").to_dict()


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    """Give the answers for the plain frame."""
    frame = build_frame(None)
    return {name: repr(answer(frame)) for name, answer in ANSWERS.items()}


@pytest.mark.parametrize("index", ["named", *map(nightly, INDEXES[:-1]), nightly("repeated")])
def test_every_public_function_gives_the_answer_of_the_plain_frame(index, plain):
    frame = build_frame(index)
    for name, answer in ANSWERS.items():
        assert repr(answer(frame)) == plain[name], name


def test_the_pages_are_those_of_the_plain_frame():
    frame, other = build_frame(None), build_frame("named")
    for name, page in PAGES.items():
        assert page(other) == page(frame), name


@pytest.mark.parametrize("index", [*INDEXES, "repeated"])
def test_the_kept_columns_of_a_frame_keep_its_index(index):
    frame = build_frame(index)
    found = tamis.select(numbers(frame), k=3)
    fitted = (
        selection.SequentialForwardSelection(3).set_output(transform="pandas").fit(numbers(frame))
    )
    pd.testing.assert_frame_equal(found.transform(frame), frame[found.names])
    pd.testing.assert_index_equal(fitted.transform(numbers(frame)).index, frame.index)
