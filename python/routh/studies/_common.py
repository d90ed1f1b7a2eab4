"""What the studies share: results as tables, optional packages, long calls that show how far they are and that
Ctrl-C stops. Not public."""

from __future__ import annotations

import contextlib
import html
import importlib
import os
import signal
import threading
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Union

import numpy as np

from routh._carry import Held
from routh._literals import PointType
from routh._routh import ffi, lib
from routh._warnings import InterruptedWarning, tell
from routh._watch import Bar, Progress
from routh.construction import Named
from routh.errors import ArgumentTypeError, MissingPackageError, unknown_choice
from routh.expressions import check_owner

Names = Union[str, Named, Sequence[Union[str, Named]]]  # as texts, with commas between, or as elements

ROWS_SHOWN = 60  # of a table in a notebook


def needed(module: str, what: str, package: str | None = None) -> Any:
    """The module of an optional package; an ImportError that says what it is for and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = package or module.split(".")[0]
        raise MissingPackageError(f"{what} the package {name}: pip install {name}") from missing


# ---- results ---------------------------------------------------------------------------------


def cell(value: Any) -> str:
    """A value as text of a table."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else ""
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.5g}"
    if isinstance(value, (complex, np.complexfloating)):
        if np.isnan(value.real) or np.isnan(value.imag):
            return ""
        sign = "+" if value.imag >= 0 else "\u2212"
        return f"{value.real:.5g} {sign} {abs(value.imag):.5g}i".replace("-", "\u2212")
    return "" if value is None else str(value)


def html_table(columns: Mapping[str, Any], caption: str = "", rows: int = ROWS_SHOWN) -> str:
    """Columns as an HTML table; what is beyond the rows is counted."""
    names = list(columns)
    n = min((len(columns[name]) for name in names), default=0)
    text = ["<table>"]
    if caption:
        text.append(f"<caption style='text-align:left'>{html.escape(caption)}</caption>")
    text.append("<thead><tr>" + "".join(f"<th>{html.escape(c)}</th>" for c in names) + "</tr></thead><tbody>")
    for k in range(min(n, rows)):
        cells = (html.escape(cell(columns[name][k])) for name in names)
        text.append("<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>")
    if n > rows:
        text.append(f"<tr><td colspan='{len(names)}'>and {n - rows} more</td></tr>")
    return "".join([*text, "</tbody></table>"])


class Result(Held):
    """What a study gives: a table as the program prints it, and its numbers as columns."""

    def columns(self) -> dict[str, Any]:
        """The numbers as columns of equal length, by name; units are part of the names."""
        raise NotImplementedError

    def _caption(self) -> str:
        return type(self).__name__

    def to_pandas(self) -> Any:
        """The columns as a ``pandas.DataFrame``; needs pandas."""
        return needed("pandas", "a data frame needs").DataFrame(self.columns())

    def _repr_html_(self) -> str:
        from routh.display import warnings_html

        return warnings_html(getattr(self, "warnings", ())) + html_table(self.columns(), self._caption())

    def __repr__(self) -> str:
        return f"<routh.{type(self).__name__}: {self._caption()}>"


# ---- what a call is given --------------------------------------------------------------------


def operating_type(at: PointType | None) -> int:
    """The type of the operating point that `at` names; None: the one that the model asks for."""
    types = {
        None: lib.ROUTH_OPERATING_BY_MODEL,
        "given": lib.ROUTH_OPERATING_GIVEN,
        "static": lib.ROUTH_OPERATING_STATIC,
        "steady": lib.ROUTH_OPERATING_STEADY,
    }
    if at not in types:
        raise unknown_choice("at", at, [name for name in types if name])
    return int(types[at])


def _checked(names: Names | None, model: Any) -> Names | None:
    """Elements are those of the model."""
    if names is None or isinstance(names, (str, Named)):
        check_owner(names, model, "names")
        return names
    if not isinstance(names, Iterable):
        raise ArgumentTypeError(f"a name or a sequence of names is needed, not {names!r}")
    some = list(names)
    for name in some:
        check_owner(name, model, "names")
    return some


def listed(names: Names | None, model: Any = None) -> str | None:
    """Names with commas between, as the program takes them; elements are those of the model."""
    names = _checked(names, model)
    if names is None or isinstance(names, str):
        return names
    if isinstance(names, Named):
        return str(names)
    return ",".join(str(name) for name in names)


