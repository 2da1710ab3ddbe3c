"""Help on one screen: the options of every day in groups; all of them on request."""

import re
from typing import Any, get_args

import click

from tamis import registry
from tamis.registry.command import command_options
from tamis.registry.option import Group

__all__ = ["FILES", "LISTS", "HelpfulCommand"]

_FLAG, _WIDEST = 16, 24


class HelpfulCommand(click.Command):
    """A command whose help fits one screen; `--help-all` shows every option and all it means."""

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
        groups = _groups()
        for title in (name for name in get_args(Group) if name):
            there = [one for one in options if groups.get(str(one.name)) == title]
            _write(title, there, ctx, formatter, full)
        if full:
            rest = [one for one in options if not groups.get(str(one.name))]
            own = _of_methods()
            _write("More", [one for one in rest if one.name not in own], ctx, formatter, full)
            of_methods = [one for one in rest if one.name in own]
            _write("Of some methods", of_methods, ctx, formatter, full)

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


def _groups() -> dict[str, str]:
    """Give the group of every option by name."""
    own = [option for method in registry.methods() for option in method.own_options]
    return {option.name: option.group for option in (*own, *command_options().values())}


def _of_methods() -> set[str]:
    taken = {option.name for method in registry.methods() for option in method.taken}
    return taken - set(command_options())  # which are flags of the command as well


LISTS = (
    "A,B: names of columns, patterns such as 'gene_*', or @FILE with one name per line; repeat the "
    "flag or separate names by commas, and put a name that contains a comma in double quotes: "
    "'\"net, kg\",age'."
)


def _one_or_many(context: Any, parameter: Any, given: tuple[str, ...]) -> str | list[str]:  # noqa: ARG001 - click passes it
    """Give a list only where several files were named."""
    if not given:
        raise click.UsageError(
            f"Give the file with the table, for example `{context.command_path} table.csv`, or - "
            "for standard input",
            context,
        )
    return given[0] if len(given) == 1 else list(given)


FILES = click.argument("file", nargs=-1, metavar="FILE...", callback=_one_or_many)
