"""Linear models as those of other packages."""

import pathlib
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

import routh
from routh.convert import StateSpace, state_space


def signals(s: StateSpace, H_of: routh.Linear, w: float) -> tuple[np.ndarray, np.ndarray]:
    """H of a state space, derivatives as powers of s, and the same from the definition."""
    at = 2j * np.pi * w
    linear = H_of
    solved = np.linalg.solve(at * np.eye(len(s.A)) - s.A, s.B)
    H = s.C @ solved + s.D
    by_name: dict[str, np.ndarray] = {}
    for k, name in enumerate(s.inputs):
        base = name.rstrip("'")
        power = at ** (len(name) - len(base))
        by_name[base] = by_name.get(base, 0) + power * H[:, k]
    direct = linear.C @ np.linalg.solve(
        at * np.eye(linear.n_states) - linear.A, linear.B + at * linear.B1 + at**2 * linear.B2
    )
    direct = direct + linear.D + at * linear.D1 + at**2 * linear.D2
    return np.column_stack([by_name[name] for name in linear.input_names]), direct


@pytest.mark.parametrize("name", ["quarter-car-active", "gantry-crane"])
def test_inputs_of_their_own_for_derivatives(examples: pathlib.Path, name: str) -> None:
    linear = routh.Model.read(examples / f"{name}.yaml").linearize()
    s = linear.state_space()
    assert any(n.endswith("'") for n in s.inputs), "no derivative acts, so nothing is shown"
    for w in (0.3, 4.0):
        found, expected = signals(s, linear, w)
        assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()


def test_changed_states_keep_what_goes_in_and_out(examples: pathlib.Path) -> None:
    linear = routh.Model.read(examples / "quarter-car-active.yaml").linearize()
    response = linear.response(over=(0.1, 20, 5))
    with pytest.raises(ValueError, match="output grip feels a time derivative of the input road"):
        linear.state_space(derivatives="states")
    s = linear.state_space(derivatives="states", outputs=["travel", "body.z"])
    assert s.inputs == ("road", "load")
    assert s.outputs == ("travel", "body.z")
    assert "wheel.z'~" in s.states
    for k, hz in enumerate(response.hz):
        H = s.C @ np.linalg.solve(2j * np.pi * hz * np.eye(len(s.A)) - s.A, s.B) + s.D
        expected = response.H[k, response.outputs.index("travel")]
        assert np.abs(H[0] - expected).max() <= 1e-9 * np.abs(expected).max()


class Numbers:
    """What `state_space` asks of a linear model, of whole numbers, so that D1 = -C B2 holds to the last bit."""

    def __init__(self, n: int, n_in: int, n_out: int) -> None:
        random = np.random.default_rng(20)

        def some(*shape: int) -> np.ndarray:
            return random.integers(-4, 5, shape).astype(float)

        self.A, self.B, self.B1, self.B2 = some(n, n), some(n, n_in), some(n, n_in), some(n, n_in)
        self.C, self.D, self.D2 = some(n_out, n), some(n_out, n_in), np.zeros((n_out, n_in))
        self.D1 = -self.C @ self.B2
        self.n_states, self.n_outputs = n, n_out
        self.state_names, self.input_names, self.output_names = (
            tuple(f"{mark}{k}" for k in range(size)) for mark, size in (("x", n), ("u", n_in), ("y", n_out))
        )
        self.states, self.inputs, self.outputs = (
            [SimpleNamespace(unit="")] * size for size in (n, n_in, n_out)
        )


def test_changed_states_take_second_derivatives_too(examples: pathlib.Path) -> None:
    """z = y - B2 u' - (B1 + A B2) u, of numbers at random and of a steering angle, whose acceleration turns wheels."""
    lorry = routh.Model.read(examples / "tractor-semitrailer.yaml").linearize()
    positions = lorry.state_names[: lorry.n_position]
    for linear, outputs in ((Numbers(6, 2, 3), None), (lorry, positions)):
        assert linear.B1.any() and linear.B2.any(), "no second derivative acts, so nothing is shown"
        s = linear.state_space(derivatives="states", outputs=outputs) if outputs else state_space(
            linear, derivatives="states"
        )
        assert s.inputs == linear.input_names and s.B.shape == linear.B.shape
        n = linear.n_states
        C, D, D1 = (linear.C, linear.D, linear.D1) if not outputs else (np.eye(n)[: len(outputs)], 0.0, 0.0)
        for at in (0.7j, -1.5 + 4j, 30j):
            inside = np.linalg.solve(at * np.eye(n) - linear.A, linear.B + at * linear.B1 + at**2 * linear.B2)
            expected = C @ inside + D + at * D1
            found = s.C @ np.linalg.solve(at * np.eye(n) - s.A, s.B) + s.D
            assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
    with pytest.raises(ValueError, match="the output tractor.x' feels a time derivative of the input steer"):
        lorry.state_space(derivatives="states", outputs=["tractor.z", "tractor.x'"])


