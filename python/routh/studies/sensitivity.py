"""Exact derivatives of eigenvalues by the parameters of the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, ComplexArray, IntArray
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh._warnings import SensitivityWarning, tell
from routh.studies._common import Names, Result, needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routh.operating import OperatingPoint
    from routh.model import Model
    from routh.modes import Modes


class Sensitivity(Result):
    """Derivatives of eigenvalues by parameters: what :meth:`routh.Model.sensitivity` gives.

    Arrays have a row for each parameter and a column for each mode, those of `modes`; NaN of a rigid mode and of an
    eigenvalue so nearly defective that it has no derivative.
    """

    def __init__(self, pointer: Any, modes: Modes) -> None:
        self._c = pointer
        self._modes = modes

    @property
    def modes(self) -> Modes:
        """The modes they belong to."""
        return self._modes

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return _api.texts(self._c.parameters, self._c.n_parameters)

    @cached_property
    def values(self) -> Array:
        """Of the parameters, shape (n_parameters,)."""
        return _api.view(self._c, self._c.values, self._c.n_parameters)

    @cached_property
    def number(self) -> IntArray:
        """Of each mode as tables count it, a pair once; 0: not to be shown."""
        return _api.int_view(self._c, self._c.number, self._c.n_modes)

    def _table(self, name: str) -> Array:
        return _api.view(self._c, getattr(self._c, name), self._c.n_parameters, self._c.n_modes)

    @cached_property
    def eigenvalue_by(self) -> ComplexArray:
        """1/s per unit of the parameter."""
        return _api.complex_view(self._c, self._c.eigenvalue_by, self._c.n_parameters, self._c.n_modes)

    @cached_property
    def frequency_by(self) -> Array:
        """Of the undamped frequency, Hz per unit."""
        return self._table("frequency_by")

    @cached_property
    def damping_by(self) -> Array:
        """Of the damping ratio, per unit."""
        return self._table("damping_by")

    @cached_property
    def frequency_effect(self) -> Array:
        """Relative change of the undamped frequency per relative change of the parameter, ``p/f df/dp``."""
        return self._table("frequency_effect")

    @cached_property
    def damping_effect(self) -> Array:
        """Change of the damping ratio per relative change of the parameter, ``p dzeta/dp``."""
        return self._table("damping_effect")

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Of parameters that are refused, and why."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def _results(self) -> Any:
        return self._modes._results(sensitivities=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh sensitivity`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_sensitivity_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh sensitivity --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_sensitivity_json, self._results()))

    def csv(self) -> str:
        """What ``routh sensitivity --csv`` prints."""
        return _api.written(lib.routh_sensitivity_csv, self._results())

    def columns(self) -> dict[str, Any]:
        """A row for each parameter and mode that is shown."""
        shown = np.flatnonzero(self.number > 0)
        n = len(self.parameters)
        return {
            "mode": np.repeat(self.number[shown], n),
            "parameter": list(self.parameters) * len(shown),
            "value": np.tile(self.values, len(shown)),
            "frequency_hz": np.repeat(self._modes.undamped_frequency_hz[shown], n),
            **{
                name: getattr(self, name)[:, shown].T.ravel()
                for name in ("frequency_effect", "damping_effect", "frequency_by", "damping_by", "eigenvalue_by")
            },
        }

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over parameters and modes (their numbers in tables); needs xarray."""
        xarray = needed("xarray", "a data set needs")
        shown = np.flatnonzero(self.number > 0)
        over = ("parameter", "mode")
        names = ("eigenvalue_by", "frequency_by", "damping_by", "frequency_effect", "damping_effect")
        return xarray.Dataset(
            {name: (over, getattr(self, name)[:, shown]) for name in names},
            coords={
                "parameter": list(self.parameters),
                "mode": self.number[shown],
                "value": ("parameter", self.values),
                "eigenvalue": ("mode", self._modes.eigenvalues[shown]),
            },
            attrs={"title": self._modes.linear.title},
        )

    def plot(self, **options: Any) -> Axes:
        """Bars: :func:`routh.plots.sensitivity`."""
        from routh import plots

        return plots.sensitivity(self, **options)

    def _caption(self) -> str:
        return f"{self._modes.linear.title}: {len(self.parameters)} parameters, {np.count_nonzero(self.number)} modes"


def sensitivity(
    model: Model,
    parameters: Names | None = None,
    *,
    at: OperatingPoint | PointType | None = None,
    modes: Sequence[int] | None = None,
    coordinates: Coordinates | None = None,
    method: Method | None = None,
    reference: str | None = None,
    states: Sequence[str] | None = None,
    threads: int = 0,
) -> Sensitivity:
    """Exact derivatives of eigenvalues by parameters, with the motion of the operating point. The command
    ``routh sensitivity``. Not interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    parameters : sequence of str, optional
        Names; where left out all of the model's but those that are refused, which `warnings` name.
    at : OperatingPoint or str, optional
        As of :meth:`routh.Model.linearize`.
    modes : sequence of int, optional
        Numbers of the modes to be shown, counted from 1 as tables do, a pair once; all where left out.
    coordinates, method, reference, states, threads : optional
        As of :meth:`routh.Model.linearize`.

    Raises
    ------
    NotSupportedError
        A parameter that was asked for acts through numbers that are not differentiated.
    BadArgumentError
        The model has no such parameter, or no mode has such a number.
    """
    from routh.studies._common import names_of

    held = _api.Arguments()
    found = model.linearize(
        at, coordinates=coordinates, method=method, reference=reference, states=states, threads=threads
    ).modes()
    point = found.linear._needed_point()
    asked = held.hold(_api.filled("routh_sensitivity_options *", lib.routh_sensitivity_defaults()))
    asked.parameters = held.names(names_of(parameters, model))
    asked.states = held.names(states)
    asked.reference = held.text(reference)
    if modes is not None:
        asked.numbers, asked.n_numbers = held.integers(modes), len(modes)
    mechanism = point.mechanism._c
    derivatives = Sensitivity(
        _api.made(
            lib.routh_sensitivity_compute,
            lib.routh_sensitivity_free,
            "routh_sensitivity",
            mechanism,
            point._c,
            found._c,
            asked,
            keep=(mechanism, found._c),
        ),
        found,
    )
    tell(derivatives.warnings, SensitivityWarning)
    return derivatives
