"""The only maker of sentences: facts, and the spelling of the reader's door, give text.

Options are written as that door writes them (`tamis.errors.spell`): `k="auto"` or `-k auto`.
"""
