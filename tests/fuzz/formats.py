"""Damaged files of the formats that packages of their own read, and of text that is not plain.

Their cases have seeds from `FIRST` on, so that those of the other formats stay what they are.
"""

import base64
import gzip
import io
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from tests.fuzz.damage import damaged_binary, damaged_text
from tests.fuzz.tables import ROWS, intact, numbers
from tests.sas_writer import write_sas7bdat

FIRST = 10_000_000
Rng = Any
Files = dict[str, bytes]
_NAMES = ("a", "b", "c", "d", "e", "f")
_GROUPS = [("one", "two", "three")[i % 3] for i in range(ROWS)]
_XLS = (
    b"eNrtWF1IFFEUPnd+dnZnV901jVQQEbIyIaIeAtGxoHxKrB6KCmrVxUJxZTGiHsoyH4OgpyIIwZderF76ocLtLTAwKiiC"
    b"QMu3fCkqQnSnc8+9Ozuz7oMLZT/MWe6Ze8+99/vOPffMndl5MR2bGbtbPQt50goqZOwQBFw2hiWUbUQB+22bV7PXIBbb"
    b"l39KQkHcyIAOj0qeG3wP+X7PggJ3tKeoAT5gOQqD0JEcSNStouwiH+KM+9CCmsENtJRCFXlVTrqb9BrSt2nkY9JtZLlM"
    b"ugXHzrDDMG11NO6QWXxIqae+UuC492nOO7JshUp4xrP4/BUmxuqwM3Uy3v93dtRqERgH3Lf2xEAiFe+fgQrcwHH4ZtcB"
    b"fM3eqek63766dgZo/+G1GwXsVxUNYBjs45Tgo3i4vlbFBh9YhO0Qk2cqbnocSxeWbiw9OkBvKnlqEMfiXYl66HQSbUMn"
    b"UomEyc9ouqejnnu6hHI9groHyqgeo4yPIsPirc8v93Z1WsfIMkyc4rRfzx0EGy7wGTi5lHpKSCMjNNKMzaQvEmoN1atJ"
    b"V+AYvDZ0VsrKnhEac4l6G5BnG8kra4OrvhHro5/2Pagd/WhtwvpE++zZiok31hjUY4B6cD7/jUATa2LXr3F5aGWvTJ4M"
    b"70lXLTslgkpU+m7LR1oZLIFJ1Rhp0eLRYU5LkbESLRVbqtPSsKVJZJaH/AS9YYRskq5ZtG0GKkaREaaQt5awqI5lbpJj"
    b"M8LWJbayDLuWbDFoxlM8BjdJLzh1lfxTCCMgMdQ8DM6rOisHmJ8UFuZYwm3nFBMt3Ntevnbqz3n6ljxVicWQLFoeC0fQ"
    b"iIX8QgTNxTA3Kfo5Q8bpz2fQPLHQC8RCJ4Yph0es2h0L3ROLQAEMMUNE9YiSw2t2MAKelRoF4mm44pmmtRm02ikZPcO1"
    b"8xlL9KvST85geFYaLJBRwbw1iowKunDniTfowQ16Vh8q4HnInQmWsLj2SVpyLGlpceWtxZlCnhiZBZhMF5OR5msyiUnE"
    b"n2eBIsflsBcoD0xPdMLLorOObCJXY7CFZXdP4IVdeF8IL+yJSqRAtCOunFCcaEdccfhOuxghbM7IcSNODFqVcrjHJ+Jb"
    b"SU5M8MUXX3zxxZc/KYzeb4HeAzX5Vs+fh4b8rrOEJeN/JvlvZT8k8TeEf0x3wwBeU3CmqPxZCzrLYrEVzsl+L+RyENlT"
    b"0Add5Edf0fmL//eYez0rnhj9dbdQsfyZYvz8zfw/ATRPQLE="
)


def damaged_format(kind: str, rng: Rng) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """Give the name of the table and its files, one of them damaged."""
    made = FORMATS[kind]()
    victims = [n for n in sorted(made) if "zarr" not in kind or rng.random() < 0.3] or [*made]
    victim = victims[int(rng.integers(len(victims)))]
    files = {n: _damaged(kind, n, data, rng) if n == victim else data for n, data in made.items()}
    return named(kind), tuple(files.items())


