"""What follows from eigenvalues alone: here and nowhere else."""

from __future__ import annotations

import numpy as np

from routh._api import Array, ComplexArray

TWO_PI = 2 * np.pi


def damped_hz(s: ComplexArray) -> Array:
    """``|Im s| / 2 pi``, Hz."""
    return np.asarray(np.abs(np.imag(s)) / TWO_PI)


def damping_ratio(s: ComplexArray) -> Array:
    """``-Re s / |s|``; 0 of zero eigenvalues."""
    size = np.abs(s)
    return np.asarray(-np.real(s) / np.where(size == 0, 1, size) + 0.0)
