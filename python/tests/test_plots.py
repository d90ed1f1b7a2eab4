"""Plots: what the artists hold is what the results hold."""

import pathlib
import sys
from typing import Any

import numpy as np
import pytest

import routh

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

from routh import plots  # noqa: E402


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def named(ax: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in ax.get_lines()}


@pytest.fixture(scope="module")
def modes(examples: pathlib.Path) -> routh.Modes:
    return routh.Model.read(examples / "rotor-stator.yaml").linearize().modes()


@pytest.fixture(scope="module")
def sweep(examples: pathlib.Path) -> Any:
    model = routh.Model.read(examples / "jeffcott-rotor.yaml")
    return model.sweep({"spin": np.linspace(0, 40, 21)}, speed="spin", orders=[1, 2])


@pytest.fixture(scope="module")
def response(examples: pathlib.Path) -> Any:
    return routh.Model.read(examples / "quarter-car-active.yaml").response()


def test_the_complex_plane_has_all_eigenvalues(modes: routh.Modes) -> None:
    ax = modes.plot()
    lines = named(ax)
    crosses = lines["modes"].get_xdata() + 1j * lines["modes"].get_ydata()
    squares = lines["rigid"].get_xdata() + 1j * lines["rigid"].get_ydata()
    assert np.array_equal(crosses, modes.eigenvalues[modes.rigid == 0])
    assert len(squares) == modes.n_zero == 2 and not squares.any()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("real part (1/s)", "imaginary part (rad/s)")
    assert ax.get_xlim()[0] < modes.eigenvalues.real.min() and ax.get_xlim()[1] > 0
    texts = [text.get_text() for text in ax.texts]
    assert "8" in texts and sum(len(t.split(", ")) if "to" not in t else 0 for t in texts) <= len(modes.numbers)
    again, other = plt.subplots()[1], modes.plot(ax=ax)
    assert other is ax and modes.plot(ax=again, labels=False) is again and not again.texts


def test_the_table_has_a_row_for_each_pair(modes: routh.Modes) -> None:
    ax = plots.mode_table(modes)
    (table,) = ax.tables
    cells = {place: cell.get_text().get_text() for place, cell in table.get_celld().items()}
    assert max(row for row, _ in cells) == len(modes.numbers) == 8
    k = modes.numbers[5]
    assert cells[6, 0] == "6"
    assert float(cells[6, 2]) == pytest.approx(modes.damped_frequency_hz[k], rel=1e-4)
    assert cells[6, 4].startswith("rotor 76 %")
    assert "rigid" in cells[1, 4]
    assert "and 5 more" in plots.mode_table(modes, rows=3).get_title("left")


def test_a_shape_is_that_of_its_markers(modes: routh.Modes) -> None:
    k = modes.numbers[5]
    ax = modes.plot_shape(k, scale=0.25, phases=1)
    rest, moved = [], []
    for line in ax.get_lines():
        (rest if line.get_color() == plots.MUTED else moved).append(np.array(line.get_data_3d()).T)
    hub = modes.linear.markers["hub"]
    expected = hub.position + 0.25 * modes.marker_motion(k, "hub")[:3].real
    found = min((np.abs(line[-1] - expected).max() for line in moved), default=np.inf)
    assert found <= 1e-12
    assert any(np.array_equal(line[-1], hub.position) for line in rest)
    assert "mode 6" in ax.get_title("left") and "0.3617 Hz" in ax.get_title("left")
    assert "rigid" in modes.plot_shape(0).get_title("left")


def test_a_flexible_shape_has_its_nodes(examples: pathlib.Path) -> None:
    """At a node that carries a marker of the body's end the two ways agree."""
    modes = routh.Model.read(examples / "flexible-double-pendulum.yaml").linearize().modes()
    k = modes.numbers[2]
    ax = modes.plot_shape(k, scale=1.0, phases=1)
    ends = [np.array(line.get_data_3d()).T for line in ax.get_lines() if line.get_color() != plots.MUTED]
    starts = [np.array(line.get_data_3d()).T for line in ax.get_lines() if line.get_color() == plots.MUTED]
    assert len(ends) == len(starts) >= 10
    checked = 0
    for name, marker in modes.linear.markers.items():
        for start, end in zip(starts, ends):
            for at, moved in zip(start, end):
                if np.abs(at - marker.position).max() <= 1e-9 and marker.body != "ground" and name != marker.body:
                    there = marker.position + modes.marker_motion(k, name)[:3].real
                    checked += bool(np.abs(moved - there).max() <= 1e-9)
    assert checked >= 1


def test_a_shape_needs_markers(examples: pathlib.Path) -> None:
    modes = routh.Model.read(examples / "rotor-stator.yaml").linearize(markers=False).modes()
    with pytest.raises(ValueError, match="markers=True"):
        modes.plot_shape(0)