def names_of(names: Names | None, model: Any = None) -> Sequence[str] | None:
    """The same as a sequence."""
    names = _checked(names, model)
    if isinstance(names, str):
        return [name.strip() for name in names.split(",")]
    if isinstance(names, Named):
        return [str(names)]
    return None if names is None else [str(name) for name in names]


def boundary_of(boundary: Mapping[Any, tuple[float, float]]) -> tuple[Any, float, float]:
    """The parameter of ``{"k": (low, high)}``, and its range."""
    try:
        ((name, (low, high)),) = boundary.items()
    except (AttributeError, TypeError, ValueError) as wrong:
        raise ArgumentTypeError(f"a boundary is one parameter with its range, as {{'k': (1, 2)}}, not {boundary!r}") from wrong
    return name, low, high


def choice(value: str | None, among: Mapping[str, int], name: str) -> int:
    """The number that stands for a word; 0 of None."""
    if value is None:
        return 0
    if value not in among:
        raise unknown_choice(name, value, among)
    return among[value]


# ---- long calls ------------------------------------------------------------------------------


class LongCall:
    """Around a call of C that takes long and asks now and then whether to stop.

    Within it SIGINT stops the call, which keeps what is done: Python's own handler would run only when the call is
    over. The system writes the signal's number to a pipe, which is looked at from whatever thread the library asks
    from. A second one gives up what is done, too, and is KeyboardInterrupt. Outside the main thread signals are not
    touched.
    """

    def __init__(self, progress: Progress, what: str) -> None:
        self.what = what
        self.progress = progress
        self.stopped = False
        self.signals = 0
        self.kept = False  # the result says that it was interrupted
        self.failed: BaseException | None = None
        self.handle = ffi.new_handle(self)
        self._bar = Bar(what)
        self._pipe: tuple[int, int] | None = None

    def __enter__(self) -> LongCall:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            if self._before is not None and self._before != signal.SIG_IGN:
                self._pipe = os.pipe()
                for end in self._pipe:
                    os.set_blocking(end, False)
                signal.signal(signal.SIGINT, self._interrupt)
                self._wakeup = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pipe is not None:
            self._signalled()
            signal.set_wakeup_fd(self._wakeup)
            signal.signal(signal.SIGINT, self._before)
            for end in self._pipe:
                os.close(end)
            self._pipe = None
        self._bar.clear()
        if self.failed is not None:
            raise self.failed
        if not self.stopped or kind is not None:
            return
        if not self.kept or self.signals > 1:  # it came after the end, or what is done is not wanted either
            raise KeyboardInterrupt
        tell([f"{self.what} was interrupted: what was done until then is kept"], InterruptedWarning)

    def _interrupt(self, number: int, frame: Any) -> None:
        self.stopped = True

    def _signalled(self) -> bool:
        if self._pipe is not None:
            with contextlib.suppress(BlockingIOError):
                self.signals += os.read(self._pipe[0], 64).count(signal.SIGINT)
            self.stopped = self.stopped or self.signals > 0
        return self.stopped

    def tell(self, done: float, all: float, unit: str) -> int:
        """What the library's question is answered: other than 0, to stop."""
        try:
            if callable(self.progress):
                self.progress(done, all)
            elif self.progress:
                self._bar.draw(done, all, unit)
        except BaseException as failed:  # must not go through the library
            self.failed = failed
            return 1
        return int(self._signalled())


def _on_progress(data: Any, done: int, all: int) -> int:
    call: LongCall = ffi.from_handle(data)
    return call.tell(done, all, "values")


def _on_record(data: Any, progress: Any) -> int:
    call: LongCall = ffi.from_handle(data)
    return call.tell(progress.time - progress.start, progress.end - progress.start, "s")


def _on_evaluation(data: Any, evaluation: int, objective: float, violation: float) -> int:
    call: Any = ffi.from_handle(data)
    return int(call.evaluated(evaluation, objective, violation))


for _name, _function in (
    ("progress", _on_progress),
    ("record", _on_record),
    ("evaluation", _on_evaluation),
):
    ffi.def_extern(name=f"routh_py_on_{_name}", error=1)(_function)
