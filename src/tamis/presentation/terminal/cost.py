"""What a selection would take, in one sentence."""

__all__ = ["cost_text"]

_MINUTE, _HOUR = 100.0, 7000.0  # from which on times are shown in minutes, in hours


def cost_text(
    seconds: float, peak: float, *, rows: int, columns: int, k: int, exact: bool, room: int
) -> str:
    """Say what time and memory are to be expected, and whether the machine has the memory.

    >>> print(cost_text(200, 2e9, rows=10**6, columns=300, k=20, exact=True, room=10**9))
    To keep 20 of 300 columns of numbers, 1,000,000 rows: about 3 minutes of processor time
    (half to twice of it, mostly) and 2.0 GB of memory, more than the 1.0 GB of this machine.
    """
    about = "" if exact else "about "
    enough = "" if peak <= room else f", more than the {room / 1e9:.1f} GB of this machine"
    return (
        f"To keep {k:,} of {columns:,} columns of numbers, {about}{rows:,} rows: about "
        f"{_spell_time(seconds)} of processor time\n(half to twice of it, mostly) and "
        f"{peak / 1e9:.1f} GB of memory{enough}."
    )


def _spell_time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{max(seconds, 1):.0f} seconds"
    if seconds < _HOUR:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