def test_a_campbell_diagram(sweep: Any) -> None:
    ax = sweep.plot()
    lines, line = named(ax), sweep.line
    for branch in line.upper:
        drawn = lines[f"mode {line.names[branch]}"]
        assert np.array_equal(drawn.get_xdata(), line.values)
        assert np.array_equal(drawn.get_ydata(), line.frequency_hz[:, branch])
    (flutter,) = [e for e in sweep.events if e.kind == "flutter"]
    assert lines["flutter"].get_xdata()[0] == flutter.value
    assert lines["flutter"].get_ydata()[0] == pytest.approx(20 / (2 * np.pi), rel=1e-9)
    rays = [one for one in ax.get_lines() if one.get_label() == "_order"]
    assert np.allclose(rays[1].get_ydata(), 2 * line.values / (2 * np.pi))
    thick = lines["_unstable"]
    shown = line.values[~np.isnan(np.asarray(thick.get_ydata(), dtype=float))]
    assert shown.min() > 30 and shown.max() == 40
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("spin", "frequency (Hz)")


def test_a_root_locus(sweep: Any) -> None:
    ax = plots.root_locus(sweep)
    lines, line = named(ax), sweep.line
    branch = line.upper[0]
    drawn = lines[f"mode {line.names[branch]}"]
    assert np.array_equal(drawn.get_xdata() + 1j * drawn.get_ydata(), line.eigenvalues[:, branch])
    assert "spin from 0 to 40" in ax.get_title("left")


def test_a_bode_diagram(response: Any) -> None:
    above, below = response.plot(of="travel", input="road")
    (size,), (phase,) = above.get_lines(), below.get_lines()
    H = response("travel", "road")
    assert np.allclose(size.get_ydata(), np.abs(H), rtol=1e-15, atol=0)
    turned = np.exp(1j * np.radians(phase.get_ydata()))
    assert np.abs(turned - H / np.abs(H)).max() <= 1e-9
    assert np.abs(np.diff(phase.get_ydata())).max() < 180
    assert above.get_ylabel() == "magnitude (m/m)" and above.get_xscale() == above.get_yscale() == "log"
    pair = plt.subplots(2, 1)[1]
    every = plots.bode(response, ax=pair)
    assert every[0] is pair[0] and len(every[0].get_lines()) == 6
    assert "grip / load (N/N)" in named(every[0])


def test_a_bode_diagram_with_a_band(response: Any) -> None:
    band = response.sensitivity("k,c").band({"k": 2000, "c": 100})
    above, below = response.plot(of="travel", input="road", band=band)
    (area,) = above.collections
    drawn = area.get_paths()[0].vertices
    o, i = response.outputs.index("travel"), response.inputs.index("road")
    assert drawn[:, 1].min() == pytest.approx(band.low[:, o, i].min())
    assert drawn[:, 1].max() == pytest.approx(band.high[:, o, i].max())
    assert len(below.collections) == 1


def test_a_nyquist_diagram(response: Any) -> None:
    ax = plots.nyquist(response, of=["travel"], input="road")
    curve = named(ax)["travel / road"]
    assert np.array_equal(curve.get_xdata() + 1j * curve.get_ydata(), response("travel", "road"))
    assert "_minus_one" in named(ax)


def test_lines_stay_apart_in_grey() -> None:
    """Two lines of the same dashes differ by a tenth of the way from black to white."""
    styles = [plots.style(k) for k in range(20)]
    grey = [float(np.dot(matplotlib.colors.to_rgb(s["color"]), [0.2126, 0.7152, 0.0722])) for s in styles]
    for i in range(len(styles)):
        for j in range(i):
            if styles[i]["linestyle"] == styles[j]["linestyle"]:
                assert abs(grey[i] - grey[j]) >= 0.1, (i, j)


def test_matplotlib_is_named_where_it_is_missing(modes: routh.Modes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="plots need the package matplotlib: pip install matplotlib"):
        modes.plot()


def test_bars_of_parameters(examples: pathlib.Path) -> None:
    found = routh.Model.read(examples / "jeffcott-rotor.yaml").sensitivity()
    ax = found.plot(mode=2, of="damping", most=3)
    place = int(np.flatnonzero(found.number == 2)[0])
    effect = found.damping_effect[:, place]
    order = np.argsort(-np.abs(effect), kind="stable")[:3]
    assert [bar.get_width() for bar in ax.patches] == effect[order].tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == [found.parameters[p] for p in order]
    assert all((bar.get_hatch() is not None) == (bar.get_width() < 0) for bar in ax.patches)
    with pytest.raises(ValueError, match="mode 9 is not there"):
        found.plot(mode=9)


def test_time_histories(examples: pathlib.Path) -> None:
    history = routh.Model.read(examples / "spinning-pendulum.yaml").simulate(0.2, every=0.02, channels="energy,bodies")
    ax = history.plot("energy/total", "energy/kinetic")
    lines = named(ax)
    assert np.array_equal(lines["energy/kinetic"].get_ydata(), history["energy/kinetic"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (s)", "(J)")
    body = next(name for name in history.units if name.endswith("/position"))
    three = history.plot(body)
    assert len(three.get_lines()) == 3 and three.get_ylabel() == f"{body} (m)"
    with pytest.raises(ValueError, match="name a channel"):
        history.plot()
