"""What a command loads before it answers: heavy packages only where they are needed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tamis

pytestmark = pytest.mark.slow

HEAVY = {"numpy", "scipy", "sklearn", "pyarrow", "pandas", "polars", "narwhals", "jinja2"}


def _loaded(code: str) -> set[str]:
    """Give the heavy packages that are loaded after `code` has run in a fresh process."""
    script = f"import sys\ntry:\n    {code}\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return HEAVY & {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "code",
    [
        "import tamis.registry",
        "import tamis; tamis.TamisError",
        "from tamis.cli import main; main(['--help'])",
        "from tamis.cli import main; main(['select', '--help'])",
        "from tamis.cli import main; main(['reproduce', '--help'])",
        "from tamis.cli import main; main(['methods'])",
        "from tamis.cli import main; main(['select', 'x.csv', '-k', '0'])",
        "from tamis.cli import main; main(['select', 'x.csv', '-m', 'nope'])",
    ],
)
def test_help_and_the_registry_load_nothing_heavy(code: str) -> None:
    assert _loaded(code) == set()


@pytest.mark.parametrize("method", ["sfs", "pfs"])
def test_a_selection_of_a_text_table_loads_only_what_it_needs(
    method: str, tmp_path: Path, numbers: np.ndarray, as_text: object
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(as_text(numbers))  # type: ignore[operator]
    arguments = ["select", str(path), "-k", "3", "-m", method, "-o", str(tmp_path / "kept.csv")]
    found = _loaded(f"from tamis.cli import main; main({arguments!r})")
    assert found == {"numpy", "scipy", "pyarrow"}


def test_a_look_at_text_marks_and_missing_values_loads_no_pandas(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{i % 7},{i / 8},{'n.d.' if i % 9 == 0 else i},{'ab'[i % 2]}" for i in range(99)]
    path.write_text("\n".join(["code,share,marked,group", *rows, ",,,"]) + "\n")
    assert _loaded(f"from tamis.cli import main; main(['look', {str(path)!r}])") == {
        "numpy",
        "scipy",
        "pyarrow",
    }


def test_the_package_runs_as_the_command():
    asked = [sys.executable, "-m", "tamis", "--version"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tamis", tamis.__version__]
