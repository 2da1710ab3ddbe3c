"""Methods that give every column a relevance and rank by it."""

from tamis.registry.method import Method
from tamis.registry.option import Option

_HELD = Option(
    "threshold",
    "share",
    None,
    "Share of the summed relevance that the kept columns hold; 0.95 when neither k nor retain is "
    "given.",
)
_RULE = Option(
    "rule",
    "choice",
    "ceil",
    "Keep the fewest columns that reach the threshold, or the most that do not exceed it; the "
    "components that count by themselves are cut by the same rule.",
    ("ceil", "floor"),
)

RELEVANCE: tuple[Method, ...] = (
    Method(
        "relpca",
        "Component relevance",
        "selection",
        "gram",
        "Peluffo et al.",
        "ranks columns by what the leading principal components reproduce of each",
        "tamis.algorithms.relevance.relpca:rank_by_components",
        "tamis.selection.relpca:ComponentRelevance",
        (
            _HELD,
            _RULE,
            Option(
                "components",
                "whole",
                None,
                "Principal components that count; unless given, those with 95% of the variance.",
                least=1,
            ),
        ),
        usual_threshold=0.95,
    ),
    Method(
        "relpca-first",
        "First-component relevance",
        "selection",
        "gram",
        "Peluffo et al.",
        "ranks columns by their weight in the first principal component",
        "tamis.algorithms.relevance.relpca_first:rank_by_first_component",
        "tamis.selection.relpca_first:FirstComponentRelevance",
        (_HELD, _RULE),
        usual_threshold=0.95,
    ),
    Method(
        "q-alpha",
        "Q-alpha",
        "selection",
        "gram",
        "Wolf & Shashua; Wolf & Bileschi; Peluffo et al.",
        "weighs columns so that the rows fall into few, clear directions",
        "tamis.algorithms.relevance.q_alpha:rank_by_coherence",
        "tamis.selection.q_alpha:QAlpha",
        (
            _HELD,
            _RULE,
            Option(
                "clusters",
                "whole",
                None,
                "Directions to look for, such as the number of clusters; unless given, the "
                "components that hold 95% of the variance.",
                least=1,
            ),
            Option(
                "mode",
                "choice",
                "power",
                "Bring the directions one step nearer in each round, or solve for them exactly.",
                ("power", "exact"),
            ),
            Option("rounds", "whole", 4, "Rounds at most.", least=1),
            Option(
                "random_state",
                "whole",
                None,
                "Seed of a random start, as published; unless given, the start is the principal "
                "components.",
            ),
        ),
        usual_threshold=0.95,
    ),
    Method(
        "q-alpha-approx",
        "Approximate Q-alpha",
        "selection",
        "gram",
        "Wolf & Bileschi; Peluffo et al.",
        "weighs columns by how much they have in common with all others, in one step",
        "tamis.algorithms.relevance.q_alpha_approx:rank_by_common_variance",
        "tamis.selection.q_alpha_approx:ApproximateQAlpha",
        (_HELD, _RULE),
        usual_threshold=0.95,
    ),
)
