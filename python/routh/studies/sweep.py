"""Eigenvalues against parameters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from routh import _api, _eigenvalue
from routh._api import Array, ComplexArray, IntArray
from routh._carry import Held, Record
from routh._literals import Coordinates, Method, PointType, Solve
from routh._routh import ffi, lib
from routh._watch import Progress
from routh.errors import BadArgumentError
from routh.expressions import check_owner
from routh.studies._common import LongCall, Names, Result, boundary_of, choice, names_of, needed, operating_type

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routh.model import Model

Values = Union[str, npt.ArrayLike, Iterable[float]]


def _of(event: Any) -> str:
    """What is not resolved."""
    if event.kind != lib.ROUTH_SWEEP_UNRESOLVED:
        return ""
    return "stability" if event.of == lib.ROUTH_SWEEP_FLUTTER else _api.text(lib.routh_sweep_event_name(event.of))


@dataclass(frozen=True)
class SweepEvent:
    """Something that happens at a value of the parameter.

    Attributes
    ----------
    kind : str
        ``"flutter"``, ``"divergence"``, ``"meeting"``, ``"critical speed"`` and so on.
    value, error : float
        Of the parameter, and what it may be off.
    branches : tuple of int
        Numbers of the branches concerned.
    eigenvalue : complex
        Of the first, there.
    order : float
        Of a critical speed; else 0.
    gap : float
        Of a veering: the smallest distance of the two, 1/s; else 0.
    grows : bool
        The real part rises through zero as the parameter rises.
    evaluations : int
        Operating points that solving took; 0 of what is not solved for.
    derivatives : bool
        Solved for with exact derivatives of the eigenvalues.
    of : str
        Of ``"not resolved"``: ``"stability"``, ``"damping"`` or ``"critical speed"``; else empty.
    """

    kind: str
    value: float
    error: float
    branches: tuple[int, ...]
    eigenvalue: complex
    order: float
    gap: float
    grows: bool
    evaluations: int
    derivatives: bool
    of: str = ""


@dataclass(frozen=True, eq=False)
class SweepBoundary(Record):
    """A curve over both parameters along which something happens: see :meth:`routh.Model.sweep`.

    `values` and `seconds` are the two parameters, `eigenvalues` those on the border, shape (n,); `closed`: the last
    point is the first one again.
    """

    kind: str
    order: float
    closed: bool
    values: Array
    seconds: Array
    eigenvalues: ComplexArray


class SweepLine(Held):
    """A sweep along the first parameter, at one value of the second.

    A *branch* is a mode followed from value to value. Arrays over points and branches have NaN where a branch does
    not exist.
    """

    def __init__(self, owner: Any, line: Any) -> None:
        self._owner = owner
        self._c = line

    @property
    def second(self) -> float:
        """Value of the second parameter; NaN where there is one parameter."""
        return float(self._c.second)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of branches: ``"2"`` of a mode with its pair, ``"2*"`` of its conjugate."""
        return _api.texts(self._c.names, self._c.n_branches)

    def _member(self, name: str) -> Any:
        return _api.member_view(self._owner, self._c.points, self._c.n_points, name)

    @cached_property
    def values(self) -> Array:
        """Of the parameter, shape (n_points,)."""
        values: Array = self._member("value")
        return values

    @cached_property
    def on_grid(self) -> IntArray:
        """0: put in between to distinguish modes."""
        values: IntArray = self._member("on_grid")
        return values

    @cached_property
    def steady(self) -> IntArray:
        """0: the motion is not steady, and eigenvalues do not determine stability."""
        values: IntArray = self._member("steady")
        return values

    @cached_property
    def unstable(self) -> IntArray:
        """Eigenvalues whose real part is positive by more than it may be off."""
        values: IntArray = self._member("unstable")
        return values

    @cached_property
    def speed(self) -> Array:
        """Of rotation, rad/s; NaN where none was asked for."""
        values: Array = self._member("speed")
        return values

    @cached_property
    def certainty(self) -> Array:
        """Of the step from the point before, 0 to 1: how far the modes chosen stand out."""
        values: Array = self._member("certainty")
        return values

    @cached_property
    def messages(self) -> tuple[str | None, ...]:
        """Why there is no operating point; None where all is well."""
        return tuple(_api.text_or_none(p.message) for p in self._c.points[0 : self._c.n_points])

    def _rows(self, dtype: Any, row: Any) -> Any:
        n = self._c.n_branches
        table = np.full((self._c.n_points, n), np.nan, dtype=dtype)
        for k, point in enumerate(self._c.points[0 : self._c.n_points]):
            if point.n:
                table[k] = row(point)
        table.setflags(write=False)
        return table

    @cached_property
    def eigenvalues(self) -> ComplexArray:
        """Shape (n_points, n_branches), 1/s and rad/s. A copy, as the library has them point by point."""
        values: ComplexArray = self._rows(
            np.complex128, lambda p: _api.complex_view(self._owner, p.eigenvalues, self._c.n_branches)
        )
        return values

    @cached_property
    def bounds(self) -> Array:
        """Error bounds of the eigenvalues, shape (n_points, n_branches), 1/s; a copy."""
        values: Array = self._rows(
            np.float64, lambda p: _api.view(self._owner, p.bounds, self._c.n_branches)
        )
        return values

    @property
    def frequency_hz(self) -> Array:
        """Damped frequencies ``|Im s| / 2 pi``, shape (n_points, n_branches), Hz."""
        return _eigenvalue.damped_hz(self.eigenvalues)

    @property
    def damping_ratio(self) -> Array:
        """``-Re s / |s|``, shape (n_points, n_branches); 0 of zero eigenvalues."""
        return _eigenvalue.damping_ratio(self.eigenvalues)

    @cached_property
    def events(self) -> tuple[SweepEvent, ...]:
        """What happens, in the order of the values."""
        return tuple(
            SweepEvent(
                _api.text(lib.routh_sweep_event_name(e.kind)),
                e.value,
                e.error,
                tuple(b for b in e.branch if b >= 0),
                complex(*e.eigenvalue),
                e.order,
                e.gap,
                bool(e.grows),
                e.evaluations,
                bool(e.derivatives),
                _of(e),
            )
            for e in self._c.events[0 : self._c.n_events]
        )

    @cached_property
    def upper(self) -> tuple[int, ...]:
        """The branches to draw: one of each pair, and what has none."""
        return tuple(b for b, name in enumerate(self.names) if not name.endswith("*"))


