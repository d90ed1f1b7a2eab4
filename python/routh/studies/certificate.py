"""Eigenvalues with proofs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Value
from routh._routh import lib
from routh.studies._common import Names, Result, names_of

if TYPE_CHECKING:
    from routh.model import Model


@dataclass(frozen=True)
class Enclosure:
    """An eigenvalue and a rectangle that provably contains it.

    Attributes
    ----------
    value : complex
        1/s and rad/s.
    reach : (float, float)
        The eigenvalue is no further from `value` than this, real and imaginary part.
    radius : (float, float)
        Half the sides of the rectangle as it was computed; 0 where they are smaller than any number here.
    real, imaginary : str
        The digits that were asked for: ``"[0.25 +/- 1e-30]"``.
    multiplicity : int
        How many are equal, known of exact polynomials.
    polynomial : str or None
        Irreducible, with whole coefficients, of which it is a zero: the algebraic number it is; None where none was
        found.
    """

    value: complex
    reach: tuple[float, float]
    radius: tuple[float, float]
    real: str
    imaginary: str
    multiplicity: int
    polynomial: str | None


class Certificate(Result):
    """Eigenvalues in rectangles that provably contain them: what :meth:`routh.Model.certify` gives."""

    def __init__(self, pointer: Any, title: str) -> None:
        self._c = pointer
        self._title = title

    @cached_property
    def eigenvalues(self) -> tuple[Enclosure, ...]:
        """By modulus."""
        return tuple(
            Enclosure(
                complex(*e.value),
                (e.reach[0], e.reach[1]),
                (e.radius[0], e.radius[1]),
                _api.text(e.real),
                _api.text(e.imaginary),
                e.multiplicity,
                _api.text_or_none(e.polynomial),
            )
            for e in self._c.eigenvalues[0 : self._c.n]
        )

    @property
    def stable(self) -> bool | None:
        """True: every eigenvalue is proved to lie in the left half plane; False: one is proved to lie in the right one;
        None: neither is."""
        answers = {lib.ROUTH_PROVED_STABLE: True, lib.ROUTH_PROVED_UNSTABLE: False}
        return answers.get(self._c.proof)

    @property
    def proof(self) -> str:
        """What is proved, in words."""
        return _api.text(lib.routh_proof_name(self._c.proof))

    def table(self) -> str:
        """What ``routh symbolic --certify`` prints."""
        return _api.written(lib.routh_certificate_table, self._c)

    def json(self) -> Any:
        """What ``routh symbolic --certify --json`` prints, parsed."""
        return json.loads(_api.written(lib.routh_certificate_json, self._c))

    def columns(self) -> dict[str, Any]:
        """A row for each eigenvalue."""
        return {
            name: [getattr(e, name) for e in self.eigenvalues]
            for name in ("value", "real", "imaginary", "multiplicity", "polynomial")
        }

    def _caption(self) -> str:
        return f"{self._title}: {self.proof}"


def certify(
    model: Model,
    *,
    digits: int = 20,
    unknown: Names | None = None,
    **settings: Value,
) -> Certificate:
    """Eigenvalues of the model as it is written, every number taken for the fraction that was written, in rectangles that
    provably contain them, by balls from the exact characteristic polynomial. The command ``routh symbolic --certify``.
    Not interruptible: the call of C has no way to be stopped.

    Parameters
    ----------
    digits : int, optional
        Of each eigenvalue, in `real` and `imaginary`.
    unknown : sequence of str, optional
        Parameters that the equilibrium fixes, found near their values in the model and proved to be one.
    **settings
        Other values of parameters.

    Raises
    ------
    NotSupportedError
        An element or function leaves the class, by name; or the library was built without FLINT.
    NumericError
        An operating point is not proved, or eigenvalues are equal that no exact polynomial has.
    """
    held = _api.Arguments()
    chosen = model.with_settings(settings=settings) if settings else model
    certificate = _api.made(
        lib.routh_certificate_compute,
        lib.routh_certificate_free,
        "routh_certificate",
        chosen._c_model(),
        held.names(names_of(unknown, model)),
        digits,
    )
    return Certificate(certificate, "certified eigenvalues")
