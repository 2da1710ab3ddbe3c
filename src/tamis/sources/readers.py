"""Which reader takes which suffix, and what to do with files that none takes."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tamis.errors import TamisError
from tamis.sources.source import Source, Unread
from tamis.sources.table_file import BOOKS, STUDIES, TEXTS, TableFile

__all__ = ["READERS", "SUFFIXES", "refuse_suffix"]

# Opens a file that is no text; readers are loaded when a file of their kind comes.
Reader = Callable[[Path, TableFile, Unread | None], Source]


def _open_parquet(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.parquet import ParquetSource

    return ParquetSource(path, unread)


def _open_feather(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.feather import FeatherSource

    return FeatherSource(path, unread)


def _open_npz(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.npz import open_npz

    return open_npz(path)


def _open_npy(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.npz import open_npy

    return open_npy(path)


def _open_arff(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.arff import ArffSource

    return ArffSource(path)


def _open_study(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.studies import StudySource

    return StudySource(path)


def _open_anndata(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.anndata import open_anndata_file, unpack_zarr

    folder = unpack_zarr(path) if path.suffix.lower() == ".zip" else path
    return open_anndata_file(folder, how.layer)


def _open_plink(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.plink import open_plink

    return open_plink(path)


def _open_r(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.r_file import RFileSource

    return RFileSource(path, how.sheet)


def _open_summary(path: Path, how: TableFile, unread: Unread | None) -> Source:  # noqa: ARG001
    from tamis.sources.summary_file import SummarySource, read_summary

    return SummarySource(read_summary(path), path.name)


READERS: Mapping[str, Reader] = {
    ".parquet": _open_parquet,
    ".feather": _open_feather,
    ".arrow": _open_feather,
    ".npz": _open_npz,
    ".npy": _open_npy,
    ".arff": _open_arff,
    **dict.fromkeys(STUDIES, _open_study),
    ".h5ad": _open_anndata,
    ".zarr": _open_anndata,
    ".bed": _open_plink,
    **dict.fromkeys((".rds", ".rdata", ".rda"), _open_r),
    ".tamis": _open_summary,
}
SUFFIXES = (*TEXTS, *BOOKS, *READERS)  # of all files that are read

# Formats that stay out, each with the line that turns a file into one that is read.
_CONVERSIONS = {
    ".pkl": "a pickle may run any program when it is loaded; where you trust it, "
    "`pandas.read_pickle(path).to_parquet('table.parquet')`",
    ".pickle": "a pickle may run any program when it is loaded; where you trust it, "
    "`pandas.read_pickle(path).to_parquet('table.parquet')`",
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


def refuse_suffix(path: Path, suffix: str) -> TamisError:
    """Say that a file is not read, and the line that converts it where there is one."""
    known = f"{path.name} has an unsupported file type"
    if suffix in _CONVERSIONS:
        return TamisError(f"{known}: {_CONVERSIONS[suffix]}.")
    return TamisError(f"{known}: give one of {', '.join(SUFFIXES)}.")
