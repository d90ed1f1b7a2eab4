"""Models built by a program: what is given is kept as it was given, with the line it came from, and the
library checks it as it checks a model file.

:class:`Building` has what models of both kinds share with the methods in ``routh._elements``, one for
each kind of body, joint, load and so on, which are written from the library's own tables by
``python/write_elements.py``. What has been given lies in a ``routh.construction.Construction``.
"""

from __future__ import annotations

import keyword
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Callable, Protocol, TypeVar, Union

import numpy as np

from routh import _api
from routh._api import Path
from routh._routh import lib
from routh.construction import (
    SHORT,
    Construction,
    Entry,
    Field,
    Named,
    Place,
    Text,
    caller,
    check_text,
    encoded,
    frozen,
    frozen_fields,
    saved_at,
    shown,
    time_unit_of,
)
from routh.errors import ArgumentTypeError, BadArgumentError, MissingAttributeError, nearest
from routh.expressions import ATOM, Expression, call_of, check_removed, owner_of
from routh.functions import Function, Given

__all__ = [
    "Body",
    "Controller",
    "Element",
    "Event",
    "Expression",
    "Ground",
    "Joint",
    "Load",
    "Marker",
    "Parameter",
    "Part",
    "Variant",
    "Signal",
]

# ---- what a program holds --------------------------------------------------------------------


class Element(Named):
    """A named thing of a model: give it where its name is asked for. ``str()`` of it is the name."""

    def __init__(self, model: Building, section: str, entry: Entry) -> None:
        self._owner = model
        self._section = section
        self._entry = entry

    @property
    def name(self) -> str:
        return self._entry.name

    @property
    def type(self) -> str | None:
        """As the model file has it: ``"revolute"``; None where there is one kind alone, or it is left out."""
        return self.fields.get("type")

    @property
    def fields(self) -> dict[str, Any]:
        """What was given, by the names of the model file: numbers, texts (expressions too), lists and
        mappings. A copy: :meth:`set` changes the model."""
        if self._entry.value is not None:
            return {SHORT.get(self._section, "value"): shown(self._entry.value.value)}
        return {name: shown(field.value) for name, field in self._entry.fields.items()}

    def __str__(self) -> str:
        return self._entry.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._entry.name}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self._entry is other._entry

    def __hash__(self) -> int:
        return hash(self._entry.name)

    def set(self, **fields: Any) -> None:
        """Gives fields other values, or such as it did not have, in place of settings of them too; ``None`` takes one
        away."""
        place = caller()
        model = self._owner
        self._check_there()
        if self._section in SHORT:
            self._entry.lengthen(SHORT[self._section])
        given = frozen_fields(self.name, _plain(fields), model)
        model._construction().forget_settings(self._section, self.name, given)
        model._fill(self._entry, given, place)

    def _check_there(self) -> None:
        self._owner._construction()
        check_removed(self, "a change")

    def remove(self) -> None:
        """Takes it out of the model. What names it is refused from then on, and so are changes of it."""
        self._check_there()
        self._owner._remove(self._section, self._entry)


class Body(Element):
    """A body: stands for its own marker too, at its centre of mass."""


class Marker(Element):
    """A frame fixed in a body."""


class Joint(Element):
    """A joint or another constraint."""


class Load(Element):
    """A spring, a force and what else pushes."""


class Event(Element):
    """What happens in a run."""


class Part(Element):
    """A model file used as a part: ``part["hub"]`` is the name of what it exports, ``part[3, "hub"]`` that in
    the third part of an array."""

    def __getitem__(self, name: str | tuple[int, str]) -> str:
        number, of = name if isinstance(name, tuple) else (None, name)
        return f"{self.name}.{of}" if number is None else f"{self.name}.{number}.{of}"


class Variant(Element):
    """Values of parameters and variants of parts, under a name: ``m.with_settings(variant="winter")`` chooses it."""


class Ground(Named):
    """The world."""

    def __str__(self) -> str:
        return "ground"

    def __repr__(self) -> str:
        return "<Ground>"


class Signal(Element, Expression):
    """An input, output or variable: stands in expressions, as a parameter does."""

    def __init__(self, model: Building, section: str, entry: Entry) -> None:
        Element.__init__(self, model, section, entry)
        Expression.__init__(self, entry.name, ATOM, model)


