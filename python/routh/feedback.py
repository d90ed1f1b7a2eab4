"""State feedback as expressions of a model.

A gain K of a design belongs to the states x of a linear model, which stand in no expression. Of measures of the user's,
the linear model knows ``y - y0 = C x``. Where these determine the states, C is inverted, and ::

    u = -K x = -K C^-1 (y - y0)

is a law of measures, valid beyond the linear model as these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from routh import _api, _warnings
from routh._api import Array
from routh.errors import ArgumentTypeError, BadArgumentError, Error
from routh.expressions import Expression, check_owner

if TYPE_CHECKING:
    from routh.linear import Linear, Signal
    from routh.model import Model

__all__ = ["state_feedback"]

SINGULAR = 1e-12  # smallest singular value of C without units, below which measures do not determine the states


def _gains(K: npt.ArrayLike, linear: Linear) -> Array:
    gains: Array = np.atleast_2d(_api.reals(K, "K"))
    if gains.ndim != 2 or gains.shape[1] != linear.n_states:
        raise BadArgumentError(
            f"K has the shape {np.shape(K)}, but a column for each of the {linear.n_states} states is needed: "
            f"{', '.join(linear.state_names)}"
        )
    for (row, column), gain in np.ndenumerate(gains):
        if not np.isfinite(gain):
            raise BadArgumentError(f"K[{row}, {column}] is {gain}; a finite number is needed")
    return gains


class _Measured(NamedTuple):
    """Measures in the states of a linear model: ``y - y0 = C x + D u``."""

    texts: list[str]
    signals: list[Signal]
    C: Array
    D: Array


def _measured(model: Model, texts: list[str], linear: Linear) -> _Measured:
    """By the same linear model with the measures as further outputs."""
    point = linear._needed_point()
    coordinates = point.mechanism.coordinates
    if point.mechanism is not model._compiled(coordinates):
        raise BadArgumentError("the linear model belongs to another model, or to this one before it was changed")
    watched = model.copy()
    prefix = "feedback"
    while any(name.startswith(prefix) for name in watched.outputs):
        prefix += "_"
    names = [f"{prefix}_{k + 1}" for k in range(len(texts))]
    for name, text in zip(names, texts):
        watched.output(name, text)
    mechanism = watched._compiled(coordinates)
    steady = point.type == "steady"  # of which a moving frame of reference needs to be
    found = mechanism.linearize(
        mechanism.operating_point("steady", start=point) if steady else mechanism.operating_point_of(point),
        reference=linear.reference,
        states=linear.state_names[: linear.n_position],
        shares=False,
        markers=False,
    )
    if found.state_names != linear.state_names:
        raise BadArgumentError(
            f"these states are not found anew from their names ({', '.join(linear.state_names)}); linearize with states= "
            "of your own"
        )
    rows = [[signal.name for signal in found.outputs].index(name) for name in names]
    changing = _changing(watched, found, names, found.C[rows])
    _warnings.tell([f"{text} {why}" for text, why in zip(texts, changing) if why], _warnings.LinearWarning)
    return _Measured(texts, [found.outputs[k] for k in rows], found.C[rows], found.D[rows])


def _changing(model: Model, found: Linear, names: list[str], C: Array) -> list[str | None]:
    """For each measure what the matter is with it where the operating point moves: others a tenth of a radian later."""
    point = found.point
    assert point is not None
    turning = max((np.abs(each).max() for each in point.angular_velocities.values()), default=0)
    fastest = max(turning, max((np.abs(each).max() for each in point.velocities.values()), default=0))
    if not fastest:
        return [None] * len(names)
    growth = max(np.linalg.eigvals(found.A).real.max(initial=0), 1e-300)
    step = min(0.1 / (turning or fastest), 2 / growth)  # what grows by itself stays small
    try:
        history = model.simulate(point.time + step, at=point, coordinates=point.mechanism.coordinates, every=step, channels=["outputs"])
    except Error as problem:
        return [f"may change along the motion of the operating point, which was not followed: {problem}"] * len(names)
    n = found.n_position
    sizes = np.abs(C[:, :n]).max(axis=1, initial=0) * step + np.abs(C[:, n:]).max(axis=1, initial=0)
    change = np.array([np.abs(np.ptp(history[f"outputs/{name}"])) for name in names])
    why = "changes along the motion of the operating point, and its law stops that; subtract the motion, as in AZ(rotor) - 50*TIME"
    return [why if much else None for much in change > 1e-4 * fastest * sizes]


def _inverse(found: _Measured, states: Sequence[str]) -> Array:
    """Of C: states of measures."""
    felt = [text for text, signal, d in zip(found.texts, found.signals, found.D) if signal.felt or d.any()]
    if felt:
        raise BadArgumentError(
            f"{felt[0]} feels inputs, accelerations or forces of joints, and a law of it would feel itself; take positions, "
            "angles and their rates"
        )
    n = len(states)
    rows, columns = _sizes(found.C)
    scaled = found.C / rows[:, None] / columns
    if len(found.texts) != n or np.linalg.svd(scaled, compute_uv=False).min(initial=1) < SINGULAR:
        _, values, directions = np.linalg.svd(scaled)
        rank = int((values > SINGULAR).sum())
        unseen = np.abs(directions[rank:]).max(axis=0, initial=0)
        names = [name for name, part in zip(states, unseen) if part > 1e-6]
        why = f", which do not determine {', '.join(names)}" if names else ""
        raise BadArgumentError(f"{len(found.texts)} measures are given for {n} states{why}; give as many that determine them")
    inverse: Array = np.linalg.inv(scaled) / columns[:, None] / rows
    return inverse


def _sizes(C: Array) -> tuple[Array, Array]:
    """Of rows and columns, whatever units measures and states are in: without them the largest of each is about 1."""
    rows, columns = np.ones(C.shape[0]), np.ones(C.shape[1])
    for _ in range(4):
        for sizes, axis in ((rows, 1), (columns, 0)):
            largest = np.abs(C / rows[:, None] / columns).max(axis=axis, initial=0)
            sizes *= np.where(largest > 0, largest, 1)
    return rows, columns


def _law(gains: Array, inverse: Array) -> Array:
    """``-K C^-1``, where what terms that cancel leave of each other is zero."""
    law: Array = -gains @ inverse
    law[np.abs(law) < 1e-14 * (np.abs(gains) @ np.abs(inverse))] = 0
    return law


def state_feedback(
    model: Model, K: npt.ArrayLike, measures: Sequence[str | Expression], linear: Linear
) -> list[Expression]:
    """The law ``u = -K x`` as expressions: see :meth:`routh.Model.state_feedback`."""
    from routh.linear import Linear, Signal

    if not isinstance(linear, Linear):
        raise ArgumentTypeError(f"a linear model is needed, as linearize() gives it, not a {type(linear).__name__}")
    if isinstance(measures, (str, Expression)):
        measures = [measures]
    for measure in measures:
        check_owner(measure, model, "a measure")
    texts = [str(measure) for measure in measures]
    gains = _gains(K, linear)
    found = _measured(model, texts, linear)
    law = _law(gains, _inverse(found, linear.state_names))
    made = []
    for row in law.tolist():
        terms = []
        for gain, text, signal in zip(row, texts, found.signals):
            if gain:
                terms.append(f"{gain!r}*(({text}) - {signal.value!r})" if signal.value else f"{gain!r}*({text})")
        made.append(Expression(" + ".join(terms) or "0", _owner=model))
    return made
