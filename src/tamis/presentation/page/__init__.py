"""Results as self-contained HTML pages, each made from the same base."""
