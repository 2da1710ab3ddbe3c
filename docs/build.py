"""Write the method pages, the list of estimators and the stubs from the registry, and schemas."""

import inspect
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import tamis
from tamis import registry
from tamis.facts.json_schema import VERSION, describe_json
from tamis.presentation.prose.document import SCHEMAS, describe_document
from tamis.registry.estimator import list_parameters
from tamis.registry.purposes import START_HERE, group_methods
from tamis.results.choice_check import ChoiceCheck

CHECK_TITLE = "What tamis check --json prints"
FUNCTIONS = ("compare", "extract", "score", "select")  # they take shared options
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TITLES: dict[registry.Kind, str] = {"selection": "Selectors", "extraction": "Extractors"}
INTRODUCTION = """\
Start with one of these four; [Choose a method](../howto/method.md) helps further. `tamis methods`
prints the whole list, and `tamis methods ID` all about one. Components are computed by
`tamis extract` and `tamis.extract`, columns kept by `tamis select` and `tamis.select`."""
NEEDS = {
    "gram": "Works from the Gram matrix of the columns: one pass over the rows.",
    "response": "Works from the Gram matrix of the columns and the response: one pass over the "
    "rows, two where some columns are text; the response itself is held in memory.",
    "information": "Works from the mutual information of all pairs of columns, numbers in bins and "
    "categories alike: one pass over the rows to learn the bins, one to count.",
    "neighbours": "Works from the nearest neighbours of the rows: the table is held in memory.",
    "rows": "Works from the rows: the table is held in memory.",
    "class counts": "Works from counts of the values of each column in each class, numbers in bins "
    "and categories alike: one pass over the rows to learn the bins, one to count. What the kept "
    "columns explain of the others is variance if all columns are numbers; if there is text, or "
    "missing values are a category, it is information, for which the table is read once more.",
    "labelled rows": "Works from the rows and a column of labels: the table is held in memory.",
}

LIMITED = (
    "It keeps to [limits](../howto/limits.md): `forbid`, `costs`, `groups` with `at_most` and "
    "`at_least`, `budget`, `apart` and `axis`."
)
POLICIES = (
    "Takes the [policies](../howto/scores.md) of all methods that score columns: "
    "`policy`, `threshold`, `within`, `redundancy` and the options of these."
)
SHARED = (
    "Columns that correlate share their score: a low one does not mean that a column is unrelated "
    "to the labels. `explain()` and the report state how much the kept columns explain of each "
    "dropped one."
)


SHARED_OPTIONS = """\
All methods take `k`, `columns`, `exclude` and `missing`; all but the wrappers, `em-wrapper` and
`category-utility` take `retain`. Selection methods also take `include`; linear selection methods,
`laplacian`, `mcfs` and `representatives` also take `refine`. `scale` is for methods that
standardise: not for mutual information, filters, importances and wrappers on labels, `lsa` and
`nmf`."""


def page(method: registry.Method) -> str:
    """Write the page of one method."""
    notes = _list_notes(method)
    lines = [
        f"# {method.name} (`{method.id}`)",
        "",
        f"{method.about[0].upper()}{method.about[1:]}. Source: {method.paper.rstrip('.')}.",
        "",
        f"**When**: {method.when}",
        "",
        f"**When not**: {method.when_not}",
        "",
        f"**Cost** (n rows, d columns, k kept): {method.cost} {NEEDS[method.needs]}",
        "",
        *_calls(method),
        "",
        *(f"{note}\n" for note in notes),
        *_picture(method),
    ]
    if method.keeps_copies:
        unless = ', unless `redundancy="drop"` is given' if method.ranks else ""
        lines += ["", f"Redundancy is ignored: a column and a copy of it may both be kept{unless}."]
    if method.shares_credit:
        lines += ["", SHARED]
    if method.ranks:
        lines += ["", POLICIES]
    if method.limited:
        lines += ["", LIMITED]
    if method.options:
        rows = (f"| `{o.name}` | {o.accepts} | `{o.default}` | {o.about} |" for o in method.options)
        lines += ["", "## Options", "", *stacked("| option | accepts | default | meaning |", rows)]
    return "\n".join(lines) + "\n"


