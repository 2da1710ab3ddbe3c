"""Columns as people have them, with what each is: names and values drawn by habit and seed."""

import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator
Values = list[object]

ROWS = (60, 700)
VALUES = ("number", "count", "share", "ordinal code", "category", "constant")
KEYS = ("identifier", "key", "free text", "date", "empty")


@dataclass(frozen=True)
class Trap:
    """A column with what it may be called; `missing` are values that must be missing."""

    trap: str
    name: str
    values: Values
    kinds: tuple[str, ...]
    missing: int | None = None


def _name(rng: Rng, *names: str) -> str:
    return str(rng.choice(names))


def _measured(rng: Rng, n: int) -> np.ndarray:
    place, spread = rng.choice([0.0, 5.0, 60.0, 1000.0]), rng.choice([0.1, 1.0, 12.0])
    drawn = rng.normal(place, spread, n) if rng.random() < 0.5 else place + rng.gamma(2, spread, n)
    return np.asarray(np.round(drawn, int(rng.integers(2, 6))))


def _punched(rng: Rng, values: Values, mark: object, share: float) -> tuple[Values, int]:
    gone = rng.random(len(values)) < share
    gone[: min(4, len(values))] = True
    return [mark if g else v for v, g in zip(values, gone, strict=True)], int(gone.sum())


def _code(rng: Rng, size: int) -> str:
    return "".join(rng.choice(list(string.ascii_uppercase + string.digits), size))


def measurement(rng: Rng, n: int) -> Trap:
    name = _name(rng, "height", "CO2 (ppm)", "x17", "grid", "paid", "Alpha_1_Antitrypsin")
    return Trap("measurement", name, _measured(rng, n).tolist(), ("number",), 0)


def all_distinct_decimals(rng: Rng, n: int) -> Trap:
    values = np.unique(np.round(rng.normal(10, 3, 3 * n), 9))[:n]
    return Trap("distinct decimals", "signal", rng.permutation(values).tolist(), ("number",))


def income(rng: Rng, n: int) -> Trap:
    values = np.round(rng.lognormal(10.5, 0.7, n)).tolist()
    return Trap(
        "integer amounts", _name(rng, "income", "population", "balance"), values, ("number",)
    )


def age(rng: Rng, n: int) -> Trap:
    return Trap("ages", "age", rng.integers(18, 91, n).tolist(), ("number",), 0)


def visits(rng: Rng, n: int) -> Trap:
    values = rng.negative_binomial(1, 0.25, n).tolist()
    return Trap("counts", _name(rng, "visits", "n_calls", "children"), values, ("count",))


def likert(rng: Rng, n: int) -> Trap:
    top = int(rng.choice([4, 5, 7]))
    values = rng.integers(1, top + 1, n).tolist()
    return Trap("grades", _name(rng, "q12", "A1", "Satisfaction"), values, ("ordinal code",))


def binary(rng: Rng, n: int) -> Trap:
    return Trap("bits", "smoker", rng.integers(0, 2, n).tolist(), ("category",))


def rates(rng: Rng, n: int) -> Trap:
    values = np.round(rng.beta(2, 5, n), 4).tolist()
    return Trap("shares", _name(rng, "response_rate", "pct_urban", "share"), values, ("share",))


def row_number(rng: Rng, n: int) -> Trap:
    start = int(rng.choice([0, 1, 100, 5001]))
    values = rng.permutation(np.arange(start, start + n)).tolist()
    return Trap("row number", _name(rng, "rownames", "X", "V1", "obs"), values, ("identifier",))


def row_number_with_gaps(rng: Rng, n: int) -> Trap:
    values = np.sort(rng.choice(int(1.3 * n), n, replace=False)).tolist()
    return Trap("row number with gaps", _name(rng, "nr", "case"), values, ("identifier",))


