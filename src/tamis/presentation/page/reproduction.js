// Nothing moves on this page: the shared script opens all that is folded before it is printed.
