"""The page chooses the axis of single columns as Python does."""

import json
import subprocess
from importlib.resources import files

import numpy as np
from tests.needs import NODE, needs_node

from tamis.presentation.page.fill import bundle_modules
from tamis.presentation.scenes.share_scale import choose_column_scale

TELL = """
const told = JSON.parse(process.argv[1]).map((shares) => {
  const { chooseColumnScale, describeScale, listTicks, writeScale } = modules.share_scale;
  const scale = chooseColumnScale(shares, shares.map((_, j) => j));
  return [writeScale(scale), listTicks(scale), describeScale(scale)];
});
process.stdout.write(JSON.stringify(told));
"""


def _lists() -> list[list[float]]:
    """Give shares of columns: few, low, high, nearly 100%, and mixed."""
    rng = np.random.default_rng(0)
    ranges = [(0, 0.02), (0, 0.3), (0, 0.59), (0.45, 0.9), (0.83, 1), (0.9, 1), (0.97, 1), (0, 1)]
    drawn = [rng.uniform(low, high, 30).round(3).tolist() for low, high in ranges for _ in range(4)]
    return [[], [0.5], [1.0], [0.2, 0.2, 0.2], [1.0] * 5, [0.0] * 5, *drawn]


@needs_node
def test_the_page_and_python_choose_the_same_axis_of_shares() -> None:
    folder = files("tamis.presentation.page")
    script = bundle_modules("share_scale", lambda name: folder.joinpath(name).read_text("utf-8"))
    command = [str(NODE), "-e", script + TELL, json.dumps(_lists())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for shares, (code, ticks, note) in zip(_lists(), json.loads(done.stdout), strict=True):
        scale = choose_column_scale(shares)
        assert list(map(float, code.split())) == list(map(float, scale.code.split())), shares
        assert [text for _, text in ticks] == [text for _, text in scale.ticks], shares
        np.testing.assert_allclose([at for at, _ in ticks], [at for at, _ in scale.ticks])
        assert note == scale.note
