"""Searches for the set of columns with which a learner scores best."""
