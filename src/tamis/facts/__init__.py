"""What is known about a result: frozen values of numbers, names and reason codes, no sentence.

`tamis.presentation` turns them into text, pictures and pages; `json_schema.py` into plain values,
which it also describes. A part that was not asked for, or does not apply, is None.
"""
