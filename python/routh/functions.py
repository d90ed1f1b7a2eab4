"""Functions of the caller in expressions of models: forces, measures and constraints in Python.

:class:`Function` is what :meth:`routh.Model.function` and ``functions=`` of :meth:`routh.Model.read` and
:meth:`routh.Model.parse` take where more is to be said than the function itself.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union

from routh._routh import ffi, lib
from routh.errors import ArgumentTypeError, BadArgumentError

__all__ = ["Function"]


class Function:
    """A function of numbers, with what is known of its derivatives.

    Parameters
    ----------
    value : callable
        ``value(x, y, ..)`` of floats, in the units of the file that calls it; gives a float or what
        ``float()`` takes. The same arguments give the same value. It may be called from any thread.
    gradient : callable, optional
        Of the same arguments: a number for each, as a sequence or an array (of one argument, the number
        itself). ``jax.grad(value, argnums=(0, 1))`` is one. By differences of `value` where left out.
    hessian : callable, optional
        Of the same arguments: the second derivatives, a row for each argument. By differences of the
        gradient where left out.
    complex_step : bool, optional
        Whether `value` computes with complex arguments, without ``abs``, ``max`` or comparisons: then it gives
        its gradient exactly.
    scales : sequence of float, optional
        Over what change of each argument the slope of the function changes, for differences; 0 where it is
        not known.
    arguments : int, optional
        How many there are; as many as `value` has where left out.

    A :class:`ValueError` or :class:`ArithmeticError` says that the function is not defined there: the search and
    differences try shorter steps, and where that does not help, the call that needed the value raises that exception. Any other exception
    ends the call at once.
    """

    def __init__(
        self,
        value: Callable[..., Any],
        *,
        gradient: Callable[..., Any] | None = None,
        hessian: Callable[..., Any] | None = None,
        complex_step: bool = False,
        scales: Sequence[float] | None = None,
        arguments: int | None = None,
    ) -> None:
        for what, given in (("value", value), ("gradient", gradient), ("hessian", hessian)):
            if given is not None and not callable(given):
                raise ArgumentTypeError(f"{what}: a function is needed, not {given!r}")
        self.value = value
        self.gradient = gradient
        self.hessian = hessian
        self.complex_step = bool(complex_step)
        self.arguments = _count(value) if arguments is None else int(arguments)
        self.scales = None if scales is None else tuple(float(s) for s in scales)
        if self.scales is not None and len(self.scales) != self.arguments:
            raise BadArgumentError(f"scales: {len(self.scales)} numbers, but the function has {self.arguments} arguments")

    def _key(self) -> tuple[Any, ...]:
        return self.value, self.gradient, self.hessian, self.complex_step, self.arguments, self.scales

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __call__(self, *arguments: Any) -> Any:
        return self.value(*arguments)

    def __repr__(self) -> str:
        return f"<Function {getattr(self.value, '__name__', self.value)!s} of {self.arguments}>"


Given = Union[Function, Callable[..., Any]]


def function_of(given: Given) -> Function:
    return given if isinstance(given, Function) else Function(given)


def functions_of(given: Mapping[str, Given] | None) -> dict[str, Function]:
    return {str(name): function_of(each) for name, each in (given or {}).items()}


def _count(value: Callable[..., Any]) -> int:
    found: list[inspect.Parameter] | None
    try:
        found = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        found = None
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if found is None or any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in found):
        raise BadArgumentError("how many arguments the function has is not known; say arguments=")
    return sum(p.kind in plain and p.default is inspect.Parameter.empty for p in found)


# ---- what was raised -------------------------------------------------------------------------


class _Raised:
    """An exception of a function, until the call of the library that met it ends."""

    __slots__ = ("exception", "held", "thread")

    def __init__(self, held: _Held, exception: BaseException) -> None:
        self.held = held
        self.exception = exception
        self.thread = threading.get_ident()


_ends: list[_Raised] = []  # that end their call
_undefined: list[_Raised] = []  # the last ones that say where a function is not defined
_lock = threading.Lock()


def _is_ours(raised: _Raised) -> bool:
    """Of this thread, or of one that the library began for this call."""
    here = threading.get_ident()
    return raised.thread == here or raised.thread not in {t.ident for t in threading.enumerate()}


def ending() -> BaseException | None:
    """What ended a call of this thread, once."""
    if not _ends:
        return None
    with _lock:
        found = next((r for r in _ends if _is_ours(r)), None)
        for raised in [r for r in _ends if _is_ours(r)]:
            raised.held.ended = False
            _ends.remove(raised)
    return found.exception if found else None


def behind(message: str) -> BaseException | None:
    """The exception behind an error of the library that names the function."""
    if not _undefined:
        return None
    with _lock:
        found = [r for r in _undefined if _is_ours(r)]
        for raised in found:
            _undefined.remove(raised)
    for raised in reversed(found):
        name = raised.held.name
        if f"function {name} " in message or f"of {name} by" in message or f"of {name} has" in message:
            return raised.exception
    return None


def forget() -> None:
    """After a call that went well."""
    if _undefined:
        with _lock:
            _undefined[:] = [r for r in _undefined if not _is_ours(r)]


# ---- for the library -------------------------------------------------------------------------


class _Held:
    """A function that the library calls, under its name."""

    def __init__(self, name: str, function: Function) -> None:
        self.name = name
        self.function = function
        self.ended = False  # by an exception: nothing is called any more until that is raised

    def failed(self, exception: BaseException) -> None:
        soft = isinstance(exception, (ArithmeticError, ValueError)) and not isinstance(exception, BadArgumentError)
        with _lock:
            if soft:
                _undefined[:] = [r for r in _undefined if r.held is not self or r.thread != threading.get_ident()]
                _undefined.append(_Raised(self, exception))
            else:
                self.ended = True
                _ends.append(_Raised(self, exception))


def _flat(result: Any) -> Iterator[float]:
    if isinstance(result, (tuple, list)) or getattr(result, "ndim", None):
        for each in result:
            yield from _flat(each)
    else:
        yield float(result)


def _write(held: _Held, what: str, result: Any, n: int, out: Any) -> None:
    numbers = list(_flat(result))
    if len(numbers) != n:
        raise BadArgumentError(f"the {what} of the function {held.name} gives {len(numbers)} numbers, and not {n}")
    for k in range(n):
        out[k] = numbers[k]


def _answer(user: Any, what: str, compute: Callable[[_Held, Function], None]) -> int:
    held: _Held = ffi.from_handle(user)
    if held.ended:
        return 1
    try:
        compute(held, held.function)
    except BaseException as exception:  # nothing may go through the library
        held.failed(exception)
        return 1
    return 0


def _value(user: Any, x: Any, out: Any) -> int:
    def compute(held: _Held, f: Function) -> None:
        result = f.value(*x[0 : f.arguments])
        _write(held, "value", result.real if isinstance(result, complex) else result, 1, out)

    return _answer(user, "value", compute)


def _gradient(user: Any, x: Any, out: Any) -> int:
    def compute(held: _Held, f: Function) -> None:
        assert f.gradient is not None
        _write(held, "gradient", f.gradient(*x[0 : f.arguments]), f.arguments, out)

    return _answer(user, "gradient", compute)


def _hessian(user: Any, x: Any, out: Any) -> int:
    def compute(held: _Held, f: Function) -> None:
        assert f.hessian is not None
        _write(held, "hessian", f.hessian(*x[0 : f.arguments]), f.arguments**2, out)

    return _answer(user, "hessian", compute)


def _complex(user: Any, x: Any, out: Any) -> int:
    def compute(held: _Held, f: Function) -> None:
        result = complex(f.value(*(complex(x[2 * k], x[2 * k + 1]) for k in range(f.arguments))))
        out[0], out[1] = result.real, result.imag

    return _answer(user, "value", compute)


for _name, _call in (("value", _value), ("gradient", _gradient), ("hessian", _hessian), ("complex", _complex)):
    ffi.def_extern(name=f"routh_py_function_{_name}", error=1)(_call)


def filled_functions(functions: Mapping[str, Function], hold: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """``routh_function *`` of them, and what must be there as long as the model."""
    kept: list[Any] = []
    if not functions:
        return ffi.NULL, kept
    made = hold(ffi.new("routh_function[]", len(functions)))
    for c, (name, function) in zip(made, functions.items()):
        held = _Held(name, function)
        handle = ffi.new_handle(held)
        kept += [held, handle]
        c.name = hold(ffi.new("char[]", name.encode()))
        c.n_arguments = function.arguments
        c.value = lib.routh_py_function_value
        c.gradient = lib.routh_py_function_gradient if function.gradient else ffi.NULL
        c.hessian = lib.routh_py_function_hessian if function.hessian else ffi.NULL
        c.complex_value = lib.routh_py_function_complex if function.complex_step else ffi.NULL
        c.scales = ffi.NULL if function.scales is None else hold(ffi.new("double[]", list(function.scales) or [0.0]))
        c.user = handle
    return made, kept