class Sweep(Result):
    """Eigenvalues against one or two parameters: what :meth:`routh.Model.sweep` gives."""

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    @property
    def title(self) -> str:
        """Of the model."""
        return _api.text(self._c.title)

    @property
    def parameter(self) -> str:
        return _api.text(self._c.parameter)

    @property
    def second(self) -> str | None:
        """The second parameter; None where there is one."""
        return _api.text_or_none(self._c.second)

    @property
    def speed(self) -> str | None:
        """The parameter that is the speed of rotation, as asked for."""
        return _api.text_or_none(self._c.speed)

    @property
    def orders(self) -> tuple[float, ...]:
        return tuple(self._c.orders[0 : self._c.n_orders])

    @cached_property
    def lines(self) -> tuple[SweepLine, ...]:
        """One for each value of the second parameter."""
        return tuple(
            SweepLine(self._c, _api.part(self._c, self._c.lines + k)) for k in range(self._c.n_lines)
        )

    @property
    def line(self) -> SweepLine:
        """The only line.

        Raises
        ------
        BadArgumentError
            There are several: see `lines`.
        """
        if len(self.lines) != 1:
            raise BadArgumentError(f"the sweep has {len(self.lines)} lines: take one of .lines")
        return self.lines[0]

    @property
    def values(self) -> Array:
        """Of the parameter, of the only line."""
        return self.line.values

    @property
    def eigenvalues(self) -> ComplexArray:
        """Shape (n_points, n_branches), of the only line."""
        return self.line.eigenvalues

    @property
    def events(self) -> tuple[SweepEvent, ...]:
        """Of all lines."""
        return tuple(event for line in self.lines for event in line.events)

    @cached_property
    def boundaries(self) -> tuple[SweepBoundary, ...]:
        """Curves over both parameters, where a boundary was asked for."""
        found = []
        for b in self._c.boundaries[0 : self._c.n_boundaries]:
            found.append(
                SweepBoundary(
                    _api.text(lib.routh_sweep_event_name(b.kind)),
                    b.order,
                    bool(b.closed),
                    _api.member_view(self._c, b.points, b.n, "value"),
                    _api.member_view(self._c, b.points, b.n, "second"),
                    _api.member_view(self._c, b.points, b.n, "eigenvalue"),
                )
            )
        return tuple(found)

    @property
    def n_computed(self) -> int:
        """Operating points, those of refinement and of solving included."""
        return int(self._c.n_computed)

    @property
    def refused(self) -> str | None:
        """Why nothing is solved for with exact derivatives; None where it is."""
        return _api.text_or_none(self._c.refused)

    @property
    def solve(self) -> tuple[str, ...]:
        """What was solved for between the values; nothing else was looked for."""
        return tuple(_api.text(lib.routh_sweep_solve_name(1 << k)) for k in range(4) if self._c.solve >> k & 1)

    @property
    def bounded(self) -> int:
        """Steps between values in which the bound on operating points (`points`) left something undone."""
        return int(self._c.n_bounded)

    @property
    def left(self) -> int:
        """Steps between values that were not looked at, as the sweep was stopped."""
        return int(self._c.n_left)

    @property
    def interrupted(self) -> bool:
        """By Ctrl-C: what was done until then is here."""
        return bool(self._c.interrupted)

    # ---- as text and tables ----

    def table(self, units: str | None = None) -> str:
        """What ``routh sweep`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.written(lib.routh_sweep_table, self._c, _api.shown_units(units))

    def json(self) -> Any:
        """What ``routh sweep --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_sweep_json, self._c))

    def csv(self) -> str:
        """What ``routh sweep --csv`` prints."""
        return _api.written(lib.routh_sweep_csv, self._c)

    def svg(self) -> str:
        """What ``routh sweep --svg`` draws."""
        return _api.written(lib.routh_sweep_svg, self._c)

    def columns(self) -> dict[str, Any]:
        """A row for each branch at each point where it exists: the parameters, the branch's name, real part (1/s),
        imaginary part (rad/s), frequency (Hz), damping ratio and error bound (1/s)."""
        names = ["value", "branch", "re", "im", "frequency_hz", "damping_ratio", "bound"]
        columns: dict[str, list[Any]] = {name: [] for name in names}
        seconds: list[float] = []
        for line in self.lines:
            s = line.eigenvalues
            there = ~np.isnan(s.real)
            point, branch = np.nonzero(there)
            columns["value"].extend(line.values[point])
            columns["branch"].extend(line.names[b] for b in branch)
            for name, array in (
                ("re", s.real),
                ("im", s.imag),
                ("frequency_hz", line.frequency_hz),
                ("damping_ratio", line.damping_ratio),
                ("bound", line.bounds),
            ):
                columns[name].extend(array[there])
            seconds.extend([line.second] * len(point))
        result: dict[str, Any] = {self.parameter: columns.pop("value")}
        if self.second is not None:
            result[self.second] = seconds
        return {**result, **columns}

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over the values of the parameter (and of the second one) and the branches, those
        points alone that were asked for; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        lines = []
        for line in self.lines:
            on_grid = line.on_grid != 0
            over = (self.parameter, "branch")
            parts = {
                "eigenvalue": (over, line.eigenvalues[on_grid], {"units": "1/s"}),
                "bound": (over, line.bounds[on_grid], {"units": "1/s"}),
                "frequency": (over, line.frequency_hz[on_grid], {"units": "Hz"}),
                "damping_ratio": (over, line.damping_ratio[on_grid]),
            }
            there = {self.parameter: line.values[on_grid], "branch": list(line.names)}
            lines.append(xarray.Dataset(parts, coords=there))
        if self.second is None:
            data = lines[0]
        else:
            seconds = xarray.DataArray([line.second for line in self.lines], dims=self.second, name=self.second)
            data = xarray.concat(lines, dim=seconds)
        data.attrs["title"] = self.title
        return data

    def plot(self, **options: Any) -> Axes:
        """The Campbell diagram: :func:`routh.plots.campbell`."""
        from routh import plots

        return plots.campbell(self, **options)

    def _caption(self) -> str:
        over = self.parameter + (f" and {self.second}" if self.second else "")
        n = sum(len(line.values) for line in self.lines)
        return f"{self.title}: {n} points over {over}, {len(self.events)} events"

    def _repr_html_(self) -> str:
        from routh.studies._common import html_table

        events = self.events
        columns: dict[str, Any] = {
            "event": [e.kind for e in events],
            self.parameter: [e.value for e in events],
            "branch": [", ".join(str(b) for b in e.branches) for e in events],
            "eigenvalue (1/s)": [e.eigenvalue for e in events],
        }
        return html_table(columns, self._caption())


