import json
from pathlib import Path
from typing import Any

import pytest
from sklearn.datasets import load_wine

import tamis
from tamis import registry
from tamis.cli import main
from tamis.cli.extract import extract as extract_command
from tamis.cli.flags import parse_number, split_list
from tamis.cli.select import select as select_command
from tamis.errors import TamisError, spell, use_spelling
from tamis.registry.command import as_flag, flag, join_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        ("a, b", ["a", "b"]),
        ('"a, b",c', ["a, b", "c"]),
        ('a,"b ""c"""', ["a", 'b "c"']),
        ("a\nb", ["a", "b"]),
        ('"a\nb"', ["a\nb"]),
        ("mean radius,é", ["mean radius", "é"]),
    ],
)
def test_a_list_is_split_as_a_csv_line_is(text: str, names: list[str]) -> None:
    assert split_list([text]) == names


def test_a_list_may_come_in_several_flags() -> None:
    assert split_list(()) == []
    assert split_list(["a,b", 'c,"d, e"', "f"]) == ["a", "b", "c", "d, e", "f"]
    assert split_list(['"a', "b"]) == ["a", "b"]


@pytest.mark.parametrize("names", [["a"], ["a, b", "c"], ['d "e"', "f"], ["g\nh"]])
def test_what_advice_spells_can_be_given_back(names: list[str]) -> None:
    assert split_list([join_names(names)]) == names


def test_an_option_is_spelled_as_its_reader_writes_it() -> None:
    assert spell("missing", "mean") == 'missing="mean"'
    with use_spelling(as_flag):
        assert spell("missing", "mean") == "--missing mean"
        assert spell("exclude", ["mean radius"]) == "--exclude 'mean radius'"
        assert spell("k", 3) == "-k 3"
    assert spell("exclude", ["é"]) == 'exclude=["é"]'


def test_every_option_of_a_method_has_a_flag_and_is_only_taken_by_it() -> None:
    pfa = registry.get("pfa")
    assert [flag(option.name) for option in pfa.options] == [
        "--component-share",
        "--signed",
        "--random-state",
    ]
    with (
        use_spelling(as_flag),
        pytest.raises(TamisError, match="Method 'pfa' does not take --norm: it has --component"),
    ):
        registry.check_options(pfa, {"norm": "none"})


def test_what_is_no_number_is_left_for_the_registry_to_refuse() -> None:
    assert [parse_number(text) for text in ("12", "0.5", "1e3", "-1")] == [12, 0.5, 1000.0, -1]
    assert parse_number("many") == "many"
    with pytest.raises(TamisError, match="give"):
        registry.K.check(parse_number("many"))


def test_a_flag_that_both_commands_have_is_the_same_in_both() -> None:
    select, extract = ({p.name: p for p in c.params} for c in (select_command, extract_command))
    shared = {"file", "columns", "exclude", "report", "as_json", "scale"}
    assert shared < set(select) & set(extract)
    for name in shared - {"file"}:
        assert select[name].to_info_dict() == extract[name].to_info_dict()


def test_a_flag_takes_the_choices_of_every_method_that_has_it() -> None:
    choices = {
        choice
        for method in registry.methods("selection")
        for option in method.options
        if option.name == "binning"
        for choice in option.choices
    }
    binning = next(p for p in select_command.params if p.name == "binning")
    assert {"depth", "mdl", "chimerge"} <= choices == set(binning.type.choices)


def test_policies_are_flags_of_every_method_that_scores_columns(tmp_path, capsys):
    X, y = load_wine(return_X_y=True, as_frame=True)
    path = tmp_path / "wine.csv"
    X.assign(kind=y).to_csv(path, index=False)
    given = ["select", str(path), "-m", "information-gain", "--target", "kind", "--json"]
    given += ["--policy", "incremental", "--redundancy", "drop", "--learner", "knn", "--cv", "4"]
    main([*given, "--binning", "mdl"])
    found = json.loads(capsys.readouterr().out)
    assert found["evidence"]["learner"] == "knn"
    assert {row["reason"] for row in found["dropped"]} <= {"redundant", "irrelevant"}
    options = dict(found["options"])
    assert options["policy"] == "incremental"
    assert options["cv"] == "4"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--policy", "incremental"], "--policy incremental needs labels"),
        (["--policy", "threshold", "-k", "3"], "Give -k or --within, not both"),
        (["--patience", "2"], "--patience 2 has no effect without --policy incremental"),
        (["-m", "sfs", "--redundancy", "drop"], "Method 'sfs' does not take --redundancy"),
    ],
)
def test_contradicting_flags_are_refused_as_they_were_typed(tmp_path, capsys, given, said):
    path = tmp_path / "wine.csv"
    load_wine(as_frame=True).data.to_csv(path, index=False)
    with pytest.raises(SystemExit):
        main(["select", str(path), "-m", "variance", *given])
    assert said in capsys.readouterr().err


def test_prices_and_forbidden_columns_may_be_repeated(tmp_path, capsys):
    path = tmp_path / "wine.csv"
    load_wine(as_frame=True).data.to_csv(path, index=False)
    flags = ["--forbid", "flavanoids,hue", "--forbid", "ash", "--cost", "alcohol=3.5"]
    main(["select", str(path), "-k", "3", "--json", *flags, "--cost", "proline=2"])
    found = json.loads(capsys.readouterr().out)
    assert ["forbid", "flavanoids, hue, ash"] in found["options"]
    assert ["costs", "alcohol: 3.5, proline: 2"] in found["options"]
    assert not {"flavanoids", "hue", "ash"} & set(found["names"])
    assert as_flag("costs", {"a": 2, "b c": 0.5}) == "--cost a=2 --cost 'b c=0.5'"


def test_without_a_method_the_table_decides_which_options_there_are(
    folder: Path, run: Any, refused: Any
) -> None:
    numbers = (folder / "table.csv").read_text().splitlines()
    mixed = [
        f"{line},{word}" for line, word in zip(numbers, ["place", *"abbacab" * 20], strict=False)
    ]
    (folder / "mixed.csv").write_text("\n".join(mixed) + "\n")
    seen = run("select", "mixed.csv", "-k", "2", "--bins", "5", "--json")
    assert seen.code == 0, seen.err
    facts = json.loads(seen.out)
    found = tamis.select("mixed.csv", 2, options={"bins": 5})
    assert facts["names"] == found.names
    assert ["bins", "5"] in facts["options"]
    assert refused("table.csv", "-k", "2", "-m", "sfs", "--bins", "5") == (
        "Method 'sfs' does not take --bins: it has --forbid, --cost, --group, --at-most, "
        "--at-least, --budget, --apart, --axis."
    )
    assert refused("mixed.csv", "--bins", "0").startswith("--bins 0: give an integer of at least")
