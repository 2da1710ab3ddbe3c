import io
import signal
import threading
from typing import Any

import pytest

from tamis.presentation.terminal import progress
from tamis.presentation.terminal.progress import line, progress_bar
from tamis.progress import Meter, report_progress, track


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.drawn.set()
        return super().write(text)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give a clock that the test sets."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress, "_TICK", 1000.0)
    return now


def _work(clock: list[float], step: float, total: int | None = 10) -> None:
    for _ in track("rows read", range(10), total):
        clock[0] += step


def test_a_bar_is_drawn_after_a_second_and_taken_away(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        _work(clock, 0.3)
    first, *_, last, end = stream.getvalue().split("\r\x1b[K")[1:]
    assert first == "[#########               ] 4 of 10 rows read"
    assert last == "[########################] 10 of 10 rows read"
    assert end == ""


def test_long_work_says_how_much_time_is_left(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        _work(clock, 0.1)
        _work(clock, 60.0)
    shown = stream.getvalue().split("\r\x1b[K")
    assert "[#########               ] 4 of 10 rows read, about 4 min left" in shown
    assert "left" not in shown[-2]


def test_news_after_a_comma_do_not_start_the_clock_again(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        for done in range(4):
            clock[0] += 60.0
            report_progress(f"cells computed, running {done}", done, 4)
    assert "3 of 4 cells computed, running 3, about 60 s left" in stream.getvalue()


def test_work_that_reports_nothing_shows_how_long_it_takes(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_TICK", 0.001)
    stream = Terminal()
    with progress_bar(stream, label="writing the report"):
        clock[0] = 7.0
        assert stream.drawn.wait(300)
    assert stream.getvalue().split("\r\x1b[K")[1] == "writing the report, 7 s"
    assert stream.getvalue().endswith("\r\x1b[K")


def test_quick_work_draws_nothing(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        _work(clock, 0.05)
    assert stream.getvalue() == ""


def test_the_bar_is_not_drawn_too_often(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        clock[0] = 5.0
        _work(clock, 0.04)
    assert stream.getvalue().count("rows read") == 4


def test_what_is_no_terminal_sees_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    with progress_bar(stream):
        _work(clock, 1.0)
    assert stream.getvalue() == ""


def test_the_bar_is_taken_away_when_work_is_stopped(clock: list[float]) -> None:
    stream = Terminal()
    stop = iter([lambda: None, lambda: None, signal.default_int_handler])

    def work() -> None:
        for act in track("rows read", stop):
            clock[0] += 1.0
            act(signal.SIGINT, None) if act is signal.default_int_handler else act()

    with pytest.raises(KeyboardInterrupt), progress_bar(stream):
        work()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_nobody_listens_after_the_block(clock: list[float]) -> None:
    stream = Terminal()
    with progress_bar(stream):
        pass
    _work(clock, 1.0)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (("rows read", 1234, None), "1,234 rows read"),
        (("rows read", 0, 0), "0 rows read"),
        (("steps", 12, 10), "[########################] 12 of 10 steps"),
    ],
)
def test_a_line_says_how_much_is_done(state: Any, text: str) -> None:
    assert line(*state) == text


def test_a_selection_reports_rows_and_steps_to_a_terminal(
    clock: list[float], numbers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tamis

    monkeypatch.setattr(progress, "_WAIT", -1.0)
    monkeypatch.setattr(progress, "_EVERY", -1.0)
    stream = Terminal()
    with progress_bar(stream):
        tamis.select(numbers, k=3)
    assert clock == [0.0]
    assert "60 of 60 rows read" in stream.getvalue()
    assert "3 of 3 columns taken" in stream.getvalue()


def test_a_table_of_unknown_length_is_measured_by_its_bytes(clock: list[float]) -> None:
    stream, meter = Terminal(), Meter(8_000_000)
    with progress_bar(stream):
        for i, _ in enumerate(track("rows read", range(4), None, lambda _: 1000, meter)):
            meter.done = 2_000_000 * (i + 1)
            clock[0] += 8.0
    first, second, *_ = stream.getvalue().split("\r\x1b[K")[1:]
    assert first == "[######                  ] 1,000 rows read, 2.0 of 8.0 MB"
    assert second == "[############            ] 2,000 rows read, 4.0 of 8.0 MB, about 8 s left"
