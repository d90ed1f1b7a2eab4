"""Errors: one class for each status of the library."""

from __future__ import annotations

from typing import Any

from routh._routh import ffi, lib

__all__ = [
    "BadArgumentError",
    "Error",
    "FileError",
    "LimitExceededError",
    "ModelError",
    "ModelSyntaxError",
    "NoEquilibriumError",
    "NotAssembledError",
    "NotSupportedError",
    "NumericError",
    "OutOfMemoryError",
    "SingularError",
    "StoppedError",
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
        self.status = status
        self.file = file
        self.line = line
        self.column = column
        self.element = element
        self.message = text if message is None else message

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.status, self.file, self.line, self.column, self.element, self.message)
        return type(self), (str(self), *parts)


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


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
    """An argument of a call is out of range."""


class NotSupportedError(Error, NotImplementedError):
    """This combination is not available."""


class StoppedError(Error):
    """A call was stopped before its end. What stopped it is raised in its place: KeyboardInterrupt, or what the
    progress callback raised."""


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
    return CLASSES.get(status, Error)(
        _text(text),
        _text(lib.routh_status_name(status)),
        _text(error.file) or None,
        error.line or None,
        error.column or None,
        _text(error.element) or None,
        _text(error.message),
    )
