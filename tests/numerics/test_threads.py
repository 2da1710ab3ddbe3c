import os

import numpy as np
from threadpoolctl import ThreadpoolController, threadpool_limits

from tamis.numerics import threads as pools
from tamis.numerics.threads import (
    every_thread,
    leave_a_core,
    one_thread_if_busy,
    small_products_on_one_thread,
)
from tamis.sources.files import read_ahead


def threads():
    np.eye(2) @ np.eye(2)
    pools = ThreadpoolController().lib_controllers
    return {pool.filepath: pool.num_threads for pool in pools if pool.user_api == "blas"}


def test_a_core_is_left_to_the_reader_and_given_back():
    cores = os.cpu_count() or 1
    with threadpool_limits(cores, user_api="blas"):
        before = threads()
        with leave_a_core():
            assert set(threads().values()) == {max(1, cores - 1)}
        assert threads() == before
        for _ in read_ahead(lambda: range(2)):
            assert set(threads().values()) == {max(1, cores - 1)}
        assert threads() == before


def test_fewer_threads_stay_as_they_are():
    with threadpool_limits(1, user_api="blas"), leave_a_core():
        assert set(threads().values()) == {1}


def test_small_products_run_on_one_thread_and_large_ones_among_them_on_all(monkeypatch):
    monkeypatch.setattr("tamis.numerics.threads.is_machine_busy", lambda: False)
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with small_products_on_one_thread(10_000):
            assert set(threads().values()) == {1}
            with every_thread():
                assert threads() == before
            assert set(threads().values()) == {1}
        assert threads() == before


def test_large_products_keep_their_threads():
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with small_products_on_one_thread(1 << 40), every_thread():
            assert threads() == before


def test_on_a_busy_machine_large_products_stay_on_one_thread(monkeypatch):
    monkeypatch.setattr("tamis.numerics.threads.is_machine_busy", lambda: True)
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_thread_if_busy(), every_thread():
            assert set(threads().values()) == {1}
        assert threads() == before


def test_products_between_tiny_and_large_take_all_threads_unless_the_machine_is_busy(monkeypatch):
    middle = 1 << 23
    for busy, limited in ((False, False), (True, True)):
        monkeypatch.setattr(pools, "is_machine_busy", lambda busy=busy: busy)
        with pools.small_products_on_one_thread(middle):
            assert (pools._limited.get() is not None) == limited
        with pools.small_products_on_one_thread(10_000):
            assert pools._limited.get() is not None
        with pools.small_products_on_one_thread(1 << 25):
            assert pools._limited.get() is None
