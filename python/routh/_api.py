"""What every other module needs to call the library: statuses, texts, arrays, and who owns what.

Not public. Conventions:

* ``made(function, free, kind, *arguments, keep=...)`` calls ``status f(kind **out, .., error)``
  and returns the object with its destructor; `keep` are the Python objects that it refers to in
  C, which live until after it was freed.
* ``view`` and ``sparse`` show memory of such an object as a NumPy array or a SciPy matrix without
  a copy, read-only, and hold the object.
* ``Arguments`` holds C copies of texts and arrays for the time of a call.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Dict, TypeVar, Union

import numpy as np
import numpy.typing as npt

from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError, BadArgumentError, MissingPackageError, error_of, unknown_name
from routh.expressions import Expression
from routh.functions import Function, behind, ending, filled_functions, forget

Array = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]
IntArray = npt.NDArray[np.int32]
Value = Union[str, float, int, Expression]  # of a parameter: an expression or a number
Path = Union[str, "os.PathLike[str]"]
Row = TypeVar("Row")

NULL = ffi.NULL


# ---- calls -----------------------------------------------------------------------------------


def check(status: int, error: Any) -> None:
    """Raises what a call's status and error say, and what a function of the caller raised in it."""
    ended = ending()
    if ended is not None:
        raise ended from (error_of(status, error) if status else None)
    if not status:
        forget()
        return
    failure = error_of(status, error)
    raised = behind(failure.message)
    if raised is None:
        raise error_of(status, error)
    raise raised from failure


def call(function: Callable[..., int], *arguments: Any, stopped: bool = False) -> None:
    """Calls ``status f(arguments .., error)``. stopped: what was asked to stop is no failure."""
    error = ffi.new("routh_error *")
    status = function(*map(_bare, arguments), error)
    check(lib.ROUTH_OK if stopped and status == lib.ROUTH_STOPPED else status, error)


class _Destructor:
    """Frees an object of C, and only then lets go of what it refers to."""

    __slots__ = ("free", "keep")

    def __init__(self, free: Callable[[Any], None], keep: Any) -> None:
        self.free = free
        self.keep = keep

    def __call__(self, pointer: Any) -> None:
        self.free(pointer)


def owned(pointer: Any, free: Callable[[Any], None], keep: Any = None) -> Any:
    """The pointer as one that frees what it points to when nothing holds it any more."""
    return ffi.gc(pointer, free if keep is None else _Destructor(free, keep))


def _keep_only(_: Any) -> None:
    pass


def part(owner: Any, pointer: Any) -> Any:
    """A pointer into an object of C that keeps the object."""
    return ffi.gc(pointer, _Destructor(_keep_only, owner))


def made(
    function: Callable[..., int],
    free: Callable[[Any], None],
    kind: str,
    *arguments: Any,
    keep: Any = None,
) -> Any:
    """What ``status f(kind **out, arguments .., error)`` makes; `kind` as ``"routh_model"``. Of a call that was
    stopped what is done, where it gives that."""
    out = ffi.new(kind + " **")
    error = ffi.new("routh_error *")
    status = function(out, *map(_bare, arguments), error)
    pointer = owned(out[0], free, keep) if out[0] else None
    check(lib.ROUTH_OK if status == lib.ROUTH_STOPPED and out[0] else status, error)
    return pointer


class Filled:
    """A structure of C that a call fills: what a member cannot hold is refused by its name."""

    __slots__ = ("_struct",)

    def __init__(self, pointer: Any) -> None:
        object.__setattr__(self, "_struct", pointer)

    def __getitem__(self, k: int) -> Any:
        return self._struct[k]

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._struct, name)
        nested = isinstance(member, ffi.CData) and ffi.typeof(member).kind == "struct"
        return Filled(member) if nested else member

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            setattr(self._struct, name, value)
        except (TypeError, OverflowError) as wrong:
            raise ArgumentTypeError(f"{name.rstrip('_')} is {value!r}: {wrong}") from wrong


def filled(kind: Any, *defaults: Any) -> Any:
    """A new structure, as ``filled("routh_sweep_options *", lib.routh_sweep_defaults())``."""
    return Filled(ffi.new(kind, *defaults))


