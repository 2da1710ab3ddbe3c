"""Results as small HTML cards for a notebook."""
