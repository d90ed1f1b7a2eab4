"""Expressions of parameters and signals: arithmetic in Python that stays an expression of the model."""

from __future__ import annotations

import math
import numbers
from typing import Any, Union

import numpy as np

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
    ``sin``, ``cos``, ``sqrt`` and so on. ``str()`` of it is its text.

    Examples
    --------
    >>> l = routh.Model().parameter("l", 0.5)
    >>> str(l**2 / 3)
    '(l^2)/3'
    >>> [str(x) for x in l * np.array([0, 0, -0.5])]
    ['l*0.0', 'l*0.0', 'l*(-0.5)']
    """

    __slots__ = ("_strength", "_text")

    def __init__(self, text: str, _strength: int = _POWER) -> None:
        self._text = text
        self._strength = ATOM if text.isidentifier() else _strength

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Expression({self._text!r})"

    def __bool__(self) -> bool:
        raise TypeError(f"the expression {self._text} is neither true nor false before it is evaluated")

    def __float__(self) -> float:
        raise TypeError(
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
        return Expression("-" + _within(self, ATOM), _SUM)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return _call("abs", self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        """NumPy's functions: element by element, each result an expression."""
        if method != "__call__" or how:
            return NotImplemented
        operation = _OPERATIONS.get(ufunc.__name__)
        if ufunc.__name__ in _FUNCTIONS:
            name = _FUNCTIONS[ufunc.__name__]

            def operation(*each: Any) -> Expression:
                return _call(name, *each)

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
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        text = number_text(value)
        return text, _SUM if text.startswith("-") else ATOM
    raise TypeError(f"an expression needs numbers and expressions, not {type(value).__name__}")


def _within(value: Any, strength: int) -> str:
    text, own = _parts(value)
    return text if own >= strength else f"({text})"


def _joined(left: Any, sign: str, right: Any, strength: int) -> Expression:
    """From left to right, as Python evaluates it: the right side goes into parentheses sooner."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return NotImplemented
    try:
        return Expression(_within(left, strength) + sign + _within(right, strength + 1), strength)
    except TypeError:
        return NotImplemented


def _power(base: Any, exponent: Any) -> Expression:
    try:
        return Expression(f"{_within(base, ATOM)}^{_within(exponent, ATOM)}", _POWER)
    except TypeError:
        return NotImplemented


def _call(name: str, *arguments: Any) -> Expression:
    return Expression(f"{name}({', '.join(_parts(x)[0] for x in arguments)})", ATOM)


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
