"""Answers about a model and its modes: checked, verified, and the branches at a singular configuration.

Made by methods of the objects that they are about: :meth:`routh.Model.check`, :meth:`routh.Modes.verify`,
:meth:`routh.OperatingPoint.branches`. The first two have ``table()``, the text
that the program prints, and ``json()`` where the program writes one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Array, ComplexArray
from routh._carry import Held, Record
from routh._results import CheckCellValues, FindingValues, VerifiedModeValues
from routh._literals import Integrator, PointType
from routh._routh import ffi, lib
from routh._watch import Progress, Watch
from routh.operating import _operating_options, _results

if TYPE_CHECKING:
    from routh.model import Model
    from routh.modes import Modes
    from routh.operating import OperatingPoint

__all__ = [
    "Branch",
    "Branches",
    "Check",
    "CheckCell",
    "Verification",
    "VerifiedMode",
    "Finding",
]


def _verdict(code: int) -> str:
    return _api.text(lib.routh_verdict_name(code))


# ---- check -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding(FindingValues):
    """An answer of a check: ``"yes"``, ``"no"`` or ``"cannot tell"``, with what was found over what
    is allowed (`margin`, at most 1 where the answer is yes; NaN where there is no such figure)."""

    def __bool__(self) -> bool:
        return self.verdict == "yes"


@dataclass(frozen=True)
class CheckCell(CheckCellValues):
    """One coordinate set with one method: `state` is ``"reference"``, ``"compared"``,
    ``"refused"``, ``"failed"`` or ``"left out"``, `why` says why. `difference` is the largest
    distance between eigenvalues over the spectral radius, `margin` that over what is allowed."""


class Check(Held):
    """Is a model what it seems, and do all ways to its linear model agree?

    True where every answer is yes. Made by :meth:`routh.Model.check`.
    """

    def __init__(self, pointer: Any, c_model: Any) -> None:
        self._c = pointer
        self._c_model = c_model

    @property
    def verdict(self) -> str:
        """``"no"`` where one answer is no, else ``"cannot tell"`` where one is that, else
        ``"yes"``."""
        return _verdict(self._c.verdict)

    def __bool__(self) -> bool:
        return self.verdict == "yes"

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The answers by their names: ``"rank"``, ``"constraints"``, .."""
        items = zip(self._c.findings[0 : self._c.n_findings], self.json()["answers"])
        return {_api.text(f.name): _api.row(Finding, f, saved) for f, saved in items}

    @cached_property
    def cells(self) -> tuple[CheckCell, ...]:
        """Every coordinate set by every method."""
        items = zip(self._c.cells[0 : self._c.n_cells], self.json()["cells"])
        return tuple(_api.row(CheckCell, c, saved, verdict=_verdict(c.verdict)) for c, saved in items)

    @property
    def degrees_of_freedom(self) -> int:
        return int(self._c.degrees_of_freedom)

    @property
    def degrees_nearby(self) -> int:
        """A little away from here; another number in a singular configuration."""
        return int(self._c.degrees_nearby)

    @property
    def gruebler(self) -> int:
        """6 bodies - rows of joints - rows of motions."""
        return int(self._c.gruebler)

    @cached_property
    def digits(self) -> Array:
        """How many leading digits of each eigenvalue of the reference are right; empty where
        there are none."""
        n = self._c.modes.n if self._c.modes else 0
        return _api.view(self._c, self._c.digits, n)

    def _results(self) -> Any:
        return _results(self._c_model, check=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh check`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_check_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh check --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_check_json, self._results()))

    def __repr__(self) -> str:
        return f"<routh.Check: {self.verdict}; {len(self.findings)} answers>"


def check(
    model: Model,
    type: PointType | None,
    reference: str | None,
    tolerance: float | None,
    threads: int,
    progress: Progress,
) -> Check:
    """:meth:`routh.Model.check`."""
    held = _api.Arguments()
    options = _api.filled("routh_check_options *", lib.routh_check_defaults())
    options.operating = _operating_options(type, None, None, False)[0]
    options.reference = held.text(reference)
    if tolerance is not None:
        options.tolerance = tolerance
    options.threads = threads
    c_model = model._c_model()
    with Watch(options, progress, "check", "cells"):
        pointer = _api.made(
            lib.routh_check_run,
            lib.routh_check_free,
            "routh_check",
            c_model,
            options,
            keep=c_model,
        )
    return Check(pointer, c_model)


# ---- verify ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class VerifiedMode(VerifiedModeValues):
    """One eigenvalue compared with the simulated motion: `verdict` as ``"confirmed"``, `why` where
    it is not; `found` there (NaN where it was not), which may be off by `bar` (real and imaginary
    part); `distance` over what is allowed, at most 1 where confirmed."""


class Verification(Held):
    """Eigenvalues verified by simulation: the nonlinear model was excited, and frequencies and
    damping were read from its motion, without the linear model. Made by
    :meth:`routh.Modes.verify`."""

    def __init__(self, pointer: Any, modes: Modes) -> None:
        self._c = pointer
        self._modes = modes

    @cached_property
    def modes(self) -> tuple[VerifiedMode, ...]:
        """One of each pair, and the real ones."""
        items = zip(self._c.modes[0 : self._c.n_modes], self.json()["modes"])
        return tuple(_api.row(VerifiedMode, m, saved) for m, saved in items)

    @property
    def n_confirmed(self) -> int:
        return int(self._c.n_confirmed)

    @property
    def n_not_seen(self) -> int:
        return int(self._c.n_not_seen)

    @property
    def n_contradicted(self) -> int:
        return int(self._c.n_contradicted)

    @cached_property
    def unexplained(self) -> tuple[complex, ...]:
        """What the response holds and no eigenvalue explains."""
        return tuple(
            complex(u.found[0], u.found[1])
            for u in self._c.unexplained[0 : self._c.n_unexplained]
        )

    @property
    def duration(self) -> float:
        """Of the record, s."""
        return float(self._c.duration)

    @property
    def resolution(self) -> float:
        """Distance of the spectrum's lines, Hz."""
        return float(self._c.resolution)

    @cached_property
    def spectrum(self) -> Array:
        """Of the response, shape (n_lines,), 0 Hz first."""
        return _api.view(self._c, self._c.spectrum, self._c.n_lines)

    def _results(self) -> Any:
        return self._modes._results(verification=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh verify`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_verification_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh verify --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_verification_json, self._results()))

    def csv(self) -> str:
        """What ``routh verify --csv`` prints."""
        return _api.written(lib.routh_verification_csv, self._results())

    def __repr__(self) -> str:
        return (
            f"<routh.Verification: {self.n_confirmed} confirmed, {self.n_not_seen} not seen, "
            f"{self.n_contradicted} contradicted>"
        )


