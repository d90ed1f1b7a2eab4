"""What a model holds, as it was given: values, the lines that they came from, and the text of a model file.

A :class:`Construction` is the source of a model that a program builds, and of one that was read once it is looked
at or changed: its ``make`` passes every value to the library, each with its source location.
"""

from __future__ import annotations

import numbers
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any, NamedTuple, Protocol

import numpy as np

from routh import _api, _edit, _warnings
from routh._api import Value
from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError, BadArgumentError, FileError, ModelSyntaxError, NotSupportedError
from routh.expressions import Expression, check_owner, number_text
from routh.functions import Function

# The sections of a model file, in the order in which they are written.
_SECTIONS = (
    "title description units parameters variant variants gravity bodies beams markers joints loads parts connections "
    "exports inputs variables controllers outputs operating_point steady linearize simulate events functions"
).split()


# ---- where the caller stands -----------------------------------------------------------------


class Place(NamedTuple):
    """A line of the caller's program, or of the file that was read."""

    file: str
    line: int
    column: int = 0


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


class Named:
    """What stands for its name in a model."""


class Text(str):
    """Text and nothing else: not a name, not an expression."""


class Word(str):
    """What a file has without quotes."""


# What a file has without quotes and a program means as text.
_MEANINGS = ("", "~", "null", "true", "false")


def check_text(text: str, what: str) -> None:
    if "\0" in text:
        raise BadArgumentError(f"{what}: the text contains a zero byte; remove it")


