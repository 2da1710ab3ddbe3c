"""Every word about missing values is known in one place."""

import ast

import pytest

from tamis.registry.missing_policy import (
    STORED_WORDS,
    MissingPolicy,
    describe_treatment,
    treatment_of,
)


def test_each_policy_does_exactly_one_thing_to_missing_numbers():
    for policy in MissingPolicy:
        deeds = (policy.refuses, policy.drops, policy.fills, policy.codes_numbers, policy.pairs)
        assert sum(deeds) == 1, policy


def test_a_policy_is_its_word_wherever_it_is_written():
    assert [f"{one}" for one in MissingPolicy] == [one.value for one in MissingPolicy]
    assert repr(MissingPolicy.DROP) == "'drop'"
    assert MissingPolicy("auto").stored == "mean"


def test_methods_on_text_and_on_numbers_have_their_own_policies():
    text, numbers = (MissingPolicy.for_method(takes_text=takes) for takes in (True, False))
    linear = MissingPolicy.for_method(takes_text=False, linear=True)
    assert {*text, *linear} == set(MissingPolicy)
    assert {*linear} - {*numbers} == {"covariance"}
    assert "mean" not in text
    assert "category" not in numbers
    for takes, own in ((True, text), (False, numbers)):
        assert MissingPolicy.filling(takes_text=takes) in own


@pytest.mark.parametrize("words", [[word] for word in STORED_WORDS] + [["drop", "mean"]])
def test_what_summaries_did_has_a_word_that_is_described_unless_rows_were_dropped(words):
    done = treatment_of(words, parts=2)
    assert bool(describe_treatment(done)) == (done not in ("error", "drop"))


def test_nobody_else_compares_the_words(trees):
    knowing = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and "missing" in ast.unparse(node):
                parts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                knowing |= {path.name} if set(parts) & {*map(str, MissingPolicy)} else set()
    assert knowing <= {"missing_policy.py"}