class Controller(Signal):
    """A controller: in expressions its output or state of the same name."""


class Parameter(Signal):
    """A named number of the model. Arithmetic with it gives expressions."""

    @property
    def value(self) -> float:
        """The number that it is in its model, with the settings of that."""
        return self._owner.evaluate(self.name)

    def set(self, value: Any) -> None:  # type: ignore[override]
        """Gives it another value or expression, in place of a setting too."""
        self._check_there()
        kept = Field(frozen(value, f"parameter {self.name}", self._owner), caller())
        self._owner._construction().settings.pop(self.name, None)
        self._owner._construction().put_parameter(self._entry, kept)
        self._owner._changed()


Number = Union[float, int, str, Expression, "np.number[Any]"]
Numbers = Union[Sequence[Any], "np.ndarray[Any, Any]"]


class Rotation(Protocol):
    """A Rotation of SciPy."""

    def as_matrix(self) -> Any: ...


Orientation = Union[Mapping[str, Any], Numbers, Rotation]  # as in a file, a matrix of shape (3, 3), or a Rotation
Point = Union[Body, Marker, Ground, str]
State = Union[Signal, str]
JointName = Union[Joint, str]
Fields = Mapping[str, Any]

E = TypeVar("E", bound=Element)
F = TypeVar("F", bound=Callable[..., Any])


def measure(name: str, *arguments: Element | Point | None) -> Expression:
    """A call in an expression, of names; what is left out between others is the ground."""
    given = list(arguments)
    for each in given:
        check_removed(each, name)
    while given and given[-1] is None:
        given.pop()
    text = f"{name}({', '.join('ground' if a is None else str(a) for a in given)})"
    return Expression(text, ATOM, owner_of(*given))


def element(section: str, kind: str | None, made: type[Any], positional: Sequence[str]) -> Callable[[F], F]:
    """Makes a method of a declaration: it adds a thing of that kind with the fields it is given. Fields
    that the declaration does not have are kept too, for the library refuses them better."""

    def decorate(declaration: F) -> F:
        @wraps(declaration)
        def method(self: Building, *values: Any, **fields: Any) -> Any:
            place = caller()
            given = _given(declaration.__name__, ("name", *positional), values, fields)
            if not isinstance(given.get("name"), str):
                raise ArgumentTypeError(f"{declaration.__name__}() needs a name, which is text")
            return self._add(made, section, kind, given.pop("name"), given, place)

        method.adds = (section, kind)  # type: ignore[attr-defined]
        method.positional = list(positional)  # type: ignore[attr-defined]
        return method  # type: ignore[return-value]

    return decorate


def section(name: str, positional: Sequence[str]) -> Callable[[F], F]:
    """The same of a section without named things, such as ``operating_point``."""

    def decorate(declaration: F) -> F:
        @wraps(declaration)
        def method(self: Building, *values: Any, **fields: Any) -> None:
            place = caller()
            given = _given(declaration.__name__, positional, values, fields)
            kept = frozen_fields(name, given, self)
            self._fill(self._construction().one(name, place), kept, place)

        method.adds = (name, None)  # type: ignore[attr-defined]
        method.positional = list(positional)  # type: ignore[attr-defined]
        return method  # type: ignore[return-value]

    return decorate


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """With the names of the model file: ``from`` for ``from_``, which Python does not have."""
    return {
        name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name: value
        for name, value in fields.items()
    }


