"""The linear model as formulas."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array, Value
from routh._literals import Coordinates
from routh._routh import ffi, lib
from routh.errors import BadArgumentError
from routh.studies._common import Names, Result, choice, names_of, needed

if TYPE_CHECKING:
    from routh.model import Model

_NOTATIONS = {
    "text": lib.ROUTH_NOTATION_TEXT,
    "latex": lib.ROUTH_NOTATION_LATEX,
    "c": lib.ROUTH_NOTATION_C,
    "python": lib.ROUTH_NOTATION_PYTHON,
    "matlab": lib.ROUTH_NOTATION_MATLAB,
    "json": lib.ROUTH_NOTATION_JSON,
    "modelica": lib.ROUTH_NOTATION_MODELICA,
}


class Symbolic(Result):
    """``M z'' + C z' + K z = 0`` in closed form: what :meth:`routh.Model.symbolic` gives.

    Formulas are SymPy expressions; symbols are real.
    """

    def __init__(self, pointer: Any) -> None:
        self._c = pointer

    def written(self, format: str = "text") -> str:
        """As ``"text"``, ``"latex"``, or a function in ``"c"``, ``"python"``, ``"matlab"``, ``"modelica"``; or ``"json"``."""
        notation = choice(format, _NOTATIONS, "format")
        return _api.written(lib.routh_symbolic_write, self._c, notation)

    def table(self) -> str:
        """What ``routh symbolic`` prints."""
        return self.written()

    @cached_property
    def _json(self) -> Any:
        return json.loads(self.written("json"))

    def json(self) -> Any:
        """What ``routh symbolic --json`` prints, parsed."""
        return self._json

    @property
    def title(self) -> str:
        return str(self._json["title"])

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The independent ones, z."""
        return tuple(self._json["coordinates"])

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """SymPy's symbol of each parameter."""
        sympy = needed("sympy", "formulas need")
        return {s["name"]: sympy.Symbol(s["name"], real=True) for s in self._json["symbols"]}

    @property
    def values(self) -> dict[str, float]:
        """Of the parameters in the model."""
        return {s["name"]: float(s["value"]) for s in self._json["symbols"]}

    def _expression(self, text: str) -> Any:
        parser = needed("sympy.parsing.sympy_parser", "formulas need", "sympy")
        return parser.parse_expr(text.replace("^", "**"), local_dict=dict(self.symbols))

    def _matrix(self, name: str) -> Any:
        sympy = needed("sympy", "formulas need")
        return sympy.Matrix([[self._expression(entry) for entry in row] for row in self._json[name]])

    @cached_property
    def M(self) -> Any:
        """Mass matrix, a ``sympy.Matrix``."""
        return self._matrix("M")

    @cached_property
    def C(self) -> Any:
        """Damping and gyroscopic matrix."""
        return self._matrix("C")

    @cached_property
    def K(self) -> Any:
        """Stiffness matrix."""
        return self._matrix("K")

    @cached_property
    def A(self) -> Any:
        """Of the state space, ``(z, z')``."""
        return self._matrix("A")

    @cached_property
    def equations(self) -> tuple[Any, ...]:
        """What must be zero for the operating point, where it has unknowns."""
        return tuple(self._expression(e if isinstance(e, str) else e["zero"]) for e in self._json["equations"])

    @cached_property
    def characteristic_polynomial(self) -> Any:
        """``det(s^2 M + s C + K)`` as a ``sympy.Poly`` in ``s``."""
        sympy = needed("sympy", "formulas need")
        ascending = [self._expression(text) for text in self._json["characteristic_polynomial"]]
        return sympy.Poly(ascending[::-1], sympy.Symbol("s"))

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        """Routh's conditions: the equilibrium is stable exactly where all of these are positive. Empty without
        ``stability=True``."""
        stability = self._json.get("stability")
        return tuple(self._expression(text) for text in stability["positive"]) if stability else ()

    def evaluate(self, **values: float) -> tuple[Array, Array, Array]:
        """M, C and K as numbers where these symbols have these values, and the others those of the model."""
        held = _api.Arguments()
        n = lib.routh_symbolic_size(self._c)
        matrices = [np.zeros((n, n)) for _ in range(3)]
        pointers = [ffi.cast("double *", ffi.from_buffer(m)) for m in matrices]
        names = held.names(list(values))
        _api.call(
            lib.routh_symbolic_evaluate, self._c, names, held.doubles(list(values.values())), len(values), *pointers
        )
        return matrices[0], matrices[1], matrices[2]

    def chart(self, over: Mapping[str, tuple[float, float]], cells: int = 120) -> str:
        """A picture (SVG) of where in the plane of two symbols the conditions hold; needs ``stability=True``."""
        if len(over) != 2:
            raise BadArgumentError(f"a chart is over two symbols, not {len(over)}")
        held = _api.Arguments()
        axes = ffi.new("routh_chart_axis[2]")
        for axis, (name, (low, high)) in zip(axes, over.items()):
            axis.name, axis.to = held.text(name), high
            setattr(axis, "from", low)
        chart = _api.made(
            lib.routh_stability_chart_find,
            lib.routh_stability_chart_free,
            "routh_stability_chart",
            self._c,
            axes,
            cells,
        )
        return _api.written(lib.routh_stability_chart_svg, chart)

    def columns(self) -> dict[str, Any]:
        """Every entry of M, C and K that is not zero, as text."""
        rows = [
            (name, self.coordinates[i], self.coordinates[j], entry)
            for name in "MCK"
            for i, row in enumerate(self._json[name])
            for j, entry in enumerate(row)
            if entry != "0"
        ]
        return {name: [row[k] for row in rows] for k, name in enumerate(("matrix", "row", "column", "formula"))}

    def to_xarray(self) -> Any:
        """The formulas of M, C and K as text, an ``xarray.Dataset`` over coordinates, with the values of the symbols
        along with them; needs xarray."""
        xarray = needed("xarray", "a data set needs")
        names, values = list(self.coordinates), self.values
        parts: dict[str, Any] = {name: (("row", "column"), self._json[name]) for name in "MCK"}
        return xarray.Dataset(
            {**parts, "value": ("symbol", list(values.values()))},
            coords={"row": names, "column": names, "symbol": list(values)},
            attrs={"title": self.title},
        )

    def _caption(self) -> str:
        return f"{self.title}: {len(self.coordinates)} coordinates, {len(self._json['symbols'])} symbols"


