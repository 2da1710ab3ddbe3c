"""Searches that improve a set of columns."""
