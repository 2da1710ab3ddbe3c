"""Every document that a command prints is what its schema says, no less and no more."""

import contextlib
import copy
import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tamis.cli import main
from tamis.facts.json_schema import describe_json
from tamis.presentation.prose.document import SCHEMAS, describe_document
from tamis.results.choice_check import ChoiceCheck

jsonschema = pytest.importorskip("jsonschema")

KEPT_KEYS = {"names", "k", "retained", "bound", "held_out", "ranking", "curve", "dropped"}


def _parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    yield from schema["$defs"].values()


@functools.cache
def _strict(name: str) -> Any:
    """Refuse keys that the schema does not name (evidence has some of its own)."""
    schema = copy.deepcopy(describe_document(name))
    for part in _parts(schema):
        part["additionalProperties"] = "kind" in part["properties"]
    return jsonschema.Draft202012Validator(schema)


def _check(document: Any, name: str) -> None:
    _strict(name).validate(document)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give numbers with a copy and a constant, missing values, text and labels, and noise."""
    path = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(80, 3))
    X = hidden @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(80, 7))
    numbers = pd.DataFrame(X, columns=list("abcdefg")).assign(twin=X[:, 0] * -2, one=1.0)
    numbers.to_csv(path / "numbers.csv", index=False)
    numbers.mask(rng.random(numbers.shape) < 0.05).to_csv(path / "gaps.csv", index=False)
    mixed = numbers[["a", "b", "d"]].assign(
        nr=np.arange(80),
        town=rng.choice(["Ulm", "Bonn"], 80),
        day="2024-01-01",
        kind=np.where(X[:, 0] > 0, "yes", "no"),
    )
    mixed.to_csv(path / "mixed.csv", index=False)
    noise = pd.DataFrame(rng.normal(size=(25, 30))).add_prefix("n")
    noise.to_csv(path / "noise.csv", index=False)
    return path


COMMANDS = {
    "selection": (
        "select numbers.csv -k 3 --held-out --stability",
        "select numbers.csv -k auto --include c",
        "select numbers.csv -k 3 -m ufs",
        "select gaps.csv --retain 0.8 --missing mean",
        "select gaps.csv -k 2 --missing drop",
        "select mixed.csv -k 3",
        "select mixed.csv -k 2 -m rspfs",
        "select mixed.csv -k 2 -m chi2 --target kind",
        "select mixed.csv -k 2 -m wrapper-forward --target kind",
        "select noise.csv -k 6 --held-out",
        "score numbers.csv --columns a,b",
        "score noise.csv --columns n1,n2 --held-out",
    ),
    "extraction": (
        "extract numbers.csv -k 2",
        "extract gaps.csv -k 2 --missing mean",
        "extract mixed.csv -m lda --target kind",
        "extract noise.csv -m kernel-pca -k 2",
    ),
    "comparison": (
        "compare numbers.csv -k 2,3 --methods sfs,variance",
        "compare mixed.csv -k 2 --target kind --methods sfs,chi2,representatives",
    ),
}


@pytest.mark.parametrize(
    ("name", "command"), [(name, one) for name, given in COMMANDS.items() for one in given]
)
def test_what_a_command_prints_is_what_its_schema_says(
    name: str, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(folder)
    main([*command.split(), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 1
    _check(document, name)
    if name == "selection":
        assert document.keys() >= KEPT_KEYS
    with pytest.raises(jsonschema.ValidationError):
        _check({**document, "names": 3}, name)
    with pytest.raises(jsonschema.ValidationError):
        _check({key: value for key, value in document.items() if key != "missing"}, name)
    with pytest.raises(jsonschema.ValidationError):
        _check({**document, "unheard": 1}, name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_itself_and_describes_every_part(name: str) -> None:
    schema = describe_document(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert all(part["description"] for part in _parts(schema))
    assert all(part["required"] for part in _parts(schema))


def test_a_check_prints_what_its_schema_says(folder: Path, capsys: Any) -> None:
    table, choice = str(folder / "numbers.csv"), str(folder / "choice.tamis")
    main(["select", table, "-k", "3", "--save", choice])
    for month in (table, str(folder / "gaps.csv")):
        capsys.readouterr()
        with contextlib.suppress(SystemExit):
            main(["check", choice, month, "--json"])
        document = json.loads(capsys.readouterr().out)
        schema = describe_json(ChoiceCheck, {}, "a check")
        for part in _parts(schema):
            part["additionalProperties"] = False
        jsonschema.validate(document, schema, jsonschema.Draft202012Validator)
        assert document["version"] == 1


def test_version_1_keeps_the_keys_that_people_use() -> None:
    schema = describe_document("selection")
    assert schema["properties"]["version"]["const"] == 1
    assert set(schema["required"]) >= KEPT_KEYS


def test_a_class_is_described_by_its_fields_and_its_texts() -> None:
    @dataclass(frozen=True)
    class Pair:
        """Two things."""

        size: tuple[int, str]
        more: "float | None"

    def say(pair: Pair) -> str:
        return str(pair.size)

    schema = describe_json(Pair, {Pair: {"said": say}}, "a pair")
    assert schema["required"] == ["version", "size", "more", "said"]
    known = schema["properties"]
    assert known["more"] == {"anyOf": [{"type": "number"}, {"type": "null"}]}
    assert known["size"]["prefixItems"] == [{"type": "integer"}, {"type": "string"}]
    assert known["said"]["type"] == "string"
