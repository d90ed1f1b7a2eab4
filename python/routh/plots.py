"""Pictures by matplotlib, which is an optional package.

Every function takes ``ax=`` (Axes to draw in; where left out of a new figure) and returns the Axes. Lines differ in
dashes and in lightness, so that they stay apart in grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from routh import _api
from routh._api import Array
from routh._eigenvalue import TWO_PI
from routh.errors import BadArgumentError, unknown_choice
from routh.studies._common import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from routh.modes import Modes
    from routh.studies import Band, History, Response, Sensitivity, Sweep

__all__ = [
    "bode",
    "campbell",
    "complex_plane",
    "history",
    "mode_shape",
    "mode_table",
    "nyquist",
    "root_locus",
    "sensitivity",
]

COLOURS = ("#10243e", "#8c2d19", "#2f6fb0", "#d2843a", "#8cc3a5")
"""Of lines one after another: from dark to light, then again with other dashes."""

DASHES = ("-", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
MUTED = "#8c8c8c"
ACCENT = "#b3411d"


def _pyplot() -> Any:
    return needed("matplotlib.pyplot", "plots need")


def style(k: int) -> dict[str, Any]:
    """Colour and dashes of the line of number k."""
    return {
        "color": COLOURS[k % len(COLOURS)],
        "linestyle": DASHES[k % len(DASHES)],
        "linewidth": 1.6,
    }


def _axes(ax: Any, **figure: Any) -> Any:
    if ax is not None:
        return ax
    figure.setdefault("layout", "constrained")
    return _pyplot().subplots(**figure)[1]


def _plain(ax: Any) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


# ---- modes ---------------------------------------------------------------------------------


def mode_table(modes: Modes, ax: Axes | None = None, rows: int = 20) -> Axes:
    """The modes as a table: number, real part, damped frequency, damping ratio, and the element with the largest fraction of kinetic energy."""
    numbers = modes.numbers
    shown = numbers[:rows]
    shares, names = modes.energies("kinetic"), modes.share_names
    ax = _axes(ax, figsize=(7.2, 0.7 + 0.28 * len(shown)))
    cells = []
    for number, k in enumerate(shown, 1):
        most = int(np.argmax(shares[k])) if shares.shape[1] and shares[k].any() else -1
        where = f"{names[most].removeprefix('body ')} {100 * shares[k, most]:.0f} %" if most >= 0 else ""
        s = modes.eigenvalues[k]
        if modes.rigid[k]:
            cells.append([str(number), "0", "", "", f"{where}  (rigid)".strip()])
            continue
        damping = f"{100 * modes.damping_ratio[k]:.3g}"
        frequency = f"{modes.damped_frequency_hz[k]:.5g}" if s.imag else ""
        cells.append([str(number), f"{s.real:.5g}".replace("-", "\u2212"), frequency, damping, where])
    heads = ["mode", "real part (1/s)", "frequency (Hz)", "damping (%)", "largest kinetic energy"]
    ax.axis("off")
    left = len(numbers) - len(shown)
    ax.set_title(modes.linear.title + (f" (and {left} more modes)" if left else ""), loc="left", fontsize=11)
    table = ax.table(
        cellText=cells or [[""] * len(heads)],
        colLabels=heads,
        colWidths=[0.09, 0.21, 0.21, 0.17, 0.32],
        cellLoc="right",
        loc="upper center",
        edges="horizontal",
    )
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    table.scale(1, 1.25)
    for (row, column), cell in table.get_celld().items():
        cell.set_edgecolor("#cccccc")
        if column == len(heads) - 1:
            cell.set_text_props(ha="left")
        if row == 0:
            cell.set_text_props(weight="bold")
    return ax


def complex_plane(modes: Modes, ax: Axes | None = None, labels: bool = True) -> Axes:
    """Eigenvalues in the complex plane: crosses, rigid ones as squares; the unstable half is shaded. Those with an
    imaginary part of 0 or more have their number, as tables count."""
    ax = _axes(ax)
    values = modes.eigenvalues
    rigid = modes.rigid != 0
    marks = {"color": COLOURS[0], "linestyle": "none", "markersize": 7}
    ax.plot(values.real[~rigid], values.imag[~rigid], marker="x", markeredgewidth=1.6, label="modes", **marks)
    if rigid.any():
        ax.plot(values.real[rigid], values.imag[rigid], marker="s", fillstyle="none", label="rigid", **marks)
        ax.legend(frameon=False, loc="best")
    _plain(ax)
    ax.margins(0.12)
    ax.axvline(0, color="black", linewidth=0.9)
    ax.axhline(0, color="black", linewidth=0.9)
    low, high = ax.get_xlim()
    high = max(high, 0.08 * (high - low))
    ax.set_xlim(low, high)
    ax.axvspan(0, max(high, 1e30), color=ACCENT, alpha=0.08, linewidth=0)
    ax.set_xlim(low, high)
    if labels:
        _number(ax, modes)
    ax.set_xlabel("real part (1/s)")
    ax.set_ylabel("imaginary part (rad/s)")
    ax.set_title(modes.linear.title, loc="left", fontsize=11)
    return ax


def _number(ax: Any, modes: Modes) -> None:
    places: dict[tuple[float, float], list[str]] = {}
    size = float(np.abs(modes.eigenvalues).max()) if len(modes) else 1.0
    for number, k in enumerate(modes.numbers, 1):
        s = modes.eigenvalues[k]
        near = next((p for p in places if abs(complex(*p) - s) < 0.02 * size), None)
        places.setdefault(near or (s.real, s.imag), []).append(str(number))
    for (x, y), numbers in places.items():
        text = ", ".join(numbers) if len(numbers) < 5 else f"{numbers[0]} to {numbers[-1]}"
        ax.annotate(text, (x, y), xytext=(6, 5), textcoords="offset points", fontsize=8)


def mode_shape(modes: Modes, index: int, ax: Axes | None = None, *, scale: float | None = None, phases: int = 3) -> Axes:
    """A mode's shape in space: each body as lines from its frame to its markers, flexible ones along their nodes; grey
    where they stand, dark at the largest displacement, lighter at other phases of the motion.

    Parameters
    ----------
    index : int
        Of the mode: ``modes[index]``.
    scale : float, optional
        Of the shape, in which the largest component of a marker's motion is 1; where left out such that the picture is
        readable.
    phases : int, optional
        How many phases of half a cycle are drawn.
    """
    index = range(len(modes))[index]
    lines, motions = _skeleton(modes, index)
    if ax is None:
        ax = _axes(None, subplot_kw={"projection": "3d"}, figsize=(6, 5.4), layout=None)
        ax.figure.subplots_adjust(left=0.02, right=0.9, bottom=0.08, top=0.9)
    points = np.concatenate(lines) if lines else np.zeros((1, 3))
    size = float(np.ptp(points, axis=0).max()) or 1.0
    largest = max((float(np.abs(m).max()) for m in motions), default=0.0)
    if scale is None:
        scale = 0.2 * size / largest if largest else 1.0
    for line in lines:
        ax.plot(*line.T, color=MUTED, linewidth=1.2, linestyle=DASHES[1], marker=".", markersize=3)
    s = modes.eigenvalues[index]
    turns = np.linspace(0, np.pi, phases, endpoint=False) if s.imag else np.zeros(1)
    for k, turn in enumerate(turns):
        alpha = 1.0 if k == 0 else 0.35
        for line, motion in zip(lines, motions):
            place = line + scale * (motion * np.exp(1j * turn)).real
            ax.plot(*place.T, color=COLOURS[0], linewidth=2, alpha=alpha, marker="o", markersize=2.5)
    _equal(ax, points, size)
    moved = [points, *(line + scale * np.abs(motion) for line, motion in zip(lines, motions))]
    extent = np.ptp(np.concatenate(moved), axis=0)
    if extent.min() < 0.02 * size:  # in a plane: seen from the front of it
        ax.view_init(*((0, 0), (0, -90), (90, -90))[int(np.argmin(extent))])
        names = [name if extent[k] > extent.min() else "" for k, name in enumerate("xyz")]
    else:
        ax.view_init(20, -60)
        names = list("xyz")
    for axis, name in zip((ax.xaxis, ax.yaxis, ax.zaxis), names):
        axis.set_label_text(f"{name} (m)" if name else "")
        if not name:
            axis.set_ticks([])
    number = modes.numbers.index(index if s.imag >= 0 else int(modes.conjugate[index])) + 1
    damping = modes.damping_ratio[index] if abs(s.real) > modes.error_bound[index] else 0.0
    what = f"{modes.damped_frequency_hz[index]:.4g} Hz, damping {100 * damping:.3g} %".replace("-", "\u2212")
    if modes.rigid[index]:
        what = "rigid"
    elif not s.imag:
        what = f"{s.real:.4g} 1/s".replace("-", "\u2212")
    ax.set_title(f"{modes.linear.title}\nmode {number}: {what}", loc="left", fontsize=11)
    return ax


def _skeleton(modes: Modes, index: int) -> tuple[list[Array], list[Any]]:
    """Lines where they stand, shape (n, 3) each, and how their points move in the mode."""
    linear = modes.linear
    markers = linear.markers
    if not markers:
        raise BadArgumentError("a shape needs the motion of markers: linearize with markers=True")
    shape = modes[index].shape
    lines: list[Array] = []
    motions: list[Any] = []
    c = linear._c
    flexible = [_api.text(body.name) for body in c.flexible[0 : c.n_flexible]]
    frames = {m.name: m for m in markers.values() if m.name == m.body}
    for marker in markers.values():
        frame = frames.get(marker.body)
        if marker.body == "ground" or marker.body in flexible:
            continue
        pair = [marker] if frame is None or frame is marker else [frame, marker]
        if len(pair) == 1 and sum(m.body == marker.body for m in markers.values()) > 1 and frame is marker:
            continue
        lines.append(np.array([m.position for m in pair]))
        motions.append(np.array([(m.motion @ shape)[:3] for m in pair]))
    for body in c.flexible[0 : c.n_flexible]:
        nodes = [_node(linear, body, node, shape) for node in body.nodes[0 : body.n_nodes]]
        for k in range(body.n_lines):
            ends = [nodes[body.lines[2 * k + j]] for j in range(2)]
            lines.append(np.array([end[0] for end in ends]))
            motions.append(np.array([end[1] for end in ends]))
    return lines, motions


def _node(linear: Any, body: Any, node: Any, shape: Any) -> tuple[Array, Any]:
    """Place and motion of a node: with its body's frame, and in it."""
    frame = linear._c.markers[body.marker]
    n = linear.n_states
    motion = _api.view(linear._c, frame.motion, 6, n) @ shape
    place = _api.view(linear._c, node.position, 3)
    move = motion[:3] + np.cross(motion[3:], place - _api.view(linear._c, frame.position, 3))
    if node.n:
        elastic = _api.view(linear._c, body.elastic, body.n, n) @ shape
        columns = _api.int_view(linear._c, node.column, node.n)
        move = move + _api.view(linear._c, node.motion, 6, node.n)[:3] @ elastic[columns]
    return place, move