def _axes(over: Mapping[Any, Values], held: _api.Arguments, model: Model) -> Any:
    """``routh_sweep_axis *`` that lives as long as `held`."""
    axes = held.hold(ffi.new("routh_sweep_axis[]", max(len(over), 1)))
    for axis, (given, values) in zip(axes, over.items()):
        name = str(given)
        check_owner(given, model, "over")
        if isinstance(values, str):
            parsed = ffi.new("routh_sweep_axis *")
            _api.call(lib.routh_sweep_axis_parse, parsed, held.text(f"{name}={values}"), model._c_model())
            held.hold(ffi.gc(parsed, lib.routh_sweep_axis_free))
            axis.parameter, axis.n, axis.values, axis.united = parsed.parameter, parsed.n, parsed.values, parsed.united
        else:
            numbers = np.atleast_1d(_api.reals(_listed(values), f"the values of {name}"))
            if numbers.ndim != 1:
                raise BadArgumentError(f"the values of {name} are one row of numbers")
            if not len(numbers):
                raise BadArgumentError(f"there are no values of {name}: a sweep needs at least one")
            if not np.isfinite(numbers).all():
                k = int(np.argmin(np.isfinite(numbers)))
                raise BadArgumentError(f"the value {k} of {name} is {numbers[k]}; a finite number is needed")
            axis.parameter = held.text(name)
            axis.n = len(numbers)
            axis.values = held.doubles(numbers)
    return axes