def _bare(argument: Any) -> Any:
    return argument._struct if isinstance(argument, Filled) else argument


# ---- numbers ---------------------------------------------------------------------------------


def reals(values: Any, what: str) -> Array:
    """An array of real numbers: what is complex, text or ragged is refused."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as wrong:
        raise ArgumentTypeError(f"{what}: real numbers are needed, not {_short(values)}") from wrong
    if array.dtype.kind == "c":
        return _real_parts(array, what)
    texts = array.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in array.flat)
    if array.dtype.kind not in "fiubO" or texts:
        raise ArgumentTypeError(f"{what}: real numbers are needed, not {_short(values)}")
    try:
        return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    except (TypeError, ValueError) as wrong:
        raise ArgumentTypeError(f"{what}: real numbers are needed, not {_short(values)}") from wrong


def _real_parts(array: Any, what: str) -> Array:
    """Of complex numbers that are real."""
    if array.imag.any():
        found = array.flat[int(np.argmax(array.imag != 0))]
        raise ArgumentTypeError(f"{what}: real numbers are needed, not {found!s}; take its real part if that is meant")
    return np.ascontiguousarray(array.real, dtype=np.float64).reshape(array.shape)


def real(value: Any, what: str) -> float:
    """One real number."""
    number = reals(value, what)
    if number.shape:
        raise ArgumentTypeError(f"{what}: a number is needed, not {_short(value)}")
    return float(number)


def whole(value: Any, what: str) -> int:
    """A whole number, also one such as 3.0."""
    if isinstance(value, (bool, np.bool_)) or isinstance(value, (str, bytes)):
        raise ArgumentTypeError(f"{what}: a whole number is needed, not {_short(value)}")
    number = real(value, what)
    if not number.is_integer():
        raise ArgumentTypeError(f"{what}: a whole number is needed, not {_short(value)}")
    return int(value)


def positive(value: Any, what: str, meaning: str) -> float:
    """A number above zero; 0 of None. meaning: of leaving it out."""
    if value is None:
        return 0.0
    number = real(value, what)
    if not number > 0:
        raise BadArgumentError(f"{what} is {number:g}, but must be above 0; leave it out for {meaning}")
    return number


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# ---- texts -----------------------------------------------------------------------------------


def text(pointer: Any) -> str:
    """A C string as text; ``""`` of NULL."""
    return bytes(ffi.string(pointer)).decode("utf-8", "replace") if pointer else ""


def text_or_none(pointer: Any) -> str | None:
    return text(pointer) if pointer else None


def texts(pointer: Any, n: int) -> tuple[str, ...]:
    """n C strings."""
    return tuple(text(pointer[k]) for k in range(n))


def names_until_null(name: Callable[[int], Any]) -> tuple[str, ...]:
    """name(0), name(1), .. until NULL."""
    found: list[str] = []
    while pointer := name(len(found)):
        found.append(text(pointer))
    return tuple(found)


def written(function: Callable[..., int], *arguments: Any) -> str:
    """What ``status f(arguments .., routh_text *text, error)`` writes."""
    out = ffi.new("routh_text *")
    error = ffi.new("routh_error *")
    check(function(*map(_bare, arguments), out, error), error)
    try:
        return bytes(ffi.buffer(out.bytes, out.length)).decode("utf-8")
    finally:
        lib.routh_text_free(out)


def shown_units(units: str | None) -> Any:
    """``routh_units *`` of a list such as ``"mm,Hz,deg"``; NULL: SI."""
    if units is None:
        return ffi.NULL
    return made(lib.routh_units_read, lib.routh_units_free, "routh_units", units.encode())


def table(function: Callable[..., int], results: Any, units: str | None) -> str:
    """The table that is written of ``routh_results *`` in these units."""
    shown = shown_units(units)  # there until the table is written
    results.units = shown
    return written(function, results)


def encoded_path(path: Path) -> bytes:
    try:
        return os.fsencode(os.fspath(path))
    except TypeError as wrong:
        raise ArgumentTypeError(f"a path is text or path-like, not {_short(path)}") from wrong


def value_text(name: str, value: Value) -> str:
    """The value of a parameter as the library reads it: to the last bit."""
    if isinstance(value, str):
        return value
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, (bool, np.bool_)):
        raise ArgumentTypeError(f"parameter {name}: a number or an expression is needed, not {value!r}")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    raise ArgumentTypeError(
        f"parameter {name}: a number or an expression is needed, not {type(value).__name__}"
    )


class Names(Dict[str, Row]):
    """What there is, by name; what is not is refused with the names that are."""

    def __init__(self, what: str, values: Mapping[str, Row]) -> None:
        super().__init__(values)
        self.what = what

    def __missing__(self, name: Any) -> Row:
        raise unknown_name(self.what, name, self)


class Arguments:
    """C copies of what a call is given, alive as long as this object."""

    def __init__(self) -> None:
        self._held: list[Any] = []

    def hold(self, pointer: Any) -> Any:
        self._held.append(pointer)
        return pointer

    def text(self, value: str | bytes | None) -> Any:
        """``const char *``; NULL of None. An element stands for its name."""
        if value is None:
            return NULL
        if not isinstance(value, (str, bytes)) and hasattr(value, "_owner"):
            value = str(value)
        if not isinstance(value, (str, bytes)):
            raise ArgumentTypeError(f"text is needed, not {_short(value)}")
        return self.hold(ffi.new("char[]", value.encode() if isinstance(value, str) else value))

    def names(self, values: Iterable[str] | None) -> Any:
        """``const char *const *`` that ends with NULL; NULL of None."""
        if values is None:
            return NULL
        if isinstance(values, str):
            raise ArgumentTypeError(f"a sequence of names is needed, not the text {values!r}")
        if not isinstance(values, Iterable):
            raise ArgumentTypeError(f"a sequence of names is needed, not {_short(values)}")
        return self.hold(ffi.new("char *[]", [*map(self.text, values), NULL]))

    def doubles(self, values: Any) -> Any:
        """``double *`` of a copy; NULL of None."""
        if values is None:
            return NULL
        flat = reals(values, "the values").ravel()
        pointer = self.hold(ffi.new("double[]", max(flat.size, 1)))
        ffi.memmove(pointer, flat, flat.nbytes)
        return pointer

    def integers(self, values: Sequence[int], what: str = "the values") -> Any:
        """``int *`` of a copy."""
        return self.hold(ffi.new("int[]", [whole(v, what) for v in values] or [0]))

    def settings(self, settings: Mapping[str, Value]) -> tuple[Any, int]:
        """``routh_setting *`` and how many; NULL where there are none."""
        if not settings:
            return NULL, 0
        given = self.hold(ffi.new("routh_setting[]", len(settings)))
        for setting, (name, value) in zip(given, settings.items()):
            setting.name = self.text(name)
            setting.value = self.text(value_text(name, value))
        return given, len(settings)


def model_made(
    function: Callable[..., int],
    arguments: Sequence[Any],
    held: Arguments,
    settings: Mapping[str, Value],
    functions: Mapping[str, Function],
    allow_plugins: bool,
) -> Any:
    """What ``routh_model_parse_with`` and its like make; it keeps the functions."""
    given, kept = filled_functions(functions, held.hold)
    options = ffi.new("routh_model_options *")
    options.settings, options.n_settings = held.settings(settings)
    options.functions, options.n_functions = given, len(functions)
    options.allow_plugins = bool(allow_plugins)
    return made(function, lib.routh_model_free, "routh_model", *arguments, options, keep=kept or None)


def save_text(content: str, path: Path) -> None:
    """Writes a text to a file, which is whole or as it was."""
    held = Arguments()
    encoded = content.encode()
    block = ffi.new("routh_text *", {"bytes": held.text(encoded), "length": len(encoded)})
    call(lib.routh_text_save, block, held.text(encoded_path(path)))


# ---- arrays ----------------------------------------------------------------------------------


class _Memory:
    """Memory of a C object as NumPy's array interface wants it; the array holds this object, and
    this one holds the owner."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def _array(
    owner: Any,
    pointer: Any,
    kind: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None = None,
) -> Any:
    if not pointer or 0 in shape:
        empty = np.zeros(shape, dtype=kind)
        empty.setflags(write=False)
        return empty
    interface = {
        "version": 3,
        "shape": shape,
        "typestr": kind,
        "data": (int(ffi.cast("uintptr_t", pointer)), True),
        "strides": strides,
    }
    return np.asarray(_Memory(owner, interface))