def _equal(ax: Any, points: Array, size: float) -> None:
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = 0.62 * size
    ax.set_xlim(middle[0] - half, middle[0] + half)
    ax.set_ylim(middle[1] - half, middle[1] + half)
    ax.set_zlim(middle[2] - half, middle[2] + half)
    ax.set_box_aspect((1, 1, 1))


# ---- sweeps --------------------------------------------------------------------------------

_EVENT_MARKS = {
    "flutter": "D",
    "divergence": "s",
    "critical speed": "o",
    "damping": "v",
    "meeting": "^",
}


def _line_of(sweep: Sweep, second: float | None) -> Any:
    if second is None:
        return sweep.lines[0] if len(sweep.lines) == 1 else sweep.line
    wanted = second
    return min(sweep.lines, key=lambda line: abs(line.second - wanted))


def campbell(sweep: Sweep, ax: Axes | None = None, *, second: float | None = None, events: bool = True) -> Axes:
    """Frequencies against the parameter, with the lines of the orders where a speed was given, and what happens where.
    Unstable segments of a branch are thick.

    Parameters
    ----------
    second : float, optional
        Of a sweep of two parameters: the line nearest to this value of the second one.
    """
    line = _line_of(sweep, second)
    ax = _axes(ax)
    frequency, growth = line.frequency_hz, line.eigenvalues.real
    for k, branch in enumerate(line.upper):
        ax.plot(line.values, frequency[:, branch], label=f"mode {line.names[branch]}", **style(k))
        unstable = np.where(growth[:, branch] > line.bounds[:, branch], frequency[:, branch], np.nan)
        if not np.isnan(unstable).all():
            ax.plot(line.values, unstable, color=COLOURS[k % len(COLOURS)], linewidth=5, alpha=0.35, label="_unstable")
    _plain(ax)
    ax.set_ylim(0, 1.12 * ax.get_ylim()[1])
    if sweep.speed:
        top = ax.get_ylim()[1]
        for order in sweep.orders:
            ray = order * line.speed / TWO_PI
            ax.plot(line.values, ray, color="black", linewidth=0.8, linestyle=DASHES[3], label="_order")
            inside = np.flatnonzero(np.abs(ray) <= top)
            if len(inside) and order:
                ax.annotate(
                    f"order {order:g}",
                    (line.values[inside[-1]], abs(ray[inside[-1]])),
                    xytext=(-4, -2),
                    textcoords="offset points",
                    ha="right",
                    va="bottom",
                    fontsize=8,
                )
        ax.set_ylim(0, top)
    if events:
        _events(ax, line, lambda event: abs(event.eigenvalue.imag) / TWO_PI)
    ax.set_xlabel(sweep.parameter)
    ax.set_ylabel("frequency (Hz)")
    ax.set_title(sweep.title, loc="left", fontsize=11)
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    return ax


