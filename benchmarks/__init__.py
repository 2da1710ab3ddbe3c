"""Time, peak memory and quality of every registered method: `python -m benchmarks`."""
