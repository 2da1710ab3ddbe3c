from tamis.sources.text_layout import complete, joins_names


def test_names_stay_where_many_are_missing_or_there_again():
    assert complete(["a", "", "", ""]) == {}
    assert complete(["a", "a", "b", "b", "c", "c"]) == {}
    assert complete(["x", "1.5", "x"]) == {}  # a row of values


def test_lines_are_not_joined_where_the_names_are_not_unique_even_so():
    assert not joins_names(["a", "a", "b"], ["mm", "mm", "s"])
    assert not joins_names(["", "a", "a"], ["", "x", "y"])
