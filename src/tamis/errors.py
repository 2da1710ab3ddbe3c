"""The one error type, and how its advice spells an option."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Spelling = Callable[[str, Any], str]

_NUMBER_TEXT = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")


class TamisError(ValueError):
    """Say in one sentence what is wrong, where, and what to do.

    The sentence stays on one line, whatever the names of columns and files in it hold.
    """

    def __init__(self, sentence: str = "") -> None:
        super().__init__(escape_controls(sentence))


def escape_controls(text: str) -> str:
    r"""Write line ends and other control characters as escapes.

    >>> print(escape_controls("a" + chr(10) + "b" + chr(27)))
    a\nb\x1b
    """
    return "".join(c if c.isprintable() else _escape_character(c) for c in text)


def as_term(name: str) -> str:
    """Write a name beside a weight: one that is a number stands in quotes, or it reads as a factor.

    >>> as_term("age"), as_term("2300"), as_term("nan")
    ('age', '"2300"', 'nan')
    """
    return f'"{name}"' if is_number(name) else name


def is_number(name: str) -> bool:
    """Say whether a name is written in digits only.

    >>> is_number("402.5"), is_number("-1"), is_number("1st floor"), is_number("inf")
    (True, True, False, False)
    """
    return _NUMBER_TEXT.fullmatch(name) is not None


def _escape_character(character: str) -> str:
    return character.encode("unicode_escape").decode()


class TextAmongNumbers(TamisError):
    """Columns that began with numbers have text further down: a reader may take them as text.

    `doubt` says so in the answer of such a reader.
    """

    def __init__(self, sentence: str, *columns: str, doubt: str = "") -> None:
        super().__init__(sentence)
        self.columns, self.doubt = columns, doubt


class Unreadable(TamisError):
    """A file, or the `unit` of it that is named (a row group), cannot be read."""

    def __init__(self, sentence: str, path: str, unit: str = "") -> None:
        super().__init__(sentence)
        self.part = (path, unit)


class NoRows(TamisError):
    """A file has a header and no rows: of many files that is no fault."""


class NoValues(TamisError):
    """Columns without a value, or with few: a search may skip them and go on.

    `why` is the reason to skip them.
    """

    def __init__(self, sentence: str, columns: list[str], why: str = "without any value") -> None:
        super().__init__(sentence)
        self.columns, self.why = columns, why


class InfiniteValues(TamisError):
    """Columns have infinite values: a caller may know an option that takes them as missing."""

    def __init__(self, sentence: str, *, sparse: bool = False) -> None:
        super().__init__(f"{sentence}.")
        self.sentence, self.sparse = sentence, sparse


def spell(name: str, value: Any) -> str:
    """Write an option the way the user gives it: as a keyword, or as a flag of the command.

    >>> spell("missing", "mean"), spell("exclude", ["age"])
    ('missing="mean"', 'exclude=["age"]')
    """
    return _spelling.get()(name, value)


def in_sentence(label: str) -> str:
    """Write what a table is called inside a sentence; a file keeps its name.

    >>> in_sentence("The table"), in_sentence("Wine.csv")
    ('the table', 'Wine.csv')
    """
    return "the table" if label == "The table" else label


def spell_name(name: str) -> str:
    """Write the name of an option alone, as a keyword or as a flag.

    >>> spell_name("retain")
    'retain'
    """
    return spell(name, "").rstrip("='\" ")


def spell_value(value: Any) -> str:
    """Write what is given to an option, the way the user gives it.

    >>> spell_value(["net, kg"])
    '["net, kg"]'
    """
    return spell("columns", value).removeprefix(spell_name("columns")).lstrip("= ")


@contextmanager
def use_spelling(rule: Spelling) -> Iterator[None]:
    """Let `rule(name, value)` write the options of all advice given while the block runs."""
    token = _spelling.set(rule)
    try:
        yield
    finally:
        _spelling.reset(token)


def by_door(keyword: str, flag: str) -> str:
    """Give the text for a reader who writes Python, or the one for the command line.

    >>> by_door("to_dict()", "--json")
    'to_dict()'
    """
    return keyword if _spelling.get() is _as_keyword else flag


def or_none(text: str) -> str:
    """Add that None may be given, for a reader who writes keywords: a flag is omitted instead.

    >>> or_none("a number above 0")
    'a number above 0, or None'
    """
    return by_door(f"{text}, or None", text)


def _as_keyword(name: str, value: Any) -> str:
    return f"{name}={_literal(value)}"


def _literal(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if not isinstance(value, str):
        return repr(value)
    import json  # not loaded before there is advice

    return json.dumps(value, ensure_ascii=False)


_spelling: ContextVar[Spelling] = ContextVar("tamis_spelling", default=_as_keyword)
