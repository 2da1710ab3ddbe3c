"""What became of every column: records, tables of them, a frame."""

import pickle
from typing import Any

import numpy as np
import pytest

import tamis

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


@pytest.fixture
def frame(numbers: np.ndarray) -> Any:
    """Seven columns, three of them mixtures, beside a constant and a column of text."""
    frame = pd.DataFrame(numbers, columns=[*"abcdefg"])
    return frame.assign(same=1.0, name=[f"row {i}" for i in range(len(frame))])


@pytest.fixture
def found(frame: Any) -> Any:
    return tamis.select(frame, 3, method="sfs")


def test_every_column_of_the_table_is_kept_or_skipped_or_dropped(found, frame) -> None:
    status = {name: found[name].status for name in frame.columns}
    assert [name for name, one in status.items() if one == "kept"] == sorted(found.names)
    assert (status["same"], found["same"].reason) == ("skipped", "constant")
    assert status["name"] == "skipped"
    # New rows were not measured, so that nothing is called safe or lost.
    assert list(status.values()).count(None) == len(found.dropped) == 4
    assert {column.new_rows for column in found.dropped} == {None}
    assert set(found.to_frame()["reason"]) >= {"selected", "dropped", "constant"}


def test_new_rows_decide_on_the_status_and_the_order(frame: Any) -> None:
    rng = np.random.default_rng(3)
    more = frame.assign(noise=rng.normal(size=len(frame)), copy=frame["b"] * 2 + 1)
    found = tamis.select(more, 3)
    rows, errors = {row.column: row for row in found.explain()}, found.new_rows
    low = found.limit_new_rows(errors)[-1]
    for place, name in enumerate(found.names_of(np.arange(len(found.used)))):
        column = found[name]
        if column.status == "kept":
            assert (column.new_rows, column.new_rows_low, column.share) == (1.0, 1.0, 1.0)
            continue
        assert column.new_rows == rows[name].new_rows == errors.share[-1][place]
        assert column.new_rows_low == low[place] <= column.new_rows
        lost = column.new_rows < max(0.1, found.chance)
        safe = column.new_rows_low >= 0.95
        assert column.status == ("safe" if safe else "lost" if lost else "partly lost")
    shares = [column.new_rows for column in found.dropped]
    assert shares == sorted(shares)
    assert found["noise"].status == "lost"
    assert "lost" in repr(found.dropped)
    table = found.to_frame().set_index("column")
    assert table.loc["noise", "new_rows"] == found["noise"].new_rows
    assert table.loc["noise", "status"] == "lost"
    assert list(table.columns[:1]) == ["status"]
    assert "safe (at least" not in str(found["noise"])


def test_kept_columns_come_best_first_and_their_gains_add_up(found) -> None:
    assert found.kept.names == found.names
    assert [column.rank for column in found.kept] == [1, 2, 3]
    assert sum(column.gain for column in found.kept) == pytest.approx(found.retained)
    assert found.kept[-1].total == pytest.approx(found.retained)


def test_dropped_columns_come_least_explained_first_with_their_reasons(found) -> None:
    shares = [column.share for column in found.dropped]
    assert shares == sorted(shares)
    for column in found.dropped:
        known = found.explain(column.name)
        assert (known.share, known.weights) == (column.share, column.explained_by)
        assert set(column.explained_by) <= set(found.names)
        assert column.chance == found.chance


def test_a_kept_column_knows_its_substitutes(found) -> None:
    first = found.kept[0]
    assert first.substitutes == found.substitutes(first.name, n=5)
    assert "instead of it" in str(first)


def test_a_notebook_shows_the_sentence_about_a_column(found) -> None:
    pretty = pytest.importorskip("IPython.lib.pretty", reason="IPython is not installed")
    assert pretty.pretty(found["e"]) == str(found["e"])


def test_tables_of_columns_print_and_slice(found) -> None:
    lines = repr(found.dropped).splitlines()
    assert len(lines) == 1 + len(found.dropped)
    assert lines[0].split() == ["dropped", "explained", "by"]
    assert found.dropped[0].name in lines[1]
    assert len(found.kept[:2]) == 2
    assert "<table>" in found.kept._repr_html_()


def test_an_unknown_column_is_refused_with_the_nearest_name(found) -> None:
    with pytest.raises(tamis.TamisError, match=r"no column 'nam': did you mean 'name'\?"):
        found["nam"]


@pytest.mark.parametrize(
    ("column", "why"), [("same", "constant"), ("name", "another value in each of 60 rows")]
)
def test_what_was_not_dropped_has_no_explanation(found, column, why) -> None:
    with pytest.raises(tamis.TamisError, match=rf"'{column}' was skipped \(.*{why}\)"):
        found.explain(column)
    with pytest.raises(tamis.TamisError, match="is kept: there is nothing to explain"):
        found.explain(found.names[0])


def test_a_result_is_no_sequence_that_numbers_go_through(found) -> None:
    with pytest.raises(TypeError, match="not iterable"):
        iter(found)


def test_the_frame_has_a_row_for_every_column_in_the_library_of_the_table(found, frame) -> None:
    table = found.to_frame()
    assert isinstance(table, pd.DataFrame)
    assert table["column"].tolist() == list(frame.columns)
    kept = table[table["status"] == "kept"].sort_values("rank")
    assert kept["column"].tolist() == found.names
    assert kept["total"].tolist() == pytest.approx(found.curve.retained.tolist())
    other = tamis.select(pl.from_pandas(frame), 3, method="sfs").to_frame()
    assert isinstance(other, pl.DataFrame)
    assert other["share"].to_list() == pytest.approx(
        [None if np.isnan(share) else share for share in table["share"]]
    )
    plain = tamis.select(frame[[*"abcdefg"]].to_numpy(), 3).to_frame()
    assert plain.schema.field("missing").type == "double"


def test_the_frame_has_the_frequency_when_stability_was_asked_for(numbers) -> None:
    found = tamis.select(numbers, 2, stability=True)
    table = found.to_frame().to_pydict()
    assert table["frequency"] == [found.stability.frequency[name] for name in table["column"]]
    assert "frequency" not in tamis.select(numbers, 2).to_frame().column_names


def test_missing_values_and_reasons_of_mixed_tables_are_in_the_frame(frame) -> None:
    gappy = frame.assign(group=["u", "v", None] * 20)
    table = tamis.select(gappy, 2).to_frame().set_index("column")
    assert table.loc["group", "missing"] == pytest.approx(1 / 3)
    assert table.loc["name", "reason"]
    assert np.isnan(table.loc["name", "share"])


def test_columns_survive_a_pickle(found) -> None:
    again = pickle.loads(pickle.dumps(found.kept))
    assert repr(again) == repr(found.kept)


def test_printing_a_selection_writes_what_the_command_writes(found) -> None:
    from tamis.presentation.terminal.selection import selection_text
    from tamis.results.selection_facts import selection_facts

    assert str(found) == selection_text(selection_facts(found))
    assert repr(found).startswith("<Selection by sfs: 3 columns")
