"""Methods that rank columns by their relevance."""
