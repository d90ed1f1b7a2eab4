"""Exact derivatives of the matrices of a linear model by the parameters of the model."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array
from routh._routh import ffi, lib
from routh._warnings import SensitivityWarning, tell
from routh.studies._common import Names, Result, names_of

if TYPE_CHECKING:
    from routh.linear import Linear

_MATRICES = (
    *("A", "B", "B1", "B2", "C", "D", "D1", "D2"),
    *("mass", "damping", "stiffness", "coupling", "force", "force1", "force2"),
)


class MatrixSensitivity(Result):
    """Derivatives of the matrices of a linear model by parameters: what :meth:`routh.Linear.sensitivity` gives.

    Each array has the matrix of the same name of the linear model for each parameter, per unit of the parameter: `A` is
    of shape (n_parameters, n_states, n_states).
    """

    def __init__(self, pointer: Any, linear: Linear) -> None:
        self._c = pointer
        self._linear = linear

    @property
    def linear(self) -> Linear:
        """The linear model they belong to."""
        return self._linear

    def _changes(self) -> list[Any]:
        return list(self._c.by[0 : self._c.n_parameters])

    def _stack(self, name: str) -> Array:
        shape = getattr(self._linear, name).shape
        array = np.empty((self._c.n_parameters, *shape))
        for k, change in enumerate(self._changes()):
            array[k] = _api.view(self._c, getattr(change, name), *shape)
        array.flags.writeable = False
        return array

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(_api.text(change.parameter) for change in self._changes())

    @cached_property
    def values(self) -> Array:
        """Of the parameters, shape (n_parameters,)."""
        array = np.array([change.value for change in self._changes()], dtype=float)
        array.flags.writeable = False
        return array

    @cached_property
    def A(self) -> Array:
        """Shape (n_parameters, n_states, n_states)."""
        return self._stack("A")

    @cached_property
    def B(self) -> Array:
        """Shape (n_parameters, n_states, n_inputs)."""
        return self._stack("B")

    @cached_property
    def B1(self) -> Array:
        """By the rates of the inputs, shape (n_parameters, n_states, n_inputs)."""
        return self._stack("B1")

    @cached_property
    def B2(self) -> Array:
        """By their second rates, shape (n_parameters, n_states, n_inputs)."""
        return self._stack("B2")

    @cached_property
    def C(self) -> Array:
        """Shape (n_parameters, n_outputs, n_states)."""
        return self._stack("C")

    @cached_property
    def D(self) -> Array:
        """Shape (n_parameters, n_outputs, n_inputs)."""
        return self._stack("D")

    @cached_property
    def D1(self) -> Array:
        """By the rates of the inputs, shape (n_parameters, n_outputs, n_inputs)."""
        return self._stack("D1")

    @cached_property
    def D2(self) -> Array:
        """By their second rates, shape (n_parameters, n_outputs, n_inputs)."""
        return self._stack("D2")

    @cached_property
    def mass(self) -> Array:
        """Shape (n_parameters, n_velocity, n_velocity)."""
        return self._stack("mass")

    @cached_property
    def damping(self) -> Array:
        """Shape (n_parameters, n_velocity, n_velocity)."""
        return self._stack("damping")

    @cached_property
    def stiffness(self) -> Array:
        """Shape (n_parameters, n_velocity, n_position)."""
        return self._stack("stiffness")

    @cached_property
    def coupling(self) -> Array:
        """By the states of controllers, shape (n_parameters, n_velocity, n_control)."""
        return self._stack("coupling")

    @cached_property
    def force(self) -> Array:
        """By the inputs, shape (n_parameters, n_velocity, n_inputs)."""
        return self._stack("force")

    @cached_property
    def force1(self) -> Array:
        """By the rates of the inputs, shape (n_parameters, n_velocity, n_inputs)."""
        return self._stack("force1")

    @cached_property
    def force2(self) -> Array:
        """By their second rates, shape (n_parameters, n_velocity, n_inputs)."""
        return self._stack("force2")

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Parameters that are left out, and why."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def _results(self) -> Any:
        return self._linear._results(matrix_sensitivities=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh linearize --sensitivity`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_linear_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh linearize --sensitivity --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_linear_json, self._results()))

    def csv(self) -> str:
        """What ``routh linearize --sensitivity --csv`` prints."""
        return _api.written(lib.routh_linear_csv, self._results())

    def columns(self) -> dict[str, Any]:
        """A row for each parameter and entry that is not zero: `parameter`, `matrix`, `row`, `column`, `derivative`."""
        rows: list[tuple[str, str, int, int, float]] = []
        for p, parameter in enumerate(self.parameters):
            for name in _MATRICES:
                matrix = getattr(self, name)[p]
                rows += [(parameter, name, int(i), int(j), float(matrix[i, j])) for i, j in np.argwhere(matrix != 0)]
        heads = ("parameter", "matrix", "row", "column", "derivative")
        return {head: [row[k] for row in rows] for k, head in enumerate(heads)}

    def _caption(self) -> str:
        return f"{len(self.parameters)} parameters, {self._linear.n_states} states"


def matrix_sensitivity(linear: Linear, parameters: Names | None = None) -> MatrixSensitivity:
    """What :meth:`routh.Linear.sensitivity` does."""
    point = linear._needed_point()
    held = _api.Arguments()
    asked = held.hold(ffi.new("routh_sensitivity_options *", lib.routh_sensitivity_defaults()))
    asked.parameters = held.names(names_of(parameters))
    mechanism = point.mechanism._c
    derivatives = MatrixSensitivity(
        _api.made(
            lib.routh_matrix_sensitivity_compute,
            lib.routh_matrix_sensitivity_free,
            "routh_matrix_sensitivity",
            mechanism,
            point._c,
            linear._c,
            asked,
            keep=(mechanism, point._c, linear._c),
        ),
        linear,
    )
    tell(derivatives.warnings, SensitivityWarning)
    return derivatives
