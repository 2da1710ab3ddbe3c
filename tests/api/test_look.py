import json

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.cli import main


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"nr": range(60), "income": rng.integers(9_000, 90_000, 60)})
    frame.loc[::12, "income"] = 9999999
    frame["iron"] = [f"{x:.2f}" for x in rng.normal(5, 1, 60)]
    frame.loc[50:, "iron"] = "?"
    frame["city"] = rng.choice(["Bern", "Ulm"], 60)
    frame.to_csv(tmp_path / "t.csv", index=False)
    return frame, tmp_path / "t.csv"


def test_every_column_has_a_kind_counts_and_what_is_done(table):
    frame, path = table
    for data in (frame, path):
        rows = {row["column"]: row for row in tamis.look(data).to_dict()["columns"]}
        assert [row["kind"] for row in rows.values()] == [
            "identifier",
            "number",
            "number",
            "category",
        ]
        assert rows["iron"]["missing"] == 10
        assert rows["income"]["option"] == 'na=["income=none"]'
        assert "9999999 missing" in rows["income"]["done"]


def test_the_frame_is_of_the_library_of_the_table(table):
    found = tamis.look(table[0]).frame
    assert isinstance(found, pd.DataFrame)
    assert found["column"].tolist() == list(table[0].columns)
    assert "iron" in repr(tamis.look(table[0]))
    assert "<table>" in tamis.look(table[0])._repr_html_()


def test_the_command_prints_a_table_or_json(table, capsys):
    main(["look", str(table[1])])
    assert "--na income=none" in capsys.readouterr().out
    main(["look", str(table[1]), "--json", "--na", "none"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["columns"][1]["done"] == "numbers"


def test_where_text_begins_does_not_change_the_kind(table, tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.sources.delimited._READ_BYTES", 1 << 9)
    rows = table[1].read_text().splitlines()
    kinds = set()
    for order in (rows[1:], rows[:0:-1]):
        (tmp_path / "o.csv").write_text("\n".join([rows[0], *order]) + "\n")
        kinds.add(tuple(tamis.look(tmp_path / "o.csv").kinds.items()))
    assert len(kinds) == 1
