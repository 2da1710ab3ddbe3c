"""The directive `picture`: a drawing of what the examples of a page have found.

The body is a Python expression. It is evaluated where the page has come to: all examples above it
have been run, so the picture shows their result and cannot be older than they are.
"""

import doctest
import io
import re
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bundled import on_cancer, on_wine
from docutils import nodes
from docutils.parsers.rst import directives
from drawings import DRAWINGS
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

BUNDLED = {"on_wine": on_wine, "on_cancer": on_cancer}
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Picture(SphinxDirective):
    """Draw the value of the body; the argument names the kind of drawing."""

    has_content = True
    required_arguments = 1
    option_spec = {"caption": directives.unchanged}  # noqa: RUF012  # docutils reads it so

    def run(self) -> list[nodes.Node]:
        """Give the drawing with its caption."""
        self.env.note_dependency(str(Path(__file__).with_name("drawings.py")))
        # Examples may write files, and read them again for the picture: not into the project.
        if "picture folder" not in self.env.temp_data:
            self.env.temp_data["picture folder"] = TemporaryDirectory()
        with chdir(self.env.temp_data["picture folder"].name):
            value = eval("\n".join(self.content), self._names())
            drawn = DRAWINGS[self.arguments[0]](value)
        caption = self.options.get("caption", "")
        below = f"<figcaption>{caption}</figcaption>" if caption else ""
        html = f'<figure class="picture">{drawn}{below}</figure>'
        return [nodes.raw("", html, format="html")]

    def _names(self) -> dict[str, Any]:
        """Run the examples above that have not been run, and give all names of the page."""
        page = Path(self.env.doc2path(self.env.docname))
        above = "\n".join(page.read_text(encoding="utf-8").splitlines()[: self.lineno - 1]) + "\n"
        names = self.env.temp_data.setdefault("picture names", dict(BUNDLED))
        done = self.env.temp_data.get("picture blocks", 0)
        blocks = BLOCK.findall(above)
        with redirect_stdout(io.StringIO()):
            for block in blocks[done:]:
                for example in doctest.DocTestParser().get_examples(block):
                    exec(compile(example.source, str(page), "single"), names)
        self.env.temp_data["picture blocks"] = len(blocks)
        return names


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
