"""Peace between the thread pools of NumPy and SciPy, and between them and a reader."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def scipy_on_one_thread() -> Iterator[None]:
    """Keep SciPy's own BLAS to one thread while the block runs.

    The wheels of NumPy and SciPy bring a BLAS each, whose threads wait by spinning: in a loop that
    takes turns between the two, they would fight over the cores.
    """
    from threadpoolctl import ThreadpoolController

    pools = ThreadpoolController()
    own = [pool.filepath for pool in pools.lib_controllers if "scipy.libs" in pool.filepath]
    with pools.select(filepath=own).limit(limits=1):
        yield


@contextmanager
def leave_a_core() -> Iterator[None]:
    """Keep every BLAS to one thread less than there are cores while the block runs.

    Its threads wait for each other by spinning: while another thread has one of the cores, they
    would waste a third of the time. Where they are fewer already, nothing changes.
    """
    from threadpoolctl import ThreadpoolController

    cores, pools = os.cpu_count() or 1, ThreadpoolController()
    blas = [pool for pool in pools.lib_controllers if pool.user_api == "blas"]
    busy = [pool.filepath for pool in blas if (pool.num_threads or 1) >= cores]
    with pools.select(filepath=busy).limit(limits=max(1, cores - 1)):
        yield
