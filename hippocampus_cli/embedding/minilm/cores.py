"""Batches side by side, each on one core.

Left alone, the matrix library splits every product over all cores and waits in a loop for the slowest: on a
machine that does something else as well, that was measured at ten times the time of one core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from threadpoolctl import threadpool_limits

_T = TypeVar("_T")


def each_on_one_core(work: Callable[[_T], None], parts: Sequence[_T], threads: int) -> None:
    """Do ``work`` on each of ``parts``, on ``threads`` at a time at most; raises what it raises."""
    with threadpool_limits(limits=1, user_api="blas"):
        if len(parts) < 2 or threads < 2:
            for part in parts:
                work(part)
            return
        with ThreadPoolExecutor(min(threads, len(parts))) as pool:
            try:
                for _ in pool.map(work, parts):
                    pass
            except BaseException:  # an interrupt does not wait for what has not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise
