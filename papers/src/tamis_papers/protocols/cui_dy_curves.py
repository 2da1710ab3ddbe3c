"""The error curves of Figure 1 of Cui and Dy, by table and method."""

from tamis_papers.laboratory.protocol import Results

__all__ = ["METHODS", "MOST", "TABLES", "curves_of", "key_of"]

METHODS = ("sfs", "pfs", "jolliffe-i", "jolliffe-ni", "pfa", "spca")
TABLES = ("faces", "mini_newsgroups", "leukemia_yeoh", "lung_gordon")
MOST = 50


def key_of(table: str, method: str) -> str:
    """Name the cell of one table and method."""
    return f"{table}/{method}"


def curves_of(results: Results, table: str) -> dict[str, list[float]]:
    """Give the error for 1, 2, ... columns of every method that was run on this table."""
    keys = {method: key_of(table, method) for method in METHODS}
    return {m: list(results[key]["error"]) for m, key in keys.items() if key in results}
