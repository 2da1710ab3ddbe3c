"""Values as the user types them: numbers, lists, prices, groups, and files of these."""

from collections.abc import Sequence
from typing import Any

from tamis.errors import TamisError
from tamis.presentation.flags import as_flag, flag

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
    for text in given:
        if "=" not in text:
            raise TamisError(
                f"{flag(option)} {text}: give a column and its {what}, as in "
                f"{flag(option)} {text}=2."
            )
    found: dict[str, Any] = {}
    for text in given:
        name, _, written = text.rpartition("=")
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
    for text in given:
        if "=" not in text:
            raise TamisError(
                f"{flag(option)} {text}: give one number for all groups, or one for each, as in "
                f"{flag(option)} A=2."
            )
    pairs = (text.rpartition("=") for text in given)
    return {name.strip(): parse_number(count) for name, _, count in pairs}


def read_pairs(option: str, path: str) -> list[list[str]]:
    """Read the lines of a CSV file that are not empty."""
    import csv
    from pathlib import Path

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
    return [(column, group) for column, group in rows[1 if _is_header(rows[:1]) else 0 :]]


def _is_header(first: Sequence[Sequence[str]]) -> bool:
    """Whether the first line, if there is one, names its two cells instead of being a pair."""
    return any(
        {column.lower(), group.lower()} & _GROUP_HEADERS
        or (column.lower() in _COLUMN_WORDS and group.lower() in _GROUP_WORDS)
        for column, group in first
    )


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
