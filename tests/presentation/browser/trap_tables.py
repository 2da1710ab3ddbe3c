"""Tables with every habit that the readers know of, written as people write them."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

Columns = dict[str, Any]
ROWS = 120


def make_numbers(rows: int = ROWS, width: int = 8, seed: int = 0, factors: int = 3) -> Columns:
    """Make columns that share a few factors, to six digits."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(rows, factors)) @ rng.normal(size=(factors, width))
    values = common + 0.5 * rng.normal(size=(rows, width))
    return {f"m{j}": [f"{value:.6g}" for value in values[:, j]] for j in range(width)}


def with_texts(column: list[str], texts: dict[int, str]) -> list[str]:
    """Put texts in the place of some values."""
    return [texts.get(i, value) for i, value in enumerate(column)]


def every(step: int, text: str, rows: int = ROWS) -> dict[int, str]:
    """Put one text into every so manieth row."""
    return dict.fromkeys(range(0, rows, step), text)


def write_table(path: Path, columns: Columns, *, mark: str = ",", end: str = "\n") -> Path:
    """Write columns of texts."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=mark, lineterminator=end)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def make_levels(rows: int = ROWS, seed: int = 1) -> list[str]:
    """Draw texts, some of them rare and some missing."""
    rng = np.random.default_rng(seed)
    names = ["north", "south", "east", "west", "isle", ""]
    return rng.choice(names, size=rows, p=[0.4, 0.25, 0.2, 0.07, 0.02, 0.06]).tolist()


def list_plain() -> Iterator[tuple[str, Columns]]:
    """Make tables that differ in their numbers."""
    yield "numbers", make_numbers()
    yield "few rows", make_numbers(14, 6, 2)
    yield "more columns than rows", make_numbers(30, 60, 3)
    yield (
        "many columns, few rows, holes",
        {
            name: with_texts(column, {(7 * j) % 40: ""})
            for j, (name, column) in enumerate(make_numbers(40, 55, 4).items())
        },
    )
    found = make_numbers(seed=5)
    yield "copies and constants", {**found, "copy": found["m0"], "same": ["7"] * ROWS}
    yield "far from zero", {n: [f"{1e6 + float(v):.9g}" for v in c] for n, c in found.items()}
    yield "small units", {n: [f"{float(v) * 1e-30:.9g}" for v in c] for n, c in found.items()}
    rng = np.random.default_rng(6)
    tails = rng.standard_t(1.5, size=(200, 9)) @ rng.normal(size=(9, 9))
    yield "heavy tails", {f"t{j}": [f"{v:.8g}" for v in tails[:, j]] for j in range(9)}
    yield (
        "many heavy rows",
        {f"t{j}": [f"{v:.8g}" for v in np.tile(tails[:, j], 12)] for j in (0, 3)},
    )
    rare = (rng.random((90, 12)) < 0.06) * rng.normal(5, 1, (90, 12)) + rng.normal(0, 0.1, (90, 12))
    yield "rare large values", {f"r{j}": [f"{v:.6g}" for v in rare[:, j]] for j in range(12)}
    counts = rng.poisson(3, size=(150, 7)) + rng.poisson(2, size=(150, 1))
    yield "counts", {f"c{j}": counts[:, j].astype(str).tolist() for j in range(7)}
    yield "equal rows", {n: c[:30] * 4 for n, c in found.items()}
    yield "one odd row", {**found, "lone": [*["0"] * (ROWS - 1), "5"]}


def list_marked() -> Iterator[tuple[str, Columns]]:
    """Make tables with marks, sentinels, amounts and keys."""
    found = make_numbers(seed=7)
    for number, mark in enumerate((".", "?", "NA", "n/a", "***", "not sampled", "#DIV/0!")):
        yield f"mark {number}", {**found, "m1": with_texts(found["m1"], every(9, mark))}
    yield (
        "empty cells",
        {
            name: with_texts(column, dict.fromkeys(range(j, ROWS, 11), ""))
            for j, (name, column) in enumerate(found.items())
        },
    )
    yield "blanks around", {**found, "m2": [f"  {v} " for v in found["m2"]]}
    yield "plus signs", {**found, "m2": [v if v[0] == "-" else f"+{v}" for v in found["m2"]]}
    yield (
        "sentinels",
        {
            **found,
            "m3": with_texts(found["m3"], every(13, "-999")),
            "m4": with_texts(found["m4"], every(17, "-999")),
        },
    )
    rng = np.random.default_rng(8)
    prices = rng.lognormal(6, 1, ROWS)
    yield "amounts", {**found, "price": [f"€ {v:,.2f}" for v in prices]}
    yield (
        "decimal commas in quotes",
        {**found, "price": [f"{v:.2f}".replace(".", ",") for v in prices]},
    )
    yield "percent", {**found, "part": [f"{v:.1f}%" for v in 100 * rng.random(ROWS)]}
    yield "two units", {**found, "w": [f"{v:.1f} {'kg' if v > 500 else 'g'}" for v in prices]}
    yield "row numbers", {"id": [str(i + 1) for i in range(ROWS)], **found}
    yield "names of rows", {"": [f"row {i}" for i in range(ROWS)], **found}
    yield "identifiers", {**found, "code": [f"X{i * 37 % 1000:04d}" for i in range(ROWS)]}
    yield "padded codes", {**found, "zip": [f"{i * 37 % 90:05d}" for i in range(ROWS)]}
    places = rng.choice(["01067", "80331", "00733"], ROWS).tolist()
    yield "codes of places", {**found, "place": places}
    yield "padded amounts", {**found, "n": [f"{i * 37 % 90:03d}.5" for i in range(ROWS)]}
    yield "mostly missing", {**found, "rest": with_texts([""] * ROWS, every(4, "1.5"))}
    yield (
        "dates",
        {**found, "day": [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(ROWS)]},
    )
    yield "other dates", {**found, "day": [f"{1 + i % 28}.{1 + i % 12}.2023" for i in range(ROWS)]}
    yield (
        "date numbers",
        {**found, "day": [f"2023{1 + i % 12:02d}{1 + i % 28:02d}" for i in range(ROWS)]},
    )
    yield "limits of detection", {**found, "lab": with_texts(found["m5"], every(7, "<0.5"))}
    yield "factors", {**found, "views": [f"{v:.1f}K" if v > 300 else f"{v:.0f}" for v in prices]}
    yield "units of laboratories", {**found, "hb": [f"{v / 50:.1f} mmol/L" for v in prices]}
    yield "pairs", {**found, "bp": [f"{110 + i % 37}/{70 + i % 23}" for i in range(ROWS)]}
    yield "places", {**found, "at": [f"{50 + i % 7}.5{i % 9}, 13.4{i % 8}" for i in range(ROWS)]}
    yield "durations", {**found, "took": [f"{i % 130}:{i % 60:02d}:00" for i in range(ROWS)]}
    yield "quarters", {**found, "when": [f"Q{1 + i % 4} {2015 + i % 9}" for i in range(ROWS)]}
    grades = {f"q{j}": (1 + rng.integers(0, 5, ROWS)).astype(str).tolist() for j in range(4)}
    yield "answers", {n: with_texts(c, every(9 + len(n), "9")) for n, c in grades.items()} | found
    yield "broken sensors", {**found, "t": with_texts(found["m6"], every(8, "-127"))}
    yield "long numbers", {**found, "ean": [f"{4006381000000 + 977 * i * i}" for i in range(ROWS)]}
    yield "running numbers", {**found, "no": [str(1 + i % 40) for i in range(ROWS)]}
    yield "subjects", {**found, "Subject": [str(300 + 3 * (i // 8)) for i in range(ROWS)]}
    yield "glued words", {**found, "Kundennr": [str(7 * i * i + 1009) for i in range(ROWS)]}
    yield (
        "named limits",
        {**found, "lab": with_texts(found["m5"], every(7, "<LOD") | every(9, "BDL"))},
    )
    yield "two letters", {**found, "rain": with_texts(found["m5"], every(9, "T") | every(20, "M"))}
    apart = "\N{RIGHT SINGLE QUOTATION MARK}"
    yield (
        "amounts of Switzerland",
        {**found, "p": [f"{v:,.2f}".replace(",", apart) for v in prices]},
    )
    yield "no cents", {**found, "p": [f"CHF {v:,.0f}.-".replace(",", "'") for v in prices]}
    yield "halves", {**found, "rooms": [f"{i % 9}{'½' * (i % 2)}" for i in range(ROWS)]}
    alleles = {f"s{j}": rng.binomial(2, 0.4, ROWS).astype(str).tolist() for j in range(8)}
    coded = {n: with_texts(c, every(9 + 60 * j, "9")) for j, (n, c) in enumerate(alleles.items())}
    yield "alleles", {**coded, **found}
    drinks = rng.integers(1, 13, ROWS).astype(str).tolist()
    yield "refused", {**found, "d": with_texts(drinks, every(9, "777") | every(20, "999"))}
    yield (
        "both ends",
        {n: with_texts(c, every(9, "9") | every(14, "-9")) for n, c in grades.items()},
    )
    yield (
        "zeros apart",
        {**found, "co2": with_texts([str(480 + i) for i in range(ROWS)], every(40, "0"))},
    )
    yield "years", {**found, "year": [str(1990 + i % 30) for i in range(ROWS)]}


def list_mixed() -> Iterator[tuple[str, Columns]]:
    """Make tables with categories."""
    found = make_numbers(seed=9)
    signs = ["up" if float(v) > 0 else "down" for v in found["m0"]]
    yield "categories", {**found, "region": make_levels(), "sign": signs}
    yield "true and false", {**found, "good": ["True" if s == "up" else "False" for s in signs]}
    yield "only categories", {"region": make_levels(), "sign": signs, "other": make_levels(seed=2)}
    yield "many levels", {**found, "town": [f"town {i * i % 17}" for i in range(ROWS)]}
    yield "free text", {**found, "said": [f"it was number {i} of the day" for i in range(ROWS)]}
    yield (
        "panel",
        {
            "who": [f"P{i // 4:02d}" for i in range(ROWS)],
            "visit": [str(i % 4) for i in range(ROWS)],
            **found,
        },
    )
    yield (
        "letters of all kinds",
        {"Größe, cm": found["m0"], '"x"': found["m1"], "名前": make_levels(), **found},
    )
    yield "lines in cells", {**found, "note": ["a\nb" if s == "up" else 'say "no"' for s in signs]}
    breaks = ["x\n", "\n\n,,\n", '"\n', "Total,,\n1,2"]
    yield "line breaks", {**found, "note": [breaks[i * i % 4] for i in range(ROWS)]}
    yield "signs", {**found, "test": ["+" if s == "up" else "-" for s in signs]}
    yield "dashes", {**found, "grade": with_texts(make_levels(), every(6, "-"))}
    yield "postal codes", {**found, "zip": [str(10115 + i % 9) for i in range(ROWS)]}
    yield "ticks", {**found, "a": [t if i % 3 else "" for i, t in enumerate(["x"] * ROWS)]}
    yield "few ticks", {**found, "a": with_texts([""] * ROWS, every(6, "x"))}
    yield "marks among texts", {**found, "grade": with_texts(make_levels(), every(10, "?"))}


def list_bundled() -> Iterator[tuple[str, Columns]]:
    """Give the tables of scikit-learn, with their targets."""
    for load in (load_iris, load_wine, load_breast_cancer, load_diabetes, load_digits):
        frame = load(as_frame=True).frame
        yield (
            load.__name__,
            {name: [repr(v) for v in frame[name].tolist()] for name in frame.columns},
        )


WRITERS: tuple[Callable[[], Iterator[tuple[str, Columns]]], ...] = (
    list_plain,
    list_marked,
    list_mixed,
    list_bundled,
)


def write_traps(folder: Path) -> list[Path]:
    """Write all tables, some in other forms too."""
    paths = [
        write_table(folder / f"{name}.csv", columns) for make in WRITERS for name, columns in make()
    ]
    found = dict(list_mixed())["categories"]
    paths += [
        write_table(folder / "tabs.tsv", found, mark="\t"),
        write_table(folder / "semicolons.csv", found, mark=";", end="\r\n"),
        write_table(folder / "bars.txt", found, mark="|", end="\r"),
    ]
    commas = {n: [v.replace(".", ",") for v in c] for n, c in make_numbers(seed=10).items()}
    paths.append(write_table(folder / "decimal commas.csv", commas, mark=";"))
    marked = folder / "byte order mark.csv"
    marked.write_bytes(b"\xef\xbb\xbf" + paths[0].read_bytes())
    return [*paths, marked]
