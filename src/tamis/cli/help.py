"""Help on one screen: the options of every day in groups; all of them on request."""

import re
from typing import Any

import click

from tamis import registry

__all__ = ["HelpfulCommand"]

_GROUPS = {
    "How many": ("k", "retain"),
    "Which columns": (
        *("columns", "exclude", "include", "forbid", "costs"),
        *("carry", "target", "categories", "numbers"),
    ),
    "How": (
        *("method", "methods", "criteria", "budget", "missing", "update", "held_out", "stability"),
        *("delimiter", "sheet"),
    ),
    "What comes out": (
        *("output", "report", "open_page", "table", "plots"),
        *("as_json", "quiet", "top", "everything"),
    ),
}
_FLAG, _WIDEST = 16, 24


class HelpfulCommand(click.Command):
    """A command whose help fits one screen; `--help-all` shows every option and all it means.

    The options of methods are in neither: `tamis methods ID` has them.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show all options, and exit.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups, each in a sentence or in full."""
        full = bool(ctx.meta.get("tamis.help_all"))
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        shown = {str(option.name): option for option in options}
        for title, names in _GROUPS.items():
            there = [shown[name] for name in names if name in shown]
            _write(title, there, ctx, formatter, full)
        if full:
            known = {name for names in _GROUPS.values() for name in names} | _of_methods()
            rest = [option for name, option in shown.items() if name not in known]
            _write("More", rest, ctx, formatter, full)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say how names are given, and where the other options are."""
        if ctx.meta.get("tamis.help_all"):
            super().format_epilog(ctx, formatter)
            return
        formatter.write_paragraph()
        if any(
            option.metavar == "A,B" for option in self.params if isinstance(option, click.Option)
        ):
            formatter.write_text("A,B: names, patterns ('gene_*') or @FILE with one name per line.")
        own = any(option.name == "method" for option in self.params)
        more = " Options of a method: tamis methods ID." if own else ""
        formatter.write_text(f"All options: {ctx.command_path} --help-all.{more}")


def _show_all(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.meta["tamis.help_all"] = True
        click.echo(context.get_help())
        context.exit()


def _write(
    title: str,
    options: list[click.Option],
    context: click.Context,
    formatter: click.HelpFormatter,
    full: bool,
) -> None:
    records = [record for option in options if (record := option.get_help_record(context))]
    if records:
        with formatter.section(title):
            rows = [
                (flag.ljust(_FLAG), text if full else _first_sentence(text))
                for flag, text in records
            ]
            formatter.write_dl(rows, col_max=_WIDEST)


def _first_sentence(text: str) -> str:
    """Give the first sentence of a help text.

    >>> _first_sentence("Columns to skip, e.g. ids. They are not read.")
    'Columns to skip, e.g. ids.'
    """
    return re.split(r"(?<=\.)\s+(?=[A-Z'[-])", text, maxsplit=1)[0]


def _of_methods() -> set[str]:
    taken = {option.name for method in registry.methods() for option in method.taken}
    return taken - {"checkpoint"}  # a flag of the command as well
