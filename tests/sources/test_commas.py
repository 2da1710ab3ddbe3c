from contextlib import nullcontext

import numpy as np
import pytest

import tamis
from tamis.sources import delimited
from tamis.sources.amounts import CommaUse, judge_commas, uses_in_file
from tamis.sources.delimited import DelimitedSource

PEOPLE = ["3,117", "987", "12,004", "45,000", "610", "3,000"]


def written(tmp_path, columns, separator="\t", name="t.txt"):
    rows = [separator.join(row) for row in zip(*columns.values(), strict=True)]
    path = tmp_path / name
    path.write_text("\n".join([separator.join(columns), *rows]) + "\n")
    return path


def values(path, column, **how):
    source = DelimitedSource(path, **how)
    place = source.names.index(column)
    return np.concatenate(list(source.batches([place])))[:, 0].tolist()


@pytest.mark.parametrize("separator", ["\t", ";", "|"])
def test_thousands_are_never_read_as_decimals(tmp_path, separator):
    path = written(
        tmp_path, {"people": PEOPLE, "b": list("123456"), "c": list("315264")}, separator
    )
    assert DelimitedSource(path).kinds[0] == "categorical"
    found = tamis.select(path, 3, method="sfs", numbers=["people"])
    assert found.summary.mean[0] == pytest.approx(np.mean([3117, 987, 12004, 45000, 610, 3000]))
    assert found.to_dict()["doubts"] == []


@pytest.mark.parametrize("turn", range(6))
def test_neither_the_order_of_rows_nor_the_size_of_blocks_decides(tmp_path, monkeypatch, turn):
    monkeypatch.setattr(delimited, "_READ_BYTES", 64)
    people = [*PEOPLE[turn:], *PEOPLE[:turn]]
    columns = {"people": people * 20, "b": list("123456") * 20}
    assert DelimitedSource(written(tmp_path, columns)).kinds[0] == "categorical"
    columns["people"][turn * 20] = "2,5"  # a decimal, wherever it is
    read = values(written(tmp_path, columns), "people")
    assert read[turn * 20] == 2.5
    assert set(read) <= {3.117, 987.0, 12.004, 45.0, 610.0, 3.0, 2.5}


def test_what_can_be_either_is_said_with_the_option_that_decides(tmp_path):
    path = written(tmp_path, {"a": ["3,117", "4,221", "1,500"], "b": list("372"), "c": list("181")})
    found = tamis.select(path, 3)
    assert values(path, "a") == [3.117, 4.221, 1.5]
    (doubt,) = found.to_dict()["doubts"]
    assert "'a'" in doubt
    assert 'numbers=["a"]' in doubt
    decided = tamis.select(path, 3, numbers=["a"])
    assert decided.summary.mean[0] == pytest.approx((3117 + 4221 + 1500) / 3)
    assert decided.to_dict()["doubts"] == []
    assert decided.names == found.names


def test_decimal_commas_elsewhere_make_decimals_of_three_digits(tmp_path):
    columns = {"a": ["3,117", "4,221", "1,500"], "b": ["0,5", "2,25", "1"], "c": list("181")}
    source = DelimitedSource(written(tmp_path, columns))
    assert source.info.doubts == ()
    mixed = DelimitedSource(written(tmp_path, {**columns, "a": ["3,117", "987", "1,500"]}))
    assert values(mixed.path, "a") == [3.117, 987, 1.5]
    assert "'a'" in mixed.info.doubts[0]


def test_german_thousands_beside_decimal_commas_are_no_decimals(tmp_path):
    columns = {"a": ["3.117", "987", "1.500"], "b": ["0,5", "2,25", "1"], "c": list("181")}
    path = written(tmp_path, columns, ";")
    assert DelimitedSource(path).kinds[0] == "categorical"
    assert tamis.select(path, 3, numbers=["a"]).summary.mean[0] == pytest.approx(5604 / 3)


def test_a_mark_seen_only_without_others_is_undecided():
    alone, mixed = CommaUse(grouped=True), CommaUse(grouped=True, bare=True)
    assert judge_commas({"a": alone, "b": mixed}) == (["b"], ("a",))
    assert judge_commas({"a": alone, "b": CommaUse(decimal=True)}) == ([], ())


def test_a_file_that_gives_no_rows_has_no_commas():
    assert uses_in_file("no rows", ["a"], lambda names: nullcontext(iter(()))) == {}  # noqa: ARG005
