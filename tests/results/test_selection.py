"""What can be done with a result: columns of a new table are found by name, never by luck."""

from typing import Any

import numpy as np
import pytest

import tamis

pd = pytest.importorskip("pandas")


@pytest.fixture
def frame(numbers: np.ndarray) -> Any:
    return pd.DataFrame(numbers, columns=[*"abcdefg"])


@pytest.fixture(params=["select", "extract"])
def found_on(request: pytest.FixtureRequest) -> Any:
    """Make a result of either kind."""
    method = {"select": "sfs", "extract": "pca"}[request.param]
    return lambda data: getattr(tamis, request.param)(data, 3, method=method)


def _values(table: Any) -> np.ndarray:
    return np.asarray(table.to_pandas() if hasattr(table, "to_pandas") else table, dtype=float)


def test_a_frame_with_other_names_is_refused_though_it_is_as_wide(found_on, frame) -> None:
    other = frame.rename(columns=str.upper)
    found = found_on(frame)
    with pytest.raises(tamis.TamisError) as refused:
        found.transform(other)
    sentence = str(refused.value)
    assert sentence.startswith("The table has no column")
    assert all(repr(name) in sentence for name in getattr(found, "columns", found.names)[:6])
    assert "give a table with the columns" in sentence


def test_many_missing_columns_are_named_in_part_and_counted(numbers) -> None:
    wide = pd.DataFrame(numbers @ np.ones((7, 12)), columns=[f"old{j}" for j in range(12)])
    wide += np.random.default_rng(0).normal(size=wide.shape)
    with pytest.raises(tamis.TamisError, match=r"'old4', 'old5' and 6 more: give"):
        tamis.extract(wide, 2).transform(wide.add_prefix("new "))


def test_named_columns_are_found_by_name_in_any_order_and_among_others(found_on, frame) -> None:
    found = found_on(frame)
    expected = _values(found.transform(frame))
    shuffled = frame[[*"gfedcba"]].assign(more=1.0)
    np.testing.assert_allclose(_values(found.transform(shuffled)), expected, rtol=1e-12)


def test_columns_go_by_position_where_either_table_has_no_names(
    found_on, frame, numbers, tmp_path
) -> None:
    np.savez(tmp_path / "bare.npz", X=numbers)
    forms = [frame, numbers, tmp_path / "bare.npz"]
    expected = _values(found_on(numbers).transform(numbers))
    for made_on, given in [(i, j) for i in range(3) for j in range(3)]:
        scores = _values(found_on(forms[made_on]).transform(forms[given]))
        np.testing.assert_allclose(scores, expected, rtol=1e-10, atol=1e-10)


def test_names_that_only_look_like_positions_do_not_decide(numbers) -> None:
    found = tamis.select(numbers, 2)
    one_based = pd.DataFrame(numbers, columns=[f"x{j + 1}" for j in range(7)])
    np.testing.assert_array_equal(found.transform(one_based), numbers[:, found.indices])


def test_a_table_without_names_must_be_as_wide(found_on, frame, numbers) -> None:
    wider = np.column_stack([numbers, numbers[:, 0]])
    for made_on, given in ((numbers, wider), (frame, wider), (numbers, frame.assign(h=1.0))):
        with pytest.raises(tamis.TamisError, match=r"has 8 columns where .* made on has 7"):
            found_on(made_on).transform(given)


@pytest.mark.parametrize("estimator", ["SequentialForwardSelection", "GreedyFS"])
def test_an_estimator_refuses_other_names_too(estimator, frame) -> None:
    fitted = getattr(tamis.selection, estimator)(3).fit(frame)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(frame.rename(columns={"a": "A"}))


def test_a_ceiling_just_below_all_is_told_without_two_limits_at_once() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 1)) + 1e-3 * rng.normal(size=(80, 6))
    found = tamis.select(X, k=1, method="sfs")
    assert 0.99995 < found.bound < 1
    for result in (found, tamis.score(X, found.names), tamis.score(X, ["x3"])):
        sentence = result.to_dict()["sentence"]
        assert "than over" not in sentence
        assert "exceed" not in sentence
        assert "could explain all of it" in sentence


@pytest.fixture
def visits():
    rng, n = np.random.default_rng(0), 80
    x = rng.normal(size=n)
    table = pd.DataFrame({"id": np.arange(1000, 1000 + n), "city": rng.choice(["Rome", "Oslo"], n)})
    table = table.assign(a=x, b=x + 0.01 * rng.normal(size=n), c=rng.normal(size=n), flat=1.0)
    return table.assign(
        when=pd.date_range("2020-01-01", periods=n), y=np.where(x > 0, "up", "down")
    )


def test_what_a_filter_did_not_judge_passes_through_and_is_named(visits):
    found = tamis.select(visits, method="correlation", options={"threshold": 0.9})
    assert found.names == ["a", "c"]
    assert list(found.transform(visits)) == ["id", "city", "when", "y", "a", "c"]
    assert list(found.transform(visits[["c", "city", "a"]])) == ["city", "a", "c"]
    assert "Not judged: 'city', 'y' (text or categories" in str(found).split("kept")[0]
    assert next(iter(tamis.select(visits, 2, exclude=["id"]).transform(visits))) == "when"


def test_a_label_is_no_column_of_what_is_given_back(visits):
    found = tamis.select(visits, 1, method="mrmr", y="y")
    assert list(found.transform(visits)) == ["id", "when", *found.names]