def _list_notes(method: registry.Method) -> list[str]:
    """Give the paragraphs of a module that are about a method, then those about all of its methods.

    Those about one method begin with its id; what stands before the first of them is about all.
    """
    module = inspect.getmodule(method.load_kernel())
    ids = {other.id for kind in TITLES for other in registry.methods(kind)}
    notes: dict[str, list[str]] = {"": []}
    for paragraph in inspect.cleandoc(module.__doc__ or "").split("\n\n"):
        head = re.match(r"`([a-z0-9-]+)`: ", paragraph)
        if head and head[1] in ids:
            notes[head[1]] = []
        else:
            notes[next(reversed(notes))].append(paragraph)
    return [*notes[method.id], *notes[""][1:]]


def _picture(method: registry.Method) -> list[str]:
    drawing, caption = "curve", "What its first 8 columns explain of the wine table (178 x 13)."
    if method.kind == "extraction":
        drawing, caption = "scores", "The wines of three growers on the first two components."
    return [f"```{{picture}} {drawing}", f":caption: {caption}", f'on_wine("{method.id}")', "```"]


def _calls(method: registry.Method) -> list[str]:
    estimator = method.load_estimator().__name__
    labelled = method.supervised
    verb, size, y = ("select", "n_features_to_select=5", ", y" if labelled else "")
    if method.kind == "extraction":
        verb, size = "extract", "n_components=2"
    k = size.split("=")[1]
    given = ', y="species"' if labelled else ""
    flag = " --target species" if labelled else ""
    return [
        "```python",
        f'tamis.{verb}(data, k={k}, method="{method.id}"{given})',
        f"tamis.{method.kind}.{estimator}({size}).fit_transform(X{y})",
        "```",
        "",
        "```sh",
        f"tamis {verb} data.csv -k {k} --method {method.id}{flag} --report report.html",
        "```",
    ]


def index() -> str:
    """Write the page of all methods: where to start, then a table for each purpose."""
    lines = ["# Methods", "", INTRODUCTION, ""]
    start = (f"| [`{id}`]({id}.md) | {wish} |" for id, wish in START_HERE.items())
    lines += stacked("| start here | to |", start)
    for purpose, methods in group_methods(registry.methods()).items():
        rows = (
            f"| [`{m.id}`]({m.id}.md) | {m.about[0].upper()}{m.about[1:]}. *{m.when}* |"
            for m in methods
        )
        lines += ["", f"## {purpose}", "", *stacked("| method | what it does, and *when* |", rows)]
    lines += ["", SHARED_OPTIONS, "", "```{toctree}", ":hidden:", ""]
    return "\n".join([*lines, *(method.id for method in registry.methods()), "```", ""])


def stacked(head: str, rows: Iterable[str]) -> list[str]:
    """Write a table whose cells stand below each other on a phone."""
    return [":::{div} stacked", "", head, "|---" * (head.count("|") - 1) + "|", *rows, "", ":::"]


def estimators(kind: registry.Kind) -> str:
    """Write the list of the scikit-learn classes of one kind."""
    names = sorted(method.load_estimator().__name__ for method in registry.methods(kind))
    intro = f"The scikit-learn classes of `tamis.{kind}`, one for each method."
    return "\n".join([f"# {TITLES[kind]}", "", intro, "", *autosummary(f"tamis.{kind}", names), ""])


def autosummary(module: str, names: Iterable[str]) -> list[str]:
    """Write the block that makes a page for each name."""
    return [
        *("```{eval-rst}", f".. currentmodule:: {module}", ""),
        *(".. autosummary::", "   :toctree: generated", ""),
        *(f"   {name}" for name in names),
        "```",
    ]


def stub(kind: registry.Kind) -> str:
    """Write what a type checker and an editor see of the estimators: their constructors.

    All else is read from what each class stands on.
    """
    methods = sorted(registry.methods(kind), key=lambda method: method.estimator)
    classes = "".join(map(_class, methods))
    types = [name for name in ("Any", "Literal") if re.search(rf"\b{name}\b", classes)]
    lines = [
        "# Written by docs/build.py from the registry: run `make docs`.",
        *(["import collections.abc"] if "collections.abc" in classes else []),
        *([f"from typing import {', '.join(types)}"] if types else []),
        *("", f"from tamis.{kind} import base"),
    ]
    # Ruff sorts names in capitals before the others.
    known = sorted((m.estimator for m in methods), key=lambda n: (not n.isupper(), n))
    names = "".join(f'    "{name}",\n' for name in known)
    return "\n".join(lines) + f"\n\n__all__ = [\n{names}]\n" + classes