def _listed(values: Any) -> Any:
    """A sequence or any other iterable as an array can be made of it."""
    return values if isinstance(values, np.ndarray) or not isinstance(values, Iterable) else list(values)


def _orders(options: Any, orders: float | Sequence[float]) -> None:
    values = np.atleast_1d(_api.reals(orders, "orders"))
    if len(values) > lib.ROUTH_SWEEP_ORDERS:
        raise BadArgumentError(f"there may be {lib.ROUTH_SWEEP_ORDERS} orders, not {len(values)}")
    options.n_orders = len(values)
    for k, order in enumerate(values):
        options.orders[k] = order


def _solve(words: bool | str | Sequence[str], usual: int) -> int:
    """``ROUTH_SWEEP_SOLVE_..`` of the words, added up; True: the usual."""
    if isinstance(words, bool):
        return usual if words else int(lib.ROUTH_SWEEP_SOLVE_NONE)
    known = {_api.text(lib.routh_sweep_solve_name(1 << k)): 1 << k for k in range(4)}
    known.update(all=lib.ROUTH_SWEEP_SOLVE_ALL, none=lib.ROUTH_SWEEP_SOLVE_NONE)
    whole = 0
    for word in names_of(words) or ():
        whole |= choice(word, known, "solve") if word else 0
    return whole


