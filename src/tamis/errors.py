"""The one error type: a sentence a user can act on."""


class TamisError(ValueError):
    """Say in one sentence what is wrong, where, and what to do."""
