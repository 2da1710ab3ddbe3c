"""How Sphinx builds the site: no network, no host, warnings are errors (see the Makefile)."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import tamis

PATTERN = re.compile(r"\*|_(?!\w)")
RESULTS = {
    f"tamis.{name}"
    for name in (
        "Selection",
        "Extraction",
        "Comparison",
        "DataSummary",
        "SavedChoice",
        "ChoiceCheck",
    )
}
RESULTS |= {"tamis_papers.Reproduction"}
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "ext"))

project = "tamis"
author = "The tamis developers"
copyright = author
version = release = tamis.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "pictures",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
nitpicky = False  # parameter types are prose
smartquotes = False  # an option starts with two dashes
default_role = "code"  # docstrings write `names` as Markdown does

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r".*",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "remove_config_comments": True,
    "within_subsection_order": "ExampleTitleSortKey",
}

templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_title = "tamis"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "cli": []}
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def write_demo(app: Sphinx, exception: Exception | None) -> None:
    """Put the report that the landing page shows, and the page that answers, beside the pages."""
    if exception is None and app.builder.format == "html":
        from sklearn.datasets import load_breast_cancer

        from tamis.results.try_page import write_try_page

        table = load_breast_cancer(as_frame=True).data
        tamis.select(table, held_out=True).report(Path(app.outdir) / "demo.html")
        write_try_page(Path(app.outdir) / "try.html")


def outdated(app: Sphinx, env: BuildEnvironment, *_more: object) -> set[str]:
    """Read all pages again once the code is newer than they are: they show what it does."""
    read = Path(app.doctreedir) / "environment.pickle"
    folders = (HERE.parent / "src", HERE.parent / "papers" / "src")
    code = max(path.stat().st_mtime for folder in folders for path in folder.rglob("*.py"))
    return env.found_docs if read.exists() and code > read.stat().st_mtime else set()


def hide_constructor(_app: Sphinx, what: str, name: str, *_more: object) -> tuple[str, None] | None:
    """Show no constructor of a result: functions make them."""
    return ("", None) if what == "class" and name in RESULTS else None


def escape_patterns(_app: Sphinx, _context: object, lines: list[str]) -> None:
    """Keep patterns in help texts, such as 'data/*.csv' and 'gene_*', from being markup."""
    lines[:] = [
        line if line.lstrip().startswith("..") or "``" in line else PATTERN.sub(r"\\\g<0>", line)
        for line in lines
    ]


def setup(app: Sphinx) -> None:
    app.connect("env-get-outdated", outdated)
    app.connect("autodoc-process-signature", hide_constructor)
    for part in ("description", "options", "epilog"):
        app.connect(f"sphinx-click-process-{part}", escape_patterns)
    app.connect("build-finished", write_demo)
