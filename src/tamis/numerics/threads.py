"""Peace between the thread pools of NumPy and SciPy, and between them and a reader."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

_WITH_POOLS = ("scipy.linalg", "sklearn", "numba", "torch")  # modules that bring threads
_MAX_ONE_THREAD = 1 << 12  # of which every BLAS makes products on one thread by itself
_MAX_SMALL_PRODUCT = 1 << 24  # values of a matrix whose product with a vector takes milliseconds
_MAX_TINY_PRODUCT = 3 << 20  # that stay near the cores: a second thread saves nothing
_SECONDS_BUSY = 0.1  # for which the machine is taken to stay as it is
_LOAD = Path("/proc/loadavg")
# The pools that are kept to one thread, and what ends that.
_limited: ContextVar[tuple[Any, Any] | None] = ContextVar("limited", default=None)


@contextmanager
def small_products_on_one_thread(values: int = 0) -> Iterator[None]:
    """Keep every BLAS to one thread in a loop of thousands of products with so many values.

    Threads wait for each other by spinning at the end of every product. Where other programs have
    the cores, that wait is longer than the product; where nothing else runs, two threads save a
    third of products that are not tiny. A larger one is worth all of them, and nothing changes.
    """
    if 0 < values <= _MAX_ONE_THREAD:
        yield
        return
    large = values > _MAX_SMALL_PRODUCT
    if not large and values > _MAX_TINY_PRODUCT:
        large = not is_machine_busy()
    if large or _limited.get() is not None:
        yield
        return
    pools = _find_pools()
    with ExitStack() as stack:
        limit = stack.enter_context(pools.limit(limits=1))
        token = _limited.set((pools, limit))
        stack.callback(_limited.reset, token)
        yield


def _find_pools() -> Any:
    """Find the pools of threads: once, as it takes milliseconds, and again when more are there."""
    return _search_pools(tuple(name in sys.modules for name in _WITH_POOLS))


@cache
def _search_pools(loaded: tuple[bool, ...]) -> Any:
    del loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread_if_busy() -> Iterator[None]:
    """Keep every BLAS to one thread while other programs have the cores.

    A decomposition is thousands of small products too, but worth all threads where nothing else
    runs: there, nothing changes.
    """
    if not is_machine_busy():
        yield
        return
    with small_products_on_one_thread():
        yield


def is_machine_busy() -> bool:
    """Say whether more threads want to run now than there are cores."""
    return _ask_machine(int(time.monotonic() / _SECONDS_BUSY))


@lru_cache(maxsize=1)
def _ask_machine(moment: int) -> bool:
    """Ask once in a moment: a short search would ask at every column, and each takes its time."""
    del moment
    cores = os.cpu_count() or 1
    try:
        with _LOAD.open("rb", buffering=0) as file:
            return int(file.read(100).split()[3].partition(b"/")[0]) > cores
    except (OSError, ValueError, IndexError):
        # Without that file, the mean of the last minute says it, later.
        return hasattr(os, "getloadavg") and os.getloadavg()[0] > cores + 1


@contextmanager
def every_thread() -> Iterator[None]:
    """Give one large product inside such a loop all the threads that there were before it."""
    limited = _limited.get()
    if limited is None or is_machine_busy():
        yield
        return
    pools, limit = limited
    limit.restore_original_limits()
    token = _limited.set(None)
    try:
        yield
    finally:
        _limited.reset(token)
        pools.limit(limits=1)


@contextmanager
def scipy_on_one_thread() -> Iterator[None]:
    """Keep SciPy's own BLAS to one thread while the block runs.

    The wheels of NumPy and SciPy bring a BLAS each, whose threads wait by spinning: in a loop that
    takes turns between the two, they would fight over the cores.
    """
    pools = _find_pools()
    own = [pool.filepath for pool in pools.lib_controllers if "scipy.libs" in pool.filepath]
    with pools.select(filepath=own).limit(limits=1):
        yield


@contextmanager
def leave_a_core() -> Iterator[None]:
    """Keep every BLAS to one thread less than there are cores while the block runs.

    Its threads wait for each other by spinning: while another thread has one of the cores, they
    would waste a third of the time. Where they are fewer already, nothing changes.
    """
    cores, pools = os.cpu_count() or 1, _find_pools()
    blas = [pool for pool in pools.lib_controllers if pool.user_api == "blas"]
    busy = [pool.filepath for pool in blas if (pool.num_threads or 1) >= cores]
    with pools.select(filepath=busy).limit(limits=max(1, cores - 1)):
        yield
