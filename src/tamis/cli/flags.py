"""What the user types: flags from the registry, their help on one screen, lists and numbers."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from tamis import registry
from tamis.errors import TamisError
from tamis.registry.command import as_flag, command_options, flag, options_at
from tamis.registry.method import ALL_LIMITS
from tamis.registry.option import Group

F = TypeVar("F", bound=Callable[..., Any])

_LIMITED = "methods that take columns one by one"
_LISTS = ("columns", "values")
_DECLARED = ("checkpoint",)  # a flag of the command, whether the method or the table takes it


def flags_at(
    door: registry.Door,
    *,
    methods: registry.Kind | None = None,
    required: Sequence[str] = (),
    limits: bool = False,
) -> Callable[[F], F]:
    """Add all flags of a command, and those of the methods of a kind that it runs, or limits."""
    declared = [
        _flag_of(option, door, required=option.name in required) for option in options_at(door)
    ]
    if methods is not None:
        declared.append(own_options(methods))
    elif limits:
        declared.append(_add_flags({one.name: {one: [_LIMITED]} for one in ALL_LIMITS}))

    def with_flags(command: F) -> F:
        for declare in reversed(declared):
            command = declare(command)
        return command

    return with_flags


def _flag_of(option: registry.Option, door: registry.Door, *, required: bool) -> Any:
    shape: dict[str, Any] = {"help": option.text_at(door), "required": required}
    *short, flag_name = option.flags
    if option.kind == "flag":
        both = option.default is None  # where neither is said, the method decides
        name = f"{flag_name}/--no-{flag_name.removeprefix('--')}" if both else flag_name
        shape |= {"default": None} if both else {"is_flag": True}
        return click.option(*short, name, option.name, **shape)
    shape |= {"metavar": option.metavar, "multiple": option.many or option.kind in _LISTS}
    if option.switch:
        return _switch_of(option, shape)
    if option.kind == "choice":  # by the words for its values; none is for the default
        words = {str(option.word_for(one)): one for one in option.choices if one is not False}
        shape |= {"type": click.Choice(list(words)), "metavar": option.placeholder or None}
        shape["callback"] = lambda *given: None if given[2] is None else words[given[2]]
    elif option.kind == "integer":
        shape |= {"type": click.IntRange(min=option.least), "default": option.default}
    elif option.kind in ("size", "share", "positive"):
        shape["type"] = parse_number
    return click.option(*short, flag_name, option.name, **shape)


def _switch_of(option: registry.Option, shape: dict[str, Any]) -> Any:
    """Declare a choice whose flag may stand alone, for True, with its form for False."""
    flag_name = option.flags[-1]
    words = [choice for choice in option.choices if isinstance(choice, str)]

    def note(context: click.Context, _: click.Parameter, given: bool) -> None:
        context.meta[option.name] = given

    def read(context: click.Context, _: click.Parameter, given: str | None) -> Any:
        return False if context.meta[option.name] else given

    no = click.option(
        f"--no-{flag_name.removeprefix('--')}",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        help=f"The same as {flag_name} {option.word_for(False)}.",
        callback=note,
    )
    own = click.option(
        flag_name,
        option.name,
        is_flag=False,
        flag_value=str(option.word_for(True)),
        type=click.Choice(words),
        callback=read,
        **{**shape, "metavar": f"[{'|'.join(words)}]"},
    )
    return lambda command: no(own(command))


def own_options(kind: registry.Kind) -> Callable[[F], F]:
    """Add a flag for every option that some method of this kind has."""
    taken: list[tuple[str, Sequence[registry.Option]]]
    taken = [(method.id, method.options) for method in registry.methods(kind)]
    if kind == "selection":
        taken += [(_LIMITED, ALL_LIMITS), ("methods that score columns", registry.POLICIES)]
    users: dict[str, dict[registry.Option, list[str]]] = {}
    for whose, options in taken:
        for option in options:
            if option.name not in _DECLARED:
                users.setdefault(option.name, {}).setdefault(option, []).append(whose)
    return _add_flags(users)


def _add_flags(users: dict[str, dict[registry.Option, list[str]]]) -> Callable[[F], F]:
    def with_flags(command: F) -> F:
        for name, meanings in reversed(users.items()):
            said = []
            for option, ids in meanings.items():
                default = "" if option.default is None else f"  [default: {option.default}]"
                said.append(f"[{', '.join(ids)}] {option.about}{default}")
            # The choices of all: the method refuses those of others.
            choices = dict.fromkeys(choice for option in meanings for choice in option.choices)
            joint = replace(next(iter(meanings)), choices=tuple(choices))
            command = click.option(flag(name), name, help=" ".join(said), **_shape_of(joint))(
                command
            )
        return command

    return with_flags


def _shape_of(option: registry.Option) -> dict[str, Any]:
    """Say what the flag of an option takes; those that name columns may be repeated."""
    reader: dict[str, Callable[[Sequence[str]], Any]] = {
        "columns": split_list,
        "prices": partial(parse_prices, "costs"),
        "weights": partial(parse_prices, option.name),
        "groups": read_groups,
        "counts": partial(read_counts, option.name),
        "axis": read_axis,
    }
    read = reader.get(option.kind)
    if read is not None:
        return {
            "multiple": True,
            "metavar": option.metavar,
            # An empty list or mapping: the flag was not given.
            "callback": lambda *a: None if (value := read(a[2])) in ([], {}) else value,
        }
    if option.kind == "flag" and option.switch:
        return {"is_flag": True, "default": None}
    if option.kind in ("choice", "learner"):
        names = click.Choice([str(choice) for choice in option.choices])
        if not option.number:
            return {"default": None, "type": names}

        def read_number(text: str) -> Any:
            """Read a number, which the method checks, or one of the names."""
            value = parse_number(text)
            return names.convert(text, None, None) if isinstance(value, str) else float(value)

        metavar = f"[{'|'.join(names.choices)}|NUMBER]"
        return {"default": None, "type": read_number, "metavar": metavar}
    kinds = {"flag": bool, "scoring": str, "file": str}
    shown = None if option.kind == "flag" else option.metavar
    return {"default": None, "type": kinds.get(option.kind, parse_number), "metavar": shown}


_FILE = "@"
_GROUP_HEADERS = {"group", "groups", "column", "columns"}
# Words that only together are a header: a column may be called "item", a group "scale".
_COLUMN_WORDS = {"item", "items", "question", "variable", "feature", "name", "gene", "sensor"}
_GROUP_WORDS = {"scale", "factor", "trait", "family", "pathway", "set", "sensor", "device"}


def parse_number(text: str) -> int | float | str:
    """Read a number; what is none, or too large or small, is for the registry to refuse.

    >>> parse_number("12"), parse_number("0.5"), parse_number("many")
    (12, 0.5, 'many')
    """
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def split_list(given: Sequence[str]) -> list[str]:
    """Split each argument at commas; quotes protect a name that has one, as in a CSV line.

    >>> split_list(['age, "net, kg"', "height"])
    ['age', 'net, kg', 'height']
    """
    import csv

    return [
        name.strip()
        for names in given
        for row in csv.reader(names.splitlines(keepends=True), skipinitialspace=True)
        for name in row
    ]


def parse_prices(option: str, given: Sequence[str]) -> dict[str, Any]:
    """Read prices or weights; what is no number is for the registry to refuse.

    >>> parse_prices("costs", ["age=2.5", "a=b=3"])
    {'age': 2.5, 'a=b': 3}
    """
    what = "price" if option == "costs" else "weight"
    found: dict[str, Any] = {}
    for text in given:
        name, equals, written = text.rpartition("=")
        if not equals:
            raise TamisError(
                f"{flag(option)} {text}: give a column and its {what}, as in "
                f"{flag(option)} {text}=2."
            )
        name, price = name.strip(), parse_number(written)
        if found.setdefault(name, price) != price:
            raise TamisError(
                f"{as_flag(option, {name: found[name]})} {as_flag(option, {name: price})}: give "
                f"a column one {what}."
            )
    return found


def read_groups(given: Sequence[str]) -> dict[str, list[str]]:
    """Read groups: a name and its columns or patterns, or a file of columns and their groups.

    >>> read_groups(["A=a1, a2", "B=b*", "A=a9"])
    {'A': ['a1', 'a2', 'a9'], 'B': ['b*']}
    """
    found: dict[str, list[str]] = {}
    for text in given:
        if text.startswith(_FILE):
            for column, group in _read_group_file(text.removeprefix(_FILE)):
                found.setdefault(group, []).append(column)
            continue
        name, columns = _split_named(
            "groups", text, f", or a file of columns and groups, as in {flag('groups')} @groups.csv"
        )
        found.setdefault(name, []).extend(columns)
    return found


def read_named_lists(given: Sequence[str]) -> dict[str, list[str]]:
    """Read own lists of columns, each with its name.

    >>> read_named_lists(["mine=a, b", "old=@old.txt"])
    {'mine': ['a', 'b'], 'old': ['@old.txt']}
    """
    found: dict[str, list[str]] = {}
    for text in given:
        name, columns = _split_named("lists", text)
        found.setdefault(name, []).extend(columns)
    return found


def _split_named(option: str, text: str, otherwise: str = "") -> tuple[str, list[str]]:
    name, equals, columns = text.partition("=")
    if not equals or not name.strip():
        raise TamisError(
            f"{flag(option)} {text}: give a name and its columns, as in {flag(option)} 'A=A*'"
            f"{otherwise}."
        )
    return name.strip(), split_list([columns])


def read_counts(option: str, given: Sequence[str]) -> Any:
    """Read one number for all groups, or one for each.

    >>> read_counts("at_most", ["2"]), read_counts("at_most", ["A=2", "B=1"])
    (2, {'A': 2, 'B': 1})
    """
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return parse_number(given[0])
    counts = {}
    for text in given:
        name, equals, count = text.rpartition("=")
        if not equals:
            raise TamisError(
                f"{flag(option)} {text}: give one number for all groups, or one for each, as in "
                f"{flag(option)} A=2."
            )
        counts[name.strip()] = parse_number(count)
    return counts


def read_pairs(option: str, path: str) -> list[list[str]]:
    """Read the lines of a CSV file that are not empty."""
    import csv

    try:
        rows = [*csv.reader(Path(path).read_text(encoding="utf-8-sig").splitlines())]
    except (OSError, UnicodeDecodeError) as error:
        raise TamisError(
            f"{flag(option)} {path}: the file cannot be read, check the name and the folder."
        ) from error
    return [[cell.strip() for cell in row] for row in rows if row]


def _read_group_file(path: str) -> list[tuple[str, str]]:
    """Read columns and their groups; a first line such as "column,group" is a header."""
    rows = read_pairs("groups", path)
    for i, row in enumerate(rows):
        if len(row) != 2:
            raise TamisError(
                f"{flag('groups')} {_FILE}{path}: line {i + 1} is not a column and its group, as "
                "in 'a1,A'."
            )
    first = [cell.lower() for row in rows[:1] for cell in row]
    named = first and first[0] in _COLUMN_WORDS and first[1] in _GROUP_WORDS
    return [(column, group) for column, group in rows[bool(named or {*first} & _GROUP_HEADERS) :]]


def read_axis(given: Sequence[str]) -> dict[str, Any]:
    """Read the file of columns and positions; a first line without a number is a header."""
    found: dict[str, Any] = {}
    for path in given:
        for i, row in enumerate(read_pairs("axis", path)):
            place = parse_number(row[1]) if len(row) == 2 else ""
            if isinstance(place, str) and i > 0:
                raise TamisError(
                    f"{flag('axis')} {path}: line {i + 1} is not a column and a number, as in "
                    "'x,12.5'."
                )
            if not isinstance(place, str):
                found[row[0]] = place
    return found


def read_lists(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Read the lists of all flags: names and patterns, and files with one in each line."""
    return resolve_files(file, {flag: split_list(texts) for flag, texts in given.items()})


