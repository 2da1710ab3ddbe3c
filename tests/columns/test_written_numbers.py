import pyarrow as pa

from tamis.columns.suspects import WrittenNumbers


def seen(*parts):
    found = WrittenNumbers()
    for part in parts:
        found.add(pa.array(part, pa.string()))
    return found


NUMBERS = [f"{i}.5" for i in range(40)]


def test_many_numbers_with_a_few_texts_are_meant_as_numbers():
    found = seen([*NUMBERS, "n/a"], ["1.25", "n/a", None])
    assert found.are_mostly
    assert found.are_written
    assert dict(found.odd) == {"n/a": 2}
    assert "2 of 43" in found.odd_text


def test_parts_add_up_to_the_whole():
    whole, parted = seen([*NUMBERS, "n/a"]), seen(NUMBERS[:25], [*NUMBERS[25:], "n/a"])
    assert (whole.odd, whole.are_mostly) == (parted.odd, parted.are_mostly)


def test_few_distinct_numbers_are_categories():
    assert not seen([str(i) for i in range(1, 23)] + ["X", "Y"]).are_mostly


def test_mostly_text_is_given_up():
    assert not seen(["red", "green", "blue", "1"]).may_be


def test_plain_digits_are_codes():
    assert not seen(["12", "7", "3"]).are_written
