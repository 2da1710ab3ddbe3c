"""A file and how to read it, where its name does not say."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tamis.errors import TamisError, spelled

__all__ = ["TableFile"]

_MARKS = {"tab": "\t", r"\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


@dataclass(frozen=True, repr=False)
class TableFile:
    """A file and how to read it; it takes the place of a path wherever a table is given.

    Parameters
    ----------
    path
        The path, or a list of paths; "-" is standard input.
    delimiter
        What separates the values of a text file: one character, or "tab"; by default it is found.
    header
        Whether the first line holds the names. Without them columns are called x0, x1, ...
    sheet
        The sheet of an Excel file, by name or by position from 1; the first one by default.

    Examples
    --------
    >>> TableFile("sales.txt", delimiter="tab", header=False)
    tamis.TableFile('sales.txt', delimiter='tab', header=False)
    """

    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    delimiter: str | None = None
    header: bool = True
    sheet: str | int | None = None

    def __post_init__(self) -> None:
        """Refuse a separator that no text table can have."""
        mark = self.mark
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in "\"'\r\n"):
            raise TamisError(
                f"{spelled('delimiter', self.delimiter)}: give one character, such as ';', or tab."
            )

    @classmethod
    def of(cls, given: Any) -> "TableFile":
        """Take paths as they are, to be read in the usual way."""
        return given if isinstance(given, cls) else cls(given)

    def __repr__(self) -> str:
        usual = {"delimiter": None, "header": True, "sheet": None}
        changed = {name: vars(self)[name] for name in usual}
        more = "".join(f", {n}={v!r}" for n, v in changed.items() if v != usual[n])
        path = self.names[0] if len(self.names) == 1 else self.names
        return f"tamis.TableFile({path!r}{more})"

    @property
    def names(self) -> list[str]:
        """The paths as text."""
        given = [self.path] if isinstance(self.path, str | os.PathLike) else self.path
        return [os.fspath(item) for item in given]

    @property
    def mark(self) -> str | None:
        """The character that separates values, None where it is to be found."""
        return None if self.delimiter is None else _MARKS.get(self.delimiter, self.delimiter)

    @property
    def origin(self) -> Any:
        """What to write for this table in a call: the path alone where that is enough."""
        path = self.names[0] if len(self.names) == 1 else self.names
        return path if self == TableFile(self.path) else self

    def check_text(self, label: str) -> None:
        """Refuse what is said about text where the file holds none."""
        given = {"delimiter": self.delimiter, "header": None if self.header else False}
        for name, value in given.items():
            if value is not None:
                raise TamisError(
                    f"{spelled(name, value)} is for text files, which {label} is not: omit it."
                )

    def check_no_sheet(self, label: str) -> None:
        """Refuse a sheet where the file has none."""
        if self.sheet is not None:
            raise TamisError(
                f"{spelled('sheet', self.sheet)} is for Excel files, which {label} is not: omit it."
            )
