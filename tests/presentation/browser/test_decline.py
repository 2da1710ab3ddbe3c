"""Tables that the page does not answer: better none than another answer than Python's."""

import re
from importlib.resources import files
from pathlib import Path

import numpy as np
from tests.presentation.browser.test_answer import answer, pytestmark
from tests.presentation.browser.trap_tables import make_numbers, write_table

__all__ = ["pytestmark"]

FOUND = make_numbers()
HEAD, *BODY = (
    ",".join(row) for row in [list(FOUND), *map(list, zip(*FOUND.values(), strict=True))]
)
TABLE = "\n".join([HEAD, *BODY]) + "\n"
WITHOUT_TRIGGER = {"large", "rounded", "wide", "summary"}


def write_declined(folder: Path) -> dict[str, list[Path]]:
    """Write tables for every reason to decline."""

    def write(name: str, text: str | bytes) -> Path:
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    rows = [f"g{i}," + line for i, line in enumerate(BODY)]
    samples = ",".join(["gene", *(f"sample{j}" for j in range(len(FOUND)))])
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.15, size=(60, 120)) + (rng.random((60, 120)) < 0.02) * 3
    sparse = {f"w{j}": counts[:, j].astype(str).tolist() for j in range(120)}
    thousands = {n: [str(round(100 * float(v))) for v in column] for n, column in FOUND.items()}
    thousands["people"] = ["987", "3,117"] * (len(BODY) // 2)
    return {
        "suffix": [write("table.parquet", TABLE)],
        "empty": [write("nothing.csv", ""), write("header.csv", HEAD)],
        "encoding": [write("latin.csv", TABLE.replace("m0", "Größe").encode("latin-1"))],
        "letters": [
            write("zero.csv", TABLE.replace("m0", "m\0")),
            write("mark.csv", TABLE.replace("m3", "m\ufeff3")),
        ],
        "layout": [
            write("title.csv", "Results of 2023\n\n" + TABLE),
            write("comment.csv", "# made by hand\n" + TABLE),
            write("remark.csv", "! made by hand\n" + TABLE),
            write("units.csv", TABLE.replace("\n", "\n" + ",".join(["mm"] * 8) + "\n", 1)),
            write("blank.csv", TABLE.replace("\n", "\n" + "," * 7 + "\n", 3)),
            write("total.csv", samples + "\n" + "\n".join(rows) + "\nTotal" + ",1" * 8 + "\n"),
            write(
                "statistics.csv",
                samples + "\n" + "\n".join(rows) + f"\nMean{',1' * 8}\nSD{',1' * 8}\n",
            ),
            write("again.csv", TABLE + TABLE),
            write(
                "subtotals.csv",
                "part,unit,a,b\n"
                + "\n".join(
                    f"x{i},kg,{i * i % 7},{i % 5}" + (f"\nSubtotal,,{i},{i}" if i % 9 == 8 else "")
                    for i in range(40)
                )
                + "\n",
            ),
            write("source.csv", TABLE + "Source: the office of numbers\n"),
        ],
        "header": [write("values.csv", "\n".join(BODY) + "\n")],
        "quotes": [
            write("quotes.csv", TABLE.replace("\n", ",x\n", 1).replace("\n", ',"a"b\n')[:-1])
        ],
        "thousands": [write_table(folder / "thousands.csv", thousands, mark=";")],
        "orientation": [
            write("genes.csv", samples + "\n" + "\n".join(rows) + "\n"),
            write("taxa.csv", samples + ",taxon\n" + "\n".join(r + ",a b" for r in rows) + "\n"),
        ],
        "infinite": [write("infinite.csv", TABLE.replace(BODY[3].split(",")[0], "inf", 1))],
        "keys": [
            write_table(
                folder / "keys.csv", {"id": range(90), "name": [f"n{i}" for i in range(90)]}
            )
        ],
        "counts": [
            write_table(folder / "counts.csv", sparse),
            write_table(folder / "texts.csv", {**sparse, "x": ["1", "2", "3"] * 20}),
            write_table(folder / "cells.csv", {**sparse, "mt": [f"{i / 7}" for i in range(60)]}),
        ],
        "few": [write("few.csv", "a,b,c\n" + "1,2,3\n2,5,1\n")],
        "faulty": [
            write("ragged.csv", TABLE + "1,2,3\n"),
            write("twice.csv", TABLE.replace("m1", "m0", 1)),
        ],
    }


def test_every_reason_declines_a_table(tmp_path: Path) -> None:
    wanted = write_declined(tmp_path)
    paths = [path for some in wanted.values() for path in some]
    found = answer(tmp_path, paths)
    seen = {path.name: one.get("declined") for path, one in zip(paths, found, strict=True)}
    assert seen == {path.name: reason for reason, some in wanted.items() for path in some}
    source = files("tamis.presentation.browser").joinpath("decline.js").read_text(encoding="utf-8")
    listed = set(re.findall(r"^  (\w+): \"", source, re.MULTILINE))
    assert listed == {*wanted, *WITHOUT_TRIGGER}
