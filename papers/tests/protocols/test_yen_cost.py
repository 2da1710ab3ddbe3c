import json

import pytest

from tamis_papers.protocols.yen_cost import AGAIN, COST, time_removal


def made(by_columns, again, by_rows):
    """Give times at the three sizes of the experiment."""
    results = {}
    for width, own, other in zip((400, 800, 1600), by_columns, again, strict=True):
        results[f"ufs/2000 x {width}"] = {"seconds": own}
        results[f"{AGAIN}/2000 x {width}"] = {"seconds": other}
    for length, seconds in zip((1000, 4000, 16000), by_rows, strict=True):
        results[f"ufs/{length} x 400"] = {"seconds": seconds}
    return results


def test_a_removal_is_timed_and_so_is_a_decomposition():
    for method in ("ufs", AGAIN):
        found = time_removal(method=method, n_samples=30, n_features=6)
        assert json.loads(json.dumps(found)) == found
        assert found["seconds"] >= 0
    keys = {cell.key for cell in COST.cells(False)}
    assert set(made([1] * 3, [1] * 3, [1] * 3)) == keys


@pytest.mark.parametrize(
    ("by_columns", "verdict"), [((1, 4, 16), "holds"), ((1, 8, 64), "does not hold")]
)
def test_the_claim_follows_the_powers(by_columns, verdict):
    results = made(by_columns, (10, 80, 640), (1, 4, 16))
    powers = [f.ours for f in COST.figures(results) if f.name.startswith("power")]
    assert powers == pytest.approx([2 if verdict == "holds" else 3, 3, 1])
    (claim,) = COST.claims(results)
    assert claim.verdict == verdict
    assert len(COST.drawings(results)[0].series) == 2


def test_a_faster_decomposition_or_many_rows_refute_it():
    (claim,) = COST.claims(made((1, 4, 16), (0.1, 0.8, 6.4), (1, 4, 16)))
    assert claim.verdict == "does not hold"
    (claim,) = COST.claims(made((1, 4, 16), (10, 80, 640), (1, 8, 64)))
    assert claim.verdict == "does not hold"
