"""The page of completeness names nothing that does not exist."""

import re
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis_papers.catalogue import list_protocols

PAGE = Path(__file__).parents[2] / "docs" / "completeness.md"
# Rows that are written before what they name is there; empty once everything is.
AWAITED: set[str] = set()
SHARED = {"retain"}  # options of all methods
METHODS = {(one.kind, one.id): one for one in tamis.methods()}
POLICIES = {"policy", "within", "redundancy"}  # options of all methods that score columns
VERBS = {"select": "selection", "extract": "extraction"}


@dataclass(frozen=True)
class Named:
    """What a cell of the page names: a kind of thing, its id, an option with its value."""

    kind: str
    id: str
    option: str = ""
    value: str = ""

    @property
    def key(self) -> str:
        if self.option == "target":
            return f"target {self.value}"
        return self.id if not self.option else f"{self.id} {self.option}"


def read_rows() -> list[tuple[str, ...]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return [row for row in cells if row[0] not in ("section", "---")]


def read_named(command: str, option: str) -> list[Named]:
    """Give what the command of a row names, once for the id and once for the option."""
    found = []
    for code in re.findall(r"`([^`]+)`", command):
        if match := re.match(r"tamis (select|extract) \S+ --method (\S+)", code):
            found.append(Named(VERBS[match[1]], match[2]))
        elif match := re.fullmatch(r"tamis reproduce (\S+)", code):
            found.append(Named("experiment", match[1]))
        else:
            found.append(Named("function", code))
    if option:
        name, value = option.strip("`").split("=")
        found.append(Named(found[0].kind, found[0].id, name, value))
    return found


ROWS = read_rows()
EVERY = {one for _, _, command, option in ROWS for one in read_named(command, option)}


def exists(one: Named) -> bool:
    if one.kind == "experiment":
        return one.id in {protocol.id for protocol in list_protocols()}
    if one.kind == "function":
        return finds(one.id)
    method = METHODS.get((one.kind, one.id))
    if method is None or not one.option:
        return method is not None
    if one.option == "target":
        return takes_clusters(one.value)
    if one.option in SHARED or (method.ranks and one.option in POLICIES):
        return True
    options = {option.name: option for option in method.options}
    choices = options[one.option].choices if one.option in options else ()
    return one.option in options and (not choices or one.value in choices)


def finds(path: str) -> bool:
    try:
        return callable(reduce(getattr, path.split(".")[1:], tamis))
    except AttributeError:
        return False


def takes_clusters(value: str) -> bool:
    X = np.random.default_rng(0).random((40, 4))
    X[:20] += 3
    try:
        return len(tamis.select(X, 2, method="chi2", y=value).names) == 2
    except TamisError:
        return False


@pytest.mark.parametrize("one", sorted(EVERY, key=str), ids=lambda one: one.key)
def test_what_a_row_names_exists(one):
    # A row that is awaited must be absent: whoever adds it takes it off the list.
    assert exists(one) == (one.key not in AWAITED)


def test_every_row_names_something_and_all_that_is_awaited_has_a_row():
    assert len(ROWS) > 100
    assert all(len(row) == 4 and row[0] and row[1] and row[2] for row in ROWS)
    assert {one.key for one in EVERY} >= AWAITED


def test_every_experiment_has_a_row():
    named = {one.id for one in EVERY if one.kind == "experiment"}
    assert named == {protocol.id for protocol in list_protocols()}


@pytest.mark.parametrize(
    "wrong",
    [
        Named("selection", "no-such-method"),
        Named("selection", "pca"),
        Named("selection", "ufs", "no_such_option", "1"),
        Named("selection", "bicluster", "algorithm", "no-such-choice"),
        Named("selection", "ufs", "policy", "best"),
        Named("experiment", "no-such-experiment"),
        Named("function", "tamis.evaluation.no_such_measure"),
    ],
    ids=lambda one: one.key,
)
def test_what_does_not_exist_is_found_out(wrong):
    assert not exists(wrong)
