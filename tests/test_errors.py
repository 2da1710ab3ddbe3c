import pytest

import tamis
from tamis.errors import TamisError


@pytest.mark.parametrize("odd", ["\n", "\r", "\x1b[31m", "\x85", "\u2028", "\t", "\x00"])
def test_a_name_with_control_characters_leaves_the_sentence_on_one_line(odd: str) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({f"a{odd}b": [1.0, None, 2.0], "c": [1.0, 2.0, 4.0]})
    for bad in ({"missing": "error"}, {"include": ["d"]}, {"exclude": [f"a{odd}b"]}):
        with pytest.raises(TamisError) as refused:
            tamis.select(frame, **bad)
        sentence = str(refused.value)
        assert sentence.isprintable()
        assert refused.value.args == (sentence,)


def test_letters_of_any_script_stay_as_they_are() -> None:
    assert str(TamisError("Column 'größe 身長 \N{GRINNING FACE}' is bad.")).count("größe 身長") == 1


def test_a_file_name_that_is_no_text_leaves_the_sentence_printable() -> None:
    assert str(TamisError("bad\udc80.csv is empty.")) == "bad\\udc80.csv is empty."