def functions_stub() -> str:
    """Write what a type checker and an editor see of the package: its functions in full.

    The functions take shared options from the registry, which a type checker does not run.
    """
    home = ROOT / "src" / "tamis" / "__init__.py"
    imported = re.search(r"if TYPE_CHECKING:\n(.*?)\n\n", home.read_text("utf-8"), re.DOTALL)
    assert imported is not None
    lines = [line.strip() for line in imported[1].splitlines()]
    named = [name for name in FUNCTIONS if any(f" as {name}" in line for line in lines)]
    others = [line for line in lines if line.rpartition(" as ")[2] not in named]
    bodies = [_function(name, inspect.signature(getattr(tamis, name))) for name in named]
    head = "# Written by docs/build.py from the registry: run `make docs`."
    modules = sorted({m for body in bodies for m in re.findall(r"(tamis\.[\w.]+)\.[A-Z]", body)})
    known = ["import collections.abc", "import typing", "", *(f"import {one}" for one in modules)]
    return "\n".join([head, *known, *others, "", "__version__: str", "", *bodies, ""])


def _function(name: str, signature: inspect.Signature) -> str:
    lines, keyword_only = [f"def {name}("], False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            lines.append("    *,")
            keyword_only = True
        default = "" if one.default is one.empty else f" = {registry.write_value(one.default)}"
        hint = inspect.formatannotation(one.annotation).replace("'", '"')
        lines.append(f"    {one.name}: {_typed(hint)}{default},")
    back = _typed(inspect.formatannotation(signature.return_annotation))
    return "\n".join([*lines, f") -> {back}: ..."])


def _typed(hint: str) -> str:
    """Write a hint with `|`, and the names of the module `typing` with it."""
    joined = re.sub(r"Union\[(.*)\]", lambda found: found[1].replace(", ", " | "), hint)
    return re.sub(r"(?<![\w.])(Any|Literal|NoneType)\b", _in_typing, joined)


def _in_typing(name: re.Match[str]) -> str:
    return "None" if name[0] == "NoneType" else f"typing.{name[0]}"


def _class(method: registry.Method) -> str:
    cls = method.load_estimator()
    bases = ", ".join(f"base.{base.__name__}" for base in cls.__bases__)
    lines = [f"class {cls.__name__}({bases}):", "    def __init__(", "        self,"]
    for position, option in enumerate(list_parameters(method)):
        hint = inspect.formatannotation(option.annotation).replace("'", '"')
        lines += ["        *,"] if position == 1 else []
        lines.append(f"        {option.name}: {hint} = {registry.write_value(option.default)},")
    return "\n".join(["", *lines, "    ) -> None: ...", ""])


def schema(name: str) -> str:
    """Write the JSON schema of what a command prints."""
    check = name == "check"
    found = describe_json(ChoiceCheck, {}, CHECK_TITLE) if check else describe_document(name)
    return json.dumps(found, indent=1) + "\n"


def files() -> dict[Path, str]:
    """Give every generated file with the text it should have."""
    pages = {DOCS / "methods" / f"{m.id}.md": page(m) for m in registry.methods()}
    lists = {DOCS / "api" / f"{kind}.md": estimators(kind) for kind in TITLES}
    package = ROOT / "src" / "tamis"
    stubs = {package / kind / "__init__.pyi": stub(kind) for kind in TITLES}
    stubs[package / "__init__.pyi"] = functions_stub()
    schemas = {
        DOCS / "_static" / f"{n}-{VERSION}.schema.json": schema(n) for n in (*SCHEMAS, "check")
    }
    return {DOCS / "methods" / "index.md": index(), **pages, **lists, **stubs, **schemas}


def main() -> None:
    """Write what has changed."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
