"""The equations of motion as a function, for integrators, controllers and estimators of the user's own."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import NULL, Array
from routh._carry import Held
from routh._routh import ffi, lib
from routh._warnings import DynamicsWarning, tell
from routh.errors import BadArgumentError, unknown_name
from routh.operating import OperatingPoint
from routh.studies._common import needed

if TYPE_CHECKING:
    from routh.mechanism import Mechanism

__all__ = ["Dynamics"]

StateNumbers = Union[Mapping[str, float], npt.ArrayLike]


def _left_out(mechanism: Mechanism) -> list[str]:
    """What runs of the model do beside its equations of motion."""
    events = mechanism._model().events.items()
    acting = [name for name, event in events if event.fields.get("action") in ("stop", "set")]
    if not acting:
        return []
    return [
        f"f(t, x, u) is without the events of the model that stop a run or set an input: {', '.join(acting)}; "
        "simulate() has them"
    ]


class Dynamics(Held):
    """``x' = f(t, x, u)``: made by :meth:`routh.Model.dynamics` and :meth:`routh.Mechanism.dynamics`.

    `x` are independent coordinates of the mechanism, their rates, and the states of controllers, all as they are (not
    deviations from the point); `u` are the model's inputs. Joints stay closed at every x. A coordinate is a number of
    the mechanism's own (in relative coordinates the angle or shift of a joint). Of a body that rotates freely it is an
    angle from its orientation at the point where this was made: about the axis that it rotates about fastest there (z at
    rest) through any number of revolutions, and the tilts of that axis about the other two, up to half a revolution.

    Inputs count as constant: a motion that an input prescribes feels no rates of it.

    Where loops close in several ways with the same `x`, it is the one on the straight way in t, x and u from where it
    was evaluated last, revolutions included; at `t0` and `x0` that of the point. What the way does not lead to is
    refused, never taken from another branch. A tree in relative coordinates without balls has one configuration: where no
    way leads from the last one, as after a run that went far away, it begins at the point.

    Examples
    --------
    >>> import routh
    >>> from scipy.integrate import solve_ivp  # doctest: +SKIP
    >>> f = routh.template("pendulum-chain", n=2).dynamics(coordinates="relative")
    >>> f.states
    ('rod_1.angle', 'rod_2.angle', "rod_1.angle'", "rod_2.angle'")
    >>> x0 = f.vector({"rod_1.angle": 0.3})
    >>> motion = solve_ivp(f, (0, 1), x0, rtol=1e-9)  # doctest: +SKIP
    """

    def __init__(self, mechanism: Mechanism, at: OperatingPoint) -> None:
        self._mechanism = mechanism
        self._at = at
        self._lock = threading.Lock()
        self._c = _api.made(
            lib.routh_dynamics_create, lib.routh_dynamics_free, "routh_dynamics", mechanism._c, at._c, keep=mechanism._c
        )
        n = lib.routh_dynamics_n_states(self._c)
        states = [lib.routh_dynamics_get_state(self._c, k) for k in range(n)]
        self.states: tuple[str, ...] = tuple(_api.text(s.name) for s in states)
        self.units: tuple[str, ...] = tuple(_api.text(s.unit) for s in states)
        t, x = ffi.new("double *"), ffi.new("double[]", max(n, 1))
        u = ffi.new("double[]", max(len(self.inputs), 1))
        lib.routh_dynamics_start(self._c, t, x, u)
        self.t0: float = float(t[0])
        self.x0: Array = np.array(list(x)[:n], dtype=np.float64)
        self.u0: Array = np.array(list(u)[: len(self.inputs)], dtype=np.float64)
        for start in (self.x0, self.u0):
            start.setflags(write=False)
        self._rate = ffi.new("double[]", max(n, 1))
        tell(_left_out(mechanism), DynamicsWarning)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Dynamics, (self._mechanism, self._at)

    @property
    def mechanism(self) -> Mechanism:
        return self._mechanism

    @property
    def n_states(self) -> int:
        return len(self.states)

    @property
    def n_coordinates(self) -> int:
        """How many of the states are coordinates: the first ones."""
        return int(lib.routh_dynamics_n_coordinates(self._c))

    def _signals(self, kind: str) -> tuple[str, ...]:
        return tuple(signal.name for signal in self._at.signals if signal.kind == kind)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The model's inputs, in the order of `u`."""
        return self._signals("input")

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The model's outputs, in the order of :meth:`output`."""
        return self._signals("output")

    @staticmethod
    def _filled(given: StateNumbers, start: Array, names: tuple[str, ...], what: str) -> Array:
        if isinstance(given, Mapping):
            values = start.copy()
            for name, value in given.items():
                if str(name) not in names:
                    raise unknown_name(what, str(name), names)
                values[names.index(str(name))] = _api.real(value, f"the {what} {name}")
            return values
        values = np.array(_api.reals(given, f"{what}s, {len(names)} numbers or a mapping by names"))
        if values.shape != (len(names),):
            raise BadArgumentError(
                f"{what}s have the shape ({len(names)},) here, not {values.shape}; they are {', '.join(names) or 'none'}"
            )
        return values

    def _check_no_joint(self, name: str, value: Any) -> None:
        """Coordinates of joints have names of their own, which settings take."""
        joint = name.rpartition(".")[0]
        if name in self.states or not joint or joint not in self._mechanism._model().joints:
            return
        hint = f"a coordinate or rate of a joint is given to the model: with_settings(settings={{{name!r}: {value!r}}})"
        raise unknown_name("state", name, self.states, hint)

    def vector(self, states: StateNumbers) -> Array:
        """`x` of a mapping by names, the others as at the point; of numbers, these."""
        if isinstance(states, Mapping):
            for name in states:
                self._check_no_joint(str(name), states[name])
        return self._filled(states, self.x0, self.states, "state")

    def _arguments(self, t: float, x: StateNumbers, u: StateNumbers | None) -> tuple[float, Any, Any, Any, Any]:
        """Time and pointers (the last: which inputs u gives), and what holds them."""
        values = self.vector(x)
        inputs = None if u is None else self._filled(u, self.u0, self.inputs, "input")
        given = [name in u for name in self.inputs] if isinstance(u, Mapping) else []
        return (
            _api.real(t, "t"),
            ffi.from_buffer("double[]", values) if values.size else self._rate,
            NULL if inputs is None else ffi.from_buffer("double[]", inputs) if inputs.size else self._rate,
            NULL if all(given) else ffi.new("int[]", given),
            (values, inputs),
        )

    def input(self, t: float) -> Array:
        """The inputs at a time where none are given, shape (n_inputs,): those with a history (``simulate: inputs``) as
        that has them, the others as at the point."""
        values = ffi.new("double[]", max(len(self.inputs), 1))
        with self._lock:
            _api.call(lib.routh_dynamics_inputs, self._c, _api.real(t, "t"), values)
        return np.array(list(values)[: len(self.inputs)], dtype=np.float64)

    def __call__(self, t: float, x: StateNumbers, u: StateNumbers | None = None) -> Array:
        """``x'``, shape (n_states,).

        Parameters
        ----------
        t : float
            s
        x : array_like or mapping
            Shape (n_states,); or some states by their names, the others as at the point.
        u : array_like or mapping, optional
            Inputs likewise; those left out as at the point, or with a history (``simulate: inputs``) as that has them
            at the time, and with its rates.

        Raises
        ------
        NumericError
            The way from where it was evaluated last does not lead there: joints lock, the coordinates do not determine
            the configuration or another branch of it is met, a motion jumps, or it is too far (some 1e4 revolutions).
        """
        time, state, inputs, given, _held = self._arguments(t, x, u)
        with self._lock:
            _api.call(lib.routh_dynamics_choose_inputs, self._c, given)
            _api.call(lib.routh_dynamics_evaluate, self._c, time, state, inputs, self._rate)
            rate: Array = np.frombuffer(ffi.buffer(self._rate), dtype=np.float64)[: self.n_states].copy()
        return rate

    def point(self, t: float, x: StateNumbers, u: StateNumbers | None = None) -> OperatingPoint:
        """The operating point there: to be linearized about, or for :meth:`routh.Model.simulate`."""
        time, state, inputs, given, _held = self._arguments(t, x, u)
        found = ffi.new("routh_operating_point **")
        with self._lock:
            _api.call(lib.routh_dynamics_choose_inputs, self._c, given)
            _api.call(lib.routh_dynamics_point, self._c, time, state, inputs, found)
        pointer = _api.owned(found[0], lib.routh_operating_point_free, self._mechanism._c)
        return OperatingPoint(self._mechanism, pointer)

    def output(self, t: float, x: StateNumbers, u: StateNumbers | None = None) -> Array:
        """The model's outputs there, shape (n_outputs,); accelerations and joint forces too."""
        found = {s.name: s.value for s in self.point(t, x, u).signals if s.kind == "output"}
        return np.array([found[name] for name in self.outputs], dtype=np.float64)

    def to_control(self) -> Any:
        """A ``control.NonlinearIOSystem`` of python-control, with the model's inputs and outputs; where it has no outputs
        all states are outputs. Needs the package control. Dots in names become underscores."""
        control = needed("control", "a system of python-control needs")

        def clean(names: tuple[str, ...]) -> list[str]:
            return [name.replace(".", "_") for name in names]

        def update(t: float, x: Array, u: Array, params: Any) -> Array:
            return self(t, x, np.atleast_1d(u)[: len(self.inputs)])

        def output(t: float, x: Array, u: Array, params: Any) -> Array:
            return self.output(t, x, np.atleast_1d(u)[: len(self.inputs)])

        return control.NonlinearIOSystem(
            update,
            output if self.outputs else None,
            inputs=clean(self.inputs),
            outputs=clean(self.outputs or self.states),
            states=clean(self.states),
        )

    def jacobian(
        self, t: float | None = None, x: StateNumbers | None = None, u: StateNumbers | None = None, step: float = 1e-6
    ) -> tuple[Array, Array]:
        """``df/dx`` and ``df/du`` by central differences, good to some 1e-9 of the size of f where that varies over 1 of a
        state, less of states above 1e3; exact linear models are those of :meth:`point` and :meth:`routh.Model.linearize`,
        in states of their own.

        Parameters
        ----------
        t, x, u : optional
            Where; t and x at the point where left out, inputs as in a call: those left out follow their histories.
        step : float, optional
            Of a state or input of size 1 or less; of larger ones it grows with their size, where the function is straight
            enough, else with the cube root of it.
        """
        time = self.t0 if t is None else _api.real(t, "t")
        if not 0 < _api.real(step, "step") < math.inf:
            raise BadArgumentError(f"step is {step!r}, but must be a number above 0")
        state = self.vector(self.x0 if x is None else x)
        free = self.input(time)
        inputs = free if u is None else self._filled(u, free, self.inputs, "input")
        held = {} if u is None else u if isinstance(u, Mapping) else dict(zip(self.inputs, inputs))

        def slope(at: float, h: float, move: Callable[[float], Array]) -> tuple[Array, float]:
            """By the numbers that the ends are rounded to; and how much of it may be rounding."""
            if not at + h > at - h:
                raise BadArgumentError(f"step is {step:g}, which is lost in a state or input of {at:g}; give a longer one")
            above, below = move(at + h), move(at - h)
            size = max(np.abs(above).max(initial=0), np.abs(below).max(initial=0))
            by: Array = (above - below) / ((at + h) - (at - h))
            return by, 1e-14 * size / h

        def ends(at: float, move: Callable[[float], Array]) -> Array:
            """Of what is large a long step has the fewer digits lost, where a short one says the same but for these."""
            size = max(1.0, math.fabs(at))
            near, rounding = slope(at, step * size ** (1 / 3), move)
            if size < 2:
                return near
            far, _ = slope(at, step * size, move)
            return np.where(np.abs(far - near) <= rounding, far, near)

        def state_moved(k: int, value: float) -> Array:
            moved = state.copy()
            moved[k] = value
            return self(time, moved, held)

        def input_moved(name: str, value: float) -> Array:
            return self(time, state, {**held, name: value})

        columns = [ends(state[k], partial(state_moved, k)) for k in range(state.size)]
        by_inputs = [ends(inputs[k], partial(input_moved, name)) for k, name in enumerate(self.inputs)]
        n = self.n_states
        return np.reshape(columns, (n, n)).T, np.reshape(by_inputs, (inputs.size, n)).T

    def __repr__(self) -> str:
        return f"<routh.Dynamics: {self.n_states} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
