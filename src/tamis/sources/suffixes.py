"""What the names of files say about what is in them; `readers.py` lists all that are read."""

from pathlib import Path

__all__ = ["BOOKS", "HEADERLESS", "STUDIES", "TEXTS", "suffix_of"]

HEADERLESS = (".data", ".dat")  # text tables that usually begin with values
TEXTS = (".csv", ".tsv", ".txt", ".tab", *HEADERLESS)
BOOKS = (".xlsx", ".xls", ".ods")
STUDIES = (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt")


def suffix_of(path: Path) -> str:
    """Give the suffix that says what a file holds.

    >>> suffix_of(Path("Table.CSV.gz")), suffix_of(Path("README")), suffix_of(Path("t.zarr.zip"))
    ('.csv', '', '.zarr')
    """
    suffixes = [part.lower() for part in path.suffixes]
    suffix = suffixes[-1] if suffixes else ""
    packed = suffix in (".gz", ".bz2") or suffixes[-2:] == [".zarr", ".zip"]
    return suffixes[-2] if packed and len(suffixes) > 1 else suffix
