"""Where the matrices of a mechanism, and their factors, have entries."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from routh import _api
from routh._api import IntArray
from routh._carry import Held
from routh._routh import lib
from routh.errors import unknown_name
from routh.operating import OperatingPoint

__all__ = ["Pattern", "Sparsity"]


class Pattern:
    """Where a matrix has entries that are not zero, in compressed columns."""

    def __init__(self, owner: Any, pattern: Any) -> None:
        self._owner = owner
        self._c = pattern

    @property
    def name(self) -> str:
        """``"M"``, ``"[M G'; G 0]"``, ``"L"`` and so on."""
        return _api.text(self._c.name)

    @property
    def about(self) -> str:
        """One line."""
        return _api.text(self._c.about)

    @property
    def factor_of(self) -> int | None:
        """Of factors: which pattern they are of, its place in the list; None of others."""
        return None if self._c.factor_of < 0 else int(self._c.factor_of)

    @property
    def shape(self) -> tuple[int, int]:
        return self._c.n_rows, self._c.n_columns

    @cached_property
    def start(self) -> IntArray:
        """Where each column begins in `row`, shape (n_columns + 1,)."""
        return _api.int_view(self._owner, self._c.start, self._c.n_columns + 1)

    @cached_property
    def row(self) -> IntArray:
        """Rows of the entries, column by column, ascending, shape (n_entries,)."""
        return _api.int_view(self._owner, self._c.row, self.n_entries)

    @property
    def n_entries(self) -> int:
        return int(self._c.start[self._c.n_columns])

    def matrix(self) -> Any:
        """As a SciPy matrix of True, a copy; needs scipy."""
        from routh.studies._common import needed

        sparse = needed("scipy.sparse", "a sparse matrix needs", "scipy")
        entries = np.ones(self.n_entries, dtype=bool)
        return sparse.csc_matrix((entries, self.row.copy(), self.start.copy()), shape=self.shape)

    def __repr__(self) -> str:
        return f"<routh.Pattern {self.name}: {self.shape[0]} x {self.shape[1]}, {self.n_entries} entries>"


class Sparsity(Held):
    """Patterns of the matrices at an operating point and of their factors; made by :meth:`routh.OperatingPoint.sparsity`."""

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """M, K, D, G, the saddle-point matrix with L and U; about a state of rest E, A and A - s E with L and U."""
        return tuple(Pattern(self._c, _api.part(self._c, self._c.patterns + k)) for k in range(self._c.n))

    def __getitem__(self, name: str) -> Pattern:
        """The first pattern of the name."""
        for pattern in self.patterns:
            if pattern.name == name:
                return pattern
        raise unknown_name("pattern", name, [p.name for p in self.patterns])

    def svg(self) -> str:
        """A picture with a panel for each pattern, as ``routh linearize --sparsity`` draws it."""
        return _api.written(lib.routh_sparsity_svg, self._c)

    def save(self, path: _api.Path) -> None:
        """Writes the picture to a file, which is whole or as it was."""
        _api.save_text(self.svg(), path)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<routh.Sparsity: {len(self.patterns)} patterns>"


def sparsity(point: OperatingPoint) -> Sparsity:
    """:meth:`routh.OperatingPoint.sparsity`."""
    mechanism = point.mechanism._c
    return Sparsity(
        _api.made(
            lib.routh_sparsity_find,
            lib.routh_sparsity_free,
            "routh_sparsity",
            mechanism,
            point._c,
            keep=mechanism,
        )
    )
