import json
import shlex

import pytest
from sklearn.datasets import load_wine

import tamis
from tamis.cli import main
from tamis.results.shared_facts import repeat_patterns
from tamis.results.slider_facts import live_patterns


@pytest.fixture
def wine(tmp_path):
    path = tmp_path / "the wine.csv"
    load_wine(as_frame=True).data.assign(text="a").to_csv(path, index=False)
    return path


ASKED = [
    {},
    {"method": "variance"},
    {"method": "ufs", "exclude": ["hue"]},
    {"include": ["hue"], "forbid": ["ash"], "costs": {"alcohol": 2.5}, "missing": "mean"},
    {"method": "pfs", "columns": ["hue", "ash", "proline", "alcohol"], "scale": False},
]


@pytest.mark.parametrize("asked", ASKED)
def test_the_command_and_the_line_give_what_was_found(wine, asked, capsys):
    found = tamis.select(str(wine), k=3, **asked)
    patterns = repeat_patterns(found.request)
    line, command = (way.format(k=3, more="") for way in (patterns.python, patterns.command))
    assert eval(line, {"tamis": tamis}).names == found.names
    main([*shlex.split(command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["names"] == found.names


@pytest.mark.parametrize("asked", ASKED)
def test_for_wishes_the_same_table_is_asked_anew_as_the_page_chooses(wine, asked, capsys):
    found = tamis.select(str(wine), k=3, **asked)
    patterns = live_patterns(found.request)
    line, command = (way.format(k=2, more="") for way in (patterns.python, patterns.command))
    again = eval(line, {"tamis": tamis})
    plain = {"method": "forward", "options": {"shrink": 0.0}}
    way = plain if found.request.method.id == "forward" else {"method": "sfs"}
    assert again.request.method.id == way["method"]
    assert (
        again.names
        == tamis.select(
            str(wine),
            k=2,
            scale=found.request.settings["scale"],
            **way,
            **{name: asked[name] for name in ("exclude", "columns", "missing") if name in asked},
        ).names
    )
    main([*shlex.split(command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["names"] == again.names


def test_of_a_typed_command_what_wishes_replace_is_taken_out(wine):
    typed = "tamis select w.csv -m pfs --norm none --include a --exclude b --held-out --retain 0.9"
    found = tamis.select(str(wine), k=3, method="pfs", include=["hue"], options={"norm": "none"})
    object.__setattr__(found.request, "command", f"{typed} --report x.html")
    patterns = live_patterns(found.request)
    assert patterns.command == ("tamis select w.csv --exclude b --method sfs -k {k}{more}")
