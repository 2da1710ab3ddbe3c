"""What the names of files say about what is in them."""

from pathlib import Path

__all__ = ["BOOKS", "HEADERLESS", "STUDIES", "SUFFIXES", "TEXTS", "suffix_of"]

HEADERLESS = (".data", ".dat")  # text tables that usually begin with values
TEXTS = (".csv", ".tsv", ".txt", ".tab", *HEADERLESS)
BOOKS = (".xlsx", ".xls", ".ods")
STUDIES = (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt")
_TABLES = (".parquet", ".feather", ".arrow", ".npz", ".npy", ".arff")
_OTHERS = (".h5ad", ".zarr", ".bed", ".rds", ".rdata", ".rda", ".tamis")
SUFFIXES = (*TEXTS, *BOOKS, *_TABLES, *STUDIES, *_OTHERS)


def suffix_of(path: Path) -> str:
    """Give the suffix that says what a file holds.

    >>> suffix_of(Path("Table.CSV.gz")), suffix_of(Path("README"))
    ('.csv', '')
    """
    suffixes = [part.lower() for part in path.suffixes]
    suffix = suffixes[-1] if suffixes else ""
    return suffixes[-2] if suffix in (".gz", ".bz2") and len(suffixes) > 1 else suffix