def _given(method: str, positional: Sequence[str], values: Sequence[Any], fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that a call gives, in its order; the two ends of a joint become ``between``."""
    if len(values) > len(positional):
        raise ArgumentTypeError(
            f"{method}() takes {', '.join(positional) or 'no values'} by position, then fields by "
            f"name, as help(routh.Model.{method}) has them; values beyond them: {len(values) - len(positional)}"
        )
    given = dict(zip(positional, values))
    for name, value in _plain(fields).items():
        if given.get(name) is not None:
            raise ArgumentTypeError(f"{method}() was given {name} by position and by name")
        given[name] = value
    ends = [given.pop(end) for end in ("first", "second") if end in given and end in positional]
    if any(end is not None for end in ends):
        if given.get("between") is not None:
            raise ArgumentTypeError(f"{method}() was given its two ends and between; give one of them")
        given = {"between": ends, **given}
    return given


def _operand(value: Any) -> Expression:
    return value if isinstance(value, Expression) else Expression(str(value))


_SINGULAR = {"bodies": "body"}  # of sections that do not end in an s alone


class Building:
    """What a model that a program builds can do beside the methods of ``routh._elements``."""

    _source: Any

    def _changed(self) -> None:
        raise NotImplementedError

    def _c_model(self) -> Any:
        raise NotImplementedError

    def _construction(self) -> Construction:
        """What the model holds; of one that was read, made of its text at the first use."""
        if not isinstance(self._source, Construction):
            self._source = self._source.construction()
        source: Construction = self._source
        return source

    def evaluate(self, expression: str | Expression) -> float:
        raise NotImplementedError

    def _add(
        self, made: type[Any], section: str, kind: str | None, name: str, fields: Fields, place: Place
    ) -> Any:
        check_text(name, "a name")
        typed = fields if kind is None else {"type": kind, **fields}
        values = frozen_fields(name, typed, self)
        entry = self._construction().add(section, name, place)
        self._fill(entry, values, place)
        return made(self, section, entry)

    def _fill(self, entry: Entry, values: Fields, place: Place) -> None:
        for field, value in values.items():
            if value is None:
                entry.fields.pop(field, None)
            else:
                entry.fields[field] = Field(value, place)
        self._changed()

    def _remove(self, section: str, entry: Entry) -> None:
        entries = self._construction().sections[section]
        entries[:] = [other for other in entries if other is not entry]
        entry.removed = True
        self._changed()

    def _single(self, section: str, value: Any) -> None:
        place = caller()
        construction = self._construction()
        if value is None:
            construction.single.pop(section, None)
        else:
            kept = frozen(Text(value) if isinstance(value, str) else value, section, self)
            construction.one(section, place).value = Field(kept, place)
        self._changed()

    def _kept(self, section: str) -> Any:
        entry = self._construction().single.get(section)
        return shown(entry.value.value) if entry and entry.value else None

    # ---- what every model has one of ----

    @property
    def ground(self) -> Ground:
        """The world, for what is fixed to it."""
        return Ground()

    @property
    def title(self) -> str | None:
        """One line, shown above results."""
        if not isinstance(self._source, Construction):
            return _api.text(lib.routh_model_title(self._c_model())) or None
        value = self._kept("title")
        return None if value is None else str(value)

    @title.setter
    def title(self, value: str | None) -> None:
        self._single("title", value)

    @property
    def description(self) -> str | None:
        """Any text."""
        if not isinstance(self._source, Construction):
            return _api.text(lib.routh_model_description(self._c_model())) or None
        value = self._kept("description")
        return None if value is None else str(value)

    @description.setter
    def description(self, value: str | None) -> None:
        self._single("description", value)

    @property
    def units(self) -> Any:
        """The units of length, mass and time that numbers of the model are in, ``("mm", "t", "s")``; None: SI.

        What the library gives back is in SI, except parameters, inputs, outputs and other signals.
        """
        return self._kept("units")

    @units.setter
    def units(self, value: Sequence[str] | None) -> None:
        construction = self._construction()
        system = construction.system_by(time_unit_of(value))
        if system:
            raise BadArgumentError(
                f"units: the numbers of {system.name} are by another unit of time already; set `units` before add_system"
            )
        self._single("units", None if value is None else [Text(unit) for unit in value])

    @property
    def gravity(self) -> Any:
        """The acceleration of free fall [m/s^2], three numbers or expressions."""
        return self._kept("gravity")

    @gravity.setter
    def gravity(self, value: Numbers | None) -> None:
        self._single("gravity", value)

    # ---- parameters ----

    def parameter(self, name: str, value: Number) -> Parameter:
        """A named number; it may be an expression of others, in any order.

        What is returned stands in expressions: ``m.body("rod", mass=rho * l)``. It is also an attribute of
        the model, ``m.l``, where the model has no other of that name; ``m.l = 0.7`` gives it another value.
        """
        if not isinstance(name, str):
            raise ArgumentTypeError(f"the name of a parameter is text, not {type(name).__name__}")
        place = caller()
        check_text(name, "a name")
        kept = frozen(value, f"parameter {name}", self)
        entry = self._construction().add("parameters", name, place)
        entry.value = Field(kept, place)
        self._changed()
        return Parameter(self, "parameters", entry)

    def _named(self, section: str, made: Callable[[Building, str, Entry], E]) -> dict[str, E]:
        entries = self._construction().sections.get(section, ())
        return _api.Names(_SINGULAR.get(section, section.rstrip("s")), {entry.name: made(self, section, entry) for entry in entries})

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters, by name."""
        return self._named("parameters", Parameter)

    @property
    def bodies(self) -> Mapping[str, Body]:
        """The bodies, by name; those of parts are in their files."""
        return self._named("bodies", Body)

    @property
    def beams(self) -> Mapping[str, Body]:
        """The beams of nodes and elements, by name."""
        return self._named("beams", Body)

    @property
    def markers(self) -> Mapping[str, Marker]:
        """The markers that have an entry of their own, by name."""
        return self._named("markers", Marker)

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints, motions and constraints, by name."""
        return self._named("joints", Joint)

    @property
    def loads(self) -> Mapping[str, Load]:
        """Springs, forces and other loads, by name."""
        return self._named("loads", Load)

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts, by name."""
        return self._named("parts", Part)

    @property
    def variants(self) -> Mapping[str, Variant]:
        """The variants of the model, by name; those of parts are among their fields."""
        return self._named("variants", Variant)

    @property
    def inputs(self) -> Mapping[str, Signal]:
        """The inputs, by name."""
        return self._named("inputs", Signal)

    @property
    def outputs(self) -> Mapping[str, Signal]:
        """The outputs, by name."""
        return self._named("outputs", Signal)

    @property
    def variables(self) -> Mapping[str, Signal]:
        """The variables, by name."""
        return self._named("variables", Signal)

    @property
    def controllers(self) -> Mapping[str, Controller]:
        """The controllers, by name."""
        return self._named("controllers", Controller)

    @property
    def events(self) -> Mapping[str, Event]:
        """The events, by name."""
        return self._named("events", Event)

    if TYPE_CHECKING:  # parameters, as programs have them at a prompt

        def __getattr__(self, name: str) -> Parameter: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    else:

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and "_source" in self.__dict__:
                entry = self._construction().find("parameters", name)
                if entry:
                    return Parameter(self, "parameters", entry)
            raise MissingAttributeError(f"a {type(self).__name__} has no attribute {name!r}{self._near(name)}")

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_") or hasattr(type(self), name):
                object.__setattr__(self, name, value)
                return
            parameter = getattr(self, name, None)
            if not isinstance(parameter, Parameter):
                raise MissingAttributeError(
                    f"a {type(self).__name__} has no parameter {name!r}{self._near(name)}; "
                    "parameter() makes one"
                )
            parameter.set(value)

    def _near(self, name: str) -> str:
        """``"; did you mean 'gravity'?"``, or nothing."""
        near = nearest(name, [known for known in dir(self) if not known.startswith("_")])
        return f"; did you mean {near!r}?" if near else ""

    def __dir__(self) -> Iterator[str]:
        yield from super().__dir__()
        if "_source" in self.__dict__:
            yield from self.parameters

    # ---- functions of the caller ----

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions in Python that were given, by name; not those that a file declares alone, nor those of plug-ins."""
        return dict(self._construction().functions)

    def function(
        self,
        name: str,
        value: Given,
        *,
        gradient: Callable[..., Any] | None = None,
        hessian: Callable[..., Any] | None = None,
        complex_step: bool = False,
        scales: Sequence[float] | None = None,
        arguments: int | None = None,
    ) -> Callable[..., Expression]:
        """A function in Python that the model's expressions may call: forces, measures, constraints.

        Parameters
        ----------
        name : str
            Its own: letters, digits and underscores.
        value : callable
            ``value(x, y, ..)`` of floats, or a :class:`~routh.functions.Function`, which has the rest too.
        gradient, hessian : callable, optional
            Its first and second derivatives, of the same arguments: ``jax.grad(value)``, for one. What is left out is taken by
            differences, whose error is estimated; above 1e-8 an :class:`~routh.OperatingPointWarning` has it.
        complex_step : bool, optional
            Whether `value` computes with complex arguments, which give the gradient exactly.
        scales : sequence of float, optional
            Over what change of each argument the slope of the function changes, for differences.
        arguments : int, optional
            How many there are; as many as `value` has where left out.

        Returns
        -------
        callable
            Of the arguments, numbers and expressions: the call as an expression.

        A saved model names the function and holds no code: whoever reads it gives the function again (``functions=`` of
        :meth:`routh.Model.read`).

        Examples
        --------
        >>> model = routh.Model("Slider")
        >>> stop = model.function("stop", lambda x: 900 * x**3, gradient=lambda x: 2700 * x**2)
        >>> str(stop(DX("slider") - 0.1))
        'stop(DX(slider) - 0.1)'
        """
        if isinstance(value, Function):
            function = value
        else:
            function = Function(
                value, gradient=gradient, hessian=hessian, complex_step=complex_step, scales=scales, arguments=arguments
            )
        place, construction = caller(), self._construction()
        if construction.find("functions", name):
            raise BadArgumentError(f"the model has a function {name!r} already")
        entry = construction.add("functions", name, place)
        entry.fields["arguments"] = Field(str(function.arguments), place)
        construction.functions[name] = function
        self._changed()
        return partial(call_of, name)

    # ---- systems of other packages ----

    def add_system(
        self, name: str, system: Any, inputs: Sequence[Number] | Number, *, initial: Sequence[Number] | None = None
    ) -> dict[str, Expression]:
        """A linear system of another package as a controller: its outputs stand in expressions.

        Parameters
        ----------
        name : str
            Of the controller.
        system
            A continuous ``StateSpace`` or ``TransferFunction`` of python-control, one of ``scipy.signal``, or ``(A, B, C, D)``.
            Its time is in s, whatever the `units` of the model, which are to be set before; its signals are in these.
        inputs : sequence
            An expression for each input of the system.
        initial : sequence, optional
            The states at the operating point; where left out such that they rest.

        Returns
        -------
        dict
            Each output by its name, an expression: ``m.force("f", cart, components=[u["y1"], 0, 0])``.

        Raises
        ------
        ArgumentTypeError
            It is no such system, or a discrete one.
        """
        from routh.convert import matrices_of

        A, B, C, D, outputs = matrices_of(system)
        several: Any = inputs
        given = [inputs] if isinstance(inputs, (str, Expression, int, float)) else list(several)
        if len(given) != B.shape[1]:
            raise BadArgumentError(f"the system has {B.shape[1]} inputs, and {len(given)} expressions are given for them")
        fields: dict[str, Any] = {"inputs": given, "D": D, "outputs": list(outputs)}
        if A.size:
            unit = self._construction().time_unit()
            fields.update(A=A * unit, B=B * unit, C=C)
            if initial is not None:
                fields["initial"] = list(initial)
            self._add(Controller, "controllers", "state_space", name, fields, caller())._entry.by_time = unit
            return {output: Expression(f"{name}.{output}", ATOM, self) for output in outputs}
        made = {}
        for output, row in zip(outputs, D):  # gains alone
            terms = [gain * _operand(value) for gain, value in zip(row.tolist(), given)]
            made[output] = sum(terms[1:], terms[0]) if terms else Expression("0")
        return made

    # ---- the model as a file ----

    def to_yaml(self) -> str:
        """The text of a model file from which the same model is read, number by number.

        Of a model that was read this is the text that was read, with what was changed since in its place: comments, the
        order and all other lines stay, and what was taken out goes with its comments. A :class:`~routh.CommentsWarning`
        names a comment that is lost or whose place is in doubt. Where a change has no place in that text, it is written
        anew, without comments, and the warning says why. A model that a program builds has none.

        Raises
        ------
        ModelError
            Something was given twice. What else is wrong is found when the model is used.
        BadArgumentError
            The model has a setting that no model file can hold: of a part within a part, of a joint of one.
        """
        return self._construction().text()

    def save(self, path: Path) -> None:
        """Writes :meth:`to_yaml` to a file, the whole of it or nothing.

        Files that the model names are looked for in the folder of the model file. In another folder than that of the
        model, names of files of flexible bodies lead from there; files of parts, which have to be below the model's
        folder, are copied along.

        Raises
        ------
        FileError
            A file cannot be written, or is there and would become another one.
        """
        saved_at(self.to_yaml(), self._construction().name, os.fspath(path))
