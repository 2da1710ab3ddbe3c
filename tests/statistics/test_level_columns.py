"""Text in summaries: merged and pooled once all is known, it is that of the table."""

import numpy as np
import pytest
from tests.engines import FrameInParts, GivesParts, keep_rows_in_parts

import tamis
from tamis.statistics import merging

pandas = pytest.importorskip("pandas")

PLAIN = {"outliers": "keep"}


@pytest.fixture
def frame():
    """Make text of two levels, of rare ones, with gaps, and of levels that one half has alone."""
    rng = np.random.default_rng(4)
    base = rng.normal(size=(400, 3))
    frame = pandas.DataFrame(base @ rng.normal(size=(3, 5)) + 0.5 * rng.normal(size=(400, 5)))
    frame.columns = list("abcde")
    frame.insert(1, "colour", np.where(base[:, 0] > 0.5, "red", "blue"))
    frame.loc[[3, 33, 133, 210, 399], "colour"] = ["mauve", "teal", "puce", "teal", "ochre"]
    frame.insert(3, "size", np.where(base[:, 2] > 0, "large", "small"))
    frame["coat"] = rng.choice(["wool", "silk", "jute", None], 400, p=[0.4, 0.3, 0.2, 0.1])
    frame["half"] = np.where(np.arange(400) < 150, "north", rng.choice(["south", "east"], 400))
    frame["few"] = np.where(rng.random(400) < 0.01, None, np.where(base[:, 1] > 0, "x", "y"))
    return frame


def check_equal(found, expected):
    assert found.names == expected.names
    np.testing.assert_allclose(found.curve.retained, expected.curve.retained, rtol=1e-9)
    np.testing.assert_allclose(found.held_out, expected.held_out, atol=0.01)  # by other folds
    assert found.to_dict()["shrink"] == expected.to_dict()["shrink"]
    assert found.to_dict()["taken"] == expected.to_dict()["taken"]


@pytest.mark.parametrize("missing", ["auto", "drop"])
def test_merged_summaries_give_the_answer_of_the_table(frame, missing, tmp_path):
    parts = [frame[:150], frame[150:151], frame[151:][frame.columns[::-1]]]
    made = [tamis.summarise(one, text=True, blocks=True, missing=missing) for one in parts]
    path = sum(made).save(tmp_path / "all.tamis")
    found = tamis.select(path, k=5)
    expected = tamis.select(frame, k=5, missing=missing, options=PLAIN)
    check_equal(found, expected)
    assert found.summary.encoding.levels == expected.summary.encoding.levels
    assert found.missing.shares == expected.missing.shares


def test_a_summary_without_blocks_gives_the_picks(frame):
    found = tamis.select(tamis.summarise(frame, text=True), k=4)
    expected = tamis.select(frame, k=4, options=PLAIN | {"shrink": 0.0})
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained, rel=1e-9)


def test_methods_for_numbers_leave_the_text_out(frame):
    summary = tamis.summarise(frame, text=True)
    assert summary.names == list(frame)
    assert np.isnan(summary.std[1])
    found = tamis.select(summary, k=2, method="sfs")
    assert found.names == tamis.select(frame, k=2, method="sfs").names
    assert "text" in found.skipped["colour"]


def test_parts_of_an_engine_make_the_summary_of_the_table(frame, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    parts = GivesParts(FrameInParts(frame, [1, 100, 390]))
    made = tamis.summarise(parts, text=True, blocks=True)
    check_equal(tamis.select(made, k=4), tamis.select(frame, k=4, options=PLAIN))


def test_too_many_levels_share_a_column_and_keys_are_left_out(frame, monkeypatch):
    monkeypatch.setattr(merging, "MAX_STORED_LEVELS", 3)
    frame["key"] = [f"id{j}" for j in range(400)]
    made = tamis.summarise(frame, text=True)
    colour = next(one for one in made.stored.categories if one.name == "colour")
    assert (len(colour.levels), colour.others, colour.has_other) == (3, 3, True)
    assert "few rows for each value" in made.skipped["key"]
    assert (
        tamis.select(made, k=4).names
        == tamis.select(frame, k=4, options=PLAIN | {"shrink": 0.0}).names
    )


def test_rare_levels_are_not_shown(frame, tmp_path):
    made = tamis.summarise(frame, text=True, blocks=True)
    shown = tamis.load_summary(made.save(tmp_path / "a.tamis", min_rows=10)).stored
    for one in shown.categories:
        assert all(count >= 10 for count in one.counts)
        assert one.others == 0 or one.others >= 10
        for place in shown.table[one.name]:
            rows = [round(block.count * block.mean[place]) for block in shown.blocks]
            assert all(count == 0 or count >= 10 for count in rows)
    assert b"mauve" not in (tmp_path / "a.tamis").read_bytes()
    assert tamis.select(tmp_path / "a.tamis", k=2).names


def test_text_in_one_summary_and_numbers_in_the_other_are_refused(frame):
    numbers = frame.assign(colour=1.0)
    with pytest.raises(tamis.TamisError, match="'colour' holds text in one"):
        tamis.summarise(frame, text=True) + tamis.summarise(numbers, text=True)


def test_a_name_that_a_level_needs_is_refused(frame):
    frame["colour=red"] = frame["a"] + 1
    with pytest.raises(tamis.TamisError, match="'colour=red'"):
        tamis.summarise(frame, text=True)


FAULTS = {
    "levels": lambda one: one.update(levels=["a"]),
    "counts": lambda one: one.update(counts=[-1] * len(one["counts"])),
    "more rows": lambda one: one.update(counts=[1000] * len(one["counts"])),
    "others": lambda one: one.update(others="x"),
    "key": lambda one: one.pop("name"),
    "name": lambda one: one.update(name="a"),
}


@pytest.mark.parametrize("damage", FAULTS.values(), ids=FAULTS)
def test_a_damaged_file_is_one_sentence(frame, damage, tmp_path):
    import json
    import zipfile

    path = tamis.summarise(frame, text=True).save(tmp_path / "a.tamis")
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    header = json.loads(members["header.json"])
    assert header["version"] == 2
    damage(header["categories"][0])
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    with pytest.raises(tamis.TamisError):
        tamis.load_summary(path)
