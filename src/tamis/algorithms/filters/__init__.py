"""Filters: how much each column alone has to do with the classes."""
