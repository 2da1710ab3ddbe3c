"""Tables whose variables are in rows: asked where they look so, and turned."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.needs import SHARED, needs_shared

import tamis
from tamis import TableFile
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources import transposed
from tamis.sources.open import looks_transposed, open_source

GENES = [f"ENSG{j:011d}" for j in range(60)]
SYMBOLS = [f"AB{chr(65 + j % 26)}{j}" for j in range(60)]
REAL = SHARED / "real"


def _table(rows: list[str], columns: list[str]) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(len(columns), 4)) @ rng.normal(size=(4, len(rows)))
    return pd.DataFrame(X.T + rng.normal(size=(len(rows), len(columns))), rows, columns)


@pytest.mark.parametrize(
    ("first", "rows", "columns"),
    [
        ("", GENES, [f"v{i}" for i in range(30)]),
        ("gene", SYMBOLS, [f"S{i}" for i in range(30)]),
        (
            "Metabolite",
            SYMBOLS,
            ["mz", *(f"{g}_{i}" for g in ("ctrl", "a", "b") for i in range(9))],
        ),
        ("Probe_ID", SYMBOLS, [f"GSM{i}" for i in range(1000, 1030)]),
        ("", SYMBOLS, [f"{'ACGT' * 4}-{i}" for i in range(30)]),
        ("", SYMBOLS, [f"AAAC{i:04d}-1" for i in range(30)]),
        ("variable", [f"q{j}" for j in range(60)], [f"patient {i}" for i in range(30)]),
    ],
)
def test_variables_in_rows_are_noticed(first: str, rows: list[str], columns: list[str]) -> None:
    assert looks_transposed(first, rows, columns)


@pytest.mark.parametrize(
    ("first", "rows", "columns"),
    [
        ("rownames", [f"V{i}" for i in range(64)], [f"data.{j}" for j in range(6000)]),
        ("sample", [f"sample{i}" for i in range(60)], GENES),
        ("country", [f"C{i}" for i in range(60)], [str(year) for year in range(1960, 2020)]),
        ("gene", SYMBOLS, ["length", "gc", "exons", "score", "rank"]),
        ("compound", SYMBOLS, [f"fp_{j}" for j in range(900)]),
        ("patient", [f"patient {i}" for i in range(60)], [f"cell {j}" for j in range(30)]),
        ("gene", ["a"] * 60, [f"S{i}" for i in range(30)]),
    ],
)
def test_usual_tables_are_not_asked_about(first: str, rows: list[str], columns: list[str]) -> None:
    assert not looks_transposed(first, rows, columns)


def test_texts_behind_the_samples_describe_the_variables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    table = _table([f"OTU_{j}" for j in range(60)], [f"Sample{i}" for i in range(30)])
    table.assign(taxonomy="k__Bacteria; p__").to_csv(path, index_label="OTU ID")
    with pytest.raises(TamisError, match="may be in rows"):
        tamis.select(path, 2)
    statistics = _table(GENES, ["baseMean", "log2FC", "lfcSE", "stat", "pvalue", "padj"])
    statistics.assign(symbol=SYMBOLS).to_csv(path, index_label="gene")
    assert tamis.select(path, 2).k == 2


def test_it_is_asked_with_both_ways_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    frame = _table(GENES, [f"S{i}" for i in range(30)])
    frame.to_csv(path)
    with pytest.raises(TamisError, match=r"transpose=True.*transpose=False"):
        open_source(path)
    assert open_source(TableFile(path, transpose=False)).names[1] == "S0"
    found = tamis.select(TableFile(path, transpose=True), 5)
    assert found.names == tamis.select(frame.T, 5).names


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("share", [4, 1 << 30])
def test_a_turned_table_has_the_rows_as_columns(
    tmp_path: Path, suffix: str, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transposed, "_BUDGET_PART", share)  # a small one keeps it in a file
    frame = _table(SYMBOLS, [f"c{i}" for i in range(200)])
    frame.insert(0, "note", "text")
    frame.insert(0, "gene", SYMBOLS)
    path = tmp_path / f"t{suffix}"
    write: Any = frame.to_csv if suffix == ".csv" else frame.to_parquet
    write(path, index=False)
    source = open_source(TableFile(path, transpose=True))
    with limit_memory(1 << 17):
        read = np.concatenate(list(source.batches(range(60))))
    np.testing.assert_allclose(read, frame.iloc[:, 2:].to_numpy(dtype=float).T)
    assert source.names == (*SYMBOLS, "row names")
    assert source.pick([60]).column(0).to_pylist()[:2] == ["c0", "c1"]
    assert "'note'" in source.info.doubts[0]


def test_missing_values_stay_missing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("g,a,b,c\nx,1,,3\ny,4,5,6\n")
    source = open_source(TableFile(tmp_path / "t.csv", transpose=True))
    assert source.pick([0, 1]).to_pydict() == {"x": [1, None, 3], "y": [4, 5, 6]}


@needs_shared
@pytest.mark.parametrize(
    "name", sorted(path.name for path in REAL.glob("*.csv*")) if REAL.exists() else ["none"]
)
def test_no_real_table_is_asked_about_in_vain(name: str) -> None:
    assert open_source(REAL / name).names
