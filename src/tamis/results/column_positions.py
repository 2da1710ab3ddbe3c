"""Find the columns of one table in another."""

import numpy as np
from numpy.typing import NDArray

from tamis.columns.judgement import NOT_JUDGED
from tamis.errors import TamisError
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record
from tamis.presentation.prose.writing import list_names
from tamis.run.candidates import NOT_NUMBERS, OTHER_TYPE
from tamis.sources.source import Source


def list_unjudged(found: Outcome) -> list[int]:
    """Give the columns that were not judged, for what they are: they stay beside the kept ones.

    They are text where a method needs numbers, dates, keys and free text.
    """
    judgement = NOT_JUDGED if found.reader is None else found.reader.request.judgement
    unfit = {name: judgement.unfit[name] for name in judgement.carried}
    names, position = found.request.names, found.request.position
    reasons = {position(label): why for label, why in found.skipped.items()}
    return sorted(
        j
        for j, why in reasons.items()
        if why in (NOT_NUMBERS, OTHER_TYPE) or why == unfit.get(names[j])
    )


def positions_in(source: Source, request: Record, columns: NDArray[np.intp]) -> list[int]:
    """Find columns of one table in another: by name, or by position where one has no names."""
    if not (source.named and request.named):
        width, made_on = len(source.names), len(request.names)
        if width != made_on:
            raise TamisError(
                f"{source.label} has {width:,} columns where the table it was made on has "
                f"{made_on:,}: give as many, because one of the two has no column names."
            )
        return [int(j) for j in columns]
    known = {name: position for position, name in enumerate(source.names)}
    wanted = [request.names[j] for j in columns]
    lost = [repr(name) for name in wanted if name not in known]
    if lost:
        many = "columns" if len(lost) > 1 else "column"
        raise TamisError(
            f"{source.label} has no {many} {list_names(lost)}: give a table with the columns of "
            "the one it was made on."
        )
    return [known[name] for name in wanted]
