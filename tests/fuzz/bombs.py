"""`python -m tests.fuzz.bombs`: small files that ask for far more memory than `--memory` allows.

Each is read by the command in a process of its own. The answer is a result or one sentence, and
the process stays below 1 GB.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

LIMIT = 1 << 30
_ADDRESSES = 6 << 30  # what a bomb may reserve before it is stopped: far more than it may use
_SECONDS = 120  # of the processor: a busy machine is no fault of the file
_CLOCK_SECONDS = 10 * _SECONDS
# A process starts with the mark of its parent (`ru_maxrss`), so it says itself what it has used.
_CODE = f"""
import atexit, os, resource, sys
from tamis.evaluation.peak_memory import read_peak

def tell_peak(to=int(sys.argv.pop(1))):
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    os.write(to, str(max(round(read_peak() * 1e6), others)).encode())

atexit.register(tell_peak)
resource.setrlimit(resource.RLIMIT_AS, ({_ADDRESSES}, {_ADDRESSES}))
resource.setrlimit(resource.RLIMIT_CPU, ({_SECONDS}, {_SECONDS}))
from tamis.cli import main
main()
"""
_ZEROS = bytes(1 << 24)
_LONG = "x" * 1_000_000


def _numbers(n: int) -> dict[str, object]:
    return {"a": np.arange(float(n)), "b": np.random.default_rng(0).normal(size=n)}


def _repeated(n: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([_LONG]))


def _repeating(rows: int) -> pa.Table:
    return pa.table({**_numbers(rows), "t": _repeated(rows)})


def parquet_dictionary(path: Path, rows: int = 30_000) -> None:
    """One long text, repeated by a dictionary."""
    pq.write_table(_repeating(rows), path, store_schema=False)


def parquet_categories(path: Path, rows: int = 30_000) -> None:
    """The same as categories."""
    pq.write_table(_repeating(rows), path)


def parquet_page(path: Path) -> None:
    """One page of a gigabyte of text, packed."""
    texts = pa.array(["y" * 100_000] * 10_000, pa.large_string())
    own = {"use_dictionary": False, "compression": "zstd", "data_page_size": (1 << 31) - 1}
    table = pa.table({**_numbers(10_000), "t": texts})
    pq.write_table(table, path, write_batch_size=10_000, store_schema=False, **own)


def parquet_prefixes(path: Path, rows: int = 5_000) -> None:
    """Texts stored as the difference from the one before."""
    encodings = {"t": "DELTA_BYTE_ARRAY", "a": "PLAIN", "b": "PLAIN"}
    texts = pa.array(["y" * 300_000] * rows, pa.large_string())
    table = pa.table({**_numbers(rows), "t": texts})
    pq.write_table(table, path, use_dictionary=False, column_encoding=encodings, store_schema=False)


def parquet_lists(path: Path) -> None:
    """Lists of long texts, to be copied to the output."""
    lists = pa.ListArray.from_arrays(np.arange(0, 2001, 20), _repeated(2_000).cast(pa.string()))
    pq.write_table(pa.table({**_numbers(100), "t": lists}), path, store_schema=False)


def feather_dictionary(path: Path, rows: int = 30_000) -> None:
    """One long text, repeated by a dictionary."""
    pyarrow.feather.write_feather(_repeating(rows), str(path), compression="uncompressed")


def feather_packed(path: Path) -> None:
    """One packed record batch of two gigabytes."""
    zeros = pa.py_buffer(bytes(1 << 30))
    columns = [pa.Array.from_buffers(pa.float64(), 1 << 27, [None, zeros]) for _ in range(2)]
    table = pa.Table.from_arrays(columns, names=["a", "b"])
    pyarrow.feather.write_feather(table, str(path), compression="zstd", chunksize=1 << 28)


def feather_values(path: Path) -> None:
    """A packed dictionary whose values are a gigabyte."""
    values = pa.array(["z" * 1_000_000_000], pa.large_string())
    codes = pa.DictionaryArray.from_arrays(pa.array(np.zeros(10, np.int32)), values)
    table = pa.table({**_numbers(10), "t": codes})
    pyarrow.feather.write_feather(table, str(path), compression="zstd")


def arrow_views(path: Path, rows: int = 30_000) -> None:
    """Thirty thousand views on one long text."""
    view = np.zeros(4, dtype="<i4")
    view[0], view[1] = len(_LONG), int.from_bytes(b"xxxx", "little")
    views = pa.py_buffer(np.tile(view, rows).tobytes())
    texts = pa.Array.from_buffers(
        pa.string_view(), rows, [None, views, pa.py_buffer(_LONG.encode())], null_count=0
    )
    table = pa.table({**_numbers(rows), "t": texts})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def _member(file: zipfile.ZipFile, name: str, dtype: str, shape: tuple[int, ...]) -> None:
    """Write an array of zeros into an archive without making it."""
    fortran = name.startswith("F:")
    text = f"{{'descr': {dtype!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    head = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()
    left = int(np.dtype(dtype).itemsize) * int(np.prod(shape, dtype=object))
    with file.open(name.removeprefix("F:") + ".npy", "w", force_zip64=True) as stream:
        stream.write(head)
        while left > 0:
            stream.write(_ZEROS[:left])
            left -= len(_ZEROS)


def _npz(path: Path, *members: tuple[str, str, tuple[int, ...]]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for member in members:
            _member(file, *member)


def npz_fortran(path: Path) -> None:
    """Two gigabytes column by column: rows can only be read with all of it held."""
    _npz(path, ("F:X", "<f8", (1 << 14, 1 << 14)))


def npz_names(path: Path) -> None:
    """Names of 350,000,000 letters."""
    _npz(path, ("X", "<f8", (10, 2)), ("feature_names", "<U350000000", (2,)))


def npz_one_row(path: Path) -> None:
    """Rows of a hundred million columns."""
    _npz(path, ("X", "<f8", (3, 100_000_000)))


def npz_stored_zeros(path: Path) -> None:
    """A sparse matrix that stores 2^28 zeros."""
    count = 1 << 28
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, value in (("format", np.array(b"csr")), ("shape", np.array([2, count]))):
            with file.open(f"{name}.npy", "w") as stream:
                np.lib.format.write_array(stream, value, allow_pickle=False)
        _member(file, "data", "|i1", (count,))
        _member(file, "indices", "<i4", (count,))
        with file.open("indptr.npy", "w") as stream:
            np.lib.format.write_array(stream, np.array([0, count, count]), allow_pickle=False)


def _summary(path: Path, width: int, blocks: int) -> None:
    names = [f"c{j}" for j in range(width)]
    header = {"format": "tamis summary", "version": 1, "names": names, "kinds": ["numeric"] * width}
    header |= {"named": True, "rows": 9, "used": 9, "missing": ["error"], "parts": 1}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("header.json", json.dumps({**header, "blocks": blocks}))
        _member(file, "count", "<i8", (blocks,))
        _member(file, "missing", "<i8", (width,))
        for name in ("mean", "rest", "unit"):
            _member(file, name, "<f8", (blocks, width))
        tile = 1024
        for block in range(blocks):
            for i in range(-(-width // tile)):
                for j in range(i, -(-width // tile)):
                    shape = (min(tile, width - i * tile), min(tile, width - j * tile))
                    _member(file, f"scatter_{block}_{i}_{j}", "<f8", shape)


def summary_wide(path: Path) -> None:
    """A summary of 16,000 columns: the products of all pairs are two gigabytes."""
    _summary(path, 16_000, 1)


def summary_blocks(path: Path) -> None:
    """A summary of 2,000 columns in 60 blocks."""
    _summary(path, 2_000, 60)


def csv_columns(path: Path) -> None:
    """A million columns and three rows."""
    cells = ",".join("1" for _ in range(1_000_000))
    names = ",".join(f"c{j}" for j in range(1_000_000))
    path.write_text("\n".join([names, cells, cells, cells]) + "\n")


def _gz(path: Path, *parts: tuple[bytes, int]) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for data, times in parts:
            for _ in range(times):
                file.write(data)


def gzip_first_line(path: Path) -> None:
    """A first line of a gigabyte."""
    _gz(path, (b"x" * (1 << 20), 1 << 10), (b"\n1\n2\n", 1))


def gzip_cell(path: Path) -> None:
    """A cell of a gigabyte."""
    _gz(path, (b"a,b\n1,2\n3,", 1), (b"x" * (1 << 20), 1 << 10), (b"\n4,5\n", 1))


def gzip_rows(path: Path) -> None:
    """Two gigabytes of short rows."""
    _gz(path, (b"a,b\n", 1), (b"1,0.5\n2,0.25\n3,8\n" * 60_000, 250))


def xlsx_text(path: Path) -> None:
    """One long text in ten thousand cells."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["a", "b", "t"])
    for i in range(10_000):
        sheet.append([i, i * i % 97, "x" * 30_000])
    book.save(path)


