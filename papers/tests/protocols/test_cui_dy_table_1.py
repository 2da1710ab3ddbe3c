import pytest

import tamis
from tamis_papers.protocols.cui_dy_curves import METHODS
from tamis_papers.protocols.cui_dy_table_1 import (
    PRINTED,
    REFIT,
    TABLE_1,
    make_rows,
    search_anew,
    time_method,
)

FASTER, AS_FAST = 0, 1


def test_the_slow_search_finds_the_columns_of_sfs():
    X = make_rows(12)
    kept = tamis.select(X, 4, method="sfs", scale=False).ranking
    assert [f"x{j}" for j in search_anew(X, 4)] == kept


def test_every_method_is_timed():
    for method in (*METHODS, REFIT):
        assert time_method(method=method, width=12)["seconds"] >= 0
    assert set(PRINTED) == set(METHODS)


def made(pfs=1.0, others=4.0, refit=100.0):
    times = dict.fromkeys(METHODS, others) | {"pfs": pfs, "jolliffe-i": 1.0}
    results = {
        f"{method}/{width}": {"seconds": seconds * (width / 8000) ** PRINTED[method][1]}
        for method, seconds in times.items()
        for width in (4000, 8000, 16000)
    }
    for width in (100, 200):
        results |= {f"{method}/{width}": {"seconds": 1.0} for method in ("pfs", "sfs")}
        results[f"{REFIT}/{width}"] = {"seconds": refit}
    return results


def test_powers_of_the_columns_stand_beside_the_printed_ones():
    powers = {f.method: f for f in TABLE_1.figures(made()) if f.name.startswith("power")}
    assert {m: f.ours for m, f in powers.items() if m != REFIT} == pytest.approx(
        {method: power for method, (_, power) in PRINTED.items()}
    )
    assert all(f.reproduced is None for f in powers.values())
    assert len(TABLE_1.drawings(made())[0].series) == len(METHODS) + 1


def test_claims_follow_the_times():
    verdicts = [claim.verdict for claim in TABLE_1.claims(made())]
    assert verdicts == ["holds", "holds"]
    assert TABLE_1.claims(made(refit=2.0))[FASTER].verdict == "does not hold"
    assert TABLE_1.claims(made(pfs=5.0))[AS_FAST].verdict == "does not hold"
    assert {claim.verdict for claim in TABLE_1.claims({})} == {"cannot be judged"}
