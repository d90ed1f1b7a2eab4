"""A tree in its own joint coordinates, many times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import NULL, Array
from routh._carry import Held
from routh._routh import ffi, lib
from routh.errors import BadArgumentError

if TYPE_CHECKING:
    from routh.mechanism import Mechanism
    from routh.operating import OperatingPoint

__all__ = ["JointSpace"]


class JointSpace(Held):
    """The state space of a tree in its own joint coordinates: with y = (xi, u), xi a small motion of the joints, u their
    rates and tau forces and torques along the columns of u (N, N m),

        ``y' = A y + B tau``.

    Made by :meth:`routh.Mechanism.joint_space`, of mechanisms in ``"relative"`` coordinates. `q` has `n_q` numbers: one for
    each hinge, slide or screw (rad, m), a unit quaternion for each ball, whose columns of `u` are its angular velocity in
    the axes of the body after it. One thread at a time; nothing is allocated in C by a call.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._c = _api.made(
            lib.routh_joint_space_create,
            lib.routh_joint_space_free,
            "routh_joint_space",
            mechanism._c,
            keep=mechanism._c,
        )

    @property
    def n_q(self) -> int:
        return int(lib.routh_joint_space_n_q(self._c))

    @property
    def n_u(self) -> int:
        return int(lib.routh_joint_space_n_u(self._c))

    @property
    def bodies(self) -> tuple[str, ...]:
        """The body after the joint that each column of u belongs to."""
        return tuple(_api.text(lib.routh_joint_space_body(self._c, k)) for k in range(self.n_u))

    @property
    def angles(self) -> tuple[bool, ...]:
        """Which columns of u are rates of angles."""
        return tuple(bool(lib.routh_joint_space_is_angle(self._c, k)) for k in range(self.n_u))

    def start(self, at: OperatingPoint | None = None) -> tuple[Array, Array, Array]:
        """q, u and u' of an operating point of the mechanism; where left out those of the reference configuration, with u' = 0."""
        if at is not None:
            self._mechanism._check_point(at)
        q, u, udot = np.zeros(self.n_q), np.zeros(self.n_u), np.zeros(self.n_u)
        lib.routh_joint_space_start(self._c, NULL if at is None else at._c, *map(_pointer, (q, u, udot)))
        return q, u, udot

    def accelerations(
        self, q: npt.ArrayLike, u: npt.ArrayLike, tau: npt.ArrayLike | None = None, *, time: float = 0.0
    ) -> Array:
        """u' under tau, shape (n_u,); without it under the model's own forces alone.

        Raises
        ------
        SingularError
            Names a body that nothing resists.
        """
        udot = np.zeros(self.n_u)
        given = self._given((q, self.n_q, "q"), (u, self.n_u, "u"), (tau, self.n_u, "tau"))
        _api.call(lib.routh_joint_space_accelerations, self._c, time, *map(_pointer, given), _pointer(udot))
        return udot

    def evaluate(
        self, q: npt.ArrayLike, u: npt.ArrayLike, udot: npt.ArrayLike | None = None, *, time: float = 0.0
    ) -> tuple[Array, Array]:
        """A, shape (2 n_u, 2 n_u), and B, shape (2 n_u, n_u), at q, u and u' (0 where left out)."""
        n = self.n_u
        A, B = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, n))
        given = self._given((q, self.n_q, "q"), (u, n, "u"), (udot, n, "udot"))
        _api.call(lib.routh_joint_space_evaluate, self._c, time, *map(_pointer, given), _pointer(A), _pointer(B))
        return A, B

    def _given(self, *arrays: tuple[npt.ArrayLike | None, int, str]) -> list[Array | None]:
        found: list[Array | None] = []
        for values, n, name in arrays:
            array = None if values is None else _api.reals(values, name)
            if array is not None and array.shape != (n,):
                raise BadArgumentError(f"{name} has the shape ({n},) here, not {array.shape}")
            found.append(array)
        return found

    def __repr__(self) -> str:
        return f"<routh.JointSpace: {self.n_q} coordinates, {self.n_u} velocities>"


def _pointer(array: Array | None) -> Any:
    return NULL if array is None else ffi.from_buffer("double[]", array)
