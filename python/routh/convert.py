"""Linear models as those of other packages.

A linear model may feel time derivatives of its inputs (a motion that is prescribed acts by its acceleration too)::

    y'  = A y + B in + B1 in' + B2 in''
    out = C y + D in + D1 in' + D2 in''

which no state space of other packages has a place for. ``derivatives="inputs"`` makes inputs of their own of those
derivatives that act, named ``road'`` and ``road''``, and keeps the states; ``derivatives="states"`` changes the states
to ``z = y - B2 in' - (B1 + A B2) in``, which leaves the inputs as they are, and is refused where an output feels more
than the input itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from routh import _api
from routh._api import Array
from routh._carry import Record
from routh.errors import ArgumentTypeError, BadArgumentError, unknown_choice, unknown_name
from routh.construction import Named
from routh.studies._common import Names, needed

if TYPE_CHECKING:
    from routh.linear import Linear

__all__ = ["StateSpace", "state_space", "to_control", "to_pandas", "to_scipy", "to_xarray"]


MatrixName = Literal[
    "A", "B", "B1", "B2", "C", "D", "D1", "D2", "mass", "damping", "stiffness", "coupling", "force", "force1", "force2"
]


@dataclass(frozen=True, eq=False)
class StateSpace(Record):
    """``y' = A y + B u``, ``out = C y + D u``, with names and units."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]


def _chosen(names: Names | None, among: tuple[str, ...], kind: str) -> list[int]:
    if names is None:
        return list(range(len(among)))
    wanted = [str(names)] if isinstance(names, (str, Named)) else [str(name) for name in names]
    for name in wanted:
        if name not in among:
            raise unknown_name(kind, name, among)
    return [among.index(name) for name in wanted]


def state_space(
    linear: Linear,
    *,
    inputs: Names | None = None,
    outputs: Names | None = None,
    derivatives: Literal["inputs", "states"] = "inputs",
) -> StateSpace:
    """The linear model as matrices of a state space.

    Parameters
    ----------
    inputs : sequence of str, optional
        Which of the model's; all where left out.
    outputs : sequence of str, optional
        Which of the model's, and of its states; the model's own outputs where left out, and all states where it has
        none.
    derivatives : {"inputs", "states"}, optional
        What becomes of inputs whose time derivatives act: see :mod:`routh.convert`.

    Raises
    ------
    UnknownNameError
        There is no such input or output.
    BadArgumentError
        With ``derivatives="states"``: an output feels a derivative of an input.
    """
    if derivatives not in ("inputs", "states"):
        raise unknown_choice("derivatives", derivatives, ("inputs", "states"))
    i = _chosen(inputs, linear.input_names, "input")
    n, n_out = linear.n_states, linear.n_outputs
    everything = linear.output_names + linear.state_names
    o = _chosen(outputs, everything, "output")
    if outputs is None:
        o = list(range(n_out)) if n_out else list(range(n))
    pad = np.zeros((n, len(i)))
    C = np.vstack([linear.C, np.eye(n)])[o]
    D, D1, D2 = (np.vstack([m[:, i], pad])[o] for m in (linear.D, linear.D1, linear.D2))
    B, B1, B2 = (m[:, i] for m in (linear.B, linear.B1, linear.B2))
    units = tuple(s.unit for s in linear.outputs) + tuple(s.unit for s in linear.states)
    names = tuple(linear.input_names[k] for k in i)
    input_units = tuple(linear.inputs[k].unit for k in i)
    states, state_units = linear.state_names, tuple(s.unit for s in linear.states)
    if derivatives == "states":
        step = B1 + linear.A @ B2
        scale = np.abs(D1) + np.abs(C) @ np.abs(B2)
        feels = (np.abs(D1 + C @ B2) > 1e-14 * scale) | (D2 != 0)
        if feels.any():
            out, in_ = (int(k[0]) for k in np.nonzero(feels))
            raise BadArgumentError(
                f"the output {everything[o[out]]} feels a time derivative of the input {names[in_]}: take "
                "derivatives='inputs', or leave one of them out"
            )
        B, D = B + linear.A @ step, D + C @ step
        if step.any() or B2.any():
            moved = (step != 0).any(axis=1) | (B2 != 0).any(axis=1)
            states = tuple(f"{name}~" if m else name for name, m in zip(states, moved))
    else:
        columns = [(B, D, "")]
        columns += [(B1, D1, "'"), (B2, D2, "''")]
        b, d, more, more_units = [], [], [], []
        for left, right, mark in columns:
            acts = (left != 0).any(axis=0) | (right != 0).any(axis=0)
            keep = np.arange(len(i)) if not mark else np.flatnonzero(acts)
            b.append(left[:, keep])
            d.append(right[:, keep])
            more += [names[k] + mark for k in keep]
            by = {"": "", "'": "/s", "''": "/s^2"}[mark]
            more_units += [(input_units[k] or ("1" if by else "")) + by for k in keep]
        B, D = np.hstack(b), np.hstack(d)
        names, input_units = tuple(more), tuple(more_units)
    return StateSpace(
        linear.A,
        np.asarray(B),
        np.asarray(C),
        np.asarray(D),
        states,
        names,
        tuple(everything[k] for k in o),
        state_units,
        input_units,
        tuple(units[k] for k in o),
    )


