"""Models: read from a file or from text, made from a template, or built by a program.

How it is put together (for those who add to it)
------------------------------------------------
A :class:`Model` stands on one *source*: an object with a method ``make() -> routh_model *``, which
gives a pointer that frees itself (``routh._api.made``). The text of a file is one here; what a program builds,
and what was read once it is looked at or changed, is a ``routh.construction.Construction``. Nothing is
compiled before it is needed:

* ``model._c_model()`` is the C model, made by the source at the first use;
* ``model._compiled(coordinates)`` is the :class:`~routh.mechanism.Mechanism`, one for each
  coordinate set, made at the first use. Everything that computes goes through it;
* ``model._changed()`` forgets both. A source that can be changed calls it through the methods of
  the model that change it; operating points and linear models that are there stay as they are, and
  keep what they were made of.
"""

from __future__ import annotations

import copy
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy.typing as npt

from routh import _api
from routh._api import Path, Value
from routh._elements import Elements
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh._studies import ModelStudies
from routh._watch import Progress
from routh.construction import Construction, caller, encoded
from routh.errors import ArgumentTypeError, BadArgumentError, Error
from routh.expressions import Expression, check_owner
from routh.functions import Function, Given, functions_of
from routh.operating import OperatingPoint
from routh.mechanism import Mechanism

if TYPE_CHECKING:
    from routh.answers import Check
    from routh.comparison import Comparison
    from routh.dynamics import Dynamics
    from routh.descriptor import Descriptor, Linearizer
    from routh.parametric import Parametric
    from routh.linear import Linear
    from routh.modes import Modes

__all__ = ["Model", "template", "template_names"]


class Source(Protocol):
    """Where a model comes from."""

    settings: dict[str, Value]

    def make(self) -> Any:
        """The C model, a ``routh_model *`` that frees itself."""

    def with_settings(self, settings: dict[str, Value]) -> Any:
        """The same with these values of parameters; shares nothing that changes with it."""

    def copy(self) -> Any:
        """The same, sharing nothing that changes."""


class _Read:
    """The text of a model file, with other values of parameters."""

    def __init__(
        self,
        content: bytes,
        name: str,
        settings: dict[str, Value],
        file: bool,
        functions: dict[str, Function],
        allow_plugins: bool,
    ) -> None:
        self.content = content
        self.name = name
        self.settings = settings
        self.file = file  # it was read from one
        self.functions = functions
        self.allow_plugins = allow_plugins

    @classmethod
    def of(
        cls, path: Path, settings: dict[str, Value], functions: dict[str, Function], allow_plugins: bool
    ) -> _Read:
        """What the file has now."""
        name = os.fsdecode(_api.encoded_path(path))
        try:
            if name == "-":
                content = sys.stdin.buffer.read(MOST_BYTES + 1)
            else:
                with open(name, "rb") as stream:
                    content = stream.read(MOST_BYTES + 1)
        except (OSError, ValueError):
            content = b""
            _refuse(name)
        if len(content) > MOST_BYTES:
            _refuse(name)
        shown = "standard input" if name == "-" else name
        return cls(content, shown, settings, True, functions, allow_plugins)

    def make(self) -> Any:
        held = _api.Arguments()
        return _api.model_made(
            lib.routh_model_parse_with,
            (held.text(self.content), len(self.content), held.text(encoded(self.name))),
            held,
            self.settings,
            self.functions,
            self.allow_plugins,
        )

    def text(self) -> str | None:
        return None if self.settings else self.content.decode("utf-8", "replace")

    def with_settings(self, settings: dict[str, Value]) -> _Read:
        return _Read(self.content, self.name, settings, self.file, self.functions, self.allow_plugins)

    def construction(self) -> Construction:
        made = Construction.parsed(self.content, self.name, self.settings)
        made.origin = self
        made.base = self.content
        made.functions = dict(self.functions)
        made.allow_plugins = self.allow_plugins
        return made

    def copy(self) -> _Read:
        return self


MOST_BYTES = 256 * 2**20  # of a model file, as the library has it