def symbolic(
    model: Model,
    symbols: Names | None = None,
    *,
    independent: Names | None = None,
    unknown: Names | None = None,
    stability: bool = False,
    **settings: Value,
) -> Symbolic:
    """M, C and K in closed form, with parameters as symbols. The command ``routh symbolic``. Not interruptible: the call
    of C has no way to be stopped.

    Parameters
    ----------
    symbols : sequence of str, optional
        Parameters that stay symbols; all that are not written in terms of others where left out.
    independent : sequence of str, optional
        Coordinates, as many as there are freedoms: ``"body.x"``, ``"marker.zx"``; the model's states where it has such,
        else chosen.
    unknown : sequence of str, optional
        Parameters that the operating point fixes, such as the angle of an equilibrium.
    stability : bool, optional
        Conditions of stability by Routh's array.
    **settings
        Other values of parameters.

    Raises
    ------
    NotSupportedError
        An element or function leaves the class, by name; or the library was built without FLINT.
    NotAssembledError, NoEquilibriumError
        What is left over, in symbols.
    """
    held = _api.Arguments()
    options = _api.filled("routh_symbolic_options *", lib.routh_symbolic_defaults())
    options.symbols = held.names(names_of(symbols, model))
    options.coordinates = held.names(names_of(independent, model))
    options.unknowns = held.names(names_of(unknown, model))
    options.stability = stability
    c_model = (model.with_settings(settings=settings) if settings else model)._c_model()
    return Symbolic(
        _api.made(
            lib.routh_symbolic_compute,
            lib.routh_symbolic_free,
            "routh_symbolic",
            c_model,
            options,
            keep=c_model,
        )
    )
