"""The suffix of a file says which reader takes it."""

from pathlib import Path

from tamis.sources.table_file import BOOKS, READERS, SUFFIXES, TEXTS, suffix_of


def test_every_suffix_has_one_reader_and_is_found_in_a_name() -> None:
    assert len(SUFFIXES) == len(set(SUFFIXES))
    assert not {*TEXTS, *BOOKS} & {*READERS}
    assert [suffix_of(Path(f"My.Table{one.upper()}")) for one in SUFFIXES] == [*SUFFIXES]


def test_a_packed_text_is_known_by_what_it_holds() -> None:
    assert suffix_of(Path("a.csv.gz")) == ".csv"
    assert suffix_of(Path("a.gz")) == ".gz"
