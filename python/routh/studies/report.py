"""The report: one page that shows the model and its modes in motion, and what else is asked for."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from routh import _api
from routh._api import Path
from routh._literals import Coordinates, Method, PointType
from routh._routh import ffi, lib

if TYPE_CHECKING:
    from routh.operating import OperatingPoint
    from routh.model import Model
    from routh.modes import Modes


class View:
    """The report's page in a notebook: an inline frame that needs no network. `page` is its HTML."""

    def __init__(self, page: str, height: int = 600) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" style="width:100%;height:{self.height}px;border:0" '
            'sandbox="allow-scripts allow-downloads"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<routh.View: {1e-6 * len(self.page):.1f} MB>"


class Page(str):
    """The report's page, HTML as text; a prompt and a notebook show how long it is and not all of it."""

    def __repr__(self) -> str:
        return f"<routh.Page: {1e-6 * len(self):.1f} MB>"


def page_of(modes: Modes, **parts: Any) -> str:
    """The report of modes, with more results where they are there. Modes move along paths that keep joints closed."""
    linear = modes.linear
    point = linear.point
    if point is not None and linear.markers:
        parts["animation"] = _api.made(
            lib.routh_animation_compute,
            lib.routh_animation_free,
            "routh_animation",
            point.mechanism._c,
            point._c,
            linear._c,
            modes._c,
            ffi.NULL,
        )
    return _api.written(lib.routh_report_html, modes._results(**parts))


def view_modes(modes: Modes, height: int = 600) -> View:
    """The modes in motion, in a notebook: the report's page in a frame."""
    return View(page_of(modes), height)


def view(
    model: Model,
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
    linear = model.linearize(
        at, coordinates=coordinates, method=method, reference=reference, states=states, threads=threads
    )
    return view_modes(linear.modes(), height)


def report(
    model: Model,
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
    from routh import studies

    options: dict[str, Any] = {
        "coordinates": coordinates, "method": method, "reference": reference, "states": states, "threads": threads
    }
    parts: dict[str, Any] = {}
    modes = model.linearize(at, **options).modes()
    if sensitivity:
        more = {} if sensitivity is True else dict(sensitivity)
        found = studies.sensitivity(model, at=modes.linear._needed_point(), **more, **options)
        modes = found.modes
        parts["sensitivities"] = found._c
    if response:
        more = {} if response is True else dict(response)
        parts["response"] = modes.linear.response(modes=modes, **more)._c
    if sweep is not None:
        over = dict(sweep)
        if isinstance(at, str):
            over.setdefault("at", at)
        for name in ("coordinates", "method", "reference"):
            over.setdefault(name, options.get(name))
        parts["sweep"] = studies.sweep(model, **over)._c
    if verify:
        parts["verification"] = modes.verify(**({} if verify is True else dict(verify)))._c
    if check:
        more = {} if check is True else dict(check)
        if isinstance(at, str):
            more.setdefault("type", at)
        answers = model.check(**more)
        parts["check"] = answers._c
    if floquet is not None:
        motion = dict(floquet)
        motion.setdefault("at", at)
        motion.setdefault("coordinates", options.get("coordinates"))
        parts["floquet"] = studies.floquet(model, **motion)._c
    if beside is not None:
        second = beside.linearize(at if isinstance(at, str) else None, **options).modes()
        parts["comparison"] = modes.compare(second)._c
        parts["second"] = second._results()
    page = page_of(modes, **parts)
    if path is not None:
        held = _api.Arguments()
        text = page.encode()
        block = ffi.new("routh_text *", {"bytes": held.text(text), "length": len(text)})
        _api.call(lib.routh_text_save, block, held.text(_api.encoded_path(path)))
    return Page(page)
