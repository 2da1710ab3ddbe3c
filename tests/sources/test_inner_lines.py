from pathlib import Path

import pytest

from tamis.sources import text_form
from tamis.sources.text_form import find_subtotals, is_repeated


def test_only_whole_lines_that_equal_the_header_are_found(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\r\n1,2\r\na,b,c\r\n3,4\r\n")
    assert not is_repeated(path, b"a,b")
    path.write_bytes(b"a,b\r\n1,2\r\na,b,c\r\n3,4\r\na,b")
    assert is_repeated(path, b"a,b")
    assert not is_repeated(path, b"")


def test_a_single_total_is_no_subtotal(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\nx,1,2\nx total,,3\ny,4,5\n")
    assert find_subtotals(path, "utf-8", ",", ["x,1,2", "y,4,5"]) == set()


def test_lines_are_found_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{i},{i}" for i in range(500)]
    lines = ["first,second", *rows[:200], "first,second", *rows[200:], "first,second"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    for size in (5, 12, 13, 100, 1 << 22):
        monkeypatch.setattr(text_form, "_BLOCK_BYTES", size)
        found = [*text_form._lines_with(tmp_path / "t.csv", b"first,second")]
        assert found == [b"first,second"] * 3


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is seen in /proc")
def test_a_long_text_that_is_searched_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * (16 << 20))
    held = []
    give_back = text_form._give_back

    def watch(text: object, start: int) -> None:
        give_back(text, start)  # type: ignore[arg-type]
        held.append(int(Path("/proc/self/statm").read_text().split()[2]))  # pages of files

    monkeypatch.setattr(text_form, "_give_back", watch)
    assert not is_repeated(tmp_path / "t.csv", b"a,b")
    assert len(held) >= 15
    assert (max(held) - held[0]) * 4096 < 32 << 20
