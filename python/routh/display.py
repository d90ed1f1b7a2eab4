"""What a notebook shows of models, operating points, linear models and modes: short HTML, nothing from a network."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.studies._common import cell, html_table

if TYPE_CHECKING:
    from routh.linear import Linear
    from routh.operating import OperatingPoint
    from routh.model import Model
    from routh.modes import Modes

__all__ = ["linear_html", "model_html", "modes_html", "point_html"]

ENTRIES_SHOWN = 12  # rows and columns of a matrix


def _counted(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _list(what: str, names: list[str], most: int = 12) -> str:
    shown = ", ".join(html.escape(name) for name in names[:most])
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"<tr><th style='text-align:left'>{what}</th><td>{len(names)}</td><td>{shown}{more}</td></tr>"


def model_html(model: Model) -> str:
    """Bodies, joints and loads: how many, and their names; or why it cannot be assembled."""
    from routh.errors import Error

    try:
        point = model.operating_point("given")
    except Error as error:
        return f"<p><b>Model</b> that cannot be assembled: {html.escape(str(error))}</p>"
    rows = [
        _list("bodies", list(point.bodies)),
        _list("joints", list(point.reactions)),
        _list("loads", list(point.loads)),
        _list("inputs", [s.name for s in point.signals if s.kind == "input"]),
        _list("outputs", [s.name for s in point.signals if s.kind == "output"]),
    ]
    freedoms = _counted(point.degrees_of_freedom, "degree of freedom", "degrees of freedom")
    return f"<table><caption style='text-align:left'>Model with {freedoms}</caption>{''.join(rows)}</table>"


def point_html(point: OperatingPoint) -> str:
    """Bodies with their positions and velocities, and the forces of joints and loads."""
    bodies = point.bodies.values()
    places = {
        "body": [b.name for b in bodies],
        "position (m)": [_vector(b.position) for b in bodies],
        "velocity (m/s)": [_vector(b.velocity) for b in bodies],
        "angular velocity (rad/s)": [_vector(b.angular_velocity) for b in bodies],
    }
    forces = [*point.reactions.values(), *point.loads.values()]
    acting = {
        "joint or load": [f.name for f in forces],
        "type": [f.type for f in forces],
        "force (N)": [_vector(f.force) for f in forces],
        "torque (N m)": [_vector(f.torque) for f in forces],
    }
    freedoms = _counted(point.degrees_of_freedom, "degree of freedom", "degrees of freedom")
    title = f"Operating point: {point.type}, {freedoms}, equilibrium residual {point.residual:.2g}"
    return warnings_html(point.warnings) + html_table(places, title) + html_table(acting)


def warnings_html(warnings: tuple[str, ...]) -> str:
    """A line each; nothing where there are none."""
    return "".join(f"<p><b>Warning:</b> {html.escape(text)}</p>" for text in warnings)


def _vector(values: Any) -> str:
    return ", ".join(cell(float(v) + 0.0) for v in values)


def modes_html(modes: Modes) -> str:
    """A row for each pair."""
    k = np.array(modes.numbers, dtype=int)
    shares, names = modes.energies("kinetic"), modes.share_names
    most = [f"{names[int(row.argmax())].removeprefix('body ')} {100 * row.max():.0f} %" if row.any() else "" for row in shares[k]]
    columns = {
        "mode": list(range(1, len(k) + 1)),
        "eigenvalue (1/s)": list(modes.eigenvalues[k]),
        "undamped (Hz)": list(modes.undamped_frequency_hz[k]),
        "damped (Hz)": list(modes.damped_frequency_hz[k]),
        "damping (%)": list(100 * modes.damping_ratio[k]),
        "rigid": [bool(r) for r in modes.rigid[k]],
        "largest kinetic energy": most,
    }
    return warnings_html(modes.warnings) + html_table(columns, f"{modes.linear.title}: modes")


def linear_html(linear: Linear) -> str:
    """States, inputs and outputs, and A, B, C and D where they are small."""
    states, inputs, outputs = linear.state_names, linear.input_names, linear.output_names
    text = [
        f"<p><b>{html.escape(linear.title)}</b>: {_counted(len(states), 'state', 'states')}, "
        f"{_counted(len(inputs), 'input', 'inputs')}, {_counted(len(outputs), 'output', 'outputs')}; "
        f"{html.escape(linear.method)}, seen from {html.escape(linear.reference)}</p>",
        warnings_html(linear.warnings),
    ]
    for name, rows, columns in (
        ("A", states, states),
        ("B", states, inputs),
        ("C", outputs, states),
        ("D", outputs, inputs),
    ):
        if rows and columns:
            text.append(_matrix(name, getattr(linear, name), rows, columns))
    return "".join(text)


def _matrix(name: str, matrix: Any, rows: tuple[str, ...], columns: tuple[str, ...]) -> str:
    if max(len(rows), len(columns)) > ENTRIES_SHOWN:
        share = 100 * np.count_nonzero(matrix) / matrix.size
        return f"<p>{name}: {len(rows)} \u00d7 {len(columns)}, {share:.0f} % of it not zero</p>"
    table = {name: list(rows)}
    for k, column in enumerate(columns):
        table[column] = [cell(float(v)).replace("-", "\u2212") if v else "0" for v in matrix[:, k]]
    return html_table(table)
