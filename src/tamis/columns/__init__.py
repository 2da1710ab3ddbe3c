"""What each column of a table is: its kind, marks, sentinels, keys, sums and copies."""
