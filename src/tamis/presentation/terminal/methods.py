"""The table of methods, and all there is to know about one, as text for a terminal."""

from collections.abc import Sequence

from tamis.errors import by_door
from tamis.presentation.terminal.screen import Screen, screen_width, wrap_sentence
from tamis.registry import Method
from tamis.registry.purposes import START_HERE, group_methods

_MAX_LINE_LETTERS = 100
_ID = 20
_FLAG = 24


def methods_text(methods: Sequence[Method]) -> str:
    """Write the methods by purpose: the name of each, where it comes from and what it does."""
    listed = {method.id for method in methods}
    start = [f"{id:<{_ID}} {wish}" for id, wish in START_HERE.items() if id in listed]
    lines = ["Start here", "", *start, ""] if start else []
    for purpose, group in group_methods(methods).items():
        verb = {"selection": "select", "extraction": "extract"}[group[0].kind]
        lines += [f"{purpose}, with {by_door(f'tamis.{verb}', f'tamis {verb}')}", ""]
        for method in group:
            lines.append(f"{method.id:<{_ID}} {method.name} - {method.paper}")
            lines += wrap_sentence(method.about, _width(), " " * (_ID + 1))
        lines.append("")
    where = by_door("In a terminal, tamis methods ID", "tamis methods ID")
    return "\n".join([*lines, f"{where}: when to use it, its cost, its options."])


def method_text(method: Method) -> str:
    """Write what a method does, when to use it, what it costs, its options and a command."""
    from tamis.registry.command import flag  # the list of methods has no use for it

    width = _width()
    about = f"{method.about[0].upper()}{method.about[1:]}."
    kinds = "Numbers, text and categories" if method.takes_text else "Numbers"
    labelled = ", and a column of labels (--target)" if method.supervised else ""
    lines = [f"{method.id}: {method.name}", "", *wrap_sentence(about, width, "  "), ""]
    facts = {
        "when": method.when,
        "when not": method.when_not,
        "cost": method.cost,
        "takes": f"{kinds}{labelled}.",
        "source": f"{method.paper.rstrip('.')}.",
        "class": f"tamis.{method.kind}.{method.estimator}, a scikit-learn estimator.",
    }
    screen = Screen(width)
    lines += screen.rows((f"  {head:<8}", text) for head, text in facts.items())
    lines += ["", "Options:" if method.taken else "It has no options of its own."]
    for option in method.taken:
        name = f"{flag(option.name)} {option.metavar}"
        choices = ", ".join(map(str, option.choices)) + (", a number" if option.number else "")
        values = f" One of: {choices}." if choices else ""
        default = "" if option.default is None else f" Default: {option.default}."
        lines += screen.rows([(f"  {name:<{_FLAG}}", f"{option.about}{values}{default}")])
    verb, k = {"selection": ("select", 20), "extraction": ("extract", 5)}[method.kind]
    labels = " --target species" if method.supervised else ""
    example = f"tamis {verb} table.csv -k {k} --method {method.id}{labels} --report report.html"
    return "\n".join([*lines, "", "Example:", f"  {example}"])


def _width() -> int:
    return min(_MAX_LINE_LETTERS, screen_width())