def test_names_that_are_not_there(examples: pathlib.Path) -> None:
    linear = routh.Model.read(examples / "quarter-car-active.yaml").linearize()
    with pytest.raises(KeyError, match=r"no input 'wind' \(there are: road, load\)"):
        linear.state_space(inputs="wind")
    with pytest.raises(ValueError, match="derivatives is one of inputs, states, not .none."):
        linear.state_space(derivatives="none")
    s = linear.state_space(inputs="load", outputs="wheel.z'")
    assert (s.inputs, s.outputs, s.output_units) == (("load",), ("wheel.z'",), ("m/s",))
    assert s.C.tolist() == [[0, 0, 0, 1, 0, 0]]


def test_scipy_has_the_same_bits(examples: pathlib.Path) -> None:
    pytest.importorskip("scipy.signal", reason="scipy is not installed")
    linear = routh.Model.read(examples / "gantry-crane.yaml").linearize()
    system = linear.to_scipy()
    s = linear.state_space()
    for name in "ABCD":
        assert np.array_equal(getattr(system, name), getattr(s, name))


def test_pandas_and_xarray_have_names(examples: pathlib.Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("xarray", reason="xarray is not installed")
    linear = routh.Model.read(examples / "gantry-crane.yaml").linearize()
    frame = linear.to_pandas("B")
    assert frame.loc["trolley.x'", "wind"] == linear.B[
        linear.state_names.index("trolley.x'"), linear.input_names.index("wind")
    ]
    data = linear.to_xarray()
    for name in ("A", "B2", "C", "D", "mass", "damping", "stiffness", "coupling", "force2"):
        assert np.array_equal(data[name].values, getattr(linear, name)), name
    assert data.A.sel(state="sway'", by="sway") == linear.to_pandas("A").loc["sway'", "sway"]
    assert str(data.unit.sel(state="sway").values) == "rad"
    with pytest.raises(ValueError, match="matrix is one of A, B"):
        linear.to_pandas("Z")


# ---- poles against Octave ------------------------------------------------------------------

OCTAVE = """
files = argv();
for k = 1:2:numel(files)
  m = load(files{k});
  e = eig(m.A);
  f = fopen(files{k+1}, 'w');
  fwrite(f, [real(e(:)) imag(e(:))]', 'double');
  a = m.A';
  fwrite(f, a(:), 'double');
  fclose(f);
end
"""


@pytest.fixture(scope="module")
def linears(examples: pathlib.Path) -> dict[str, routh.Linear]:
    made = {}
    for path in sorted(examples.glob("*.yaml")):
        made[path.stem] = routh.Model.read(path).linearize(shares=False, markers=False)
    assert len(made) >= 40
    return made


def match(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The places of `expected` that belong to `found`, the sum of distances least."""
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(np.abs(found[:, None] - expected[None, :]))[1]


def compare(name: str, modes: routh.Modes, ours: np.ndarray, theirs: np.ndarray) -> int:
    """Asserts that they agree; how many stand alone."""
    alone = modes.multiplicity == 1
    size, bound = np.abs(modes.eigenvalues), modes.error_bound
    for k in np.flatnonzero(alone):
        limit = max(1e-12 * size[k], 2 * bound[k])
        assert abs(ours[k] - theirs[k]) <= limit, (name, modes.eigenvalues[k])
    rest = np.flatnonzero(~alone)
    while len(rest):
        k = rest[0]
        together = rest[np.argsort(np.abs(modes.eigenvalues[rest] - modes.eigenvalues[k]))]
        together = together[: modes.multiplicity[k]]
        limit = max(1e-12 * size[k], 2 * float(bound[together].max()), 1e-14 * float(size.max()))
        assert abs(ours[together].mean() - theirs[together].mean()) <= limit, (name, modes.eigenvalues[k])
        rest = np.setdiff1d(rest, together)
    return int(alone.sum())


def test_poles_are_those_of_octave(linears: dict[str, routh.Linear], tmp_path: pathlib.Path) -> None:
    """Both packages find the eigenvalues of A, which reaches both to the last bit. An eigenvalue that stands alone
    agrees to 1e-12 of its modulus; or, where rounding of A can move it further, within twice the library's bound,
    eps |A| times its condition. Of several that are equal within these bounds (zeros of rigid motion, defective ones) each by itself
    has no such bound, and the mean is compared."""
    control = pytest.importorskip("control", reason="the package control is not installed")
    pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    if not shutil.which("octave"):
        pytest.skip("octave is not installed")
    script = tmp_path / "poles.m"
    script.write_text(OCTAVE)
    arguments = []
    for name, linear in linears.items():
        linear.save(tmp_path / f"{name}.mat")
        arguments += [str(tmp_path / f"{name}.mat"), str(tmp_path / f"{name}.bin")]
    subprocess.run(["octave", "--no-gui", "--quiet", "--norc", str(script), *arguments], check=True)
    alone = 0
    for name, linear in linears.items():
        n = linear.n_states
        raw = np.fromfile(tmp_path / f"{name}.bin")
        octave = raw[: 2 * n].view(np.complex128)
        system = linear.to_control()
        assert isinstance(system, control.StateSpace)
        assert raw[2 * n :].tobytes() == np.ascontiguousarray(system.A).tobytes(), name
        modes = linear.modes()
        poles = system.poles()
        ours, theirs = poles[match(modes.eigenvalues, poles)], octave[match(modes.eigenvalues, octave)]
        alone += compare(name, modes, ours, theirs)
    assert alone >= 200
