"""Expressions of parameters and signals: arithmetic in Python that stays an expression of the model."""

from __future__ import annotations

import math
import numbers
from typing import Any, Union

import numpy as np

from routh import errors as _errors

__all__ = ["Expression"]

# How firmly a text holds together: what is weaker than its surroundings goes into parentheses.
_POWER, _SUM, _PRODUCT, ATOM = 0, 1, 2, 3  # a power always: in -x^2 and x^y^z few know which is first

_FUNCTIONS = {  # of NumPy, to those of the model
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "exp": "exp",
    "log": "log",
    "log10": "log10",
    "sqrt": "sqrt",
    "absolute": "abs",
    "fabs": "abs",
    "sign": "sign",
    "floor": "floor",
    "ceil": "ceil",
    "maximum": "max",
    "minimum": "min",
}


class Expression:
    """An expression of parameters, signals and measures, as a model file would have it.

    Arithmetic with numbers, with other expressions and in arrays gives expressions; so do NumPy's
    ``sin``, ``cos``, ``sqrt`` and so on. ``str()`` of it, and so its place in an f-string, is its text:
    in parentheses where it is more than a name or a call, so that it means the same wherever it
    stands. :attr:`text` has none around the whole.

    Two expressions are equal where their texts are, and their models.

    Examples
    --------
    >>> l = routh.Model().parameter("l", 0.5)
    >>> (l**2 / 3).text
    '(l^2)/3'
    >>> f"1/{2 * l}"
    '1/(2*l)'
    >>> [x.text for x in l * np.array([0, 0, -0.5])]
    ['l*0.0', 'l*0.0', 'l*(-0.5)']
    """

    __slots__ = ("_owner", "_strength", "_text")

    _owner: Any  # the model of its names; None: it has none that are known to be of one

    def __init__(self, text: str, _strength: int = _POWER, _owner: Any = None) -> None:
        self._text = text
        self._strength = ATOM if text.isidentifier() else _strength
        self._owner = _owner

    @property
    def text(self) -> str:
        """As a model file has it, without parentheses around the whole."""
        return self._text

    def __str__(self) -> str:
        return _within(self, ATOM)

    def __format__(self, how: str) -> str:
        if how:
            raise _errors.ArgumentTypeError(
                f"the expression {self._text} is text in an f-string, not a number that {how!r} would write; "
                "leave the format out, or take Model.evaluate for its value"
            )
        return str(self)

    def __repr__(self) -> str:
        return f"Expression({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Expression):
            return NotImplemented
        return self._text == other._text and self._owner is other._owner

    def __hash__(self) -> int:
        return hash(self._text)

    def __bool__(self) -> bool:
        raise _errors.ArgumentTypeError(
            f"the expression {self._text} is neither true nor false before it is evaluated"
        )

    def __float__(self) -> float:
        raise _errors.ArgumentTypeError(
            f"the expression {self._text} has no value of its own: Model.evaluate gives it, and "
            "functions of it are those of NumPy (numpy.sin), not of math"
        )

    def __add__(self, other: Operand) -> Expression:
        return _joined(self, " + ", other, _SUM)

    def __radd__(self, other: Operand) -> Expression:
        return _joined(other, " + ", self, _SUM)

    def __sub__(self, other: Operand) -> Expression:
        return _joined(self, " - ", other, _SUM)

    def __rsub__(self, other: Operand) -> Expression:
        return _joined(other, " - ", self, _SUM)

    def __mul__(self, other: Operand) -> Expression:
        return _joined(self, "*", other, _PRODUCT)

    def __rmul__(self, other: Operand) -> Expression:
        return _joined(other, "*", self, _PRODUCT)

    def __truediv__(self, other: Operand) -> Expression:
        return _joined(self, "/", other, _PRODUCT)

    def __rtruediv__(self, other: Operand) -> Expression:
        return _joined(other, "/", self, _PRODUCT)

    def __pow__(self, other: Operand) -> Expression:
        return _power(self, other)

    def __rpow__(self, other: Operand) -> Expression:
        return _power(other, self)

    def __neg__(self) -> Expression:
        return Expression("-" + _within(self, ATOM), _SUM, self._owner)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return call_of("abs", self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        """NumPy's functions: element by element, each result an expression."""
        if method != "__call__" or how:
            return NotImplemented
        operation = _OPERATIONS.get(ufunc.__name__)
        if ufunc.__name__ in _FUNCTIONS:
            name = _FUNCTIONS[ufunc.__name__]

            def operation(*each: Any) -> Expression:
                return call_of(name, *each)

        if operation is None:
            return NotImplemented
        arrays = [_as_objects(x) for x in inputs]
        result = np.frompyfunc(operation, len(arrays), 1)(*arrays)
        return result


Operand = Union[Expression, str, float, int]


def _as_objects(value: Any) -> Any:
    if isinstance(value, (Expression, str)):
        cell = np.empty((), dtype=object)
        cell[()] = value
        return cell
    return np.asarray(value, dtype=object)


def number_text(value: Any) -> str:
    """A number as the model reads it, to the last bit."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    number = float(value)
    if math.isfinite(number):
        return repr(number)
    return ".nan" if math.isnan(number) else ".inf" if number > 0 else "-.inf"


def _parts(value: Any) -> tuple[str, int]:
    if isinstance(value, Expression):
        return value._text, value._strength
    if isinstance(value, str):
        return value, ATOM if value.isidentifier() else _POWER
    if _is_operand(value):
        text = number_text(value)
        return text, _SUM if text.startswith("-") else ATOM
    raise _errors.ArgumentTypeError(f"an expression needs numbers and expressions, not {type(value).__name__}")


def _is_operand(value: Any) -> bool:
    return isinstance(value, (Expression, str, numbers.Real)) and not isinstance(value, (bool, np.bool_))


def _within(value: Any, strength: int) -> str:
    text, own = _parts(value)
    return text if own >= strength else f"({text})"


def _joined(left: Any, sign: str, right: Any, strength: int) -> Expression:
    """From left to right, as Python evaluates it: the right side goes into parentheses sooner."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return NotImplemented
    if not (_is_operand(left) and _is_operand(right)):
        return NotImplemented
    text = _within(left, strength) + sign + _within(right, strength + 1)
    return Expression(text, strength, owner_of(left, right))


def _power(base: Any, exponent: Any) -> Expression:
    if not (_is_operand(base) and _is_operand(exponent)):
        return NotImplemented
    return Expression(f"{_within(base, ATOM)}^{_within(exponent, ATOM)}", _POWER, owner_of(base, exponent))


def call_of(name: str, *arguments: Any) -> Expression:
    text = f"{name}({', '.join(_parts(x)[0] for x in arguments)})"
    return Expression(text, ATOM, owner_of(*arguments))


def owner_of(*values: Any) -> Any:
    """The one model that the names in these values are of; None where none is known."""
    found: Any = None
    first: Any = None
    for value in values:
        owner = getattr(value, "_owner", None)
        if owner is None:
            continue
        if found is not None and owner is not found:
            raise _errors.BadArgumentError(
                f"{_told(first)} and {_told(value)} are of two models; take both from one, as "
                "model.name, or give a number"
            )
        found, first = owner, value
    return found


def _told(value: Any) -> str:
    return repr(value._text if isinstance(value, Expression) else str(value))


def check_removed(value: Any, what: str) -> None:
    """An element that was taken out of its model is refused: what it is called may be another thing now."""
    if getattr(getattr(value, "_entry", None), "removed", False):
        raise _errors.BadArgumentError(f"{what}: {value!s} was removed from its model; add it again, or take what is there now")


def check_owner(value: Any, model: Any, what: str) -> None:
    """An expression or an element of another model is refused: its name may mean another thing here."""
    check_removed(value, what)
    owner = getattr(value, "_owner", None)
    if owner is not None and model is not None and owner is not model:
        raise _errors.BadArgumentError(
            f"{what}: {_told(value)} is of another model; take what this model has of that name, as "
            f"model.parameters[..] or the name as text, or copy its value"
        )


def _negative(value: Any) -> Any:
    return -value


_OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: _joined(a, " + ", b, _SUM),
    "subtract": lambda a, b: _joined(a, " - ", b, _SUM),
    "multiply": lambda a, b: _joined(a, "*", b, _PRODUCT),
    "divide": lambda a, b: _joined(a, "/", b, _PRODUCT),
    "true_divide": lambda a, b: _joined(a, "/", b, _PRODUCT),
    "power": _power,
    "negative": _negative,
    "square": lambda a: _power(a, 2),
}
