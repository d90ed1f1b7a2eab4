"""Large mechanisms as sparse descriptor systems, and the same linearization again and again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from routh import _api
from routh._api import Array
from routh._carry import Held
from routh._routh import ffi, lib
from routh._studies import DescriptorStudies
from routh._warnings import ModesWarning, tell
from routh._watch import Progress, Watch
from routh.linear import Linear

if TYPE_CHECKING:
    from routh.mechanism import Mechanism
    from routh.modes import Modes
    from routh.operating import OperatingPoint

__all__ = ["Descriptor", "Linearizer"]


class Descriptor(DescriptorStudies, Held):
    """The linear model, nothing eliminated and sparse.

    About a state of rest, with ``y = (xi, du, lambda)``::

        E y' = A y,   E = diag(I, M, 0),   A = [0 I 0; -K -D -(G'+L); -G 0 0]

    In motion, and with controllers, variables or joints that hold velocities only, with ``y = (S, W,
    X, xi, u, u', lambda, X', V)`` and ``E = diag(I, 0)``.

    Made by :meth:`routh.Model.descriptor`.
    """

    def __init__(self, pointer: Any, point: OperatingPoint) -> None:
        self._c = pointer
        self._point = point

    @property
    def n_coordinates(self) -> int:
        return int(self._c.n_coordinates)

    @property
    def n_constraints(self) -> int:
        """Independent rows of the constraints."""
        return int(self._c.n_constraints)

    @cached_property
    def E(self) -> Any:
        """SciPy matrix in compressed columns, square of the order of y,
        over the memory of the library. Needs scipy."""
        return _api.sparse(self._c, self._c.E)

    @cached_property
    def A(self) -> Any:
        """As E."""
        return _api.sparse(self._c, self._c.A)

    @cached_property
    def states_of_y(self) -> Any:
        """Sparse, (n_states, order): the states of the linear model are ``states_of_y @ y``."""
        return _api.sparse(self._c, self._c.states)

    @cached_property
    def linear(self) -> Linear:
        """States and all that is said about the linear model; its matrices are zero-sized or zero,
        as they are not made."""
        return Linear(_api.part(self._c, self._c.linear), self._point, whole=False)

    def modes(
        self,
        count: int = 0,
        near: complex | Sequence[complex] = 0.0,
        *,
        between: tuple[float, float] | None = None,
        counted: bool = True,
        progress: Progress = False,
    ) -> Modes:
        """Selected eigenvalues, with a count that shows that none was missed. Ctrl-C stops the search
        once the factorization that is under way is done.

        Parameters
        ----------
        count : int
            So many nearest to each of the numbers; copies of the last one come too, if there are no
            more than 100.
        near : complex or sequence of complex, optional
            In 1/s and rad/s; 0 where left out.
        between : (float, float), optional
            In place of `count`: all between two frequencies, Hz.
        counted : bool, optional
            False: without the count by the winding number.
        progress : bool or callable, optional
            True: solutions are counted on standard error; or what is called with their number and 0.

        Raises
        ------
        BadArgumentError
            There are fewer than `count`, or numbers do not fit.
        NotSupportedError
            `between` with damping.
        NumericError
            The iteration does not converge, or the count says that some are missing.
        """
        from routh.modes import Modes

        held = _api.Arguments()
        points = np.atleast_1d(np.asarray(near, dtype=np.complex128))
        request = _api.filled("routh_selection_request *")
        request.count = count
        if between is not None:
            request.between = 1
            request.low, request.high = between
        else:
            request.n_near = len(points)
            request.near = held.doubles(points.view(np.float64))
        request.uncounted = not counted
        with Watch(request, progress, "search", "solutions"):
            pointer = _api.made(
                lib.routh_modes_search, lib.routh_modes_free, "routh_modes", self._c, request
            )
        modes = Modes(pointer, self.linear)
        tell(modes.warnings, ModesWarning, self.linear.warnings)
        return modes



class Linearizer(Held):
    """The same linearization at one neighbouring point after the other, without allocation.

    Made by :meth:`routh.Model.linearizer`. States, patterns and symbolic factorizations are made
    once, at the first point; the method is ``minimal:sparse``, on one thread. :attr:`A` and the
    other arrays show the numbers of the last :meth:`run` and change with the next: copy what must
    stay. One thread uses a linearizer at a time.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        at: OperatingPoint,
        *,
        reference: str | None = None,
        states: Sequence[str] | None = None,
    ) -> None:
        held = _api.Arguments()
        self._mechanism = mechanism
        self._c = _api.made(
            lib.routh_linearizer_create,
            lib.routh_linearizer_free,
            "routh_linearizer",
            mechanism._c,
            at._c,
            held.text(reference),
            held.names(states),
            keep=mechanism._c,
        )
        self._error = ffi.new("routh_error *")
        self.run(at)
        self.linear: Linear = Linear(_api.part(self._c, lib.routh_linearizer_linear(self._c)), whole=False)

    def run(self, at: OperatingPoint) -> None:
        """The numbers at another point of the same mechanism, into the same arrays.

        Raises
        ------
        SingularError
            The states no longer fix the motion.
        """
        self._mechanism._check_point(at)
        status = lib.routh_linearizer_run(self._c, at._c, self._error)
        if status:
            _api.check(status, self._error)

    @property
    def A(self) -> Array:
        """Shape (n_states, n_states)."""
        return self.linear.A
