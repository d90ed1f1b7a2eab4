"""H2 and H-infinity norms of linear models, and their exact derivatives by parameters.

With the transfer function ``G(s) = C (s I - A)^-1 B + D``, in which derivatives of inputs are realized::

    |G|_2^2  = 1/(2 pi) integral tr G(iw)^H G(iw) dw = tr C P C^T,   A P + P A^T + B B^T = 0
    |G|_inf  = sup over w of the largest singular value of G(iw)

Motions that are not driven, or not seen, are left out: they are no part of G. The H-infinity norm by Boyd, Balakrishnan
and Kabamba (1989), Bruinsma and Steinbuch (1990): a level is above it where a Hamiltonian matrix has no eigenvalue on the
imaginary axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from routh._api import Array, ComplexArray
from routh._eigenvalue import TWO_PI
from routh._warnings import ModesWarning, tell
from routh.convert import _chosen
from routh.errors import BadArgumentError, NumericError
from routh.studies._common import Names, Result, needed, names_of

if TYPE_CHECKING:
    from routh.linear import Linear

_HIDDEN = 1e-8  # of what it could be: a motion that is driven and seen more is so
_ROUNDING = 1e-12  # of what it could be: one that is so less is not; what is between is undecided
_DIGITS = 1e-7  # relative: what is known less well is refused
_EQUAL = 1e-9  # of the largest: singular values and peaks that are nearer are one
_GRID = 160  # frequencies, on a logarithmic scale, at which peaks are looked for besides
_ROUGH = 1e-3  # of the distance in which a peak is looked for: where it is, at first
_TIGHT = 1e-9  # of the norm: how far above its lower bound the upper one is asked for


# ---- G as A, B, C, D ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _System:
    A: Array
    B: Array
    C: Array
    D: Array

    def at(self, s: complex) -> ComplexArray:
        n = len(self.A)
        return np.asarray(self.C @ np.linalg.solve(s * np.eye(n) - self.A, self.B.astype(complex)) + self.D)

    def largest(self, w: float) -> float:
        """The largest singular value of G(iw), rad/s; at infinity of D."""
        G = self.D if np.isinf(w) else self.at(1j * w)
        return float(np.linalg.norm(G, 2)) if G.size else 0.0


@dataclass(frozen=True, eq=False)
class _Realized:
    """``A, B, C, D`` and what outputs feel of derivatives of inputs, which no such system has."""

    system: _System
    improper: Array

    @staticmethod
    def of(linear: Linear, i: list[int], o: list[int]) -> _Realized:
        """Of the inputs i to the outputs o."""
        A, C = linear.A, linear.C[o]
        B, B1, B2 = linear.B[:, i], linear.B1[:, i], linear.B2[:, i]
        D, D1, D2 = linear.D[o][:, i], linear.D1[o][:, i], linear.D2[o][:, i]
        step = B1 + A @ B2
        rate = np.abs(D1 + C @ B2) > 1e-14 * (np.abs(D1) + np.abs(C) @ np.abs(B2))
        return _Realized(_System(A, B + A @ step, C, D + C @ step), rate | (D2 != 0))


def _varied(linear: Linear, by: Any, k: int, i: list[int], o: list[int]) -> _System:
    """What parameter k does to the realized A, B, C, D: the product rule."""
    A, B1, B2, C = linear.A, linear.B1[:, i], linear.B2[:, i], linear.C[o]
    dA, dB, dB1, dB2 = by.A[k], by.B[k][:, i], by.B1[k][:, i], by.B2[k][:, i]
    dC, dD = by.C[k][o], by.D[k][o][:, i]
    step, change = B1 + A @ B2, dB1 + dA @ B2 + A @ dB2
    return _System(dA, dB + dA @ step + A @ change, dC, dD + dC @ step + C @ change)


# ---- what decays -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Decaying:
    """A parted in two: ``A X = X A_s`` with what decays, ``A X_u = X_u A_u`` with what does not, and ``Y^T X = I`` alike."""

    system: _System
    X: Array
    Y: Array
    Xu: Array
    Yu: Array
    Au: Array

    def varied(self, change: _System, full: _System) -> _System:
        """A_s, B_s, C_s, D change as the parameter moves both subspaces."""
        linalg = needed("scipy.linalg", "norms need")
        dX, dY = np.zeros_like(self.X), np.zeros_like(self.Y)
        if len(self.Au):
            dX = self.Xu @ linalg.solve_sylvester(self.Au, -self.system.A, -self.Yu.T @ change.A @ self.X)
            dY = self.Yu @ linalg.solve_sylvester(self.system.A, -self.Au, self.Y.T @ change.A @ self.Xu).T
        return _System(
            self.Y.T @ change.A @ self.X,
            self.Y.T @ change.B + dY.T @ full.B,
            change.C @ self.X + full.C @ dX,
            change.D,
        )


def _parted(system: _System, n_kept: int) -> _Decaying:
    """n_kept: how many eigenvalues decay; those of largest decay."""
    linalg = needed("scipy.linalg", "norms need")
    n = len(system.A)
    if n == 0:
        return _Decaying(system, *(np.zeros((0, 0)) for _ in range(5)))
    least = sorted(np.linalg.eigvals(system.A).real)
    between = (least[n_kept - 1] + least[n_kept]) / 2 if 0 < n_kept < n else (np.inf if n_kept else -np.inf)
    T, Z, kept = linalg.schur(system.A, sort=lambda re, im=0.0: re < between)
    if kept != n_kept:
        raise NumericError("motions that decay cannot be distinguished from those that do not; norms are not known")
    Ts, Tu, off = T[:kept, :kept], T[kept:, kept:], T[:kept, kept:]
    R = linalg.solve_sylvester(Ts, -Tu, -off) if 0 < kept < n else np.zeros((kept, n - kept))
    X, Yu = Z[:, :kept], Z[:, kept:]
    Xu, Y = X @ R + Yu, X - Yu @ R.T
    return _Decaying(_System(Ts, Y.T @ system.B, system.C @ X, system.D), X, Y, Xu, Yu, Tu)


def _scale(system: _System) -> Array:
    """Units of the states in which A, B and C are of like size; G stays."""
    linalg = needed("scipy.linalg", "norms need")
    n, m = len(system.A), system.B.shape[1]
    if n == 0:
        return np.zeros(0)
    whole = np.zeros((n + m + len(system.C),) * 2)
    whole[:n, :n], whole[:n, n : n + m], whole[n + m :, :n] = system.A, system.B, system.C
    _, (scale, _) = linalg.matrix_balance(whole, permute=False, separate=True)
    return np.asarray(scale[:n])


def _scaled(system: _System, d: Array) -> _System:
    return _System(system.A / d[:, None] * d, system.B / d[:, None], system.C * d, system.D)


def _is_seen(parted: _Decaying, full: _System) -> bool:
    """Is anything that does not decay driven and seen? By Markov parameters C A^k B of that part."""
    drive, seen = parted.Yu.T @ full.B, full.C @ parted.Xu
    size = np.linalg.norm(full.C, axis=1)[:, None] * np.linalg.norm(full.B, axis=0)
    size = size * np.linalg.norm(parted.Xu, 2) * np.linalg.norm(parted.Yu, 2)
    grows = max(1.0, float(np.linalg.norm(parted.Au, 2)))
    most = 0.0
    for k in range(len(parted.Au)):
        moved = np.abs(seen @ np.linalg.matrix_power(parted.Au, k) @ drive)
        most = max(most, float((moved / np.maximum(size * grows ** float(k), float(np.finfo(float).tiny))).max(initial=0.0)))
    if _ROUNDING < most < max(_HIDDEN, 100 * _noise(parted, full)):
        raise NumericError(
            f"a motion that does not decay is driven and seen by {most:.1e} of what it could be, which is near rounding: "
            "norms are not known; choose other inputs or outputs"
        )
    return most >= _HIDDEN


def _noise(parted: _Decaying, full: _System) -> float:
    """By how much rounding rotates the subspaces: eps (|A|/d)^2, d the least distance of eigenvalues of both parts. The square,
    as motions are of second order."""
    kept, left = (np.linalg.eigvals(A) for A in (parted.system.A, parted.Au))
    least = np.abs(kept[:, None] - left).min(initial=np.inf)
    return float(np.finfo(float).eps * (np.linalg.norm(full.A, 2) / least) ** 2) if least > 0 else np.inf


def _check_decay(s: _System, values: ComplexArray) -> None:
    """Eigenvalues of this A against those of the modes, which have more digits: norms go as 1/Re of the slowest."""
    for x in np.linalg.eigvals(s.A):
        nearest = values[np.abs(values - x).argmin()]
        if abs(x - nearest) > _DIGITS * abs(nearest.real):
            raise NumericError(
                f"the model is so stiff beside its slow motions that the decay of the mode of eigenvalue {nearest:.6g} is lost "
                f"in rounding of A ({x:.6g}): norms are not known; leave out what is stiff"
            )


# ---- H2 ----------------------------------------------------------------------------------------------------------------


def _gramians(s: _System) -> tuple[Array, Array]:
    linalg = needed("scipy.linalg", "norms need")
    P = linalg.solve_continuous_lyapunov(s.A, -s.B @ s.B.T)
    Q = linalg.solve_continuous_lyapunov(s.A.T, -s.C.T @ s.C)
    return (P + P.T) / 2, (Q + Q.T) / 2


def _h2(s: _System) -> float:
    if len(s.A) == 0:
        return 0.0
    P, Q = _gramians(s)
    one, two = float(np.trace(s.C @ P @ s.C.T)), float(np.trace(s.B.T @ Q @ s.B))
    if not abs(one - two) <= _DIGITS * abs(one + two) or one + two < 0:
        raise NumericError(f"the H2 norm is lost in rounding: its square is {one:.6g} by one Lyapunov equation, {two:.6g} by the other")
    return float(np.sqrt((one + two) / 2))


def _h2_by(s: _System, norm: float, change: _System) -> float:
    if norm == 0:
        return np.nan
    P, Q = _gramians(s)
    square = 2 * (np.trace(Q @ change.A @ P) + np.trace(s.B.T @ Q @ change.B) + np.trace(s.C @ P @ change.C.T))
    return float(square / (2 * norm))


# ---- H-infinity --------------------------------------------------------------------------------------------------------


def _level_frequencies(s: _System, level: float) -> list[float]:
    """w >= 0, at which a singular value of G(iw) may be `level`: eigenvalues on the axis of the Hamiltonian pencil

    [A - x I  0         B        0       ]
    [0        -A^T - x  0        -C^T    ]
    [C        0         D        -level I]
    [0        B^T       -level I  D^T    ]
    """
    linalg = needed("scipy.linalg", "norms need")
    n, m, p = len(s.A), s.B.shape[1], len(s.C)
    unit = max(float(np.abs(np.linalg.eigvals(s.A)).max()), float(np.finfo(float).tiny))
    M = np.zeros((2 * n + m + p,) * 2)
    one, two, at, out = slice(0, n), slice(n, 2 * n), slice(2 * n, 2 * n + m), slice(2 * n + m, 2 * n + m + p)
    low, root = slice(2 * n, 2 * n + p), np.sqrt(level * unit)
    M[one, one], M[two, two] = s.A / unit, -s.A.T / unit
    M[one, at], M[low, one] = s.B / root, s.C / root
    M[two, out], M[2 * n + p :, two] = -s.C.T / root, s.B.T / root
    M[low, at], M[2 * n + p :, out] = s.D / level, s.D.T / level
    M[low, out], M[2 * n + p :, at] = -np.eye(p), -np.eye(m)
    above, below = linalg.eigvals(M, np.diag([1.0] * (2 * n) + [0.0] * (m + p)), homogeneous_eigvals=True)
    finite = np.abs(below) > 1e-12 * np.abs(above)
    x = unit * above[finite] / below[finite]
    return sorted(float(abs(e.imag)) for e in x if abs(e.real) <= 1e-12 * (abs(e) + unit))


def _peak(s: _System, low: float, high: float, fine: float = 0.0) -> tuple[float, float]:
    """The largest value between these frequencies, and where, to `fine` of their distance, by golden sections."""
    ratio = (np.sqrt(5) - 1) / 2
    a, b = low, high
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    f, g = s.largest(c), s.largest(d)
    while b - a > max(fine * (high - low), 1e-12 * max(abs(a), abs(b))) and c < d:
        if f >= g:
            b, d, g = d, c, f
            c = b - ratio * (b - a)
            f = s.largest(c)
        else:
            a, c, f = c, d, g
            d = a + ratio * (b - a)
            g = s.largest(d)
    return max((f, c), (g, d), (s.largest(low), low), (s.largest(high), high))


def _slope(s: _System, w: float) -> float:
    """Of the largest singular value of G(iw) by w: Re u^H G' v, with G' = -i C R R B."""
    R = np.linalg.inv(1j * w * np.eye(len(s.A)) - s.A)
    u, _, v = np.linalg.svd(s.C @ R @ s.B + s.D)
    return float((u[:, 0].conj() @ (-1j * s.C @ R @ R @ s.B) @ v[0].conj()).real)


def _polished(s: _System, value: float, w: float) -> tuple[float, float]:
    """The peak where its slope is zero: values alone give w to the root of rounding only."""
    if not (0 < w < np.inf):
        return value, w
    low, high = w * (1 - 1e-6), w * (1 + 1e-6)
    if not _slope(s, low) > 0 > _slope(s, high):
        return value, w
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _slope(s, middle) > 0 else (low, middle)
    return max(value, s.largest((low + high) / 2)), (low + high) / 2


def _candidates(s: _System) -> list[tuple[float, float, float]]:
    """(value, w, reach) of local maxima about the eigenvalues, at rest and at infinity, roughly; the largest first. The
    true one is within reach of w."""
    e = np.linalg.eigvals(s.A)
    found = [(s.largest(0.0), 0.0, 0.0), (s.largest(np.inf), np.inf, 0.0)]
    sizes = np.abs(e[e != 0])
    grid = np.geomspace(1e-3 * sizes.min(), 1e4 * sizes.max(), _GRID) if len(sizes) else np.zeros(0)
    values = [s.largest(float(w)) for w in grid]
    between = [(grid[k - 1], grid[k + 1]) for k in range(1, len(grid) - 1) if values[k] > max(values[k - 1], values[k + 1])]
    for x in e[e.imag > 0]:
        width = max(4 * abs(x.real), 1e-9 * abs(x))
        between.append((max(0.0, x.imag - width), x.imag + width))
    for low, high in between:
        value, w = _peak(s, float(low), float(high), _ROUGH)
        found.append((value, w, 2 * _ROUGH * float(high - low)))
    return sorted(found, reverse=True)


def _hinf(s: _System) -> tuple[float, float, float]:
    """The norm, where it is, rad/s, and an upper bound; both bounds differ by rounding of the Hamiltonian matrix."""
    value, w, reach = _candidates(s)[0] if len(s.A) else (s.largest(np.inf), np.inf, 0.0)
    if reach > 0:
        value, w = max((value, w), _peak(s, max(0.0, w - reach), w + reach))
    step = _TIGHT
    while step < 1e-2:
        level = (1 + step) * value
        at = _level_frequencies(s, level) if value > 0 and len(s.A) else []
        best = (value, w)
        for k in range(len(at)):
            for x in (at[k], (at[k] + at[k + 1]) / 2 if k + 1 < len(at) else at[k]):
                best = max(best, (s.largest(x), x))
        if not at:
            value, w = _polished(s, value, w)
            return value, w, max(value, level)
        if best[0] > level:
            reach = max(1e-6 * best[1], min((abs(best[1] - x) for x in at if x != best[1]), default=0.0))
            value, w = max(best, _peak(s, max(0.0, best[1] - reach), best[1] + reach))
            step = _TIGHT
        else:
            step *= 10  # on the axis to rounding alone
    raise NumericError("the H-infinity norm cannot be distinguished from rounding: the Hamiltonian matrix has eigenvalues near the axis")


def _hinf_by(s: _System, w: float, change: _System) -> float:
    """u^H dG v of the largest singular value, where it is simple and its peak is."""
    if np.isinf(w):
        u, sigma, v = np.linalg.svd(s.D)
        dG: Any = change.D
    else:
        R = np.linalg.inv(1j * w * np.eye(len(s.A)) - s.A)
        u, sigma, v = np.linalg.svd(s.C @ R @ s.B + s.D)
        dG = change.C @ R @ s.B + s.C @ R @ change.A @ R @ s.B + s.C @ R @ change.B + change.D
    if len(sigma) > 1 and sigma[1] > (1 - _EQUAL) * sigma[0]:
        return np.nan
    return float((u[:, 0].conj() @ dG @ v[0].conj()).real)


# ---- for the user ------------------------------------------------------------------------------------------------------


class NormSensitivity(Result):
    """Derivatives of both norms by parameters: what :meth:`Norms.sensitivity` gives.

    Attributes
    ----------
    parameters : tuple of str
        Names.
    values : ndarray
        Of the parameters.
    h2, hinf : ndarray
        Derivatives per unit of the parameter; NaN where the norm has none: it is infinite, or, of `hinf`, two
        singular values or two peaks are the largest.
    """

    def __init__(self, norms: Norms, parameters: tuple[str, ...], values: Array, h2: Array, hinf: Array) -> None:
        self.norms, self.parameters, self.values, self.h2, self.hinf = norms, parameters, values, h2, hinf

    def columns(self) -> dict[str, Any]:
        """A row for each parameter."""
        return {"parameter": list(self.parameters), "value": self.values, "h2 by": self.h2, "hinf by": self.hinf}

    def _caption(self) -> str:
        return f"{self.norms.linear.title}: derivatives of norms"


class Norms(Result):
    """H2 and H-infinity norm of the transfer function from inputs to outputs: what :meth:`routh.Linear.norms` gives.

    Attributes
    ----------
    linear : Linear
        The linear model.
    inputs, outputs : tuple of str
        Those of the transfer function.
    h2 : float
        Root of the sum of squares of all outputs over all time after a unit impulse at each input in turn; also the
        root mean square of the outputs under white noise of spectral density 1 (two-sided, by Hz). Infinite where an
        input acts on an output directly (D), or a motion that is driven and seen does not decay.
    hinf : float
        The largest gain at any frequency: the largest singular value of G. Infinite where such a motion does not decay, or
        an output feels the derivative of an input.
    hinf_bound : float
        The norm is not above it.
    frequency : float
        Where the largest gain is, Hz; infinite where it is that of D.
    why : str
        Why norms are infinite; "" where both are finite.
    """

    def __init__(self, linear: Linear, i: list[int], o: list[int]) -> None:
        self.linear = linear
        self._i, self._o = i, o
        self.inputs = tuple(linear.input_names[k] for k in i)
        self.outputs = tuple(linear.output_names[k] for k in o)
        realized = _Realized.of(linear, i, o)
        self._scale = _scale(realized.system)
        self._full = _scaled(realized.system, self._scale)
        self.why, self._decaying = self._decided(realized)
        self.h2 = self.hinf = self.hinf_bound = self.frequency = np.inf
        if self._decaying is None:
            return
        self.hinf, w, self.hinf_bound = _hinf(self._decaying.system)
        self.frequency = w / TWO_PI
        if self.why == "":
            self.h2 = _h2(self._decaying.system)

    def _decided(self, realized: _Realized) -> tuple[str, _Decaying | None]:
        """Why norms are infinite, and what decays where the H-infinity norm is finite."""
        if realized.improper.any():
            o, i = (int(k[0]) for k in np.nonzero(realized.improper))
            return f"the output {self.outputs[o]} feels a time derivative of the input {self.inputs[i]}", None
        modes = self.linear.modes()
        values = modes.eigenvalues
        decays = values.real + modes.error_bound < 0
        parted = _parted(self._full, int(decays.sum()))
        _check_decay(parted.system, values[decays])
        if not decays.all() and _is_seen(parted, self._full):
            worst = values[~decays][values[~decays].real.argmax()]
            return f"the mode of eigenvalue {worst:.6g} does not decay, is driven by inputs and seen in outputs", None
        if self._full.D.any():
            o, i = (int(k[0]) for k in np.nonzero(self._full.D))
            return f"the input {self.inputs[i]} acts on the output {self.outputs[o]} directly: the H2 norm is infinite", parted
        return "", parted

    def _is_alone(self, s: _System) -> bool:
        """No other peak is as large."""
        w = TWO_PI * self.frequency
        for value, x, reach in _candidates(s) if len(s.A) else []:
            if value < (1 - 1e-3) * self.hinf or abs(x - w) <= max(2 * reach, 1e-6 * w) or x == w:
                continue
            if _peak(s, max(0.0, x - reach), x + reach)[0] >= (1 - _EQUAL) * self.hinf:
                return False
        return True

    def sensitivity(self, parameters: Names | None = None) -> NormSensitivity:
        """Exact derivatives of both norms by parameters, with what they move of the operating point.

        Parameters
        ----------
        parameters : sequence of str, optional
            Names; where left out all of the model's but those that are refused.

        Raises
        ------
        BadArgumentError
            The model has no such parameter, or this linear model is from a file, which has none.
        NotSupportedError
            As :meth:`routh.Linear.sensitivity`.
        """
        by = self.linear.sensitivity(names_of(parameters))
        n = len(by.parameters)
        h2, hinf = np.full(n, np.nan), np.full(n, np.nan)
        parted = self._decaying
        alone = parted is not None and self._is_alone(parted.system)
        for k in range(n if parted else 0):
            assert parted is not None
            whole = _scaled(_varied(self.linear, by, k, self._i, self._o), self._scale)
            change = parted.varied(whole, self._full)
            if np.isfinite(self.h2):
                h2[k] = _h2_by(parted.system, self.h2, change)
            if alone:
                hinf[k] = _hinf_by(parted.system, TWO_PI * self.frequency, change)
        return NormSensitivity(self, by.parameters, by.values, h2, hinf)

    def columns(self) -> dict[str, Any]:
        """Two rows: H2 and H-infinity."""
        return {"norm": ["H2", "H-infinity"], "value": [self.h2, self.hinf], "frequency [Hz]": [np.nan, self.frequency]}

    def _caption(self) -> str:
        return f"{self.linear.title}: H2 {self.h2:.6g}, H-infinity {self.hinf:.6g}"


def norms(linear: Linear, input: Names | None = None, of: Names | None = None) -> Norms:
    """H2 and H-infinity norm of the transfer function from inputs to outputs. Needs scipy.

    Parameters
    ----------
    input : str or sequence of str, optional
        Inputs of the model; all where left out.
    of : str or sequence of str, optional
        Outputs of the model; all where left out. Norms add up what has different units as it is.

    Raises
    ------
    UnknownNameError
        There is no such input or output.
    BadArgumentError
        There are no inputs, or no outputs.
    NumericError
        A norm cannot be distinguished from rounding.
    MissingPackageError
        There is no scipy.
    """
    needed("scipy.linalg", "norms need")
    i = _chosen(names_of(input), linear.input_names, "input")
    o = _chosen(names_of(of), linear.output_names, "output")
    for some, what in ((i, "inputs"), (o, "outputs")):
        if not some:
            raise BadArgumentError(f"a norm is of inputs and outputs, and there are no {what}: add `{what}` to the model, or name some")
    found = Norms(linear, i, o)
    if found.why:
        tell([f"norms: {found.why}"], ModesWarning)
    return found
