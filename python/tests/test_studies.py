"""Studies: each against the program, and against what defines it."""

import json
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from typing import Any, Optional

import numpy as np
import pytest

import routh


def told(program: str, *arguments: Any) -> str:
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True)
    return done.stdout


def but_rounding(text: str) -> str:
    """Numbers under 1e-9 are what rounding left, which is not the same in every process, and columns go by them."""
    return " ".join(re.sub(r"\d+(?:\.\d+)?e-(?:[1-9]\d+|09)\b", "rounding", text).split())


def hear_interrupts() -> None:
    """What a shell starts in the background ignores SIGINT, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(code: str, ready: str) -> str:
    """What a script prints that gets SIGINT when it has printed the word, and then the line that it waits for."""
    script = subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    assert script.stdout is not None
    line = script.stdout.readline()
    assert line.strip() == ready, script.stderr.read() if script.stderr else line
    script.send_signal(signal.SIGINT)
    out, err = script.communicate("go on\n", timeout=300)
    assert script.returncode == 0, err
    assert "Traceback" not in err
    return out


# ---- sweeps ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def jeffcott(examples: pathlib.Path) -> routh.Model:
    return routh.Model.read(examples / "jeffcott-rotor.yaml")


@pytest.fixture(scope="module")
def run_up(jeffcott: routh.Model) -> Any:
    return jeffcott.sweep({"spin": np.linspace(0, 40, 9)}, speed="spin")


def test_a_sweep_is_that_of_the_program(program: str, examples: pathlib.Path, run_up: Any) -> None:
    file = examples / "jeffcott-rotor.yaml"
    options = ["sweep", file, "--over", "spin=0:40:9", "--speed", "spin"]
    assert but_rounding(run_up.table()) == but_rounding(told(program, *options))
    assert run_up.csv() == told(program, *options, "--csv")


def test_a_sweep_finds_the_onset_of_flutter(jeffcott: routh.Model, run_up: Any) -> None:
    """Smith 1933: the whirl grows above sqrt(k/m) (1 + outer/inner)."""
    onset = [event for event in run_up.events if event.kind == "flutter"]
    expected = jeffcott.evaluate("sqrt(k/m)*(1 + outer/inner)")
    assert len(onset) == 1 and onset[0].grows
    assert abs(onset[0].value - expected) <= max(1e-12 * expected, onset[0].error)
    critical = {e.order for e in run_up.events if e.kind == "critical speed"}
    assert critical == {1.0}


def test_points_of_a_sweep_are_linear_models(jeffcott: routh.Model, run_up: Any) -> None:
    line = run_up.line
    assert np.array_equal(line.values, np.linspace(0, 40, 9))
    for k in (0, 4, 8):
        alone = jeffcott.with_settings(spin=float(line.values[k])).linearize().modes().eigenvalues
        here = line.eigenvalues[k]
        assert np.abs(np.sort_complex(here) - np.sort_complex(alone)).max() <= 1e-10
    for branch in line.upper:
        assert (np.diff(line.eigenvalues[:, branch].imag) != 0).all()


def test_settings_and_values_as_text(jeffcott: routh.Model, run_up: Any) -> None:
    text = jeffcott.sweep({"spin": "0:40:9"}, speed="spin")
    assert text.csv() == run_up.csv()
    stiffer = jeffcott.with_settings(k=1800, spin=3).sweep({"spin": [0.0, 50.0]}, threads=1)
    assert stiffer.lines[0].frequency_hz[0, 0] == pytest.approx(30 / (2 * np.pi), rel=0.01)
    with pytest.raises(routh.BadArgumentError, match="speeed"):
        jeffcott.sweep({"speeed": [0.0, 1.0]})
    with pytest.raises(ValueError, match="one or two parameters, not 0"):
        jeffcott.sweep({})
    with pytest.raises(ValueError, match="given, static, steady"):
        jeffcott.sweep({"spin": [0.0, 1.0]}, at="standing")


def test_a_sweep_of_a_text_and_over_two_parameters() -> None:
    model = routh.template("pendulum-chain", n=2)
    sweep = model.sweep({"l": [1.0, 2.0, 3.0], "m": [1.0, 1.5]})
    assert [line.second for line in sweep.lines] == [1.0, 1.5]
    assert sweep.second == "m"
    with pytest.raises(ValueError, match="2 lines"):
        sweep.line
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    data = sweep.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert dict(data.sizes) == {"m": 2, "l": 3, "branch": 4}
    line = sweep.lines[1]
    there = data.eigenvalue.sel(l=2.0, m=1.5, branch="1")
    assert there == line.eigenvalues[1, line.names.index("1")]
    # A chain of twice the length swings sqrt(2) times as slowly, whatever its mass.
    assert np.allclose(line.eigenvalues[1].imag * np.sqrt(2), sweep.lines[0].eigenvalues[0].imag, rtol=1e-12)


def test_a_sweep_as_columns(run_up: Any) -> None:
    columns = run_up.columns()
    n = int(np.isfinite(run_up.eigenvalues).sum())
    assert {len(column) for column in columns.values()} == {n}
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = run_up.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    last = frame[(frame.spin == 40) & (frame.branch == "2")]
    assert float(last.re.iloc[0]) == run_up.eigenvalues[-1, run_up.line.names.index("2")].real
    assert "flutter" in run_up._repr_html_()


def test_progress_is_told_and_may_fail(jeffcott: routh.Model, capfd: Any) -> None:
    seen: list[tuple[int, int]] = []
    jeffcott.sweep({"spin": [0.0, 1.0, 2.0]}, threads=1, progress=lambda done, all: seen.append((done, all)))
    assert seen and seen[-1] == (5, 5)  # three values and two steps between them

    def fails(done: int, all: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        jeffcott.sweep({"spin": np.linspace(0, 1, 50)}, threads=1, progress=fails)
    assert "Exception" not in capfd.readouterr().err


def test_ctrl_c_keeps_what_a_sweep_has_done(examples: pathlib.Path) -> None:
    out = interrupted(
        f"""
        import signal, warnings, numpy as np, routh
        warnings.simplefilter("ignore")
        before = signal.getsignal(signal.SIGINT)
        model = routh.Model.read({str(examples / "rotor-stator.yaml")!r})
        told = []
        def progress(done, all):
            if done and not told:
                told.append(done)
                print("begun")
                input()
        sweep = model.sweep({{"spin": np.linspace(0, 100, 20000)}}, progress=progress, threads=2)
        n = sum(len(line.values) for line in sweep.lines)
        print(sweep.interrupted, 0 < n < 20000, signal.getsignal(signal.SIGINT) is before)
        """,
        "begun",
    )
    assert out.split() == ["True", "True", "True"]


def test_what_a_sweep_solves_for_is_asked_for(jeffcott: routh.Model, run_up: Any) -> None:
    spin = {"spin": np.linspace(0, 40, 9)}
    assert run_up.solve == ("limits", "critical") and run_up.bounded == run_up.left == 0
    assert jeffcott.sweep(spin, speed="spin", solve=True).csv() == run_up.csv()
    critical = jeffcott.sweep(spin, speed="spin", solve="critical")
    assert critical.solve == ("critical",)
    assert [e for e in run_up.events if e.kind == "critical speed"] == list(critical.events)
    for none in (False, "none", []):
        plain = jeffcott.sweep(spin, speed="spin", solve=none)
        assert plain.solve == () and plain.events == () and plain.n_computed <= 11
    whole = jeffcott.sweep(spin, speed="spin", solve=["limits", "critical", "crossings", "veerings"], below=100, points=8)
    assert whole.solve == ("limits", "critical", "crossings", "veerings")
    assert whole.json()["below"] == 100 and whole.json()["points_per_value"] == 8
    assert list(run_up.line.unstable) == [2 * (value > 30) for value in run_up.values]
    with pytest.raises(ValueError, match="solve is one of limits, critical, crossings, veerings, all, none, not 'limit'"):
        jeffcott.sweep(spin, solve="limit")
    with pytest.raises(routh.BadArgumentError, match="below a positive frequency"):
        jeffcott.sweep(spin, below=-1)


def test_a_second_ctrl_c_gives_up_what_a_sweep_has_done(examples: pathlib.Path) -> None:
    out = interrupted(
        f"""
        import os, signal, warnings, numpy as np, routh
        warnings.simplefilter("ignore")
        model = routh.Model.read({str(examples / "rotor-stator.yaml")!r})
        told = []
        def progress(done, all):
            if done and not told:
                told.append(done)
                print("begun")
                input()
                os.kill(os.getpid(), signal.SIGINT)
        try:
            model.sweep({{"spin": np.linspace(0, 100, 20000)}}, progress=progress, threads=1)
        except KeyboardInterrupt:
            print("given up")
        """,
        "begun",
    )
    assert out.split() == ["given", "up"]


# ---- frequency response ----------------------------------------------------------------------


def test_a_response_is_that_of_the_program(program: str, examples: pathlib.Path) -> None:
    file = examples / "quarter-car-active.yaml"
    response = routh.Model.read(file).response("road", ["travel", "grip"], over=(0.1, 20, 40), as_="velocity")
    options = ["response", file, "--input", "road", "--of", "travel,grip", "--over", "0.1:20:40", "--as", "velocity"]
    # The peaks are sought until rounding ends it: how often the equations were solved depends on that.
    tables = (re.sub(r"\b\d+ times\b", "some times", but_rounding(text)) for text in (response.table(), told(program, *options)))
    assert next(tables) == next(tables)
    texts = response.csv(), told(program, *options, "--csv")
    mine, theirs = (np.loadtxt(text.splitlines(), delimiter=",", skiprows=1) for text in texts)
    # Other kernels of BLAS may be at work here than in the program.
    assert (np.abs(mine - theirs) <= 1e-13 * np.abs(theirs).max(axis=0)).all()
    assert response.inputs == ("road",) and response.outputs == ("travel", "grip")


def test_a_response_is_what_defines_it(examples: pathlib.Path) -> None:
    linear = routh.Model.read(examples / "gantry-crane.yaml").linearize()
    response = linear.response(over=(0.01, 3, 17))
    assert np.allclose(response.hz, np.geomspace(0.01, 3, 17), rtol=1e-12)
    for k, hz in enumerate(response.hz):
        s = 2j * np.pi * hz
        inside = np.linalg.solve(s * np.eye(linear.n_states) - linear.A, linear.B + s * linear.B1 + s**2 * linear.B2)
        H = linear.C @ inside + linear.D + s * linear.D1 + s**2 * linear.D2
        assert np.abs(response.H[k] - H).max() <= 1e-9 * np.abs(H).max()
    o, i = response.outputs.index("load_position"), response.inputs.index("wind")
    assert np.array_equal(response("load_position", "wind"), response.H[:, o, i])
    channel = response.channel("load_position", "wind")
    assert (channel.output, channel.input) == ("load_position", "wind")
    assert response.unit("load_position", "wind") == "m/N"
    assert response.unit("load_position", "target") == "m/m"
    with pytest.raises(KeyError, match=r"'rain' \(there are: target, hoist, wind\)"):
        response(0, "rain")


def test_peaks_zeros_and_random_inputs(examples: pathlib.Path) -> None:
    response = routh.Model.read(examples / "quarter-car-active.yaml").response(psd="road=1e-6/f^2", of="travel")
    channel = response.channel("travel", "road")
    highest = max(channel.peaks, key=lambda peak: peak.magnitude)
    assert not highest.minimum
    assert np.abs(response("travel", "road")).max() <= highest.magnitude * (1 + 1e-9)
    assert highest.hz == channel.largest_hz
    psd = response.psd
    assert psd is not None and psd.shape == (len(response.hz), 1)
    expected = np.abs(response("travel", "road")) ** 2 * 1e-6 / response.hz**2
    assert np.abs(psd[:, 0] - expected).max() <= 1e-12 * expected.max()
    travel = response.random["travel"]
    assert travel.rms == pytest.approx(np.sqrt(travel.mean_square), rel=1e-15)
    about = float((0.5 * (psd[1:, 0] + psd[:-1, 0]) * np.diff(response.hz)).sum())
    assert travel.mean_square == pytest.approx(about, rel=0.02)
    at_zero = np.asarray(channel.zeros)
    assert len(at_zero) > 0


def test_a_sparse_response_is_that_of_full_matrices(chain: routh.Model) -> None:
    name = chain.linearize().states[0].name
    whole = chain.response(name, name, over=(0.1, 5, 9))
    sparse = chain.descriptor().response(name, name, over=(0.1, 5, 9))
    assert np.abs(whole.H - sparse.H).max() <= 1e-9 * np.abs(whole.H).max()


def test_a_response_as_tables(examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    response = routh.Model.read(examples / "quarter-car-active.yaml").response(over=(0.1, 20, 7))
    columns = response.columns()
    assert np.array_equal(columns["|travel / road| (m/m)"], np.abs(response("travel", "road")))
    assert "travel" in response._repr_html_()
    response.save(tmp_path / "r.npz")
    assert np.array_equal(np.load(tmp_path / "r.npz")["hz"], response.hz)
    pytest.importorskip("xarray", reason="xarray is not installed")
    data = response.to_xarray()
    assert np.array_equal(data.sel(output="grip", input="load"), response("grip", "load"))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, run_up: Any) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="a data frame needs the package pandas: pip install pandas"):
        run_up.to_pandas()


# ---- sensitivity -----------------------------------------------------------------------------


def test_sensitivities_are_those_of_the_program(program: str, examples: pathlib.Path) -> None:
    file = examples / "jeffcott-rotor.yaml"
    found = routh.Model.read(file).sensitivity("k,m")
    assert but_rounding(found.table()) == but_rounding(told(program, "sensitivity", file, "--parameters", "k,m"))
    assert found.parameters == ("k", "m") and found.values.tolist() == [800, 2]


def test_sensitivities_by_the_complex_step(examples: pathlib.Path) -> None:
    """The stiffness of the disc is k, its mass m: with z = x + i y, m z'' + (outer + inner) z' + (k - i inner spin) z = 0,
    so d(lambda)/dk = -1/(2 m lambda + outer + inner)."""
    model = routh.Model.read(examples / "jeffcott-rotor.yaml")
    found = model.sensitivity(["k"])
    m, c = model.evaluate("m"), model.evaluate("outer + inner")
    values = found.modes.eigenvalues
    expected = -1 / (2 * m * values + c)
    assert np.abs(found.eigenvalue_by[0] - expected).max() <= 1e-12 * np.abs(expected).max()
    modulus_by = (values.conj() * expected).real / np.abs(values)
    assert np.allclose(found.frequency_by[0], modulus_by / (2 * np.pi), rtol=1e-12)
    assert np.allclose(found.frequency_effect, found.frequency_by * 800 / found.modes.undamped_frequency_hz, rtol=1e-12)


def test_sensitivities_as_tables(examples: pathlib.Path) -> None:
    found = routh.Model.read(examples / "jeffcott-rotor.yaml").sensitivity(modes=[2])
    assert set(found.number) == {0, 2}
    columns = found.columns()
    assert columns["parameter"] == list(found.parameters)
    assert columns["mode"].tolist() == [2] * len(found.parameters)
    place = int(np.flatnonzero(found.number == 2)[0])
    assert np.array_equal(columns["damping_effect"], found.damping_effect[:, place])
    pytest.importorskip("xarray", reason="xarray is not installed")
    data = found.to_xarray()
    assert data.frequency_by.sel(parameter="k", mode=2) == found.frequency_by[found.parameters.index("k"), place]
    with pytest.raises(routh.BadArgumentError):
        routh.Model.read(examples / "jeffcott-rotor.yaml").sensitivity("stiff")


# ---- motion ----------------------------------------------------------------------------------


def test_a_motion_is_that_of_the_program(program: str, examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    file = examples / "spinning-pendulum.yaml"
    told(program, "simulate", file, "--end", 0.5, "--every", 0.05, "--output", tmp_path / "run.csv", "-q")
    history = routh.Model.read(file).simulate(0.5, every=0.05)
    expected = np.loadtxt(tmp_path / "run.csv", delimiter=",", skiprows=1)
    columns = np.column_stack(list(history.columns().values()))
    assert columns.shape == expected.shape
    assert np.abs(columns - expected).max() <= 1e-9 * np.abs(expected).max()
    head = (tmp_path / "run.csv").read_text().splitlines()[0].split(",")
    for theirs, mine in zip(head, history.columns()):
        assert theirs.split(" [")[0].replace("/", " ").split() == mine.replace("/", " ").split()


def test_a_motion_keeps_its_energy(tmp_path: pathlib.Path) -> None:
    model = routh.template("pendulum-chain", n=2)
    text = routh.template_text("pendulum-chain", n=2).replace("{type: static}", "{type: given}")
    text = text.replace("rod_1: {", "rod_1: {velocity: [0.5, 0, 0], angular_velocity: [0, -1, 0], ")
    text = text.replace("rod_2: {", "rod_2: {velocity: [1, 0, 0], ")
    history = routh.Model.parse(text).simulate(1, every=0.1, tolerance=1e-7, channels=["energy", "bodies"])
    total = history["energy/total"]
    swing = np.ptp(history["energy/kinetic"])
    assert swing > 0.01 and np.ptp(total) <= 1e-4 * swing
    assert history["bodies/rod_1/position"].shape == (11, 3)
    assert history.unit("bodies/rod_1/position/x") == "m"
    assert np.allclose(history.time, np.linspace(0, 1, 11))
    assert "energy/total" in history.table() and "energy/total" in history._repr_html_()
    with pytest.raises(KeyError, match="energy/total"):
        history["speed"]
    still = model.simulate(0.2, every=0.1, channels="energy")
    assert np.ptp(still["energy/kinetic"]) <= 1e-18


def test_a_motion_in_a_file(tmp_path: pathlib.Path, examples: pathlib.Path) -> None:
    pytest.importorskip("h5py", reason="h5py is not installed")
    model = routh.Model.read(examples / "spinning-pendulum.yaml")
    options: Any = {"end": 0.2, "every": 0.05}
    stored, read = model.simulate(output=tmp_path / "run.h5", **options), model.simulate(**options)
    assert (tmp_path / "run.h5").is_file()
    for name, values in read.columns().items():
        assert np.array_equal(stored[name], values), name
    pytest.importorskip("xarray", reason="xarray is not installed")
    data = read.to_xarray()
    assert data["energy/total"].attrs["units"] == "J"


def test_ctrl_c_keeps_what_a_motion_has_done(examples: pathlib.Path) -> None:
    out = interrupted(
        f"""
        import warnings, routh
        warnings.simplefilter("ignore")
        model = routh.Model.read({str(examples / "spinning-pendulum.yaml")!r})
        told = []
        def progress(done, all):
            if done > 0 and not told:
                told.append(done)
                print("begun")
                input()
        history = model.simulate(1e6, every=0.01, channels="energy", progress=progress)
        print(history.interrupted, 0 < history.time[-1] < 1e6, len(history["energy/total"]) == len(history.time))
        """,
        "begun",
    )
    assert out.split() == ["True", "True", "True"]


# ---- periodic motions ------------------------------------------------------------------------


def test_multipliers_are_those_of_the_program(program: str, examples: pathlib.Path) -> None:
    file = examples / "mathieu-pendulum.yaml"
    model = routh.Model.read(file)
    floquet = model.floquet(period_of="omega") if _has(model, "omega") else model.floquet(period="2*pi/rate")
    options = ["--period-of", "omega"] if _has(model, "omega") else ["--period", "2*pi/rate"]
    assert but_rounding(floquet.table()) == but_rounding(told(program, "floquet", file, *options))
    values = np.linalg.eigvals(floquet.monodromy)
    for mu in floquet.multipliers:
        assert np.abs(values - mu).min() <= 1e-9
    assert floquet.largest == np.abs(floquet.multipliers).max()
    written = floquet.json()["modes"]
    for name in ("modulus", "pair", "trivial", "principal", "harmonic", "share", "damped_frequency_hz", "damping_ratio"):
        assert [mode[name] for mode in written] == getattr(floquet, name).tolist(), name
    assert [mode["error"] for mode in written] == floquet.multiplier_errors.tolist()
    assert np.allclose(np.exp(floquet.exponents * floquet.period), floquet.multipliers, atol=1e-9)
    with pytest.raises(ValueError, match="one of period"):
        model.floquet()


def _has(model: routh.Model, name: str) -> bool:
    try:
        model.evaluate(name)
    except routh.BadArgumentError:
        return False
    return True


def test_a_boundary_is_a_characteristic_value_of_mathieu(examples: pathlib.Path) -> None:
    """The edge b_1(q) of the first tongue, the least eigenvalue of a tridiagonal matrix (Abramowitz and Stegun 20.2):
    angle'' + (a - 2 q cos(2 tau)) angle = 0, a = 4 g/(l rate^2), q = 2 amplitude/l."""
    q, squares = 0.4, (2 * np.arange(30) + 1.0) ** 2
    squares[0] -= q
    a = np.linalg.eigvalsh(np.diag(squares) + q * (np.eye(30, k=1) + np.eye(30, k=-1)))[0]
    rate = np.sqrt(4 * 9.81 / 0.4 / a)
    model = routh.Model.read(examples / "mathieu-pendulum.yaml", amplitude=0.2 * q)
    boundary = {"rate": (0.97 * rate, 1.03 * rate)}
    found = model.floquet_boundary(boundary, period_of="rate", coordinates="relative")
    assert abs(4 * 9.81 / 0.4 / found.value**2 - a) <= 1e-8
    assert found.crossing == "minus-one" and abs(found.multiplier + 1) <= 1e-4  # a double one splits by a root
    assert 0 <= found.width <= 1e-10 and found.evaluations >= 3
    assert found.period == pytest.approx(2 * np.pi / found.value, rel=1e-14)
    assert found.stable == (False, None)  # nothing damps it, so outside the tongue multipliers stay on the circle
    with pytest.raises(ValueError, match="one of period and period_of"):
        model.floquet_boundary(boundary)
    with pytest.raises(routh.BadArgumentError, match="no crossing"):
        model.floquet_boundary({"rate": (0.97 * rate, 0.98 * rate)}, period_of="rate", coordinates="relative")


def test_multipliers_as_a_data_set(examples: pathlib.Path) -> None:
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    floquet = routh.Model.read(examples / "mathieu-pendulum.yaml").floquet(period_of="rate")
    data = floquet.to_xarray()
    assert isinstance(data, xarray.Dataset) and data.attrs["period"] == floquet.period
    assert complex(data.multiplier.sel(mode=1)) == floquet.multipliers[0]
    first, last = floquet.states[0], floquet.states[-1]
    assert float(data.monodromy.sel(state=first, by=last)) == floquet.monodromy[0, -1]


# ---- optimisation, formulas, report ----------------------------------------------------------

STUDY = """
variables:
  k: {between: [10e3, 40e3]}
  c: {between: [300, 3000]}