def to_control(
    linear: Linear,
    *,
    inputs: Names | None = None,
    outputs: Names | None = None,
    derivatives: Literal["inputs", "states"] = "inputs",
) -> Any:
    """The linear model as a ``control.StateSpace`` of python-control, with the names of states, inputs and outputs.

    Needs the package control. States are deviations from the operating point; how that itself moves
    (:attr:`routh.Linear.affine`) is left out.

    Parameters
    ----------
    inputs, outputs, derivatives : optional
        ``inputs``, ``outputs`` and ``derivatives``: see :func:`routh.convert.state_space`.
    """
    control = needed("control", "a model of python-control needs")
    s = state_space(linear, inputs=inputs, outputs=outputs, derivatives=derivatives)
    # A dot stands for a subsystem's signal there.
    states, inputs, outputs = ([n.replace(".", "_") for n in names] for names in (s.states, s.inputs, s.outputs))
    return control.ss(
        s.A, s.B, s.C, s.D, states=states, inputs=inputs, outputs=outputs, name=linear.title.replace(".", "_") or None
    )


def to_scipy(
    linear: Linear,
    *,
    inputs: Names | None = None,
    outputs: Names | None = None,
    derivatives: Literal["inputs", "states"] = "inputs",
) -> Any:
    """The linear model as a ``scipy.signal.StateSpace``; needs scipy. Options as of :func:`to_control`."""
    signal = needed("scipy.signal", "a model of scipy needs")
    s = state_space(linear, inputs=inputs, outputs=outputs, derivatives=derivatives)
    return signal.StateSpace(s.A, s.B, s.C, s.D)


def _degrees(system: Any) -> list[tuple[int, int]]:
    """Of numerators and denominators of a transfer function, or zeros and poles of SciPy's."""
    if hasattr(system, "zeros") and hasattr(system, "poles") and not hasattr(system, "num"):
        return [(len(np.ravel(system.zeros)), len(np.ravel(system.poles)))]
    if not (hasattr(system, "num") and hasattr(system, "den")):
        return []

    def degree(polynomial: Any) -> int:
        return len(np.trim_zeros(np.asarray(polynomial, dtype=float), "f")) - 1

    num, den = system.num, system.den
    if isinstance(den, np.ndarray) and den.dtype != object and den.ndim == 1:  # SciPy's: one denominator
        return [(degree(n), degree(den)) for n in np.atleast_2d(num)]
    return [(degree(n), degree(d)) for row, below in zip(num, den) for n, d in zip(row, below)]


def _check_proper(system: Any) -> None:
    for above, below in _degrees(system):
        if above > below:
            raise BadArgumentError(
                f"a numerator has the degree {above} above degree {below} of its denominator: such a system differentiates its "
                "input; filter it, as s by s/(T s + 1) with a small time constant T"
            )


