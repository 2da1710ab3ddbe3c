"""The names of levels in a summary, and the columns of the table that they stand for."""

from tamis.sources.stored_summary import StoredCategory, list_table_names


def test_every_level_has_a_column_and_the_others_one_together():
    colour = StoredCategory("colour", ("blue", "red"), (3, 4), others=2, has_other=True)
    assert colour.columns == ("colour=blue", "colour=red", "colour=(other)")
    table = list_table_names(["a", *colour.columns, "b=1"], [colour])
    assert table == {"a": (0,), "colour": (1, 2, 3), "b=1": (4,)}
