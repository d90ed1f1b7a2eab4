"""Models built by a program: what is given is kept as it was given, with the line it came from, and the
library checks it as it checks a model file.

:class:`Building` has what models of both kinds share with the methods in ``routh._elements``, one for
each kind of body, joint, load and so on, which are written from the library's own tables by
``python/write_elements.py``. What has been given lies in a :class:`Construction`, the source of the model
(``routh.model``): its ``make`` passes every value to the library, each with its source location.
"""

from __future__ import annotations

import keyword
import numbers
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import wraps
from types import FrameType
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, TypeVar, Union

import numpy as np

from routh import _api
from routh._api import Path, Value
from routh._routh import ffi, lib
from routh.expressions import ATOM, Expression, number_text

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
    "Signal",
]

# The sections of a model file, in the order in which they are written.
_SECTIONS = (
    "title description parameters gravity bodies beams markers joints loads parts connections "
    "exports inputs variables controllers outputs operating_point steady linearize simulate events"
).split()


# ---- where the caller stands -----------------------------------------------------------------


class Place(NamedTuple):
    """A line of the caller's program."""

    file: str
    line: int


def _cell(file: str) -> str | None:
    """``In[3]``, where the file is what a cell of a notebook was compiled as."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    cells = getattr(getattr(shell, "compile", None), "_filename_map", None)
    if cells and file in cells:
        return f"In[{cells[file]}]"
    old = re.match(r"<ipython-input-(\d+)-", file)
    return f"In[{old.group(1)}]" if old else None


def _shown(file: str) -> str:
    """A file as messages name it: from the working directory where it lies below that."""
    cell = _cell(file)
    if cell or file.startswith("<"):
        return cell or file
    below = os.path.relpath(file) if os.path.splitdrive(file)[0] == "" else file
    return file if below.startswith("..") else below


_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def caller() -> Place:
    """The statement outside this package that led here."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_back and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    if frame is None:
        return Place("<program>", 0)
    return Place(_shown(frame.f_code.co_filename), frame.f_lineno)


# ---- values as they are kept -----------------------------------------------------------------


class _Text(str):
    """Text and nothing else: not a name, not an expression."""


class _Word(str):
    """What a file has without quotes."""


# What a file has without quotes and a program means as text.
_MEANINGS = ("", "~", "null", "true", "false")


def _check_text(text: str, what: str) -> None:
    if "\0" in text:
        raise ValueError(f"{what}: the text contains a zero byte; remove it")


def _frozen(value: Any, what: str) -> Any:
    """A value made of words, texts, floats, lists and mappings, which nobody else holds."""
    if isinstance(value, (Expression, Element, Ground)):
        return _Word(str(value))
    if isinstance(value, (bool, np.bool_)):
        return _Word("true" if value else "false")
    if isinstance(value, str):
        _check_text(value, what)
        return _Text(value) if value.lower() in _MEANINGS or isinstance(value, _Text) else _Word(value)
    if isinstance(value, numbers.Integral):
        return _Word(number_text(value))
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, os.PathLike):
        return _Text(os.fspath(value))
    if isinstance(value, np.ndarray):
        return _frozen(value.tolist(), what)
    if isinstance(value, Mapping):
        for key in value:
            _check_text(str(key), what)
        return {str(key): _frozen(each, what) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, set, frozenset)):
        return [_frozen(each, what) for each in value]
    if value is None:
        return _Word("")
    raise TypeError(
        f"{what}: numbers, texts, expressions, elements, and lists and mappings of them are "
        f"needed, not {type(value).__name__}"
    )


