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
        """Shape (n,): ``[re, im]`` with im >= 0, in 1/s and rad/s, with the harmonic; null where the
        multiplier is no larger than its error [1/s]."""
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
    blade_order : int
        with ``--blades``: n of the largest part exp(i n psi_k) of blade k; 0 collective, 1 and -1
        cyclic.
    blade_share : float
        with ``--blades``: fraction of the orders n and -n in the motion of the blades.
    whirl : float
        with ``--blades``: 1 where the wave of the blades goes around with the rotation, -1 against
        it, 0 where it stands.
    rotating_frequency_hz : float
        with ``--blades``: frequency of that part as the blades see it [Hz].
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
    blade_order: int
    blade_share: float
    whirl: float
    rotating_frequency_hz: float
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
    def blade_order(self) -> IntArray:
        """Shape (n,): with ``--blades``: n of the largest part exp(i n psi_k) of blade k; 0
        collective, 1 and -1 cyclic."""
        values: IntArray = self._member("blade_order")
        return values

    @cached_property
    def blade_share(self) -> Array:
        """Shape (n,): with ``--blades``: fraction of the orders n and -n in the motion of the blades."""
        values: Array = self._member("blade_share")
        return values

    @cached_property
    def whirl(self) -> Array:
        """Shape (n,): with ``--blades``: 1 where the wave of the blades goes around with the rotation,
        -1 against it, 0 where it stands."""
        values: Array = self._member("whirl")
        return values

    @cached_property
    def rotating_frequency_hz(self) -> Array:
        """Shape (n,): with ``--blades``: frequency of that part as the blades see it [Hz]."""
        values: Array = self._member("rotating_frequency_hz")
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
            "blade_order": int(self.blade_order[k]),
            "blade_share": float(self.blade_share[k]),
            "whirl": float(self.whirl[k]),
            "rotating_frequency_hz": float(self.rotating_frequency_hz[k]),
            "condition": float(self.condition[k]),
            "error_bound": float(self.error_bound[k]),
            "residual": float(self.residual[k]),
        }


@dataclass(frozen=True)
class CheckCellValues:
    """Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing.

    Attributes
    ----------
    coordinates : str
        coordinate set, as for ``--coordinates``.
    method : str
        linearization method, as for ``--method``.
    state : str
        what became of it.
    verdict : str
        does it agree; this and what follows, but for ``seconds`` and ``why``, only of those
        compared.
    margin : float
        largest distance between eigenvalues over what is allowed for it.
    difference : float
        largest distance over the spectral radius.
    eigenvalue : complex
        ``[re, im]`` of the reference, where the margin is largest [1/s].
    stated_error : float
        of an approximate method: its own bound or estimate of the largest error, over the spectral
        radius; else 0.
    mac : float
        smallest modal assurance criterion.
    shape_margin : float
        largest 1 - MAC over what is allowed.
    signals : float
        largest difference of an entry of B, C, D and those of rates of inputs, over the largest of
        its matrix, independent of units; ``null`` without inputs and outputs, or in other states.
    seconds : float
        wall time of the linearization [s].
    why : str
        why it was refused, failed, left out or is in doubt; else ``null``.
    """

    coordinates: str
    method: str
    state: str
    verdict: str
    margin: float
    difference: float
    eigenvalue: complex
    stated_error: float
    mac: float
    shape_margin: float
    signals: float
    seconds: float
    why: str


@dataclass(frozen=True)
class FindingValues:
    """Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing.

    Attributes
    ----------
    name : str
        name of the question.
    verdict : str
        the answer.
    margin : float
        what was found over what is allowed: at most 1 where the answer is yes; ``null`` where there
        is no such figure.
    text : str
        the answer in a sentence, with its figures.
    """

    name: str
    verdict: str
    margin: float
    text: str


@dataclass(frozen=True)
class GoalValues:
    """Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing.

    Attributes
    ----------
    name : str
        as in the study.
    what : str
        what it is about, as ``frequency of mode 2``.
    unit : str
        of its values.
    low : float
        lower bound; equal to ``high``: placed there.
    high : float
        upper bound.
    wish : str
        besides the bounds.
    target : float
        of the wish ``near``.
    weight : float
        of the wish.
    members : int
        how many modes, or parts of the band, it is made of.
    before : float
        value at the start, of the member that counts most.
    after : float
        value in the end, likewise.
    hz : float
        of a peak: where it is in the end [Hz].
    slack : float
        to the nearer bound, negative where it is violated; ``null`` where there is none.
    active : bool
        true: it is at that bound.
    objective_by_bound : float
        derivative of the best objective by that bound; 0 where not active.
    """

    name: str
    what: str
    unit: str
    low: float
    high: float
    wish: str
    target: float
    weight: float
    members: int
    before: float
    after: float
    hz: float
    slack: float
    active: bool
    objective_by_bound: float


@dataclass(frozen=True)
class VariableValues:
    """Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing.

    Attributes
    ----------
    name : str
        of the parameter.
    before : float
        its value at the start.
    after : float
        in the end.
    low : float
        lower bound.
    high : float
        upper bound.
    logarithmic : bool
        true: varied by its logarithm.
    objective_by_bound : float
        derivative of the best objective by that bound; 0 where at none.
    """

    name: str
    before: float
    after: float
    low: float
    high: float
    logarithmic: bool
    objective_by_bound: float


@dataclass(frozen=True)
class VerifiedModeValues:
    """Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing.

    Attributes
    ----------
    mode : int
        place in the ``modes`` of ``routh modes --json``, from 0.
    eigenvalue : complex
        ``[re, im]``, 1/s and rad/s [1/s].
    verdict : str
        what the response says of it.
    why : str
        a remark; ``null`` where confirmed.
    found : complex
        eigenvalue found in the motion, ``[re, im]``; ``null`` where nothing was found [1/s].
    bar : complex
        what ``found`` may be off, ``[re, im]`` [1/s].
    noise : complex
        part of the bar: one standard deviation of the fit, ``[re, im]`` [1/s].
    spread : complex
        part of the bar: what changes in the other experiments, ``[re, im]`` [1/s].
    distance : float
        of what was found from the eigenvalue, over what is allowed.
    size : float
        amplitude found, over the largest value of its channel.
    damped_frequency_hz : float
        damped natural frequency, |Im s| / 2 pi [Hz].
    found_frequency_hz : float
        the same of what was found [Hz].
    frequency_bar_hz : float
        what that may be off [Hz].
    peak_hz : float
        nearest peak of the spectrum; ``null`` where there is none within two lines [Hz].
    damping_ratio : float
        damping ratio, -Re s / |s|.
    found_damping_ratio : float
        the same of what was found.
    damping_ratio_bar : float
        what that may be off.
    """

    mode: int
    eigenvalue: complex
    verdict: str
    why: str
    found: complex
    bar: complex
    noise: complex
    spread: complex
    distance: float
    size: float
    damped_frequency_hz: float
    found_frequency_hz: float
    frequency_bar_hz: float
    peak_hz: float
    damping_ratio: float
    found_damping_ratio: float
    damping_ratio_bar: float
