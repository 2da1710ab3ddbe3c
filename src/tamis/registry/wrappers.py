"""Methods that search for the set of columns with which a learner scores best."""

from functools import partial

from tamis.registry.learning import CV, LEARNER, SCORING
from tamis.registry.method import Method
from tamis.registry.option import Option

_SHARED = (
    LEARNER,
    SCORING,
    CV,
    Option(
        "test_size",
        "amount",
        0.2,
        "Share of the rows that no search sees, for a score at the end; at most 0.5, 0 for none.",
    ),
    Option("n_jobs", "integer", 1, "Processes that work at a time, -1 for all cores.", least=-1),
    Option(
        "max_evaluations",
        "integer",
        None,
        "Stop after so many different sets of columns, with the best so far.",
        least=1,
    ),
    Option("max_seconds", "positive", None, "Stop after so many seconds, with the best so far."),
    Option(
        "checkpoint",
        "file",
        None,
        "File (JSON) for the scores so far; a search that was killed goes on from it.",
    ),
    Option("random_state", "integer", 0, "Random seed, for the splits and the search."),
)

_wrapper = partial(
    Method,
    kind="selection",
    needs="labelled rows",
    searches=True,
    scale=None,
    keeps_copies=True,
    decides=True,
    retains=False,
    tasks=("classification", "regression"),
)

WRAPPERS: tuple[Method, ...] = (
    _wrapper(
        id="wrapper-forward",
        name="Wrapper, forward selection",
        paper="Kohavi & John; Cunningham",
        about="adds, one at a time, the column with which a learner scores best",
        kernel="tamis.algorithms.wrappers.wrapper_forward:select_forward",
        estimator="tamis.selection.wrappers:ForwardWrapper",
        options=(
            Option("tol", "amount", 0.0, "Add a column only if the score rises by more than this."),
            *_SHARED,
        ),
    ),
    _wrapper(
        id="wrapper-backward",
        name="Wrapper, backward elimination",
        paper="Kohavi & John; Cunningham",
        about="removes, one at a time, the column without which a learner scores best",
        kernel="tamis.algorithms.wrappers.wrapper_backward:select_backward",
        estimator="tamis.selection.wrappers:BackwardWrapper",
        options=(
            Option(
                "accept_ties",
                "flag",
                True,
                "Remove a column also if the score stays the same: the smaller set wins.",
            ),
            *_SHARED,
        ),
    ),
    _wrapper(
        id="wrapper-genetic",
        name="Wrapper, genetic search",
        paper="Loughrey & Cunningham; Cunningham",
        about="breeds sets of columns with which a learner scores better and better",
        kernel="tamis.algorithms.wrappers.wrapper_genetic:select_genetic",
        estimator="tamis.selection.wrappers:GeneticWrapper",
        options=(
            Option("population", "integer", 50, "Number of sets in a generation.", least=2),
            Option("generations", "integer", 50, "Number of generations at most.", least=1),
            Option("penalty", "amount", 0.0, "Taken off the score of a set of all columns."),
            Option(
                "early_stopping",
                "flag",
                False,
                "Stop when the best set scores no better on rows set aside within the search.",
            ),
            *_SHARED,
        ),
    ),
    _wrapper(
        id="wrapper-annealing",
        name="Wrapper, simulated annealing",
        paper="Kirkpatrick et al.; Cunningham",
        about="changes a set of columns by lot, taking a worse one less and less often",
        kernel="tamis.algorithms.wrappers.wrapper_annealing:select_annealing",
        estimator="tamis.selection.wrappers:AnnealingWrapper",
        options=(
            Option(
                "temperature",
                "amount",
                None,
                "First temperature, in units of the score; by default chosen from the first sets.",
            ),
            *_SHARED,
        ),
    ),
)
