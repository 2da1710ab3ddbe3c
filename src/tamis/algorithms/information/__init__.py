"""Methods on the mutual information of columns."""
