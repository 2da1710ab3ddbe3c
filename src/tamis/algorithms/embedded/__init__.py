"""Columns ranked by how a learner uses them."""
