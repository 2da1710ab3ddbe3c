"""COBWEB: the fast tree equals one that looks at all rows again at every step."""

import numpy as np
import pytest
from tests.algorithms.clustering.planted import planted
from tests.algorithms.clustering.test_concepts import utility_by_definition

from tamis.algorithms.clustering.cobweb import CUTOFF, Features, best_tree, grow


class Slow:
    """COBWEB with nodes as lists of rows, and category utility from the rows each time.

    A node is a list of children; a leaf, which has none, is a list of row numbers.
    """

    def __init__(self, numbers, codes):
        self.numbers, self.codes = numbers, codes

    def rows(self, node):
        kind, parts = node
        return [row for part in parts for row in self.rows(part)] if kind == "node" else parts

    def utility(self, groups):
        rows = sorted(row for group in groups for row in group)
        place = {row: i for i, row in enumerate(rows)}
        labels = np.zeros(len(rows), dtype=int)
        for label, group in enumerate(groups):
            labels[[place[row] for row in group]] = label
        return utility_by_definition(self.numbers[rows], self.codes[rows], labels)

    def best(self, candidates):
        """Give the first of the candidates (value, what) that have the best value."""
        top = max(value for value, _ in candidates)
        return next(what for value, what in candidates if value >= top - 1e-9)

    def hosts(self, parts, row):
        """Value the partitions with the row in each of the parts."""
        return [
            (self.utility([[*p, row] if i == j else p for j, p in enumerate(parts)]), i)
            for i in range(len(parts))
        ]

    def insert(self, node, row):
        """Give the node with one more row."""
        if node[0] == "leaf":
            width = self.numbers.shape[1] + self.codes.shape[1]
            apart = self.utility([node[1], [row]]) > CUTOFF * width + 1e-9
            pair = [("leaf", node[1]), ("leaf", [row])]
            return ("node", pair) if apart else ("leaf", [*node[1], row])
        children = list(node[1])
        parts = [self.rows(child) for child in children]
        hosts = self.hosts(parts, row)
        a = self.best(hosts)
        b = self.best([pair for pair in hosts if pair[1] != a])
        candidates = [(hosts[a][0], "host"), (self.utility([*parts, [row]]), "new")]
        rest = [i for i in range(len(parts)) if i not in (a, b)]
        if rest:
            merged = [*(parts[i] for i in rest), [*parts[a], *parts[b], row]]
            candidates.append((self.utility(merged), "merge"))
        if children[a][0] == "node":
            inner = [self.rows(child) for child in children[a][1]]
            others = [part for i, part in enumerate(parts) if i != a]
            split = self.hosts(inner + others, row)[: len(inner)]
            candidates.append((max(value for value, _ in split), "split"))
        others = [child for i, child in enumerate(children) if i != a]
        match self.best(candidates):
            case "host":
                children[a] = self.insert(children[a], row)
                return ("node", children)
            case "new":
                return ("node", [*children, ("leaf", [row])])
            case "merge":
                union = self.insert(("node", [children[a], children[b]]), row)
                return ("node", [*(children[i] for i in rest), union])
        return self.insert(("node", [*others, *children[a][1]]), row)


def shape(node):
    """Give a fast tree in the form of the slow one."""
    if node.children:
        return ("node", [shape(child) for child in node.children])
    return ("leaf", list(node.rows))


def check_sums(tree, node, total, vectors):
    """Every vector in the tree is the sum over the rows below it, and every worth follows."""
    assert total == pytest.approx(vectors[list(node.members())].sum(axis=0), abs=1e-10)
    for child, sums, worth in zip(node.children, node.sums, node.worth, strict=True):
        assert worth == pytest.approx(sums[0] * tree.features.count_right_guesses(sums[None])[0])
        check_sums(tree, child, sums, vectors)


@pytest.mark.parametrize(("numeric", "nominal"), [(2, 0), (0, 4), (2, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_the_tree_equals_the_slow_one_after_every_row(numeric, nominal, seed):
    rng = np.random.default_rng(seed)
    numbers = planted(seed, noise=0, rows=36)[0][:, :numeric] / 3
    codes = rng.integers(0, 3, (36, nominal))
    features = Features(numeric, (3,) * nominal)
    vectors, slow = features.vectors(numbers, codes), Slow(numbers, codes)
    order = rng.permutation(36)
    expected = ("leaf", [int(order[0])])
    for count in range(2, 37):
        expected = slow.insert(expected, int(order[count - 1]))
        if count % 7 == 1 or count == 36:
            tree = grow(features, vectors, order[:count])
            assert shape(tree.root) == expected
            parts = [slow.rows(child) for child in expected[1]]
            assert tree.utility == pytest.approx(slow.utility(parts), abs=1e-12)
    check_sums(tree, tree.root, tree.total, vectors)


def test_all_four_operators_are_at_work_in_these_trees(monkeypatch):
    from tamis.algorithms.clustering import cobweb

    seen = set()
    choose = cobweb._choose

    def noting(*given):
        found = choose(*given)
        seen.add(found[0])
        return found

    monkeypatch.setattr(cobweb, "_choose", noting)
    features = Features(2)
    for seed in range(3):
        rows = planted(seed, noise=0, rows=36)[0]
        grow(features, features.vectors(rows / 3), np.random.default_rng(seed).permutation(36))
    assert seen == {"host", "new", "merge", "split"}


def test_separated_clusters_are_the_first_level_in_any_order():
    rows, kinds = planted(0, ring=3, noise=0, gap=6)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    features = Features(3)
    for seed in range(5):
        tree = best_tree(features, features.vectors(rows), random_state=seed)
        assert tree.labels().tolist() == kinds.tolist()


def test_rows_closer_than_the_acuity_stay_in_one_leaf_and_no_chain_grows():
    rows = np.random.default_rng(0).uniform(0, 0.2, (300, 2))
    tree = best_tree(Features(2), Features(2).vectors(rows))
    assert tree.root.children == []
    assert tree.labels().tolist() == [0] * 300


def test_one_order_gives_one_tree_and_more_orders_are_never_worse():
    rows = np.random.default_rng(3).standard_normal((80, 3))
    features = Features(3)
    vectors = features.vectors(rows)
    utilities = [best_tree(features, vectors, n_init=n).utility for n in (1, 1, 4)]
    assert utilities[0] == utilities[1] <= utilities[2]
