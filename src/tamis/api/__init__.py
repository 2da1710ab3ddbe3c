"""The public functions, one module for each."""
