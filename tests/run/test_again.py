"""`held_out` and `stability` without being asked for beforehand: the table is read again."""

import pickle

import numpy as np
import pandas as pd
import pytest

import tamis


@pytest.fixture
def table(numbers):
    return numbers.copy()


def test_any_table_is_read_again_when_a_share_on_other_rows_is_asked_for(any_table, numbers):
    found = tamis.select(any_table, k=3, method="sfs")
    # The folds follow from names and values, so those of a table without names are others.
    forms = (numbers, pd.DataFrame(numbers, columns=list(found.request.names)))
    expected = next(
        (
            one
            for one in (tamis.select(form, k=3, method="sfs", held_out=True) for form in forms)
            if isinstance(any_table, list) or np.allclose(one.held_out, found.held_out, atol=1e-9)
        ),
        None,
    )
    assert expected is not None
    if isinstance(any_table, list):
        with pytest.raises(tamis.TamisError, match="pass held_out=True"):
            found.held_out  # noqa: B018 - a list cannot be found again
        return
    assert found.stability.frequency == expected.stability.frequency


def test_a_table_that_changed_is_not_taken_for_the_first(table):
    found = tamis.select(table, k=2, method="sfs")
    table[0, 0] += 1.0
    with pytest.raises(tamis.TamisError, match="has changed since"):
        found.held_out  # noqa: B018


def test_a_table_in_memory_is_not_kept_alive(table):
    found = tamis.select(table, k=2, method="sfs")
    del table
    kept = tamis.select(np.random.default_rng(0).standard_normal((30, 3)), k=2, method="sfs")
    with pytest.raises(tamis.TamisError, match="no longer in memory"):
        kept.held_out  # noqa: B018
    assert found.k == 2


def test_a_pickled_selection_forgets_a_table_and_remembers_a_path(table, table_as):
    read = pickle.loads(pickle.dumps(tamis.select(table_as("csv"), k=2, method="sfs")))
    assert len(read.held_out) == 2
    forgotten = pickle.loads(pickle.dumps(tamis.select(table, k=2, method="sfs")))
    with pytest.raises(tamis.TamisError, match="no longer in memory"):
        forgotten.stability  # noqa: B018


def test_nothing_is_read_again_for_the_usual_answer(table, monkeypatch):
    found = tamis.select(table, k=2, method="sfs")
    monkeypatch.setattr("tamis.run.again.read_for", None)
    facts = found.to_dict()
    assert facts["held_out"] is facts["stability"] is facts["auto"] is None
    assert facts["chance"] == pytest.approx(2 / 59)


def test_the_default_keeps_what_held_out_rows_need_and_reads_nothing_again(table, monkeypatch):
    found = tamis.select(table, k=2)
    monkeypatch.setattr("tamis.run.again.read_for", None)
    shares = found.to_dict()["held_out"]["share"]
    assert shares == pytest.approx(found.held_out.tolist())
    assert tamis.select(table, k=2, held_out=False).to_dict()["held_out"] is None


@pytest.mark.parametrize("method", ["rspfs", "laplacian"])
def test_methods_that_are_not_on_correlations_say_so(method, table):
    found = tamis.select(table, k=2, method=method)
    with pytest.raises(tamis.TamisError, match="is for methods on correlations"):
        found.held_out  # noqa: B018
    with pytest.raises(tamis.TamisError, match=r"stability=True: .* omit it"):
        tamis.select(table, k=2, method=method, stability=True)
