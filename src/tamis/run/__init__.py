"""The one way from a checked request and a table to what was found.

`select`, `extract`, the estimators and the command line all come through here: a `Request` is
checked once (`request`), its columns are found once (`candidates`), the table is
read into the summary that the method needs, and the method runs (`selection`, `extraction`).
"""
