"""Summary files: what is written is read, and what is damaged or hostile is refused."""

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from tests.fuzz.archives import damaged_archive

import tamis
from tamis.sources import stored_summary, summary_file
from tamis.sources.npz import Member
from tamis.sources.summary_file import read_summary, write_summary

DAMAGED = 300


@pytest.fixture
def stored(numbers):
    return tamis.summarise(numbers).stored


def _rewritten(path, change):
    """Write an archive again with some members changed; None removes one."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def _with_header(path, **changes):
    def change(members):
        header = json.loads(members["header.json"])
        members["header.json"] = json.dumps({**header, **changes}).encode()

    return _rewritten(path, change)


def _with_array(path, name, array):
    sink = io.BytesIO()
    np.save(sink, array)
    return _rewritten(path, lambda members: members.update({f"{name}.npy": sink.getvalue()}))


def test_what_is_written_is_read_to_the_last_bit(stored, tmp_path, monkeypatch):
    monkeypatch.setattr(stored_summary, "TILE", 3)  # seven columns in six tiles
    blocks = (stored.blocks[0], stored.blocks[0])
    stored = replace(stored, blocks=blocks, rows=120, place={"rows": 5})
    write_summary(stored, tmp_path / "a.tamis")
    found = read_summary(tmp_path / "a.tamis")
    with zipfile.ZipFile(tmp_path / "a.tamis") as file:
        assert sum(name.startswith("scatter") for name in file.namelist()) == 12
    for name in ("names", "kinds", "named", "rows", "missing", "parts", "place", "used"):
        assert getattr(found, name) == getattr(stored, name)
    for name in ("count", "mean", "rest", "unit"):
        np.testing.assert_array_equal(
            getattr(found.blocks[1], name), getattr(stored.blocks[1], name)
        )
    upper = np.triu(stored.blocks[1].scatter)
    np.testing.assert_array_equal(np.triu(found.blocks[1].scatter), upper)


def test_numpy_alone_reads_and_writes_one(tmp_path):
    """The format page shows this: any program that writes arrays can make a summary."""
    X = np.random.default_rng(0).normal(size=(30, 3)) @ [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    mean = X.mean(axis=0)
    header = {
        "format": "tamis summary",
        "version": 1,
        "names": ["a", "b", "c"],
        "named": True,
        "kinds": ["numeric"] * 3,
        "rows": 30,
        "used": 30,
        "missing": ["error"],
        "parts": 1,
        "blocks": 1,
    }
    path = tmp_path / "by_hand.tamis"
    with path.open("wb") as stream:
        np.savez(
            stream,
            count=np.array([30]),
            missing=np.zeros(3, dtype=np.int64),
            mean=mean[None],
            rest=np.zeros((1, 3)),
            unit=np.ones((1, 3)),
            scatter_0_0_0=(X - mean).T @ (X - mean),
        )
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("header.json", json.dumps(header))
    found, expected = (tamis.select(data, k=2, method="pfs") for data in (path, X))
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.names[0] in ("a", "b", "c")


def test_a_file_that_is_replaced_while_it_is_read_gives_one_of_both(stored, tmp_path, monkeypatch):
    path, first = tmp_path / "a.tamis", tamis.summarise(np.eye(9)[:, :7]).stored
    write_summary(first, path)
    check = summary_file.check_width

    def replace_it(*given):
        check(*given)
        write_summary(stored, path)

    monkeypatch.setattr(summary_file, "check_width", replace_it)
    assert read_summary(path).used == 9
    assert read_summary(path).used == 60


REFUSED = {
    "another format": ({"format": "x"}, "is not a summary: its header does not say"),
    "a later version": ({"version": 3}, "has version 3 of the format and this release supports 2"),
    "no version": ({"version": None}, "version None in its header is not a number"),
    "names of numbers": ({"names": [1, 2]}, "'names' in its header"),
    "no names": ({"names": [], "kinds": []}, "has no columns"),
    "two equal names": ({"names": ["a"] * 7}, "7 columns named 'a'"),
    "too few kinds": ({"kinds": ["numeric"]}, "not as many kinds as names"),
    "text columns": ({"kinds": ["categorical"] * 7}, "'kinds' in its header"),
    "no treatment": ({"missing": []}, "'missing' in its header"),
    "more used than read": ({"rows": 3}, "counts of rows contradict"),
    "another count": ({"used": 59}, "counts of rows contradict"),
    "a million blocks": ({"blocks": 10**6}, "'blocks' in its header"),
    "half a letter in a name": ({"names": ["\ud800", *"bcdefg"]}, "a letter that does not exist"),
    "inputs that are no hashes": ({"inputs": ["a.csv"]}, "'inputs' in its header"),
    "inputs that are no list": ({"inputs": "ab"}, "'inputs' in its header"),
    "a limit of no rows": ({"min_rows": 0}, "'min_rows' in its header"),
    "true as a count": ({"rows": True}, "'rows' in its header"),
    "too wide": (
        {"names": [f"c{j}" for j in range(30_000)], "kinds": ["numeric"] * 30_000},
        "has 30,000 columns, whose scatter matrix would take 7 GB: choose at most 20,000",
    ),
    "wider than its arrays": (
        {"names": [f"c{j}" for j in range(900)], "kinds": ["numeric"] * 900},
        "not int64 of the shape (900,)",
    ),
}


@pytest.mark.parametrize(("changes", "why"), REFUSED.values(), ids=REFUSED)
def test_a_header_that_cannot_be_is_refused(stored, tmp_path, changes, why):
    write_summary(stored, tmp_path / "bad.tamis")
    with pytest.raises(tamis.TamisError) as refusal:
        tamis.select(_with_header(tmp_path / "bad.tamis", **changes), k=2)
    assert why in str(refusal.value)
    assert "bad.tamis" in str(refusal.value)


SCATTER = np.eye(7) * 60.0
ARRAYS = {
    "a mean beyond all tables": ("mean", np.full((1, 7), 1e200), "at most 1e\\+140"),
    "infinite": ("mean", np.full((1, 7), np.inf), "finite"),
    "not a number": ("rest", np.full((1, 7), np.nan), "finite"),
    "unit of 3": ("unit", np.full((1, 7), 3.0), "power of two"),
    "unit of 0": ("unit", np.zeros((1, 7)), "power of two"),
    "negative variance": ("scatter_0_0_0", -SCATTER, "a variance in it cannot be"),
    "correlation above 1": (
        "scatter_0_0_0",
        np.where(SCATTER > 0, 60.0, 70.0),
        "not that of any table",
    ),
    "negative eigenvalue": ("scatter_0_0_0", SCATTER * 1.9 - 57, "not that of any table"),
    "integers": ("scatter_0_0_0", SCATTER.astype(int), "not float64"),
    "objects": ("mean", np.array([[{}] * 7]), "not float64"),
    "negative counts": ("missing", np.full(7, -1), "counts of missing values"),
    "short counts": ("missing", np.zeros(3, int), "not int64 of the shape"),
}


@pytest.mark.parametrize(("name", "array", "why"), ARRAYS.values(), ids=ARRAYS)
def test_moments_that_no_table_has_are_refused(stored, tmp_path, name, array, why):
    write_summary(stored, tmp_path / "bad.tamis")
    with pytest.raises(tamis.TamisError, match=why):
        tamis.select(_with_array(tmp_path / "bad.tamis", name, array), k=2)


def test_a_summary_that_would_not_fit_is_refused_before_it_is_unpacked(
    stored, tmp_path, monkeypatch
):
    path = tmp_path / "bomb.tamis"
    write_summary(stored, path)
    _with_header(path, names=[f"c{j}" for j in range(2100)], kinds=["numeric"] * 2100)
    monkeypatch.setattr(Member, "read_all", lambda _: pytest.fail("values were unpacked"))
    for ask in (tamis.load_summary, tamis.select, tamis.summarise):
        with pytest.raises(tamis.TamisError, match=r"bomb.tamis would take 68MB.*limit is 64MB"):
            ask(path, memory="64MB")


def test_a_header_of_many_empty_lists_is_not_read(tmp_path):
    path = tmp_path / "long.tamis"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", "[" + "[]," * 6_000_000 + "1]")
    with pytest.raises(tamis.TamisError, match="its header is too long"):
        tamis.load_summary(path)


def test_a_header_that_would_be_refused_is_not_written(stored, tmp_path):
    names = (f"{'x' * (1 << 24)}", *stored.names[1:])
    with pytest.raises(tamis.TamisError, match="the names of its columns take 16 MB"):
        write_summary(replace(stored, names=names), tmp_path / "a.tamis")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("largest", [1.0, 1e139])
def test_what_is_merged_can_be_read_however_large_its_values(tmp_path, largest):
    X = np.random.default_rng(0).uniform(-largest, largest, size=(400, 3))
    parts = [tamis.summarise(part) for part in np.split(X, 4)]
    parts = [tamis.load_summary(part.save(tmp_path / "part.tamis")) for part in parts]
    whole = tamis.load_summary(sum(parts).save(tmp_path / "whole.tamis"))
    np.testing.assert_allclose(whole.std, X.std(axis=0), rtol=1e-9)


def test_more_rows_than_a_file_may_have_are_not_merged(stored):
    huge = tamis.DataSummary(replace(stored, rows=2**61), {})
    with pytest.raises(tamis.TamisError, match="too many rows to be counted"):
        huge + huge


def test_a_damaged_file_gives_a_result_or_one_sentence(stored, tmp_path):
    path = tmp_path / "a.tamis"
    write_summary(stored, path)
    intact, sentences = path.read_bytes(), []
    for seed in range(DAMAGED):
        path.write_bytes(_damaged(intact, np.random.default_rng(seed)))
        try:
            tamis.select(path, k=2)
        except tamis.TamisError as error:
            sentences.append(str(error))
    assert len(sentences) > DAMAGED // 2
    assert all(s.endswith((".", "?")) and "\n" not in s for s in sentences)


def _damaged(intact, rng):
    way = rng.integers(4)
    if way == 0:
        return intact[: int(rng.integers(1, len(intact)))]
    if way == 1:
        data = bytearray(intact)
        for _ in range(int(rng.integers(1, 9))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        return bytes(data)
    if way == 2:
        return damaged_archive(intact, rng)
    text = zipfile.ZipFile(io.BytesIO(intact)).read("header.json")
    at = int(rng.integers(len(text)))
    odd = [b"1e999", b"-1", b"[" * 3000, b"null", b'"', b"\xff", b"9" * 5000][rng.integers(7)]
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(intact)) as file, zipfile.ZipFile(sink, "w") as out:
        for name in file.namelist():
            whole = name != "header.json"
            out.writestr(name, file.read(name) if whole else text[:at] + odd + text[at + 1 :])
    return sink.getvalue()
