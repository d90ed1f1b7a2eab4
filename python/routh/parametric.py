"""A model whose parameters are set again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, ComplexArray
from routh._carry import Held
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh.errors import unknown_choice, unknown_name
from routh.mechanism import _LINEARIZE_KIND, _METHODS, COORDINATES
from routh.operating import _operating_options

if TYPE_CHECKING:
    from routh.model import Model

__all__ = ["Parametric"]


class Parametric(Held):
    """Eigenvalues and matrices of a model at one value of its parameters after the other.

    Made by :meth:`routh.Model.parametric`. What does not depend on the values is made once; results are to the bit those
    of a model that is read with these values. Parameters are set like items; arrays are computed when they are asked
    for, and copies. One thread uses it at a time.

    Examples
    --------
    >>> import routh
    >>> model = routh.Model.read("car.yaml")  # doctest: +SKIP
    >>> p = model.parametric(["k", "c"])  # doctest: +SKIP
    >>> for k in 20e3, 22e3:  # doctest: +SKIP
    ...     p["k"] = k
    ...     print(p.eigenvalues)
    """

    def __init__(
        self,
        model: Model,
        parameters: Sequence[str],
        *,
        coordinates: Coordinates | None = None,
        type: PointType | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        extended: bool = True,
    ) -> None:
        held = _api.Arguments()
        if coordinates is not None and coordinates not in COORDINATES:
            raise unknown_choice("coordinates", coordinates, COORDINATES)
        if method is not None and method not in _METHODS:
            raise unknown_choice("method", method, _METHODS)
        how = _api.filled(_LINEARIZE_KIND, lib.routh_linear_defaults())
        how.method, how.reference, how.states = held.text(method), held.text(reference), held.names(states)
        how.shares = how.markers = 0
        how.extended = extended
        names = held.names(parameters)
        c_model = model._c_model()
        self._c = _api.made(
            lib.routh_parametric_create,
            lib.routh_parametric_free,
            "routh_parametric",
            c_model,
            names,
            held.text(coordinates),
            _operating_options(type, None, None, False),
            how,
            keep=c_model,
        )
        self._names = tuple(map(str, parameters))

    def __repr__(self) -> str:
        return f"<routh.Parametric of {', '.join(self._names)}>"

    # ---- the parameters ----

    @property
    def parameters(self) -> tuple[str, ...]:
        """Their names, in the order in which they were given."""
        return self._names

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def _index(self, name: str) -> int:
        try:
            return self._names.index(str(name))
        except ValueError:
            raise unknown_name("parameter", str(name), self._names) from None

    def __getitem__(self, name: str) -> float:
        """The value that is set, in the units of the parameter's file."""
        return float(lib.routh_parametric_value(self._c, self._index(name)))

    def __setitem__(self, name: str, value: float) -> None:
        """Sets a parameter. What is wrong with the value is an error of what is asked for next.

        Raises
        ------
        UnknownNameError
            It is none of these parameters.
        BadArgumentError
            The value is not finite.
        """
        _api.call(lib.routh_parametric_set, self._c, self._index(name), _api.real(value, str(name)))

    def set(self, values: Mapping[str, float]) -> None:
        """Sets several parameters."""
        for name, value in values.items():
            self[name] = value

    def is_number(self, name: str) -> bool:
        """Whether another value of this parameter only changes numbers. Others shape the mechanism, and the model
        is read again where they change, which takes longer."""
        return bool(lib.routh_parametric_is_number(self._c, self._index(name)))

    # ---- what is computed ----

    def _found(self, function: Callable[..., int], kind: str) -> Any:
        out = ffi.new(f"const {kind} **")
        _api.call(function, self._c, out)
        return out[0]

    @property
    def eigenvalues(self) -> ComplexArray:
        """Shape (n_states,); 1/s and rad/s, in the order of :attr:`routh.Modes.eigenvalues`."""
        modes = self._found(lib.routh_parametric_modes, "routh_modes")
        found = [complex(*modes.modes[k].eigenvalue) for k in range(modes.n)]
        return np.array(found, dtype=np.complex128)

    def _matrix(self, name: str, rows: str, columns: str) -> Array:
        linear = self._found(lib.routh_parametric_linear, "routh_linear")
        shape = getattr(linear, rows), getattr(linear, columns)
        found = np.zeros(shape)
        if found.size and getattr(linear, name) != ffi.NULL:
            ffi.memmove(found, getattr(linear, name), found.nbytes)
        return found

    @property
    def A(self) -> Array:
        """Shape (n_states, n_states)."""
        return self._matrix("A", "n_states", "n_states")

    @property
    def B(self) -> Array:
        """Shape (n_states, n_inputs)."""
        return self._matrix("B", "n_states", "n_inputs")

    @property
    def C(self) -> Array:
        """Shape (n_outputs, n_states)."""
        return self._matrix("C", "n_outputs", "n_states")

    @property
    def D(self) -> Array:
        """Shape (n_outputs, n_inputs)."""
        return self._matrix("D", "n_outputs", "n_inputs")