def _events(ax: Any, line: Any, height: Any) -> None:
    for kind, mark in _EVENT_MARKS.items():
        found = [e for e in line.events if e.kind == kind]
        if found:
            ax.plot(
                [e.value for e in found],
                [height(e) for e in found],
                linestyle="none",
                marker=mark,
                markersize=7,
                markerfacecolor="white",
                markeredgecolor="black",
                zorder=5,
                label=kind,
            )


def root_locus(sweep: Sweep, ax: Axes | None = None, *, second: float | None = None) -> Axes:
    """The eigenvalues in the complex plane as the parameter goes from its first value (circles) to its last one
    (arrow heads)."""
    line = _line_of(sweep, second)
    ax = _axes(ax)
    for k, branch in enumerate(line.upper):
        s = line.eigenvalues[:, branch]
        there = np.flatnonzero(~np.isnan(s.real))
        if not len(there):
            continue
        ax.plot(s.real, s.imag, label=f"mode {line.names[branch]}", **style(k))
        ends = {"color": COLOURS[k % len(COLOURS)], "linestyle": "none"}
        ax.plot(s.real[there[0]], s.imag[there[0]], marker="o", fillstyle="none", label="_first", **ends)
        ax.plot(s.real[there[-1]], s.imag[there[-1]], marker=">", label="_last", **ends)
    _plain(ax)
    ax.axvline(0, color="black", linewidth=0.9)
    ax.set_xlabel("real part (1/s)")
    ax.set_ylabel("imaginary part (rad/s)")
    values = f"{sweep.parameter} from {line.values[0]:g} to {line.values[-1]:g}"
    ax.set_title(f"{sweep.title}: {values}", loc="left", fontsize=11)
    ax.legend(frameon=False, fontsize=8)
    return ax


