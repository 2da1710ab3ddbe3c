"""Peak memory at two sizes of every format and engine: it should not follow the rows.

`python -m benchmarks.memory` writes the same made table of 40 columns in every format, small and
with four times the rows, and lets `tamis select -k 10 --memory 128MB` read it in a process of its
own (1 GB where a package holds the whole table, which is then named). `--only` measures some
formats, `--rows` sets the rows of the small table for all of them. The tables are made in other
processes, since a process starts with the peak of its parent.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.large import measured, tamis

WIDTH, BLOCK, TIMES = 40, 5_000, 4
_NAMES = [f"x{j}" for j in range(WIDTH)]
_FEW = 400  # rows that show what the program itself takes
_SELECT = ("-k", "10", "--memory")
_DASK = """
import sys, dask, dask.dataframe as dd, tamis
dask.config.set(scheduler="synchronous")
tamis.select(dd.read_parquet(sys.argv[1]), 10, memory="128MB")
"""
_SPARK = """
import os, sys, resource
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
import tamis
quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
session = SparkSession.builder.master("local[1]").config(map=quiet).getOrCreate()
tamis.select(session.read.parquet(sys.argv[1]), 10, memory="128MB")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def blocks(rows: int) -> Iterator[Any]:
    """Give correlated columns with three decimals, some rows at a time, the same in every run."""
    import numpy as np

    rng = np.random.default_rng(0)
    mixing = rng.standard_normal((8, WIDTH))
    for start in range(0, rows, BLOCK):
        n = min(BLOCK, rows - start)
        noise = rng.standard_normal((n, WIDTH))
        yield np.round(rng.standard_normal((n, 8)) @ mixing + noise, 3)


def whole(rows: int) -> Any:
    """Give all rows at once."""
    import numpy as np

    return np.concatenate(list(blocks(rows)))


def write_arrow(path: Path, rows: int) -> None:
    """Write what Arrow writes, in row groups or record batches."""
    import numpy as np
    import pyarrow as pa

    from benchmarks.large import write

    write(path, (pa.table(list(np.ascontiguousarray(b.T)), names=_NAMES) for b in blocks(rows)))


