import pytest
from tests.fuzz.case import make_case
from tests.fuzz.pool import run_cases
from tests.fuzz.tables import KINDS


@pytest.mark.slow
def test_two_thousand_damaged_files_give_a_result_or_one_sentence() -> None:
    tally = run_cases(range(2000))
    shown = [f"seed {seed}: {outcome}" for seed, outcome in sorted(tally.failures.items())]
    assert not shown, "\n".join(shown[:5])
    assert tally.counts["result"] > 100
    assert tally.counts["refused"] > 500


def test_the_same_seed_makes_the_same_case() -> None:
    assert make_case(11) == make_case(11)
    assert {make_case(seed).kind for seed in range(len(KINDS))} == set(KINDS)