_DOUBLE, _COMPLEX, _INT = (np.dtype(kind).str for kind in (np.float64, np.complex128, np.intc))


def view(owner: Any, pointer: Any, *shape: int) -> Array:
    """``double *`` as an array, row by row, read-only and without a copy; it holds the owner.
    Where the pointer is NULL, zeros."""
    array: Array = _array(owner, pointer, _DOUBLE, shape)
    return array


def complex_view(owner: Any, pointer: Any, *shape: int) -> ComplexArray:
    """The same of pairs of real and imaginary part."""
    array: ComplexArray = _array(owner, pointer, _COMPLEX, shape)
    return array


def int_view(owner: Any, pointer: Any, *shape: int) -> IntArray:
    """The same of ``int *``."""
    array: IntArray = _array(owner, pointer, _INT, shape)
    return array


def member_view(owner: Any, structs: Any, n: int, name: str) -> Any:
    """A member of each of n structs as an array without a copy: int, double, double[k] or, of
    double[2], pairs of real and imaginary part as complex numbers."""
    kind = ffi.typeof(structs).item
    field = dict(kind.fields)[name]
    stride, member = ffi.sizeof(kind), field.type
    shape: tuple[int, ...] = (n,)
    strides: tuple[int, ...] = (stride,)
    if member.kind == "array" and member.length == 2:
        code = _COMPLEX
    elif member.kind == "array":
        code, shape, strides = _DOUBLE, (n, member.length), (stride, 8)
    else:
        code = _INT if member.cname == "int" or member.kind == "enum" else _DOUBLE
    address = ffi.cast("char *", structs) + field.offset if n else NULL
    return _array(owner, address, code, shape, strides)


