"""Frequency response of a linear model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import NULL, Array, ComplexArray, IntArray, Path
from routh._carry import Record, same
from routh._literals import Coordinates, Format, Method, PointType
from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError, BadArgumentError, unknown_name
from routh.studies._common import Names, Result, choice, listed, needed

if TYPE_CHECKING:
    from routh.descriptor import Descriptor
    from routh.linear import Linear
    from routh.operating import OperatingPoint
    from routh.model import Model
    from routh.modes import Modes
    from routh.studies.response_sensitivity import ResponseSensitivity

Base = Literal["x", "y", "z"]
Motion = Literal["displacement", "velocity", "acceleration"]

_BASES = {"x": lib.ROUTH_BASE_X, "y": lib.ROUTH_BASE_Y, "z": lib.ROUTH_BASE_Z}
_MOTIONS = {
    "displacement": lib.ROUTH_DISPLACEMENT,
    "velocity": lib.ROUTH_VELOCITY,
    "acceleration": lib.ROUTH_ACCELERATION,
}


@dataclass(frozen=True)
class Peak:
    """A local maximum of ``|H|``, or a minimum (antiresonance): Hz, unit of H, rad."""

    hz: float
    magnitude: float
    phase: float
    minimum: bool


@dataclass(frozen=True, eq=False)
class Channel(Record):
    """From one input to one output.

    Attributes
    ----------
    input, output : str
    static_gain : float
        ``H(0)``; inf where a free motion is driven and seen, NaN where this cannot be reported.
    peaks : tuple of Peak
        By frequency.
    largest, largest_hz : float
        Of ``|H|`` in the range; inf at an undamped pole.
    zeros : ndarray of complex, or None
        Transmission zeros, 1/s, by modulus; None where not known.
    zero_bounds : ndarray, or None
        How far the true zero is from each at most, 1/s.
    zero_multiplicities : ndarray of int, or None
        How many are one within their bounds; these are given at their mean.
    zeros_why : str, or None
        Why they are not known.
    n_poles_at_rest : int
        Further poles at 0, of a motion that is counted by its velocity or acceleration.
    gain : float
        ``H(s) = gain prod (s - zero) / (s^n_poles_at_rest prod (s - pole))``.
    modal_difference : float
        Of the superposition of modes; NaN where there is none.
    """

    input: str
    output: str
    static_gain: float
    peaks: tuple[Peak, ...]
    largest: float
    largest_hz: float
    zeros: ComplexArray | None
    zero_bounds: Array | None
    zero_multiplicities: IntArray | None
    zeros_why: str | None
    n_poles_at_rest: int
    gain: float
    modal_difference: float


@dataclass(frozen=True, eq=False)
class RandomOutput(Record):
    """An output under random inputs.

    Attributes
    ----------
    mean_square, rms : float
        Over the range of the response.
    error : float
        Of the mean square, estimated by the quadrature.
    shares : ndarray
        Of the mean square, mode by mode (of `modes`, a pair once).
    modes : ndarray of int
    """

    mean_square: float
    rms: float
    error: float
    shares: Array
    modes: IntArray


class Response(Result):
    """What inputs do to outputs, against frequency: what :meth:`routh.Linear.response` gives."""

    def __init__(self, pointer: Any, linear: Linear, asked: dict[str, Any], options: Any = None) -> None:
        self._c = pointer
        self._linear = linear
        self._asked = asked  # of response()
        self._options = options

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _response_of, (self._linear, self._asked)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Response):
            return NotImplemented
        names = ("inputs", "outputs", "input_units", "output_units", "hz", "real", "imag", "psd")
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((self.inputs, self.outputs, len(self.hz)))

    @property
    def linear(self) -> Linear:
        """The linear model it belongs to."""
        return self._linear

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return _api.texts(self._c.inputs, self._c.n_inputs)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        return _api.texts(self._c.outputs, self._c.n_outputs)

    @cached_property
    def input_units(self) -> tuple[str, ...]:
        return _api.texts(self._c.input_units, self._c.n_inputs)

    @cached_property
    def output_units(self) -> tuple[str, ...]:
        return _api.texts(self._c.output_units, self._c.n_outputs)

    def unit(self, output: str | int, input: str | int) -> str:
        """Unit of a channel: ``"m/N"``."""
        o, i = self._place(output, self.outputs), self._place(input, self.inputs)
        above, below = self.output_units[o] or "1", self.input_units[i]
        if not below:
            return self.output_units[o]
        compound = any(sign in below for sign in "/* ")
        return f"{above}/({below})" if compound else f"{above}/{below}"

    @cached_property
    def hz(self) -> Array:
        """Frequencies, shape (n,), Hz."""
        return _api.view(self._c, self._c.hz, self._c.n)

    @property
    def _shape(self) -> tuple[int, int, int]:
        return (self._c.n, self._c.n_outputs, self._c.n_inputs)

    @cached_property
    def real(self) -> Array:
        """Real part of H, shape (n, n_outputs, n_inputs)."""
        return _api.view(self._c, self._c.re, *self._shape)

    @cached_property
    def imag(self) -> Array:
        """Imaginary part of H, shape (n, n_outputs, n_inputs)."""
        return _api.view(self._c, self._c.im, *self._shape)

    @cached_property
    def H(self) -> ComplexArray:
        """Shape (n, n_outputs, n_inputs). A copy, as the library has real and imaginary part apart."""
        values: ComplexArray = self.real + 1j * self.imag
        values.setflags(write=False)
        return values

    @staticmethod
    def _place(name: str | int, among: tuple[str, ...]) -> int:
        if isinstance(name, str):
            if name not in among:
                raise unknown_name("input or output", name, among)
            return among.index(name)
        return range(len(among))[name]

    def __call__(self, output: str | int = 0, input: str | int = 0) -> ComplexArray:
        """H of one channel, by names or numbers, shape (n,)."""
        channel: ComplexArray = self.H[:, self._place(output, self.outputs), self._place(input, self.inputs)]
        return channel

    @cached_property
    def poles(self) -> ComplexArray:
        """All eigenvalues, 1/s; empty where only some are known."""
        return _api.complex_view(self._c, self._c.poles, self._c.n_poles)

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """All channels, outputs first."""
        return tuple(self._channel(c) for c in self._c.channels[0 : self._c.n_channels])

    def channel(self, output: str | int = 0, input: str | int = 0) -> Channel:
        """What is known of one channel."""
        o, i = self._place(output, self.outputs), self._place(input, self.inputs)
        return self.channels[o * len(self.inputs) + i]

    def _channel(self, c: Any) -> Channel:
        zeros = None if c.n_zeros < 0 else _api.complex_view(self._c, c.zeros, c.n_zeros)
        peaks = tuple(Peak(p.hz, p.magnitude, p.phase, bool(p.minimum)) for p in c.peaks[0 : c.n_peaks])
        return Channel(
            self.inputs[c.input],
            self.outputs[c.output],
            c.static_gain,
            peaks,
            c.largest,
            c.largest_hz,
            zeros,
            None if c.n_zeros < 0 else _api.view(self._c, c.zero_bounds, c.n_zeros),
            None if c.n_zeros < 0 else _api.int_view(self._c, c.zero_multiplicities, c.n_zeros),
            _api.text(c.zeros_why) if c.zeros_why else None,
            c.n_poles_at_rest,
            c.gain,
            c.modal_difference,
        )

    @property
    def error(self) -> float:
        """Largest estimate of a straight line between frequencies; 0 for given points."""
        return float(self._c.error)

    @property
    def modal_difference(self) -> float:
        """Of the superposition of modes from the direct solution: the largest of the channels."""
        return float(self._c.modal_difference)

    # ---- random inputs ----

    @cached_property
    def psd(self) -> Array | None:
        """Power spectra of the outputs, shape (n, n_outputs), unit^2/Hz; None without random inputs."""
        random = self._c.random
        return _api.view(self._c, random.psd, self._c.n, self._c.n_outputs) if random else None

    @cached_property
    def random(self) -> dict[str, RandomOutput]:
        """Each output under random inputs, by its name; empty without them."""
        random = self._c.random
        if not random:
            return {}
        modes = _api.int_view(self._c, random.modes, random.n_shares)
        return {
            name: RandomOutput(
                o.mean_square, o.rms, o.error, _api.view(self._c, o.shares, random.n_shares), modes
            )
            for name, o in zip(self.outputs, random.outputs[0 : self._c.n_outputs])
        }

    # ---- as text, tables, files ----

    def _results(self) -> Any:
        return self._linear._results(response=self._c)

    def table(self, units: str | None = None) -> str:
        """What ``routh response`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_response_table, self._results(), units)

    def json(self) -> Any:
        """What ``routh response --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_response_json, self._results()))

    def csv(self) -> str:
        """What ``routh response --csv`` prints."""
        return _api.written(lib.routh_response_csv, self._results())

    def svg(self) -> str:
        """What ``routh response --svg`` draws."""
        return _api.written(lib.routh_response_svg, self._results())

    def save(self, path: Path, format: Format | None = None) -> None:
        """Writes it as ``.mat``, ``.h5`` or ``.npz``; `format` (``"mat"``, ``"hdf5"``, ``"npz"``) where the name
        does not report."""
        held = _api.Arguments()
        _api.call(
            lib.routh_response_save,
            self._c,
            self._linear._c,
            held.text(_api.encoded_path(path)),
            held.text(format),
        )

    def columns(self) -> dict[str, Any]:
        """Frequency, and magnitude and phase (rad) of each channel."""
        columns: dict[str, Any] = {"hz": self.hz}
        for o, output in enumerate(self.outputs):
            for i, input in enumerate(self.inputs):
                name, unit = f"{output} / {input}", self.unit(o, i)
                columns[f"|{name}|" + (f" ({unit})" if unit else "")] = np.abs(self.H[:, o, i])
                columns[f"phase {name} (rad)"] = np.angle(self.H[:, o, i])
        return columns

    def to_xarray(self) -> Any:
        """H as an ``xarray.DataArray`` over frequency, outputs and inputs; needs xarray."""
        xarray = needed("xarray", "a data array needs")
        return xarray.DataArray(
            self.H,
            dims=("hz", "output", "input"),
            coords={
                "hz": ("hz", self.hz, {"units": "Hz"}),
                "output": list(self.outputs),
                "input": list(self.inputs),
                "output_unit": ("output", list(self.output_units)),
                "input_unit": ("input", list(self.input_units)),
            },
            name="H",
            attrs={"title": self._linear.title},
        )

    def sensitivity(
        self, parameters: Names | None = None, *, hz: npt.ArrayLike | None = None
    ) -> ResponseSensitivity:
        """Exact derivatives of this response and of its peaks by parameters of the model: see
        :func:`routh.studies.response_sensitivity.response_sensitivity`."""
        from routh.studies.response_sensitivity import response_sensitivity

        return response_sensitivity(self, parameters, hz=hz)

    def plot(self, **options: Any) -> npt.NDArray[np.object_]:
        """The Bode diagram: :func:`routh.plots.bode`."""
        from routh import plots

        return plots.bode(self, **options)

    def _caption(self) -> str:
        return (
            f"{self._linear.title}: {len(self.inputs)} inputs, {len(self.outputs)} outputs, {len(self.hz)} frequencies "
            f"from {self.hz[0]:.4g} to {self.hz[-1]:.4g} Hz"
        )

    def _repr_html_(self) -> str:
        from routh.studies._common import html_table

        rows = [(c, p) for c in self.channels for p in c.peaks if not p.minimum]
        columns: dict[str, Any] = {
            "output": [c.output for c, _ in rows],
            "input": [c.input for c, _ in rows],
            "peak at (Hz)": [p.hz for _, p in rows],
            "|H|": [p.magnitude for _, p in rows],
            "unit": [self.unit(c.output, c.input) for c, _ in rows],
            "phase (rad)": [p.phase for _, p in rows],
        }
        return html_table(columns, self._caption())


def _spectrum(psd: Path | None, held: _api.Arguments) -> Any:
    if psd is None:
        return NULL
    reads_text = isinstance(psd, str) and "=" in psd
    text = psd if reads_text else _api.encoded_path(psd)
    return _api.made(
        lib.routh_spectrum_parse if reads_text else lib.routh_spectrum_read,
        lib.routh_spectrum_free,
        "routh_spectrum",
        held.text(text),  # type: ignore[arg-type]
    )


def _response_of(linear: Linear, asked: dict[str, Any]) -> Response:
    """What a pickle carries."""
    return response(linear, **asked)


def _model_of(linear: Linear | Descriptor) -> Any:
    """The model, whatever it is now; None where it is not known."""
    from routh.descriptor import Descriptor

    point = linear._point if isinstance(linear, Descriptor) else linear.point
    of = None if point is None else point.mechanism._of
    return None if of is None else of()


def response(
    linear: Linear | Descriptor,
    input: Names | None = None,
    of: Names | None = None,
    *,
    base: Base | None = None,
    as_: Motion | None = None,
    over: tuple[float, float] | tuple[float, float, int] | None = None,
    hz: npt.ArrayLike | None = None,
    error: float | None = None,
    modes_to: float = 0.0,
    psd: Path | None = None,
    modes: Modes | None = None,
) -> Response:
    """Frequency response ``H(s) = C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2``. The command
    ``routh response``. Not interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    input : str or sequence of str, optional
        Inputs: the model's own, or position states, on which a force acts; where left out all that the model names.
    of : str or sequence of str, optional
        Outputs: the model's own or states; likewise.
    base : {"x", "y", "z"}, optional
        The ground, moved along this axis, is an input too (the only one where `input` is left out).
    as_ : {"displacement", "velocity", "acceleration"}, optional
        What the ground and inputs that prescribe a motion count as.
    over : (low, high) or (low, high, n), optional
        Hz, and how many frequencies on a logarithmic scale; without n they are put where they are needed. Where left
        out about the first twelve frequencies of modes.
    hz : array_like, optional
        In place of `over`: these frequencies, ascending, Hz.
    error : float, optional
        Of a straight line between frequencies, relative; 1e-2.
    modes_to : float, optional
        Hz: modes above enter the superposition by what they do at rest alone.
    psd : str or path-like, optional
        Spectra of random inputs: ``"road=1e-6/f^2; load=3"``, or a CSV file.
    modes : Modes, optional
        Those of the linear model, where they are there already.

    Returns
    -------
    Response

    Raises
    ------
    BadArgumentError
        A name is not there, or a range is none.
    NotSupportedError
        The linear model does not hold what the ground or a force on a state needs.
    """
    from routh.descriptor import Descriptor

    asked = {
        "input": input, "of": of, "base": base, "as_": as_, "over": over, "hz": hz, "error": error, "modes_to": modes_to, "psd": psd
    }
    held = _api.Arguments()
    options = held.hold(_api.filled("routh_response_options *", lib.routh_response_defaults()))
    options.inputs = held.text(listed(input, _model_of(linear)))
    options.outputs = held.text(listed(of, _model_of(linear)))
    options.base = choice(base, _BASES, "base")
    options.reference = choice(as_, _MOTIONS, "as_")
    if over is not None:
        if isinstance(over, str) or np.ndim(over) != 1 or len(over) not in (2, 3):
            raise ArgumentTypeError(f"over is (low, high) or (low, high, n), in Hz, not {over!r}")
        options.low, options.high = (_api.real(f, "over: Hz") for f in over[:2])
        options.n_points = _api.whole((*over, 0)[2], "over: number of frequencies")
    if hz is not None:
        if over is not None:
            raise ArgumentTypeError("a response is over a range or at frequencies hz; give one of them")
        own = np.atleast_1d(_api.reals(hz, "hz"))
        if own.ndim != 1 or not own.size:
            raise BadArgumentError("hz is one row of frequencies, one or more")
        options.hz, options.n_hz = held.doubles(own), own.size
    if error is not None:
        options.error = error
    options.modal_high = modes_to
    spectrum = held.hold(_spectrum(psd, held))
    options.spectrum = spectrum
    if isinstance(linear, Descriptor):
        pointer = _api.made(
            lib.routh_response_compute_sparse,
            lib.routh_response_free,
            "routh_response",
            linear._c,
            NULL if modes is None else modes._c,
            options,
        )
        return Response(pointer, linear.linear, asked)
    found = linear.modes() if modes is None else modes
    if found.linear is not linear:
        raise BadArgumentError("the modes belong to another linear model")
    pointer = _api.made(
        lib.routh_response_compute, lib.routh_response_free, "routh_response", linear._c, found._c, options
    )
    return Response(pointer, linear, asked, (options, held))


def model_response(
    model: Model,
    input: Names | None = None,
    of: Names | None = None,
    *,
    at: OperatingPoint | PointType | None = None,
    base: Base | None = None,
    as_: Motion | None = None,
    over: tuple[float, float] | tuple[float, float, int] | None = None,
    hz: npt.ArrayLike | None = None,
    error: float | None = None,
    modes_to: float = 0.0,
    psd: Path | None = None,
    coordinates: Coordinates | None = None,
    method: Method | None = None,
    reference: str | None = None,
    states: Sequence[str] | None = None,
    threads: int = 0,
) -> Response:
    """Frequency response of the linear model at an operating point: :meth:`routh.Linear.response`, with its options
    and, of :meth:`routh.Model.linearize`, ``coordinates``, ``method``, ``reference``, ``states`` and ``threads``."""
    linear = model.linearize(
        at, coordinates=coordinates, method=method, reference=reference, states=states, threads=threads
    )
    return response(
        linear, input, of, base=base, as_=as_, over=over, hz=hz, error=error, modes_to=modes_to, psd=psd
    )