def sweep(
    model: Model,
    over: Mapping[Any, Values],
    *,
    at: PointType | None = None,
    coordinates: Coordinates | None = None,
    method: Method | None = None,
    reference: str | None = None,
    blades: Names | None = None,
    threads: int = 0,
    halvings: int | None = None,
    solve: bool | str | Sequence[Solve] | None = None,
    below: float | None = None,
    points: int | None = None,
    derivatives: bool = True,
    damping_ratio: float | None = None,
    speed: str | None = None,
    orders: float | Sequence[float] | None = None,
    boundary: Mapping[str, tuple[float, float]] | None = None,
    progress: Progress = False,
) -> Sweep:
    """Eigenvalues against one or two parameters: the operating point is followed from value to value, modes by their
    shapes, and values where something happens are solved for. The command ``routh sweep``.

    The values of the grid come first, then what is solved for between them. Ctrl-C stops it: what was done until then
    is in the result, of which `interrupted` is set. A second Ctrl-C raises KeyboardInterrupt.

    Parameters
    ----------
    over : mapping
        One or two parameters and their values, ascending or descending: an array, or text as the program takes it,
        ``"0:12000 rpm:9"``, ``"log:1:1e6:25"``.
    at : {"given", "static", "steady"}, optional
        Where left out what the model asks for.
    coordinates, method, reference : str, optional
        As of :meth:`routh.Model.linearize`.
    blades : sequence of str, optional
        Blades of a rotor in their order around it: modes in multi-blade coordinates, of the rotor in balance.
    threads : int, optional
        0: as many as OpenMP gives. The result does not depend on it.
    halvings : int, optional
        Most of a step between two values where modes are not distinguished; 20.
    solve : str or sequence of str or bool, optional
        What to solve for between the values, once these are there: ``"limits"`` (of stability), ``"critical"``
        (speeds), ``"crossings"``, ``"veerings"``, ``"all"`` or ``"none"``, several in a sequence or with commas
        between. Where left out, and with True, limits and critical speeds; False is ``"none"``.
    below : float, optional
        Hz. Distinguish modes, and find crossings and veerings, only below this frequency. Stability limits are
        always those of all modes.
    points : int, optional
        Bound on the operating points between the values, per value; 16. `bounded` counts where it left something
        undone.
    derivatives : bool, optional
        Solve with exact derivatives of eigenvalues where there are any.
    damping_ratio : float, optional
        Solve also for where this is reached.
    speed : str, optional
        Parameter that is the speed of rotation, rad/s, for critical speeds.
    orders : float or sequence of float, optional
        Critical where ``|Im s| = order speed``; 1.
    boundary : mapping, optional
        A second parameter and its range ``{"inner": (1, 6)}``: what is solved for is followed on as a curve over
        both.
    progress : bool or callable, optional
        True: a bar on standard error; or what is called with the number done and of all.

    Returns
    -------
    Sweep

    Raises
    ------
    BadArgumentError
        The model has no such parameter, or values are no range.

    Examples
    --------
    >>> sweep = model.sweep({"spin": np.linspace(0, 40, 41)}, speed="spin")  # doctest: +SKIP
    >>> sweep.plot()  # doctest: +SKIP
    """
    held = _api.Arguments()
    if not 1 <= len(over) <= 2:
        raise BadArgumentError(f"a sweep goes over one or two parameters, not {len(over)}")
    axes = _axes(over, held, model)
    options = _api.filled("routh_sweep_options *", lib.routh_sweep_defaults())
    options.type = operating_type(at)
    options.coordinates = held.text(coordinates)
    options.method = held.text(method)
    options.reference = held.text(reference)
    options.blades = held.names(names_of(blades, model))
    options.threads = threads
    if halvings is not None:
        options.halvings = halvings
    if solve is not None:
        options.solve = _solve(solve, options.solve)
    if below is not None:
        options.below = below
    if points is not None:
        options.points = points
    options.derivatives = derivatives
    if damping_ratio is not None:
        options.damping_ratio = damping_ratio
    check_owner(speed, model, "speed")
    options.speed = held.text(speed)
    if orders is not None:
        _orders(options, orders)
    if boundary is not None:
        name, low, high = boundary_of(boundary)
        check_owner(name, model, "boundary")
        options.boundary = held.text(name)
        options.boundary_low, options.boundary_high = low, high
    c_model = model._c_model()
    with LongCall(progress, "sweep") as call:
        options.on_progress, options.data = lib.routh_py_on_progress, call.handle
        pointer = _api.made(
            lib.routh_sweep_run_of_model,
            lib.routh_sweep_free,
            "routh_sweep",
            c_model,
            axes,
            len(over),
            options,
        )
        call.kept = bool(pointer.interrupted)
    return Sweep(pointer)