def xlsx_shared(path: Path) -> None:
    """One shared text of three megabytes in two thousand cells, written by hand."""
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rows = "".join(
        f'<row r="{i}"><c r="A{i}"><v>{i}</v></c><c r="B{i}" t="s"><v>0</v></c></row>'
        for i in range(1, 2_001)
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    kinds = "http://schemas.openxmlformats.org/package/2006"
    links = {
        "worksheet": ("rId1", "worksheets/sheet1.xml"),
        "sharedStrings": ("rId2", "sharedStrings.xml"),
    }
    inner = "".join(
        f'<Relationship Id="{key}" Type="{office}/{kind}" Target="{target}"/>'
        for kind, (key, target) in links.items()
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{kinds}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{kinds}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {space} xmlns:r="{office}"><sheets><sheet name="S" '
        'sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{kinds}/relationships">{inner}'
        "</Relationships>",
        "xl/sharedStrings.xml": f"<sst {space}><si><t>{'x' * 3_000_000}</t></si></sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def _h5ad(path: Path, rows: int, texts: object) -> None:
    """Write a small table whose rows have these texts beside them."""
    import h5py

    with h5py.File(path, "w") as store:
        store["X"] = np.random.default_rng(0).normal(size=(rows, 2))
        for name, index in (("obs", np.arange(rows)), ("var", np.arange(2))):
            frame = store.create_group(name)
            frame.attrs["_index"], frame.attrs["column-order"] = "_index", ["t"]
            frame["_index"] = index.astype("S9")
            frame["t"] = index
        del store["obs/t"]
        texts(store)  # type: ignore[operator]


def h5ad_long_texts(path: Path) -> None:
    """Texts of fifty million letters each."""
    _h5ad(path, 90, lambda store: store.create_dataset("obs/t", (90,), "S50000000", chunks=(1,)))


def h5ad_same_text(path: Path) -> None:
    """Two thousand rows that point to one text of three megabytes."""

    def put(store: object) -> None:
        import h5py

        one = store.create_dataset("obs/t", (2_000,), h5py.string_dtype())  # type: ignore[attr-defined]
        place = one.id
        one[0] = "x" * 3_000_000
        store.flush()  # type: ignore[attr-defined]
        start = place.get_offset()
        store.close()  # type: ignore[attr-defined]
        data = bytearray(path.read_bytes())
        data[start : start + 16 * 2_000] = data[start : start + 16] * 2_000
        path.write_bytes(data)

    _h5ad(path, 2_000, put)


def arff_attributes(path: Path) -> None:
    """Three hundred thousand attributes."""
    names = "".join(f"@attribute a{j} numeric\n" for j in range(300_000))
    row = ",".join(["1"] * 300_000)
    path.write_text(f"@relation r\n{names}@data\n{row}\n{row}\n")


def arff_comments(path: Path) -> None:
    """Five million lines of comment."""
    rows = "".join(f"{i},{i * i % 7}\n" for i in range(30))
    head = "@relation r\n@attribute a numeric\n@attribute b numeric\n"
    path.write_text("%\n" * 5_000_000 + f"{head}@data\n{rows}")


def parquet_long_text(path: Path) -> None:
    """One text of five megabytes, twenty thousand times."""
    codes = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(20_000, np.int32)), pa.array(["x" * 5_000_000])
    )
    pq.write_table(pa.table({**_numbers(20_000), "t": codes}), path)


