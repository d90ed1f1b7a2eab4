"""Operating points: where a mechanism is linearized."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from routh import _api
from routh._api import NULL, Array, Path
from routh._carry import Record, same
from routh._literals import Method, PointType
from routh._routh import ffi, lib
from routh._watch import Progress
from routh.errors import unknown_choice

if TYPE_CHECKING:
    from routh.answers import Branches
    from routh.linear import Linear
    from routh.mechanism import Mechanism
    from routh.sparsity import Sparsity
    from routh.studies._common import Names
    from routh.studies.point_sensitivity import PointSensitivity

__all__ = ["BodyState", "OperatingPoint", "Reaction", "Signal", "Spin", "Steady"]

PointTable = Literal["bodies", "reactions", "loads", "signals"]

_TYPES = {
    "given": lib.ROUTH_OPERATING_GIVEN,
    "static": lib.ROUTH_OPERATING_STATIC,
    "steady": lib.ROUTH_OPERATING_STEADY,
}
_TYPE_NAMES = {code: name for name, code in _TYPES.items()}
_TYPE_NAMES[lib.ROUTH_OPERATING_STATE] = "state"

_SIGNAL_KINDS = {
    lib.ROUTH_SIGNAL_STATE: "state",
    lib.ROUTH_SIGNAL_VARIABLE: "variable",
    lib.ROUTH_SIGNAL_INPUT: "input",
    lib.ROUTH_SIGNAL_OUTPUT: "output",
}


@dataclass(frozen=True, eq=False)
class BodyState(Record):
    """A body at an operating point; world axes, SI units.

    Attributes
    ----------
    name : str
    position : ndarray, shape (3,)
        Of the centre of mass, of a flexible body its frame, m.
    orientation : ndarray, shape (3, 3)
        Columns are the body's axes.
    velocity, angular_velocity : ndarray, shape (3,)
        m/s and rad/s.
    n_elastic : int
        Elastic coordinates of a flexible body; 0 of a rigid one.
    moved, rotated : float
        How far the body had to be moved from a state that was given so that the joints hold, m
        and rad.
    """

    name: str
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    n_elastic: int
    moved: float
    rotated: float


@dataclass(frozen=True, eq=False)
class Reaction(Record):
    """What a joint or a load does to its first marker; world axes.

    Attributes
    ----------
    name, type : str
        As the model has them: ``"hinge"``, ``"revolute"``.
    force : ndarray, shape (3,)
        N.
    torque : ndarray, shape (3,)
        About the marker's origin, N m.
    """

    name: str
    type: str
    force: Array
    torque: Array


@dataclass(frozen=True)
class Signal:
    """A state of a controller, a variable, an input or an output at an operating point."""

    kind: str
    name: str
    unit: str
    value: float
    rate: float
    placed: bool


@dataclass(frozen=True, eq=False)
class Spin(Record):
    """A body that rotates steadily about an axis fixed in it: `axis` in the body's axes, `rate` in
    rad/s against the moving frame."""

    body: str
    axis: Array
    rate: float
    prescribed: bool


@dataclass(frozen=True, eq=False)
class Steady(Record):
    """A steady motion: all bodies are carried by one frame that rotates at `turn_rate` (rad/s) about
    `axis` and moves with ``origin_velocity`` (m/s) at the world's origin.

    `velocity` (m/s) and centripetal `acceleration` (m/s^2) are those of the mechanism's centre of
    mass; where the motion is `accelerated`, the frame has ``frame_acceleration`` (m/s^2) besides.
    `drift` is the largest part by which the equations of motion fail where the motion is carried on
    by some radians. `prescribed` has (name, unit, asked, value), `found` (name, unit, value) of
    free inputs.
    """

    axis: Array
    turn_rate: float
    turn_rate_prescribed: bool
    origin_velocity: Array
    velocity: Array
    acceleration: float
    accelerated: bool
    frame_acceleration: Array
    drift: float
    spins: tuple[Spin, ...]
    prescribed: tuple[tuple[str, str, float, float], ...]
    found: tuple[tuple[str, str, float], ...]


class Found:
    """How a point was found: what :meth:`Mechanism.operating_point` was asked for."""

    def __init__(self, asked: tuple[Any, ...]) -> None:
        self.asked = asked

    def make(self, mechanism: Mechanism) -> Any:
        return mechanism._found(*self.asked)


class Placed:
    """How a point was placed: at a state, a C object here and its text in a pickle."""

    def __init__(self, state: Any, asked: tuple[Any, ...]) -> None:
        self.state = state
        self.asked = asked

    def __reduce__(self) -> tuple[Any, ...]:
        return _placed_at, (_api.written(lib.routh_initial_state_json, self.state), self.asked)

    def make(self, mechanism: Mechanism) -> Any:
        return mechanism._placed(self.state, self.asked)


def _placed_at(text: str, asked: tuple[Any, ...]) -> Placed:
    return Placed(parsed_state(text), asked)


def parsed_state(text: str) -> Any:
    """The ``routh_initial_state *`` of a text."""
    held = _api.Arguments()
    content = text.encode()
    return _api.made(
        lib.routh_initial_state_parse,
        lib.routh_initial_state_free,
        "routh_initial_state",
        held.text(content),
        len(content),
        held.text("state"),
    )


class OperatingPoint:
    """Where a mechanism is linearized: an equilibrium, a steady motion or any other state.

    Made by :meth:`routh.Model.equilibrium`, :meth:`routh.Model.operating_point` and
    :meth:`Mechanism.operating_point_from_state`. Immutable; may be shared between threads.
    """

    def __init__(self, mechanism: Mechanism, pointer: Any, how: Found | Placed | None = None) -> None:
        self._mechanism = mechanism
        self._pointer = pointer
        self._how = how

    @property
    def _c(self) -> Any:
        """The C point; of one that came by pickle or with a copied model, found again at the first use."""
        if self._pointer is None:
            assert self._how is not None
            self._pointer = self._how.make(self._mechanism)
        return self._pointer

    def __reduce__(self) -> tuple[Any, ...]:
        how = self._how or Placed(self._given_state(), (None, None, None, False))
        return OperatingPoint, (self._mechanism, None, how)

    def __copy__(self) -> OperatingPoint:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> OperatingPoint:
        """Itself; where its model was copied along, the same point of the copy."""
        mechanism = copy.deepcopy(self._mechanism, memo)
        if mechanism is self._mechanism:
            return self
        how = self._how or Placed(self._given_state(), (None, None, None, False))
        return OperatingPoint(mechanism, None, how)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same state of the same model, with the same forces."""
        if not isinstance(other, OperatingPoint):
            return NotImplemented
        if self is other:
            return True
        return (
            self._mechanism.coordinates == other._mechanism.coordinates
            and self.state_text() == other.state_text()
            and all(same(getattr(self, name), getattr(other, name)) for name in _COMPARED)
        )

    def __hash__(self) -> int:
        return hash((self.type, tuple(self.positions)))

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism it belongs to."""
        return self._mechanism

    @property
    def type(self) -> str:
        """What was done: ``"given"``, ``"static"``, ``"steady"`` or ``"state"``."""
        return _TYPE_NAMES[self._c.type]

    @property
    def time(self) -> float:
        """s"""
        return float(self._c.time)

    @property
    def degrees_of_freedom(self) -> int:
        """Coordinates minus independent constraints."""
        return int(self._c.degrees_of_freedom)

    @property
    def constraint_error(self) -> float:
        """Largest residual of the constraints, m or rad."""
        return float(self._c.constraint_error)

    @property
    def residual(self) -> float:
        """How far from rest: the largest inertia force as a fraction of the largest single force on
        any body; 0 in balance."""
        return float(self._c.residual)

    @property
    def iterations(self) -> int:
        """Of Newton's method."""
        return int(self._c.iterations)

    @property
    def arrival(self) -> str | None:
        """How the search for a static equilibrium or a steady motion arrived, in words; None where there was none."""
        return _api.text_or_none(self._c.arrival)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the program prints as warnings."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def _vectors(self, member: str, *shape: int) -> dict[str, Array]:
        vectors = {
            _api.text(body.name): _api.view(self._c, getattr(body, member), *shape)
            for body in self._c.bodies[0 : self._c.n_bodies]
        }
        return _api.Names("body", vectors)

    @cached_property
    def bodies(self) -> dict[str, BodyState]:
        """All there is about each body, by its name."""
        states = {
            _api.text(body.name): BodyState(
                _api.text(body.name),
                _api.view(self._c, body.position, 3),
                _api.view(self._c, body.orientation, 3, 3),
                _api.view(self._c, body.velocity, 3),
                _api.view(self._c, body.angular_velocity, 3),
                body.n_elastic,
                body.moved,
                body.turned,
            )
            for body in self._c.bodies[0 : self._c.n_bodies]
        }
        return _api.Names("body", states)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Of the centre of mass of each body (of a flexible one its frame), shape (3,), world, m."""
        return self._vectors("position", 3)

    @cached_property
    def orientations(self) -> dict[str, Array]:
        """Of each body, shape (3, 3); columns are the body's axes."""
        return self._vectors("orientation", 3, 3)

    @cached_property
    def velocities(self) -> dict[str, Array]:
        """Of the centre of mass of each body, shape (3,), world, m/s."""
        return self._vectors("velocity", 3)

    @cached_property
    def angular_velocities(self) -> dict[str, Array]:
        """Of each body, shape (3,), world, rad/s."""
        return self._vectors("angular_velocity", 3)

    def _forces(self, loads: bool) -> dict[str, Reaction]:
        forces = {
            _api.text(reaction.name): Reaction(
                _api.text(reaction.name),
                _api.text(reaction.type),
                _api.view(self._c, reaction.force, 3),
                _api.view(self._c, reaction.torque, 3),
            )
            for reaction in self._c.reactions[0 : self._c.n_reactions]
            if bool(reaction.is_load) == loads
        }
        return _api.Names("load" if loads else "joint", forces)

    @cached_property
    def reactions(self) -> dict[str, Reaction]:
        """What each joint does to its first marker, by the joint's name."""
        return self._forces(False)

    @cached_property
    def loads(self) -> dict[str, Reaction]:
        """The same of each load."""
        return self._forces(True)

    @cached_property
    def signals(self) -> tuple[Signal, ...]:
        """States of controllers, variables, inputs and outputs."""
        return tuple(
            Signal(
                _SIGNAL_KINDS[signal.kind],
                _api.text(signal.name),
                _api.text(signal.unit),
                signal.value,
                signal.rate,
                bool(signal.placed),
            )
            for signal in self._c.signals[0 : self._c.n_signals]
        )

    @cached_property
    def redundant(self) -> tuple[tuple[str, str], ...]:
        """Rows of redundant constraints: joint and row."""
        return tuple(
            (_api.text(row.joint), _api.text(row.row))
            for row in self._c.redundant[0 : self._c.n_redundant]
        )

    @cached_property
    def steady(self) -> Steady | None:
        """Of a steady motion; None of others."""
        s = self._c.steady
        if not s:
            return None
        return Steady(
            _api.view(self._c, s.axis, 3),
            s.turn_rate,
            bool(s.turn_rate_prescribed),
            _api.view(self._c, s.origin_velocity, 3),
            _api.view(self._c, s.velocity, 3),
            s.acceleration,
            bool(s.accelerated),
            _api.view(self._c, s.frame_acceleration, 3),
            s.drift,
            tuple(
                Spin(
                    _api.text(spin.body),
                    _api.view(self._c, spin.axis, 3),
                    spin.rate,
                    bool(spin.prescribed),
                )
                for spin in s.spins[0 : s.n_spins]
            ),
            tuple(
                (_api.text(p.name), _api.text(p.unit), p.asked, p.value)
                for p in s.prescribed[0 : s.n_prescribed]
            ),
            tuple(
                (_api.text(f.name), _api.text(f.unit), f.value) for f in s.found[0 : s.n_found]
            ),
        )

    def linearize(
        self,
        *,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
        shares: bool = True,
        markers: bool = True,
        details: bool = False,
        extended: bool = True,
        penalty_alpha: float = 0.0,
        penalty_xi: float = 0.0,
        penalty_omega: float = 0.0,
        progress: Progress = False,
    ) -> Linear:
        """The linear model here; options as of :meth:`Mechanism.linearize`."""
        return self._mechanism.linearize(
            self,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
            shares=shares,
            markers=markers,
            details=details,
            extended=extended,
            penalty_alpha=penalty_alpha,
            penalty_xi=penalty_xi,
            penalty_omega=penalty_omega,
            progress=progress,
        )

    def branches(self) -> Branches:
        """Motions that meet here, of a singular configuration at rest and in balance. Not
        interruptible.

        Raises
        ------
        BadArgumentError
            The mechanism moves or is not in balance.
        NotSupportedError, LimitExceededError
            Loads use joint forces, the branches are more than curves, or there are too many
            variables.
        """
        from routh.answers import branches

        return branches(self)

    def sensitivity(self, parameters: Names | None = None) -> PointSensitivity:
        """Exact derivatives of this point by parameters: of positions, velocities, forces, signals and the numbers of a
        steady motion. The command ``routh equilibrium --sensitivity``. Not interruptible.

        Parameters
        ----------
        parameters : sequence of str, optional
            Names; where left out all of the model's but those that are refused, which `warnings` name.

        Raises
        ------
        NotSupportedError
            The point is a state that was given, or a parameter that was asked for acts through numbers that are not
            differentiated.
        BadArgumentError
            The model has no such parameter.
        SingularError
            There is no such point for values of the parameter nearby.
        """
        from routh.studies.point_sensitivity import point_sensitivity

        return point_sensitivity(self, parameters)

    def sparsity(self) -> Sparsity:
        """Where the matrices here, and their sparse factors, have entries."""
        from routh.sparsity import sparsity

        return sparsity(self)

    # ---- as text and file ----

    def _results(self) -> Any:
        return _results(self._mechanism.c_model, point=self._c)

    def columns(self, of: PointTable = "bodies") -> dict[str, Any]:
        """A table of the point as columns: ``"bodies"`` (positions, velocities), ``"reactions"`` of joints, ``"loads"``
        or ``"signals"``; world axes, SI units."""
        if of == "bodies":
            bodies = list(self.bodies.values())
            members = (
                ("position", "m"), ("velocity", "m/s"), ("angular_velocity", "rad/s")
            )
            return {
                "name": [body.name for body in bodies],
                **_by_axes([(name, unit, [getattr(b, name) for b in bodies]) for name, unit in members]),
            }
        if of in ("reactions", "loads"):
            found = list((self.reactions if of == "reactions" else self.loads).values())
            parts = [("force", "N", [f.force for f in found]), ("torque", "N m", [f.torque for f in found])]
            return {"name": [f.name for f in found], "type": [f.type for f in found], **_by_axes(parts)}
        if of == "signals":
            names = ("name", "kind", "unit", "value", "rate")
            return {name: [getattr(signal, name) for signal in self.signals] for name in names}
        raise unknown_choice("of", of, ("bodies", "reactions", "loads", "signals"))

    def to_pandas(self, of: PointTable = "bodies") -> Any:
        """:meth:`columns` as a ``pandas.DataFrame`` by names; needs pandas."""
        from routh.studies._common import needed

        return needed("pandas", "a data frame needs").DataFrame(self.columns(of)).set_index("name")

    def table(self, units: str | None = None) -> str:
        """What ``routh equilibrium`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_operating_point_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh equilibrium --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_operating_point_json, self._results()))

    def csv(self) -> str:
        """What ``routh equilibrium --csv`` prints."""
        return _api.written(lib.routh_operating_point_csv, self._results())

    def _given_state(self) -> Any:
        return _api.made(
            lib.routh_initial_state_of_point,
            lib.routh_initial_state_free,
            "routh_initial_state",
            self._mechanism._c,
            self._c,
            keep=self._mechanism._c,
        )

    def state_text(self) -> str:
        """The state as the text of a file, with numbers that are read back to the last bit."""
        return _api.written(lib.routh_initial_state_json, self._given_state())

    def save_state(self, path: Path) -> None:
        """Writes the state to a file, as ``--save-state`` does; it is whole or as it was.

        Raises
        ------
        FileError
        """
        _api.save_text(self.state_text(), path)

    def _repr_html_(self) -> str:
        from routh.display import point_html

        return point_html(self)

    def __repr__(self) -> str:
        return (
            f"<routh.OperatingPoint {self.type}: {self._c.n_bodies} bodies, "
            f"{self.degrees_of_freedom} degrees of freedom>"
        )


def _by_axes(members: list[tuple[str, str, list[Array]]]) -> dict[str, Array]:
    """``"position x (m)"`` and so on."""
    return {
        f"{name} {axis} ({unit})": np.array([vector[k] for vector in vectors])
        for name, unit, vectors in members
        for k, axis in enumerate("xyz")
    }


_COMPARED = (
    "type time degrees_of_freedom residual warnings bodies reactions loads signals redundant steady".split()
)


def warnings_of(results: Any) -> tuple[str, ...]:
    """What tables of these results print as warnings."""
    return tuple(_api.written(lib.routh_results_warnings, results).splitlines())


def _results(model: Any = NULL, **parts: Any) -> Any:
    """``routh_results *`` of what is there; the parts must outlive the call that it is for."""
    results = ffi.new("routh_results *")
    results.model = model
    for name, part in parts.items():
        if part is not None:
            setattr(results, name, part)
    return results


def _operating_options(
    type: PointType | None, tolerance: float | None, max_iterations: int | None, accept_unstable: bool
) -> Any:
    """``routh_operating_point_options *``."""
    options = _api.filled("routh_operating_point_options *", lib.routh_operating_point_defaults())
    if type is not None:
        if type not in _TYPES:
            raise unknown_choice("type", type, _TYPES)
        options.type = _TYPES[type]
    if tolerance is not None:
        options.tolerance = tolerance
    if max_iterations is not None:
        options.max_iterations = max_iterations
    options.accept_unstable = accept_unstable
    return options
