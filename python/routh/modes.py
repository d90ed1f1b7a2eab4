"""Modes of a linear model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from routh import _api
from routh._api import NULL, Array, ComplexArray
from routh._carry import Immutable, Record, same
from routh._results import ModeColumns, ModeValues
from routh._literals import Integrator
from routh._routh import ffi, lib
from routh._watch import Progress
from routh.operating import warnings_of
from routh.studies._common import needed
from routh.errors import ArgumentTypeError, BadArgumentError, place_in, unknown_choice, unknown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routh.studies import View
    from routh.answers import Verification
    from routh.attribution import Attribution, Realization
    from routh.comparison import Comparison
    from routh.linear import Linear

__all__ = ["Mode", "Modes", "Wanted", "WantedRegion"]


def _modes_of(linear: Linear) -> Modes:
    """What a pickle carries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it was told
        return linear.modes()


_ENERGIES = {
    "kinetic": lib.ROUTH_ENERGY_KINETIC,
    "strain": lib.ROUTH_ENERGY_STRAIN,
    "dissipation": lib.ROUTH_ENERGY_DISSIPATION,
}


@dataclass(frozen=True)
class WantedRegion:
    """Where eigenvalues were sought: all in the disc of `radius` (1/s) about `near` are among the
    modes, where `counted` says how that is known (``"inertia"``, ``"winding number"``,
    ``"all found"``; ``"not counted"``)."""

    near: complex
    radius: float
    shift: complex
    counted: str


@dataclass(frozen=True)
class Wanted:
    """How selected eigenvalues were found.

    Attributes
    ----------
    count : int
        Asked for about each number; 0 between two frequencies.
    between : (float, float) or None
        Hz.
    regions : tuple of WantedRegion
    violation : float
        Of the constraints by a mode, of rounding size.
    n_solves, n_restarts : int
        Of the sparse system, and of the iterations.
    """

    count: int
    between: tuple[float, float] | None
    regions: tuple[WantedRegion, ...]
    violation: float
    n_solves: int
    n_restarts: int


@dataclass(frozen=True, eq=False)
class Mode(Record, ModeValues):
    """One mode: its numbers, its place among :class:`Modes`, its shape in the states."""

    index: int
    shape: ComplexArray