def matrices_of(system: Any) -> tuple[Array, Array, Array, Array, tuple[str, ...]]:
    """A, B, C and D of a continuous system of another package, and the names of its outputs where they have a place in
    expressions; else ``y1`` and so on.

    Raises
    ------
    ArgumentTypeError
        It is none, or a discrete one.
    """
    if isinstance(system, tuple) and len(system) == 4:
        parts: tuple[Any, ...] = system
        labels: tuple[str, ...] = ()
    else:
        step = getattr(system, "dt", None)
        if step is not None and step is not True and step != 0 or step is True:
            raise ArgumentTypeError(
                "the system is a discrete one, and a model's time is continuous; give a continuous one that stands for it, "
                "such as control.ss(A, B, C, D)"
            )
        if not all(hasattr(system, name) for name in "ABCD"):
            _check_proper(system)
            convert_ = getattr(system, "to_ss", None)  # of SciPy's transfer functions
            if convert_ is not None:
                system = convert_()
            elif hasattr(system, "num") and hasattr(system, "den"):
                system = needed("control", "a transfer function needs").tf2ss(system)
        if not all(hasattr(system, name) for name in "ABCD"):
            raise ArgumentTypeError(
                f"a system of python-control or SciPy, or a tuple (A, B, C, D), is needed, not {type(system).__name__}"
            )
        parts = tuple(getattr(system, name) for name in "ABCD")
        labels = tuple(getattr(system, "output_labels", None) or ())
    A, B, C, D = (np.atleast_2d(_api.reals(part, f"{name} of the system")) for name, part in zip("ABCD", parts))
    fits = all(re.fullmatch(r"[A-Za-z_]\w*", label, re.ASCII) for label in labels) and len(labels) == len(C)
    names = labels if fits else tuple(f"y{k + 1}" for k in range(len(C)))
    return A, B, C, D, names


def to_xarray(linear: Linear) -> Any:
    """All matrices as an ``xarray.Dataset`` over names; needs xarray. Units are coordinates."""
    xarray = needed("xarray", "a data set needs")
    p, v = linear.n_position, linear.n_position + linear.n_velocity
    states, velocities = list(linear.state_names), list(linear.state_names[p:v])
    there = {
        "state": states,
        "by": states,
        "input": list(linear.input_names),
        "output": list(linear.output_names),
        "velocity": velocities,
        "velocity_by": velocities,
        "position_by": states[:p],
        "control_by": states[v:],
        "unit": ("state", [s.unit for s in linear.states]),
        "value": ("state", [s.value for s in linear.states]),
        "input_unit": ("input", [s.unit for s in linear.inputs]),
        "output_unit": ("output", [s.unit for s in linear.outputs]),
    }
    over = {
        "A": ("state", "by"),
        **{name: ("state", "input") for name in ("B", "B1", "B2")},
        "C": ("output", "by"),
        **{name: ("output", "input") for name in ("D", "D1", "D2")},
        "affine": ("state",),
        "mass": ("velocity", "velocity_by"),
        "damping": ("velocity", "velocity_by"),
        "stiffness": ("velocity", "position_by"),
        "coupling": ("velocity", "control_by"),
        **{name: ("velocity", "input") for name in ("force", "force1", "force2")},
    }
    parts = {name: (dims, getattr(linear, name)) for name, dims in over.items()}
    return xarray.Dataset(parts, coords=there, attrs={"title": linear.title, "method": linear.method})


def to_pandas(linear: Linear, matrix: MatrixName = "A") -> Any:
    """A matrix as a ``pandas.DataFrame`` with names of rows and columns; needs pandas.

    Parameters
    ----------
    matrix : str, optional
        ``"A"``, ``"B"``, ``"B1"``, ``"B2"``, ``"C"``, ``"D"``, ``"D1"``, ``"D2"``, ``"mass"``, ``"damping"``,
        ``"stiffness"``, ``"coupling"``, ``"force"``, ``"force1"`` or ``"force2"``.
    """
    pandas = needed("pandas", "a data frame needs")
    p, v = linear.n_position, linear.n_position + linear.n_velocity
    states, velocities = linear.state_names, linear.state_names[p:v]
    inputs, outputs = linear.input_names, linear.output_names
    names = {
        "A": (states, states),
        **{name: (states, inputs) for name in ("B", "B1", "B2")},
        "C": (outputs, states),
        **{name: (outputs, inputs) for name in ("D", "D1", "D2")},
        "mass": (velocities, velocities),
        "damping": (velocities, velocities),
        "stiffness": (velocities, states[:p]),
        "coupling": (velocities, states[v:]),
        **{name: (velocities, inputs) for name in ("force", "force1", "force2")},
    }
    if matrix not in names:
        raise unknown_choice("matrix", matrix, names)
    rows, columns = names[matrix]
    return pandas.DataFrame(getattr(linear, matrix), index=list(rows), columns=list(columns))
