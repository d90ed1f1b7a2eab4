"""Motion in time."""

from __future__ import annotations

import json
import math
import numbers
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import Array, Path
from routh._carry import same
from routh._literals import Coordinates, Integrator, PointType
from routh._routh import ffi, lib
from routh._warnings import OperatingPointWarning, tell
from routh._watch import Progress
from routh.construction import Construction
from routh.errors import ArgumentTypeError, BadArgumentError, unknown_name
from routh.expressions import Expression, check_owner
from routh.operating import OperatingPoint
from routh.studies._common import Names, LongCall, Result, listed, needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routh.dynamics import StateNumbers
    from routh.mechanism import Mechanism
    from routh.model import Model

InputSignal = Union[float, str, Expression, "tuple[npt.ArrayLike, npt.ArrayLike]"]


@dataclass(frozen=True)
class Statistics:
    """Of a run: steps of time, Newton's iterations, evaluations of the equations of motion and so on; s and m."""

    steps: int
    rejected: int
    iterations: int
    evaluations: int
    factorizations: int
    partitions: int
    events: int
    smallest_step: float
    largest_step: float
    position_error: float
    velocity_error: float


class _Run:
    """What a run is made by once more: from the point on, with the same options."""

    def __init__(
        self, point: OperatingPoint, options: dict[str, Any], end: float, back: tuple[Mechanism, list[str]] | None
    ) -> None:
        self.point = point
        self.back = back  # the mechanism of the model as it was, without these histories of inputs
        self.options = options
        self.end = end
        self._simulation: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_simulation": None}

    def at(self, t: float, records: Array) -> OperatingPoint:
        """At the time, by way of the records before it, as the run went."""
        mechanism = self.point.mechanism
        if self._simulation is None or lib.routh_simulation_time(self._simulation) > t:
            held = _api.Arguments()
            options = _api.filled("routh_simulation_options *", lib.routh_simulation_defaults())
            _fill(options, self.options, held)
            options.end = self.end
            self._simulation = _api.made(
                lib.routh_simulation_create,
                lib.routh_simulation_free,
                "routh_simulation",
                mechanism._c,
                self.point._c,
                options,
                keep=(mechanism._c, held),
            )
        now = lib.routh_simulation_time(self._simulation)
        for time in (*records[(records > now) & (records < t)].tolist(), t):
            _api.call(lib.routh_simulation_advance, self._simulation, time)
        pointer = ffi.new("routh_operating_point **")
        _api.call(lib.routh_simulation_point, self._simulation, pointer)
        found = OperatingPoint(mechanism, _api.owned(pointer[0], lib.routh_operating_point_free, mechanism._c))
        if self.back is None:
            return found
        original, names = self.back
        return original.operating_point_from_state(_with_inputs_held(found.state_text(), names))


def _fill(options: Any, given: dict[str, Any], held: _api.Arguments) -> None:
    """``routh_simulation_options *``"""
    options.integrator = held.text(given["integrator"])
    options.tolerance = _api.positive(given["tolerance"], "tolerance", "1e-6")
    options.step = _api.positive(given["step"], "step", "steps that the integrator chooses")
    if given["dissipation"] is not None:
        options.dissipation = given["dissipation"]


