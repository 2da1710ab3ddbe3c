"""The one table of methods and options; data only, no maths.

`select`, the command line, the estimators, the report, the docs and the tests all read it. A method
that is not listed here does not exist.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tamis.errors import TamisError, spelled


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `kind` is one of whole, share, flag, choice, columns; `least` is the smallest whole number.
    """

    name: str
    kind: str
    default: Any
    about: str
    choices: tuple[Any, ...] = ()
    least: int = 0

    def check(self, value: Any, name: str | None = None) -> None:
        """Raise a `TamisError` unless `value` is one this option takes."""
        if value is None and self.default is None:
            return
        accepted = {
            "whole": _is_whole(value) and value >= self.least,
            "share": _is_number(value) and 0 < value <= 1,
            "flag": isinstance(value, bool) or type(value).__name__ == "bool_",
            "choice": any(value is c or value == c for c in self.choices),
            "columns": not isinstance(value, str) and hasattr(value, "__iter__"),
        }
        if not accepted[self.kind]:
            raise TamisError(f"{spelled(name or self.name, value)}: give {self.accepts}.")

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        text = {
            "whole": f"a whole number of at least {self.least}",
            "share": "a share above 0 and up to 1, such as 0.95",
            "flag": "True or False",
            "choice": " or ".join(repr(choice) for choice in self.choices),
            "columns": "a list of column names or positions",
        }[self.kind]
        return f"{text}, or None" if self.default is None else text


K = Option("k", "whole", None, "How many columns to keep.", least=1)
RETAIN = Option("retain", "share", None, "Keep as few columns as reproduce this share of variance.")
INCLUDE = Option("include", "columns", (), "Columns that must stay; they are taken first.")
EXCLUDE = Option("exclude", "columns", (), "Columns left out, as if they were not in the table.")
COLUMNS = Option("columns", "columns", None, "The only columns to look at.")
SCALE = Option("scale", "flag", True, "Bring all columns to the same spread first.")
REFINE = Option(
    "refine",
    "choice",
    False,
    "Swap columns until no swap helps; 'exact' proves the best set (small tables).",
    (False, True, "exact"),
)
MISSING = Option(
    "missing",
    "choice",
    "error",
    "Missing values: refuse, fill with the column mean, or drop the row.",
    ("error", "mean", "drop"),
)

COMMON = (K, RETAIN, COLUMNS, INCLUDE, EXCLUDE, SCALE, REFINE, MISSING)

DEFAULT_METHOD = "sfs"
DEFAULT_RETAIN = 0.95


@dataclass(frozen=True)
class Method:
    """What there is to know about a method without running it.

    `needs` names the summary it works on, `kernel` its pure function and `estimator` its
    scikit-learn shell, both as `module:name`.
    """

    id: str
    name: str
    kind: str
    needs: str
    paper: str
    about: str
    kernel: str
    estimator: str
    options: tuple[Option, ...] = ()

    def load_kernel(self) -> Any:
        """Import the pure function."""
        return _load(self.kernel)

    def load_estimator(self) -> Any:
        """Import the scikit-learn class."""
        return _load(self.estimator)


METHODS: tuple[Method, ...] = (
    Method(
        "sfs",
        "Greedy reconstruction",
        "selection",
        "gram",
        "Cui & Dy",
        "takes at each step the column that lowers the reconstruction error most",
        "tamis.methods.sfs:greedy_reconstruction",
        "tamis.selection.sfs:GreedyReconstruction",
    ),
    Method(
        "pfs",
        "Principal feature selection",
        "selection",
        "gram",
        "Cui & Dy",
        "takes at each step the column most correlated with the leading component of what is left",
        "tamis.methods.pfs:principal_features",
        "tamis.selection.pfs:PrincipalFeatureSelection",
        (
            Option(
                "norm",
                "choice",
                "residual",
                "What a loading is divided by: the norm of what is left of the column, of the "
                "column itself, or nothing.",
                ("residual", "original", "none"),
            ),
        ),
    ),
    Method(
        "principal-variables",
        "Principal variables",
        "selection",
        "gram",
        "Cumming & Wooff",
        "takes at each step the column most related to all others, given those taken",
        "tamis.methods.principal_variables:principal_variables",
        "tamis.selection.principal_variables:PrincipalVariables",
    ),
    Method(
        "pivoted-qr",
        "Pivoted QR",
        "selection",
        "gram",
        "Businger & Golub; McCabe's M1 taken greedily",
        "takes at each step the column that those taken reproduce least",
        "tamis.methods.pivoted_qr:pivoted_columns",
        "tamis.selection.pivoted_qr:PivotedQR",
    ),
    Method(
        "jolliffe-i",
        "Jolliffe's loadings, iterated",
        "selection",
        "gram",
        "Jolliffe",
        "takes the largest loading on the leading component of the columns not yet taken",
        "tamis.methods.jolliffe_i:iterated_loadings",
        "tamis.selection.jolliffe_i:JolliffeIterated",
    ),
    Method(
        "jolliffe-ni",
        "Jolliffe's loadings, one pass (B4)",
        "selection",
        "gram",
        "Jolliffe",
        "takes for each leading component the column that loads most on it",
        "tamis.methods.jolliffe_ni:one_pass_loadings",
        "tamis.selection.jolliffe_ni:JolliffeOnePass",
    ),
    Method(
        "spca",
        "Sparse principal component",
        "selection",
        "gram",
        "Cui & Dy; Yuan & Zhang",
        "takes the columns whose best combination has the largest variance",
        "tamis.methods.spca:sparse_component",
        "tamis.selection.spca:SparsePrincipalComponent",
    ),
    Method(
        "pfa",
        "Principal feature analysis",
        "selection",
        "gram",
        "Lu, Cohen, Zhou & Tian",
        "clusters the columns by their loadings and keeps one of each cluster",
        "tamis.methods.pfa:principal_feature_analysis",
        "tamis.selection.pfa:PrincipalFeatureAnalysis",
        (
            Option(
                "component_share",
                "share",
                0.95,
                "Share of the variance that the components used for clustering hold.",
            ),
            Option("signed", "flag", False, "Tell a column from its mirror image."),
            Option("random_state", "whole", 0, "Seed of the clustering."),
        ),
    ),
)


def methods() -> tuple[Method, ...]:
    """List every method."""
    return METHODS


def get(method_id: str) -> Method:
    """Give the method with this id, or suggest the nearest one."""
    for method in METHODS:
        if method.id == method_id:
            return method
    ids = [method.id for method in METHODS]
    raise TamisError(f"Unknown method {method_id!r}{nearest(str(method_id), ids)}.")


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the known word most like `word`, or list what is known."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f": did you mean {close[0]!r}"
    more = f" and {len(known) - 8} more" if len(known) > 8 else ""
    return f": there is {', '.join(known[:8])}{more}"


def check_options(method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check a method's own options and fill in the defaults."""
    known = {option.name: option for option in method.options}
    for name, value in given.items():
        if name not in known:
            hint = nearest(name, known) if known else ": it has no options of its own"
            raise TamisError(f"Method {method.id!r} has no option {name!r}{hint}.")
        known[name].check(value)
    return {name: given.get(name, option.default) for name, option in known.items()}


def check_goal(k: Any, retain: Any, *, k_name: str = "k") -> None:
    """Check the two ways to say how many columns to keep."""
    K.check(k, k_name)
    RETAIN.check(retain)
    if k is not None and retain is not None:
        raise TamisError(f"Give {k_name} or retain, not both: each decides how many columns stay.")


def _load(path: str) -> Any:
    module, name = path.split(":")
    return getattr(import_module(module), name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)
