"""An estimator is what its registry entry says, in signature, docstring and behaviour."""

import doctest
import inspect
import pickle
import re
import sys
import types
from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import check_estimator

import tamis
from tamis import registry
from tamis.registry.estimator import list_parameters
from tamis.registry.method import rank_iris
from tamis.selection import FeatureCondensing, PivotedQR

GUIDE = Path(__file__).parents[1] / "CONTRIBUTING.md"


@pytest.fixture(params=registry.methods(), ids=lambda method: method.id)
def method(request):
    return request.param


def section(cls, title):
    """Read a section of a docstring: name -> (type, text on one line)."""
    body = re.search(rf"\n{title}\n-+\n(.*?)\n\n", inspect.getdoc(cls), flags=re.DOTALL)[1]
    entries = re.findall(r"^(\w+) : (.*)\n((?:    .*\n?)+)", body, flags=re.MULTILINE)
    return {name: (kind, " ".join(text.split())) for name, kind, text in entries}


def test_every_parameter_is_documented_in_the_words_of_the_registry(method):
    written = section(method.load_estimator(), "Parameters")
    assert {name: text for name, (_, text) in written.items()} == {
        option.name: option.about for option in list_parameters(method)
    }
    for option in method.options:
        assert written[option.name][1] == option.about
        assert written[option.name][0].endswith(f"default={registry.write_value(option.default)}")


def test_the_docstring_has_its_sections_in_order(method):
    titles = re.findall(r"^(\w+)\n-+$", inspect.getdoc(method.load_estimator()), re.MULTILINE)
    assert titles == ["Parameters", "Attributes", "Examples", "References"]


def test_a_fitted_estimator_has_the_attributes_its_docstring_names(method):
    X, y = load_iris(return_X_y=True)
    fitted = method.load_estimator()(2).fit(X, y)
    kernel = method.id in ("kernel-pca", "spectral", "kda")
    for name in section(type(fitted), "Attributes"):
        assert hasattr(fitted, name) != (kernel and name == "components_")


def test_the_signature_is_that_of_the_registry(method):
    cls = method.load_estimator()
    taken = inspect.signature(cls.__init__).parameters
    assert list(taken) == ["self", *(option.name for option in list_parameters(method))]
    assert {p.kind for p in list(taken.values())[2:]} == {inspect.Parameter.KEYWORD_ONLY}
    assert list(inspect.signature(cls).parameters.values()) == list(taken.values())[1:]
    assert cls.__init__.__qualname__ == f"{cls.__name__}.__init__"


def test_parameters_survive_cloning_pickling_and_setting(method):
    cls = method.load_estimator()
    given = {option.name: option.default for option in list_parameters(method)}
    first = next(iter(given))
    assert cls().get_params() == given
    estimator = cls().set_params(**{first: 3})
    for copy in (clone(estimator), pickle.loads(pickle.dumps(estimator)), cls(3)):
        assert copy.get_params() == {**given, first: 3}
        assert vars(copy) == vars(estimator)


def test_wrong_arguments_are_refused_with_the_name_of_the_class():
    with pytest.raises(TypeError, match=r"FeatureCondensing: got an unexpected keyword .*'link'"):
        FeatureCondensing(link="single")
    with pytest.raises(TypeError, match="FeatureCondensing: too many positional arguments"):
        FeatureCondensing(2, 0.5)


def test_the_examples_of_an_estimator_run(method):
    cls = method.load_estimator()
    (examples,) = doctest.DocTestFinder(recurse=False).find(cls, globs={cls.__name__: cls})
    assert doctest.DocTestRunner().run(examples).failed == 0
    assert examples.examples


@pytest.fixture
def added():
    """Read the diff of a new method in CONTRIBUTING: path -> the lines it adds."""
    diff = re.search(r"```diff\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1]
    parts = re.findall(r"^\+\+\+ b/(.*)\n((?:(?!---).*\n?)+)", diff, flags=re.MULTILINE)
    return {
        path: "".join(f"{line[1:]}\n" for line in text.splitlines() if line.startswith("+"))
        for path, text in parts
    }


@pytest.fixture
def toy(added, monkeypatch):
    """Add the method of CONTRIBUTING the way its diff does, and give its class."""
    kernel, entry, _ = added.values()
    module = types.ModuleType("tamis.algorithms.forward.loudest")
    exec(kernel, vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    known = {"Method": registry.Method, "Option": registry.Option, "rank_iris": rank_iris}
    (new,) = eval(f"({entry})", known)
    monkeypatch.setattr(registry, "METHODS", (*registry.METHODS, new))
    yield new.load_estimator()
    del tamis.selection.LoudestColumns


def test_the_method_of_the_contributing_guide_works(toy):
    X = load_iris().data
    fitted = toy(2, scale=False).fit(X)
    assert fitted.ranking_.tolist() == PivotedQR(2, scale=False).fit(X).ranking_.tolist() == [2, 0]
    found = tamis.select(X, k=2, method="loudest", scale=False, forbid=[0])
    assert found.indices.tolist() == [2, 1]
    assert section(toy, "Parameters")["floor"][1] == "Treat smaller variances as equal to this."
    checks = check_estimator(toy(), on_skip=None)
    assert {check["status"] for check in checks} <= {"passed", "skipped"}


def test_the_method_of_the_contributing_guide_is_as_short_as_it_says(added, toy):
    counts = [len(text.splitlines()) for text in added.values()]
    said = re.search(r"(\d+) lines: (\d+), (\d+) and (\d+)", GUIDE.read_text("utf-8"))
    assert [int(number) for number in said.groups()] == [sum(counts), *counts]
    *_, (path, test) = added.items()
    assert path == "tests/algorithms/forward/test_loudest.py"
    names: dict[str, object] = {}
    exec(test, names)
    assert names["test_a_column_that_follows_from_the_first_comes_last"]() is None
    assert toy.method_id == "loudest"
