"""Linear models: matrices, states, signals, and files of them."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, ComplexArray, Path
from routh._carry import Immutable, Record, same
from routh._literals import Format
from routh._routh import lib
from routh._studies import LinearStudies
from routh.errors import ArgumentTypeError, BadArgumentError
from routh._warnings import LinearWarning, ModesWarning, NotSteadyWarning, tell
from routh.operating import _results, warnings_of

if TYPE_CHECKING:
    from routh.modes import Modes
    from routh.operating import OperatingPoint
    from routh.studies._common import Names
    from routh.studies.matrix_sensitivity import MatrixSensitivity

__all__ = ["Linear", "load"]


@dataclass(frozen=True)
class State:
    """A state of a linear model.

    Attributes
    ----------
    name : str
        ``"rotor.x"``, ``"rotor.rx"``; of velocities ``"rotor.x'"``.
    unit : str
        ``"m"``, ``"rad"``, ``"m/s"``, ``"rad/s"``; of the user's states as in the model.
    frame : str
        Marker whose axes the component is resolved in; ``""`` of states that are no component.
    value : float
        At the operating point, in the reference frame.
    """

    name: str
    unit: str
    frame: str
    value: float


@dataclass(frozen=True)
class Signal:
    """An input or an output of a linear model: its name, unit and value at the operating point.
    `felt` of an output: it feels accelerations or forces of joints."""

    name: str
    unit: str
    value: float
    felt: bool


@dataclass(frozen=True, eq=False)
class Marker(Record):
    """A marker at the operating point, and how it moves with the states; world axes.

    Attributes
    ----------
    name, body : str
    position : ndarray, shape (3,)
        m.
    orientation : ndarray, shape (3, 3)
        Columns are the marker's axes.
    motion : ndarray, shape (6, n_states)
        Displacement (m) and rotation vector (rad) of unit states.
    """

    name: str
    body: str
    position: Array
    orientation: Array
    motion: Array


class Linear(LinearStudies, Immutable):
    """A linear model.

    With states ``y = (S, W, X)``: `n_position` position-like, `n_velocity` velocity-like and
    `n_control` of controllers, all perturbations from the operating point::

        y'  = A y + B in + B1 in' + B2 in'' + affine
        out = C y + D in + D1 in' + D2 in''
        mass W' + damping W + stiffness S = coupling X + force in + force1 in' + force2 in''

    All matrices are NumPy arrays onto the memory of the library, read-only and without a copy; an
    array keeps what it shows alive. Immutable; may be shared between threads.

    Made by :meth:`routh.Model.linearize`, or read from a file by :func:`routh.load`.
    """

    def __init__(self, pointer: Any, point: OperatingPoint | None = None, whole: bool = True) -> None:
        self._c = pointer
        self._point = point
        self._whole = whole  # a model of its own, not part of another result

    def __reduce__(self) -> tuple[Any, ...]:
        if not self._whole:
            raise ArgumentTypeError(
                "this linear model is part of a descriptor or a linearizer and is not pickled; pickle its arrays"
            )
        with tempfile.TemporaryDirectory(prefix="routh-") as folder:
            file = os.path.join(folder, "linear.npz")
            self.save(file, "npz")
            with open(file, "rb") as stream:
                return _linear_of, (stream.read(), self._point)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Linear):
            return NotImplemented
        return self is other or all(same(getattr(self, name), getattr(other, name)) for name in _COMPARED)

    def __hash__(self) -> int:
        return hash((self.title, self.state_names))

    # ---- what it is about ----

    @property
    def point(self) -> OperatingPoint | None:
        """The operating point; None where the model was read from a file."""
        return self._point

    def _needed_point(self) -> OperatingPoint:
        if self._point is None:
            raise BadArgumentError("this needs the mechanism, and the linear model was read from a file")
        return self._point

    @property
    def title(self) -> str:
        """Of the model."""
        return _api.text(self._c.title)

    @property
    def file(self) -> str:
        """Of the model, as it was named; ``""`` where there was none."""
        return _api.text(self._c.file)

    @property
    def coordinates(self) -> str:
        """One of :data:`routh.COORDINATES`; as it was written, of a model that was read."""
        return _api.text(self._c.coordinates)

    @property
    def method(self) -> str:
        """The method that made it; of ``"auto"`` the one that was chosen."""
        return _api.text(self._c.method)

    @property
    def reference(self) -> str:
        """The marker of the reference frame, ``"ground"``."""
        return _api.text(self._c.reference)

    @property
    def n_states(self) -> int:
        return int(self._c.n_states)

    @property
    def n_position(self) -> int:
        return int(self._c.n_position)

    @property
    def n_velocity(self) -> int:
        return int(self._c.n_velocity)

    @property
    def n_control(self) -> int:
        return int(self._c.n_control)

    @property
    def n_inputs(self) -> int:
        return int(self._c.n_inputs)

    @property
    def n_outputs(self) -> int:
        return int(self._c.n_outputs)

    @property
    def residual(self) -> float:
        """How far from rest: the largest inertia force of the operating point as a fraction of the
        largest single force; 0 in balance."""
        return float(self._c.residual)

    @property
    def at_rest(self) -> bool:
        """Velocities are zero and the residual is at most 1e-9."""
        return bool(self._c.at_rest)

    @property
    def drift(self) -> float:
        """Relative change of A along the motion per radian of its fastest part; 0 at rest."""
        return float(self._c.drift)

    @property
    def steady(self) -> bool:
        """A stays as it is, so that its eigenvalues describe stability."""
        return bool(self._c.steady)

    @property
    def error_estimate(self) -> float:
        """0: exact up to rounding; else the estimated error of A, relative to its largest entry."""
        return float(self._c.error_estimate)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What the program prints as warnings: of the operating point, of wanted states that were dropped and
        such, and whether the point is neither in equilibrium nor in steady motion."""
        return warnings_of(self._results())

    def _tell(self) -> None:
        """Warns of what is not of the point."""
        c = self._c
        if not c.n_warnings and (c.at_rest or c.steady):
            return
        own = _api.texts(c.warnings, c.n_warnings)
        point = self._point.warnings if self._point else ()
        tell(own, LinearWarning, point)
        tell(self.warnings, NotSteadyWarning, (*point, *own))

    # ---- states and signals ----

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Names, units and values of the states."""
        return tuple(
            State(_api.text(s.name), _api.text(s.unit), _api.text(s.frame), s.value)
            for s in self._c.states[0 : self._c.n_states]
        )

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.states)

    @cached_property
    def inputs(self) -> tuple[Signal, ...]:
        """Names, units and values of the inputs."""
        return self._signals(self._c.inputs, self._c.n_inputs)

    @cached_property
    def outputs(self) -> tuple[Signal, ...]:
        """Names, units and values of the outputs."""
        return self._signals(self._c.outputs, self._c.n_outputs)

    @staticmethod
    def _signals(signals: Any, n: int) -> tuple[Signal, ...]:
        return tuple(
            Signal(_api.text(s.name), _api.text(s.unit), s.value, bool(s.felt))
            for s in signals[0:n]
        )

    @property
    def input_names(self) -> tuple[str, ...]:
        return tuple(signal.name for signal in self.inputs)

    @property
    def output_names(self) -> tuple[str, ...]:
        return tuple(signal.name for signal in self.outputs)

    @cached_property
    def markers(self) -> dict[str, Marker]:
        """Every marker by its name; empty with ``markers=False``."""
        found = {
            _api.text(m.name): Marker(
                _api.text(m.name),
                _api.text(m.body),
                _api.view(self._c, m.position, 3),
                _api.view(self._c, m.orientation, 3, 3),
                _api.view(self._c, m.motion, 6, self._c.n_states),
            )
            for m in self._c.markers[0 : self._c.n_markers]
        }
        return _api.Names("marker", found)

    # ---- matrices ----

    def _states_by(self, pointer: Any, n: int) -> Array:
        return _api.view(self._c, pointer, self._c.n_states, n)

    def _outputs_by(self, pointer: Any, n: int) -> Array:
        return _api.view(self._c, pointer, self._c.n_outputs, n)

    def _velocities_by(self, pointer: Any, n: int) -> Array:
        return _api.view(self._c, pointer, self._c.n_velocity, n)

    @cached_property
    def A(self) -> Array:
        """System matrix, shape (n_states, n_states)."""
        return self._states_by(self._c.A, self._c.n_states)

    @cached_property
    def B(self) -> Array:
        """Of the inputs, shape (n_states, n_inputs)."""
        return self._states_by(self._c.B, self._c.n_inputs)

    @cached_property
    def B1(self) -> Array:
        """Of the inputs' time derivatives, shape (n_states, n_inputs)."""
        return self._states_by(self._c.B1, self._c.n_inputs)

    @cached_property
    def B2(self) -> Array:
        """Of the inputs' second time derivatives, shape (n_states, n_inputs)."""
        return self._states_by(self._c.B2, self._c.n_inputs)

    @cached_property
    def C(self) -> Array:
        """Outputs by states, shape (n_outputs, n_states)."""
        return self._outputs_by(self._c.C, self._c.n_states)

    @cached_property
    def D(self) -> Array:
        """Outputs by inputs, shape (n_outputs, n_inputs)."""
        return self._outputs_by(self._c.D, self._c.n_inputs)

    @cached_property
    def D1(self) -> Array:
        """Outputs by the inputs' time derivatives, shape (n_outputs, n_inputs)."""
        return self._outputs_by(self._c.D1, self._c.n_inputs)

    @cached_property
    def D2(self) -> Array:
        """Outputs by the inputs' second time derivatives, shape (n_outputs, n_inputs)."""
        return self._outputs_by(self._c.D2, self._c.n_inputs)

    @cached_property
    def affine(self) -> Array:
        """How the operating point itself moves, shape (n_states,)."""
        return _api.view(self._c, self._c.affine, self._c.n_states)

    @cached_property
    def mass(self) -> Array:
        """Shape (n_velocity, n_velocity)."""
        return self._velocities_by(self._c.mass, self._c.n_velocity)

    @cached_property
    def damping(self) -> Array:
        """Damping and gyroscopic matrix, shape (n_velocity, n_velocity)."""
        return self._velocities_by(self._c.damping, self._c.n_velocity)

    @cached_property
    def stiffness(self) -> Array:
        """Shape (n_velocity, n_position)."""
        return self._velocities_by(self._c.stiffness, self._c.n_position)

    @cached_property
    def coupling(self) -> Array:
        """Forces of the controllers' states, shape (n_velocity, n_control)."""
        return self._velocities_by(self._c.coupling, self._c.n_control)

    @cached_property
    def force(self) -> Array:
        """Forces of the inputs, shape (n_velocity, n_inputs)."""
        return self._velocities_by(self._c.force, self._c.n_inputs)

    @cached_property
    def force1(self) -> Array:
        """Forces of the inputs' time derivatives, shape (n_velocity, n_inputs)."""
        return self._velocities_by(self._c.force1, self._c.n_inputs)

    @cached_property
    def force2(self) -> Array:
        """Forces of the inputs' second time derivatives, shape (n_velocity, n_inputs)."""
        return self._velocities_by(self._c.force2, self._c.n_inputs)

    @property
    def M(self) -> Array:
        """The same as `mass`."""
        return self.mass

    @property
    def K(self) -> Array:
        """The same as `stiffness`. (The damping matrix is `damping`: `C` is that of the outputs.)"""
        return self.stiffness

    @cached_property
    def E(self) -> Array:
        """``diag(I, mass, I)``, shape (n_states, n_states): ``E y' = (E A) y + (E B) in + ..`` has
        no inverse of the mass in it. A matrix of its own, as the library does not hold it."""
        matrix = np.eye(self._c.n_states)
        first, last = self._c.n_position, self._c.n_position + self._c.n_velocity
        matrix[first:last, first:last] = self.mass
        matrix.setflags(write=False)
        return matrix

    @cached_property
    def bounds(self) -> tuple[ComplexArray, Array]:
        """Of a method that is approximate and knows by how much (``penalty``): eigenvalues of A,
        and how far the exact one may be from each, 1/s; of others empty."""
        c = self._c
        values = _api.view(c, c.bound_re, c.n_bounds) + 1j * _api.view(c, c.bound_im, c.n_bounds)
        values.setflags(write=False)
        return values, _api.view(c, c.bound, c.n_bounds)

    # ---- what follows ----

    def modes(self) -> Modes:
        """Eigenvalues and modes. Not interruptible: the call of C has no way to be stopped.

        Raises
        ------
        NumericError
            A is not finite, or the iteration fails.
        """
        from routh.modes import Modes

        modes = Modes(
            _api.made(lib.routh_modes_compute, lib.routh_modes_free, "routh_modes", self._c), self
        )
        tell(modes.warnings, ModesWarning, self.warnings)
        return modes

    def sensitivity(self, parameters: Names | None = None) -> MatrixSensitivity:
        """Exact derivatives of A, B, C, D, of mass, damping and stiffness by parameters, with what they move of the
        operating point. The command ``routh linearize --sensitivity``. Not interruptible.

        Parameters
        ----------
        parameters : sequence of str, optional
            Names; where left out all of the model's but those that are refused, which `warnings` name.

        Raises
        ------
        BadArgumentError
            The model has no such parameter, or this linear model is from a file, which has none.
        NotSupportedError
            The operating point is a state that was given, a parameter that was asked for acts through numbers that are
            not differentiated, or the states are others than those derivatives are found with.
        SingularError
            There is no such operating point for values of the parameter nearby.
        """
        from routh.studies.matrix_sensitivity import matrix_sensitivity

        return matrix_sensitivity(self, parameters)

    # ---- for other packages ----

    def _results(self, **parts: Any) -> Any:
        point = self._point
        if point is None:
            return _results(linear=self._c, **parts)
        return _results(point._mechanism.c_model, point=point._c, linear=self._c, **parts)

    def table(self, units: str | None = None) -> str:
        """What ``routh linearize`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_linear_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh linearize --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_linear_json, self._results()))

    def csv(self) -> str:
        """What ``routh linearize --csv`` prints."""
        return _api.written(lib.routh_linear_csv, self._results())

    def save(self, path: Path, format: Format | None = None) -> None:
        """Writes the model to a file that other programs read, and that :func:`routh.load` reads
        back without loss.

        Parameters
        ----------
        path : str or path-like
        format : str, optional
            ``"json"``, ``"mat"``, ``"hdf5"``, ``"npz"``, ``"csv"`` or ``"mtx"`` (a folder); where
            left out by the name of the file.

        Raises
        ------
        BadArgumentError
            There is no such format.
        NumericError
            Names a number that is not finite.
        FileError
        """
        held = _api.Arguments()
        _api.call(
            lib.routh_linear_save, self._c, held.text(_api.encoded_path(path)), held.text(format)
        )

    def _repr_html_(self) -> str:
        from routh.display import linear_html

        return linear_html(self)

    def __repr__(self) -> str:
        return (
            f"<routh.Linear {self.title!r}: {self.n_states} states, {self.n_inputs} inputs, "
            f"{self.n_outputs} outputs>"
        )


_COMPARED = (
    "title coordinates method reference residual drift at_rest steady states inputs outputs markers warnings "
    "A B B1 B2 C D D1 D2 affine mass damping stiffness coupling force force1 force2"
).split()


def _linear_of(content: bytes, point: OperatingPoint | None) -> Linear:
    """What a pickle carries."""
    with tempfile.TemporaryDirectory(prefix="routh-") as folder:
        file = os.path.join(folder, "linear.npz")
        with open(file, "wb") as stream:
            stream.write(content)
        return Linear(_loaded(file, "npz"), point)


def _loaded(path: Path, format: str | None) -> Any:
    held = _api.Arguments()
    return _api.made(
        lib.routh_linear_load,
        lib.routh_linear_free,
        "routh_linear",
        held.text(_api.encoded_path(path)),
        held.text(format),
    )


def load(path: Path, format: Format | None = None) -> Linear:
    """Reads a linear model that :meth:`Linear.save` or ``routh linearize --output`` wrote, or
    another program in the same form.

    Parameters
    ----------
    path : str or path-like
    format : str, optional
        As of :meth:`Linear.save`; where left out recognized by the contents of the file, else by its name.

    Raises
    ------
    FileError, ModelSyntaxError, ModelError, LimitExceededError, NotSupportedError
        With the file's name, and what is missing or wrong in it.
    """
    linear = Linear(_loaded(path, format))
    linear._tell()
    return linear
