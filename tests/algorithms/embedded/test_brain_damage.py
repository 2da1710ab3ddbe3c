"""`brain-damage`: derivatives by finite differences, saliencies, planted columns."""

import numpy as np
import pytest
from scipy.special import expit, log_softmax

import tamis
from tamis.algorithms.embedded import brain_damage
from tamis.algorithms.embedded.brain_damage import (
    Layers,
    Network,
    choose_decay,
    rank_by_saliency,
    remove_least_salient,
    second_derivatives,
)
from tamis.statistics.labels import Target
from tamis.statistics.rows import RowTable

KINDS = ["numbers", "two classes", "three classes"]


def labels(kind, rng, n):
    if kind == "numbers":
        return Target.of(rng.standard_normal(n).tolist(), "regression", what="y")
    return Target.of(rng.integers(2 if kind == "two classes" else 3, size=n), "auto", what="y")


def training_error(X, target, layers, decay):
    """Write the error out: half the mean square, or the mean log-loss, and the weight decay."""
    outputs = np.tanh(X @ layers.first + layers.bias) @ layers.second + layers.offset
    if target.task == "regression":
        loss = np.mean((outputs[:, 0] - target.standard_y) ** 2) / 2
    elif outputs.shape[1] == 1:
        p = expit(outputs[:, 0])
        loss = -np.mean(np.where(target.codes == 1, np.log(p), np.log(1 - p)))
    else:
        loss = -log_softmax(outputs, axis=1)[np.arange(len(X)), target.codes].mean()
    squares = np.square(layers.first).sum() + np.square(layers.second).sum()
    return loss + decay * squares / (2 * len(X))


def moved(layers, i, j, step):
    first = layers.first.copy()
    first[i, j] += step
    return Layers(first, layers.second, layers.bias, layers.offset)


@pytest.mark.parametrize("kind", KINDS)
def test_second_derivatives_equal_finite_differences(kind):
    rng = np.random.default_rng(0)
    X, target = rng.standard_normal((40, 5)), labels(kind, rng, 40)
    outputs = 3 if kind == "three classes" else 1
    shapes = [(5, 4), (4, outputs), (4,), (outputs,)]
    layers = Layers(*(rng.standard_normal(shape) for shape in shapes))
    found, step = second_derivatives(X, target, layers, decay=0.7), 1e-4
    for i in range(5):
        for j in range(4):
            three = [
                training_error(X, target, moved(layers, i, j, by), 0.7) for by in (-step, 0.0, step)
            ]
            expected = (three[0] - 2 * three[1] + three[2]) / step**2
            # Rounding of the error, over the squared step, is about 1e-8.
            assert found[i, j] == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_network_is_trained_to_a_minimum_of_the_error_that_is_written_out(kind):
    rng = np.random.default_rng(1)
    X, target = rng.standard_normal((60, 3)), labels(kind, rng, 60)
    table = RowTable(X, target, True)
    network = Network(table, 3, 1.0, 0)
    network.train(np.ones(3, dtype=bool))
    here = training_error(table.standardised, target, network.layers, 1.0)
    for i in range(3):
        for j in range(3):
            for step in (-0.05, 0.05):
                there = moved(network.layers, i, j, step)
                assert training_error(table.standardised, target, there, 1.0) > here


def test_known_saliency_of_a_network_with_one_unit():
    # y = tanh(x): at x = -1, 0, 1 the slope of tanh is 1 - tanh^2, and the error is 0, so that
    # h = mean of x^2 (1 - tanh^2)^2 for the weight 1, and the saliency is half of it.
    X = np.array([[-1.0, 0.5], [0.0, -1.0], [1.0, 0.5]])
    numbers = np.tanh(X[:, 0])
    target = Target.of((numbers / numbers.std()).tolist(), "regression", what="y")
    first, second = np.array([[1.0], [0.0]]), np.array([[1.0 / numbers.std()]])
    layers = Layers(first, second, np.zeros(1), np.zeros(1))
    h = second_derivatives(X, target, layers, decay=0.0)
    slope = 1 - np.tanh(1.0) ** 2
    assert h[0, 0] == pytest.approx(2 / 3 * slope**2 / numbers.var())


