"""Studies as methods; written by python/write_studies.py from the functions themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence
    from routh._api import Path
    from routh._api import Value
    from routh._literals import Algorithm
    from routh._literals import Coordinates
    from routh._literals import Integrator
    from routh._literals import Method
    from routh._literals import PointType
    from routh._literals import Solve
    from routh._watch import Progress
    from routh.convert import MatrixName
    from routh.convert import StateSpace
    from routh.dynamics import StateNumbers
    from routh.model import Model
    from routh.modes import Modes
    from routh.operating import OperatingPoint
    from routh.studies._common import Names
    from routh.studies.certificate import Certificate
    from routh.studies.floquet import Floquet
    from routh.studies.floquet import FloquetBoundary
    from routh.studies.floquet import Period
    from routh.studies.norms import Norms
    from routh.studies.optimise import Optimum
    from routh.studies.report import Page
    from routh.studies.report import View
    from routh.studies.response import Base
    from routh.studies.response import Motion
    from routh.studies.response import Response
    from routh.studies.sensitivity import Sensitivity
    from routh.studies.shapes import ShapeSensitivity
    from routh.studies.simulate import History
    from routh.studies.simulate import InputSignal
    from routh.studies.sweep import Sweep
    from routh.studies.sweep import Values
    from routh.studies.symbolic import Symbolic
    from typing import Literal
    import numpy.typing as npt


class ModelStudies:
    """What is done with a model."""

    def sweep(
        self,
        over: Mapping[Any, Values],
        *,
        at: PointType | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        blades: Names | None = None,
        threads: int = 0,
        halvings: int | None = None,
        solve: bool | str | Sequence[Solve] | None = None,
        below: float | None = None,
        points: int | None = None,
        derivatives: bool = True,
        damping_ratio: float | None = None,
        speed: str | None = None,
        orders: float | Sequence[float] | None = None,
        boundary: Mapping[str, tuple[float, float]] | None = None,
        progress: Progress = False,
    ) -> Sweep:
        """Eigenvalues against one or two parameters: the operating point is followed from value to value, modes by their
        shapes, and values where something happens are solved for. The command ``routh sweep``.

        The values of the grid come first, then what is solved for between them. Ctrl-C stops it: what was done until then
        is in the result, of which `interrupted` is set. A second Ctrl-C raises KeyboardInterrupt.

        Parameters
        ----------
        over : mapping
            One or two parameters and their values, ascending or descending: an array, or text as the program takes it,
            ``"0:12000 rpm:9"``, ``"log:1:1e6:25"``.
        at : {"given", "static", "steady"}, optional
            Where left out what the model asks for.
        coordinates, method, reference : str, optional
            As of :meth:`routh.Model.linearize`.
        blades : sequence of str, optional
            Blades of a rotor in their order around it: modes in multi-blade coordinates, of the rotor in balance.
        threads : int, optional
            0: as many as OpenMP gives. The result does not depend on it.
        halvings : int, optional
            Most of a step between two values where modes are not distinguished; 20.
        solve : str or sequence of str or bool, optional
            What to solve for between the values, once these are there: ``"limits"`` (of stability), ``"critical"``
            (speeds), ``"crossings"``, ``"veerings"``, ``"all"`` or ``"none"``, several in a sequence or with commas
            between. Where left out, and with True, limits and critical speeds; False is ``"none"``.
        below : float, optional
            Hz. Distinguish modes, and find crossings and veerings, only below this frequency. Stability limits are
            always those of all modes.
        points : int, optional
            Bound on the operating points between the values, per value; 16. `bounded` counts where it left something
            undone.
        derivatives : bool, optional
            Solve with exact derivatives of eigenvalues where there are any.
        damping_ratio : float, optional
            Solve also for where this is reached.
        speed : str, optional
            Parameter that is the speed of rotation, rad/s, for critical speeds.
        orders : float or sequence of float, optional
            Critical where ``|Im s| = order speed``; 1.
        boundary : mapping, optional
            A second parameter and its range ``{"inner": (1, 6)}``: what is solved for is followed on as a curve over
            both.
        progress : bool or callable, optional
            True: a bar on standard error; or what is called with the number done and of all.

        Returns
        -------
        Sweep

        Raises
        ------
        BadArgumentError
            The model has no such parameter, or values are no range.

        Examples
        --------
        >>> sweep = model.sweep({"spin": np.linspace(0, 40, 41)}, speed="spin")  # doctest: +SKIP
        >>> sweep.plot()  # doctest: +SKIP
        """
        own: Any = self
        from routh.studies.sweep import sweep

        return sweep(
            own,
            over,
            at=at,
            coordinates=coordinates,
            method=method,
            reference=reference,
            blades=blades,
            threads=threads,
            halvings=halvings,
            solve=solve,
            below=below,
            points=points,
            derivatives=derivatives,
            damping_ratio=damping_ratio,
            speed=speed,
            orders=orders,
            boundary=boundary,
            progress=progress,
        )

    def response(
        self,
        input: Names | None = None,
        of: Names | None = None,
        *,
        at: OperatingPoint | PointType | None = None,
        base: Base | None = None,
        as_: Motion | None = None,
        over: tuple[float, float] | tuple[float, float, int] | None = None,
        hz: npt.ArrayLike | None = None,
        error: float | None = None,
        modes_to: float = 0.0,
        psd: Path | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> Response:
        """Frequency response of the linear model at an operating point: :meth:`routh.Linear.response`, with its options
        and, of :meth:`routh.Model.linearize`, ``coordinates``, ``method``, ``reference``, ``states`` and ``threads``."""
        own: Any = self
        from routh.studies.response import model_response

        return model_response(
            own,
            input,
            of,
            at=at,
            base=base,
            as_=as_,
            over=over,
            hz=hz,
            error=error,
            modes_to=modes_to,
            psd=psd,
            coordinates=coordinates,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
        )

    def sensitivity(
        self,
        parameters: Names | None = None,
        *,
        at: OperatingPoint | PointType | None = None,
        modes: Sequence[int] | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> Sensitivity:
        """Exact derivatives of eigenvalues by parameters, with the motion of the operating point. The command
        ``routh sensitivity``. Not interruptible: the call of C has no way to be stopped.

        Parameters
        ----------
        parameters : sequence of str, optional
            Names; where left out all of the model's but those that are refused, which `warnings` name.
        at : OperatingPoint or str, optional
            As of :meth:`routh.Model.linearize`.
        modes : sequence of int, optional
            Numbers of the modes to be shown, counted from 1 as tables do, a pair once; all where left out.
        coordinates, method, reference, states, threads : optional
            As of :meth:`routh.Model.linearize`.

        Raises
        ------
        NotSupportedError
            A parameter that was asked for acts through numbers that are not differentiated.
        BadArgumentError
            The model has no such parameter, or no mode has such a number.
        """
        own: Any = self
        from routh.studies.sensitivity import sensitivity

        return sensitivity(
            own,
            parameters,
            at=at,
            modes=modes,
            coordinates=coordinates,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
        )

    def shape_sensitivity(
        self,
        parameters: Names | None = None,
        *,
        at: OperatingPoint | PointType | None = None,
        modes: Sequence[int] | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> ShapeSensitivity:
        """Exact derivatives of mode shapes by parameters, with the motion of the operating point. Not interruptible: the call
        of C has no way to be stopped.

        Parameters
        ----------
        parameters : sequence of str, optional
            Names; where left out all of the model's but those that are refused, which `warnings` name.
        at : OperatingPoint or str, optional
            As of :meth:`routh.Model.linearize`.
        modes : sequence of int, optional
            Numbers of modes, counted from 1 as tables do, a pair once; all where left out.
        coordinates, method, reference, states, threads : optional
            As of :meth:`routh.Model.linearize`.

        Raises
        ------
        NotSupportedError
            A parameter that was asked for acts through numbers that are not differentiated, or a state of the linear model
            is not among those derivatives are found with.
        BadArgumentError
            The model has no such parameter, or no mode has such a number.
        """
        own: Any = self
        from routh.studies.shapes import shape_sensitivity

        return shape_sensitivity(
            own,
            parameters,
            at=at,
            modes=modes,
            coordinates=coordinates,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
        )

    def simulate(
        self,
        end: float | None = None,
        *,
        at: OperatingPoint | PointType | None = None,
        coordinates: Coordinates | None = None,
        every: float | None = None,
        integrator: Integrator | None = None,
        tolerance: float | None = None,
        step: float | None = None,
        dissipation: float | None = None,
        channels: Names | None = None,
        output: Path | None = None,
        resume: bool = False,
        x0: StateNumbers | None = None,
        inputs: Mapping[str, InputSignal] | None = None,
        progress: Progress = False,
    ) -> History:
        """Integrates the equations of motion from an operating point on, and records. The command ``routh simulate``.

        Ctrl-C stops it: what was done until then is in the result, of which `interrupted` is set.

        Parameters
        ----------
        end, every : float, optional
            s: end of the run, and between records; where left out what the model says, and a five hundredth of the run.
        at, coordinates : optional
            As of :meth:`routh.Model.linearize`.
        integrator : str, optional
            One of those that ``routh help simulate`` lists; where left out what the model says.
        tolerance, step : float, optional
            Local error of a step, 1e-6; or steps of one length, s.
        dissipation : float, optional
            Of the integrators hht and generalized-alpha.
        channels : str or sequence of str, optional
            Groups to record: ``"bodies"``, ``"markers"``, ``"joints"``, ``"loads"``, ``"signals"``, ``"outputs"``,
            ``"energy"``, ``"residuals"``; all where left out.
        output : path-like, optional
            A file that keeps the records, ``.h5`` or ``.csv``; reading the former needs h5py.
        resume : bool, optional
            Go on where `output` (HDF5) was left.
        x0 : mapping or array_like, optional
            States to begin at, in place of those of the operating point: by the names of :attr:`routh.Dynamics.states` (of
            ``model.dynamics(at, coordinates=..)``; the others as at the point), or all of them in that order.
        inputs : mapping, optional
            Histories of inputs, by name: a number; an expression of time, as ``"0.1*sin(2*pi*time)"``; or times [s] and
            values, ``(t, u)``, straight from point to point (the rates jump there). They come in place of those that the model has,
            and count at the operating point too.
        progress : bool or callable, optional
            True: a bar on standard error.

        Raises
        ------
        NumericError, SingularError
            The integration came no further; a file has the records up to there.
        BadArgumentError
            There is no end, or no such integrator or group.
        """
        own: Any = self
        from routh.studies.simulate import simulate

        return simulate(
            own,
            end,
            at=at,
            coordinates=coordinates,
            every=every,
            integrator=integrator,
            tolerance=tolerance,
            step=step,
            dissipation=dissipation,
            channels=channels,
            output=output,
            resume=resume,
            x0=x0,
            inputs=inputs,
            progress=progress,
        )

    def floquet(
        self,
        *,
        period: Period | None = None,
        period_of: str | None = None,
        period_near: Period | None = None,
        at: OperatingPoint | PointType | None = None,
        coordinates: Coordinates | None = None,
        no_shooting: bool = False,
        blades: Names | None = None,
        tolerance: float | None = None,
        steps: int = 0,
    ) -> Floquet:
        """Floquet multipliers of the periodic motion near an operating point. The command ``routh floquet``. Not
        interruptible: the call of C has no way to be stopped.

        Parameters
        ----------
        period, period_of, period_near : number or expression
            One of them: the period, s, such as ``"2*pi/spin"``; the speed of rotation that it belongs to; a guess, where
            nothing depends on time and the period is unknown. Expressions are in the model's unit of time.
        at, coordinates : optional
            As of :meth:`routh.Model.linearize`.
        no_shooting : bool, optional
            The motion must come back of itself; else one near it is searched for.
        blades : sequence of str, optional
            Names of blades in their order, for multi-blade coordinates.
        tolerance : float, optional
            Of the multipliers; 1e-10.
        steps : int, optional
            In a round, at first.

        Raises
        ------
        NumericError
            No periodic motion was found, and by how much the last one did not come back.
        """
        own: Any = self
        from routh.studies.floquet import floquet

        return floquet(
            own,
            period=period,
            period_of=period_of,
            period_near=period_near,
            at=at,
            coordinates=coordinates,
            no_shooting=no_shooting,
            blades=blades,
            tolerance=tolerance,
            steps=steps,
        )

    def floquet_boundary(
        self,
        boundary: Mapping[str, tuple[float, float]],
        *,
        period: str | None = None,
        period_of: str | None = None,
        crossing: str | None = None,
        coordinates: Coordinates | None = None,
        tolerance: float | None = None,
    ) -> FloquetBoundary:
        """The value of a parameter at which a multiplier crosses the unit circle. The command
        ``routh floquet --boundary``.

        Parameters
        ----------
        boundary : mapping
            The parameter and two values on both sides: ``{"amplitude": (0.01, 0.02)}``.
        period, period_of : str
            One of them, an expression of the parameters.
        crossing : {"one", "minus-one", "circle"}, optional
            Where a multiplier crosses; where left out the only one that does.
        """
        own: Any = self
        from routh.studies.floquet import floquet_boundary

        return floquet_boundary(
            own,
            boundary,
            period=period,
            period_of=period_of,
            crossing=crossing,
            coordinates=coordinates,
            tolerance=tolerance,
        )

    def optimise(
        self,
        study: Path | Mapping[str, Any],
        *,
        at: PointType | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        algorithm: Algorithm | None = None,
        evaluations: int = 0,
        seconds: float = 0.0,
        log: Path | None = None,
        resume: bool = False,
        progress: Progress = False,
    ) -> Optimum:
        """Places frequencies and damping ratios and lowers peaks within bounds, by exact derivatives. The command
        ``routh optimise``; needs a library with NLopt.

        Ctrl-C stops it with the best so far.

        Parameters
        ----------
        study : mapping, path-like or str
            What a study file has, as ``{"variables": {"k": {"between": [1e4, 4e4]}}, "goals": {..}}``; the file, or its text of
            several lines.
        at : {"given", "static", "steady"}, optional
        coordinates, method, reference : str, optional
            As of :meth:`routh.Model.linearize`.
        algorithm : {"slsqp", "mma", "ccsa"}, optional
            Where left out the study's.
        evaluations, seconds : optional
            Most of them; 0: the study's.
        log : path-like, optional
            File that gets a line for every evaluation.
        resume : bool, optional
            Go on from the log.
        progress : bool, optional
            Show evaluations on standard error.
        """
        own: Any = self
        from routh.studies.optimise import optimise

        return optimise(
            own,
            study,
            at=at,
            coordinates=coordinates,
            method=method,
            reference=reference,
            algorithm=algorithm,
            evaluations=evaluations,
            seconds=seconds,
            log=log,
            resume=resume,
            progress=progress,
        )

    def symbolic(
        self,
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
        own: Any = self
        from routh.studies.symbolic import symbolic

        return symbolic(
            own,
            symbols,
            independent=independent,
            unknown=unknown,
            stability=stability,
            **settings,
        )

    def certify(
        self,
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
        own: Any = self
        from routh.studies.certificate import certify

        return certify(
            own,
            digits=digits,
            unknown=unknown,
            **settings,
        )

    def report(
        self,
        path: Path | None = None,
        *,
        at: OperatingPoint | PointType | None = None,
        response: bool | Mapping[str, Any] = False,
        sweep: Mapping[str, Any] | None = None,
        sensitivity: bool | Mapping[str, Any] = False,
        verify: bool | Mapping[str, Any] = False,
        check: bool | Mapping[str, Any] = False,
        floquet: Mapping[str, Any] | None = None,
        beside: Model | None = None,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> Page:
        """The page that ``routh report`` writes: one file that opens in any browser without a network.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write it.
        at : OperatingPoint or str, optional
        coordinates, method, reference, states, threads : optional
            As of :meth:`routh.Model.linearize`.
        response : bool or mapping, optional
            With a section on the frequency response; its options as of :meth:`routh.Linear.response`.
        sweep : mapping, optional
            With one on a sweep: the options of :meth:`routh.Model.sweep`, ``over`` among them.
        sensitivity : bool or mapping, optional
            With one on what parameters do to modes: options as of :meth:`routh.Model.sensitivity`.
        verify : bool or mapping, optional
            With a verification of the modes by simulation: options as of :meth:`routh.Modes.verify`.
        check : bool or mapping, optional
            With the answers of :meth:`routh.Model.check`, whose options these are.
        floquet : mapping, optional
            With the multipliers of a periodic motion: the options of :meth:`routh.Model.floquet`, a period among them.
        beside : Model, optional
            With what moves the modes to those of this model: see :meth:`routh.Model.compare`.

        Returns
        -------
        Page
            The page, a text.

        Raises
        ------
        NotSupportedError
            The page was not built into this library.
        """
        own: Any = self
        from routh.studies.report import report

        return report(
            own,
            path,
            at=at,
            response=response,
            sweep=sweep,
            sensitivity=sensitivity,
            verify=verify,
            check=check,
            floquet=floquet,
            beside=beside,
            coordinates=coordinates,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
        )

    def view(
        self,
        at: OperatingPoint | PointType | None = None,
        *,
        height: int = 600,
        coordinates: Coordinates | None = None,
        method: Method | None = None,
        reference: str | None = None,
        states: Sequence[str] | None = None,
        threads: int = 0,
    ) -> View:
        """The model and its modes in motion, in a notebook; options as of :meth:`routh.Model.linearize`."""
        own: Any = self
        from routh.studies.report import view

        return view(
            own,
            at,
            height=height,
            coordinates=coordinates,
            method=method,
            reference=reference,
            states=states,
            threads=threads,
        )


class LinearStudies:
    """What is done with a linear model, and what it gives to other packages."""

    def response(
        self,
        input: Names | None = None,
        of: Names | None = None,
        *,
        base: Base | None = None,
        as_: Motion | None = None,
        over: tuple[float, float] | tuple[float, float, int] | None = None,
        hz: npt.ArrayLike | None = None,
        error: float | None = None,
        modes_to: float = 0.0,
        psd: Path | None = None,
        modes: Modes | None = None,
    ) -> Response:
        """Frequency response ``H(s) = C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2``. The command
        ``routh response``. Not interruptible: the call of C has no way to be stopped.

        Parameters
        ----------
        input : str or sequence of str, optional
            Inputs: the model's own, or position states, on which a force acts; where left out all that the model names.
        of : str or sequence of str, optional
            Outputs: the model's own or states; likewise.
        base : {"x", "y", "z"}, optional
            The ground, moved along this axis, is an input too (the only one where `input` is left out).
        as_ : {"displacement", "velocity", "acceleration"}, optional
            What the ground and inputs that prescribe a motion count as.
        over : (low, high) or (low, high, n), optional
            Hz, and how many frequencies on a logarithmic scale; without n they are put where they are needed. Where left
            out about the first twelve frequencies of modes.
        hz : array_like, optional
            In place of `over`: these frequencies, ascending, Hz.
        error : float, optional
            Of a straight line between frequencies, relative; 1e-2.
        modes_to : float, optional
            Hz: modes above enter the superposition by what they do at rest alone.
        psd : str or path-like, optional
            Spectra of random inputs: ``"road=1e-6/f^2; load=3"``, or a CSV file.
        modes : Modes, optional
            Those of the linear model, where they are there already.

        Returns
        -------
        Response

        Raises
        ------
        BadArgumentError
            A name is not there, or a range is none.
        NotSupportedError
            The linear model does not hold what the ground or a force on a state needs.
        """
        own: Any = self
        from routh.studies.response import response

        return response(
            own,
            input,
            of,
            base=base,
            as_=as_,
            over=over,
            hz=hz,
            error=error,
            modes_to=modes_to,
            psd=psd,
            modes=modes,
        )

    def norms(
        self,
        input: Names | None = None,
        of: Names | None = None,
    ) -> Norms:
        """H2 and H-infinity norm of the transfer function from inputs to outputs. Needs scipy.

        Parameters
        ----------
        input : str or sequence of str, optional
            Inputs of the model; all where left out.
        of : str or sequence of str, optional
            Outputs of the model; all where left out. Norms add up what has different units as it is.

        Raises
        ------
        UnknownNameError
            There is no such input or output.
        BadArgumentError
            There are no inputs, or no outputs.
        NumericError
            A norm cannot be distinguished from rounding.
        MissingPackageError
            There is no scipy.
        """
        own: Any = self
        from routh.studies.norms import norms

        return norms(
            own,
            input,
            of,
        )

    def state_space(
        self,
        *,
        inputs: Names | None = None,
        outputs: Names | None = None,
        derivatives: Literal["inputs", "states"] = "inputs",
    ) -> StateSpace:
        """The linear model as matrices of a state space.

        Parameters
        ----------
        inputs : sequence of str, optional
            Which of the model's; all where left out.
        outputs : sequence of str, optional
            Which of the model's, and of its states; the model's own outputs where left out, and all states where it has
            none.
        derivatives : {"inputs", "states"}, optional
            What becomes of inputs whose time derivatives act: see :mod:`routh.convert`.

        Raises
        ------
        UnknownNameError
            There is no such input or output.
        BadArgumentError
            With ``derivatives="states"``: an output feels a derivative of an input.
        """
        own: Any = self
        from routh.convert import state_space

        return state_space(
            own,
            inputs=inputs,
            outputs=outputs,
            derivatives=derivatives,
        )

    def to_control(
        self,
        *,
        inputs: Names | None = None,
        outputs: Names | None = None,
        derivatives: Literal["inputs", "states"] = "inputs",
    ) -> Any:
        """The linear model as a ``control.StateSpace`` of python-control, with the names of states, inputs and outputs.

        Needs the package control. States are deviations from the operating point; how that itself moves
        (:attr:`routh.Linear.affine`) is left out.

        Parameters
        ----------
        inputs, outputs, derivatives : optional
            ``inputs``, ``outputs`` and ``derivatives``: see :func:`routh.convert.state_space`.
        """
        own: Any = self
        from routh.convert import to_control

        return to_control(
            own,
            inputs=inputs,
            outputs=outputs,
            derivatives=derivatives,
        )

    def to_scipy(
        self,
        *,
        inputs: Names | None = None,
        outputs: Names | None = None,
        derivatives: Literal["inputs", "states"] = "inputs",
    ) -> Any:
        """The linear model as a ``scipy.signal.StateSpace``; needs scipy. Options as of :func:`to_control`."""
        own: Any = self
        from routh.convert import to_scipy

        return to_scipy(
            own,
            inputs=inputs,
            outputs=outputs,
            derivatives=derivatives,
        )

    def to_xarray(
        self,
    ) -> Any:
        """All matrices as an ``xarray.Dataset`` over names; needs xarray. Units are coordinates."""
        own: Any = self
        from routh.convert import to_xarray

        return to_xarray(
            own,
        )

    def to_pandas(
        self,
        matrix: MatrixName = "A",
    ) -> Any:
        """A matrix as a ``pandas.DataFrame`` with names of rows and columns; needs pandas.

        Parameters
        ----------
        matrix : str, optional
            ``"A"``, ``"B"``, ``"B1"``, ``"B2"``, ``"C"``, ``"D"``, ``"D1"``, ``"D2"``, ``"mass"``, ``"damping"``,
            ``"stiffness"``, ``"coupling"``, ``"force"``, ``"force1"`` or ``"force2"``.
        """
        own: Any = self
        from routh.convert import to_pandas

        return to_pandas(
            own,
            matrix,
        )


class DescriptorStudies:
    """What is done with a descriptor system."""

    def response(
        self,
        input: Names | None = None,
        of: Names | None = None,
        *,
        base: Base | None = None,
        as_: Motion | None = None,
        over: tuple[float, float] | tuple[float, float, int] | None = None,
        hz: npt.ArrayLike | None = None,
        error: float | None = None,
        modes_to: float = 0.0,
        psd: Path | None = None,
        modes: Modes | None = None,
    ) -> Response:
        """Frequency response ``H(s) = C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2``. The command
        ``routh response``. Not interruptible: the call of C has no way to be stopped.

        Parameters
        ----------
        input : str or sequence of str, optional
            Inputs: the model's own, or position states, on which a force acts; where left out all that the model names.
        of : str or sequence of str, optional
            Outputs: the model's own or states; likewise.
        base : {"x", "y", "z"}, optional
            The ground, moved along this axis, is an input too (the only one where `input` is left out).
        as_ : {"displacement", "velocity", "acceleration"}, optional
            What the ground and inputs that prescribe a motion count as.
        over : (low, high) or (low, high, n), optional
            Hz, and how many frequencies on a logarithmic scale; without n they are put where they are needed. Where left
            out about the first twelve frequencies of modes.
        hz : array_like, optional
            In place of `over`: these frequencies, ascending, Hz.
        error : float, optional
            Of a straight line between frequencies, relative; 1e-2.
        modes_to : float, optional
            Hz: modes above enter the superposition by what they do at rest alone.
        psd : str or path-like, optional
            Spectra of random inputs: ``"road=1e-6/f^2; load=3"``, or a CSV file.
        modes : Modes, optional
            Those of the linear model, where they are there already.

        Returns
        -------
        Response

        Raises
        ------
        BadArgumentError
            A name is not there, or a range is none.
        NotSupportedError
            The linear model does not hold what the ground or a force on a state needs.
        """
        own: Any = self
        from routh.studies.response import response

        return response(
            own,
            input,
            of,
            base=base,
            as_=as_,
            over=over,
            hz=hz,
            error=error,
            modes_to=modes_to,
            psd=psd,
            modes=modes,
        )
