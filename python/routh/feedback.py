"""State feedback as expressions of a model.

A gain K of a design belongs to the states x of a linear model, which stand in no expression. Of measures of the user's,
the linear model knows ``y - y0 = C x``. Where these determine the states, C is inverted, and ::

    u = -K x = -K C^-1 (y - y0)

is a law of measures, valid beyond the linear model as these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import Array
from routh.errors import ArgumentTypeError, BadArgumentError
from routh.expressions import Expression, check_owner

if TYPE_CHECKING:
    from routh.linear import Linear
    from routh.model import Model

__all__ = ["state_feedback"]

SINGULAR = 1e-12  # smallest singular value of scaled C, below which measures do not determine the states


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


def _measured(model: Model, texts: Sequence[str], linear: Linear) -> Linear:
    """The same linear model with the measures as its only outputs."""
    point = linear._needed_point()
    coordinates = point.mechanism.coordinates
    if point.mechanism is not model._compiled(coordinates):
        raise BadArgumentError("the linear model belongs to another model, or to this one before it was changed")
    watched = model.copy()
    for output in watched.outputs.values():
        output.remove()
    for k, text in enumerate(texts):
        watched.output(f"feedback_{k + 1}", text)
    mechanism = watched._compiled(coordinates)
    found = mechanism.linearize(
        mechanism.operating_point_of(point),
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
    return found


def _inverse(texts: Sequence[str], found: Linear) -> Array:
    """Of C: states of measures."""
    felt = [text for text, signal, d in zip(texts, found.outputs, found.D) if signal.felt or d.any()]
    if felt:
        raise BadArgumentError(
            f"{felt[0]} feels inputs, accelerations or forces of joints, and a law of it would feel itself; take positions, "
            "angles and their rates"
        )
    n = found.n_states
    size = np.abs(found.C).max(axis=0, initial=0)
    scaled = found.C / np.where(size > 0, size, 1)
    if len(texts) != n or np.linalg.svd(scaled, compute_uv=False).min(initial=1) < SINGULAR:
        _, values, directions = np.linalg.svd(scaled)
        rank = int((values > SINGULAR).sum())
        unseen = np.abs(directions[rank:]).max(axis=0, initial=0)
        names = [name for name, part in zip(found.state_names, unseen) if part > 1e-6]
        why = f", which do not determine {', '.join(names)}" if names else ""
        raise BadArgumentError(f"{len(texts)} measures are given for {n} states{why}; give as many that determine them")
    inverse: Array = np.linalg.inv(scaled) / size[:, None]
    return inverse


def state_feedback(
    model: Model, K: npt.ArrayLike, measures: Sequence[str | Expression], linear: Linear
) -> list[Expression]:
    """The law ``u = -K x`` as expressions: see :meth:`routh.Model.state_feedback`."""
    from routh.linear import Linear

    if not isinstance(linear, Linear):
        raise ArgumentTypeError(f"a linear model is needed, as linearize() gives it, not a {type(linear).__name__}")
    if isinstance(measures, (str, Expression)):
        measures = [measures]
    for measure in measures:
        check_owner(measure, model, "a measure")
    texts = [str(measure) for measure in measures]
    gains = _gains(K, linear)
    found = _measured(model, texts, linear)
    law = -gains @ _inverse(texts, found)
    law[np.abs(law) < 1e-14 * np.abs(law).max(axis=1, initial=0, keepdims=True)] = 0
    made = []
    for row in law.tolist():
        terms = []
        for gain, text, signal in zip(row, texts, found.outputs):
            if gain:
                terms.append(f"{gain!r}*(({text}) - {signal.value!r})" if signal.value else f"{gain!r}*({text})")
        made.append(Expression(" + ".join(terms) or "0", _owner=model))
    return made
