"""Lists of column names on the command line: commas, files of names, patterns."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tamis.cli.flags import listed
from tamis.errors import TamisError
from tamis.presentation.flags import as_flag

__all__ = ["named_columns", "resolved"]

_PATTERN = frozenset("*?[")
_FILE = "@"


def named_columns(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Read the lists of all flags: names, patterns, and files with one name in each line."""
    return resolved(file, {flag: listed(texts) for flag, texts in given.items()})


def resolved(file: Any, given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Put the names that are meant in place of every file of names and every pattern."""
    names = {flag: [n for one in some for n in _from_file(one)] for flag, some in given.items()}
    _check_files(file, names)
    return _with_patterns(file, names)


def _check_files(file: Any, given: Mapping[str, list[str]]) -> None:
    """Refuse a file of names that is not there, unless a column has that name."""
    marked = [(flag, name) for flag, names in given.items() for name in names if name[:1] == _FILE]
    if not marked:
        return
    from tamis.sources.source import open_source

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


def _with_patterns(file: Any, given: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Put the names that match in place of every pattern; only then is the table opened."""
    if not any(_PATTERN & set(name) for names in given.values() for name in names):
        return dict(given)
    from tamis.sources.source import open_source

    source = open_source(file, unread={})
    known = dict.fromkeys(source.names)
    found: dict[str, list[str]] = {}
    for flag, names in given.items():
        each = [_matching(flag, name, known, source.label) for name in names]
        found[flag] = list(dict.fromkeys(name for part in each for name in part))
    return found


def _matching(flag: str, name: str, known: dict[str, None], label: str) -> list[str]:
    """Give the columns that a pattern stands for; a column of that very name comes first."""
    if name in known or not _PATTERN & set(name):
        return [name]
    found = [column for column in known if fnmatchcase(column, name)]
    if not found:
        from tamis.registry import nearest

        bare = "".join(c for c in name if c not in _PATTERN)
        raise TamisError(
            f"{as_flag(flag, [name])}: no column of {label} matches{nearest(bare, known)}"
        )
    return found
