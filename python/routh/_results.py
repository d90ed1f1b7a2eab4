"""The numbers of results, an attribute each; written by tools/renew.py from the tables by which the library writes
results.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from routh._api import Array, ComplexArray, IntArray


class MultiplierColumns:
    """The numbers of all, an array each."""

    def _member(self, name: str) -> Any:
        raise NotImplementedError

    @cached_property
    def multipliers(self) -> ComplexArray:
        """Shape (n,): Floquet multiplier, ``[re, im]`` with im >= 0."""
        values: ComplexArray = self._member("multiplier")
        return values

    @cached_property
    def pair(self) -> IntArray:
        """Shape (n,): true: the conjugate is a multiplier too."""
        values: IntArray = self._member("pair")
        return values

    @cached_property
    def trivial(self) -> IntArray:
        """Shape (n,): true: the multiplier 1 of a shift along the motion."""
        values: IntArray = self._member("trivial")
        return values

    @cached_property
    def modulus(self) -> Array:
        """Shape (n,): of the multiplier."""
        values: Array = self._member("modulus")
        return values

    @cached_property
    def multiplier_errors(self) -> Array:
        """Shape (n,): change of the multiplier with half the steps."""
        values: Array = self._member("error")
        return values

    @cached_property
    def condition(self) -> Array:
        """Shape (n,): condition number of the multiplier as an eigenvalue, 1 or more."""
        values: Array = self._member("condition")
        return values

    @cached_property
    def exponents(self) -> ComplexArray:
        """Shape (n,): ``[re, im]`` with im >= 0, in 1/s and rad/s, with the harmonic [1/s]."""
        values: ComplexArray = self._member("exponent")
        return values

    @cached_property
    def principal(self) -> Array:
        """Shape (n,): imaginary part before the harmonic is added [rad/s]."""
        values: Array = self._member("principal")
        return values

    @cached_property
    def harmonic(self) -> IntArray:
        """Shape (n,): number of the largest harmonic of the shape."""
        values: IntArray = self._member("harmonic")
        return values

    @cached_property
    def share(self) -> Array:
        """Shape (n,): fraction of that harmonic."""
        values: Array = self._member("share")
        return values

    @cached_property
    def damped_frequency_hz(self) -> Array:
        """Shape (n,): of the exponent [Hz]."""
        values: Array = self._member("damped_frequency_hz")
        return values

    @cached_property
    def undamped_frequency_hz(self) -> Array:
        """Shape (n,): of the exponent [Hz]."""
        values: Array = self._member("undamped_frequency_hz")
        return values

    @cached_property
    def damping_ratio(self) -> Array:
        """Shape (n,): of the exponent."""
        values: Array = self._member("damping_ratio")
        return values


@dataclass(frozen=True)
class ModeValues:
    """The numbers of one.

    Attributes
    ----------
    eigenvalue : complex
        eigenvalue s, ``[re, im]`` in 1/s and rad/s [1/s].
    undamped_frequency_hz : float
        undamped natural frequency, |s| / 2 pi [Hz].
    damped_frequency_hz : float
        damped natural frequency, |Im s| / 2 pi [Hz].
    damping_ratio : float
        damping ratio, -Re s / |s|; 0 for a zero eigenvalue.
    rigid : bool
        a zero eigenvalue: rigid-body or neutral motion.
    control : float
        with controllers: fraction of their states in the mode, 0 to 1.
    multiplicity : int
        how many eigenvalues agree with this one within their error bounds, itself included.
    defective : int
        how many eigenvalues, itself included, rounding could make of one defective eigenvalue, such
        as that of critical damping; 0 where it is none of such.
    conjugate : int
        index in ``modes`` of the complex conjugate, its own for a real eigenvalue.
    condition : float
        condition number of the eigenvalue, 1 or more; ``null`` with ``--wanted``.
    error_bound : float
        estimate of the absolute error of the eigenvalue from rounding; with ``--method penalty``
        also the bound of the method's error [1/s].
    residual : float
        with ``--wanted``: how well the pair solves the equations, relative to their largest terms.
    """

    eigenvalue: complex
    undamped_frequency_hz: float
    damped_frequency_hz: float
    damping_ratio: float
    rigid: bool
    control: float
    multiplicity: int
    defective: int
    conjugate: int
    condition: float
    error_bound: float
    residual: float


class ModeColumns:
    """The numbers of all, an array each."""

    def _member(self, name: str) -> Any:
        raise NotImplementedError

    @cached_property
    def eigenvalues(self) -> ComplexArray:
        """Shape (n,): eigenvalue s, ``[re, im]`` in 1/s and rad/s [1/s]."""
        values: ComplexArray = self._member("eigenvalue")
        return values

    @cached_property
    def undamped_frequency_hz(self) -> Array:
        """Shape (n,): undamped natural frequency, |s| / 2 pi [Hz]."""
        values: Array = self._member("undamped_frequency_hz")
        return values

    @cached_property
    def damped_frequency_hz(self) -> Array:
        """Shape (n,): damped natural frequency, |Im s| / 2 pi [Hz]."""
        values: Array = self._member("damped_frequency_hz")
        return values

    @cached_property
    def damping_ratio(self) -> Array:
        """Shape (n,): damping ratio, -Re s / |s|; 0 for a zero eigenvalue."""
        values: Array = self._member("damping_ratio")
        return values

    @cached_property
    def rigid(self) -> IntArray:
        """Shape (n,): a zero eigenvalue: rigid-body or neutral motion."""
        values: IntArray = self._member("rigid")
        return values

    @cached_property
    def control(self) -> Array:
        """Shape (n,): with controllers: fraction of their states in the mode, 0 to 1."""
        values: Array = self._member("control")
        return values

    @cached_property
    def multiplicity(self) -> IntArray:
        """Shape (n,): how many eigenvalues agree with this one within their error bounds, itself
        included."""
        values: IntArray = self._member("multiplicity")
        return values

    @cached_property
    def defective(self) -> IntArray:
        """Shape (n,): how many eigenvalues, itself included, rounding could make of one defective
        eigenvalue, such as that of critical damping; 0 where it is none of such."""
        values: IntArray = self._member("defective")
        return values

    @cached_property
    def conjugate(self) -> IntArray:
        """Shape (n,): index in ``modes`` of the complex conjugate, its own for a real eigenvalue."""
        values: IntArray = self._member("conjugate")
        return values

    @cached_property
    def condition(self) -> Array:
        """Shape (n,): condition number of the eigenvalue, 1 or more; ``null`` with ``--wanted``."""
        values: Array = self._member("condition")
        return values

    @cached_property
    def error_bound(self) -> Array:
        """Shape (n,): estimate of the absolute error of the eigenvalue from rounding; with ``--method
        penalty`` also the bound of the method's error [1/s]."""
        values: Array = self._member("error_bound")
        return values

    @cached_property
    def residual(self) -> Array:
        """Shape (n,): with ``--wanted``: how well the pair solves the equations, relative to their
        largest terms."""
        values: Array = self._member("residual")
        return values

    def _row(self, k: int) -> dict[str, Any]:
        """Of row k, by the names of ModeValues."""
        return {
            "eigenvalue": complex(self.eigenvalues[k]),
            "undamped_frequency_hz": float(self.undamped_frequency_hz[k]),
            "damped_frequency_hz": float(self.damped_frequency_hz[k]),
            "damping_ratio": float(self.damping_ratio[k]),
            "rigid": bool(self.rigid[k]),
            "control": float(self.control[k]),
            "multiplicity": int(self.multiplicity[k]),
            "defective": int(self.defective[k]),
            "conjugate": int(self.conjugate[k]),
            "condition": float(self.condition[k]),
            "error_bound": float(self.error_bound[k]),
            "residual": float(self.residual[k]),
        }
