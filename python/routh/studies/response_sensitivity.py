"""Exact derivatives of frequency responses by the parameters of the model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import Array, ComplexArray
from routh._carry import Record
from routh._routh import ffi, lib
from routh._warnings import SensitivityWarning, tell
from routh.errors import BadArgumentError, unknown_name
from routh.studies._common import Names, Result, names_of, needed
from routh.studies.response import _model_of

if TYPE_CHECKING:
    from routh.studies.response import Response


@dataclass(frozen=True, eq=False)
class PeakSensitivity(Record):
    """A peak of a channel, or an antiresonance (`minimum`), as parameters move it.

    `hz_by` (Hz) and `magnitude_by` (unit of H) are per unit of each parameter, shape (n_parameters,); `hz_effect`,
    ``p/f df/dp``, and `magnitude_effect`, ``p/|H| d|H|/dp``, have no unit. NaN at an undamped pole.
    """

    output: str
    input: str
    minimum: bool
    hz: float
    magnitude: float
    hz_by: Array
    magnitude_by: Array
    hz_effect: Array
    magnitude_effect: Array


@dataclass(frozen=True, eq=False)
class Band(Record):
    """How far parameters that are not known exactly move a frequency response, to first order: what
    :meth:`ResponseSensitivity.band` gives. Arrays of the shape (n, n_outputs, n_inputs).

    Attributes
    ----------
    hz : ndarray
        The frequencies, shape (n,).
    magnitude, phase : ndarray
        Deviations of ``|H|`` (unit of H) and of the phase (rad).
    low, high : ndarray
        ``|H|`` divided and multiplied by ``exp(magnitude/|H|)``, which stays positive.
    spread : dict
        The deviation of each parameter that it is of.
    """

    hz: Array
    magnitude: Array
    phase: Array
    low: Array
    high: Array
    spread: dict[str, float]


class ResponseSensitivity(Result):
    """Derivatives of a frequency response by parameters: what :meth:`routh.Response.sensitivity` gives.

    Arrays have the shape (n_parameters, n, n_outputs, n_inputs); NaN at a pole, and of magnitudes and phases where H
    is 0.
    """

    def __init__(self, pointer: Any, response: Response) -> None:
        self._c = pointer
        self._response = response

    @property
    def response(self) -> Response:
        """The response they belong to."""
        return self._response

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return _api.texts(self._c.parameters, self._c.n_parameters)

    @cached_property
    def values(self) -> Array:
        """Of the parameters, shape (n_parameters,)."""
        return _api.view(self._c, self._c.values, self._c.n_parameters)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return _api.texts(self._c.inputs, self._c.n_inputs)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        return _api.texts(self._c.outputs, self._c.n_outputs)

    @cached_property
    def hz(self) -> Array:
        """The frequencies, shape (n,)."""
        return _api.view(self._c, self._c.hz, self._c.n)

    @property
    def _shape(self) -> tuple[int, ...]:
        c = self._c
        return c.n_parameters, c.n, c.n_outputs, c.n_inputs

    @cached_property
    def H(self) -> ComplexArray:
        """The response there, shape (n, n_outputs, n_inputs)."""
        return _api.complex_view(self._c, self._c.H, *self._shape[1:])

    @cached_property
    def by(self) -> ComplexArray:
        """dH/dp, unit of H per unit of the parameter."""
        return _api.complex_view(self._c, self._c.by, *self._shape)

    @cached_property
    def magnitude_by(self) -> Array:
        """``d|H|/dp``."""
        return _api.view(self._c, self._c.magnitude_by, *self._shape)

    @cached_property
    def phase_by(self) -> Array:
        """Of the phase, rad per unit."""
        return _api.view(self._c, self._c.phase_by, *self._shape)

    @cached_property
    def magnitude_effect(self) -> Array:
        """Relative change of ``|H|`` per relative change of the parameter, ``p/|H| d|H|/dp``."""
        return _api.view(self._c, self._c.magnitude_effect, *self._shape)

    @cached_property
    def peaks(self) -> tuple[PeakSensitivity, ...]:
        """By channel, then by frequency."""
        c, n = self._c, self._c.n_parameters
        return tuple(
            PeakSensitivity(
                self.outputs[p.output],
                self.inputs[p.input],
                bool(p.minimum),
                p.hz,
                p.magnitude,
                *(_api.view(c, getattr(p, name), n) for name in ("hz_by", "magnitude_by", "hz_effect", "magnitude_effect")),
            )
            for p in c.peaks[0 : c.n_peaks]
        )

    def band(self, spread: Mapping[Any, float], *, worst: bool = False) -> Band:
        """The band in which the response lies, to first order in the deviations of the parameters.

        Parameters
        ----------
        spread : mapping
            Deviation of each parameter, in its unit: ``{"k": 2e3, "c": 90}``; parameters that are left out are exact.
        worst : bool, optional
            False: standard deviations of independent parameters, and so of H: the root of the sum of squares. True:
            bounds of parameters, and all of them at their worst together: the sum.

        Raises
        ------
        UnknownNameError
            These derivatives are not of such a parameter.
        BadArgumentError
            A deviation is negative or not finite.
        """
        own = {str(name): float(value) for name, value in spread.items()}
        for name, value in own.items():
            if name not in self.parameters:
                raise unknown_name("parameter", name, self.parameters)
            if not (0 <= value < np.inf):
                raise BadArgumentError(f"the deviation of {name} is {value}, and must be finite and not negative")
        deviations = np.array([own.get(name, 0.0) for name in self.parameters])

        def moved(by: Array) -> Array:
            each = np.abs(by[deviations > 0]) * deviations[deviations > 0, None, None, None]
            return np.asarray(each.sum(axis=0) if worst else np.sqrt((each**2).sum(axis=0)))

        magnitude, size = moved(self.magnitude_by), np.abs(self.H)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            factor = np.exp(np.where(magnitude == 0, 0, magnitude / size))
        return Band(np.array(self.hz), magnitude, moved(self.phase_by), size / factor, size * factor, own)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Of parameters that are refused, and why."""
        return _api.texts(self._c.warnings, self._c.n_warnings)

    def _results(self) -> Any:
        return self._response.linear._results(response=self._response._c, response_sensitivities=self._c)

    def table(self, units: str | None = None) -> str:
        """Every peak and every frequency, for each the parameters by falling effect; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_response_sensitivity_table, self._results(), units)

    def json(self) -> Any:
        """The same as JSON, parsed."""
        return json.loads(_api.written(lib.routh_response_sensitivity_json, self._results()))

    def csv(self) -> str:
        """The frequencies."""
        return _api.written(lib.routh_response_sensitivity_csv, self._results())

    def columns(self) -> dict[str, Any]:
        """A row for each parameter, frequency and channel."""
        n_p, n, n_out, n_in = self._shape
        return {
            "parameter": np.repeat(self.parameters, n * n_out * n_in),
            "hz": np.tile(np.repeat(self.hz, n_out * n_in), n_p),
            "output": np.tile(np.repeat(self.outputs, n_in), n_p * n),
            "input": list(self.inputs) * (n_p * n * n_out),
            **{name: getattr(self, name).ravel() for name in ("by", "magnitude_by", "phase_by", "magnitude_effect")},
        }

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over parameters, frequencies, outputs and inputs; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        over = ("parameter", "hz", "output", "input")
        names = ("by", "magnitude_by", "phase_by", "magnitude_effect")
        parts: dict[str, Any] = {name: (over, getattr(self, name)) for name in names}
        return xarray.Dataset(
            {"H": (over[1:], self.H), **parts},
            coords={
                "parameter": list(self.parameters),
                "hz": ("hz", self.hz, {"units": "Hz"}),
                "output": list(self.outputs),
                "input": list(self.inputs),
                "value": ("parameter", self.values),
            },
            attrs={"title": self._response.linear.title},
        )

    def _caption(self) -> str:
        title = self._response.linear.title
        return f"{title}: H at {self._c.n} frequencies and {self._c.n_peaks} peaks by {len(self.parameters)} parameters"


def response_sensitivity(
    response: Response, parameters: Names | None = None, *, hz: npt.ArrayLike | None = None
) -> ResponseSensitivity:
    """Exact derivatives of this response and of its peaks by parameters of the model, with the motion of the operating
    point. The command ``routh sensitivity --response``. Not interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    parameters : sequence of str, optional
        Names; where left out all of the model's but those that are refused, which `warnings` name.
    hz : array, optional
        Frequencies, 0 or more; where left out those of the response.

    Raises
    ------
    NotSupportedError
        A parameter that was asked for acts through numbers that are not differentiated; the response is one by sparse
        factors; or a state is not among those derivatives are found with.
    BadArgumentError
        The linear model was read from a file.
    """
    linear = response.linear
    if response._options is None:
        raise BadArgumentError("derivatives are of responses by full matrices: take model.response(..) or linear.response(..)")
    point = linear._needed_point()
    held = _api.Arguments()
    asked = held.hold(_api.filled("routh_response_sensitivity_options *"))
    asked.parameters = held.names(names_of(parameters, _model_of(linear)))
    if hz is not None:
        frequencies = np.atleast_1d(_api.reals(hz, "hz"))
        asked.hz, asked.n_hz = held.doubles(frequencies), frequencies.size
    mechanism = point.mechanism._c
    derivatives = ResponseSensitivity(
        _api.made(
            lib.routh_response_sensitivity_compute,
            lib.routh_response_sensitivity_free,
            "routh_response_sensitivity",
            mechanism,
            point._c,
            linear._c,
            response._c,
            response._options[0],
            asked,
            keep=mechanism,
        ),
        response,
    )
    tell(derivatives.warnings, SensitivityWarning)
    return derivatives
