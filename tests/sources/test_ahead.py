"""The thread that reads ahead: order, faults, and that it never outlives its reader."""

import threading
from collections.abc import Iterator

import pytest

from tamis.errors import spell, use_spelling
from tamis.sources.files import read_ahead


def _readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "tamis-reader"]


def test_items_come_in_order_and_at_most_a_few_are_made_ahead() -> None:
    made: list[int] = []

    def numbers() -> Iterator[int]:
        for i in range(50):
            made.append(i)
            yield i

    for i, item in enumerate(read_ahead(numbers)):
        assert item == i
        assert len(made) <= i + 3  # one is used, one waits, one is being made
    assert len(made) == 50
    assert not _readers()


@pytest.mark.parametrize("error", [OSError("disk"), KeyboardInterrupt()])
def test_what_goes_wrong_is_raised_where_the_items_are_used(error: BaseException) -> None:
    def numbers() -> Iterator[int]:
        yield 1
        raise error

    items = read_ahead(numbers)
    assert next(items) == 1
    with pytest.raises(type(error)):
        next(items)
    assert not _readers()


def test_a_reader_that_stops_half_way_ends_the_thread_and_closes_what_it_opened() -> None:
    closed: list[str] = []

    def numbers() -> Iterator[int]:
        try:
            yield from range(1000)
        finally:
            closed.append(threading.current_thread().name)

    items = read_ahead(numbers)
    assert next(items) == 0
    items.close()  # type: ignore[attr-defined]
    assert closed == ["tamis-reader"]
    assert not _readers()


def test_a_fault_in_the_use_of_an_item_ends_the_thread() -> None:
    with pytest.raises(ZeroDivisionError):
        _ = [1 / item for item in read_ahead(lambda: range(1000))]
    assert not _readers()


def test_the_thread_spells_options_as_its_reader_does() -> None:
    with use_spelling(lambda name, value: f"--{name} {value}"):
        (said,) = read_ahead(lambda: [spell("missing", "mean")])
    assert said == "--missing mean"
