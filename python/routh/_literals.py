"""The words that calls take, as types; written by python/write_literals.py from the tables of the library."""

from __future__ import annotations

from typing import Literal

Coordinates = Literal[
    "absolute",
    "euler-parameters",
    "euler-angles",
    "relative",
    "natural",
]
"""Coordinate sets."""

Method = Literal[
    "auto",
    "augmented",
    "minimal",
    "redundant",
    "penalty",
    "difference",
    "minimal:sparse",
    "minimal:partition",
    "minimal:qr",
    "minimal:svd",
    "minimal:zero-eigenvalue",
    "minimal:gram-schmidt",
]
"""Methods of linearization; a family's name alone is its first variant."""

Integrator = Literal[
    "hht",
    "generalized-alpha",
    "explicit-runge-kutta",
    "adams",
    "bdf",
]
"""Integrators of motions; not every build has all of them."""

Format = Literal[
    "json",
    "mat",
    "hdf5",
    "npz",
    "csv",
    "mtx",
]
"""Formats of files of linear models."""

Algorithm = Literal[
    "slsqp",
    "mma",
    "ccsa",
]
"""Algorithms of optimisation."""

Solve = Literal[
    "limits",
    "critical",
    "crossings",
    "veerings",
    "all",
    "none",
]
"""What a sweep solves for."""

PointType = Literal[
    "given",
    "static",
    "steady",
]
"""Types of operating points."""
