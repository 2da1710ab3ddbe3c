"""What one column explains of another, once chance is taken off."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.statistics.gram import DenseGram
from tamis.statistics.shared_information import Information, answer_by_kind, explained_share


def explained(frame, kept, dropped, **options):
    found = tamis.select(
        frame, method="representatives", k=1, include=[kept], options=options, held_out=False
    )
    return found[dropped].share


@pytest.fixture
def normal():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(4_000)
    y = 0.9 * x + np.sqrt(1 - 0.9**2) * rng.standard_normal(4_000)
    return pd.DataFrame({"x": x, "y": y, "other": rng.standard_normal(4_000)})


def test_of_a_number_it_is_near_the_squared_correlation_however_it_is_cut(normal):
    shares = [explained(normal, "x", "y", bins=bins) for bins in (6, 8, 12, 20)]
    assert shares == pytest.approx([0.81] * 4, abs=0.1)
    # The share of the entropy of the bins falls from 0.36 to 0.26.
    assert max(shares) - min(shares) < 0.07
    assert explained(normal, "x", "other") == pytest.approx(0.0, abs=0.01)


def test_what_determines_a_number_explains_all_of_it(normal):
    normal["cube"] = normal["x"] ** 3
    assert explained(normal, "x", "cube") == pytest.approx(1.0)


def test_of_a_number_with_few_values_it_is_the_share_of_its_entropy():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 3, 900)
    level = np.where(rng.random(900) < 0.5, code, rng.integers(0, 3, 900))
    frame = pd.DataFrame({"code": code, "level": level, "noise": rng.standard_normal(900)})
    text = frame.assign(code=[f"c{value}" for value in code], level=[f"v{v}" for v in level])
    share = explained(frame, "code", "level")
    assert 0.1 < share < 0.4
    assert share == pytest.approx(explained(text, "code", "level"))


def test_no_share_is_left_of_what_is_chance_alone():
    shared, whole = np.array([0.1, -0.2, 0.3]), np.array([-0.1, 0.4, 0.3])
    for joined in (False, True):
        found = explained_share(shared, whole, np.full(3, joined))
        assert np.clip(found, 0, 1) == pytest.approx([0.0, 0.0, 1.0])


def test_every_kind_of_relations_has_its_own_answer():
    gram = DenseGram(np.eye(2))
    assert answer_by_kind(gram, lambda own: own is gram, lambda _: False)
    information = Information(np.eye(2))
    assert answer_by_kind(information, lambda _: False, lambda own: own is information)