goals:
  ride: {peak: acceleration, input: road, as: velocity, over: [0.3, 6], minimise: yes}
  damped: {damping_ratio: all, at_least: 0.17}
"""


def test_an_optimum_is_one(examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = routh.Model.read(examples / "quarter-car-active.yaml")
    try:
        best = model.optimise(STUDY)
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    assert best.converged and best.end == "converged" and not best.interrupted
    assert best.after < best.before and best.violation <= 1e-6
    assert best.model.evaluate("k") == best.variables["k"].after
    assert best.goals["ride"].wish == "minimise" and best.goals["damped"].low == 0.17
    assert [goal["members"] for goal in best.json()["goals"]] == [goal.members for goal in best.goals.values()]
    sides = {"low": -1, None: 0, "high": 1}
    assert [sides[v["at_bound"]] for v in best.json()["variables"]] == [v.at_bound for v in best.variables.values()]
    peak = best.model.response("road", "acceleration", as_="velocity", over=(0.3, 6)).channels[0].largest
    assert best.goals["ride"].after == pytest.approx(peak, rel=1e-6)
    for factor in (0.97, 1.03):
        near = {v.name: min(max(v.after * factor, v.low), v.high) for v in best.variables.values()}
        other = model.with_settings(settings=dict(near))
        value = other.response("road", "acceleration", as_="velocity", over=(0.3, 6)).channels[0].largest
        damped = other.linearize().modes().damping_ratio.min()
        assert value >= peak * (1 - 1e-9) or damped < 0.17
    (tmp_path / "study.yaml").write_text(STUDY)
    if find_spec("xarray"):
        data = best.to_xarray()
        assert float(data.after.sel(variable="c")) == best.variables["c"].after
        assert float(data.goal_slack.sel(goal="damped")) == best.goals["damped"].slack
        assert dict(data.sizes) == {"variable": 2, "goal": 2} and data.attrs["after"] == best.after
    again = model.optimise(tmp_path / "study.yaml", evaluations=2)
    assert again.end == "limit of evaluations" and "ride" in again.table()


def test_formulas_are_the_numbers(examples: pathlib.Path) -> None:
    sympy = pytest.importorskip("sympy", reason="sympy is not installed")
    model = routh.Model.read(examples / "double-pendulum.yaml")
    try:
        formulas = model.symbolic(stability=True)
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    assert isinstance(formulas.M, sympy.MatrixBase)
    numbers = {formulas.symbols[name]: value for name, value in formulas.values.items()}
    M, C, K = formulas.evaluate()
    for exact, number in ((formulas.M, M), (formulas.C, C), (formulas.K, K)):
        assert np.abs(np.array(exact.subs(numbers), dtype=float) - number).max() <= 1e-12 * (1 + np.abs(number).max())
    s = sympy.Symbol("s")
    expected = (s**2 * formulas.M + s * formulas.C + formulas.K).det()
    assert sympy.simplify(expected - formulas.characteristic_polynomial.as_expr()) == 0
    assert formulas.conditions and all(float(c.subs(numbers)) > 0 for c in formulas.conditions)
    values = np.sort(model.linearize().modes().undamped_frequency_hz)
    roots = np.roots([float(c) for c in formulas.characteristic_polynomial.subs(numbers).as_poly(s).all_coeffs()])
    assert np.abs(np.sort(np.abs(roots)) / (2 * np.pi) - values).max() <= 1e-9 * values.max()
    lighter = formulas.evaluate(m1=1.0)[0]
    assert lighter[0, 0] != M[0, 0]
    if find_spec("xarray"):
        data = formulas.to_xarray()
        row, column = formulas.coordinates
        entry = sympy.sympify(str(data.M.sel(row=row, column=column).values), locals=formulas.symbols)
        assert sympy.simplify(entry - formulas.M[0, 1]) == 0 and formulas.M[0, 1] != 0
        assert float(data.value.sel(symbol="m1")) == formulas.values["m1"]
    assert "M[1,1]" in formulas.table() and "\\" in formulas.written("latex")
    assert "<svg" in formulas.chart({"m1": (0.5, 3), "L1": (0.5, 2)}, cells=6)


def test_sympy_is_named_where_it_is_missing(examples: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        formulas = routh.Model.read(examples / "double-pendulum.yaml").symbolic()
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(ImportError, match="formulas need the package sympy: pip install sympy"):
        formulas.symbols


NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def differences(mine: Any, theirs: Any, place: str = "") -> list[str]:
    """Where two values of JSON are not the same: numbers to 1e-9 of 1 or of themselves, texts but for their numbers. What
    took how long is left out, and in the section of checks all numbers, which are sizes of rounding."""
    if isinstance(mine, dict) and isinstance(theirs, dict) and list(mine) == list(theirs):
        return [d for key in mine if key != "seconds" for d in differences(mine[key], theirs[key], f"{place}/{key}")]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [d for k, pair in enumerate(zip(mine, theirs)) for d in differences(*pair, f"{place}/{k}")]
    if isinstance(mine, str) and isinstance(theirs, str):
        return [] if NUMBER.sub("#", mine) == NUMBER.sub("#", theirs) else [f"{place}: {mine} and {theirs}"]
    if {type(mine), type(theirs)} <= {int, float}:
        near = abs(mine - theirs) <= 1e-9 * max(1, abs(mine), abs(theirs))
        return [] if near or place.startswith("/check/") else [f"{place}: {mine} and {theirs}"]
    return [] if mine is theirs or mine == theirs else [f"{place}: {type(mine).__name__}, {type(theirs).__name__}"]


def test_a_report_moves_modes_with_joints_closed_and_has_checks(
    program: str, examples: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The page of a linkage whose modes open joints, all that it holds against the program's; the rest of it is the same."""
    file = examples / "spatial-four-bar.yaml"
    try:
        pages = [routh.Model.read(file).report(check=True)]
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    told(program, "report", file, "--check", "--output", tmp_path / "theirs.html", "-q")
    pages.append((tmp_path / "theirs.html").read_text())
    parts = [re.split(r'(?<=id="routh-data">)(.*?)(?=</script>)', page, maxsplit=1, flags=re.DOTALL) for page in pages]
    (before, mine, after), (before_theirs, theirs, after_theirs) = parts
    around = before == before_theirs and after == after_theirs
    assert around  # what differs would be megabytes
    held = json.loads(mine)
    assert differences(held, json.loads(theirs)) == []
    assert [path["mode"] for path in held["paths"]["list"]] and "check" in held