def planted(seed, rows=300, width=9):
    """Make a problem on three columns: sums, curves, products, classes and numbers in turn."""
    rng = np.random.default_rng(seed)
    X, noise = rng.standard_normal((rows, width)), rng.standard_normal(rows)
    chosen = [int(j) for j in rng.choice(width, 3, replace=False)]
    a, b, c = X[:, chosen].T
    match seed % 5:
        case 0:
            return X, 2 * a - b + np.sin(2 * c) + 0.3 * noise, chosen, "regression"
        case 1:
            return X, a * b + c + 0.3 * noise, chosen, "regression"
        case 2:
            return X, a + b**2 + c + 0.3 * noise > 1, chosen, "classification"
        case 3:
            return X, a * b + 0.5 * c + 0.2 * noise > 0, chosen, "classification"
        case _:
            y = np.argmax(X[:, chosen] + 0.2 * rng.standard_normal((rows, 3)), axis=1)
            return X, y, chosen, "classification"


@pytest.mark.parametrize("seed", range(10))
def test_planted_columns_come_first_and_hardly_any_other_is_kept(seed):
    X, y, chosen, task = planted(seed)
    found = tamis.select(X, method="brain-damage", y=y, task=task)
    assert sorted(found.path.kept[:3].tolist()) == sorted(chosen)
    assert found.k <= 4


def test_saliency_is_about_the_rise_of_the_error_without_the_column():
    X, y, chosen, task = planted(0)
    table = RowTable(X, Target.of(y.tolist(), task, what="y"), True)
    network = Network(table, 5, 1.0, 0)
    network.train(np.ones(9, dtype=bool))
    saliency, weights = network.saliencies(), network.layers
    here = training_error(table.standardised, table.labels, weights, 1.0)
    useless = [j for j in range(9) if j not in chosen]
    for j in useless:
        first = weights.first.copy()
        first[j] = 0.0
        less = Layers(first, weights.second, weights.bias, weights.offset)
        rise = training_error(table.standardised, table.labels, less, 1.0) - here
        # Terms between the weights of one column are left out by design.
        assert 0 < rise < 10 * saliency[j]
    assert saliency[useless].max() < saliency[chosen].min()


@pytest.mark.nightly
def test_the_decay_is_larger_where_classes_overlap_and_keeps_noise_from_coming_first():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=500)
    X = rng.standard_normal((500, 20))
    X[:, :4] += 0.7 * y[:, None]
    table = RowTable(X, Target.of(y, "auto", what="y"), True)
    clear = RowTable(X, Target.of(X[:, 0] + X[:, 1] ** 2 > 1, "auto", what="y"), True)
    assert choose_decay(table, 5, 0) >= 10 > choose_decay(clear, 5, 0)
    ranked = {
        decay: rank_by_saliency(table, 4, retain=np.inf, decay=decay).indices.tolist()
        for decay in (None, 0.3)
    }
    assert sorted(ranked[None]) == [0, 1, 2, 3]
    assert sorted(ranked[0.3]) != [0, 1, 2, 3]


def test_many_columns_go_in_groups_and_included_ones_stay(monkeypatch):
    monkeypatch.setattr(brain_damage, "_ONE_BY_ONE", 4)
    X, y, chosen, task = planted(0)
    table = RowTable(X, Target.of(y.tolist(), task, what="y"), True)
    other = next(j for j in range(9) if j not in chosen)
    trained = []
    plain = Network.train
    monkeypatch.setattr(
        Network, "train", lambda self, live: (trained.append(int(live.sum())), plain(self, live))
    )
    order, _, _ = remove_least_salient(Network(table, 4, 1.0, 0), [other])
    assert order[0] == other
    assert sorted(order[1:4].tolist()) == sorted(chosen)
    assert trained == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    monkeypatch.setattr(brain_damage, "_VALIDATION_SHARE", 0.3)
    trained.clear()
    rank_by_saliency(table, 3, retain=np.inf, hidden=4, decay=1.0)
    assert trained == [9, 6, 4, 3, 2, 1]
