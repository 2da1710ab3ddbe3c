"""An option is one thing: what it is called, taken and said follows from one table."""

import inspect
import re
from dataclasses import fields

import click
import pytest

import tamis
from tamis import registry
from tamis.cli.commands import tamis as command
from tamis.registry.command import as_flag, options_at
from tamis.run.request import Request
from tests.recipes import ROOT, run_with_diff

FUNCTIONS = {
    "select": tamis.select,
    "score": tamis.score,
    "extract": tamis.extract,
    "compare": tamis.compare,
    "summarise": tamis.summarise,
}
DOORS = (*FUNCTIONS, "merge")


@pytest.mark.parametrize("door", FUNCTIONS)
def test_functions_take_the_shared_options_of_their_door(door):
    parameters = inspect.signature(FUNCTIONS[door]).parameters
    assert {option.name for option in registry.list_shared(door)} <= set(parameters)


@pytest.mark.parametrize("door", DOORS)
def test_commands_have_the_flags_of_their_door_and_of_methods_only(door):
    flags = {
        flag
        for one in command.commands[door].load().params
        if isinstance(one, click.Option)
        for flag in (*one.opts, *one.secondary_opts)
    }
    known = {flag for option in options_at(door) for flag in option.flags}
    assert known <= flags
    methods = {f for m in registry.methods() for option in m.taken for f in option.flags}
    no = {"--no-scale", "--no-held-out", "--no-transpose"}
    assert flags - known - methods <= {"--help-all", *no}


def test_a_request_has_a_field_for_every_shared_option_and_its_default():
    request = Request.of("sfs")
    assert set(registry.SHARED) <= {one.name for one in fields(Request)}
    usual = {n: o.default for n, o in registry.SHARED.items() if n not in ("scale", "retain")}
    assert {name: getattr(request, name) for name in usual} == usual


def test_an_unknown_keyword_is_refused_with_the_nearest_one():
    with pytest.raises(TypeError, match="did you mean 'include'"):
        tamis.select([[1.0, 2.0], [2.0, 1.0]], inclde=["x0"])


@pytest.mark.parametrize(
    ("name", "value", "flag"),
    [
        ("scale", False, "--no-scale"),
        ("refine", True, "--refine swap"),
        ("held_out", True, "--held-out"),
        ("y", "kind", "--target kind"),
        ("costs", {"a": 2}, "--cost a=2"),
        ("rank_in_folds", False, "--rank-in-folds False"),
    ],
)
def test_options_are_spelled_as_the_command_reads_them(name, value, flag):
    assert as_flag(name, value) == flag


CHECK = """
import numpy as np, pytest, tamis
from tamis.cli.commands import tamis as command
from tamis.errors import TamisError, use_spelling
from tamis.registry.command import as_flag

X = np.random.default_rng(0).standard_normal((50, 6))
assert tamis.select(X, 2, least_share=0.1).names
with pytest.raises(TamisError, match=r"The columns explain \\d+\\.\\d% only"):
    tamis.select(X, 2, least_share=0.9)
with pytest.raises(TamisError, match="give a share above 0"), use_spelling(as_flag):
    tamis.select(X, 2, least_share=7)
select = command.commands["select"].load()
assert "--least-share SHARE" in select.get_help(select.make_context("select", ["a.csv"]))
assert "least_share=0.1" in tamis.select(X, 2, least_share=0.1).to_dict()["repeat"]["python"]
assert "Refuse an answer that explains less" in tamis.select.__doc__
"""


def test_the_recipe_of_the_contributing_guide_adds_an_option_in_two_files(tmp_path):
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    diff = re.findall(r"```diff\n(.*?)```", guide, re.DOTALL)[1]
    assert len(run_with_diff(diff, CHECK, tmp_path)) == 2