class History(Result):
    """A simulated motion: what :meth:`routh.Model.simulate` gives.

    ``history["energy/total"]`` is one channel, shape (n,) or (n, 3), of those that `units` lists.
    """

    def __init__(
        self,
        title: str,
        names: Sequence[str],
        numbers: Array,
        channels: dict[str, tuple[str, list[str]]],
        summary: Any,
        run: _Run | None = None,
    ) -> None:
        self._run = run
        self.title = title
        self._columns = {name: numbers[:, k] for k, name in enumerate(names)}
        self._channels = channels
        self.interrupted: bool = bool(summary.interrupted)
        self.stopped: bool = bool(summary.stopped)
        self.resumed_from: int = int(summary.resumed_from)
        s = summary.statistics
        self.statistics: Statistics = Statistics(*(getattr(s, name) for name in Statistics.__dataclass_fields__))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return self._channels == other._channels and same(self._columns, other._columns)

    def __hash__(self) -> int:
        return hash((self.title, len(self.time), *self._channels))

    @property
    def time(self) -> Array:
        """s"""
        return self._columns["time"]

    @property
    def units(self) -> dict[str, str]:
        """Of each channel, by its name such as ``"bodies/rod/position"``."""
        return {name: unit for name, (unit, _) in self._channels.items()}

    def __contains__(self, name: str) -> bool:
        return name in self._channels or name in self._columns

    def components(self, name: str) -> list[str]:
        """The columns of a channel, as ``"bodies/rod/position/x"``."""
        if name in self._columns:
            return [name]
        if name not in self._channels:
            raise unknown_name("channel", name, self._channels)
        return list(self._channels[name][1])

    def unit(self, column: str) -> str:
        """Of a channel or one of its components."""
        return next((unit for name, (unit, own) in self._channels.items() if column == name or column in own), "")

    def __getitem__(self, name: str) -> Array:
        if name in self._columns:
            return self._columns[name]
        return np.column_stack([self._columns[c] for c in self.components(name)])

    def columns(self) -> dict[str, Any]:
        """Time, and each component of each channel: ``"bodies/rod/position/x"``."""
        return dict(self._columns)

    def to_xarray(self) -> Any:
        """As an ``xarray.Dataset`` over time, a variable for each component; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        parts = {c: ("time", v, {"units": self.unit(c)}) for c, v in self._columns.items() if c != "time"}
        return xarray.Dataset(parts, coords={"time": ("time", self.time, {"units": "s"})}, attrs={"title": self.title})

    def point(self, t: float) -> OperatingPoint:
        """The operating point at a time of the run, to be linearized about or begun from: the run is made once more up
        to there (from the last time that was asked for, where that is earlier), and is the same up to rounding.

        Parameters
        ----------
        t : float
            s, from the beginning of the run to its end.

        Raises
        ------
        BadArgumentError
            The run does not reach to there.
        """
        start, end, t = float(self.time[0]), float(self.time[-1]), _api.real(t, "t")
        if not start <= t <= end:
            raise BadArgumentError(f"the run is from {start:g} to {end:g} s, and {t:g} s is not in it")
        if self._run is None:
            raise BadArgumentError("this history was not simulated here")
        return self._run.at(float(t), self.time)

    def table(self) -> str:
        """What the run took, and the range of every channel."""
        s = self.statistics
        lines = [self._caption(), f"{s.steps} steps of {s.smallest_step:.3g} to {s.largest_step:.3g} s"]
        width = max((len(c) for c in self._columns), default=0)
        for name, values in self._columns.items():
            lines.append(f"{name:<{width}}  {values.min():12.5g}  {values.max():12.5g}")
        return "\n".join(lines) + "\n"

    def plot(self, *channels: str, **options: Any) -> Axes:
        """Time histories: :func:`routh.plots.history`."""
        from routh import plots

        return plots.history(self, *channels, **options)

    def _caption(self) -> str:
        how = ", interrupted" if self.interrupted else ", stopped by an event" if self.stopped else ""
        name = f"{self.title}: " if self.title else ""
        return f"{name}{len(self.time)} records from {self.time[0]:g} to {self.time[-1]:g} s{how}"

    def _repr_html_(self) -> str:
        from routh.studies._common import html_table

        names = list(self._columns)
        columns = {
            "channel": names,
            "least": [float(self._columns[c].min()) for c in names],
            "most": [float(self._columns[c].max()) for c in names],
        }
        return html_table(columns, self._caption())


def _channels(mechanism: Any, groups: Any) -> tuple[list[str], dict[str, tuple[str, list[str]]]]:
    """Columns of a record; and of each channel its unit and its columns."""
    channels = _api.made(
        lib.routh_channels_create, lib.routh_channels_free, "routh_channels", mechanism, groups, keep=mechanism
    )
    names: list[str] = []
    found: dict[str, tuple[str, list[str]]] = {}
    for k in range(lib.routh_channels_count(channels)):
        channel = lib.routh_channels_get(channels, k)
        path, components = _api.text(channel.path), _api.text(channel.components).split()
        own = [f"{path}/{c}" for c in components] if components else [path]
        names += own
        found[path] = (_api.text(channel.unit), own)
    return names, found


def simulate(
    model: Model,
    end: float | None = None,
    *,
    at: OperatingPoint | PointType | None = None,
    coordinates: Coordinates | None = None,
    every: float | None = None,
    integrator: Integrator | None = None,
    tolerance: float | None = None,
    step: float | None = None,
    dissipation: float | None = None,
    channels: Names | None = None,
    output: Path | None = None,
    resume: bool = False,
    x0: StateNumbers | None = None,
    inputs: Mapping[str, InputSignal] | None = None,
    progress: Progress = False,
) -> History:
    """Integrates the equations of motion from an operating point on, and records. The command ``routh simulate``.

    Ctrl-C stops it: what was done until then is in the result, of which `interrupted` is set.

    Parameters
    ----------
    end, every : float, optional
        s: end of the run, and between records; where left out what the model says, and a five hundredth of the run.
    at, coordinates : optional
        As of :meth:`routh.Model.linearize`.
    integrator : str, optional
        One of those that ``routh help simulate`` lists; where left out what the model says.
    tolerance, step : float, optional
        Local error of a step, 1e-6; or steps of one length, s.
    dissipation : float, optional
        Of the integrators hht and generalized-alpha.
    channels : str or sequence of str, optional
        Groups to record: ``"bodies"``, ``"markers"``, ``"joints"``, ``"loads"``, ``"signals"``, ``"outputs"``,
        ``"energy"``, ``"residuals"``; all where left out.
    output : path-like, optional
        A file that keeps the records, ``.h5`` or ``.csv``; reading the former needs h5py.
    resume : bool, optional
        Go on where `output` (HDF5) was left.
    x0 : mapping or array_like, optional
        States to begin at, in place of those of the operating point: by the names of :attr:`routh.Dynamics.states` (of
        ``model.dynamics(at, coordinates=..)``; the others as at the point), or all of them in that order.
    inputs : mapping, optional
        Histories of inputs, by name: a number; an expression of time, as ``"0.1*sin(2*pi*time)"``; or times [s] and
        values, ``(t, u)``, straight from point to point (the rates jump there). They come in place of those that the model has,
        and count at the operating point too.
    progress : bool or callable, optional
        True: a bar on standard error.

    Raises
    ------
    NumericError, SingularError
        The integration came no further; a file has the records up to there.
    BadArgumentError
        There is no end, or no such integrator or group.
    """
    if output is not None and pathlib.Path(output).suffix in (".h5", ".hdf5"):
        needed("h5py", "a history in HDF5 needs")
    inputs = {str(name): _once(signal) for name, signal in (inputs or {}).items()}
    mechanism, point = _begun(model, at, coordinates, x0, inputs)
    back = (model._compiled(mechanism.coordinates), [str(name) for name in inputs]) if inputs else None
    held = _api.Arguments()
    options = _api.filled("routh_history_options *", lib.routh_history_defaults())
    options.end = _ending(end, point)
    options.every = _api.positive(every, "every", "a five hundredth of the run, or what the model says")
    _check_reach(model, inputs, point.time, options.end)
    how = {"integrator": integrator, "tolerance": tolerance, "step": step, "dissipation": dissipation}
    _fill(options.simulate, how, held)
    options.groups = held.text(listed(channels, model))
    options.resume = resume
    summary = ffi.new("routh_history_summary *")
    names, channels_of = _channels(mechanism._c, options.groups)
    with tempfile.TemporaryDirectory(prefix="routh-") as folder:
        file = pathlib.Path(output) if output is not None else pathlib.Path(folder) / "run.csv"
        options.file = held.text(_api.encoded_path(file))
        with LongCall(progress, "simulation") as call:
            options.on_progress, options.data = lib.routh_py_on_record, call.handle
            _api.call(lib.routh_history_run, mechanism._c, point._c, options, summary, stopped=True)
            call.kept = bool(summary.interrupted)
        records = _read(file, channels_of)
    return History(_title(model), names, records, channels_of, summary, _Run(point, how, summary.end, back))


OF_ONE_TIME = "its eigenvalues are those of t ="  # what is driven: nothing to warn of where it is simulated


def _begun(
    model: Model,
    at: OperatingPoint | PointType | None,
    coordinates: Coordinates | None,
    x0: StateNumbers | None,
    inputs: Mapping[str, InputSignal] | None,
) -> tuple[Mechanism, OperatingPoint]:
    """Where the run begins."""
    if inputs:
        driven = model.copy()
        known = driven.inputs
        for name, signal in inputs.items():
            if str(name) not in known:
                raise unknown_name("input", str(name), known)
            check_owner(signal, model, f"the input {name}")
        simulate = driven._construction().single.get("simulate")
        own = simulate.fields.get("inputs") if simulate else None
        unit = _time_unit(model)
        histories = {**(own.value if own else {}), **{str(n): _history_of(str(n), s, unit) for n, s in inputs.items()}}
        driven.set_simulate(inputs=histories)
        if at is not None and not isinstance(at, str):
            at = driven._compiled(coordinates or at.mechanism.coordinates).operating_point_from_state(
                _without_inputs(at.state_text(), list(histories))
            )
        model = driven
    if at is None or isinstance(at, str):
        mechanism = model._compiled(coordinates)
        point = mechanism._untold(at)
        tell([text for text in point.warnings if OF_ONE_TIME not in text], OperatingPointWarning)
    else:
        mechanism, point = model._mechanism_at(at, coordinates)
    if x0 is not None:
        dynamics = mechanism.dynamics(point)
        point = dynamics.point(dynamics.t0, x0)
    return mechanism, point


def _time_unit(model: Model) -> float:
    """Of the model's `units`, s."""
    return float(lib.routh_model_time_unit(model._c_model()))