def sparse_id(rng: Rng, n: int) -> Trap:
    values = (10**8 + rng.choice(10**8, n, replace=False)).tolist()
    name = _name(rng, "PID", "customer_id", "patientID", "uid")
    return Trap("sparse identifier", name, values, ("identifier",))


def repeated_id(rng: Rng, n: int) -> Trap:
    values = rng.integers(1, max(n // 4, 12), n).tolist()
    return Trap("identifier that repeats", _name(rng, "ID", "subject_id"), values, ("key",))


def panel(rng: Rng, n: int) -> Trap:
    years = int(rng.integers(2, 7))
    codes = list(dict.fromkeys(_code(rng, 3) for _ in range(n)))[: max(-(-n // years), 20)]
    values = [code for code in codes for _ in range(years)][:n]
    return Trap("panel", _name(rng, "iso", "country"), list(rng.permutation(values)), ("key",))


def text_id(rng: Rng, n: int) -> Trap:
    values: Values = [f"S{i:05d}-{_code(rng, 3)}" for i in range(n)]
    return Trap("text identifier", _name(rng, "sample", "barcode", "Well"), values, ("identifier",))


def near_key(rng: Rng, n: int) -> Trap:
    values: Values = [_code(rng, 6) for _ in range(n)]
    for i in range(0, n, 9):
        values[i] = values[i // 2]
    return Trap("near-key", _name(rng, "ticket", "surname"), values, ("key",))


def sparse_text_id(rng: Rng, n: int) -> Trap:
    values: Values = [_code(rng, 8) if rng.random() < 0.3 else None for _ in range(n)]
    values[:12] = [_code(rng, 9) for _ in range(12)]
    return Trap("identifier among gaps", "passport", values, ("identifier",))


def comments(rng: Rng, n: int) -> Trap:
    words = ["patient", "said", "that", "pain", "came", "after", "lunch", "no", "doctor", "went"]
    values: Values = [" ".join(rng.choice(words, int(rng.integers(4, 12)))) for _ in range(n)]
    return Trap("free text", _name(rng, "comment", "notes"), values, ("free text",))


def answers(rng: Rng, n: int) -> Trap:
    words = ["HOMELESS", "SHELTER", "FRIEND", "DETOX", "VA", "CLINIC", "BENEFITS", "HOUSE"]
    values: Values = [
        " ".join(rng.choice(words, int(rng.integers(2, 4)))) if rng.random() < 0.4 else None
        for _ in range(n)
    ]
    return Trap("open answers", "other_T", values, ("free text", "category", "key"))


def file_names(_: Rng, n: int) -> Trap:
    values: Values = [f"/data/plate{i // 96}/img_{i:05d}.tif" for i in range(n)]
    return Trap("file names", "FileName_DNA", values, ("identifier",))


def city(rng: Rng, n: int) -> Trap:
    names = ["Basel", "Lyon", "Graz", "Bern", "Ulm", "Genf", "Wien"]
    values = list(rng.choice(names, n, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.05]))
    return Trap("categories", _name(rng, "city", "site", "MS.Zoning"), values, ("category",))


def yes_no(rng: Rng, n: int) -> Trap:
    return Trap("yes and no", "Diabetes", list(rng.choice(["Yes", "No "], n)), ("category",))


def marked(rng: Rng, n: int) -> Trap:
    values: Values = [str(v) for v in _measured(rng, n)]
    mark = str(rng.choice([".", "?", "-", "*", "n/a", "missing", "#N/A", "--", "unknown", "ND"]))
    values, gone = _punched(rng, values, mark, float(rng.uniform(0.02, 0.7)))
    return Trap("numbers with marks", _name(rng, "OAA1", "iron"), values, ("number",), gone)


def odd_word(rng: Rng, n: int) -> Trap:
    values: Values = [str(v) for v in _measured(rng, n)]
    values, gone = _punched(rng, values, _name(rng, "below limit", "hemolysed"), 0.05)
    return Trap("numbers with one text", "crp", values, ("number",), gone)


def marked_grades(rng: Rng, n: int) -> Trap:
    values: Values = [str(v) for v in rng.integers(1, 6, n)]
    values, gone = _punched(rng, values, str(rng.choice([".", "?", "refused"])), 0.1)
    return Trap("grades with marks", "q7", values, ("ordinal code",), gone)


def padded(rng: Rng, n: int) -> Trap:
    values: Values = [f" {v} " for v in _measured(rng, n)]
    values, gone = _punched(rng, values, "  ", 0.1)
    return Trap("numbers with blanks", "bmi", values, ("number",), gone)


def amounts(rng: Rng, n: int) -> Trap:
    values: Values = [f"$ {v:,.2f}" for v in rng.lognormal(7, 1, n)]
    return Trap("amounts", _name(rng, "revenue", "price"), values, ("number",), 0)


def decimal_commas(rng: Rng, n: int) -> Trap:
    values: Values = [f"{v:.2f}".replace(".", ",") for v in rng.gamma(2, 30, n)]
    values, gone = _punched(rng, values, "k.A.", 0.05)
    return Trap("decimal commas", "Preis", values, ("number",), gone)


def sentinel(rng: Rng, n: int) -> Trap:
    values: Values = np.round(rng.gamma(3, 2, n), 2).tolist()
    code = float(rng.choice([-999, -99, -9999, -200, 999, 9999, 99999, 1e20]))
    values, gone = _punched(rng, values, code, float(rng.uniform(0.02, 0.4)))
    return Trap("sentinel", _name(rng, "T", "RH", "pdays"), values, ("number",), gone)


def coded_grades(rng: Rng, n: int) -> Trap:
    values: Values = rng.integers(1, 6, n).tolist()
    values, gone = _punched(rng, values, int(rng.choice([99, -9, 999, -99])), 0.05)
    return Trap("grades with codes", "B3", values, ("ordinal code",), gone)


def spike_at_zero(rng: Rng, n: int) -> Trap:
    values: Values = np.round(rng.normal(4800, 30, n), 1).tolist()
    values, _ = _punched(rng, values, 0.0, 0.02)
    return Trap("zeros that are odd", "man_proc_16", values, ("number",), 0)


def skewed(rng: Rng, n: int) -> Trap:
    values = np.round(rng.pareto(1.2, n) * 100, 2).tolist()
    return Trap("long tail", "ratio_of_debt", values, ("number", "share"), 0)


def signs(rng: Rng, n: int) -> Trap:
    return Trap("signs", "vote", rng.choice([-1, 0, 1], n).tolist(), ("number", "ordinal code"), 0)


def capped(rng: Rng, n: int) -> Trap:
    values = np.minimum(np.round(rng.lognormal(9, 1.2, n)), 99999).tolist()
    return Trap("capped", "capital", values, ("number",), 0)


def dates(rng: Rng, n: int) -> Trap:
    days = rng.integers(1, 29, n), rng.integers(1, 13, n), rng.integers(1990, 2026, n)
    form = str(rng.choice(["{0:02d}.{1:02d}.{2}", "{2}-{1:02d}-{0:02d}", "{1:02d}/{0:02d}/{2}"]))
    values: Values = [form.format(d, m, y) for d, m, y in zip(*days, strict=True)]
    return Trap("dates", _name(rng, "visit", "signed up"), values, ("date",))


def date_numbers(rng: Rng, n: int) -> Trap:
    days = rng.integers(2000, 2025, n) * 10_000 + rng.integers(1, 13, n) * 100
    return Trap("date numbers", "dt", (days + rng.integers(1, 29, n)).tolist(), ("date",))


def chromosomes(rng: Rng, n: int) -> Trap:
    values = list(rng.choice([*map(str, range(1, 23)), "X", "Y"], n))
    values[:2] = ["X", "Y"]
    return Trap("chromosomes", "chrom", values, ("category",))


def padded_codes(rng: Rng, n: int) -> Trap:
    values: Values = [f"0{v}" for v in rng.integers(10, 18, n)]
    return Trap("codes with zeros", "dept", values, ("category",))


def constant(rng: Rng, n: int) -> Trap:
    return Trap("constant", "batch", [rng.choice([1, 7])] * n, ("constant",))


def empty(_: Rng, n: int) -> Trap:
    return Trap("empty", "fax", [None] * n, ("empty",))


def years(rng: Rng, n: int) -> Trap:
    return Trap("years", "Year.Built", rng.integers(1900, 2011, n).tolist(), ("number",))


def score(rng: Rng, n: int) -> Trap:
    """Points up to 100 include 98 and 99."""
    values = np.clip(np.round(rng.normal(75, 15, n)), 0, 100).tolist()
    return Trap("points", _name(rng, "exam", "score"), values, ("number", "count"), 0)


def rare_counts(rng: Rng, n: int) -> Trap:
    """Mostly 0 and 1, with a few far ones that come again: no codes."""
    values = rng.negative_binomial(0.3, 0.1, n).tolist()
    return Trap("rare counts", _name(rng, "accidents", "PWAPART"), values, ("count",), 0)


def rooms(rng: Rng, n: int) -> Trap:
    kinds = ("count", "ordinal code", "number")
    return Trap("rooms", "Bedroom.AbvGr", rng.poisson(3, n).tolist(), kinds, 0)


def few_integers(rng: Rng, n: int) -> Trap:
    """Integer measurements of few rows, nearly all different."""
    values = np.round(rng.normal(5000, 900, min(n, 150))).tolist()
    return Trap("few integers", _name(rng, "weight", "cells"), values, ("number",), 0)


def temperatures(rng: Rng, n: int) -> Trap:
    values = np.round(rng.normal(-5, 12, n), 1).tolist()
    return Trap("temperatures", "temp", values, ("number",), 0)


def time_grid(rng: Rng, n: int) -> Trap:
    values = (np.arange(n) * int(rng.choice([5, 15, 75]))).tolist()
    return Trap("time grid", _name(rng, "seconds", "depth"), values, ("number",), 0)


def hours(_: Rng, n: int) -> Trap:
    values = (np.arange(n) % 24).tolist()
    return Trap("hours", "hour", values, ("number", "count", "ordinal code"), 0)


def dose(rng: Rng, n: int) -> Trap:
    values = rng.permutation(np.resize([0, 5, 10, 50, 100], n)).tolist()
    return Trap("doses", "dose", values, ("number",), 0)


def postcodes(rng: Rng, n: int) -> Trap:
    known = rng.integers(10_000, 99_999, 40)
    return Trap("postcodes", "zip", rng.choice(known, n).tolist(), ("number", "category"), 0)


def type_codes(rng: Rng, n: int) -> Trap:
    kinds = ("category", "ordinal code", "number")
    return Trap("codes named id", "type_id", rng.integers(1, 6, n).tolist(), kinds, 0)


def minus_one(rng: Rng, n: int) -> Trap:
    """-1 may be a value: it is left, at most named."""
    values: Values = rng.integers(0, 400, n).tolist()
    values, _ = _punched(rng, values, -1, 0.3)
    return Trap("minus one", "pdays", values, ("number", "count"), 0)


def limits_of_detection(rng: Rng, n: int) -> Trap:
    """Texts such as <0.05 beside many numbers: read as the limit."""
    values: Values = [f"{v:.3f}" for v in rng.gamma(2, 3, n)]
    values, _ = _punched(rng, values, "<0.05", 0.08)
    return Trap("limits of detection", "lead", values, ("number",), 0)


def two_marks(rng: Rng, n: int) -> Trap:
    values: Values = [str(v) for v in _measured(rng, n)]
    values, one = _punched(rng, values, "NA ", 0.1)
    last = max(n // 12, 1)
    other = sum(v != "NA " for v in values[-last:])
    values[-last:] = ["not done"] * last
    return Trap("two marks", "bp", values, ("number",), one - (last - other) + last)


def plus_grades(rng: Rng, n: int) -> Trap:
    values = list(rng.choice(["0", "1", "2", "3", "4+"], n))
    return Trap("open grades", "stage", values, ("category",))


def streets(rng: Rng, n: int) -> Trap:
    """A category of many levels, with some that come once."""
    levels = [_code(rng, 5).title() for _ in range(25)]
    share = 1 / np.arange(1, 26)
    values = list(rng.choice(levels, max(n, 400), p=share / share.sum()))
    return Trap("many levels", "Neighborhood", values, ("category",))


def long_labels(rng: Rng, n: int) -> Trap:
    levels = [f"Strongly {w} with the statement above" for w in ("agree", "disagree", "differ")]
    return Trap("long labels", "q3", list(rng.choice(levels, n)), ("category",))


def few_labels(rng: Rng, _: int) -> Trap:
    """Classes of a table with few rows, some of one row."""
    levels = ["BREAST", "CNS", "COLON", "LEUKEMIA", "MELANOMA", "NSCLC", "OVARIAN", "RENAL"]
    more = ["PROSTATE", "UNKNOWN1", "K562A", "K562B", "MCF7A", "MCF7D"]
    values = list(rng.permutation([*rng.choice(levels, 58), *more]))
    return Trap("classes of few rows", "labs", values, ("category",))


def fitted(rng: Rng, n: int) -> Trap:
    values = np.round(rng.uniform(0.02, 0.98, n), 6).tolist()
    return Trap("intensities", "428.0", values, ("number",), 0)


def real_ninety_nine(rng: Rng, n: int) -> Trap:
    values: Values = rng.integers(20, 100, n).tolist()
    return Trap("values up to 99", "percentile", values, ("number",), 0)


def all_ages(rng: Rng, n: int) -> Trap:
    return Trap("ages from 1", "Age", rng.integers(1, 80, n).tolist(), ("number",), 0)


def school_years(rng: Rng, n: int) -> Trap:
    kinds = ("number", "ordinal code")
    return Trap("years of school", "education-num", rng.integers(1, 17, n).tolist(), kinds, 0)


def rare_amounts(rng: Rng, n: int) -> Trap:
    """Zero for most, and thousands for the others."""
    drawn = np.where(rng.random(n) < 0.9, 0, rng.integers(100, 41_310, n))
    return Trap("rare amounts", "capital-gain", drawn.tolist(), ("number",), 0)


def many_postcodes(rng: Rng, n: int) -> Trap:
    values = rng.choice(89_999, n, replace=False) + 10_000
    return Trap("postcodes of their own", "zip", values.tolist(), ("key", "identifier"))


HARD: tuple[Callable[[Rng, int], Trap], ...] = (
    *(score, rare_counts, rooms, few_integers, temperatures, time_grid, hours, dose, postcodes),
    *(type_codes, minus_one, limits_of_detection, two_marks, plus_grades, streets, long_labels),
    *(few_labels, fitted, real_ninety_nine, all_ages, school_years, rare_amounts, many_postcodes),
)

MAKERS: tuple[Callable[[Rng, int], Trap], ...] = (
    *(measurement, all_distinct_decimals, income, age, visits, likert, binary, rates, row_number),
    *(row_number_with_gaps, sparse_id, repeated_id, panel, text_id, near_key, sparse_text_id),
    *(comments, answers, file_names, city, yes_no, marked, odd_word, marked_grades, padded),
    *(amounts, decimal_commas, sentinel, coded_grades, spike_at_zero, skewed, signs, capped),
    *(dates, date_numbers, chromosomes, padded_codes, constant, empty, years),
    *HARD,
)


def draw_columns(seeds: range) -> Iterator[Trap]:
    """Draw a column of every habit for each seed."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        for make in MAKERS:
            yield make(rng, int(rng.integers(*ROWS)))
