"""What a run of the tests says at its end, and which tests it leaves out."""

from types import SimpleNamespace

import pytest

import conftest


def end_run(markexpr="", **stats):
    """Give the last lines of a run that had these reports."""
    lines = []
    reporter = SimpleNamespace(stats=stats, write_line=lines.append)
    options = SimpleNamespace(option=SimpleNamespace(markexpr=markexpr))
    conftest.pytest_terminal_summary(reporter, options)
    return lines


def test_what_was_not_run_is_said_once_with_the_way_to_have_it():
    reason = "chromium is not installed: apt-get install chromium"
    skipped = [SimpleNamespace(longrepr=("file", 3, f"Skipped: {reason}")) for _ in range(2)]
    assert end_run(skipped=skipped) == [f"Not run: 2 tests: {reason}"]
    assert end_run("not nightly")[0].endswith(": make nightly")


def test_a_test_that_takes_long_without_a_reason_is_named():
    slow = SimpleNamespace(nodeid="tests/a.py::test_b", user_properties=[("seconds", 7.2)])
    told = SimpleNamespace(nodeid="c", user_properties=[("seconds", 9.0), ("slow", "it compiles")])
    (line,) = end_run(passed=[slow, told])
    assert line.startswith("Slow: tests/a.py::test_b took 7 s of the processor")


def test_a_nightly_test_is_slow_and_one_engine_after_the_other_comes_first(request):
    def make(name, fixtures, *marks):
        item = pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        item.fixturenames = fixtures
        for mark in marks:
            item.add_marker(mark)
        return item

    items = [make("a", []), make("b", ["spark"], "nightly"), make("c", ["browser"])]
    items.append(make("d", ["spark"], pytest.mark.slow(reason="a session")))
    conftest.pytest_collection_modifyitems(items)
    assert [item.name for item in items] == ["c", "b", "d", "a"]
    assert items[1].get_closest_marker("slow")
    assert [item.user_properties for item in items] == [[], [], [("slow", "a session")], []]


def test_of_many_cases_a_third_is_run_unless_the_test_must_be_whole(request):
    def make(name, *marks):
        item = pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        for mark in marks:
            item.add_marker(mark)
        return item

    few, many, whole = (
        [make(f"{name}[{case}]", *marks) for case in range(count)]
        for name, count, marks in (("few", 6, ()), ("many", 300, ()), ("whole", 300, ("whole",)))
    )
    conftest.pytest_collection_modifyitems([*few, *many, *whole])
    left = [item for item in many if not item.get_closest_marker("nightly")]
    assert 70 < len(left) < 130
    assert not any(item.get_closest_marker("nightly") for item in few + whole)
