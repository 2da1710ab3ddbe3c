"""Methods that remove redundant columns."""
