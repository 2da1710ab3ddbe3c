"""Peace between the thread pools of NumPy and SciPy."""

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