def named(kind: str) -> str:
    """Give the name of the table of a kind."""
    return f"table.{kind.partition(' ')[0]}"


def _damaged(kind: str, name: str, data: bytes, rng: Rng) -> bytes:
    if kind in ("xlsx", "ods") and rng.random() < 0.8:
        return _damaged_part(data, rng)
    if kind in ("rds", "rdata") and rng.random() < 0.8:  # below the packing and its checksum
        return gzip.compress(damaged_binary(gzip.decompress(data), rng), mtime=0)
    text = kind.startswith(("arff", "data", "csv")) or name.endswith((".bim", ".fam"))
    return damaged_text(data, rng) if text else damaged_binary(data, rng)


def _damaged_part(data: bytes, rng: Rng) -> bytes:
    """Damage one part of a packed workbook as a text."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    names = sorted(members)
    sheets = [name for name in names if "sheet" in name or "content" in name]
    chosen = sheets if sheets and rng.random() < 0.6 else names
    name = chosen[int(rng.integers(len(chosen)))]
    members[name] = damaged_text(members[name], rng)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, inner in members.items():
            archive.writestr(zipfile.ZipInfo(one), inner)
    return sink.getvalue()


def _frame() -> Any:
    import pandas as pd

    frame = pd.DataFrame(numbers(), columns=list(_NAMES))
    frame["group"] = pd.Series(_GROUPS, dtype=object)
    return frame


def _written(name: str, write: Callable[[Path], Any]) -> Files:
    """Let a library write a file, and give all that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / name)
        found = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@cache
def _npy() -> Files:
    return _written("table.npy", lambda path: np.save(path, numbers()))


@cache
def _blanks() -> Files:
    lines = ["  ".join(f"{value:8g}" for value in row) for row in numbers()]
    return {"table.data": "\n".join(lines).encode()}


@cache
def _windows() -> Files:
    text = "Ausz\u00fcge,,\n" + intact("csv", 0).decode().replace("three", "dr\u00e9i")
    return {"table.csv": text.replace("flag\n", "flag\nmm,kg,s,m,A,K,,\n").encode("cp1252")}


@cache
def _wide() -> Files:
    return {"table.csv": (intact("csv", 0).decode() + "Total,1,2,3,4,5,,\n").encode("utf-16")}


@cache
def _arff(sparse: bool = False) -> Files:
    head = ["@relation r", *(f"@attribute {name} numeric" for name in _NAMES)]
    head += ["@attribute group {one, two, 'three'}", "@attribute note string", "@data"]
    rows = [
        [f"{v:g}" for v in row] + [g, "'a, b'"] for row, g in zip(numbers(), _GROUPS, strict=True)
    ]
    pairs = [[f"{j} {cell}" for j, cell in enumerate(row) if cell != "0"] for row in rows]
    lines = [f"{{{', '.join(row)}}}" for row in pairs] if sparse else [",".join(r) for r in rows]
    return {"table.arff": "\n".join([*head, *lines]).encode()}


@cache
def _arff_sparse() -> Files:
    return _arff(sparse=True)


@cache
def _xlsx() -> Files:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append([*_NAMES, "group"])
    for row, group in zip(numbers(), _GROUPS, strict=True):
        book.active.append([*map(float, row), group])
    book.create_sheet("more").append(["x"])
    return _written("table.xlsx", book.save)


@cache
def _xls() -> Files:
    return {"table.xls": zlib.decompress(base64.b64decode(_XLS))}


@cache
def _ods() -> Files:
    def cell(value: Any) -> str:
        text = isinstance(value, str)
        kind = '"string"' if text else f'"float" office:value="{value}"'
        inner = f"<text:p>{value}</text:p>" if text else ""
        return f"<table:table-cell office:value-type={kind}>{inner}</table:table-cell>"

    rows = [[*_NAMES, "group"], *([*r, g] for r, g in zip(numbers(), _GROUPS, strict=True))]
    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="S">{body}</table:table></office:spreadsheet></office:body>'
            "</office:document-content>",
        )
    return {"table.ods": sink.getvalue()}