def _member(item: Any, name: str, kind: str) -> Any:
    """A member of a structure as an attribute of that type; None where it is not there, or otherwise."""
    found = dict(ffi.typeof(item).fields).get(name)
    if found is None:
        return None
    value = getattr(item, name)
    if kind == "str":
        return text(value) if found.type.kind in ("pointer", "array") else None
    if kind == "complex":
        return complex(value[0], value[1])
    return {"float": float, "int": int, "bool": bool}[kind](value)


def _of_json(value: Any, kind: str) -> Any:
    missing = {"float": math.nan, "complex": complex(math.nan, math.nan), "str": "", "int": 0, "bool": False}
    if value is None:
        return missing[kind]
    if kind == "complex":
        return complex(*(math.nan if part is None else part for part in value))
    return value


def row(cls: type[Row], item: Any, saved: Any, **given: Any) -> Row:
    """An object of a dataclass of :mod:`routh._results`, or derived from one: its attributes are what is given, or members
    of the structure, or else those of the JSON that the program prints of it."""
    values = dict(given)
    for field in dataclasses.fields(cls):
        if field.name in values:
            continue
        kind = str(field.type)
        value = _member(item, field.name, kind)
        values[field.name] = _of_json(saved.get(field.name), kind) if value is None else value
    return cls(**values)


def sparse(owner: Any, matrix: Any) -> Any:
    """``routh_sparse`` as a SciPy matrix in compressed columns over the same memory."""
    try:
        from scipy.sparse import csc_matrix
    except ImportError as missing:
        raise MissingPackageError(
            "sparse matrices need the package scipy: pip install scipy"
        ) from missing
    n = matrix.start[matrix.n_columns]
    parts = (
        view(owner, matrix.value, n),
        int_view(owner, matrix.row, n),
        int_view(owner, matrix.start, matrix.n_columns + 1),
    )
    result = csc_matrix((matrix.n_rows, matrix.n_columns))
    result.data, result.indices, result.indptr = parts  # the constructor would copy what is read-only
    return result