def resolve_files(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Put the names in it in place of every file of names; patterns are left for the run."""
    names = {flag: [n for one in some for n in _from_file(one)] for flag, some in given.items()}
    marked = [(word, name) for word, some in names.items() for name in some if name[:1] == _FILE]
    known = list_columns(file) if marked else ()
    for word, name in marked:
        if name not in known:
            raise TamisError(
                f"{as_flag(word, [name])}: there is no file {name[1:]!r} and no column {name!r}, "
                "check the name and the folder."
            )
    return names


def list_columns(file: Any) -> Sequence[str]:
    """List the columns of a table, which is opened only where flags need them."""
    from tamis.sources.open import open_source

    return open_source(file, unread={}).names


def _from_file(name: str) -> list[str]:
    path = Path(name.removeprefix(_FILE))
    if not name.startswith(_FILE) or not path.is_file():
        return [name]
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TamisError(f"{name}: the file cannot be read as UTF-8 text, check it.") from error
    return [line.strip() for line in lines if line.strip()]


def read_targets(file: Any, given: Sequence[str]) -> str | list[str]:
    """Give the column to predict, or several; a column may have a comma in its name."""
    if not any("," in text for text in given):
        return given[0] if len(given) == 1 else list(given)
    known = list_columns(file)
    names = [name for one in given for name in ([one] if one in known else split_list([one]))]
    return names[0] if len(names) == 1 else names


def match_carried(file: Any, names: Sequence[str]) -> list[str]:
    """Put the names that match in place of every pattern; only then is the table opened."""
    from tamis.sources.positions import has_patterns, match_columns

    if not has_patterns(names):
        return list(names)
    from tamis.sources.open import open_source

    return match_columns(open_source(file, unread={}), "carry", names)


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
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in get_args(Group) if name}
        sections |= {"More": [], "Of some methods": []} if full else {}
        taken = {option.name for method in registry.methods() for option in method.taken}
        of_methods = taken - set(command_options())  # which are flags of the command as well
        for one in options:
            rest = "Of some methods" if one.name in of_methods else "More"
            title = groups.get(str(one.name)) or rest
            if title in sections and (record := one.get_help_record(ctx)):
                name, text = record
                sections[title].append((name.ljust(_FLAG), text if full else _first_sentence(text)))
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=_WIDEST)

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


def _first_sentence(text: str) -> str:
    """Give the first sentence of a help text.

    >>> _first_sentence("Columns to skip, e.g. ids. They are not read.")
    'Columns to skip, e.g. ids.'
    """
    return re.split(r"(?<=\.)\s+(?=[A-Z'[-])", text, maxsplit=1)[0]


def _groups() -> dict[str, str]:
    own = [option for method in registry.methods() for option in method.own_options]
    return {option.name: option.group for option in (*own, *command_options().values())}


LISTS = (
    "A,B: names of columns, patterns such as 'gene_*', or @FILE with one name per line; repeat the "
    "flag or separate names by commas, and put a name that contains a comma in double quotes: "
    "'\"net, kg\",age'."
)


def _one_or_many(context: Any, parameter: Any, given: tuple[str, ...]) -> str | list[str]:  # noqa: ARG001 - click passes it
    if not given:
        raise click.UsageError(
            f"Give the file with the table, for example `{context.command_path} table.csv`, or - "
            "for standard input",
            context,
        )
    return given[0] if len(given) == 1 else list(given)


FILES = click.argument("file", nargs=-1, metavar="FILE...", callback=_one_or_many)
