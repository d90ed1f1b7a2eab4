"""Errors: one class for each status of the library, and those that Python's own arguments bring.

Every one is a :class:`Error`, and of the class of Python that a caller would expect besides: ``ValueError``,
``TypeError``, ``KeyError``, ``IndexError``, ``FileNotFoundError``, ``AttributeError``, ``ImportError``.
"""

from __future__ import annotations

import errno
import operator
import os
from collections.abc import Iterable
from typing import Any

from routh._routh import ffi, lib

__all__ = [
    "ArgumentTypeError",
    "BadArgumentError",
    "Error",
    "FileError",
    "LimitExceededError",
    "MissingAttributeError",
    "MissingFileError",
    "MissingPackageError",
    "ModelError",
    "ModelSyntaxError",
    "NoEquilibriumError",
    "NotAssembledError",
    "NotSupportedError",
    "NumericError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "SingularError",
    "StoppedError",
    "UnknownNameError",
]


class Error(Exception):
    """What the library refused or could not do.

    ``str()`` of it is the sentence that the program ``routh`` prints: file, line, column and element
    as far as they are known, what is wrong and what would be right.

    Attributes
    ----------
    status : str
        The status as a word, such as ``"MODEL_ERROR"``.
    file : str or None
        The model file, or the name that the text was given.
    line, column : int or None
        The source location, counted from 1.
    element : str or None
        The element of the model, such as ``"joint bearing"``.
    message : str
        What is wrong, without the place.
    """

    def __init__(
        self,
        text: str,
        status: str = "",
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        element: str | None = None,
        message: str | None = None,
    ) -> None:
        super().__init__(text)
        self.status: str = status
        self.file: str | None = file
        self.line: int | None = line
        self.column: int | None = column
        self.element: str | None = element
        self.message: str = text if message is None else message

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.status, self.file, self.line, self.column, self.element, self.message)
        return type(self), (str(self), *parts)


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file, or the folder of one that is to be written, is not there."""


class ModelSyntaxError(Error, ValueError):
    """The text of a file is not well formed."""


class ModelError(Error, ValueError):
    """A model is well formed but wrong."""


class LimitExceededError(Error, ValueError):
    """The input exceeds a limit of the reader."""


class NotAssembledError(Error):
    """The constraints cannot be satisfied together."""


class NoEquilibriumError(Error):
    """No equilibrium or steady motion was found."""


class SingularError(Error, ArithmeticError):
    """A matrix that must be invertible is not."""


class NumericError(Error, ArithmeticError):
    """A computation overflowed, did not converge or met a NaN."""


class BadArgumentError(Error, ValueError):
    """An argument of a call is out of range, or names what is not there."""

    def __init__(self, text: str, status: str = "BAD_ARGUMENT", *place: Any) -> None:
        super().__init__(text, status, *place)


class ArgumentTypeError(BadArgumentError, TypeError):
    """An argument is of a type that the call does not take."""


class OutOfRangeError(BadArgumentError, IndexError):
    """A number that counts what is there is too large."""


class UnknownNameError(BadArgumentError, KeyError):
    """A name that is not there, with those that are and, as `suggestion`, the nearest of them.

    Attributes
    ----------
    name : str
    candidates : tuple of str
    suggestion : str or None
    """

    name: str = ""
    candidates: tuple[str, ...] = ()
    suggestion: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        own = {"name": self.name, "candidates": self.candidates, "suggestion": self.suggestion}
        return (*super().__reduce__(), own)


class MissingAttributeError(Error, AttributeError):
    """An object has no such attribute, or cannot be given one."""


class MissingPackageError(Error, ImportError):
    """A call needs a package that is not installed."""


class NotSupportedError(Error, NotImplementedError):
    """This combination is not available."""


class StoppedError(Error):
    """A call was stopped before its end. What stopped it is raised in its place: KeyboardInterrupt, or what the
    progress callback raised."""


NAMES_SHOWN = 20  # of what is there


def nearest(name: str, among: Iterable[str]) -> str | None:
    """The name that was probably meant; None where none is near."""
    words = [ffi.new("char[]", word.encode("utf-8", "surrogatepass")) for word in among]
    found = lib.routh_suggest(name.encode("utf-8", "surrogatepass"), ffi.new("char *[]", [*words, ffi.NULL]))
    return _text(found) if found else None


def _unknown(text: str, name: Any, known: tuple[str, ...]) -> UnknownNameError:
    near = nearest(name, known) if isinstance(name, str) else None
    error = UnknownNameError(text + (f"; did you mean {near!r}?" if near else ""))
    error.name, error.candidates, error.suggestion = str(name), known, near
    return error


def unknown_name(what: str, name: Any, among: Iterable[str], hint: str = "") -> UnknownNameError:
    """``there is no input 'raod' (there are: road, load); did you mean 'road'?``; `what` as "input", `hint` for the end."""
    known = tuple(among)
    shown = ", ".join(known[:NAMES_SHOWN]) if known else "none"
    more = f" and {len(known) - NAMES_SHOWN} more" if len(known) > NAMES_SHOWN else ""
    return _unknown(f"there is no {what} {name!r} (there are: {shown}{more}){hint and '; '}{hint}", name, known)


def place_in(index: Any, n: int, what: str) -> int:
    """A number that counts from 0, or from the end where it is negative."""
    try:
        k = operator.index(index)
    except TypeError as wrong:
        raise ArgumentTypeError(f"a {what} is counted by a whole number, not {index!r}") from wrong
    if not -n <= k < n:
        raise OutOfRangeError(f"there is no {what} {k}: there are {n}, counted from 0")
    return k % n


def unknown_choice(what: str, value: Any, among: Iterable[str]) -> UnknownNameError:
    """``coordinates is one of absolute, relative, not 'relativ'; did you mean 'relative'?``"""
    known = tuple(among)
    return _unknown(f"{what} is one of {', '.join(known)}, not {value!r}", value, known)


CLASSES: dict[int, type[Error]] = {
    lib.ROUTH_OUT_OF_MEMORY: OutOfMemoryError,
    lib.ROUTH_FILE_ERROR: FileError,
    lib.ROUTH_SYNTAX_ERROR: ModelSyntaxError,
    lib.ROUTH_MODEL_ERROR: ModelError,
    lib.ROUTH_LIMIT_EXCEEDED: LimitExceededError,
    lib.ROUTH_NOT_ASSEMBLED: NotAssembledError,
    lib.ROUTH_NO_EQUILIBRIUM: NoEquilibriumError,
    lib.ROUTH_SINGULAR: SingularError,
    lib.ROUTH_NUMERIC_ERROR: NumericError,
    lib.ROUTH_BAD_ARGUMENT: BadArgumentError,
    lib.ROUTH_NOT_SUPPORTED: NotSupportedError,
    lib.ROUTH_STOPPED: StoppedError,
}


def _text(field: Any) -> str:
    return bytes(ffi.string(field)).decode("utf-8", "replace")


def error_of(status: int, error: Any) -> Error:
    """The exception of a ``routh_error *`` that a call filled and returned `status` with."""
    size = lib.routh_error_text(error, ffi.NULL, 0) + 1
    text = ffi.new("char[]", size)
    lib.routh_error_text(error, text, size)
    file = _text(error.file) or None
    made: type[Error] = CLASSES.get(status, Error)
    if made is FileError and os.strerror(errno.ENOENT) in _text(error.message):
        made = MissingFileError
    return made(
        _text(text),
        _text(lib.routh_status_name(status)),
        file,
        error.line or None,
        error.column or None,
        _text(error.element) or None,
        _text(error.message),
    )