def verify(
    modes: Modes,
    duration: float,
    amplitude: float,
    seed: int | None,
    integrator: Integrator | None,
    below: float,
    progress: Progress,
) -> Verification:
    """:meth:`routh.Modes.verify`."""
    held = _api.Arguments()
    options = _api.filled("routh_verification_options *", lib.routh_verification_defaults())
    options.duration = duration
    options.amplitude = amplitude
    options.below = below
    if seed is not None:
        options.seed = seed
    options.integrator = held.text(integrator)
    point = modes.linear._needed_point()
    mechanism = point.mechanism._c
    with Watch(options, progress, "verification", "samples"):
        pointer = _api.made(
            lib.routh_verification_run,
            lib.routh_verification_free,
            "routh_verification",
            mechanism,
            point._c,
            modes.linear._c,
            modes._c,
            options,
            keep=(mechanism, modes._c),
        )
    return Verification(pointer, modes)


# ---- branches at singular configurations -------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Branch(Record):
    """One of the motions that meet: `certain` where the constraints to second order prove it;
    `motion`, shape (degrees_of_freedom, n_bodies, 6), is the displacement of each centre of mass
    and its rotation vector, world axes."""

    degrees_of_freedom: int
    certain: bool
    eigenvalues: ComplexArray
    motion: Array


@dataclass(frozen=True, eq=False)
class Branches(Record):
    """Motions that meet in a singular configuration: `singular` where the constraints to second
    order allow less than to first, `all` where there are no more than these; `undetermined` are
    joints whose forces the balance leaves open."""

    degrees_of_freedom: int
    nearby: int
    singular: bool
    all: bool
    branches: tuple[Branch, ...]
    undetermined: tuple[str, ...]


def branches(point: OperatingPoint) -> Branches:
    """:meth:`routh.OperatingPoint.branches`."""
    c = _api.made(
        lib.routh_branches_find,
        lib.routh_branches_free,
        "routh_branches",
        point.mechanism._c,
        point._c,
        keep=point._c,
    )
    return Branches(
        c.degrees_of_freedom,
        c.nearby,
        bool(c.singular),
        bool(c.all),
        tuple(
            Branch(
                b.degrees_of_freedom,
                bool(b.certain),
                _api.complex_view(c, b.eigenvalues, b.n_eigenvalues),
                _api.view(c, b.motion, b.degrees_of_freedom, c.n_bodies, 6),
            )
            for b in c.branches[0 : c.n]
        ),
        _api.texts(c.undetermined, c.n_undetermined),
    )
