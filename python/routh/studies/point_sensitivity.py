"""Exact derivatives of the operating point by the parameters of the model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array
from routh._routh import ffi, lib
from routh._warnings import SensitivityWarning, tell
from routh.studies._common import Names, Result, names_of

if TYPE_CHECKING:
    from routh.operating import OperatingPoint

_MEMBERS = (
    ("position", "m"),
    ("rotation", "rad"),
    ("velocity", "m/s"),
    ("angular_velocity", "rad/s"),
)


class PointSensitivity(Result):
    """Derivatives of an operating point by parameters: what :meth:`routh.OperatingPoint.sensitivity` gives.

    Arrays have a row for each parameter; all is per unit of the parameter, in world axes. NaN: not determined, for the
    reason that one of the `warnings` gives.
    """

    def __init__(self, pointer: Any, point: OperatingPoint) -> None:
        self._c = pointer
        self._point = point

    @property
    def point(self) -> OperatingPoint:
        """The operating point they belong to."""
        return self._point

    def _changes(self) -> list[Any]:
        return list(self._c.by[0 : self._c.n_parameters])

    def _array(self, numbers: Callable[[Any], list[Any]]) -> Array:
        array = np.array([numbers(change) for change in self._changes()], dtype=float)
        array.flags.writeable = False
        return array

    def _of_bodies(self, member: str) -> Array:
        shape = (self._c.n_parameters, len(self.bodies), 3)
        return self._array(
            lambda c: [list(getattr(body, member)) for body in c.bodies[0 : c.n_bodies]]
        ).reshape(shape)

    def _of_forces(self, member: str) -> Array:
        shape = (self._c.n_parameters, len(self.elements), 3)
        return self._array(
            lambda c: [list(getattr(force, member)) for force in c.reactions[0 : c.n_reactions]]
        ).reshape(shape)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(_api.text(change.parameter) for change in self._changes())

    @cached_property
    def values(self) -> Array:
        """Of the parameters, shape (n_parameters,)."""
        return self._array(lambda c: [c.value]).reshape(-1)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Names, in the order of the arrays."""
        return tuple(self._point.bodies)

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """Names of joints, then of loads, in the order of `force` and `torque`."""
        return (*self._point.reactions, *self._point.loads)

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """Names of states of controllers, variables, inputs and outputs, in the order of `signal`."""
        return tuple(signal.name for signal in self._point.signals)

    @cached_property
    def position(self) -> Array:
        """Of centres of mass, shape (n_parameters, n_bodies, 3), m per unit."""
        return self._of_bodies("position")

    @cached_property
    def rotation(self) -> Array:
        """Rotation vectors of bodies, shape (n_parameters, n_bodies, 3), rad per unit."""
        return self._of_bodies("rotation")

    @cached_property
    def velocity(self) -> Array:
        """Shape (n_parameters, n_bodies, 3), m/s per unit."""
        return self._of_bodies("velocity")

    @cached_property
    def angular_velocity(self) -> Array:
        """Shape (n_parameters, n_bodies, 3), rad/s per unit."""
        return self._of_bodies("angular_velocity")

    @cached_property
    def force(self) -> Array:
        """On the first marker of each joint and load, shape (n_parameters, n_elements, 3), N per unit."""
        return self._of_forces("force")

    @cached_property
    def torque(self) -> Array:
        """About the origin of that marker, shape (n_parameters, n_elements, 3), N m per unit."""
        return self._of_forces("torque")

    @cached_property
    def signal(self) -> Array:
        """Of values of signals, shape (n_parameters, n_signals), in their units per unit."""
        shape = (self._c.n_parameters, len(self.signals))
        return self._array(lambda c: [s.value for s in c.signals[0 : c.n_signals]]).reshape(shape)

    @cached_property
    def turn_rate(self) -> Array:
        """Of the rotation of a steady motion, shape (n_parameters,), rad/s per unit; of other points 0."""
        return self._array(lambda c: [c.turn_rate]).reshape(-1)

    @cached_property
    def spins(self) -> dict[str, Array]:
        """Of the spins of a steady motion, by body: shape (n_parameters,), rad/s per unit."""
        changes = self._changes()
        if not changes:
            return {}
        names = [_api.text(spin.body) for spin in changes[0].spins[0 : changes[0].n_spins]]
        rates = self._array(lambda c: [spin.rate for spin in c.spins[0 : c.n_spins]])
        return {name: rates[:, k] for k, name in enumerate(names)}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What is not determined, parameters that are refused, and why."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def _results(self) -> Any:
        from routh.operating import _results

        return _results(self._point.mechanism.c_model, point=self._point._c, point_sensitivities=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh equilibrium --sensitivity`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_operating_point_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh equilibrium --sensitivity --json`` prints, parsed."""
        import json

        return json.loads(_api.written(lib.routh_operating_point_json, self._results()))

    def csv(self) -> str:
        """What ``routh equilibrium --sensitivity --csv`` prints."""
        return _api.written(lib.routh_operating_point_csv, self._results())

    def columns(self) -> dict[str, Any]:
        """A row for each parameter and number: `parameter`, `name`, `quantity`, `unit`, `derivative`."""
        rows: list[tuple[str, str, str, str, float]] = []
        forces = (("force", "N"), ("torque", "N m"))
        for p, parameter in enumerate(self.parameters):
            for names, members in ((self.bodies, _MEMBERS), (self.elements, forces)):
                rows += [
                    (parameter, name, f"{member} {axis}", unit, float(getattr(self, member)[p, k, i]))
                    for k, name in enumerate(names)
                    for member, unit in members
                    for i, axis in enumerate("xyz")
                ]
            rows += [
                (parameter, signal.name, "value", signal.unit, float(self.signal[p, k]))
                for k, signal in enumerate(self._point.signals)
            ]
            if self._point.type == "steady":
                rows.append((parameter, "", "turn rate", "rad/s", float(self.turn_rate[p])))
                rows += [(parameter, body, "spin", "rad/s", float(rate[p])) for body, rate in self.spins.items()]
        heads = ("parameter", "name", "quantity", "unit", "derivative")
        return {head: [row[k] for row in rows] for k, head in enumerate(heads)}

    def _caption(self) -> str:
        return f"{len(self.parameters)} parameters, {len(self.bodies)} bodies"


def point_sensitivity(point: OperatingPoint, parameters: Names | None = None) -> PointSensitivity:
    """What :meth:`routh.OperatingPoint.sensitivity` does."""
    held = _api.Arguments()
    asked = held.hold(ffi.new("routh_sensitivity_options *", lib.routh_sensitivity_defaults()))
    asked.parameters = held.names(names_of(parameters))
    mechanism = point.mechanism._c
    derivatives = PointSensitivity(
        _api.made(
            lib.routh_point_sensitivity_compute,
            lib.routh_point_sensitivity_free,
            "routh_point_sensitivity",
            mechanism,
            point._c,
            asked,
            keep=(mechanism, point._c),
        ),
        point,
    )
    tell(derivatives.warnings, SensitivityWarning)
    return derivatives
