import io

import pytest

import tamis
from tamis.cli import main
from tamis.errors import TamisError, Unreadable
from tamis.memory import limit_memory
from tamis.sources import delimited as module
from tamis.sources.delimited import block_bytes, check_width, first_block, first_lines
from tamis.sources.open import open_source


class Counting(io.BytesIO):
    """A stream that notes how much of it is read."""

    taken = 0

    def read(self, size=-1):
        block = super().read(size)
        self.taken += len(block)
        return block


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_long_header_is_read_up_to_its_end(end, monkeypatch):
    monkeypatch.setattr(module, "PROBE_BYTES", 7)
    header = b",".join(b"column %d" % j for j in range(50))
    lines = first_lines(io.BytesIO(header + end + b"1,2" + end + b"3,4"), "t.csv", "t.csv")
    assert lines[0] == header
    assert lines[1][:1] == b"1"
    assert first_lines(io.BytesIO(b"a,b" + end), "t.csv", "t.csv") == [b"a,b"]


def test_a_first_line_without_an_end_is_refused_before_all_of_it_is_read(monkeypatch):
    monkeypatch.setattr(module, "LONGEST_LINE", 1 << 21)
    stream = Counting(b"x," * (1 << 22))
    with pytest.raises(Unreadable, match="does not end within 2 MB"):
        first_lines(stream, "t.csv", "t.csv")
    assert stream.taken <= 3 << 20


def test_no_line_asks_for_a_block_beyond_what_arrow_can_count():
    for line in (10, 1 << 20, 1 << 25, 1 << 26):
        assert 2 * line <= block_bytes(1 << 23, line) < 1 << 31
    with limit_memory(1 << 26):
        assert block_bytes(1 << 21, 1 << 20) <= 1 << 23


def test_more_columns_than_memory_allows_for_are_refused_with_a_way_out(tmp_path, capsys):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{j}" for j in range(30_000)) + "\n" + ("1," * 30_000)[:-1] + "\n")
    with pytest.raises(TamisError, match=r'30,000 columns, .* memory="0.3GB"'):
        tamis.select(path, 3, memory="200MB")
    with pytest.raises(SystemExit):  # also where a pattern of names opens the table first
        main(["select", str(path), "-k", "3", "--memory", "200MB", "--exclude", "c1*"])
    assert "--memory 0.3GB" in capsys.readouterr().err
    check_width(20_000, "t.csv")  # of a gene expression, by default


def test_of_a_long_stream_two_blocks_are_read_to_find_the_types():
    stream = Counting(b"1,2\n" * 1_000)
    assert first_block(stream, 40).read() == (b"1,2\n" * 21)[:81]
    assert stream.taken == 81


def test_a_text_is_typed_by_its_first_block_however_long_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.sources.delimited._READ_BYTES", 64)
    rows = ["a,b", *(f"{i},{i % 7}" for i in range(4_000)), '"line\nend",1']
    (tmp_path / "t.csv").write_text("\n".join(rows))
    asked = []
    block = module.first_block
    seen = lambda stream, size: asked.append(size) or block(stream, size)  # noqa: E731
    monkeypatch.setattr("tamis.sources.delimited.first_block", seen)
    source = open_source(tmp_path / "t.csv")
    assert source.kinds == ("numeric", "numeric")
    assert asked
    assert max(asked) < 1_000
