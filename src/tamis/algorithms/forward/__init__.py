"""Methods that add columns one by one, or choose a set of a given size."""
