"""Tables as people have them: nothing false in kinds, keys, marks and values for missing.

The keys are those that the manifest of the tables names; the counts of marks and codes were checked
against the raw cells with the csv module, apart from tamis.
"""

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.judge import judge_columns
from tamis.columns.judgement import TableJudgement
from tamis.presentation.prose.about_relations import relation_text
from tamis.run.front import read_table
from tamis.run.look import judge_related
from tamis.sources.open import open_source
from tests.needs import SHARED, needs_shared

REAL = SHARED / "real"
pytestmark = needs_shared

# Every column that is set aside, by table.
ASIDE = {
    "ames.csv": {"rownames", "Order", "PID", "Pool.QC"},  # four values in 13 rows
    "bfi.csv": {"rownames"},
    "Caravan.csv": {"rownames"},
    "ad_data.csv": {"rownames"},
    "chem_proc_yield.csv": {"rownames"},
    "permeability_qsar.csv": {"rownames"},
    "opt.csv": {"rownames", "PID"},
    "hfi.csv": {"rownames", "year", "ISO_code", "countries"},
    "AirQualityUCI_semicolon.csv": {"row names", "Time"},
}


def judge_file(name: str) -> TableJudgement:
    return read_table(REAL / name, judge_columns)


@pytest.mark.parametrize("name", ASIDE)
def test_keys_are_set_aside_and_nothing_else(name):
    columns = judge_file(name).columns
    assert {one.name for one in columns if one.action == "skipped"} == ASIDE[name]


def test_a_point_for_a_missing_value_hides_no_lab_measure():
    columns = judge_file("opt.csv").columns
    marked = [one for one in columns if one.marks]
    assert len(marked) == 32
    assert {one.marks for one in marked} == {(".",)}
    assert all(one.kind in ("number", "ordinal code") for one in marked)


def test_minus_200_is_missing_in_every_sensor_and_nothing_else_is():
    columns = judge_file("AirQualityUCI_semicolon.csv").columns
    sensors = [one for one in columns if one.action != "skipped"]
    assert len(sensors) == 13
    assert {one.absent for one in sensors} == {(-200.0,)}
    assert judge_file("AirQualityUCI_semicolon.csv")["NMHC(GT)"].missing == 8_443


@pytest.mark.parametrize("name", ["ames.csv", "bfi.csv", "hfi.csv", "opt.csv", "ad_data.csv"])
def test_no_value_of_a_clean_table_is_taken_as_missing(name):
    assert [one.name for one in judge_file(name).columns if one.absent] == []


def test_999_and_888_are_found_among_789_columns_of_an_interview():
    found = judge_file("HELPfull.csv")
    assert {one.name: one.absent for one in found.columns if one.absent} == {
        "Z1": (999.0, 888.0),
        "Z2": (999.0, 888.0),
    }
    assert found["U2Q_T"].kind == "free text"
    assert found["ID"].kind == "key"


@pytest.mark.parametrize("name", ["hfi.csv", "opt.csv", "ames.csv"])
def test_order_of_rows_and_columns_and_batches_change_nothing(name):
    source = open_source(REAL / name)
    whole = pa.concat_tables(source.tables(range(len(source.names)), mark_missing=True))
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(whole.num_rows), rng.permutation(whole.num_columns)
    mixed = whole.take(rows).select(columns.tolist())
    first = judge_columns(open_source(whole))
    again = judge_columns(open_source(mixed))
    assert {one.name: one for one in first.columns} == {one.name: one for one in again.columns}


def _relate(name: str) -> dict[str, str]:
    found = read_table(REAL / name, judge_related).relations
    return {one.column: relation_text(one) for one in found}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        (
            "ames.csv",
            {
                "area": "X1st.Flr.SF + X2nd.Flr.SF + Low.Qual.Fin.SF",
                "Total.Bsmt.SF": "BsmtFin.SF.1 + BsmtFin.SF.2 + Bsmt.Unf.SF",
            },
        ),
        (
            "hfi.csv",
            {
                "countries": "same categories as ISO_code, named otherwise",
                "hf_score": "(pf_score + ef_score) / 2, rounded",
                "hf_rank": "rank of hf_score within year, largest first",
            },
        ),
        (
            "survey.sav",
            {
                "Rop2": "6 - op2",
                "toptim": "op1 + Rop2 + op3 + Rop4 + op5 + Rop6",
                "tpstress": "pss1 + pss2 + pss3 + ... + pss10",
                "BinAge": "copy of agegp3",
            },
        ),
    ],
)
def test_sums_ranks_and_copies_are_named(name, known):
    assert _relate(name).items() >= known.items()


@pytest.mark.parametrize("name", ["bfi.csv", "Caravan.csv", "ad_data.csv"])
def test_no_relation_is_named_where_there_is_none(name):
    equal = _relate(name)
    assert [text for text in equal.values() if not text.startswith("copy of")] == []


@pytest.mark.parametrize("name", ["hfi.csv", "ames.csv"])
def test_relations_hold_for_rows_in_any_order(name):
    source = open_source(REAL / name)
    whole = pa.concat_tables(source.tables(range(len(source.names)), mark_missing=True))
    mixed = whole.take(np.random.default_rng(1).permutation(whole.num_rows))
    assert (
        judge_related(open_source(whole)).relations == judge_related(open_source(mixed)).relations
    )