def _frozen_fields(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same of fields of a thing; None, which is no value, stays."""
    return {f: None if v is None else _frozen(v, f"{name}, {f}") for f, v in fields.items()}


class _Writer:
    """Passes a document to the library."""

    def __init__(self, name: str) -> None:
        self.document = _api.made(
            lib.routh_document_create, lib.routh_document_free, "routh_document", name.encode()
        )

    # Statuses are not looked at: the document keeps its first failure for who asks for the whole.

    def at(self, place: Place) -> None:
        lib.routh_document_at(self.document, place.file.encode(), place.line, 0)

    def key(self, name: str) -> None:
        lib.routh_document_key(self.document, _bytes(name))

    def begin(self) -> None:
        lib.routh_document_mapping(self.document)

    def end(self) -> None:
        lib.routh_document_end(self.document)

    def value(self, value: Any) -> None:
        if isinstance(value, float):
            lib.routh_document_number(self.document, value)
        elif isinstance(value, _Text):
            lib.routh_document_text(self.document, _bytes(value))
        elif isinstance(value, str):
            lib.routh_document_word(self.document, _bytes(value))
        elif isinstance(value, dict):
            self.begin()
            for key, each in value.items():
                self.key(key)
                self.value(each)
            self.end()
        elif value and all(isinstance(each, float) for each in value):
            lib.routh_document_numbers(self.document, ffi.new("double[]", value), len(value))
        else:
            lib.routh_document_list(self.document)
            for each in value:
                self.value(each)
            self.end()


def _bytes(text: str) -> bytes:
    """UTF-8; what has none (half of a pair of UTF-16) is given as it is, and refused."""
    return text.encode("utf-8", "surrogatepass")


# ---- what a program has given ----------------------------------------------------------------


class _Field(NamedTuple):
    value: Any
    place: Place


class _Entry:
    """A thing of a section: its fields, or for a parameter its value alone."""

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.fields: dict[str, _Field] = {}
        self.value: _Field | None = None

    def copy(self) -> _Entry:
        other = _Entry(self.name, self.place)
        other.fields = dict(self.fields)
        other.value = self.value
        return other

    def write(self, writer: _Writer) -> None:
        writer.at(self.place)
        writer.key(self.name)
        self.write_value(writer)

    def write_value(self, writer: _Writer) -> None:
        if self.value is not None:
            writer.at(self.value.place)
            writer.value(self.value.value)
            return
        writer.begin()
        for name, field in self.fields.items():
            writer.at(field.place)
            writer.key(name)
            writer.value(field.value)
        writer.at(self.place)
        writer.end()


class Construction:
    """All that a program has given of one model, and the source of it."""

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.settings: dict[str, Value] = {}
        self.sections: dict[str, list[_Entry]] = {}  # of named things
        self.single: dict[str, _Entry] = {}  # title, gravity, operating_point, ..

    def add(self, section: str, name: str, place: Place) -> _Entry:
        entry = _Entry(name, place)
        self.sections.setdefault(section, []).append(entry)
        return entry

    def one(self, section: str, place: Place) -> _Entry:
        return self.single.setdefault(section, _Entry(section, place))

    def find(self, section: str, name: str) -> _Entry | None:
        return next((e for e in self.sections.get(section, ()) if e.name == name), None)

    def document(self) -> Any:
        """The C document."""
        writer = _Writer(self.name)
        writer.at(self.place)
        writer.begin()
        for section in _SECTIONS:
            if section in self.single:
                self.single[section].write(writer)
            elif self.sections.get(section):
                entries = self.sections[section]
                writer.at(entries[0].place)
                writer.key(section)
                writer.begin()
                for entry in entries:
                    entry.write(writer)
                writer.end()
        writer.end()
        return writer.document

    def make(self) -> Any:
        held = _api.Arguments()
        return _api.made(
            lib.routh_model_build,
            lib.routh_model_free,
            "routh_model",
            self.document(),
            *held.settings(self.settings),
        )

    def with_settings(self, settings: dict[str, Value]) -> Construction:
        """The same with other values of parameters; what is added to the one is not in the other."""
        other = Construction(self.name, self.place)
        other.settings = settings
        other.sections = {name: [e.copy() for e in some] for name, some in self.sections.items()}
        other.single = {name: entry.copy() for name, entry in self.single.items()}
        return other

    def text(self) -> str:
        """The model file."""
        document = self.document()
        if not self.settings:
            return _api.written(lib.routh_document_write, document)
        plain = self.with_settings({})
        plain.sections["parameters"] = [self._set(e) for e in self.sections.get("parameters", ())]
        return _api.written(lib.routh_document_write, plain.document())

    def _set(self, entry: _Entry) -> _Entry:
        other = entry.copy()
        if entry.name in self.settings:
            value = _frozen(self.settings[entry.name], f"parameter {entry.name}")
            other.value = _Field(value, entry.place)
        return other


# ---- what a program holds --------------------------------------------------------------------


class Element:
    """A named thing of a model: give it where its name is asked for. ``str()`` of it is the name."""

    def __init__(self, model: Building, section: str, entry: _Entry) -> None:
        self._model = model
        self._section = section
        self._entry = entry

    @property
    def name(self) -> str:
        return self._entry.name

    def __str__(self) -> str:
        return self._entry.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._entry.name}>"

    def set(self, **fields: Any) -> None:
        """Gives fields other values, or such as it did not have; ``None`` takes one away."""
        place = caller()
        self._model._fill(self._entry, _frozen_fields(self.name, _plain(fields)), place)

    def remove(self) -> None:
        """Takes it out of the model. What names it is refused from then on."""
        self._model._remove(self._section, self._entry)


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


class Ground:
    """The world."""

    def __str__(self) -> str:
        return "ground"

    def __repr__(self) -> str:
        return "<Ground>"


class Signal(Element, Expression):
    """An input, output or variable: stands in expressions, as a parameter does."""

    def __init__(self, model: Building, section: str, entry: _Entry) -> None:
        Element.__init__(self, model, section, entry)
        Expression.__init__(self, entry.name)


class Controller(Signal):
    """A controller: in expressions its output or state of the same name."""


class Parameter(Signal):
    """A named number of the model. Arithmetic with it gives expressions."""

    def set(self, value: Any) -> None:  # type: ignore[override]
        """Gives it another value or expression."""
        self._entry.value = _Field(_frozen(value, f"parameter {self.name}"), caller())
        self._model._changed()


Number = Union[float, int, str, Expression, "np.number[Any]"]
Numbers = Union[Sequence[Any], "np.ndarray[Any, Any]"]
Point = Union[Body, Marker, Ground, str]
State = Union[Signal, str]
JointName = Union[Joint, str]
Fields = Mapping[str, Any]

F = TypeVar("F", bound=Callable[..., Any])


def measure(name: str, *arguments: Element | Point | None) -> Expression:
    """A call in an expression, of names; what is left out between others is the ground."""
    given = list(arguments)
    while given and given[-1] is None:
        given.pop()
    return Expression(f"{name}({', '.join('ground' if a is None else str(a) for a in given)})", ATOM)


def element(section: str, kind: str | None, made: type[Any], positional: Sequence[str]) -> Callable[[F], F]:
    """Makes a method of a declaration: it adds a thing of that kind with the fields it is given. Fields
    that the declaration does not have are kept too, for the library refuses them better."""

    def decorate(declaration: F) -> F:
        @wraps(declaration)
        def method(self: Building, *values: Any, **fields: Any) -> Any:
            place = caller()
            given = _given(declaration.__name__, ("name", *positional), values, fields)
            if not isinstance(given.get("name"), str):
                raise TypeError(f"{declaration.__name__}() needs a name, which is text")
            return self._add(made, section, kind, given.pop("name"), given, place)

        method.adds = (section, kind)  # type: ignore[attr-defined]
        return method  # type: ignore[return-value]

    return decorate


def section(name: str, positional: Sequence[str]) -> Callable[[F], F]:
    """The same of a section without named things, such as ``operating_point``."""

    def decorate(declaration: F) -> F:
        @wraps(declaration)
        def method(self: Building, *values: Any, **fields: Any) -> None:
            place = caller()
            given = _given(declaration.__name__, positional, values, fields)
            kept = _frozen_fields(name, given)
            self._fill(self._construction().one(name, place), kept, place)

        method.adds = (name, None)  # type: ignore[attr-defined]
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
        raise TypeError(
            f"{method}() takes {', '.join(positional) or 'no values'} by position, then fields by "
            f"name, as help(routh.Model.{method}) has them; values beyond them: {len(values) - len(positional)}"
        )
    given = dict(zip(positional, values))
    for name, value in _plain(fields).items():
        if given.get(name) is not None:
            raise TypeError(f"{method}() was given {name} by position and by name")
        given[name] = value
    ends = [given.pop(end) for end in ("first", "second") if end in given and end in positional]
    if any(end is not None for end in ends):
        if given.get("between") is not None:
            raise TypeError(f"{method}() was given its two ends and between; give one of them")
        given = {"between": ends, **given}
    return given


class Building:
    """What a model that a program builds can do beside the methods of ``routh._elements``."""

    _source: Any

    def _changed(self) -> None:
        raise NotImplementedError

    def _c_model(self) -> Any:
        raise NotImplementedError

    def _construction(self) -> Construction:
        if not isinstance(self._source, Construction):
            raise TypeError(
                "this model was read from a file or from text; only models that begin with "
                "routh.Model() can be added to"
            )
        return self._source

    def _add(
        self, made: type[Any], section: str, kind: str | None, name: str, fields: Fields, place: Place
    ) -> Any:
        _check_text(name, "a name")
        typed = fields if kind is None else {"type": kind, **fields}
        values = _frozen_fields(name, typed)
        entry = self._construction().add(section, name, place)
        self._fill(entry, values, place)
        return made(self, section, entry)

    def _fill(self, entry: _Entry, values: Fields, place: Place) -> None:
        for field, value in values.items():
            if value is None:
                entry.fields.pop(field, None)
            else:
                entry.fields[field] = _Field(value, place)
        self._changed()

    def _remove(self, section: str, entry: _Entry) -> None:
        entries = self._construction().sections[section]
        entries[:] = [other for other in entries if other is not entry]
        self._changed()

    def _single(self, section: str, value: Any) -> None:
        place = caller()
        construction = self._construction()
        if value is None:
            construction.single.pop(section, None)
        else:
            frozen = _frozen(_Text(value) if isinstance(value, str) else value, section)
            construction.one(section, place).value = _Field(frozen, place)
        self._changed()

    def _kept(self, section: str) -> Any:
        entry = self._construction().single.get(section)
        return entry.value.value if entry and entry.value else None

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
            raise TypeError(f"the name of a parameter is text, not {type(name).__name__}")
        place = caller()
        _check_text(name, "a name")
        frozen = _frozen(value, f"parameter {name}")
        entry = self._construction().add("parameters", name, place)
        entry.value = _Field(frozen, place)
        self._changed()
        return Parameter(self, "parameters", entry)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters that were given, by name."""
        entries = self._construction().sections.get("parameters", ())
        return {entry.name: Parameter(self, "parameters", entry) for entry in entries}

    if not TYPE_CHECKING:  # for programs as they are typed at a prompt; parameter() is what is checked

        def __getattr__(self, name: str) -> Any:
            source = self.__dict__.get("_source")
            if isinstance(source, Construction) and not name.startswith("_"):
                entry = source.find("parameters", name)
                if entry:
                    return Parameter(self, "parameters", entry)
            raise AttributeError(f"a {type(self).__name__} has no attribute {name!r}{self._near(name)}")

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_") or hasattr(type(self), name):
                object.__setattr__(self, name, value)
                return
            parameter = getattr(self, name, None)
            if not isinstance(parameter, Parameter):
                raise AttributeError(
                    f"a {type(self).__name__} has no parameter {name!r}{self._near(name)}; "
                    "parameter() makes one"
                )
            parameter.set(value)

    def _near(self, name: str) -> str:
        """``"; did you mean 'gravity'?"``, or nothing."""
        held = _api.Arguments()
        known = [known for known in dir(self) if not known.startswith("_")]
        near = _api.text_or_none(lib.routh_suggest(_bytes(name), held.names(known)))
        return f"; did you mean {near!r}?" if near else ""

    def __dir__(self) -> Iterator[str]:
        yield from super().__dir__()
        if isinstance(self.__dict__.get("_source"), Construction):
            yield from self.parameters

    # ---- the model as a file ----

    def to_yaml(self) -> str:
        """The text of a model file from which the same model is read, number by number.

        Raises
        ------
        ModelError
            Something was given twice. What else is wrong is found when the model is used.
        """
        return self._construction().text()

    def save(self, path: Path) -> None:
        """Writes :meth:`to_yaml` to a file, the whole of it or nothing.

        Files that the model names (those of flexible bodies) are looked for in the folder of the model
        file.
        """
        text = self.to_yaml()
        target = os.fspath(path)
        part = f"{target}.{os.getpid()}.part"
        try:
            with open(part, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(part, target)
        except BaseException:
            if os.path.exists(part):
                os.unlink(part)
            raise