def _study(suffix: str) -> Callable[[], Files]:
    @cache
    def made() -> Files:
        import pyreadstat

        labels = {"c": {float(v): f"level {v}" for v in np.unique(numbers()[:, 2])}}
        writers: dict[str, Callable[[str], Any]] = {
            "sav": lambda path: pyreadstat.write_sav(_frame(), path, variable_value_labels=labels),
            "zsav": lambda path: pyreadstat.write_sav(_frame(), path, compress=True),
            "dta": lambda path: pyreadstat.write_dta(_frame(), path),
            "xpt": lambda path: pyreadstat.write_xport(_frame(), path),
        }
        return _written(f"table.{suffix}", lambda path: writers[suffix](str(path)))

    return made


def _put_anndata(store: Any, X: Any, *, dense: bool = False) -> None:
    """Write what anndata writes, with the calls that HDF5 and Zarr share."""
    parts: list[tuple[Any, str, Any]] = [(store, "X", X)]
    if not dense:
        matrix = scipy.sparse.csr_array(np.where(X > 0, X, 0))
        group = store.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["shape"] = [int(n) for n in X.shape]
        parts = [(group, part, vars(matrix)[part]) for part in ("data", "indices", "indptr")]
    for name, index in (("obs", [f"c{i}" for i in range(ROWS)]), ("var", list(_NAMES))):
        frame = store.create_group(name)
        frame.attrs["_index"] = "_index"
        frame.attrs["column-order"] = ["group"] if name == "obs" else []
        parts.append((frame, "_index", np.array(index, dtype="S5")))
    column = store["obs"].create_group("group")
    parts.append((column, "categories", np.array(["one", "two", "three"], dtype="S5")))
    parts.append((column, "codes", (np.arange(ROWS) % 3).astype(np.int8)))
    for where, name, values in parts:
        make = where.create_array if hasattr(where, "create_array") else where.create_dataset
        make(name, shape=values.shape, dtype=values.dtype)[...] = values


@cache
def _h5ad(*, dense: bool = False) -> Files:
    import h5py

    def write(path: Path) -> None:
        with h5py.File(path, "w") as store:
            _put_anndata(store, numbers(), dense=dense)

    return _written("table.h5ad", write)


def _h5ad_dense() -> Files:
    return _h5ad(dense=True)


@cache
def _zarr() -> Files:
    import zarr

    return _written(
        "table.zarr",
        lambda path: _put_anndata(zarr.open_group(str(path), mode="w", zarr_format=2), numbers()),
    )


@cache
def _bed() -> Files:
    width = -(-ROWS // 4)
    rng = np.random.default_rng(9)
    bim = "".join(f"1 rs{j} 0 {j} A G\n" for j in range(6))
    fam = "".join(f"f s{i} 0 0 1 {1 + i % 2}\n" for i in range(ROWS))
    bed = b"\x6c\x1b\x01" + rng.integers(0, 256, 6 * width).astype(np.uint8).tobytes()
    return {"table.bed": bed, "table.bim": bim.encode(), "table.fam": fam.encode()}


@cache
def _rds() -> Files:
    import rdata

    return _written("table.rds", lambda path: rdata.write_rds(path, _frame()))


@cache
def _rdata() -> Files:
    import rdata

    return _written("table.rdata", lambda path: rdata.write_rda(path, {"d": _frame()}))


@cache
def _sas7bdat() -> Files:
    columns = {name: _frame()[name].tolist() for name in (*_NAMES, "group")}
    return _written("table.sas7bdat", lambda path: write_sas7bdat(path, columns))


FORMATS: dict[str, Callable[[], Files]] = {
    "npy": _npy,
    "data": _blanks,
    "csv windows": _windows,
    "csv utf-16": _wide,
    "arff": _arff,
    "arff sparse": _arff_sparse,
    "xlsx": _xlsx,
    "xls": _xls,
    "ods": _ods,
    "sav": _study("sav"),
    "zsav": _study("zsav"),
    "dta": _study("dta"),
    "xpt": _study("xpt"),
    "h5ad": _h5ad,
    "zarr": _zarr,
    "bed": _bed,
    "rds": _rds,
    "rdata": _rdata,
    "sas7bdat": _sas7bdat,
    "h5ad dense": _h5ad_dense,
}
