"""Write the method pages and the README's method table from the registry."""

import inspect
import sys
from pathlib import Path

from tamis import registry

ROOT = Path(__file__).parents[1]
START, END = "<!-- methods: start -->", "<!-- methods: end -->"


def page(method: registry.Method) -> str:
    """Write one method's page."""
    module = inspect.getmodule(method.load_kernel())
    notes = inspect.cleandoc(module.__doc__ or "").split("\n\n", 1)[1:]
    estimator = method.load_estimator().__name__
    lines = [
        f"# {method.name} (`{method.id}`)",
        "",
        f"{method.about[0].upper()}{method.about[1:]}. After {method.paper}.",
        "",
        *(f"{note}\n" for note in notes),
        "```python",
        f'tamis.select(data, k=20, method="{method.id}")',
        f"tamis.selection.{estimator}(n_features_to_select=20).fit_transform(X)",
        "```",
        "",
        "```sh",
        f"tamis select data.csv -k 20 --method {method.id} --report report.html",
        "```",
        "",
        f"Works from the {method.needs} of the columns: one pass over the rows.",
    ]
    if method.options:
        lines += ["", "| option | accepts | default | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{o.name}` | {o.accepts} | `{o.default}` | {o.about} |" for o in method.options
        ]
    return "\n".join(lines) + "\n"


def table() -> str:
    """Write the table of methods."""
    rows = [
        f"| [`{m.id}`](docs/methods/{m.id}.md) | {m.name} | {m.about} | {m.paper} |"
        for m in registry.methods()
    ]
    return "\n".join(["| id | name | what it does | after |", "|---|---|---|---|", *rows])


def files() -> dict[Path, str]:
    """Give every generated file with the text it should have."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    head, rest = readme.split(START)
    tail = rest.split(END)[1]
    pages = {ROOT / "docs" / "methods" / f"{m.id}.md": page(m) for m in registry.methods()}
    return {ROOT / "README.md": f"{head}{START}\n{table()}\n{END}{tail}", **pages}


def main() -> None:
    """Write what has changed."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
