"""Methods on the neighbours of rows, and the variance."""
