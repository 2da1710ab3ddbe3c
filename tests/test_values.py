"""Values of all kinds go in, and what comes out can be compared, stored in a set and reached."""

import dataclasses
import importlib
import pkgutil
import subprocess
import sys
import typing
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import registry
from tamis.errors import TamisError, spell, use_spelling
from tamis.registry.command import as_flag

_MUTABLE = (dict, list, set)


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({"retain": np.float32(0.5)}, {"retain": 0.5}),
        ({"retain": np.array(0.5)}, {"retain": 0.5}),
        ({"k": np.int8(3)}, {"k": 3}),
        ({"method": "vif", "threshold": np.float16(3)}, {"method": "vif", "threshold": 3.0}),
        ({"k": 3, "scale": np.False_}, {"k": 3, "scale": False}),
        ({"k": 3, "refine": np.True_}, {"k": 3, "refine": True}),
        ({"k": 3, "refine": np.False_}, {"k": 3}),
        ({"k": 3, "include": np.array(["x1", "x2"])}, {"k": 3, "include": ["x1", "x2"]}),
        ({"k": 3, "include": np.array([1, 2])}, {"k": 3, "include": [1, 2]}),
        ({"k": 3, "exclude": np.array([1, 2])}, {"k": 3, "exclude": [1, 2]}),
        ({"k": 2, "columns": np.array([1, 2, 4])}, {"k": 2, "columns": [1, 2, 4]}),
    ],
)
def test_numpy_values_are_taken_for_the_plain_ones(
    given: dict[str, Any], plain: dict[str, Any], numbers: np.ndarray
) -> None:
    found, expected = tamis.select(numbers, **given), tamis.select(numbers, **plain)
    assert found.to_dict() == expected.to_dict()


def test_numpy_values_are_taken_by_extract_and_by_estimators(numbers: np.ndarray) -> None:
    given = {"retain": np.float32(0.5), "exclude": np.array([1, 2]), "scale": np.True_}
    plain = {"retain": 0.5, "exclude": [1, 2], "scale": True}
    assert tamis.extract(numbers, **given).to_dict() == tamis.extract(numbers, **plain).to_dict()
    sure = tamis.selection.SequentialForwardSelection(3).fit(numbers)
    same = tamis.selection.SequentialForwardSelection(np.int64(3), refine=np.False_, scale=np.True_)
    np.testing.assert_array_equal(same.fit(numbers).ranking_, sure.ranking_)
    share = tamis.selection.SequentialForwardSelection(retain=np.float32(0.5)).fit(numbers)
    assert share.retained_[-1] >= 0.5
    columns = np.array(["x0", "x3"])
    assert len(tamis.mutual_information(numbers, columns=columns)) == 2


@pytest.mark.parametrize(
    "given", [{"retain": np.float32(1.5)}, {"k": np.float64(3)}, {"k": 3, "scale": np.int8(1)}]
)
def test_wrong_numpy_values_are_refused_as_their_plain_ones(given, numbers) -> None:
    with pytest.raises(TamisError) as refused:
        tamis.select(numbers, **given)
    assert "np." not in str(refused.value)


def test_a_polynomial_kernel_may_add_nothing(numbers: np.ndarray) -> None:
    options = {"kernel": "poly", "coef0": 0, "degree": 2, "gamma": 1.0}
    scores = tamis.extract(numbers, 2, method="kernel-pca", options=options).transform(numbers)
    Z = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
    K = (Z @ Z.T) ** 2
    centre = np.eye(60) - 1 / 60
    values, vectors = np.linalg.eigh(centre @ K @ centre)
    expected = np.abs(vectors[:, :-3:-1] * np.sqrt(values[:-3:-1]))
    np.testing.assert_allclose(np.abs(scores), expected, atol=1e-9 * np.sqrt(values[-1]))
    with pytest.raises(TamisError, match="coef0=-1: give a number of at least 0"):
        tamis.extract(numbers, 2, method="kernel-pca", options={**options, "coef0": -1})


def test_advice_is_written_as_its_reader_writes() -> None:
    assert spell("scale", True) == "scale=True"
    assert spell("gamma", None) == "gamma=None"
    assert spell("include", ["a", 1]) == 'include=["a", 1]'
    option = registry.Option("gamma", "positive", None, "")
    with pytest.raises(TamisError, match="gamma=0: give a number above 0, or None"):
        option.check(0)
    with (
        use_spelling(as_flag),
        pytest.raises(TamisError, match=r"--gamma 0: give a number above 0\.$"),
    ):
        option.check(0)


