"""Methods that judge columns by the clusters of rows that they lead to."""
