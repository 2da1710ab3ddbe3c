"""Clusters of rows, each with columns of its own."""
