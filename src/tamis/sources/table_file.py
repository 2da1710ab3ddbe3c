"""A file and how to read it, where its name does not say."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from tamis.errors import TamisError, spell

_DELIMITERS = {"tab": "\t", r"\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


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
        Whether the first line holds the names; by default it is found. Without them columns are
        called x0, x1, ...
    sheet
        The sheet of a workbook, by name or by position from 1; the first one by default. Of an
        .RData file, the table by its name.
    encoding
        The encoding of a text file, such as "cp1252"; by default it is found.
    skip_lines
        Numbers of lines of a text file, from 1, that are no rows; "auto" skips titles, units,
        second headers and totals, and says so, "none" reads all.
    layer
        The layer of an AnnData file to read in place of `X`; "raw" is `raw.X`.
    transpose
        Whether the variables are in rows. By default it is asked where a table looks so.

    Examples
    --------
    >>> TableFile("sales.txt", delimiter="tab", header=False)
    tamis.TableFile('sales.txt', delimiter='tab', header=False)
    """

    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    delimiter: str | None = None
    header: bool | None = None
    sheet: str | int | None = None
    encoding: str | None = None
    skip_lines: Literal["auto", "none"] | Sequence[int] = "auto"
    layer: str | None = None
    transpose: bool | None = None

    def __post_init__(self) -> None:
        """Refuse a separator, an encoding and lines that no text table can have."""
        mark = self.mark
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in "\"'\r\n"):
            raise TamisError(
                f"{spell('delimiter', self.delimiter)}: give one character, such as ';', or tab."
            )
        try:
            "a".encode("utf-8" if self.encoding is None else self.encoding)
        except (LookupError, UnicodeError, ValueError) as error:
            raise TamisError(
                f"{spell('encoding', self.encoding)}: give one that Python knows, such as "
                "cp1252, latin-1 or utf-16."
            ) from error
        if any(type(line) is not int or line < 1 for line in self.lines_left_out):
            raise TamisError(
                f"{spell('skip_lines', self.skip_lines)}: give numbers of lines from 1, such as "
                "2,3, or auto, or none."
            )

    @classmethod
    def of(cls, given: Any) -> "TableFile":
        """Take paths as they are, to be read in the usual way."""
        return given if isinstance(given, cls) else cls(given)

    def __repr__(self) -> str:
        usual = {one.name: one.default for one in fields(self) if one.name != "path"}
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
        return None if self.delimiter is None else _DELIMITERS.get(self.delimiter, self.delimiter)

    @property
    def origin(self) -> Any:
        """What to write for this table in a call: the path alone where that is enough."""
        path = self.names[0] if len(self.names) == 1 else self.names
        return path if self == TableFile(self.path) else self

    @property
    def lines_left_out(self) -> tuple[int, ...]:
        """The lines that are named as no rows."""
        return () if isinstance(self.skip_lines, str) else tuple(self.skip_lines)

    def check_options(self, label: str, suffix: str) -> None:
        """Refuse a file of a kind that is not read, and what is said of another kind of file."""
        if suffix not in SUFFIXES:
            advice = _CONVERSIONS.get(suffix, f"give one of {', '.join(SUFFIXES)}")
            raise TamisError(f"{label} has an unsupported file type: {advice}.")
        for name, (what, suffixes) in _OPTIONS.items():
            value = vars(self)[name]
            # A header is what other files have as well.
            if suffix not in suffixes and value not in (None, "auto") and value is not True:
                raise TamisError(
                    f"{spell(name, value)} is for {what}, which {label} is not: omit it."
                )


