"""What makes the frequency and the damping of a mode, and what inputs drive and outputs see.

Made by :meth:`routh.Modes.attribution` and :meth:`routh.Modes.realization`. Each has ``table()``, the text that the
program prints, and ``json()``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Array, ComplexArray
from routh._carry import Held, Record
from routh._routh import lib

if TYPE_CHECKING:
    from routh.modes import Modes

__all__ = ["Attribution", "ModeRealization", "Reach", "Realization"]

WAYS = tuple(_api.text(lib.routh_way_name(k)) for k in range(lib.ROUTH_N_WAYS))
"""How an element's forces come about, in the order of the last axis of an attribution."""


class Attribution(Held):
    """What makes the frequency and the damping of each mode. Made by
    :meth:`routh.Modes.attribution`."""

    def __init__(self, pointer: Any, modes: Modes) -> None:
        self._c = pointer
        self._modes = modes

    @cached_property
    def elements(self) -> tuple[str, ...]:
        """``"body rotor"``, ``"joint hinge"``, ``"load mount"``."""
        return _api.texts(self._c.elements, self._c.n_elements)

    def _parts(self, member: str) -> Array:
        c = self._c
        flat = _api.member_view(c, c.parts, c.n_modes * c.n_elements, member)
        parts: Array = flat.reshape((c.n_modes, c.n_elements, *flat.shape[1:]))
        return parts

    @cached_property
    def kinetic(self) -> Array:
        """Fractions of the kinetic energy, shape (n_modes, n_elements); of a mode they sum to 1."""
        return self._parts("kinetic")

    @cached_property
    def rotation(self) -> Array:
        """What of `kinetic` is no translation of a body's centre of mass."""
        return self._parts("rotation")

    @cached_property
    def frequency(self) -> Array:
        """Shares of the square of the undamped frequency, shape (n_modes, n_elements, 4): by
        position, rate, acceleration and signal; of a mode they sum to 1. NaN of modes that do not
        oscillate."""
        return self._parts("frequency")

    @cached_property
    def damping(self) -> Array:
        """Parts of the damping ratio, likewise; of a mode they sum to it. Negative: it feeds the
        mode."""
        return self._parts("damping")

    @cached_property
    def closure(self) -> Array:
        """What is left of the power of all forces together, shape (n_modes,): of rounding size."""
        return _api.view(self._c, self._c.closure, self._c.n_modes)

    @cached_property
    def participation(self) -> ComplexArray:
        """Participation factors of the states, shape (n_modes, n_states); of a mode they sum to
        1."""
        return _api.complex_view(
            self._c, self._c.participation, self._c.n_modes, self._c.n_states
        )

    def table(self, units: str | None = None) -> str:
        """What ``routh modes --energies`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_modes_table, self._modes._results(attribution=self._c), units)

    def json(self) -> Any:
        """What ``routh modes --energies --json`` prints, parsed."""
        return json.loads(
            _api.written(lib.routh_modes_json, self._modes._results(attribution=self._c))
        )


def attribution(modes: Modes) -> Attribution:
    """:meth:`routh.Modes.attribution`."""
    point = modes.linear._needed_point()
    return Attribution(
        _api.made(
            lib.routh_attribution_compute,
            lib.routh_attribution_free,
            "routh_attribution",
            point.mechanism._c,
            point._c,
            modes.linear._c,
            modes._c,
        ),
        modes,
    )


# ---- realization -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reach(Record):
    """One side of a mode: inputs that drive it, or outputs that see it. `verdict` yes:
    controllable (observable); `distance` is the figure of the Popov-Belevitch-Hautus test, `margin`
    the same in units of eps, `noise` what rounding may make of 0, `least` the combination of the
    copies' shapes that is reached least, `each` by input (output), 0 to 1."""

    verdict: str
    distance: float
    margin: float
    noise: float
    least: float
    each: Array


@dataclass(frozen=True)
class ModeRealization:
    """Of one mode: `copies` independent eigenvectors; what drives it, and what sees it."""

    copies: int
    input: Reach
    output: Reach


class Realization(Held):
    """Which modes belong to a minimal realization. Made by :meth:`routh.Modes.realization`."""

    def __init__(self, pointer: Any, modes: Modes) -> None:
        self._c = pointer
        self._modes = modes

    def _reach(self, reach: Any, n: int) -> Reach:
        return Reach(
            _api.text(lib.routh_verdict_name(reach.verdict)),
            reach.distance,
            reach.margin,
            reach.noise,
            reach.least,
            _api.view(self._c, reach.each, n),
        )

    @cached_property
    def modes(self) -> tuple[ModeRealization, ...]:
        """In the order of the modes."""
        c = self._c
        return tuple(
            ModeRealization(
                m.copies, self._reach(m.input, c.n_inputs), self._reach(m.output, c.n_outputs)
            )
            for m in c.modes[0 : c.n]
        )

    def table(self, units: str | None = None) -> str:
        """What ``routh modes --realization`` prints; `units`, such as ``"mm,Hz,deg"``: else SI."""
        return _api.table(lib.routh_modes_table, self._modes._results(realization=self._c), units)

    def json(self) -> Any:
        """What ``routh modes --realization --json`` prints, parsed."""
        return json.loads(
            _api.written(lib.routh_modes_json, self._modes._results(realization=self._c))
        )


def realization(modes: Modes) -> Realization:
    """:meth:`routh.Modes.realization`."""
    return Realization(
        _api.made(
            lib.routh_realization_compute,
            lib.routh_realization_free,
            "routh_realization",
            modes.linear._c,
            modes._c,
        ),
        modes,
    )
