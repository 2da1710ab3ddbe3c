"""The registry says the truth about the code, the docs, the tests and the benchmarks."""

import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import tamis
from tamis import registry
from tamis.errors import TamisError

ROOT = Path(__file__).parents[1]
FIRST = {
    "gram": "gram",
    "response": "table",
    "information": "information",
    "neighbours": "near",
    "rows": "table",
    "labelled rows": "table",
    "class counts": "table",
}


@pytest.fixture(params=registry.methods("selection"), ids=lambda method: method.id)
def method(request):
    return request.param


def test_ids_are_unique():
    ids = [method.id for method in tamis.methods()]
    assert len(ids) == len(set(ids))


def test_options_equal_the_signatures(method):
    options = {option.name: option.default for option in method.options}
    kernel = inspect.signature(method.load_kernel()).parameters
    kernels = {name: value for name, value in options.items() if name not in method.reads}
    assert {n: p.default for n, p in kernel.items() if n in options} == kernels
    limits = ["limits"] if method.takes_limits else []
    goal = get_args(kernel["goal"].annotation)[0] if "goal" in kernel else None  # handed on whole
    taken = kernel.keys() - {"goal"} | (goal.__annotations__.keys() if goal else set())
    assert taken == {FIRST[method.needs], "k", "retain", "include", *limits, *kernels}
    own = {option.name: option.default for option in method.own_options}
    estimator = inspect.signature(method.load_estimator()).parameters
    shared = {option.name for option in registry.POLICIES} if method.ranks else set()
    assert set(estimator) == own.keys() | shared | {
        *("n_features_to_select", "include", "missing"),
        *(["retain"] if method.retains else []),
        *(["scale"] if method.scale is not None else []),
        *(["refine"] if method.refines else []),
        *(["ordered"] if "shrink" in own else []),
        *(["task"] if "regression" in method.tasks or (shared and not method.supervised) else []),
    }
    if method.scale is not None:
        assert estimator["scale"].default is method.scale
    assert {n: p.default for n, p in estimator.items() if n in own} == own


def home_of(method):
    """Give the family of a method, whose module says what it does."""
    module = import_module(method.kernel.partition(":")[0])
    assert re.search(rf"^`{method.id}`: ", module.__doc__, flags=re.MULTILINE)
    package, family = module.__name__.split(".")[1:3]
    assert package == "algorithms"
    return family


def test_every_method_has_its_files_and_a_known_answer(method):
    name = method.id.replace("-", "_")
    family = home_of(method)
    assert (ROOT / "tests/algorithms" / family / f"test_{name}.py").exists()
    assert method.load_estimator().method_id == method.id
    assert method.load_estimator().__name__ in tamis.selection.__all__


@pytest.mark.parametrize("method", registry.methods(), ids=lambda method: method.id)
def test_a_class_is_spelled_like_its_method(method):
    words = re.findall(r"[A-Z][a-z]+|[A-Z]+(?![a-z])|[0-9]+", method.estimator)
    told = re.sub("[^a-z0-9]", "", f"{method.id} {method.name}".lower())
    assert [word for word in words if word.lower().removesuffix("s") not in told] == []


def test_components_are_numbered_from_one_and_named_for_their_method():
    assert registry.get("pca", "extraction").name_components(2) == ["PC1", "PC2"]
    assert registry.get("lda", "extraction").name_components(1) == ["LD1"]
    stems = [method.component for method in registry.methods("extraction")]
    assert all(stems)
    assert len({*stems}) == len(stems)