def _same(a: Any, b: Any) -> bool:
    """Two entries of a symmetric matrix: expressions by their texts, numbers up to rounding."""
    if isinstance(a, (str, Expression)) or isinstance(b, (str, Expression)):
        return str(a) == str(b)
    return bool(abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


def _tensor(value: Any, what: str) -> Any:
    """A tensor of inertia of shape (3, 3) as the six numbers of a model file; others as they are."""
    if isinstance(value, (str, Expression, Mapping)):
        return value
    rows = np.array(value, dtype=object) if not isinstance(value, np.ndarray) else value
    if rows.shape != (3, 3):
        return value
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if not _same(rows[i, j], rows[j, i]):
            raise BadArgumentError(
                f"{what}: the tensor is not symmetric: entry [{i}, {j}] is {rows[i, j]}, entry [{j}, {i}] {rows[j, i]}; "
                "give a symmetric one"
            )
    return [rows[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def _rotation(value: Any, what: str) -> Any:
    """A matrix of shape (3, 3) as a model file has it; others as they are."""
    if isinstance(value, (str, Mapping)) or hasattr(value, "as_matrix"):
        return value
    return {"matrix": value} if np.shape(value) == (3, 3) else value


_ARRAYS: dict[str, Callable[[Any, str], Any]] = {"inertia": _tensor, "orientation": _rotation}


def frozen(value: Any, what: str, model: Any) -> Any:
    """A value made of words, texts, floats, lists and mappings, which nobody else holds; of what is named,
    nothing is of another model than this."""
    if isinstance(value, (Expression, Named)):
        check_owner(value, model, what)
        return Word(value.text if isinstance(value, Expression) else str(value))
    if isinstance(value, (bool, np.bool_)):
        return Word("true" if value else "false")
    if isinstance(value, str):
        check_text(value, what)
        return Text(value) if value.lower() in _MEANINGS or isinstance(value, Text) else Word(value)
    if isinstance(value, numbers.Integral):
        return Word(number_text(value))
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, os.PathLike):
        return Text(os.fspath(value))
    if hasattr(value, "as_matrix"):  # a Rotation of SciPy
        return {"matrix": frozen(value.as_matrix(), what, model)}
    if isinstance(value, np.ndarray):
        return frozen(value.tolist(), what, model)
    if isinstance(value, Mapping):
        for key in value:
            check_owner(key, model, what)
            check_text(str(key), what)
        return {str(key): frozen(each, what, model) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, set, frozenset)):
        return [frozen(each, what, model) for each in value]
    if value is None:
        return Word("")
    raise ArgumentTypeError(
        f"{what}: numbers, texts, expressions, elements, and lists and mappings of them are "
        f"needed, not {type(value).__name__}"
    )


def frozen_fields(name: str, fields: Mapping[str, Any], model: Any) -> dict[str, Any]:
    """The same of fields of a thing; None, which is no value, stays."""
    kept: dict[str, Any] = {}
    for field, value in fields.items():
        what = f"{name}, {field}"
        if value is not None and field in _ARRAYS:
            value = _ARRAYS[field](value, what)
        kept[field] = None if value is None else frozen(value, what, model)
    return kept


class _Writer:
    """Passes a document to the library."""

    def __init__(self, name: str) -> None:
        self.document: Any = _api.made(
            lib.routh_document_create, lib.routh_document_free, "routh_document", encoded(name)
        )

    # Statuses are not looked at: the document keeps its first failure for who asks for the whole.

    def at(self, place: Place) -> None:
        lib.routh_document_at(self.document, encoded(place.file), place.line, place.column)

    def key(self, name: str) -> None:
        lib.routh_document_key(self.document, encoded(name))

    def begin(self) -> None:
        lib.routh_document_mapping(self.document)

    def end(self) -> None:
        lib.routh_document_end(self.document)

    def value(self, value: Any) -> None:
        if isinstance(value, float):
            lib.routh_document_number(self.document, value)
        elif isinstance(value, Text):
            lib.routh_document_text(self.document, encoded(value))
        elif isinstance(value, str):
            lib.routh_document_word(self.document, encoded(value))
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


def encoded(text: str) -> bytes:
    """UTF-8; a path's bytes that are none as they are; other halves of pairs of UTF-16 too, which are refused."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


# ---- values as they are shown ----------------------------------------------------------------

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def shown(value: Any) -> Any:
    """A frozen value for the reader's eye: numbers as floats, ``true`` as True, expressions as text."""
    if isinstance(value, dict):
        return {name: shown(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, Text) or not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    if value in ("", "~", "null"):
        return None
    return float(value) if _NUMBER.fullmatch(value) else str(value)


# ---- what a program has given ----------------------------------------------------------------


def text_of(mapping: Mapping[str, Any], what: str, model: Any) -> str:
    """A mapping as the text of a file, as those of studies are; what it names is of this model."""
    writer = _Writer(what)
    writer.value(frozen(mapping, what, model))
    return _api.written(lib.routh_document_write, writer.document)


class Field(NamedTuple):
    value: Any
    place: Place


def _plain(content: Any) -> Any:
    """Values without their places."""
    if isinstance(content, dict):
        return {name: _plain(value) for name, (_, value) in content.items()}
    return [_plain(value) for _, value in content] if isinstance(content, list) else content


class _Parts:
    """The parts of a C document as a tree: of a mapping, place and value by name; of a list, pairs of them."""

    def __init__(self, document: Any, name: str) -> None:
        self._c = _api.made(
            lib.routh_document_parts_find,
            lib.routh_document_parts_free,
            "routh_document_parts",
            document,
            keep=document,
        )
        self._parts = self._c.parts
        self._name = name
        self._at = 0

    def sections(self) -> Iterator[tuple[str, Place, Any]]:
        _, whole = self._next()
        for section, (place, content) in whole.items():
            yield section, place, content

    def whole(self) -> tuple[Place, Any]:
        return self._next()

    def _next(self) -> tuple[Place, Any]:
        part = self._parts[self._at]
        self._at += 1
        place = Place(_api.text(part.file) or self._name, part.line, part.column)
        if part.kind == lib.ROUTH_DOCUMENT_WORD:
            return place, Word(_api.text(part.text))
        if part.kind == lib.ROUTH_DOCUMENT_TEXT:
            return place, Text(_api.text(part.text))
        if part.kind == lib.ROUTH_DOCUMENT_LIST:
            return place, [self._next() for _ in range(part.n)]
        content: dict[str, Any] = {}
        for _ in range(part.n):
            key = _api.text(self._parts[self._at].key)
            content[key] = self._next()
        return place, content


def _tree(text: bytes, name: str) -> _edit.Node:
    """The content of a text with the places of its keys and of the values of its lists."""
    held = _api.Arguments()
    document = _api.made(
        lib.routh_document_parse, lib.routh_document_free, "routh_document", held.text(text), len(text), encoded(name)
    )
    return _placed(_Parts(document, name).whole())


def _placed(node: tuple[Place, Any]) -> _edit.Node:
    place, content = node
    if isinstance(content, dict):
        content = {name: _placed(each) for name, each in content.items()}
    elif isinstance(content, list):
        content = [_placed(each) for each in content]
    return (place.line, place.column), content


def _bare(node: _edit.Node) -> Any:
    content = node[1]
    if isinstance(content, dict):
        return {name: _bare(each) for name, each in content.items()}
    return [_bare(each) for each in content] if isinstance(content, list) else content


def _as_read(now: Any, was: Any, old: _edit.Node) -> Any:
    """A content where what is as it was has the form that was read: quotes or none."""
    content = old[1]
    if isinstance(now, dict) and isinstance(was, dict) and isinstance(content, dict):
        return {k: _as_read(v, was[k], content[k]) if k in was and k in content else v for k, v in now.items()}
    if isinstance(now, list) and isinstance(was, list) and isinstance(content, list) and len(now) == len(was) == len(content):
        return [_as_read(*each) for each in zip(now, was, content)]
    return content if isinstance(now, str) and now == was and type(now) is type(was) and isinstance(content, str) else now


_WITH_UNIT = re.compile(_NUMBER.pattern + r"\s*[^\W\d]([^\W\d]|[*/()\s]|\^-?\d)*")


def _is_with_unit(value: Any) -> bool:
    """A number with its unit alone, which means the same in any file. Bare numbers do not, nor those in expressions."""
    return isinstance(value, str) and bool(_WITH_UNIT.fullmatch(value.strip()))


# s, of the units of time that a model may be in.
_TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}


def time_unit_of(units: Any) -> float:
    """s, of a model's `units`; 1 where they name none. What is none of them the reader refuses."""
    names = map(str, units) if isinstance(units, (list, tuple)) else ()
    return next((_TIME_UNITS[name] for name in names if name in _TIME_UNITS), 1.0)


def _is_text(value: Any) -> bool:
    return isinstance(value, Text)


class Entry:
    """A thing of a section: its fields, or for a parameter its value alone."""

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.fields: dict[str, Field] = {}
        self.value: Field | None = None
        self.by_time: float | None = None  # s, of numbers of a system in s that are by the model's unit of time
        self.removed = False

    def copy(self) -> Entry:
        other = Entry(self.name, self.place)
        other.fields = dict(self.fields)
        other.value = self.value
        other.by_time = self.by_time
        return other

    def lengthen(self, field: str) -> None:
        """``push: 0`` as ``push: {value: 0}``, so that it can be given other fields."""
        if self.value is not None:
            self.fields, self.value = {field: self.value}, None

    def write(self, writer: _Writer) -> None:
        writer.at(self.place)
        writer.key(self.name)
        self.write_value(writer)

    def take(self, content: Any, place: Place, fields: bool) -> None:
        """What a file has here: `content` as :class:`_Parts` gives it."""
        if fields and isinstance(content, dict):
            self.fields = {name: Field(_plain(value), own) for name, (own, value) in content.items()}
        else:
            self.value = Field(_plain(content), place)

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


# Sections of named things, and of those that may be a value alone the field that this is.
NAMED = "parameters variants bodies beams markers joints loads parts inputs variables controllers outputs events functions".split()
SHORT = {"inputs": "value", "outputs": "expression", "variables": "expression"}


class Origin(Protocol):
    """What a model was read from."""

    def make(self) -> Any:
        """The C model."""

    def text(self) -> str | None:
        """The file's own text; None where the model is that text with other values of parameters."""

    def with_settings(self, settings: dict[str, Value]) -> Any:
        """The same with these values of parameters."""


def saved_at(text: str, name: str, target: str) -> None:
    """Writes the text of a model that stands at `name` to another place, and first what parts it has there."""
    start, end, moved = os.path.dirname(name), os.path.dirname(target), _moved(text, name, target)
    if os.path.isdir(end or ".") and os.path.realpath(start or ".") != os.path.realpath(end or "."):
        _copy_parts(text, name, start, end)
    _api.save_text(moved, target)


def _moved(text: str, name: str, target: str) -> str:
    content, held = text.encode(), _api.Arguments()
    places = (held.text(_api.encoded_path(place)) for place in (name, target))
    return _api.written(lib.routh_model_move, held.text(content), len(content), *places)


def _copy_parts(text: str, name: str, start: str, end: str) -> None:
    """Files of the parts of a model, and of theirs, from below one folder to below another; not those of libraries."""
    parts = Construction.parsed(text.encode(), name, {}).sections.get("parts", ())
    for entry, file in ((entry, file) for entry in parts for file in _files_of(entry)):
        own = os.path.join(start, file)
        if os.path.isabs(file) or not os.path.isfile(own):
            continue
        target = os.path.join(end, file)
        with open(own, encoding="utf-8") as stream:
            content = stream.read()
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        moved = _moved(content, own, target)
        if os.path.exists(target):
            with open(target, encoding="utf-8") as stream:
                if stream.read() != moved:
                    raise FileError(f"{target} is there, and is not the part {entry.name} of the model; save into another folder")
        _copy_parts(content, own, os.path.dirname(own), os.path.dirname(target))
        _api.save_text(moved, target)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _files_of(part: Entry) -> Iterator[str]:
    """The files of a part and of its variants."""
    fields = {name: field.value for name, field in part.fields.items()}
    for each in (fields, *_mapping(fields.get("variants")).values()):
        if "file" in _mapping(each):
            yield str(each["file"])


class Construction:
    """All that a program has given of one model, and the source of it.

    `origin` is what it was read from, as long as it is as it was read.
    """

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.origin: Origin | None = None
        self.base: bytes | None = None  # the text that it was read from, also where it is changed since
        self.settings: dict[str, Value] = {}
        self.sections: dict[str, list[Entry]] = {}  # of named things
        self.single: dict[str, Entry] = {}  # title, gravity, operating_point, ..
        self.functions: dict[str, Function] = {}  # of the caller
        self.allow_plugins = False

    @classmethod
    def parsed(cls, text: bytes, name: str, settings: dict[str, Value]) -> Construction:
        """What the text of a model file holds, each thing with its source location."""
        held = _api.Arguments()
        document = _api.made(
            lib.routh_document_parse,
            lib.routh_document_free,
            "routh_document",
            held.text(text),
            len(text),
            encoded(name),
        )
        construction = cls(name, Place(name, 1))
        construction.settings = dict(settings)
        for section, place, content in _Parts(document, name).sections():
            if section in NAMED and isinstance(content, dict):
                for key, (own, value) in content.items():
                    entry = construction.add(section, key, own)
                    entry.take(value, own, section != "parameters")
            else:
                construction.one(section, place).take(content, place, True)
        return construction

    def add(self, section: str, name: str, place: Place) -> Entry:
        entry = Entry(name, place)
        self.sections.setdefault(section, []).append(entry)
        return entry

    def one(self, section: str, place: Place) -> Entry:
        return self.single.setdefault(section, Entry(section, place))

    def find(self, section: str, name: str) -> Entry | None:
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
        if self.origin is not None:
            return self.origin.make()
        held = _api.Arguments()
        return _api.model_made(
            lib.routh_model_build_with,
            (self.document(),),
            held,
            self.settings,
            self.functions,
            self.allow_plugins,
        )

    def with_settings(self, settings: dict[str, Value]) -> Construction:
        """The same with other values of parameters; what is added to the one is not in the other."""
        other = Construction(self.name, self.place)
        other.origin = None if self.origin is None else self.origin.with_settings(settings)
        other.base = self.base
        other.settings = settings
        other.functions = dict(self.functions)
        other.allow_plugins = self.allow_plugins
        other.sections = {name: [e.copy() for e in some] for name, some in self.sections.items()}
        other.single = {name: entry.copy() for name, entry in self.single.items()}
        return other

    def copy(self) -> Construction:
        return self.with_settings(dict(self.settings))

    def text(self) -> str:
        """The model file: as it was read, but for what was changed since."""
        original = self.origin.text() if self.origin is not None else None
        if original is not None:
            return original
        return self.written() if self.base is None else self._edited(self.base)

    def _edited(self, base: bytes) -> str:
        """The text that was read with what is changed, its comments kept; written anew where that is not possible."""
        plain = self.written()
        try:
            mark, text = ("\ufeff", base[3:].decode()) if base.startswith(b"\xef\xbb\xbf") else ("", base.decode())
            old = _tree(encoded(text), self.name)
            read = Construction.parsed(base, self.name, {}).written()
            was, now = (_bare(_tree(encoded(each), self.name)) for each in (read, plain))
            text, doubts = _edit.edited(text, old, _as_read(now, was, old), _is_text, list(_SECTIONS))
            if Construction.parsed(encoded(text), self.name, {}).written() == plain:
                _warnings.tell([f"{self.name}:{doubt.line}: {doubt.why}" for doubt in doubts], _warnings.CommentsWarning)
                return mark + text
            why = "it would not hold the same"
        except (UnicodeDecodeError, NotSupportedError, ModelSyntaxError) as problem:
            why = str(problem)
        if b"#" in base:
            _warnings.tell([f"{self.name}: the text is written anew, without its comments: {why}"], _warnings.CommentsWarning)
        return plain

    def written(self) -> str:
        """The model file, written anew from what it holds."""
        settled, left = self.settled()
        if left:
            raise BadArgumentError(
                f"the setting {next(iter(left))} has no place in the model file: it is of a part within a part, of a joint of "
                "one, of one part of an array, a number in the units of a part's own file or the variant of a part that the "
                "variant of the model chooses; write it in the part's file, or set it with its unit"
            )
        return _api.written(lib.routh_document_write, settled.document())

    def settled(self) -> tuple[Construction, dict[str, Value]]:
        """The same with its settings where a model file has them, in parameters, joints and parts; and those that have no
        place there."""
        if not self.settings:
            return self, {}
        plain = self.with_settings({})
        choices_first = sorted(self.settings.items(), key=lambda setting: not self._is_choice(setting[0]))
        left = [name for name, value in choices_first if not plain._settle(name, value)]
        return plain, {name: value for name, value in self.settings.items() if name in left}

    def _is_choice(self, name: str) -> bool:
        """Of a variant: of the file, or of a part."""
        return (name == "variant" and bool(self.sections.get("variants"))) or self.find("parts", name) is not None

    def _settle(self, name: str, value: Value) -> bool:
        head, _, field = name.rpartition(".")
        parameter, joint, part = self.find("parameters", name), self.find("joints", head), self.find("parts", head)
        kept = frozen(value, f"the setting {name}", None)
        if self._is_choice(name):
            return self._choose(name, kept)
        if parameter:
            self.put_parameter(parameter, Field(kept, parameter.place))
        elif joint:
            joint.fields[field] = Field(kept, joint.place)
        elif part and "count" not in part.fields and self._takes(part, field, kept):
            self._set_in_part(part, field, kept)
        else:
            return False
        return True

    def _choose(self, name: str, variant: Any) -> bool:
        """False where the variant of the file would go before it."""
        part = self.find("parts", name)
        if part is None:
            self.one("variant", self.place).value = Field(variant, self.place)
            return True
        if name in self._chosen_parts():
            return False
        part.fields["variant"] = Field(variant, part.place)
        return True

    def _variant(self) -> Entry | None:
        """The one of the file that holds."""
        own = self.single.get("variant")
        chosen = self.settings.get("variant", own.value.value if own and own.value else None)
        return None if chosen is None else self.find("variants", str(chosen))

    def _chosen_parts(self) -> dict[str, Any]:
        variant = self._variant()
        return _mapping(variant.fields["parts"].value) if variant and "parts" in variant.fields else {}

    def _variant_of(self, part: Entry) -> tuple[str, dict[str, Any]]:
        """Name and fields of the variant of its entry that holds; none of either where its file has them."""
        fields = {name: field.value for name, field in part.fields.items()}
        chosen = self.settings.get(part.name, self._chosen_parts().get(part.name, fields.get("variant")))
        return str(chosen), _mapping(_mapping(fields.get("variants")).get(str(chosen)))

    def put_parameter(self, parameter: Entry, value: Field) -> None:
        """Another value where it holds: in the variant of the file where that has one."""
        variant = self._variant()
        given = _mapping(variant.fields["set"].value) if variant and "set" in variant.fields else {}
        if variant and parameter.name in given:
            variant.fields["set"] = Field({**given, parameter.name: value.value}, variant.fields["set"].place)
        else:
            parameter.value = value

    def _set_in_part(self, part: Entry, field: str, value: Any) -> None:
        """Another value of a parameter of a part, in the variant of the part where that has one."""
        chosen, variant = self._variant_of(part)
        inner = _mapping(variant.get("set"))
        if field in inner:
            variants = part.fields["variants"]
            changed = {**variant, "set": {**inner, field: value}}
            part.fields["variants"] = Field({**variants.value, chosen: changed}, variants.place)
            return
        given = part.fields.get("set")
        part.fields["set"] = Field({**(given.value if given else {}), field: value}, part.place)

    def _file_of(self, part: Entry) -> Construction | None:
        """What the file of the part holds; None: it is not found."""
        own = str(part.fields["file"].value) if "file" in part.fields else ""
        name = str(self._variant_of(part)[1].get("file", own))
        folders = [os.path.dirname(self.name), *os.environ.get("ROUTH_LIBRARY", "").split(":")]
        for path in (os.path.join(folder, name) for folder in folders):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    return Construction.parsed(file.read(), path, {})
        return None

    def _takes(self, part: Entry, field: str, value: Any) -> bool:
        """Under `set` of the part this is a parameter of its file, and means the same."""
        file = self._file_of(part)
        if file is None:
            return True
        return file.find("parts", field) is None and (_is_with_unit(value) or file._own_units() == self._own_units())

    def _own_units(self) -> frozenset[str]:
        units = self.single.get("units")
        return frozenset(map(str, units.value.value if units and units.value else ("m", "kg"))) | {"s"}

    def time_unit(self) -> float:
        """s"""
        units = self.single.get("units")
        return time_unit_of(units.value.value if units and units.value else None)

    def system_by(self, unit: float) -> Entry | None:
        """A system that was added by another unit of time than this, s."""
        return next((e for e in self.sections.get("controllers", ()) if e.by_time not in (None, unit)), None)

    def forget_settings(self, section: str, name: str, fields: Mapping[str, Any]) -> None:
        """Those of fields that a program gives other values."""
        inner = (fields.get("set") or {}) if section == "parts" else fields if section == "joints" else {}
        for field in inner if isinstance(inner, Mapping) else ():
            self.settings.pop(f"{name}.{field}", None)
        if section == "parts" and "variant" in fields:
            self.settings.pop(name, None)
