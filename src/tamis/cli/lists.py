"""Lists of column names on the command line: commas and files of names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tamis.cli.written_values import split_list
from tamis.errors import TamisError
from tamis.presentation.flags import as_flag

__all__ = ["match_carried", "read_lists", "read_targets", "resolve_files"]

_FILE = "@"


def read_lists(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Read the lists of all flags: names and patterns, and files with one in each line."""
    return resolve_files(file, {flag: split_list(texts) for flag, texts in given.items()})


def resolve_files(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Put the names in it in place of every file of names; patterns are left for the run."""
    names = {flag: [n for one in some for n in _from_file(one)] for flag, some in given.items()}
    _check_files(file, names)
    return names


def _check_files(file: Any, given: Mapping[str, list[str]]) -> None:
    """Refuse a file of names that is not there, unless a column has that name."""
    marked = [(flag, name) for flag, names in given.items() for name in names if name[:1] == _FILE]
    if not marked:
        return
    from tamis.sources.open import open_source

    known = set(open_source(file, unread={}).names)
    for flag, name in marked:
        if name not in known:
            raise TamisError(
                f"{as_flag(flag, [name])}: there is no file {name[1:]!r} and no column {name!r}, "
                "check the name and the folder."
            )


def _from_file(name: str) -> list[str]:
    """Give the names in a file, if this is one; a column may have a name that starts with @."""
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
    from tamis.sources.open import open_source

    known = set(open_source(file, unread={}).names)
    names = [name for one in given for name in ([one] if one in known else split_list([one]))]
    return names[0] if len(names) == 1 else names


def match_carried(file: Any, names: Sequence[str]) -> list[str]:
    """Put the names that match in place of every pattern; only then is the table opened."""
    from tamis.sources.patterns import has_patterns, match_columns

    if not has_patterns(names):
        return list(names)
    from tamis.sources.open import open_source

    return match_columns(open_source(file, unread={}), "carry", names)