# ---- frequency response --------------------------------------------------------------------


def _pairs(response: Response, of: Any, input: Any) -> list[tuple[int, int]]:
    def places(names: Any, among: tuple[str, ...]) -> Sequence[int]:
        if names is None:
            return range(len(among))
        wanted = [names] if isinstance(names, (str, int)) else names
        return [response._place(name, among) for name in wanted]

    return [(o, i) for o in places(of, response.outputs) for i in places(input, response.inputs)]


def _magnitude_label(response: Response, pairs: list[tuple[int, int]]) -> str:
    units = {response.unit(o, i) for o, i in pairs}
    return _with_unit("magnitude", units.pop() if len(units) == 1 else "")


def bode(
    response: Response,
    ax: Sequence[Axes] | npt.NDArray[np.object_] | None = None,
    *,
    of: Any = None,
    input: Any = None,
    band: Band | None = None,
) -> npt.NDArray[np.object_]:
    """Magnitude and phase against frequency.

    Parameters
    ----------
    ax : pair of Axes, optional
        For magnitude and phase.
    of, input : str or sequence of str, optional
        Which outputs and inputs; all where left out.
    band : Band, optional
        Of this response: how far parameters that are not known exactly move it, drawn as an area.

    Returns
    -------
    ndarray of two Axes
    """
    pairs = _pairs(response, of, input)
    own: Any = ax
    if ax is None:
        own = _axes(None, nrows=2, sharex=True, figsize=(6.4, 5.6), gridspec_kw={"height_ratios": [2, 1.2]})
    above, below = own
    units = {response.unit(o, i) for o, i in pairs}
    for k, (o, i) in enumerate(pairs):
        H = response.H[:, o, i]
        name = f"{response.outputs[o]} / {response.inputs[i]}"
        label = name if len(units) == 1 else _with_unit(name, response.unit(o, i))
        size = np.abs(H)
        above.loglog(response.hz, np.where(size > 0, size, np.nan), label=label, **style(k))
        phase = np.degrees(np.unwrap(np.angle(H)))
        phase -= 360 * np.round((phase[0]) / 360)
        below.semilogx(response.hz, phase, **style(k))
        if band is not None:
            area = {"color": style(k)["color"], "alpha": 0.2, "linewidth": 0}
            place = np.interp(band.hz, response.hz, phase)
            reach = np.degrees(band.phase[:, o, i])
            above.fill_between(band.hz, band.low[:, o, i], band.high[:, o, i], **area)
            below.fill_between(band.hz, place - reach, place + reach, **area)
    above.set_ylabel(_magnitude_label(response, pairs))
    below.set_ylabel("phase (degrees)")
    below.set_xlabel("frequency (Hz)")
    low, high = below.get_ylim()
    if high - low > 60:
        ticker = needed("matplotlib.ticker", "plots need")
        below.yaxis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 1.8, 4.5, 9, 10]))
    for one in (above, below):
        _plain(one)
        one.grid(True, which="minor", color="#eeeeee", linewidth=0.4)
    above.set_title(response.linear.title, loc="left", fontsize=11)
    if len(pairs) > 1:
        above.legend(frameon=False, fontsize=8)
    else:
        above.set_title(f"{response.linear.title}: {label}", loc="left", fontsize=11)
    return np.asarray([above, below])


