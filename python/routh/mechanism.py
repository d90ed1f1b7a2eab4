"""Mechanisms: a model compiled for one coordinate set."""

from __future__ import annotations

import json
import math
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Path
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib
from routh._warnings import OperatingPointWarning, tell
from routh._watch import Progress, Watch
from routh.errors import ArgumentTypeError, BadArgumentError, unknown_choice
from routh.operating import Found, OperatingPoint, Placed, _operating_options, parsed_state

if TYPE_CHECKING:
    from routh.joint_space import JointSpace
    from routh.dynamics import Dynamics
    from routh.descriptor import Descriptor, Linearizer
    from routh.linear import Linear
    from routh.model import Model

__all__ = ["COORDINATES", "METHODS", "Mechanism"]

COORDINATES: tuple[Coordinates, ...] = _api.names_until_null(lib.routh_coordinate_name)  # type: ignore[assignment]
"""The coordinate sets there are."""

METHODS: tuple[Method, ...] = _api.names_until_null(lib.routh_method_name)  # type: ignore[assignment]
"""The methods of linearization there are, each variant by itself."""

_METHODS = ("auto", *dict.fromkeys(name.partition(":")[0] for name in METHODS), *(m for m in METHODS if ":" in m))

_LINEARIZE_KIND = ffi.typeof("routh_linear_options *")
_LINEARIZE_DEFAULTS = lib.routh_linear_defaults()


def _state_of(state: Path | str | Mapping[str, float]) -> Any:
    """The ``routh_initial_state *`` of a file, of its text, or of coordinates of joints."""
    if isinstance(state, Mapping):
        joints = [{"name": str(n), "value": _api.real(value, f"the state of {n}")} for n, value in state.items()]
        state = json.dumps({"schema": "routh-state/1", "joints": joints})
    if isinstance(state, str) and state.lstrip().startswith("{"):
        return parsed_state(state)
    held = _api.Arguments()
    return _api.made(
        lib.routh_initial_state_read,
        lib.routh_initial_state_free,
        "routh_initial_state",
        held.text(_api.encoded_path(state)),
    )


def _state_options(asked: tuple[Any, ...]) -> Any:
    tolerance, allowed, max_iterations, follow = asked
    options = _api.filled("routh_initial_state_options *", lib.routh_initial_state_defaults())
    options.follow_settings = follow
    if tolerance is not None:
        options.tolerance = tolerance
    if allowed is not None:
        options.allowed = allowed
    if max_iterations is not None:
        options.max_iterations = max_iterations
    return options