def _history_of(name: str, signal: InputSignal, time_unit: float = 1.0) -> Any:
    """As the section ``simulate`` of a model file has it, whose times are in `time_unit`; those given are in s."""
    if isinstance(signal, Expression):
        return signal.text
    if isinstance(signal, (str, numbers.Real)):
        return signal
    if callable(signal):
        raise ArgumentTypeError(
            f"the input {name} is a function; give an expression of time or (times, values), or integrate "
            "model.dynamics(..), which takes any inputs"
        )
    try:
        pair: Any = signal
        times, values = (_api.reals(each, f"the input {name}") for each in pair)
    except ArgumentTypeError:
        raise
    except (TypeError, ValueError) as wrong:
        raise ArgumentTypeError(
            f"the input {name} is a number, an expression of time or (times, values), not {signal!r}"
        ) from wrong
    if times.ndim != 1 or times.shape != values.shape or len(times) < 2:
        raise BadArgumentError(f"the input {name} needs as many values as times, two or more")
    return {"table": np.column_stack([times / time_unit, values]), "interpolation": "linear"}


def _ending(end: float | None, point: OperatingPoint) -> float:
    """As the library takes it: 0 where it is not given."""
    if end is None:
        return 0.0
    number = _api.real(end, "end")
    if not number > point.time:
        raise BadArgumentError(f"end is {number:.9g} s, but the run begins at {point.time:.9g} s; give a later end")
    return number or math.ulp(0.0)


