"""Two mechanisms compared mode by mode, and two values of parameters."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, ComplexArray, IntArray
from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError
from routh.studies._common import Result

if TYPE_CHECKING:
    from routh.modes import Modes

__all__ = ["Comparison", "ModePair"]

NODES = 6  # of the quadrature, as the program takes


@dataclass(frozen=True)
class ModePair:
    """A mode of each of the two that are the same one: their places `mode` in the modes, numbers as
    tables count, eigenvalues, and `overlap` of left and right vectors, 1 for the same mode. It is no share: as
    left and right vectors differ, it may be above 1 between two models. How far sums of
    parts are from the change: `closure` of those by elements, `parameters_left` of those by parameters (NaN
    where there are none), over the eigenvalue and the parts."""

    mode: tuple[int, int]
    number: tuple[int, int]
    eigenvalue: tuple[complex, complex]
    overlap: float
    closure: float
    parameters_left: float


class Comparison(Result):
    """Which mode became which, and what moved it by how much. Made by :meth:`routh.Model.compare` and
    :meth:`routh.Modes.compare`."""

    def __init__(self, pointer: Any, first: Modes, second: Modes) -> None:
        self._c = pointer
        self._first = first
        self._second = second

    @cached_property
    def pairs(self) -> tuple[ModePair, ...]:
        """In the order of the first one's modes."""
        return tuple(
            ModePair(
                (p.mode[0], p.mode[1]),
                (p.number[0], p.number[1]),
                (complex(*p.eigenvalue[0]), complex(*p.eigenvalue[1])),
                p.overlap,
                p.closure,
                p.parameters_left,
            )
            for p in self._c.pairs[0 : self._c.n_pairs]
        )

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """What changes are shared among: ``"body rotor"``, ``"load mount"``, ``"states"``, .."""
        return _api.texts(self._c.terms, self._c.n_terms)

    def _parts(self, member: str) -> Any:
        c = self._c
        flat = _api.member_view(c, c.parts, c.n_pairs * c.n_terms, member)
        return flat.reshape(c.n_pairs, c.n_terms)

    @cached_property
    def eigenvalue_parts(self) -> ComplexArray:
        """Parts of the change of the eigenvalue, shape (n_pairs, n_terms), 1/s and rad/s; of a
        pair they sum to it."""
        parts: ComplexArray = self._parts("eigenvalue")
        return parts

    @cached_property
    def frequency_parts(self) -> Array:
        """The same of the undamped frequency, Hz."""
        parts: Array = self._parts("frequency_hz")
        return parts

    @cached_property
    def damping_parts(self) -> Array:
        """The same of the damping ratio."""
        parts: Array = self._parts("damping_ratio")
        return parts

    # ---- by parameters ----

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Those whose values differ, where these were compared; else empty."""
        return _api.texts(self._c.parameters, self._c.n_parameters)

    @cached_property
    def parameter_values(self) -> Array:
        """Of the two, shape (2, n_parameters)."""
        c = self._c
        rows = [_api.view(c, c.values[k], c.n_parameters) for k in range(2)]
        return np.stack(rows)

    def _by_parameter(self, member: str) -> Any:
        c = self._c
        flat = _api.member_view(c, c.by_parameter, c.n_pairs * c.n_parameters, member)
        return flat.reshape(c.n_pairs, c.n_parameters)

    @cached_property
    def eigenvalue_by_parameter(self) -> ComplexArray:
        """What of the change of the eigenvalue each parameter makes on the straight way from the first values to the
        second, shape (n_pairs, n_parameters), 1/s and rad/s: exact derivatives, integrated by Gauss and Legendre."""
        parts: ComplexArray = self._by_parameter("eigenvalue")
        return parts

    @cached_property
    def frequency_by_parameter(self) -> Array:
        """The same of the undamped frequency, Hz."""
        parts: Array = self._by_parameter("frequency_hz")
        return parts

    @cached_property
    def damping_by_parameter(self) -> Array:
        """The same of the damping ratio."""
        parts: Array = self._by_parameter("damping_ratio")
        return parts

    @cached_property
    def alone(self) -> tuple[IntArray, IntArray]:
        """Modes of each that have no partner, by numbers as tables count."""
        c = self._c
        first, second = (_api.int_view(c, c.alone[k], c.n_alone[k]) for k in range(2))
        return first, second

    def table(self, units: str | None = None) -> str:
        """What ``routh compare`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        shown = _api.shown_units(units)
        first, second = self._first._results(units=shown), self._second._results()
        return _api.written(lib.routh_comparison_table, self._c, first, second)

    def json(self) -> Any:
        """What ``routh compare --json`` prints, parsed."""
        return json.loads(
            _api.written(
                lib.routh_comparison_json,
                self._c,
                self._first._results(),
                self._second._results(),
            )
        )

    def columns(self) -> dict[str, Any]:
        """A row for each pair and each term, of elements and then of parameters."""
        names = [f"parameter {name}" for name in self.parameters]
        n_pairs, n = len(self.pairs), len(self.terms) + len(names)

        def both(by_terms: Any, by_parameters: Any) -> Any:
            return np.concatenate([by_terms, by_parameters], axis=1).ravel()

        return {
            "mode": np.repeat([pair.number[0] for pair in self.pairs], n),
            "other_mode": np.repeat([pair.number[1] for pair in self.pairs], n),
            "part": [*self.terms, *names] * n_pairs,
            "eigenvalue": both(self.eigenvalue_parts, self.eigenvalue_by_parameter),
            "frequency_hz": both(self.frequency_parts, self.frequency_by_parameter),
            "damping_ratio": both(self.damping_parts, self.damping_by_parameter),
        }

    def _caption(self) -> str:
        return f"{self._first.linear.title}: {len(self.pairs)} pairs of modes"


def _compared(modes: Modes, to: Any = None) -> Any:
    """``routh_compared *`` of modes that must outlive its use."""
    point = modes.linear._needed_point()
    compared = ffi.new("routh_compared *") if to is None else to
    compared.mechanism = point.mechanism._c
    compared.point = point._c
    compared.linear = modes.linear._c
    compared.modes = modes._c
    return compared


def compare(first: Modes, second: Modes) -> Comparison:
    """:meth:`routh.Modes.compare`."""
    from routh.modes import Modes

    if not isinstance(second, Modes):
        raise ArgumentTypeError(f"modes are compared with modes, as model.linearize().modes() gives them, not with {second!r}")
    pair = [_compared(modes) for modes in (first, second)]
    return Comparison(
        _api.made(
            lib.routh_comparison_compute,
            lib.routh_comparison_free,
            "routh_comparison",
            *pair,
            keep=(first._c, second._c),
        ),
        first,
        second,
    )


class _Path:
    """Modes at places between two models, which stay until the second call after."""

    def __init__(self, at: Callable[[float], Modes]) -> None:
        self.at = at
        self.kept: list[Modes] = []
        self.failed: BaseException | None = None
        self.handle = ffi.new_handle(self)


def _place(context: Any, t: float, there: Any, error: Any) -> int:
    path: _Path = ffi.from_handle(context)
    modes = path.at(t)
    path.kept = [*path.kept[-1:], modes]
    _compared(modes, there)
    return int(lib.ROUTH_OK)


def _raised(kind: Any, value: BaseException, trace: Any) -> None:
    ffi.from_handle(trace.tb_frame.f_locals["context"]).failed = value


ffi.def_extern(name="routh_py_compare_at", error=lib.ROUTH_STOPPED, onerror=_raised)(_place)


def by_parameters(comparison: Comparison, names: Sequence[str], at: Callable[[float], Modes]) -> None:
    """Adds parts by parameters; at(t) are the modes at the part t of the way. What goes wrong there is raised."""
    path = _Path(at)
    way = ffi.new("routh_compare_path *")
    way.context, way.at = path.handle, lib.routh_py_compare_at
    held = _api.Arguments()
    pair = [_compared(comparison._first), _compared(comparison._second)]
    error = ffi.new("routh_error *")
    status = lib.routh_comparison_by_parameters(comparison._c, *pair, way, held.names(names), NODES, error)
    if path.failed is not None:
        raise path.failed
    _api.check(status, error)
