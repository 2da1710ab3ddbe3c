"""Summary in, `Path` or `Projection` out: pure NumPy and SciPy, one folder for each family."""