def _once(signal: Any) -> Any:
    """What can be gone through only once, as what can be again."""
    plain = isinstance(signal, (str, numbers.Real, Expression, np.ndarray)) or not isinstance(signal, Iterable)
    return signal if plain else tuple(signal)


def _check_reach(model: Model, inputs: Mapping[str, InputSignal] | None, start: float, end: float) -> None:
    """Times and values that were given reach from the beginning of the run to its end."""
    for name, signal in (inputs or {}).items():
        if isinstance(signal, (str, numbers.Real, Expression)):
            continue
        times: Any = _history_of(str(name), signal)["table"][:, 0]
        until, slack = end or _end_of(model), 1e-9 * (times[-1] - times[0])
        for missing in (start < times[0] - slack, until is not None and until > times[-1] + slack):
            if missing:
                raise BadArgumentError(
                    f"the input {name} is given from {times[0]:.9g} to {times[-1]:.9g} s, but the run is from {start:.9g} to "
                    f"{'its end' if until is None else f'{until:.9g} s'}; give values for all of it, or a shorter run"
                )


def _end_of(model: Model) -> float | None:
    """What the model says, s; None: nothing."""
    simulate = model._construction().single.get("simulate")
    field = simulate.fields.get("end") if simulate else None
    return None if field is None else model.evaluate(str(field.value)) * _time_unit(model)


def _with_inputs_held(state: str, names: Sequence[str]) -> str:
    """A state's text in which these inputs have their values whatever histories a model gives them."""
    content = json.loads(state)
    for signal in content.get("inputs", ()):
        if signal["name"] in names:
            signal["held"] = True
    return json.dumps(content)


def _without_inputs(state: str, names: Sequence[str]) -> str:
    """A state's text in which these inputs are as the model has them."""
    content = json.loads(state)
    content["inputs"] = [signal for signal in content.get("inputs", ()) if signal["name"] not in names]
    return json.dumps(content)


def _title(model: Model) -> str:
    source: Any = model._source
    read = getattr(source, "origin", source)
    if getattr(read, "file", False):
        return pathlib.Path(read.name).stem
    if isinstance(source, Construction):  # its name is the program's file, or a cell of a notebook
        return model.title or ""
    return str(source.name or "motion")


def _read(file: pathlib.Path, channels: Iterable[str]) -> Array:
    records: Array
    if file.suffix == ".csv":
        records = np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2, encoding="utf-8")
    else:
        h5py = needed("h5py", "a history in HDF5 needs")
        with h5py.File(file) as data:
            parts = [np.asarray(data[path], dtype=np.float64) for path in channels]
        records = np.hstack([part.reshape(len(part), -1) for part in parts])
    records.setflags(write=False)
    return records
