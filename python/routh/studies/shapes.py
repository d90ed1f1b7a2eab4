"""Exact derivatives of mode shapes by the parameters of the model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, ComplexArray, IntArray
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh._warnings import SensitivityWarning, tell
from routh.studies._common import Names, Result, names_of, needed

if TYPE_CHECKING:
    from routh.operating import OperatingPoint
    from routh.model import Model
    from routh.modes import Modes


class ShapeSensitivity(Result):
    """Derivatives of mode shapes by parameters: what :meth:`routh.Model.shape_sensitivity` gives.

    Of each pair of eigenvalues the mode with positive imaginary part is there, and the real ones; those that are
    rigid, repeated or nearly defective are left out; `warnings` names them.
    """

    def __init__(self, pointer: Any, modes: Modes) -> None:
        self._c = pointer
        self._modes = modes

    @property
    def modes(self) -> Modes:
        """The modes they belong to, of which `index` are the places."""
        return self._modes

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return _api.texts(self._c.parameters, self._c.n_parameters)

    @cached_property
    def values(self) -> Array:
        """Of the parameters, shape (n_parameters,)."""
        return _api.view(self._c, self._c.values, self._c.n_parameters)

    @cached_property
    def index(self) -> IntArray:
        """Which of `modes` have derivatives, shape (n_modes,)."""
        return _api.int_view(self._c, self._c.modes, self._c.n_modes)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The same as tables count them, from 1, a pair once."""
        shown = self._modes.numbers
        return tuple(1 + shown.index(k) for k in self.index.tolist())

    @cached_property
    def held(self) -> tuple[str, ...]:
        """What of each mode stays 1 and real: ``"tip: displacement z"`` of a marker in world axes, or a state."""
        return _api.texts(self._c.held, self._c.n_modes)

    @cached_property
    def shape_by(self) -> ComplexArray:
        """Of the states in each mode, shape (n_parameters, n_modes, n_states), per unit of the parameter; a copy, as the
        library has real and imaginary parts apart."""
        c = self._c
        parts = _api.view(c, c.shape_by, c.n_parameters, c.n_modes, 2, c.n_states)
        shapes: ComplexArray = parts[:, :, 0] + 1j * parts[:, :, 1]
        shapes.setflags(write=False)
        return shapes

    @cached_property
    def eigenvalue_by(self) -> ComplexArray:
        """Of the eigenvalues, shape (n_parameters, n_modes), 1/s per unit; they come out with the shapes."""
        return _api.complex_view(self._c, self._c.eigenvalue_by, self._c.n_parameters, self._c.n_modes)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Modes and parameters that are left out, and why."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def columns(self) -> dict[str, Any]:
        """A row for each parameter, mode and state."""
        states = self._modes.linear.state_names
        n_p, n_m, n = self.shape_by.shape
        return {
            "parameter": np.repeat(self.parameters, n_m * n),
            "mode": np.tile(np.repeat(self.numbers, n), n_p),
            "state": list(states) * (n_p * n_m),
            "shape_by": self.shape_by.ravel(),
        }

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over parameters, modes (their numbers in tables) and states; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        return xarray.Dataset(
            {
                "shape_by": (("parameter", "mode", "state"), self.shape_by),
                "eigenvalue_by": (("parameter", "mode"), self.eigenvalue_by),
            },
            coords={
                "parameter": list(self.parameters),
                "mode": list(self.numbers),
                "state": list(self._modes.linear.state_names),
                "value": ("parameter", self.values),
                "held": ("mode", list(self.held)),
            },
            attrs={"title": self._modes.linear.title},
        )

    def _caption(self) -> str:
        return f"{self._modes.linear.title}: shapes of {len(self.index)} modes by {len(self.parameters)} parameters"


def shape_sensitivity(
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
) -> ShapeSensitivity:
    """Exact derivatives of mode shapes by parameters, with the motion of the operating point. Not interruptible: the call
    of C has no way to be stopped.

    Parameters
    ----------
    parameters : sequence of str, optional
        Names; where left out all of the model's but those that are refused, which `warnings` name.
    at : OperatingPoint or str, optional
        As of :meth:`routh.Model.linearize`.
    modes : sequence of int, optional
        Numbers of modes, counted from 1 as tables do, a pair once; all where left out.
    coordinates, method, reference, states, threads : optional
        As of :meth:`routh.Model.linearize`.

    Raises
    ------
    NotSupportedError
        A parameter that was asked for acts through numbers that are not differentiated, or a state of the linear model
        is not among those derivatives are found with.
    BadArgumentError
        The model has no such parameter, or no mode has such a number.
    """
    held = _api.Arguments()
    linear = model.linearize(
        at, coordinates=coordinates, method=method, reference=reference, states=states, threads=threads
    )
    found = linear.modes()
    point = linear._needed_point()
    asked = held.hold(_api.filled("routh_sensitivity_options *", lib.routh_sensitivity_defaults()))
    asked.parameters = held.names(names_of(parameters, model))
    if modes is not None:
        asked.numbers, asked.n_numbers = held.integers(modes), len(modes)
    mechanism = point.mechanism._c
    derivatives = ShapeSensitivity(
        _api.made(
            lib.routh_shape_sensitivity_compute,
            lib.routh_shape_sensitivity_free,
            "routh_shape_sensitivity",
            mechanism,
            point._c,
            linear._c,
            found._c,
            asked,
            keep=(mechanism, found._c),
        ),
        found,
    )
    tell(derivatives.warnings, SensitivityWarning)
    return derivatives