def parquet_zeros(path: Path) -> None:
    """Sixty million zeros in half a megabyte."""
    zeros = pa.array(np.zeros(20_000_000))
    pq.write_table(pa.table({"a": zeros, "b": zeros, "c": zeros}), path, compression="zstd")


def csv_gz_zeros(path: Path) -> None:
    """Sixty million zeros, packed."""
    _gz(path, (b"a,b,c\n", 1), (b"0,0,0\n" * 100_000, 200))


def wide(path: Path) -> None:
    """50 rows of 60,000 columns, without -k."""
    np.savez_compressed(path, X=np.random.default_rng(0).normal(size=(50, 60_000)).round(2))


@dataclass(frozen=True)
class Bomb:
    """A file, what makes it and how it is read."""

    name: str
    make: Callable[..., None]
    more: tuple[str, ...] = ("-k", "1")

    def __str__(self) -> str:
        return " ".join((self.make.__name__, *self.more))


BOMBS = (
    Bomb("t.parquet", parquet_dictionary),
    Bomb("t.parquet", parquet_dictionary, ("-k", "1", "--target", "t", "-m", "tree-importance")),
    Bomb("t.parquet", parquet_categories, ("-k", "1", "-m", "greedy-fs")),
    Bomb("t.parquet", parquet_page),
    Bomb("t.parquet", parquet_prefixes),
    Bomb("t.parquet", parquet_lists, ("-k", "1", "--carry", "t", "-o", "kept.feather")),
    Bomb("t.feather", feather_dictionary),
    Bomb("t.feather", feather_packed),
    Bomb("t.feather", feather_values),
    Bomb("t.arrow", arrow_views),
    Bomb("t.npz", npz_fortran),
    Bomb("t.npz", npz_names),
    Bomb("t.npz", npz_one_row),
    Bomb("t.npz", npz_stored_zeros),
    Bomb("t.tamis", summary_wide),
    Bomb("t.tamis", summary_blocks),
    Bomb("t.csv", csv_columns),
    Bomb("t.csv.gz", gzip_first_line),
    Bomb("t.csv.gz", gzip_cell),
    Bomb("t.csv.gz", gzip_rows),
    Bomb("t.xlsx", xlsx_text),
    Bomb("t.xlsx", xlsx_shared),
    Bomb("t.h5ad", h5ad_long_texts),
    Bomb("t.h5ad", h5ad_same_text),
    Bomb("t.arff", arff_attributes),
    Bomb("t.arff", arff_comments),
    Bomb("t.parquet", parquet_long_text),
    Bomb("t.parquet", parquet_zeros),
    Bomb("t.csv.gz", csv_gz_zeros),
    Bomb("t.npz", wide, ()),
)