def write_parts(path: Path, rows: int) -> None:
    """Write a folder of Parquet files, of the same size whatever their number."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.mkdir()
    for i, block in enumerate(blocks(rows)):
        table = pa.table(list(np.ascontiguousarray(block.T)), names=_NAMES)
        pq.write_table(table, path / f"part-{i:04}.parquet")


def write_npy(path: Path, rows: int) -> None:
    """Write one array."""
    import numpy as np

    np.save(path, whole(rows))


def write_npz(path: Path, rows: int) -> None:
    """Write a packed array."""
    import numpy as np

    np.savez_compressed(path, X=whole(rows))


def write_blanks(path: Path, rows: int) -> None:
    """Write numbers between blanks, without a header."""
    with path.open("w") as file:
        for block in blocks(rows):
            file.writelines("  ".join(f"{v:8g}" for v in row) + "\n" for row in block)


def write_arff(path: Path, rows: int) -> None:
    """Write an ARFF file."""
    with path.open("w") as file:
        file.write("@relation r\n" + "".join(f"@attribute {n} numeric\n" for n in _NAMES))
        file.write("@data\n")
        for block in blocks(rows):
            file.writelines(",".join(f"{v:g}" for v in row) + "\n" for row in block)


def write_book(path: Path, rows: int) -> None:
    """Write a workbook; .ods is written as the text that it is."""
    if path.suffix == ".ods":
        _write_ods(path, rows)
        return
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(_NAMES)
    for block in blocks(rows):
        for row in block.tolist():
            sheet.append(row)
    book.save(path)


def _write_ods(path: Path, rows: int) -> None:
    import zipfile

    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    cell = '<table:table-cell office:value-type="float" office:value="{}"/>'.format
    name = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    line = "<table:table-row>{}</table:table-row>".format
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        with archive.open("content.xml", "w") as file:
            head = f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            head += '<table:table table:name="S">' + line("".join(map(name.format, _NAMES)))
            file.write(head.encode())
            for block in blocks(rows):
                for row in block.tolist():
                    file.write(line("".join(map(cell, row))).encode())
            tail = "</table:table></office:spreadsheet></office:body></office:document-content>"
            file.write(tail.encode())


def write_study(path: Path, rows: int) -> None:
    """Write a file of SPSS, Stata or SAS."""
    import pandas as pd
    import pyreadstat

    frame = pd.DataFrame(whole(rows), columns=_NAMES)
    if path.suffix == ".sas7bdat":
        from tests.sas_writer import write_sas7bdat

        write_sas7bdat(path, {name: frame[name].tolist() for name in _NAMES})
        return
    writers: dict[str, Callable[..., Any]] = {
        ".sav": pyreadstat.write_sav,
        ".dta": pyreadstat.write_dta,
        ".xpt": pyreadstat.write_xport,
    }
    writers.get(path.suffix, pyreadstat.write_sav)(
        frame, str(path), **({"compress": True} if path.suffix == ".zsav" else {})
    )


def write_anndata(path: Path, rows: int) -> None:
    """Write a store as anndata does; `.sparse.h5ad` and `.zarr` hold rows with zeros left out."""
    import h5py
    import numpy as np
    import scipy.sparse
    import zarr

    store: Any = (
        zarr.open_group(str(path), mode="w", zarr_format=2) if path.suffix == ".zarr" else None
    )
    store = h5py.File(path, "w") if store is None else store
    parts: dict[str, Any] = {"X": whole(rows)}
    if "sparse" in path.name or path.suffix == ".zarr":
        X = whole(rows)
        matrix = scipy.sparse.csr_array(np.where(X > 0, X, 0))
        group = store.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["shape"] = list(X.shape)
        parts = {f"X/{part}": vars(matrix)[part] for part in ("data", "indices", "indptr")}
    for name, count in (("obs", rows), ("var", WIDTH)):
        frame = store.create_group(name)
        frame.attrs["_index"] = "_index"
        frame.attrs["column-order"] = []
        parts[f"{name}/_index"] = np.array([f"{name}{i}" for i in range(count)], dtype="S12")
    for place, values in parts.items():
        make = getattr(store, "create_array", None) or store.create_dataset
        chunks = (min(1_000, len(values)), *values.shape[1:])
        make(place, shape=values.shape, dtype=values.dtype, chunks=chunks)[...] = values


def write_bed(path: Path, rows: int) -> None:
    """Write genotypes of 40 variants."""
    import numpy as np

    rng = np.random.default_rng(0)
    shared = rng.integers(0, 4, (8, rows), dtype=np.uint8)
    with path.open("wb") as file:
        file.write(b"\x6c\x1b\x01")
        for j in range(WIDTH):
            own = np.where(rng.random(rows) < 0.5, shared[j % 8], rng.integers(0, 4, rows))
            own = np.where(own == 1, 3, own).astype(np.uint8)  # 1 is missing
            own = np.append(own, np.zeros(-rows % 4, np.uint8)).reshape(-1, 4)
            file.write((own << np.array([0, 2, 4, 6], np.uint8)).sum(1).astype(np.uint8).tobytes())
    path.with_suffix(".bim").write_text("".join(f"1 rs{j} 0 {j} A G\n" for j in range(WIDTH)))
    path.with_suffix(".fam").write_text("".join(f"f s{i} 0 0 1 1\n" for i in range(rows)))


def write_r(path: Path, rows: int) -> None:
    """Write a data frame of R."""
    import pandas as pd
    import rdata

    rdata.write_rds(path, pd.DataFrame(whole(rows), columns=_NAMES))


@dataclass(frozen=True)
class Form:
    """What writes a format, the rows of its small table, and who holds the whole table if any."""

    write: Callable[[Path, int], None]
    rows: int = 220_000
    held: str = ""


FORMS = {
    "csv": Form(write_arrow, 290_000),
    "csv.gz": Form(write_arrow),
    "data": Form(write_blanks),
    "parquet": Form(write_arrow),
    "feather": Form(write_arrow),
    "npy": Form(write_npy),
    "npz": Form(write_npz),
    "arff": Form(write_arff, 120_000),
    "sav": Form(write_study),
    "zsav": Form(write_study),
    "dta": Form(write_study),
    "sas7bdat": Form(write_study, 120_000),
    "xpt": Form(write_study),
    "h5ad": Form(write_anndata),
    "sparse.h5ad": Form(write_anndata),
    "zarr": Form(write_anndata),
    "bed": Form(write_bed),
    "parts": Form(write_parts),
    "dask": Form(write_parts),
    "spark": Form(write_parts),
    "xlsx": Form(write_book, 10_000, "python-calamine"),
    "ods": Form(write_book, 5_000, "python-calamine"),
    "rds": Form(write_r, 50_000, "rdata"),
}


def peak(kind: str, folder: Path, rows: int) -> tuple[float, float]:
    """Write a table and read it: megabytes at the peak, and those of the file."""
    path = folder / f"t{rows}.{kind}"
    job = [sys.executable, "-m", "benchmarks.memory", "--make", kind, str(path), str(rows)]
    subprocess.run(job, check=True)
    parts = [p for p in folder.rglob("*") if p.is_file()]
    size = sum(part.stat().st_size for part in parts) / 1e6
    if kind == "spark":  # the peak of the process itself: Java keeps what it may have
        command = [sys.executable, "-c", _SPARK, str(path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = float(done.stdout.splitlines()[-1])
    elif kind == "dask":
        found = measured(sys.executable, "-c", _DASK, str(path)).peak
    else:
        found = tamis("select", path, *_SELECT, "1GB" if FORMS[kind].held else "128MB").peak
    shutil.rmtree(folder)
    folder.mkdir()
    return found, size


def main() -> None:
    """Measure the formats asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--only", choices=FORMS, action="append")
    parser.add_argument("--rows", type=int, help="of the small tables")
    parser.add_argument("--make", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        FORMS[given.make[0]].write(Path(given.make[1]), int(given.make[2]))
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    print("| format | rows | file | few rows | peak | 4 times the rows | ratio | held by |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="tamis-memory-") as name:
        folder = Path(name) / "table"
        folder.mkdir()
        for kind in given.only or FORMS:
            rows = given.rows or FORMS[kind].rows
            base, _ = peak(kind, folder, _FEW)
            small, _ = peak(kind, folder, rows)
            large, size = peak(kind, folder, TIMES * rows)
            cells = f"{kind} | {TIMES * rows:,} | {size:.0f} MB | {base:.0f} MB | {small:.0f} MB"
            ratio = f"{large:.0f} MB | {large / small:.2f} | {FORMS[kind].held}"
            print(f"| {cells} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