HEADERLESS = (".data", ".dat")  # text tables that usually begin with values
TEXTS = (".csv", ".tsv", ".txt", ".tab", *HEADERLESS)
BOOKS = (".xlsx", ".xls", ".ods")
# Who opens a file that is no text: what readers call it, a module, which is loaded when such a file
# comes, what it calls that, and what else that takes of how to read a file.
READERS = {
    ".parquet": ("Parquet", "parquet", "ParquetSource", "unread"),
    **dict.fromkeys((".feather", ".arrow"), ("Feather", "feather", "FeatherSource", "unread")),
    ".npz": ("NumPy", "npz", "open_npz", ""),
    ".npy": ("NumPy", "npz", "open_npy", ""),
    ".arff": ("ARFF", "arff", "ArffSource", ""),
    **dict.fromkeys((".sav", ".zsav"), ("SPSS", "studies", "open_study", "")),
    ".dta": ("Stata", "studies", "open_study", ""),
    **dict.fromkeys((".sas7bdat", ".xpt"), ("SAS", "studies", "open_study", "")),
    **dict.fromkeys((".h5ad", ".zarr"), ("AnnData", "anndata", "open_anndata_file", "layer")),
    ".bed": ("PLINK", "plink", "open_plink", ""),
    **dict.fromkeys((".rds", ".rdata", ".rda"), ("R", "r_file", "open_r_file", "sheet")),
    ".tamis": ("a summary", "summary_file", "open_summary", ""),
}
SUFFIXES = (*TEXTS, *BOOKS, *READERS)  # of all files that are read
# What may be said of files of some kinds only, and how these are called.
_OPTIONS = {
    "sheet": ("workbooks", (*BOOKS, ".rdata", ".rda")),
    "layer": ("AnnData", (".h5ad", ".zarr")),
    "delimiter": ("text files", TEXTS),
    "header": ("text files", (*TEXTS, *BOOKS)),
    "encoding": ("text files", TEXTS),
    "skip_lines": ("text files", (*TEXTS, *BOOKS)),
}

# Formats that stay out, each with the line that turns a file into one that is read.
_CONVERSIONS = {
    **dict.fromkeys(
        (".pkl", ".pickle"),
        "a pickle may run any program when it is loaded; where you trust it, "
        "`pandas.read_pickle(path).to_parquet('table.parquet')`",
    ),
    ".json": "`pandas.read_json(path).to_parquet('table.parquet')` turns it into one",
    ".jsonl": "`duckdb -c \"COPY (FROM 'rows.jsonl') TO 'table.parquet'\"` turns it into one",
    ".xlsb": "save it as .xlsx in the spreadsheet",
    ".numbers": "export it as CSV in Numbers",
    ".mat": "`numpy.save('table.npy', scipy.io.loadmat(path)['X'])` turns an array X into one",
    ".h5": "`pandas.read_hdf(path).to_parquet('table.parquet')` turns a frame of pandas into one, "
    "an AnnData file is read under the suffix .h5ad",
    ".loom": "`anndata.read_loom(path).write_h5ad('table.h5ad')` turns it into one",
    ".mtx": "`anndata.read_mtx(path).write_h5ad('table.h5ad')` turns it into one",
    ".db": "`duckdb -c \"ATTACH 'file.db' AS d; COPY (FROM d.name) TO 'table.parquet'\"` turns a "
    "table of it into one",
    ".sqlite": "`duckdb -c \"ATTACH 'file.sqlite' AS d; COPY (FROM d.name) TO 'table.parquet'\"` "
    "turns a table of it into one",
    ".vcf": "`plink2 --vcf file.vcf --make-bed --out table` turns it into .bed",
    ".por": "`pyreadstat.read_por(path)[0].to_parquet('table.parquet')` turns it into one",
    ".orc": "`pandas.read_orc(path).to_parquet('table.parquet')` turns it into one",
    ".avro": "`polars.read_avro(path).write_parquet('table.parquet')` turns it into one",
    ".zip": "unpack it first",
}


def suffix_of(path: Path) -> str:
    """Give the suffix that says what a file holds.

    >>> suffix_of(Path("Table.CSV.gz")), suffix_of(Path("README")), suffix_of(Path("t.zarr.zip"))
    ('.csv', '', '.zarr')
    """
    suffixes = [part.lower() for part in path.suffixes]
    suffix = suffixes[-1] if suffixes else ""
    packed = suffix in (".gz", ".bz2") or suffixes[-2:] == [".zarr", ".zip"]
    return suffixes[-2] if packed and len(suffixes) > 1 else suffix