@pytest.mark.parametrize("method", registry.METHODS, ids=lambda method: method.id)
def test_help_speaks_of_no_python_value_to_the_command_line(method: registry.Method) -> None:
    assert not [option.about for option in method.options if "None" in option.about]


def test_an_exact_search_too_large_says_how_to_swap_instead() -> None:
    wide = np.random.default_rng(0).normal(size=(90, 70))
    with pytest.raises(TamisError, match=r'refine="exact" searches .* use refine=True,'):
        tamis.select(wide, 3, refine="exact")
    with (
        use_spelling(as_flag),
        pytest.raises(TamisError, match=r"--refine exact .* --refine swap,"),
    ):
        tamis.select(wide, 3, refine="exact")


@pytest.mark.parametrize(
    ("word", "known", "said"),
    [
        ("SFS", ["pfs", "sfs"], "did you mean 'sfs'"),
        ("MEAN RADIUS", ["area", "mean radius"], "did you mean 'mean radius'"),
        ("alcohl", ["Alcohol", "ALCOHOL 2"], "did you mean 'Alcohol'"),
        ("Age", ["AGE", "age"], "did you mean 'AGE'"),
    ],
)
def test_suggestions_ignore_case(word: str, known: list[str], said: str) -> None:
    assert said in registry.nearest(word, known)


def _dataclasses() -> dict[str, Any]:
    found = {}
    for module in pkgutil.walk_packages(tamis.__path__, "tamis."):
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and dataclasses.is_dataclass(thing):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    public = {name: cls for name, cls in found.items() if not cls.__name__.startswith("_")}
    return {name: cls for name, cls in public.items() if name.startswith("tamis.")}


def _parts(hint: Any) -> set[Any]:
    if isinstance(hint, list):  # the arguments of a Callable
        return set()
    inner = [part for one in typing.get_args(hint) if one is not ... for part in _parts(one)]
    return {typing.get_origin(hint) or hint, *inner}


def test_whatever_holds_arrays_can_be_compared_and_hashed() -> None:
    """Equal by identity, or by values that all can be compared and hashed."""
    seen, wrong = _dataclasses(), []
    for name, cls in seen.items():
        if not cls.__dataclass_params__.eq or name.startswith("tamis.registry."):
            continue
        hints = typing.get_type_hints(cls)
        for field in dataclasses.fields(cls):
            parts = _parts(hints[field.name])
            wrong += [name] if field.compare and parts & {np.ndarray, Any} else []
            wrong += [name] if field.hash is None and parts & set(_MUTABLE) else []
    assert len(seen) > 40
    assert sorted(set(wrong)) == []


def test_results_can_be_compared_and_kept_in_a_set(numbers: np.ndarray) -> None:
    first, second = tamis.select(numbers, 3), tamis.select(numbers, 3)
    things = [first, first.path, first.curve, first.request, first.missing, first.explain()[0]]
    things += [tamis.extract(numbers, 2), tamis.mutual_information(numbers)]
    things += [tamis.select(numbers, 3, method="rspfs").tree]
    assert all(thing == thing and thing in {thing} for thing in things)
    assert first != second
    assert first.explain()[0] == second.explain()[0]


def test_public_names_are_there_without_an_import_of_their_own() -> None:
    names = ["neighbourhood_agreement", "cluster_agreement", "medoid_widths", "redundancy"]
    names += ["label_information", "nearest_first", "pair_agreement", "shared_neighbours"]
    code = (
        "import tamis\nassert 'evaluation' in dir(tamis) and 'evaluation' in tamis.__all__\n"
        f"assert set({names}) <= set(dir(tamis.evaluation))\n"
        f"print(*[callable(getattr(tamis.evaluation, name)) for name in {names}])\n"
        "tamis.extraction, tamis.methods, tamis.pictures, tamis.progress, tamis.selection\n"
        "import tamis.evaluation.subsets, tamis.evaluation.neighbour_agreement\n"
        "print(callable(tamis.evaluation.redundancy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * (len(names) + 1)
    with pytest.raises(AttributeError, match=r"module 'tamis.evaluation' has no attribute 'nope'"):
        tamis.evaluation.nope  # noqa: B018
