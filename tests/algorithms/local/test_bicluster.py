"""`bicluster`: planted blocks, known answers and slow definitions of its three algorithms."""

import numpy as np
import pytest

import tamis
from tamis.algorithms.local.bicluster import (
    Part,
    _costs,
    anneal,
    cut_block,
    delete_nodes,
    direct_splitting,
    mean_residue,
    measure_energy,
    measure_residues,
    shrink_and_grow,
)

ALGORITHMS = ("annealing", "cheng-church", "hartigan")


def planted(seed, *, level=0.0, rows=60, columns=15, noise=0.1):
    """Hide a block in noise: a level, or (level 0) a row effect plus a column effect."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((200, 40))
    P, J = (np.sort(rng.choice(n, m, replace=False)) for n, m in ((200, rows), (40, columns)))
    effects = np.add.outer(rng.standard_normal(rows), rng.standard_normal(columns))
    X[np.ix_(P, J)] = (level or effects) + noise * rng.standard_normal((rows, columns))
    return X, P, J


def overlap(first, second):
    return len({*first} & {*second}) / len({*first} | {*second})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", [0.0, 2.5])
def test_annealing_finds_a_planted_block_of_either_kind(seed, level):
    X, P, J = planted(seed, level=level)
    found = tamis.select(X, method="bicluster")
    first = found.path.evidence.clusters[0]
    assert overlap(first.rows, P) >= 0.95
    assert sorted(first.columns.tolist()) == J.tolist()
    assert found.k <= 16


@pytest.mark.parametrize("seed", range(3))
def test_cheng_church_finds_a_planted_pattern(seed):
    X, P, J = planted(seed)
    options = {"algorithm": "cheng-church", "residue": 0.05}
    found = tamis.select(X, method="bicluster", options=options)
    assert overlap(found.clusters[0].rows, P) >= 0.9
    assert overlap(found.path.evidence.clusters[0].columns, J) >= 0.9


@pytest.mark.parametrize("seed", range(3))
def test_direct_splitting_finds_a_planted_level(seed):
    X, P, J = planted(seed, level=2.5, noise=0.3)
    found = tamis.select(X, method="bicluster", options={"algorithm": "hartigan"})
    assert sorted(found.indices.tolist()) == J.tolist()
    assert max(overlap(one.rows, P) for one in found.clusters) >= 0.95


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_noise_has_no_clusters_and_that_is_said(algorithm, tmp_path):
    for seed in range(2):
        X = np.random.default_rng(seed).standard_normal((60, 12))
        found = tamis.select(X, method="bicluster", options={"algorithm": algorithm})
        assert found.clusters == []
        assert found.k == 1
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No cluster is better than chance" in page


class TestHartigan:
    TABLE = np.array([[1.0, 1, 5], [1, 1, 5], [9, 9, 0]])

    def test_the_known_answer(self):
        (of_rows, _, rows), (of_columns, _, columns) = (cut_block(self.TABLE, i) for i in (0, 1))
        squares = np.square(self.TABLE - self.TABLE.mean()).sum()
        assert squares == pytest.approx(102.2222, abs=5e-5)
        assert squares - of_rows == pytest.approx(75.3333, abs=5e-5)
        assert squares - of_columns == pytest.approx(102.0)
        assert [side.tolist() for side in rows] == [[0, 1], [2]]
        assert [side.tolist() for side in columns] in ([[0, 1], [2]], [[2], [0, 1]])
        assert of_rows > of_columns

    def test_the_best_cut_is_that_of_all_cuts_by_brute_force(self):
        rng = np.random.default_rng(0)
        for axis in (0, 1):
            values = rng.standard_normal((6, 5))
            size, squares = values.shape[axis], np.square(values - values.mean()).sum()
            falls = []
            for code in range(1, 2**size - 1):
                side = np.array([bool(code >> i & 1) for i in range(size)])
                halves = (np.compress(mask, values, axis=axis) for mask in (side, ~side))
                falls.append(squares - sum(half.size * half.var() for half in halves))
            assert cut_block(values, axis)[0] == pytest.approx(max(falls))

    def test_blocks_cover_every_value_once(self):
        X, *_ = planted(0, level=2.5)
        covered = np.zeros(X.shape, dtype=int)
        for block in direct_splitting(X - X.mean(axis=0), 8):
            covered[np.ix_(*block)] += 1
        assert (covered == 1).all()


class TestResidue:
    def test_known_answers(self):
        assert mean_residue(np.add.outer([1.0, 4, 2], [0.0, 3, 7, 1])) == pytest.approx(0)
        assert mean_residue(np.array([[1.0, 2], [3, 8]])) == 1.0

    def test_sums_after_each_removal_are_those_computed_again(self):
        rng = np.random.default_rng(1)
        values = rng.standard_normal((30, 12)) + rng.standard_normal((30, 1))
        part = Part(values, np.arange(30), np.arange(12))
        for _ in range(36):
            axis = int(rng.integers(2))
            if part.members[axis].size <= 3:
                axis = 1 - axis
            part.remove(axis, int(rng.integers(part.members[axis].size)))
            inside = values[np.ix_(*part.members)]
            squares = np.square(measure_residues(inside))
            assert part.mean_residue == pytest.approx(squares.mean())
            np.testing.assert_allclose(part.scores(0), squares.mean(axis=1))
            np.testing.assert_allclose(part.scores(1), squares.mean(axis=0))

    def test_deletion_drops_the_worst_row_or_column_at_each_step(self):
        values = np.random.default_rng(2).standard_normal((25, 10))
        rows, columns = list(range(25)), list(range(10))
        while True:
            squares = np.square(measure_residues(values[np.ix_(rows, columns)]))
            if squares.mean() <= 0.3:
                break
            worst = squares.mean(axis=1), squares.mean(axis=0)
            if worst[0].max() >= worst[1].max():
                rows.pop(int(worst[0].argmax()))
            else:
                columns.pop(int(worst[1].argmax()))
        found = delete_nodes(values, 0.3)
        assert [side.tolist() for side in found] == [rows, columns]

    def test_the_residue_of_what_is_found_is_below_the_limit(self):
        X, *_ = planted(0)
        for limit in (0.02, 0.1, 0.3):
            rows, columns = shrink_and_grow(X, limit)
            assert mean_residue(X[np.ix_(rows, columns)]) <= limit


class TestAnnealing:
    def test_costs_are_those_of_the_definition(self):
        values = np.random.default_rng(3).standard_normal((9, 7))
        sides = [np.array([0, 3, 4]), np.array([1, 2, 6])]
        inside = values[np.ix_(*sides)]
        strip = values[:, sides[1]]
        residue = strip - strip.mean(axis=1)[:, None] - inside.mean(axis=0) + inside.mean()
        expected = np.square(residue).sum(axis=1) - 3 * 0.2
        np.testing.assert_allclose(_costs(values, sides, 0, 0.2), expected)
        turned = _costs(values.T, sides[::-1], 1, 0.2)
        np.testing.assert_allclose(turned, expected)

    def test_no_single_row_or_column_lowers_the_energy_of_what_is_found(self):
        X, *_ = planted(1)
        found = anneal(X, 0.15, np.random.default_rng(0))
        energy = measure_energy(X[np.ix_(*found)], 0.15)
        for axis, own in enumerate(found):
            for i in range(X.shape[axis]):
                sides = list(found)
                sides[axis] = np.setxor1d(own, [i])
                assert measure_energy(X[np.ix_(*sides)], 0.15) >= energy - 0.02 * abs(energy)

    def test_a_sample_of_the_rows_leads_to_all_rows(self, monkeypatch):
        X, P, J = planted(2)
        monkeypatch.setattr("tamis.algorithms.local.bicluster._CELLS", 100 * 40)
        monkeypatch.setattr("tamis.algorithms.local.bicluster._FEW_ROWS", 100)
        rows, columns = anneal(X, 0.15, np.random.default_rng(0))
        assert overlap(rows, P) >= 0.95
        assert columns.tolist() == J.tolist()
