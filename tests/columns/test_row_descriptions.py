"""What stands beside sparse counts and is none: classes, totals, measurements of the rows."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.cli import main
from tamis.columns.judge import judge_columns
from tamis.columns.judgement import DESCRIBES_ROWS
from tamis.rules.kinds import MIN_COUNT_COLUMNS
from tamis.sources.open import open_source

ROWS, WORDS = 300, MIN_COUNT_COLUMNS + 20


def draw_words(seed: int = 0, classes: int = 5) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw counts of words that are mostly 0 in texts of some classes."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, classes, ROWS)
    often = rng.gamma(0.2, 1.0, (classes, WORDS)).clip(max=0.6)
    names = [f"w{j}" for j in range(WORDS)]
    return pd.DataFrame(rng.poisson(often[drawn]), columns=names), drawn


def list_described(table: pd.DataFrame) -> set[str]:
    columns = judge_columns(open_source(table)).columns
    return {one.name for one in columns if one.why == DESCRIBES_ROWS}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", ["x0", "class"])
def test_a_class_among_counts_describes_the_rows(first: int, name: str) -> None:
    words, classes = draw_words()
    assert list_described(words.assign(**{name: classes + first})) == {name}
    mixed = words.assign(**{name: classes + first}).sample(frac=1, random_state=1)
    assert list_described(mixed[np.random.default_rng(2).permutation(mixed.columns)]) == {name}


def test_texts_totals_and_measurements_describe_the_rows() -> None:
    words, classes = draw_words()
    rng = np.random.default_rng(3)
    beside = {
        "topic": np.array(["a", "b", "c", "d", "e"])[classes],
        "letters": words.sum(axis=1) + 500,
        "score": rng.normal(size=ROWS),
        "change": rng.integers(-3, 4, ROWS),
    }
    assert list_described(words.assign(**beside)) == {*beside}


def test_counts_that_every_row_has_are_counts_where_others_nearly_are() -> None:
    words, _ = draw_words()
    rng = np.random.default_rng(4)
    often = {f"often{j}": rng.poisson(4, ROWS) for j in range(4)}
    always = {"always": rng.poisson(30, ROWS) + 1}
    assert list_described(words.assign(**often, **always)) == set()
    assert list_described(words.assign(**often, cluster=rng.geometric(0.5, ROWS))) == {"cluster"}


def test_columns_beside_few_counts_or_bits_are_analysed() -> None:
    words, classes = draw_words()
    assert list_described(words.iloc[:, :50].assign(x=classes + 1)) == set()
    assert list_described((words > 0).astype(int).assign(x=classes + 1)) == set()


def test_a_class_enters_neither_the_sums_of_rows_nor_the_answer() -> None:
    words, classes = draw_words()
    plain, found = tamis.select(words, k=5), tamis.select(words.assign(x=10 * classes + 1), k=5)
    assert found.names == plain.names
    assert found.retained == pytest.approx(plain.retained)
    (said,) = [one for one in found.to_dict()["doubts"] if "describes the rows" in one]
    assert said.startswith("'x' describes the rows of a table of sparse counts and is not analysed")
    assert 'numbers=["x"]' in said
    asked = tamis.select(words.assign(x=10 * classes + 1), k=5, numbers=["x"])
    assert "x" not in {row["column"] for row in asked.to_dict()["skipped"]}


def test_a_class_is_carried_to_the_table_that_is_written(tmp_path, capsys) -> None:
    words, classes = draw_words()
    path, out = tmp_path / "words.csv", tmp_path / "few.csv"
    words.assign(topic=classes).to_csv(path, index=False)
    main(["select", str(path), "-k", "5", "-o", str(out)])
    assert "'topic' describes the rows" in capsys.readouterr().out
    assert pd.read_csv(out)["topic"].tolist() == classes.tolist()