def nyquist(response: Response, ax: Axes | None = None, *, of: Any = None, input: Any = None) -> Axes:
    """H in the complex plane, frequency rising along the curve (its positive half); the point \u22121 is marked where
    the picture shows it."""
    pairs = _pairs(response, of, input)
    ax = _axes(ax)
    for k, (o, i) in enumerate(pairs):
        H = response.H[:, o, i]
        ax.plot(H.real, H.imag, label=f"{response.outputs[o]} / {response.inputs[i]}", **style(k))
        middle = int(np.argmax(np.abs(np.diff(H)))) if len(H) > 1 else 0
        if len(H) > 1:
            ax.annotate(
                "",
                (H.real[middle + 1], H.imag[middle + 1]),
                xytext=(H.real[middle], H.imag[middle]),
                arrowprops={"arrowstyle": "->", "color": COLOURS[k % len(COLOURS)]},
            )
    _plain(ax)
    left, right = ax.get_xlim()
    if left <= -1 <= right:
        ax.plot([-1], [0], marker="+", color="black", markersize=9, linestyle="none", label="_minus_one")
    ax.axhline(0, color="black", linewidth=0.7)
    ax.axvline(0, color="black", linewidth=0.7)
    ax.set_aspect("equal", adjustable="datalim")
    unit = _magnitude_label(response, pairs).removeprefix("magnitude").strip()
    ax.set_xlabel(f"real part {unit}".strip())
    ax.set_ylabel(f"imaginary part {unit}".strip())
    ax.set_title(response.linear.title, loc="left", fontsize=11)
    if len(pairs) > 1:
        ax.legend(frameon=False, fontsize=8)
    else:
        ((o, i),) = pairs
        ax.set_title(f"{response.linear.title}: {response.outputs[o]} / {response.inputs[i]}", loc="left", fontsize=11)
    return ax