class Modes(Immutable, ModeColumns, Sequence[Mode]):
    """Eigenvalues and modes, sorted by modulus, then imaginary part; of a pair both are there.

    A sequence of :class:`Mode`; and arrays of each member over all modes, which show the memory of
    the library, read-only. Immutable; may be shared between threads.
    """

    def __init__(self, pointer: Any, linear: Linear) -> None:
        self._c = pointer
        self._linear = linear

    def __reduce__(self) -> tuple[Any, ...]:
        if self.wanted is not None:
            raise ArgumentTypeError(
                "selected modes are memory of the library and are not pickled; pickle their eigenvalues, or to_pandas()"
            )
        return _modes_of, (self._linear,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Modes):
            return NotImplemented
        return len(self) == len(other) and self._linear == other._linear and all(map(same, self, other))

    def __hash__(self) -> int:
        return hash((len(self), self._linear))

    @property
    def linear(self) -> Linear:
        """The linear model they belong to."""
        return self._linear

    def __len__(self) -> int:
        return int(self._c.n)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Indices of the modes as tables count them, a pair once: ``modes[modes.numbers[0]]`` is mode 1."""
        return tuple(int(k) for k in np.flatnonzero(self.eigenvalues.imag >= 0))

    def _member(self, name: str) -> Any:
        """A member of the library's structure, without a copy; or what follows from it."""
        if name in dict(ffi.typeof("routh_mode").fields):
            return _api.member_view(self._c, self._c.modes, self._c.n, name)
        values = np.zeros(len(self))
        room = ffi.cast("double *", ffi.from_buffer(values)) if len(self) else NULL
        _api.call(lib.routh_modes_values, self._c, name.encode(), room)
        values.setflags(write=False)
        return values

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What the program prints as warnings: those of the linear model, and of an eigenvalue that is defective."""
        return warnings_of(self._results())

    @property
    def n_zero(self) -> int:
        """How many are rigid."""
        return int(self._c.n_zero)

    @property
    def zero_margin(self) -> float:
        """Near 1: the zero eigenvalues are doubtful."""
        return float(self._c.zero_margin)

    @cached_property
    def wanted(self) -> Wanted | None:
        """How they were found where only some were wanted; None where all were computed."""
        w = self._c.wanted
        if w.n_regions == 0:
            return None
        return Wanted(
            w.count,
            (w.low, w.high) if w.between else None,
            tuple(
                WantedRegion(
                    complex(r.near[0], r.near[1]),
                    r.radius,
                    complex(r.shift[0], r.shift[1]),
                    _api.text(lib.routh_count_name(r.counted)),
                )
                for r in w.regions[0 : w.n_regions]
            ),
            w.violation,
            w.n_solves,
            w.n_restarts,
        )

    # ---- vectors ----

    def _shape(self, index: int) -> ComplexArray:
        parts = _api.view(self._c, self._c.modes[index].shape, 2, self._linear.n_states)
        shape: ComplexArray = parts[0] + 1j * parts[1]
        shape.setflags(write=False)
        return shape

    @cached_property
    def right_vectors(self) -> ComplexArray:
        """Shape (n_states, n): column k is the shape of mode k in the states. A copy, as the library
        holds real and imaginary parts one after the other."""
        vectors = np.empty((self._linear.n_states, len(self)), dtype=np.complex128)
        for k in range(len(self)):
            vectors[:, k] = self._shape(k)
        vectors.setflags(write=False)
        return vectors

    @cached_property
    def left_vectors(self) -> ComplexArray:
        """Shape (n_states, n): ``left_vectors.conj().T @ right_vectors`` is the identity; the
        inverse of the right vectors, so of all modes alone, and none where these are dependent.

        Raises
        ------
        BadArgumentError
            Only some modes were computed.
        numpy.linalg.LinAlgError
            The right vectors are linearly dependent (a defective eigenvalue).
        """
        right = self.right_vectors
        if right.shape[0] != right.shape[1]:
            raise BadArgumentError("left vectors need all modes, and only some were computed")
        vectors = np.asarray(np.linalg.inv(right).conj().T, dtype=np.complex128)
        vectors.setflags(write=False)
        return vectors

    def marker_motion(self, index: int, marker: str) -> ComplexArray:
        """Motion of a marker in a mode, shape (6,): displacement and rotation vector, world."""
        names = list(self._linear.markers)
        if marker not in names:
            raise unknown_name("marker", marker, names)
        motion = ffi.new("double[12]")
        mode = self._c.modes + range(len(self))[index]
        lib.routh_mode_marker(self._linear._c, mode, names.index(marker), motion)
        m = np.array([motion[k] for k in range(12)])
        return np.asarray(np.concatenate([m[0:3] + 1j * m[6:9], m[3:6] + 1j * m[9:12]]))

    # ---- energies ----

    @cached_property
    def share_names(self) -> tuple[str, ...]:
        """What the energies are shared among: ``"body rotor"``, ``"load mount"``."""
        linear = self._linear._c
        return tuple(_api.text(share.name) for share in linear.shares[0 : linear.n_shares])

    def energies(self, kind: Literal["kinetic", "strain", "dissipation"] = "kinetic") -> Array:
        """Shares of an energy, averaged over a cycle.

        Parameters
        ----------
        kind : {"kinetic", "strain", "dissipation"}

        Returns
        -------
        ndarray, shape (n, len(share_names))
            Fractions that sum to 1 for each mode; 0 of others' kinds, and all 0 where there is
            none of that kind.
        """
        if kind not in _ENERGIES:
            raise unknown_choice("kind", kind, _ENERGIES)
        linear = self._linear._c
        forms = _api.made(
            lib.routh_energy_forms_create,
            lib.routh_energy_forms_free,
            "routh_energy_forms",
            linear,
        )
        shares = np.zeros((len(self), linear.n_shares))
        for k in range(len(self)):
            row = ffi.cast("double *", ffi.from_buffer(shares[k])) if linear.n_shares else ffi.NULL
            lib.routh_energy_forms_fractions(forms, self._c.modes + k, _ENERGIES[kind], row)
        return shares

    @cached_property
    def part_names(self) -> tuple[str, ...]:
        """Names of the parts that have fractions of an energy, those around others before them."""
        names: dict[str, None] = {}
        for share in self.share_names:
            words = share.partition(" ")[2].split(".")[:-1]
            names.update(dict.fromkeys(".".join(words[: k + 1]) for k in range(len(words))))
        return tuple(names)

    def part_energies(self, kind: Literal["kinetic", "strain", "dissipation"] = "kinetic") -> Array:
        """Shares of an energy summed by part, with all parts in it.

        Parameters
        ----------
        kind : {"kinetic", "strain", "dissipation"}

        Returns
        -------
        ndarray, shape (n, len(part_names))
            Fractions of the energy of each mode.
        """
        place = {name: k for k, name in enumerate(self.part_names)}
        member = np.zeros((len(self.share_names), len(place)))
        for row, share in zip(member, self.share_names):
            words = share.partition(" ")[2].split(".")[:-1]
            row[[place[".".join(words[: k + 1])] for k in range(len(words))]] = 1
        return np.asarray(self.energies(kind) @ member)

    # ---- answers about them ----

    def verify(
        self,
        *,
        duration: float = 0.0,
        amplitude: float = 0.0,
        seed: int | None = None,
        integrator: Integrator | None = None,
        below: float = 0.0,
        progress: Progress = False,
    ) -> Verification:
        """Compares the eigenvalues with the simulated motion of the nonlinear model. Ctrl-C stops it
        after a step of integration; late while frequencies are read from what was recorded.

        Parameters
        ----------
        duration : float, optional
            Of the response, s; 0: eight periods of the slowest mode, more or less where needed.
        amplitude : float, optional
            Of each mode, typical lengths or radians; 0: 1e-3, less where needed.
        seed : int, optional
            Of the random phases; 1.
        integrator : str, optional
            Where left out the most exact that this build has.
        below : float, optional
            Hz; only eigenvalues up to this frequency are set swinging and looked for; 0: all, or
            with flexible bodies and beams the slow ones, where all are too many.
        progress : bool or callable, optional
            True: a bar on standard error; or what is called with the samples done and of all.

        Raises
        ------
        NotSupportedError
            The motion is not steady in the reference frame.
        BadArgumentError
            The linear model was read from a file.
        """
        from routh.answers import verify

        return verify(self, duration, amplitude, seed, integrator, below, progress)

    def attribution(self) -> Attribution:
        """What makes the frequency and the damping of each mode, as ``routh modes --energies``.

        Raises
        ------
        NotSupportedError
            Only some modes were computed.
        """
        from routh.attribution import attribution

        return attribution(self)

    def realization(self) -> Realization:
        """Which modes the inputs drive and the outputs see, as ``routh modes --realization``.

        Raises
        ------
        BadArgumentError
            There are neither inputs nor outputs, or only some modes were computed.
        """
        from routh.attribution import realization

        return realization(self)

    def compare(self, other: Modes) -> Comparison:
        """Attribution of the change of each mode from here to those of another mechanism, as ``routh compare``.

        Raises
        ------
        BadArgumentError
            Names the body, joint, state or controller that the two do not share.
        """
        from routh.comparison import compare

        return compare(self, other)

    # ---- a sequence ----

    @overload
    def __getitem__(self, index: SupportsIndex) -> Mode: ...

    @overload
    def __getitem__(self, index: slice) -> list[Mode]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Mode | list[Mode]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = place_in(index, len(self), "mode")
        return Mode(**self._row(k), index=k, shape=self._shape(k))

    def __iter__(self) -> Iterator[Mode]:
        return (self[k] for k in range(len(self)))

    # ---- as text ----

    def _results(self, **parts: Any) -> Any:
        return self._linear._results(modes=self._c, **parts)

    def table(self, units: str | None = None) -> str:
        """What ``routh modes`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_modes_table, self._results(), units)

    def json(self, shapes: bool = False) -> Any:
        """What ``routh modes --json`` prints, parsed; `shapes`: with the motion of every marker."""
        return json.loads(_api.written(lib.routh_modes_json, self._results(shapes=int(shapes))))

    def csv(self) -> str:
        """What ``routh modes --csv`` prints."""
        return _api.written(lib.routh_modes_csv, self._results())

    def columns(self) -> dict[str, Any]:
        """A row for each mode of a pair once, as :meth:`table` has them: number, eigenvalue, frequencies, damping."""
        k = np.array(self.numbers, dtype=int)
        return {
            "mode": np.arange(1, len(k) + 1),
            "real (1/s)": self.eigenvalues.real[k],
            "imag (rad/s)": self.eigenvalues.imag[k],
            "undamped (Hz)": self.undamped_frequency_hz[k],
            "damped (Hz)": self.damped_frequency_hz[k],
            "damping": self.damping_ratio[k],
            "rigid": np.array([bool(r) for r in self.rigid[k]]),
        }

    def to_pandas(self) -> Any:
        """The columns as a ``pandas.DataFrame`` by the modes' numbers; needs pandas."""
        return needed("pandas", "a data frame needs").DataFrame(self.columns()).set_index("mode")

    def plot(self, **options: Any) -> Axes:
        """The eigenvalues in the complex plane: :func:`routh.plots.complex_plane`."""
        from routh import plots

        return plots.complex_plane(self, **options)

    def plot_shape(self, index: int, **options: Any) -> Axes:
        """The shape of ``modes[index]`` in space: :func:`routh.plots.mode_shape`."""
        from routh import plots

        return plots.mode_shape(self, index, **options)

    def view(self, height: int = 600) -> View:
        """The modes in motion, in a notebook: the report's page in a frame."""
        from routh.studies import view_modes

        return view_modes(self, height)

    def _repr_html_(self) -> str:
        from routh.display import modes_html

        return modes_html(self)

    def __repr__(self) -> str:
        return f"<routh.Modes: {len(self)}, {self.n_zero} of them rigid>"
