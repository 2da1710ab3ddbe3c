"""The papers' own experiments, from raw data to their tables."""
