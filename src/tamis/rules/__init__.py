"""What is known before any table is read, as data: words, marks, patterns, thresholds.

Python reads it here, and `tamis page` puts the same values into its page: no list stands twice.
A rule is a name in capitals: a text, a number, or a tuple, frozenset or dict of these. A pattern is
the source of a regular expression that means the same in Python and in JavaScript (with the flag
`u`), without `^` and `$` around it, as it must match all of a text.
"""
