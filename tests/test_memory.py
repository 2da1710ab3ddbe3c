"""The memory that reading may take."""

from pathlib import Path

import pytest

from tamis import memory
from tamis.memory import batch_bytes, batch_rows


def test_the_default_is_a_quarter_of_the_machine_and_never_below_a_gigabyte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for machine, expected in ((64 << 30, 16 << 30), (2 << 30, 1 << 30)):
        monkeypatch.setattr(memory, "machine_bytes", lambda size=machine: size)
        assert memory.get_budget() == expected


def test_a_container_with_less_memory_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_LIMIT_FILES", (str(limit), str(tmp_path / "none")))
    limit.write_text("max\n")
    machine = memory.machine_bytes()
    limit.write_text("123456789\n")
    assert memory.machine_bytes() == 123456789 < machine


def test_a_small_budget_makes_small_batches_and_ends_with_its_block() -> None:
    usual = batch_bytes()
    with memory.limit_memory(1 << 26):
        assert batch_bytes() == 1 << 21
        assert batch_rows(256) == 1 << 10
        with memory.limit_memory(None):
            assert memory.get_budget() == 1 << 26
    assert batch_bytes() == usual
