"""Linear algebra that knows no table."""
