import pytest

from tamis.cli.flags import read_groups


@pytest.mark.parametrize("header", ["column,group\n", "Item,Scale\n", "gene,pathway\n", ""])
def test_a_file_of_groups_may_have_a_header(tmp_path, header):
    (tmp_path / "g.csv").write_text(f"{header}a1,A\na2,A\nb1,B\n")
    assert read_groups([f"@{tmp_path / 'g.csv'}"]) == {"A": ["a1", "a2"], "B": ["b1"]}


def test_a_column_called_item_is_a_column(tmp_path):
    (tmp_path / "g.csv").write_text("item,A\na2,A\n")
    assert read_groups([f"@{tmp_path / 'g.csv'}"]) == {"A": ["item", "a2"]}
