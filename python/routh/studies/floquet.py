"""Periodic motions: Floquet multipliers and exponents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from routh import _api
from routh._api import Array
from routh._eigenvalue import TWO_PI
from routh._results import MultiplierColumns
from routh._literals import Coordinates, PointType
from routh._routh import ffi, lib
from routh.errors import BadArgumentError
from routh.expressions import Expression, check_owner
from routh.studies._common import Names, Result, boundary_of, choice, names_of, needed

if TYPE_CHECKING:
    from routh.operating import OperatingPoint
    from routh.model import Model

_CROSSINGS = {
    "one": lib.ROUTH_CROSSING_ONE,
    "minus-one": lib.ROUTH_CROSSING_MINUS_ONE,
    "circle": lib.ROUTH_CROSSING_COMPLEX,
}


def _told(stable: int) -> bool | None:
    return None if stable < 0 else bool(stable)


class Floquet(MultiplierColumns, Result):
    """Stability of a periodic motion: what :meth:`routh.Model.floquet` gives.

    Arrays have an entry for each multiplier or pair of conjugate ones, of the largest modulus first.
    """

    def __init__(self, pointer: Any, point: OperatingPoint) -> None:
        self._c = pointer
        self._point = point

    @property
    def period(self) -> float:
        """s"""
        return float(self._c.period)

    @property
    def stable(self) -> bool | None:
        """The largest modulus is below 1 beyond its error; None: not determined."""
        return _told(self._c.stable)

    @property
    def largest(self) -> float:
        """Modulus of the largest multiplier, trivial ones left out."""
        return float(self._c.largest)

    @property
    def error(self) -> float:
        """Largest change of a multiplier over 1 or its modulus when the steps were halved last."""
        return float(self._c.error)

    @property
    def closure(self) -> float:
        """How far the motion is from coming back."""
        return float(self._c.closure)

    @cached_property
    def monodromy(self) -> Array:
        """``y(t + T) = monodromy @ y(t)``, shape (n_states, n_states)."""
        return _api.view(self._c, self._c.monodromy, self._c.n_states, self._c.n_states)

    @cached_property
    def states(self) -> tuple[str, ...]:
        return _api.texts(self._c.names, self._c.n_states)

    def _member(self, name: str) -> Any:
        return _api.member_view(self._c, self._c.modes, self._c.n_modes, name)

    def _results(self) -> Any:
        from routh.operating import _results

        return _results(self._point.mechanism.c_model, point=self._point._c, floquet=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh floquet`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_floquet_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh floquet --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_floquet_json, self._results()))

    def csv(self) -> str:
        """What ``routh floquet --csv`` prints."""
        return _api.written(lib.routh_floquet_csv, self._results())

    def columns(self) -> dict[str, Any]:
        return {
            "multiplier": self.multipliers,
            "modulus": np.abs(self.multipliers),
            "exponent": self.exponents,
            "frequency_hz": self.damped_frequency_hz,
            "damping_ratio": self.damping_ratio,
        }

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over the multipliers, counted from 1, and over states; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        parts: dict[str, Any] = {name: ("mode", column) for name, column in self.columns().items()}
        parts["monodromy"] = (("state", "by"), self.monodromy)
        there = {"mode": np.arange(1, len(self.multipliers) + 1), "state": list(self.states), "by": list(self.states)}
        return xarray.Dataset(parts, coords=there, attrs={"period": self.period})

    def _caption(self) -> str:
        words = {True: "stable", False: "unstable", None: "not determined"}[self.stable]
        return f"period {self.period:.6g} s, {words}: largest multiplier {self.largest:.6g}"


@dataclass(frozen=True)
class FloquetBoundary:
    """Where a multiplier crosses the unit circle: `value` of the parameter, within `width`; `period` there, s; the
    `multiplier` that crosses; `stable`, at the two values given, as :attr:`Floquet.stable`;
    `evaluations`, models whose multipliers were found."""

    value: float
    width: float
    period: float
    multiplier: complex
    crossing: str
    stable: tuple[bool | None, bool | None]
    evaluations: int


Period = Union[str, float, Expression]


def floquet(
    model: Model,
    *,
    period: Period | None = None,
    period_of: str | None = None,
    period_near: Period | None = None,
    at: OperatingPoint | PointType | None = None,
    coordinates: Coordinates | None = None,
    no_shooting: bool = False,
    blades: Names | None = None,
    tolerance: float | None = None,
    steps: int = 0,
) -> Floquet:
    """Floquet multipliers of the periodic motion near an operating point. The command ``routh floquet``. Not
    interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    period, period_of, period_near : number or expression
        One of them: the period, s, such as ``"2*pi/spin"``; the speed of rotation that it belongs to; a guess, where
        nothing depends on time and the period is unknown. Expressions are in the model's unit of time.
    at, coordinates : optional
        As of :meth:`routh.Model.linearize`.
    no_shooting : bool, optional
        The motion must come back of itself; else one near it is searched for.
    blades : sequence of str, optional
        Names of blades in their order, for multi-blade coordinates.
    tolerance : float, optional
        Of the multipliers; 1e-10.
    steps : int, optional
        In a round, at first.

    Raises
    ------
    NumericError
        No periodic motion was found, and by how much the last one did not come back.
    """
    mechanism, point = model._mechanism_at(at, coordinates)
    held = _api.Arguments()
    options = _api.filled("routh_floquet_options *", lib.routh_floquet_defaults())
    options.period = _period(model, period, period_of, period_near)
    options.autonomous = period_near is not None
    options.no_shooting = no_shooting
    options.blades = held.names(names_of(blades, model))
    options.steps = steps
    if tolerance is not None:
        options.tolerance = tolerance
    return Floquet(
        _api.made(
            lib.routh_floquet_compute,
            lib.routh_floquet_free,
            "routh_floquet",
            mechanism._c,
            point._c,
            options,
            keep=point._c,
        ),
        point,
    )


def _period(model: Model, *forms: Period | None) -> float:
    given = [form for form in forms if form is not None]
    if len(given) != 1:
        raise BadArgumentError("one of period, period_of and period_near is needed")
    form, rate = given[0], forms[1] is not None
    check_owner(form, model, "the period")
    if isinstance(form, Expression):
        form = form.text
    if isinstance(form, str):
        found = ffi.new("double *")
        unit = b"rad/s" if rate else b"s"
        _api.call(lib.routh_model_evaluate_si, model._c_model(), form.encode(), unit, found)
        value = float(found[0])
    else:
        value = float(form)
    return TWO_PI / abs(value) if rate else value


def floquet_boundary(
    model: Model,
    boundary: Mapping[str, tuple[float, float]],
    *,
    period: str | None = None,
    period_of: str | None = None,
    crossing: str | None = None,
    coordinates: Coordinates | None = None,
    tolerance: float | None = None,
) -> FloquetBoundary:
    """The value of a parameter at which a multiplier crosses the unit circle. The command
    ``routh floquet --boundary``.

    Parameters
    ----------
    boundary : mapping
        The parameter and two values on both sides: ``{"amplitude": (0.01, 0.02)}``.
    period, period_of : str
        One of them, an expression of the parameters.
    crossing : {"one", "minus-one", "circle"}, optional
        Where a multiplier crosses; where left out the only one that does.
    """
    if (period is None) == (period_of is None):
        raise BadArgumentError("one of period and period_of is needed")
    name, low, high = boundary_of(boundary)
    check_owner(name, model, "boundary")
    held = _api.Arguments()
    options = _api.filled("routh_boundary_options *", lib.routh_boundary_defaults())
    options.parameter, options.to = held.text(name), high
    setattr(options, "from", low)
    options.crossing = choice(crossing, _CROSSINGS, "crossing") if crossing else lib.ROUTH_CROSSING_ANY
    check_owner(period, model, "the period")
    check_owner(period_of, model, "the period")
    options.period = held.text(str(period) if period is not None else f"2*pi/abs({period_of})")
    options.coordinates = held.text(coordinates)
    if tolerance is not None:
        options.tolerance = tolerance
    found = ffi.new("routh_boundary *")
    _api.call(lib.routh_boundary_find_of_model, found, model._c_model(), options)
    names = {code: word for word, code in _CROSSINGS.items()}
    return FloquetBoundary(
        found.value,
        found.width,
        found.period,
        complex(*found.multiplier),
        names.get(found.crossing, ""),
        (_told(found.stable[0]), _told(found.stable[1])),
        found.evaluations,
    )
