"""Optimisation of parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Path
from routh._results import GoalValues, VariableValues
from routh._literals import Algorithm, Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh._watch import Progress
from routh.construction import text_of
from routh.studies._common import LongCall, Result, needed, operating_type

if TYPE_CHECKING:
    from routh.model import Model


@dataclass(frozen=True)
class Variable(VariableValues):
    """A parameter that was free: before and after, its bounds; `at_bound` -1 at the lower one, 1 at the upper one;
    `objective_by_bound`, the derivative of the best objective by that bound."""

    at_bound: int


@dataclass(frozen=True)
class Goal(GoalValues):
    """What was wished for: of the member that counts most before and after; `slack` to the nearer bound, negative
    where it is violated."""


class _Optimising(LongCall):
    def evaluated(self, evaluation: int, objective: float, violation: float) -> int:
        return self.tell(evaluation, 0, f"evaluations, objective {objective:.6g}, violation {violation:.2g}")


class Optimum(Result):
    """What :meth:`routh.Model.optimise` gives."""

    def __init__(self, pointer: Any, model: Model) -> None:
        self._c = pointer
        self._before = model

    @property
    def title(self) -> str:
        """Of the study, or else of the model."""
        return _api.text(self._c.title)

    @property
    def end(self) -> str:
        """``"converged"``, ``"limit of evaluations"`` and so on."""
        return _api.text(lib.routh_optimum_end_name(self._c.end))

    @property
    def converged(self) -> bool:
        """It came to an end by itself, and all bounds are kept to 1e-6."""
        return bool(self._c.end == lib.ROUTH_OPTIMISE_CONVERGED and self._c.violation <= 1e-6)

    @property
    def message(self) -> str:
        """What the algorithm said where it failed."""
        return _api.text(self._c.message)

    @property
    def interrupted(self) -> bool:
        """By Ctrl-C: the best so far is here."""
        return bool(self._c.end == lib.ROUTH_OPTIMISE_INTERRUPTED)

    @property
    def before(self) -> float:
        """Of the objective."""
        return float(self._c.before)

    @property
    def after(self) -> float:
        """Of the objective."""
        return float(self._c.after)

    @property
    def violation(self) -> float:
        """Largest of a bound in the end, relative; 0: none."""
        return float(self._c.violation)

    @property
    def optimality(self) -> float:
        """0 at a local optimum; NaN where bounds are violated."""
        return float(self._c.optimality)

    @property
    def n_evaluations(self) -> int:
        return int(self._c.n_evaluations)

    @cached_property
    def variables(self) -> dict[str, Variable]:
        items = zip(self._c.variables[0 : self._c.n_variables], self.json()["variables"])
        return {_api.text(v.name): _api.row(Variable, v, saved) for v, saved in items}

    @cached_property
    def goals(self) -> dict[str, Goal]:
        items = zip(self._c.goals[0 : self._c.n_goals], self.json()["goals"])
        return {_api.text(g.name): _api.row(Goal, g, saved) for g, saved in items}

    @cached_property
    def model(self) -> Model:
        """The model with the values found."""
        return self._before.with_settings(settings={v.name: v.after for v in self.variables.values()})

    def table(self, units: str | None = None) -> str:
        """What ``routh optimise`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.written(lib.routh_optimum_table, self._c, _api.shown_units(units))

    def json(self) -> Any:
        """What ``routh optimise --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_optimum_json, self._c))

    def columns(self) -> dict[str, Any]:
        """A row for each variable and each goal."""
        rows: list[Any] = [*self.variables.values(), *self.goals.values()]
        kinds = ["variable"] * len(self.variables) + ["goal"] * len(self.goals)
        return {"kind": kinds, **{n: [getattr(r, n) for r in rows] for n in ("name", "before", "after", "low", "high")}}

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over the variables and the goals, these named as ``goal_before`` and so on; needs
        xarray."""
        xarray = needed("xarray", "a data set needs")
        numbers = ("before", "after", "low", "high", "objective_by_bound")
        over: tuple[tuple[str, str, list[Any], tuple[str, ...]], ...] = (
            ("variable", "", list(self.variables.values()), (*numbers, "at_bound")),
            ("goal", "goal_", list(self.goals.values()), (*numbers, "slack", "active")),
        )
        return xarray.Dataset(
            {mark + field: (kind, [getattr(r, field) for r in rows]) for kind, mark, rows, all in over for field in all},
            coords={
                "variable": list(self.variables),
                "goal": list(self.goals),
                "goal_unit": ("goal", [goal.unit for goal in self.goals.values()]),
            },
            attrs={"title": self.title, "end": self.end, "before": self.before, "after": self.after},
        )

    def _caption(self) -> str:
        return f"{self.title}: {self.end}, objective {self.before:.5g} \u2192 {self.after:.5g}"


def _study(study: Path | Mapping[str, Any], held: _api.Arguments, model: Model) -> tuple[Any, Any]:
    """The study's name and, where it is none of a file, its text."""
    if isinstance(study, Mapping):
        return held.text("study"), held.text(text_of(study, "study", model))
    if isinstance(study, str) and "\n" in study:
        return held.text("study"), held.text(study)
    return held.text(_api.encoded_path(study)), _api.NULL


def optimise(
    model: Model,
    study: Path | Mapping[str, Any],
    *,
    at: PointType | None = None,
    coordinates: Coordinates | None = None,
    method: Method | None = None,
    reference: str | None = None,
    algorithm: Algorithm | None = None,
    evaluations: int = 0,
    seconds: float = 0.0,
    log: Path | None = None,
    resume: bool = False,
    progress: Progress = False,
) -> Optimum:
    """Places frequencies and damping ratios and lowers peaks within bounds, by exact derivatives. The command
    ``routh optimise``; needs a library with NLopt.

    Ctrl-C stops it with the best so far.

    Parameters
    ----------
    study : mapping, path-like or str
        What a study file has, as ``{"variables": {"k": {"between": [1e4, 4e4]}}, "goals": {..}}``; the file, or its text of
        several lines.
    at : {"given", "static", "steady"}, optional
    coordinates, method, reference : str, optional
        As of :meth:`routh.Model.linearize`.
    algorithm : {"slsqp", "mma", "ccsa"}, optional
        Where left out the study's.
    evaluations, seconds : optional
        Most of them; 0: the study's.
    log : path-like, optional
        File that gets a line for every evaluation.
    resume : bool, optional
        Go on from the log.
    progress : bool, optional
        Show evaluations on standard error.
    """
    held = _api.Arguments()
    options = _api.filled("routh_optimum_options *", lib.routh_optimum_defaults())
    options.type = operating_type(at)
    options.coordinates = held.text(coordinates)
    options.method = held.text(method)
    options.reference = held.text(reference)
    options.algorithm = held.text(algorithm)
    options.evaluations, options.seconds = evaluations, seconds
    options.log = held.text(None if log is None else _api.encoded_path(log))
    options.resume = resume
    c_model = model._c_model()
    with _Optimising(progress, "optimisation") as call:
        options.on_evaluation, options.data = lib.routh_py_on_evaluation, call.handle
        pointer = _api.made(
            lib.routh_optimum_find_of_model,
            lib.routh_optimum_free,
            "routh_optimum",
            c_model,
            *_study(study, held, model),
            options,
        )
        call.kept = pointer.end == lib.ROUTH_OPTIMISE_INTERRUPTED
    return Optimum(pointer, model)