class Mechanism:
    """A model compiled for one coordinate set.

    :meth:`routh.Model.mechanism` gives it. Immutable; may be shared between threads.
    """

    def __init__(self, model: Any, coordinates: Coordinates | None = None, of: Model | None = None) -> None:
        self.c_model = model
        self._of = None if of is None else weakref.ref(of)
        self._snapshot = None if of is None else of._snapshot()
        self._coordinates = COORDINATES[0] if coordinates is None else coordinates
        if self._coordinates not in COORDINATES:
            raise unknown_choice("coordinates", coordinates, COORDINATES)
        self._c = _api.made(
            lib.routh_mechanism_compile,
            lib.routh_mechanism_free,
            "routh_mechanism",
            model,
            self._coordinates.encode(),
            keep=model,
        )

    def _model(self) -> Model:
        """The model that it was compiled from: the very one, where that was not changed since."""
        model = self._of() if self._of is not None else None
        if model is not None and model._mechanisms.get(self._coordinates) is self:
            return model
        if self._snapshot is None:
            raise ArgumentTypeError("this mechanism has no model of its own")
        return self._snapshot()

    def __reduce__(self) -> tuple[Any, ...]:
        return _mechanism_of, (self._model(), self._coordinates)

    def __copy__(self) -> Mechanism:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Mechanism:
        """Itself; where its model was copied along, the copy's."""
        model = self._of() if self._of is not None else None
        copied = memo.get(id(model)) if model is not None else None
        unchanged = model is not None and model._mechanisms.get(self._coordinates) is self
        found: Mechanism = copied._compiled(self._coordinates) if copied is not None and unchanged else self
        return found

    @property
    def coordinates(self) -> Coordinates:
        """One of :data:`routh.COORDINATES`."""
        return self._coordinates

    def __repr__(self) -> str:
        return f"<routh.Mechanism in {self._coordinates} coordinates>"

    def operating_point(
        self,
        type: PointType | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        accept_unstable: bool = False,
        start: OperatingPoint | Path | str | Mapping[str, float] | None = None,
        progress: Progress = False,
    ) -> OperatingPoint:
        """The operating point. Ctrl-C stops the search after the step that it is at.

        Parameters
        ----------
        type : {"given", "static", "steady"}, optional
            In the reference configuration and made consistent; static equilibrium; steady motion. Where left out what
            the model asks for.
        tolerance : float, optional
            Residual of the constraints and of the balance, relative; 1e-12.
        max_iterations : int, optional
            Of Newton's method; 200.
        accept_unstable : bool, optional
            Accept a static equilibrium that is not stable.
        start : OperatingPoint, path-like, str or mapping, optional
            Where the search for a static equilibrium or a steady motion begins: a point of any mechanism of the same
            model, also with other parameters, or a state as :meth:`operating_point_from_state` takes it, which need
            not fit the joints. Where left out at the initial state of the model.
        progress : bool or callable, optional
            True: steps are counted on standard error; or what is called with their number and 0.

        Raises
        ------
        NotAssembledError
            The constraints cannot be satisfied together.
        NoEquilibriumError
            No equilibrium or steady motion was found.
        SingularError, NumericError, NotSupportedError
        """
        begin = None
        if isinstance(start, OperatingPoint):
            begin = Placed(start._given_state(), (None, math.inf, None, False))
        elif start is not None:
            begin = Placed(_state_of(start), (None, math.inf, None, True))
        asked = (type, tolerance, max_iterations, accept_unstable, begin)
        return self._told(OperatingPoint(self, self._found(*asked, progress), Found(asked)))

    def _untold(self, type: PointType | None) -> OperatingPoint:
        """The operating point, whose warnings the caller gives."""
        asked = (type, None, None, False, None)
        return OperatingPoint(self, self._found(*asked), Found(asked))

    def _found(
        self,
        type: PointType | None,
        tolerance: float | None,
        max_iterations: int | None,
        accept_unstable: bool,
        begin: Placed | None = None,
        progress: Progress = False,
    ) -> Any:
        options = _operating_options(type, tolerance, max_iterations, accept_unstable)
        with Watch(options, progress, "operating point", "steps"):
            if begin is not None:
                return _api.made(
                    lib.routh_operating_point_find_near,
                    lib.routh_operating_point_free,
                    "routh_operating_point",
                    self._c,
                    begin.state,
                    _state_options(begin.asked),
                    options,
                    keep=self._c,
                )
            return _api.made(
                lib.routh_operating_point_find,
                lib.routh_operating_point_free,
                "routh_operating_point",
                self._c,
                options,
                keep=self._c,
            )

    @staticmethod
    def _told(point: OperatingPoint) -> OperatingPoint:
        tell(point.warnings, OperatingPointWarning)
        return point

    def operating_point_from_state(
        self,
        state: Path | str | Mapping[str, float],
        *,
        tolerance: float | None = None,
        allowed: float | None = None,
        max_iterations: int | None = None,
    ) -> OperatingPoint:
        """The operating point at a state of a file, or of coordinates of joints, made consistent.

        Inputs are those of the file, but for those whose value in the model depends on parameters
        that were set: these have the value that follows, and a warning reports it.

        Parameters
        ----------
        state : path-like, str or mapping
            The file (``routh-state/1``), or its text where it begins with ``{``.
            Or a mapping of coordinates and rates of joints, ``{"crank.angle": 0.5}`` (m, rad, m/s,
            rad/s): those left out are as the model has them.
        tolerance : float, optional
            Of the constraints, over the typical length; 1e-11. A state that keeps them stays as it
            is, bit for bit.
        allowed : float, optional
            How far bodies may be moved to where the joints hold; 1e-6, ``inf``: any.
        max_iterations : int, optional
            Of Newton's method; 200.

        Raises
        ------
        BadArgumentError
            A body or signal is unknown, wanting or given twice.
        NotAssembledError
            Names the body that would have to be moved most.
        FileError, ModelSyntaxError
            The file cannot be read.
        """
        return self._point_of_state(_state_of(state), (tolerance, allowed, max_iterations, True))

    def operating_point_of(self, point: OperatingPoint) -> OperatingPoint:
        """The operating point at the state of another mechanism of the same model."""
        return self._point_of_state(point._given_state(), (None, None, None, False))

    def _point_of_state(self, state: Any, asked: tuple[Any, ...]) -> OperatingPoint:
        return self._told(OperatingPoint(self, self._placed(state, asked), Placed(state, asked)))

    def _placed(self, state: Any, asked: tuple[Any, ...]) -> Any:
        return _api.made(
            lib.routh_operating_point_of_state,
            lib.routh_operating_point_free,
            "routh_operating_point",
            self._c,
            state,
            _state_options(asked),
            keep=self._c,
        )

    def rotor_point(self, at: OperatingPoint | PointType | None, blades: Sequence[str]) -> OperatingPoint:
        """The rotor of these blades in rotation on a support at rest, brought into balance.

        Parameters
        ----------
        at : OperatingPoint or str, optional
            Where the search begins: a point of this mechanism at which the rotor rotates, or the type of one.
        blades : sequence of str
            Their names, in their order around the rotor.

        Raises
        ------
        NoEquilibriumError
            Names what does not keep its place, as blades under gravity across the axis.
        BadArgumentError
            The blades are not alike.
        """
        point = self.operating_point(at) if at is None or isinstance(at, str) else at
        self._check_point(point)
        held = _api.Arguments()
        found = _api.made(
            lib.routh_rotor_point_find,
            lib.routh_operating_point_free,
            "routh_operating_point",
            self._c,
            point._c,
            held.names(blades),
            keep=self._c,
        )
        return self._told(OperatingPoint(self, found))

    def _check_point(self, at: OperatingPoint) -> None:
        if not isinstance(at, OperatingPoint):
            raise ArgumentTypeError(f"an operating point is needed, not {at!r}")
        if at._mechanism is not self:
            raise BadArgumentError("the operating point belongs to another mechanism")

    def linearize(
        self,
        at: OperatingPoint,
        *,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
        shares: bool = True,
        markers: bool = True,
        details: bool = False,
        extended: bool = True,
        blades: Sequence[str] | None = None,
        penalty_alpha: float = 0.0,
        penalty_xi: float = 0.0,
        penalty_omega: float = 0.0,
        progress: Progress = False,
    ) -> Linear:
        """The linear model at an operating point of this mechanism. Ctrl-C stops it after the right-hand
        sides that it is at; late where matrices are full, as in the last steps of all methods.

        Parameters
        ----------
        at : OperatingPoint
        method : str, optional
            ``"augmented"``, ``"auto"`` or one of :data:`routh.METHODS`; ``"augmented"`` where left
            out.
        reference : str, optional
            Marker of the reference frame, or ``"moving-frame"``, that of a steady motion; where left out
            what the model asks for.
        states : sequence of str, optional
            Wanted states in place of the model's; what the constraints do not leave free is
            dropped, with a warning.
        threads : int, optional
            For the right-hand sides; 0: what OpenMP gives.
        shares, markers : bool, optional
            Also energy fractions, and the motion of every marker.
        details : bool, optional
            Warnings name all states that were added, not the first few.
        extended : bool, optional
            The equations are evaluated and solved in extended precision, where that can be had, and
            each number of the matrices is rounded once: some 20 times the time. False: in doubles.
        blades : sequence of str, optional
            Blades of a rotor in their order around it: the linear model in multi-blade coordinates, at a point of
            :meth:`rotor_point`; without inputs and outputs, in doubles.
        penalty_alpha, penalty_xi, penalty_omega : float, optional
            Of the penalty method; 0: 1e6, 1 and 10 rad/s.
        progress : bool or callable, optional
            True: steps are counted on standard error; or what is called with their number and 0.

        Returns
        -------
        Linear

        Raises
        ------
        BadArgumentError
            There is no such method, marker or state.
        SingularError, NumericError, NotSupportedError
        """
        from routh.linear import Linear

        self._check_point(at)
        held = _api.Arguments()
        options = _api.filled(_LINEARIZE_KIND, _LINEARIZE_DEFAULTS)
        if method is not None:
            if method not in _METHODS:
                raise unknown_choice("method", method, _METHODS)
            options.method = held.text(method)
        if reference is not None:
            options.reference = held.text(reference)
        if states is not None:
            options.states = held.names(states)
        if blades is not None:
            options.blades = held.names(blades)
        options.details, options.extended = details, extended
        if threads or not (shares and markers):
            options.threads, options.shares, options.markers = threads, shares, markers
        if penalty_alpha or penalty_xi or penalty_omega:
            options.penalty_alpha = penalty_alpha
            options.penalty_xi = penalty_xi
            options.penalty_omega = penalty_omega
        with Watch(options, progress, "linearization", "steps"):
            pointer = _api.made(
                lib.routh_linear_compute,
                lib.routh_linear_free,
                "routh_linear",
                self._c,
                at._c,
                options,
            )
        linear = Linear(pointer, at)
        linear._tell()
        return linear

    def descriptor(
        self,
        at: OperatingPoint,
        *,
        reference: str | None = None,
        states: Sequence[str] | None = None,
    ) -> Descriptor:
        """The linear model as a sparse descriptor system ``E y' = A y``, for a few modes of large
        mechanisms, at rest or in motion, with controllers and all.
        """
        from routh.descriptor import Descriptor

        self._check_point(at)
        held = _api.Arguments()
        options = _api.filled(_LINEARIZE_KIND, lib.routh_linear_defaults())
        options.reference = held.text(reference)
        options.states = held.names(states)
        return Descriptor(
            _api.made(
                lib.routh_descriptor_compute,
                lib.routh_descriptor_free,
                "routh_descriptor",
                self._c,
                at._c,
                options,
            ),
            at,
        )

    def linearizer(
        self,
        at: OperatingPoint,
        *,
        reference: str | None = None,
        states: Sequence[str] | None = None,
    ) -> Linearizer:
        """The same linearization again and again, at neighbouring points: all that does not change
        is made once, here. See :class:`routh.Linearizer`."""
        from routh.descriptor import Linearizer

        self._check_point(at)
        return Linearizer(self, at, reference=reference, states=states)

    def dynamics(self, at: OperatingPoint | PointType | None = None) -> Dynamics:
        """The equations of motion as a function ``f(t, x, u)``; its states are chosen at an operating point.

        Parameters
        ----------
        at : OperatingPoint or str, optional
            A point of this mechanism or the type of one; where left out the one that the model asks for.
        """
        from routh.dynamics import Dynamics

        point = self.operating_point(at) if at is None or isinstance(at, str) else at
        self._check_point(point)
        return Dynamics(self, point)

    def joint_space(self) -> JointSpace:
        """The state space of a tree in its own joint coordinates; of ``model.mechanism("relative")``.

        Raises
        ------
        NotSupportedError
            Names the element that stands in the way: a cut joint, a motion, another constraint; or the coordinates
            are others.
        """
        from routh.joint_space import JointSpace

        return JointSpace(self)


def _mechanism_of(model: Model, coordinates: Coordinates) -> Mechanism:
    """What a pickle carries."""
    return model._compiled(coordinates)
