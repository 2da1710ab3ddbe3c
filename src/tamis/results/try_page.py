"""The page that takes a table, with the draws of rows that Python would make."""

from pathlib import Path

import numpy as np

from tamis.evaluation.auto_size import INTERVAL_SPLITS
from tamis.evaluation.stability import half_choices
from tamis.presentation.browser.try_page import make_try_page
from tamis.results.output import write_page
from tamis.rules.search import N_BLOCKS
from tamis.statistics.row_blocks import FEWEST_BLOCKS


def write_try_page(path: Path) -> Path:
    """Write the page that takes a table, and give its path."""
    draws = {count: draw_halves(count) for count in range(FEWEST_BLOCKS, N_BLOCKS + 1)}
    return write_page(path, make_try_page(draws))


def draw_halves(count: int) -> list[list[int]]:
    """Give the first half of each split of so many blocks of rows."""
    choices = half_choices(np.ones(count, dtype=np.intp), INTERVAL_SPLITS)
    return [np.flatnonzero(half).tolist() for half in choices[::2]]