def test_a_prompt_does_not_show_the_whole_page(examples: pathlib.Path) -> None:
    try:
        page = routh.Model.read(examples / "jeffcott-rotor.yaml").report()
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    assert page.lower().startswith("<!doctype html>") and len(page) > 1e5
    assert re.fullmatch(r"<routh\.Page: \d\.\d MB>", repr(page))


def test_a_report_is_the_page_of_the_program(program: str, examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    file = examples / "jeffcott-rotor.yaml"
    model = routh.Model.read(file)
    try:
        page = model.report(tmp_path / "mine.html")
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    told(program, "report", file, "--output", tmp_path / "theirs.html", "-q")
    same = (tmp_path / "mine.html").read_text() == page == (tmp_path / "theirs.html").read_text()
    assert same  # what differs would be megabytes
    more = model.report(sensitivity=True, check=True, sweep={"over": {"spin": [5.0, 10.0, 15.0]}})
    assert len(more) > len(page)


def test_sections_on_a_period_and_on_another_model_are_those_of_the_program(
    program: str, examples: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    def held(page: str) -> Any:
        (text,) = re.findall(r'<script type="application/json" id="routh-data">(.*?)</script>', page, re.DOTALL)
        return json.loads(text)

    swinging = examples / "mathieu-pendulum.yaml"
    model = routh.Model.read(swinging)
    try:
        page = model.report(floquet={"period_of": "rate"}, beside=model.with_settings(rate=9.0))
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    told(program, "report", swinging, "--floquet", "--period-of", "rate", "--versus", "rate=9", "-o", tmp_path / "p.html", "-q")
    mine, theirs = held(page), held((tmp_path / "p.html").read_text())
    assert mine["floquet"] == theirs["floquet"]
    assert [pair["change"] for pair in mine["comparison"]["pairs"]] == [
        pair["change"] for pair in theirs["comparison"]["pairs"]
    ]


def test_two_models_compared(examples: pathlib.Path) -> None:
    model = routh.Model.read(examples / "jeffcott-rotor.yaml")
    comparison = model.compare(model.with_settings(k=900))
    assert "shaft" in comparison.table()


# ---- what is given wrongly -------------------------------------------------------------------


def test_values_of_a_sweep_are_there_and_finite(jeffcott: routh.Model) -> None:
    with pytest.raises(ValueError, match="there are no values of spin: a sweep needs at least one"):
        jeffcott.sweep({"spin": []})
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match=f"the value 1 of spin is {wrong}; a finite number is needed"):
            jeffcott.sweep({"spin": [0, wrong, 2]})


def test_comparisons_are_with_what_is_alike(jeffcott: routh.Model) -> None:
    other: Any = "other.yaml"
    with pytest.raises(TypeError, match=r"compared with a model, as routh.Model.read\(\) gives it, not with 'other.yaml'"):
        jeffcott.compare(other)
    with pytest.raises(TypeError, match="modes are compared with modes"):
        jeffcott.linearize().modes().compare(other)


def test_a_range_of_frequencies_has_two_ends(examples: pathlib.Path) -> None:
    car = routh.Model.read(examples / "quarter-car-active.yaml")
    for wrong in (1, "1:25", (1,), (1, 2, 3, 4)):
        over: Any = wrong
        with pytest.raises(TypeError, match=r"over is \(low, high\) or \(low, high, n\), in Hz, not "):
            car.response("road", "travel", over=over)
    over = np.array([0.1, 25])
    assert car.response("road", "travel", over=over).table() == car.response("road", "travel", over=(0.1, 25)).table()


@pytest.mark.parametrize("title", ["A bob", None])
def test_histories_have_the_title_of_a_built_model(title: Optional[str]) -> None:
    m = routh.Model(title)
    m.gravity = (0, 0, -9.81)
    bob = m.body("bob", mass=1, inertia=[1e-3] * 3, position=[0.1, 0, -1])
    m.revolute("hinge", bob, m.ground, at=[0, 0, 0], axis="y")
    history = m.simulate(0.1)
    assert history.title == (title or "")
    said = repr(history)
    assert "test_studies" not in said
    assert (f"{title}: {len(history.time)} records" if title else f"<routh.History: {len(history.time)} records") in said