@pytest.mark.parametrize("method", registry.methods("extraction"), ids=lambda method: method.id)
def test_every_extraction_method_has_its_files_and_tells_the_truth(method):
    name = method.id.replace("-", "_")
    assert home_of(method) == "extraction"
    assert (ROOT / "tests/algorithms/extraction" / f"test_{name}.py").exists()
    page = (ROOT / "docs" / "methods" / f"{method.id}.md").read_text(encoding="utf-8")
    assert method.name in page
    own = {option.name: option.default for option in method.options}
    first = {"gram": ["summary"], "rows": ["rows"], "labelled rows": ["rows", "labels"]}
    scale = [] if method.scale is None else ["scale"]
    kernel = inspect.signature(method.load_kernel()).parameters
    assert set(kernel) == {*first[method.needs], "k", "share", "rule", *scale, *own}
    assert {n: p.default for n, p in kernel.items() if n in own} == own
    shell = method.load_estimator()
    assert shell.method_id == method.id
    assert shell.__name__ in tamis.extraction.__all__
    assert set(inspect.signature(shell).parameters) == {
        *("n_components", "share", "rule"),
        *scale,
        *own,
    }


def test_every_method_has_a_page(method):
    page = ROOT / "docs" / "methods" / f"{method.id}.md"
    assert method.name in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_only_pfa_needs_scikit_learn_to_select():
    code = (
        "import sys, numpy as np, tamis\n"
        "from tamis import registry\n"
        "X = np.random.default_rng(0).random((30, 5))\n"
        "columns = ('gram', 'information', 'neighbours')\n"
        "methods = [m for m in registry.methods('selection') if m.needs in columns]\n"
        "for method in sorted(methods, key=lambda m: m.id == 'pfa'):\n"
        "    tamis.select(X, k=2, method=method.id)\n"
        "    if 'sklearn' in sys.modules:\n"
        "        sys.exit(method.id)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "pfa\n"


def test_unknown_methods_and_options_come_with_a_suggestion():
    with pytest.raises(TamisError, match="did you mean 'pivoted-qr'"):
        registry.get("pivoted-rq")
    with pytest.raises(TamisError, match="there is forward"):
        registry.get("zzzzzz")
    with pytest.raises(TamisError, match="did you mean 'norm'"):
        registry.check_options(registry.get("pfs"), {"norms": "none"})
    with pytest.raises(TamisError, match="no options of its own"):
        registry.check_options(registry.get("jolliffe-ni"), {"norm": "none"})
    with pytest.raises(TamisError, match="'residual' or 'original' or 'none'"):
        registry.check_options(registry.get("pfs"), {"norm": "l2"})


def test_a_method_of_the_other_kind_says_where_it_belongs():
    with pytest.raises(TamisError, match="'pca' is a method of extraction: use it with extract"):
        registry.get("pca")
    with pytest.raises(TamisError, match="'sfs' is a method of selection: use it with select"):
        registry.get("sfs", "extraction")


@pytest.mark.parametrize(
    ("method_id", "given", "advice"),
    [
        ("greedy-fs", {"scale": True}, "works on bins and categories"),
        ("rspfs", {"refine": True}, "does not work on"),
        ("naive-fs", {"missing": "mean"}, "'auto', 'drop' or 'category'"),
        ("sfs", {"missing": "category"}, "'auto', 'mean', 'drop' or 'covariance'"),
    ],
)
def test_shared_options_that_have_no_meaning_for_a_method_are_refused(method_id, given, advice):
    usual = {name: option.default for name, option in registry.SHARED.items()}
    shared = {**usual, "missing": "error", **given}
    with pytest.raises(TamisError, match=advice):
        registry.check_shared(registry.get(method_id), shared)


@pytest.mark.parametrize("method", registry.methods(), ids=lambda method: method.id)
def test_every_method_says_when_to_use_it_when_not_and_what_it_costs(method):
    texts = (method.when, method.when_not, method.cost)
    assert all(re.fullmatch(r"[A-Z].{9,110}\.", text) for text in texts)


@pytest.mark.parametrize("method", registry.methods(), ids=lambda method: method.id)
def test_a_method_recommended_for_text_or_categories_takes_them(method):
    assert method.takes_text or not re.search(r"\b(text|categor)", method.when, re.IGNORECASE)
