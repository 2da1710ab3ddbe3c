"""PLINK genotypes: .bed with .bim (variants) and .fam (samples) beside it.

A genotype counts the copies of the first allele of the variant: 0, 1, 2, or is missing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.errors import TamisError
from tamis.memory import batch_bytes, batch_rows, check_room, get_budget
from tamis.sources.annotated import AnnotatedSource
from tamis.sources.arrays import StoredArraySource
from tamis.sources.files import explain_unreadable
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source
from tamis.sources.text_form import read_lines

_BED_MAGIC = b"\x6c\x1b"
_BY_VARIANT = b"\x01"
_START = 3  # bytes before the genotypes
_FAM = ("family", "sample", "father", "mother", "sex", "phenotype")
_SEXES = {"1": "male", "2": "female"}
_NO_PHENOTYPE = ("-9", "NA", "nan")
_LINE_BYTES = 500  # that a variant takes in memory
_SAMPLE_BYTES = 100
_LINES_AT_A_TIME = 10_000
_BUDGET_PART = 4  # of the memory budget that packed genotypes may take
# The values of two bits: two copies, missing, one copy, none; four genotypes are in a byte.
_ALLELES_OF_CODE = np.array([2.0, np.nan, 1.0, 0.0], dtype=np.float32)
_GENOTYPES = _ALLELES_OF_CODE[(np.arange(256)[:, None] >> np.array([0, 2, 4, 6])) & 3]


def open_plink(path: Path) -> Source:
    """Open genotypes; samples are rows and variants are columns."""
    with explain_unreadable(path):
        blocks = _read_fields(_find_companion(path, ".bim"), _LINE_BYTES)
        variants = [fields for block in blocks for fields in block]
        # There may be many samples: Arrow has them, not Python.
        blocks = _read_fields(_find_companion(path, ".fam"), _SAMPLE_BYTES)
        samples, last = pa.concat_tables(map(_as_table, blocks)), len(_FAM) - 1
        with suppress(pa.ArrowInvalid):  # phenotypes are numbers where all are
            numbers = samples.column(last).cast(pa.float64())
            samples = samples.set_column(last, _FAM[last], numbers)
        names = _name_variants(variants)
        with path.open("rb") as file:
            start = file.read(_START)
        if not start.startswith(_BED_MAGIC):
            raise TamisError(
                f"{path.name} holds no PLINK genotypes: give the .bed file of PLINK, one of genome "
                "intervals is no table to choose from."
            )
        if start[2:] != _BY_VARIANT:
            raise TamisError(
                f"{path.name} is stored sample by sample, as very old versions of PLINK did: "
                f"`plink --bfile {path.stem} --make-bed` writes it anew."
            )
        expected = _START + len(variants) * -(-len(samples) // 4)
        if path.stat().st_size != expected:
            raise ValueError(
                f"{len(samples):,} samples and {len(variants):,} variants take {expected:,} bytes"
            )
        shape = (len(samples), len(names))
        genotypes = StoredArraySource(path, shape, np.float32, names, _make_reader(path, shape))
        source = AnnotatedSource(genotypes, samples)
        texts = {
            n: f"chromosome {v[0]}, position {v[3]}" for n, v in zip(names, variants, strict=True)
        }
        source.info = replace(source.info, texts=texts)
        return source


def _find_companion(path: Path, suffix: str) -> Path:
    other = path.with_suffix(suffix)
    if not other.exists():
        raise TamisError(
            f"{path.name} needs {other.name} beside it, which is not there: copy it to that folder."
        )
    return other


def _read_fields(path: Path, held: int) -> Iterator[list[list[str]]]:
    """Read the fields of all lines, some lines at a time, each of which will take `held` bytes."""
    rows: list[list[str]] = []
    done = 0
    for number, line in enumerate(read_lines(path, "utf-8"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) < len(_FAM):
            raise TamisError(
                f"Line {number} of {path.name} has {len(fields)} values where {len(_FAM)} are "
                "needed: fix that line."
            )
        rows.append(fields)
        done += 1
        if len(rows) == _LINES_AT_A_TIME:
            check_room(held * done, path.name)
            yield rows
            rows = []
    if not done:
        raise TamisError(f"{path.name} is empty: it must have one line for every one of them.")
    if rows:
        yield rows


def _name_variants(variants: Sequence[Sequence[str]]) -> list[str]:
    """Name variants by their ids, those without one of their own by place and alleles.

    >>> _name_variants([["1", "rs1", "0", "5", "A", "G"], ["1", ".", "0", "7", "A", "C"]])
    ['rs1', '1:7:A:C']
    """
    ids = [fields[1] for fields in variants]
    seen, twice = set[str](), set[str]()
    for name in ids:
        (twice if name in seen else seen).add(name)
    return [
        ":".join((fields[0], *fields[3:6])) if name == "." or name in twice else name
        for name, fields in zip(ids, variants, strict=True)
    ]


def _as_table(block: Sequence[Sequence[str]]) -> pa.Table:
    texts = [pa.array(texts) for texts in zip(*(fields[:6] for fields in block), strict=True)]
    columns = dict(zip(_FAM, texts, strict=True))
    for name in ("father", "mother"):
        columns[name] = _without(columns[name], ["0"])
    codes = pc.index_in(columns["sex"], pa.array(_SEXES.keys()))
    columns["sex"] = pa.array(_SEXES.values()).take(codes)
    columns["phenotype"] = _without(columns["phenotype"], _NO_PHENOTYPE)
    return pa.table(columns)


def _without(column: Any, codes: Sequence[str]) -> Any:
    return pc.if_else(pc.is_in(column, pa.array(codes)), pa.scalar(None, pa.string()), column)


def _make_reader(path: Path, shape: tuple[int, int]) -> Callable[[list[int]], Iterator[Any]]:
    """Make what reads the genotypes of some variants, a block of samples at a time."""
    rows, turned = shape[0], cache(partial(_turn, path, shape))

    def read(columns: list[int]) -> Iterator[Any]:
        step = 4 * max(1, batch_rows(len(columns)) // 4)
        for start in range(0, rows, step):
            packed = turned()[start // 4 : -(-(start + step) // 4)][:, columns]
            block = _GENOTYPES[packed].transpose(0, 2, 1).reshape(-1, len(columns))
            yield block[: rows - start]

    return read


def _turn(path: Path, shape: tuple[int, int]) -> Any:
    """Give the packed bytes with one row for every four samples.

    The file has them variant by variant: they are turned once, in memory or, where there are many,
    in a temporary file.
    """
    width, height = shape[1], -(-shape[0] // 4)
    if width * height <= get_budget() // _BUDGET_PART:
        turned: Any = np.empty((height, width), np.uint8)
    else:
        with with_room():
            name = scratch_folder() / "genotypes"
            turned = np.memmap(name, np.uint8, "w+", shape=(height, width))
    step = max(1, batch_bytes() // max(height, 1))
    with path.open("rb") as file:
        file.seek(_START)
        for start in range(0, width, step):
            count = min(step, width - start)
            block = np.frombuffer(file.read(count * height), np.uint8)
            turned[:, start : start + count] = block.reshape(count, height).T
    return turned
