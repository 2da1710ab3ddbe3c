"""What is shown about an extraction: plain facts, and a self-contained HTML page."""

from tamis.presentation.extraction.facts import extraction_facts
from tamis.presentation.extraction.page import render_extraction

__all__ = ["extraction_facts", "render_extraction"]
