"""What a machine may lack, and how to have it: `make test` ends with these reasons."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node")
AXE = Path(os.environ.get("TAMIS_AXE", "node_modules/axe-core/axe.min.js"))
SHARED = Path(__file__).parents[2] / "shared"
NO_SHARED = "../shared is not here: tables of others, which are no part of this project"

needs_node = pytest.mark.skipif(
    NODE is None, reason="node is not installed: apt-get install nodejs"
)
needs_axe = pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is not here: npm install axe-core, or set TAMIS_AXE"
)
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=NO_SHARED)


def nightly(value: Any) -> Any:
    """Leave this value of a parameter to `make nightly`."""
    return pytest.param(value, marks=pytest.mark.nightly)
