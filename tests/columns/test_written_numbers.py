import pyarrow as pa

from tamis.columns.suspects import WrittenNumbers, judge_texts


def judge(*parts):
    found = judge_texts("x", [pa.array(part, pa.string()) for part in parts])
    return None if found is None else (found.looks_like, found.detail)


NUMBERS = [f"{i}.5" for i in range(40)]


def test_many_numbers_with_a_few_texts_are_meant_as_numbers():
    assert judge([*NUMBERS, "n/a"], ["1.25", "n/a", None]) == ("mixed", "'n/a' (2 of 43 values)")


def test_parts_add_up_to_the_whole():
    whole = judge([*NUMBERS, "n/a"])
    assert whole is not None
    assert whole == judge(NUMBERS[:25], [*NUMBERS[25:], "n/a"])


def test_few_distinct_numbers_are_categories():
    assert judge([str(i) for i in range(1, 23)] + ["X", "Y"]) is None


def test_mostly_text_is_given_up():
    found = WrittenNumbers()
    found.add(pa.array(["red", "green", "blue", "1"]))
    assert not found.may_be


def test_plain_digits_are_codes():
    assert judge(["12", "7", "3"]) is None
    assert judge(["12", "7", "3.5"]) == ("amounts", "")
