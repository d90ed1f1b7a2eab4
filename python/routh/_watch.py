"""Long calls of C that ask on their way whether to go on. Not public.

The library asks in the thread that made the call, often; ``routh_py_ask``, of the extension module, hands on no more than
twenty of these questions a second, so that a call that is short meets no Python at all. What Python's own handler of SIGINT
raises in the answer, KeyboardInterrupt, stops the call and is what it raises: in the main thread, whichever thread the system
gave the signal to.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Union

from routh._routh import ffi, lib

Progress = Union[bool, Callable[[float, float], Any]]

PAUSE = 0.05  # s between two questions that Python hears


class Bar:
    """How far a call is, on standard error: a bar where it is known how much there is to do, else a count."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._begun = self._told = time.monotonic()
        self._line = False

    def draw(self, done: float, all: float, unit: str) -> None:
        """Five times a second at most."""
        now = time.monotonic()
        if now - self._told < 0.2:
            return
        self._told = now
        if all > 0:
            share = min(done / all, 1.0)
            left = f", {(now - self._begun) * (1 - share) / share:.0f} s left" if share > 0 else ""
            text = f"[{'#' * int(30 * share):<30}] {done:.4g} of {all:.4g} {unit}{left}"
        else:
            text = f"{done:.4g} {unit}, {now - self._begun:.0f} s"
        sys.stderr.write(f"\r\033[K{self.what} {text}")
        sys.stderr.flush()
        self._line = True

    def clear(self) -> None:
        if self._line:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


class Watch:
    """Around a call of C whose options are given and ask by ``on_progress``: what stopped it is raised at the end."""

    __slots__ = ("_bar", "_c", "_handle", "_unit", "failed", "progress")

    def __init__(self, options: Any, progress: Progress, what: str, unit: str) -> None:
        self.failed: BaseException | None = None
        self.progress = progress
        self._bar = Bar(what) if progress is True else None
        self._unit = unit
        self._handle = ffi.new_handle(self)
        self._c = ffi.new(_KIND, (self._handle, 0.0 if progress is not True and progress else PAUSE, 0.0))
        options.on_progress = _ASK
        options.data = self._c

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.clear()
        if self.failed is not None:
            raise self.failed from None

    def tell(self, done: int, all: int) -> None:
        """Shows how far the call is; what this raises stops it."""
        if self._bar is not None:
            self._bar.draw(done, all, self._unit)
        elif callable(self.progress):
            self.progress(done, all)


_ASK = ffi.addressof(lib, "routh_py_ask")
_KIND = ffi.typeof("routh_py_watch *")


def _heard(data: Any, done: int, all: int) -> int:
    ffi.from_handle(data).tell(done, all)
    return 0


def _raised(kind: Any, value: BaseException, trace: Any) -> None:
    """What was raised in the answer, wherever in it: nothing may go through the library."""
    ffi.from_handle(trace.tb_frame.f_locals["data"]).failed = value


ffi.def_extern(name="routh_py_heard", error=1, onerror=_raised)(_heard)
