"""What both folders of tests share: one browser, the order of the tests, and the last lines."""

import contextlib
import os
import shutil
import signal
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

DEV = "is not installed: pip install --group dev"
MAX_WAIT_SECONDS = 120  # on a machine that is busy with other things
MAX_SECONDS = 5  # of a test without a reason: @pytest.mark.slow(reason="...")
MAX_CASES = 6  # of one test in `make test`; of more it runs every third


_opened = contextlib.ExitStack()
_browsers: list[Any] = []


@pytest.fixture
def browser() -> Any:
    """Give Chromium, started once: what differs from test to test is the page or its context."""
    if not _browsers:
        playwright = pytest.importorskip("playwright.sync_api", reason=f"playwright {DEV}")
        usual = "/usr/bin/chromium"
        chromium = usual if os.access(usual, os.X_OK) else shutil.which("chromium")
        if chromium is None:
            pytest.skip("chromium is not installed: apt-get install chromium")
        driver = _opened.enter_context(playwright.sync_playwright())
        arguments = ["--no-sandbox", "--disable-gpu"]
        _browsers.append(driver.chromium.launch(executable_path=chromium, args=arguments))
        _opened.callback(_browsers[0].close)
    return _browsers[0]


@pytest.fixture
def shared_page(browser: Any) -> Iterator[Any]:
    """Give a page at a desk that is loaded anew by each test: a third of the work of a new one."""
    if not browser.contexts:
        browser.new_context().new_page()
    page = browser.contexts[0].pages[0]
    page.set_viewport_size({"width": 1280, "height": 900})
    yield page
    page.emulate_media(media="null")
    page.goto("about:blank")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser after the last test that has it: its event loop would stop others."""
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        _browsers.clear()
        _opened.close()


@pytest.fixture
def at_both_widths(browser: Any) -> Iterator[Callable[[Path], Iterator[Any]]]:
    """Open a page on a phone and on a desk, each without overflow; at the end, it was quiet."""
    complaints: list[str] = []

    def _opened(file: Path) -> Iterator[Any]:
        for width in (390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 800})
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            yield page
            page.close()

    yield _opened
    assert not complaints


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Stop a test that waits for a process which does not come: minutes are for `make nightly`."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"{item.nodeid} has waited for {MAX_WAIT_SECONDS} s.")

    if item.get_closest_marker("nightly") or not hasattr(signal, "SIGALRM"):
        return (yield)
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(MAX_WAIT_SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    """Note the processor time, processes that have ended included: a busy machine is no fault."""
    start = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        item.user_properties.append(("seconds", sum(os.times()[:4]) - start))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what shares a browser, a cluster, a session or the parsed source first, for one worker.

    The workers begin with a half of the tests each and steal from the end of the other's. Of tests
    of many cases a third is run, always the same by name, but for those that must be `whole`.
    """
    engines = ("browser", "spark", "cluster", "trees")
    items.sort(
        key=lambda item: [engine not in getattr(item, "fixturenames", ()) for engine in engines]
    )
    cases = Counter(_drop_case(item) for item in items)
    for item in items:
        sampled = cases[_drop_case(item)] > MAX_CASES and not item.get_closest_marker("whole")
        if sampled and zlib.crc32(item.nodeid.encode()) % 3:
            item.add_marker("nightly")
        if item.get_closest_marker("nightly"):
            item.add_marker("slow")  # whoever asks for tests that are not slow wants none of these
        reasons = [mark.kwargs["reason"] for mark in item.iter_markers("slow") if mark.kwargs]
        item.user_properties.extend(("slow", reason) for reason in reasons)


def _drop_case(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say which tests take long without a reason, what was not run, and how to have it."""
    write = terminalreporter.write_line
    for report in terminalreporter.stats.get("passed", []):
        told = dict(report.user_properties)
        if told.get("seconds", 0.0) > MAX_SECONDS and "slow" not in told:
            took = f"{told['seconds']:.0f} s of the processor"
            write(f"Slow: {report.nodeid} took {took}, without a reason beside it.")
    skipped = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, count in sorted(skipped.items()):
        write(f"Not run: {count} test{'s' * (count > 1)}: {reason}")
    if config.option.markexpr:
        cases = f"two of three cases of tests that have more than {MAX_CASES}"
        write(f"Not run: kills, bombs, long fuzzing, {cases}: make nightly")
