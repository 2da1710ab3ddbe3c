"""What is measured: tables, rows and targets as plain data, read from the registry."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis import registry

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

CLUSTERING = ("category-utility", "em-wrapper")  # they cluster the rows for every set of columns

FACTORS = (
    "300 factors F with strengths 1/sqrt(j), X = F diag(s) L + 0.5 E, all normal, standardised"
)


@dataclass(frozen=True)
class Target:
    """A figure to reach; `sign` is <=, < or >=."""

    sign: str
    figure: float

    def judge(self, value: float) -> str:
        """Say whether `value` reaches the figure."""
        reached = {
            "<=": value <= self.figure,
            "<": value < self.figure,
            ">=": value >= self.figure,
        }[self.sign]
        return f"{self.sign} {self.figure:g} {'ok' if reached else 'FALLS SHORT'}"


@dataclass(frozen=True)
class Table:
    """A table to make: how, with what, and how many columns to keep of it."""

    id: str
    maker: str
    settings: dict[str, Any]
    k: int
    about: str


@dataclass(frozen=True)
class Row:
    """One line: a subject on a table, timed in turn with a reference, its rival or its measure."""

    label: str
    table: Table
    subject: str
    reference: str
    rounds: int = 2
    time: Target | None = None
    memory: Target | None = None
    rival: bool = False


@dataclass(frozen=True)
class Section:
    """A printed table: `unit` is what memory is counted in, d x d arrays or the dense table."""

    name: str
    about: str
    time_label: str
    unit: str
    rows: tuple[Row, ...]


def tall(quick: bool) -> Section:
    factors, white = _factors(quick), _white(quick)
    limits = {"sfs": Target("<=", 2), "pfs": Target("<=", 5)}
    rows = []
    for m in registry.methods("selection"):
        if m.needs != "gram":
            continue
        limit = limits.get(m.id)
        memory, rounds = (Target("<=", 3), 5) if limit else (None, 2)
        rows.append(Row(m.id, factors, f"tamis {m.id}", "gram", rounds, limit, memory))
    rows += [Row(f"{m} (white noise)", white, f"tamis {m}", "gram", 3) for m in limits]
    return Section("tall", "the whole tamis.select call", "time / X'X", "d x d", tuple(rows))


def wide(quick: bool) -> Section:  # noqa: ARG001 - the table is small already
    table = _stored("lung_gordon", "npz", 100, (181, 12533))
    rows = [
        Row(m, table, f"tamis {m}", "svd", 5, Target("<=", 6), Target("<", 10))
        for m in ("sfs", "pfs")
    ]
    return Section("wide", "more columns than rows", "time / SVD", "X", tuple(rows))


def sparse(quick: bool) -> Section:  # noqa: ARG001 - the table is small already
    table = _stored("mini_newsgroups", "sparse_npz", 100, (2000, 3552))
    rows = []
    for m in ("sfs", "pfs"):
        rows.append(Row(f"{m}, CSR", table, f"tamis {m}", f"dense {m}", 3, None, Target("<", 1)))
        rows.append(Row(f"{m}, dense", table, f"dense {m}", f"dense {m}"))
    about = "CSR beside a dense copy, whose own memory counts; CSR below 1 rules out such a copy"
    return Section("sparse", about, "time / dense", "dense X", tuple(rows))


def packages(quick: bool) -> Section:
    table, ten = _factors(quick), Target(">=", 10)
    rows = [Row("tamis sfs", table, "tamis sfs", "tamis sfs", 3)]
    rows += [
        Row(label, table, subject, "tamis sfs", 3, ten, rival=True)
        for label, subject in (
            ("fastcan", "fastcan"),
            ("linselect", "linselect"),
            ("skmatter CUR", "skmatter"),
        )
    ]
    about = "what a user would pick today, each from the same standardised array"
    return Section("packages", about, "time / tamis", "X", tuple(rows))


def methods(quick: bool) -> Section:  # noqa: ARG001 - the table is small already
    table = Table("digits", "digits", {}, 20, "scikit-learn's digits")
    wine = Table("wine", "wine", {}, 3, "scikit-learn's wine")
    rows = [
        Row(m.id, wine, f"tamis {m.id}", "tamis sfs", 3)
        if m.id in CLUSTERING
        else Row(m.id, table, f"tamis {m.id}", "tamis sfs", 15)
        for m in registry.methods("selection")
    ]
    return Section("methods", "every registered method", "time / sfs", "X", tuple(rows))


def backward(quick: bool) -> Section:
    square, genes = _square(quick), _stored("arcene", "npz", 100, (200, 10000))
    small = Table("small", "factors", {"rows": 1400, "columns": 1000}, 100, f"generated, {FACTORS}")
    rows = [
        Row("ufs, full path", square, "tamis ufs", "eigh", 3, Target("<=", 2)),
        Row("vif, full path", square, "tamis vif", "eigh", 3, Target("<=", 1.5)),
        Row("ufs, arcene", genes, "tamis ufs", "svd", 3, Target("<=", 10), Target("<", 125)),
        Row("vif, arcene", genes, "tamis vif", "svd", 3),
        Row("textbook ufs / tamis", small, "textbook ufs", "tamis ufs", 2, rival=True),
    ]
    about = "Gisette's shape against eigh of its matrix, arcene against its SVD (125 X is 2 GB)"
    return Section("backward", about, "time / reference", "X", tuple(rows))


def correlation(quick: bool) -> Section:
    rows, columns = (2000, 400) if quick else (5000, 2000)
    about = "generated, groups of five columns that correlate at 0.96"
    settings = {"rows": rows, "columns": columns}
    table = Table("groups", "groups", settings, columns // 5, about)
    lines = [
        Row("tamis correlation", table, "tamis-usual correlation", "tamis-usual correlation", 3),
        Row("corrcoef", table, "corrcoef", "tamis-usual correlation", 3),
        Row(
            "feature-engine",
            table,
            "feature-engine",
            "tamis-usual correlation",
            2,
            Target(">=", 30),
            rival=True,
        ),
    ]
    about = "no two kept columns correlate above 0.9"
    return Section("correlation", about, "time / tamis", "X", tuple(lines))


SECTIONS = {
    make.__name__: make for make in (tall, wide, sparse, packages, methods, backward, correlation)
}


def _factors(quick: bool) -> Table:
    rows, columns, k = (4000, 600, 60) if quick else (20000, 2000, 200)
    settings = {"rows": rows, "columns": columns}
    return Table("factors", "factors", settings, k, f"generated, {FACTORS}")


def _square(quick: bool) -> Table:
    rows, columns = (1400, 1000) if quick else (7000, 5000)
    settings = {"rows": rows, "columns": columns}
    return Table("square", "factors", settings, 100, f"generated, {FACTORS}")


def _white(quick: bool) -> Table:
    rows, columns, k = (4000, 600, 60) if quick else (20000, 2000, 200)
    settings = {"rows": rows, "columns": columns}
    return Table("white", "white", settings, k, "generated, independent normal values")


def _stored(name: str, maker: str, k: int, shape: tuple[int, int]) -> Table:
    """Take a stored table, or say why a generated one of its shape stands in."""
    path = SHARED / f"{name}.npz"
    if path.exists():
        return Table(name, maker, {"path": str(path)}, k, name)
    settings = {"rows": shape[0], "columns": shape[1]}
    stand_in = "counts" if maker == "sparse_npz" else "factors"
    about = f"SKIPPED {name}: no file {path}; a generated table of its shape stands in"
    return Table(stand_in, stand_in, settings, k, about)
