"""PLINK genotypes: two bits each, with variants and samples in texts beside them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources import plink
from tamis.sources.open import open_source

CODES = {2: 0b00, -1: 0b01, 1: 0b10, 0: 0b11}


def write_plink(folder: Path, genotypes: np.ndarray, ids: list[str] | None = None) -> Path:
    """Write genotypes (samples x variants, -1 for missing) bit by bit, as the format says."""
    n, m = genotypes.shape
    data = bytearray(b"\x6c\x1b\x01")
    for j in range(m):
        for start in range(0, n, 4):
            some = genotypes[start : start + 4, j]
            data.append(sum(CODES[int(g)] << 2 * i for i, g in enumerate(some)))
    (folder / "t.bed").write_bytes(data)
    names = ids or [f"rs{j}" for j in range(m)]
    bim = "".join(f"1\t{name}\t0\t{100 + j}\tA\tG\n" for j, name in enumerate(names))
    fam = "".join(f"f{i} s{i} 0 0 {i % 3} {1 + i % 2}\n" for i in range(n))
    (folder / "t.bim").write_text(bim)
    (folder / "t.fam").write_text(fam)
    return folder / "t.bed"


@pytest.fixture
def genotypes() -> np.ndarray:
    return np.random.default_rng(1).integers(-1, 3, size=(27, 6))


def _expected(genotypes: np.ndarray) -> np.ndarray:
    return np.where(genotypes < 0, np.nan, genotypes)


@pytest.mark.parametrize("budget", [1 << 8, 1 << 12, 1 << 28])
def test_genotypes_are_copies_of_the_first_allele_in_blocks(
    tmp_path: Path, genotypes: np.ndarray, budget: int
) -> None:
    path = write_plink(tmp_path, genotypes)
    with limit_memory(budget):
        source = open_source(path) if budget > 1 << 9 else None
        if source is None:
            with limit_memory(1 << 20):
                source = open_source(path)
        read = np.concatenate(list(source.batches(range(6))))
    np.testing.assert_array_equal(read, _expected(genotypes))
    np.testing.assert_array_equal(
        np.concatenate(list(source.batches([4, 1]))), _expected(genotypes)[:, [4, 1]]
    )


def test_samples_are_described_beside_and_phenotypes_are_labels(tmp_path: Path) -> None:
    genotypes = np.random.default_rng(1).integers(0, 3, size=(40, 6))
    path = write_plink(tmp_path, genotypes)
    source = open_source(path)
    assert source.kinds == ("numeric",) * 6 + ("beside",) * 6
    assert source.pick([7, 10, 11]).slice(0, 3).to_pydict() == {
        "sample": ["s0", "s1", "s2"],
        "sex": [None, "male", "female"],
        "phenotype": [1.0, 2.0, 1.0],
    }
    assert source.info.texts["rs0"] == "chromosome 1, position 100"
    frame = pd.DataFrame(genotypes, columns=[f"rs{j}" for j in range(6)])
    assert tamis.select(path, 3).names == tamis.select(frame, 3).names
    y = [1 + i % 2 for i in range(40)]
    with_labels = tamis.select(path, 3, method="information-gain", y="phenotype")
    assert with_labels.names == tamis.select(frame, 3, method="information-gain", y=y).names


def test_many_samples_are_read_some_at_a_time(
    tmp_path: Path, genotypes: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_plink(tmp_path, genotypes)
    fam = "".join(f"f {i} {i % 2} 0 1 {'-9' if i == 4 else i}\n" for i in range(len(genotypes)))
    (tmp_path / "t.fam").write_text(fam)
    at_once = open_source(path).pick(range(6, 12)).to_pydict()
    monkeypatch.setattr(plink, "_LINES_AT_A_TIME", 4)
    assert open_source(path).pick(range(6, 12)).to_pydict() == at_once
    assert at_once["father"][:3] == [None, "1", None]
    assert at_once["phenotype"][3:6] == [3.0, None, 5.0]


def test_variants_without_an_id_of_their_own_are_named_by_place(
    tmp_path: Path, genotypes: np.ndarray
) -> None:
    path = write_plink(tmp_path, genotypes, ["rs1", ".", "x", "x", ".", "y"])
    names = open_source(path).names[:6]
    assert names == ("rs1", "1:101:A:G", "1:102:A:G", "1:103:A:G", "1:104:A:G", "y")


def _drop(folder: Path) -> None:
    (folder / "t.bim").unlink()


def _cut(folder: Path) -> None:
    (folder / "t.bed").write_bytes((folder / "t.bed").read_bytes()[:-1])


def _intervals(folder: Path) -> None:
    (folder / "t.bed").write_text("chr1\t100\t200\n")


def _by_sample(folder: Path) -> None:
    (folder / "t.bed").write_bytes(b"\x6c\x1b\x00" + (folder / "t.bed").read_bytes()[3:])


def _short(folder: Path) -> None:
    (folder / "t.fam").write_text("f1 s1\n")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_drop, r"needs t\.bim beside it"),
        (_cut, "take 45 bytes"),
        (_intervals, "holds no PLINK genotypes"),
        (_by_sample, "make-bed"),
        (_short, r"Line 1 of t\.fam has 2 values where 6 are needed"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, genotypes: np.ndarray, damage: Any, reason: str
) -> None:
    write_plink(tmp_path, genotypes)
    damage(tmp_path)
    with pytest.raises(TamisError, match=reason):
        open_source(tmp_path / "t.bed")
