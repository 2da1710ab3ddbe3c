"""The page that takes a table and answers in the browser, without Python."""
