"""Drawings as inline SVG: plain numbers in, text out."""