def _refuse(name: str) -> None:
    """Raises what the library says of a file that cannot be read."""
    held = _api.Arguments()
    _api.made(
        lib.routh_model_read, lib.routh_model_free, "routh_model", held.text(os.fsencode(name)), _api.NULL, 0
    )


def _rebuilt(cls: type[Model], source: Any) -> Model:
    """A model on a source: what pickle and copy make it by."""
    model = cls.__new__(cls)
    model._stand_on(source)
    return model


class Model(ModelStudies, Elements):
    """A mechanism: bodies, joints, loads, and what else a model file may hold.

    ``Model(title)`` begins one that the program builds, by a method for each kind of body, joint, load
    and so on. :meth:`read` takes it from a file, :meth:`parse` from text, :func:`template` from one of the
    ready ones. It may be shared between threads, and so may all that is made of it but a
    :class:`~routh.linear.Linearizer`.

    Examples
    --------
    >>> import routh
    >>> model = routh.template("pendulum-chain", n=3)
    >>> print(model.linearize().modes().undamped_frequency_hz)  # doctest: +SKIP

    >>> model = routh.Model("Pendulum")
    >>> l = model.parameter("l", 0.5)
    >>> model.gravity = (0, 0, -9.81)
    >>> bob = model.body("bob", mass=1, inertia=[1e-3] * 3, position=[0, 0, -l])
    >>> model.revolute("hinge", bob, model.ground, at=[0, 0, 0], axis="y")
    <Joint hinge>
    >>> model.linearize().modes().undamped_frequency_hz  # doctest: +SKIP
    """

    def __init__(
        self, title: str | None = None, *, description: str | None = None, name: str | None = None
    ) -> None:
        """Begins a model that the program builds.

        Parameters
        ----------
        title : str, optional
            One line, shown above results.
        description : str, optional
            Any text.
        name : str, optional
            What stands for the model's file in results: the program's file where left out. Files that
            the model names are looked for in its folder.
        """
        place = caller()
        self._stand_on(Construction(name or place.file, place))
        if title is not None:
            self.title = title
        if description is not None:
            self.description = description

    def _stand_on(self, source: Source) -> None:
        self._source = source
        self._lock = threading.RLock()
        self._pointer: Any = None
        self._mechanisms: dict[Coordinates | None, Mechanism] = {}

    # ---- where it comes from ----

    @classmethod
    def read(
        cls,
        path: Path,
        /,
        *,
        settings: Mapping[str, Value] | None = None,
        functions: Mapping[str, Given] | None = None,
        allow_plugins: bool = False,
        **parameters: Value,
    ) -> Model:
        """Reads and checks a model file.

        Parameters
        ----------
        path : str or path-like
            The file (YAML).
        settings, **parameters : str or number
            Other values of parameters of the model: a number, or an expression such as
            ``"2*pi"``; and variants: ``variant="winter"`` of the model, ``tyre="winter"`` or
            ``{"axle.left": "winter"}`` of a part. `settings` is for names that Python does not
            allow as keywords.
        functions : mapping, optional
            Functions that the model's expressions call, by name: of floats, or a
            :class:`~routh.functions.Function`, which says more of them.
        allow_plugins : bool, optional
            Whether the libraries that the file names in its section `functions` are loaded: they run code.
            Else such a file is refused.

        Raises
        ------
        FileError
            The file cannot be read.
        ModelSyntaxError, ModelError, LimitExceededError
            What is wrong in it, with the place.
        """
        return cls._of(_Read.of(path, {**(settings or {}), **parameters}, functions_of(functions), allow_plugins))

    @classmethod
    def parse(
        cls,
        text: str,
        /,
        name: str = "model",
        *,
        settings: Mapping[str, Value] | None = None,
        functions: Mapping[str, Given] | None = None,
        allow_plugins: bool = False,
        **parameters: Value,
    ) -> Model:
        """Reads a model from the text of a model file; `name` stands for the file in messages.

        Parameters and errors are those of :meth:`read`.
        """
        values = {**(settings or {}), **parameters}
        return cls._of(_Read(encoded(text), name, values, False, functions_of(functions), allow_plugins))

    @classmethod
    def _of(cls, source: Source) -> Model:
        model = _rebuilt(cls, source)
        model._c_model()
        return model

    def with_settings(
        self, *, settings: Mapping[str, Value] | None = None, **parameters: Value
    ) -> Model:
        """The same model with other values of parameters, beside those that it was read with, or
        another variant: ``m.with_settings(variant="winter")``, of a part ``m.with_settings(tyre="winter")``.

        It is a copy: what is changed in the one is not in the other.
        """
        values = {**(settings or {}), **parameters}
        for name, value in values.items():
            check_owner(value, self, f"parameter {name}")
        return self._of(self._source.with_settings({**self._source.settings, **values}))

    # ---- copies ----

    def copy(self) -> Model:
        """A copy that shares nothing with this model. Elements and expressions are of the one that made
        them: take the copy's own, as ``copy.bodies["rod"]``."""
        return _rebuilt(type(self), self._source.copy())

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._source)

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        # Before its source: elements in it may lead back here.
        made = memo[id(self)] = type(self).__new__(type(self))
        made._stand_on(copy.deepcopy(self._source, memo))
        return made

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same, value by value, wherever they came from."""
        if not isinstance(other, Model):
            return NotImplemented
        if self is other:
            return True
        try:
            (one, own), (two, others) = self._construction().settled(), other._construction().settled()
            return own == others and one.functions == two.functions and one.written() == two.written()
        except Error:  # of a model that has a name twice there is no text
            return False

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        title = self.title
        return f"<routh.Model {title!r}>" if title else "<routh.Model>"

    # ---- what it is compiled to ----

    def _c_model(self) -> Any:
        with self._lock:
            if self._pointer is None:
                self._pointer = self._source.make()
            return self._pointer

    def _compiled(self, coordinates: Coordinates | None = None) -> Mechanism:
        with self._lock:
            mechanism = self._mechanisms.get(coordinates)
            if mechanism is None:
                mechanism = Mechanism(self._c_model(), coordinates, self)
                mechanism = self._mechanisms.setdefault(mechanism.coordinates, mechanism)
                self._mechanisms[coordinates] = mechanism
            return mechanism

    def _changed(self) -> None:
        with self._lock:
            self._construction().origin = None
            self._pointer = None
            self._mechanisms.clear()

    def _snapshot(self) -> Callable[[], Model]:
        """Gives the model as it is now, whatever it becomes."""
        source = self._source
        kept = getattr(source, "origin", None) or source.copy()
        return partial(_rebuilt, type(self), kept)

    def _construction(self) -> Construction:
        with self._lock:
            return super()._construction()

    def mechanism(self, coordinates: Coordinates | None = None) -> Mechanism:
        """The model compiled for a coordinate set; made at the first use and kept.

        Parameters
        ----------
        coordinates : str, optional
            One of :data:`routh.COORDINATES`; ``"absolute"`` where left out.

        Raises
        ------
        NotSupportedError
            There are no such coordinates, or they do not do this model.
        """
        return self._compiled(coordinates)

    def evaluate(self, expression: str | Expression) -> float:
        """The value of an expression of the model's parameters, such as ``"2*pi/spin"``.

        Raises
        ------
        BadArgumentError
            What is wrong in it.
        """
        value = ffi.new("double *")
        check_owner(expression, self, "the expression")
        text = expression.text if isinstance(expression, Expression) else str(expression)
        _api.call(
            lib.routh_model_evaluate, self._c_model(), text.encode(), value
        )
        return float(value[0])

    # ---- from here to its linear model ----

    def operating_point(
        self,
        type: PointType | None = None,
        *,
        coordinates: Coordinates | None = None,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        accept_unstable: bool = False,
        start: OperatingPoint | Path | str | Mapping[str, float] | None = None,
        progress: Progress = False,
    ) -> OperatingPoint:
        """The operating point: see :meth:`routh.Mechanism.operating_point`."""
        return self._compiled(coordinates).operating_point(
            type,
            tolerance=tolerance,
            max_iterations=max_iterations,
            accept_unstable=accept_unstable,
            start=start,
            progress=progress,
        )

    def equilibrium(
        self,
        *,
        coordinates: Coordinates | None = None,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        accept_unstable: bool = False,
        start: OperatingPoint | Path | str | Mapping[str, float] | None = None,
        progress: Progress = False,
    ) -> OperatingPoint:
        """The operating point that the model asks for, as the command ``routh equilibrium``.

        The options are those of :meth:`routh.Mechanism.operating_point`.
        """
        return self._compiled(coordinates).operating_point(
            None,
            tolerance=tolerance,
            max_iterations=max_iterations,
            accept_unstable=accept_unstable,
            start=start,
            progress=progress,
        )

    def _mechanism_at(
        self, at: OperatingPoint | PointType | None, coordinates: Coordinates | None
    ) -> tuple[Mechanism, OperatingPoint]:
        """The mechanism in these coordinates, and the operating point in them."""
        if at is None or isinstance(at, str):
            mechanism = self._compiled(coordinates)
            return mechanism, mechanism.operating_point(at)
        if not isinstance(at, OperatingPoint):
            raise ArgumentTypeError(f"at is an operating point, or the type of one ('given', 'static', 'steady'), not {at!r}")
        if at.mechanism is not self._compiled(at.mechanism.coordinates):
            raise BadArgumentError(
                "the operating point belongs to another model, or to this one before it was changed"
            )
        if coordinates is None:
            return at.mechanism, at
        mechanism = self._compiled(coordinates)
        if mechanism is at.mechanism:
            return mechanism, at
        return mechanism, mechanism.operating_point_of(at)

    def linearize(
        self,
        at: OperatingPoint | PointType | None = None,
        *,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
        shares: bool = True,
        markers: bool = True,
        details: bool = False,
        extended: bool = True,
        blades: Sequence[str] | None = None,
        penalty_alpha: float = 0.0,
        penalty_xi: float = 0.0,
        penalty_omega: float = 0.0,
        progress: Progress = False,
    ) -> Linear:
        """The linear model at an operating point.

        Parameters
        ----------
        at : OperatingPoint or str, optional
            Where: a point of this model, or the type of one (``"given"``, ``"static"``,
            ``"steady"``); where left out the one that the model asks for.
        coordinates : str, optional
            One of :data:`routh.COORDINATES`; where left out those of the operating point, or
            ``"absolute"``. A point of another coordinate set is carried over by its state.
        method, reference, states, threads, shares, markers, details, extended, progress, ..
            As of :meth:`routh.Mechanism.linearize`.
        blades : sequence of str, optional
            Blades of a rotor in their order around it: the linear model in multi-blade coordinates, of the rotor
            brought into balance from there (:meth:`routh.Mechanism.rotor_point`).

        Returns
        -------
        Linear
        """
        mechanism, point = self._mechanism_at(at, coordinates)
        if blades is not None:
            point = mechanism.rotor_point(point, blades)
        return mechanism.linearize(
            point,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
            shares=shares,
            markers=markers,
            details=details,
            extended=extended,
            blades=blades,
            penalty_alpha=penalty_alpha,
            penalty_xi=penalty_xi,
            penalty_omega=penalty_omega,
            progress=progress,
        )

    def descriptor(
        self,
        at: OperatingPoint | PointType | None = None,
        *,
        coordinates: Coordinates | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
    ) -> Descriptor:
        """The linear model about rest as a sparse descriptor system, for a few modes of large
        mechanisms: see :meth:`routh.Mechanism.descriptor`."""
        mechanism, point = self._mechanism_at(at, coordinates)
        return mechanism.descriptor(point, reference=reference, states=states)

    def linearizer(
        self,
        at: OperatingPoint | PointType | None = None,
        *,
        coordinates: Coordinates | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
    ) -> Linearizer:
        """The same linearization again and again: see :meth:`routh.Mechanism.linearizer`."""
        mechanism, point = self._mechanism_at(at, coordinates)
        return mechanism.linearizer(point, reference=reference, states=states)

    def parametric(
        self,
        parameters: Sequence[str],
        *,
        coordinates: Coordinates | None = None,
        type: PointType | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        extended: bool = True,
    ) -> Parametric:
        """Eigenvalues and matrices at one value of these parameters after the other: :class:`routh.Parametric`.

        Parameters
        ----------
        parameters : sequence of str
            Names; they begin with their values in the model, and one that is written in terms of others follows
            them no longer.
        coordinates : str, optional
            One of :data:`routh.COORDINATES`; ``"absolute"`` where left out.
        type : {"given", "static", "steady"}, optional
            Of the operating point; where left out the one that the model asks for.
        method, reference, states, extended
            As of :meth:`routh.Mechanism.linearize`. ``extended=False`` takes less time.

        Raises
        ------
        BadArgumentError
            The model has no such parameter.
        """
        from routh.parametric import Parametric

        return Parametric(
            self,
            parameters,
            coordinates=coordinates,
            type=type,
            method=method,
            reference=reference,
            states=states,
            extended=extended,
        )

    def dynamics(
        self, at: OperatingPoint | PointType | None = None, *, coordinates: Coordinates | None = None
    ) -> Dynamics:
        """The equations of motion as a function ``f(t, x, u)``, for integrators, controllers and estimators of one's own:
        :class:`routh.Dynamics`. Joints of trees are its states with ``coordinates="relative"``.

        Parameters
        ----------
        at, coordinates : optional
            As of :meth:`linearize`: the states are chosen there.
        """
        mechanism, point = self._mechanism_at(at, coordinates)
        return mechanism.dynamics(point)

    def state_feedback(
        self, K: npt.ArrayLike, measures: Sequence[str | Expression], linear: Linear
    ) -> list[Expression]:
        """A law ``u = -K x`` of the states of a linear model, as expressions of measures.

        The linear model says what the measures are in its states, ``y - y0 = C x``; the law is ``u = -K C^-1 (y - y0)``.
        So their order and signs do not matter, and states need no measure that is their own.

        The law brings measures back to their values y0 at the operating point. Where that moves, a
        :class:`~routh.LinearWarning` names measures that change along its motion.

        Parameters
        ----------
        K : array_like
            Shape (n_inputs, n_states) or (n_states,): columns in the order of ``linear.states``.
        measures : sequence
            As many expressions as there are states, that determine them: positions, angles, their rates, and states
            of controllers.
        linear : Linear
            That of this model, as :meth:`linearize` gave it.

        Returns
        -------
        list of Expression
            One for each row of K, to be used in loads, variables and controllers of this model.

        Raises
        ------
        BadArgumentError
            K or the linear model does not fit, the measures do not determine the states, or one of them feels inputs,
            accelerations or forces.

        Examples
        --------
        >>> law = m.state_feedback(K, ["DX(cart)", "VX(cart)"], linear)  # doctest: +SKIP
        >>> m.force("motor", "cart", components=[law[0], 0, 0])  # doctest: +SKIP
        """
        from routh.feedback import state_feedback

        return state_feedback(self, K, measures, linear)

    # ---- answers ----

    def check(
        self,
        type: PointType | None = None,
        *,
        reference: str | None = None,
        tolerance: float | None = None,
        threads: int = 0,
        progress: Progress = False,
    ) -> Check:
        """Is the model what it seems, and do all ways to its linear model agree? As ``routh
        check``. Ctrl-C stops it within a cell; late while eigenvalues of full matrices are found.

        Parameters
        ----------
        type : {"given", "static", "steady"}, optional
            Of the operating point.
        reference : str, optional
            Marker of the reference frame.
        tolerance : float, optional
            Of eigenvalues, as a fraction of the spectral radius and times the condition number;
            1e-8.
        threads : int, optional
            0: what OpenMP gives.
        progress : bool or callable, optional
            True: a bar on standard error; or what is called with the cells done and of all.

        Returns
        -------
        Check
            True where every answer is yes.
        """
        from routh.answers import check

        return check(self, type, reference, tolerance, threads, progress)

    def compare(
        self,
        other: Model | None = None,
        at: PointType | None = None,
        *,
        versus: Mapping[str, Value] | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> Comparison:
        """Which mode became which from this model to another one, and what moved it: see
        :meth:`routh.Modes.compare`. The command ``routh compare``.

        Parameters
        ----------
        other : Model, optional
            The other one; or in its place
        versus : dict, optional
            other values of parameters of this one, as ``routh compare --versus``: then the changes are shared out
            by these parameters too, by exact derivatives at six places on the straight way between. Not where a
            variant is among them, or a coordinate of a joint: these have no values between.
        at : str, optional
            The type of the operating point of both.
        coordinates, method, reference, states, threads
            As of :meth:`linearize`.

        Raises
        ------
        BadArgumentError
            Names a body, joint, state or controller that the two do not share.
        NotSupportedError
            A parameter acts through numbers that are not differentiated. Whatever goes wrong at a place between is
            raised too.
        """
        from routh.comparison import by_parameters, compare

        if (other is None) == (versus is None):
            raise ArgumentTypeError("compare() takes another model, or other values of parameters as versus={..}")
        if other is not None and not isinstance(other, Model):
            raise ArgumentTypeError(f"a model is compared with a model, as routh.Model.read() gives it, not with {other!r}")
        second = self.with_settings(settings=versus) if other is None else other

        def modes(model: Model) -> Modes:
            return model.linearize(
                at, coordinates=coordinates, method=method, reference=reference, states=states, threads=threads
            ).modes()

        comparison = compare(modes(self), modes(second))
        if versus is not None:
            try:
                ends = {name: (self.evaluate(name), second.evaluate(name)) for name in versus}
            except BadArgumentError:
                return comparison

            def between(t: float) -> Modes:
                values: dict[str, Value] = {name: (1 - t) * a + t * b for name, (a, b) in ends.items()}
                return modes(self.with_settings(settings=values))

            by_parameters(comparison, list(ends), between)
        return comparison

    def _repr_html_(self) -> str:
        from routh.display import model_html

        return model_html(self)


def template_names() -> tuple[str, ...]:
    """The names of the ready models."""
    return _api.names_until_null(lib.routh_template_name)


def template(
    name: str, /, *, settings: Mapping[str, Value] | None = None, **parameters: Value
) -> Model:
    """A ready model, shaped by settings.

    Parameters
    ----------
    name : str
        One of :func:`template_names`.
    settings, **parameters : str or number
        As ``N=20``; the reference of the template says which there are.

    Raises
    ------
    BadArgumentError
        There is no such template, or it has no such setting.
    """
    return Model.parse(template_text(name, settings=settings, **parameters), name)


def template_text(
    name: str, /, *, settings: Mapping[str, Value] | None = None, **parameters: Value
) -> str:
    """The model file of :func:`template` as text."""
    held = _api.Arguments()
    given = held.settings({**(settings or {}), **parameters})
    return _api.written(lib.routh_template_write, held.text(name), *given)


def format_text(text: str, /, width: int = 100, *, name: str = "model") -> str:
    """The text of a model file laid out anew, as ``routh format`` does: indentation, spaces, quotes that are not needed, and
    lists and mappings of lines that are longer than `width`. Comments, blank lines, the order and what is read stay.

    Parameters
    ----------
    text : str
        The model file, or any YAML that Routh reads.
    width : int, optional
        How many characters a line may have, from 20.
    name : str, optional
        What stands for the file in messages.

    Raises
    ------
    ModelSyntaxError
        It is no YAML; with the place.

    Examples
    --------
    >>> import routh
    >>> print(routh.format_text("bodies: {b:   {mass: 1}}  # one"), end="")
    bodies: {b: {mass: 1}} # one
    """
    content, held = encoded(text), _api.Arguments()
    return _api.written(
        lib.routh_model_format, held.text(content), len(content), held.text(encoded(name)), _api.whole(width, "width")
    )