# ---- time and parameters -------------------------------------------------------------------


def history(history: History, *channels: str, ax: Axes | None = None) -> Axes:
    """Channels of a simulated motion against time; a channel with components has a line for each.

    Parameters
    ----------
    *channels : str
        As ``"bodies/rod/position"`` or ``"bodies/rod/position/z"``.
    """
    if not channels:
        raise BadArgumentError("name a channel, such as " + ", ".join(list(history.units)[1:4]))
    ax = _axes(ax)
    columns = [c for channel in channels for c in history.components(channel)]
    units = {history.unit(c) for c in columns}
    for k, column in enumerate(columns):
        label = column if len(units) == 1 else _with_unit(column, history.unit(column))
        ax.plot(history.time, history[column], label=label, **style(k))
    _plain(ax)
    ax.set_xlabel("time (s)")
    what = channels[0] if len(channels) == 1 else ""
    ax.set_ylabel(_with_unit(what, units.pop()).strip() if len(units) == 1 else what)
    ax.set_title(history.title, loc="left", fontsize=11)
    if len(columns) > 1:
        ax.legend(frameon=False, fontsize=8)
    return ax


def sensitivity(
    found: Sensitivity, ax: Axes | None = None, *, mode: int = 1, of: Literal["frequency", "damping"] = "frequency", most: int = 12
) -> Axes:
    """Bars of what each parameter does to a mode, the strongest on top: percent of its undamped frequency, or of
    critical damping, per percent of the parameter. Bars to the left are hatched.

    Parameters
    ----------
    mode : int, optional
        Its number as tables count.
    of : {"frequency", "damping"}, optional
    most : int, optional
        So many parameters.
    """
    if of not in ("frequency", "damping"):
        raise unknown_choice("of", of, ("frequency", "damping"))
    places = np.flatnonzero(found.number == mode)
    if not len(places):
        shown = ", ".join(str(n) for n in found.number if n)
        raise BadArgumentError(f"mode {mode} is not there; there are {shown}")
    effect = (found.frequency_effect if of == "frequency" else found.damping_effect)[:, places[0]]
    effect = np.nan_to_num(effect)
    order = np.argsort(-np.abs(effect), kind="stable")[:most]
    ax = _axes(ax, figsize=(6.4, 1.4 + 0.3 * len(order)))
    bars = ax.barh(np.arange(len(order)), effect[order], color=COLOURS[2], height=0.65)
    for bar, value in zip(bars, effect[order]):
        if value < 0:
            bar.set(facecolor="white", edgecolor=COLOURS[0], hatch="////")
        ax.annotate(
            f"{value:.3g}".replace("-", "\u2212"),
            (value, bar.get_y() + bar.get_height() / 2),
            xytext=(4 if value >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if value >= 0 else "right",
            va="center",
            fontsize=8,
        )
    _plain(ax)
    ax.set_yticks(np.arange(len(order)), [found.parameters[p] for p in order])
    ax.invert_yaxis()
    ax.margins(x=0.18)
    ax.axvline(0, color="black", linewidth=0.9)
    hz = found.modes.undamped_frequency_hz[places[0]]
    per = "p/f df/dp" if of == "frequency" else "p d\u03b6/dp"
    ax.set_xlabel(f"effect on the {'undamped frequency' if of == 'frequency' else 'damping ratio'}, {per} (1)")
    ax.set_title(f"{found.modes.linear.title}\nmode {mode}, {hz:.4g} Hz", loc="left", fontsize=11)
    return ax
