"""Results as pictures for a paper, with matplotlib (the extra `tamis[plot]`)."""