@dataclass(frozen=True)
class Burst:
    """How a bomb ended: what is wrong, if any, its memory in bytes, its seconds of processor."""

    wrong: str
    peak: int
    seconds: float
    said: str


def _spent() -> float:
    """Give the processor time of all processes that have ended."""
    import resource  # of Unix, where bombs are read

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def explode(bomb: Bomb, folder: Path) -> Burst:
    """Make the file and read it."""
    path = folder / bomb.name
    maker = os.fork()  # what it takes to make it is no matter of the command
    if not maker:
        bomb.make(path)
        os._exit(0)
    if os.waitpid(maker, 0)[1]:
        return Burst("it could not be made", 0, 0.0, "")
    start = _spent()
    command = ["select", path.name, "--memory", "200MB", *bomb.more]
    told, tells = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", _CODE, str(tells), *command],
        pass_fds=[tells],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1"},
        text=True,
    )
    os.close(tells)
    assert process.stderr is not None
    clock = threading.Timer(_CLOCK_SECONDS, process.kill)
    clock.start()
    with process.stderr as errors:
        said = errors.read()
    code = process.wait()
    clock.cancel()
    with os.fdopen(told) as used:
        peak, took = int(used.read() or 0), _spent() - start
    wrong = ""
    if code not in (0, 2) or (code == 2 and not re.fullmatch(r"tamis: [^\n]+[.?]\n", said)):
        wrong = f"exit code {code}"
    elif "Not enough memory" in said:
        wrong = "it was not seen before it was unpacked"
    elif peak >= LIMIT:
        wrong = "too much memory"
    return Burst(wrong, peak, took, said.strip()[-200:])


def main() -> None:
    """Run all and print what each took."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.bombs", description=__doc__)
    parser.add_argument("--only", default="", help="only bombs whose functions' names contain this")
    given = parser.parse_args()
    failed = 0
    for bomb in BOMBS:
        if given.only not in bomb.make.__name__:
            continue
        with tempfile.TemporaryDirectory() as name:
            burst = explode(bomb, Path(name))
        failed += bool(burst.wrong)
        sys.stdout.write(
            f"{'FAILED ' + burst.wrong if burst.wrong else 'ok'}: {bomb.make.__name__}, "
            f"{burst.peak >> 20} MB, {burst.seconds:.0f} s: {burst.said}\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"{failed} failed\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
