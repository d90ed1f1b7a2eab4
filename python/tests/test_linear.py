"""Linear models and their modes."""

import pathlib
import subprocess

import numpy as np
import pytest

import routh


def test_the_table_is_that_of_the_program(program: str, examples: pathlib.Path) -> None:
    file = examples / "rotor-stator.yaml"
    linear = routh.Model.read(file).linearize()
    for command, made in (("linearize", linear.table()), ("modes", linear.modes().table())):
        told = subprocess.run([program, command, str(file)], capture_output=True, text=True, check=True)
        assert made == told.stdout


def test_matrices_obey_what_defines_them(rotor: routh.Model) -> None:
    linear = rotor.linearize()
    n, p = linear.n_states, linear.n_position
    assert linear.A.shape == (n, n)
    assert linear.n_velocity == p and n == 2 * p
    # mass W' = -damping W - stiffness S
    left = linear.mass @ linear.A[p:]
    right = -np.hstack([linear.stiffness, linear.damping])
    assert np.abs(left - right).max() <= 1e-12 * np.abs(right).max()
    assert np.array_equal(linear.E[p:, p:], linear.M)
    assert linear.B.shape == (n, 0) and linear.C.shape == (0, n)
    assert len(linear.states) == n
    assert [s.unit for s in linear.states if s.name == "rotor.x'"] == ["m/s"]


def test_eigenvalues_are_those_of_numpy(chain: routh.Model) -> None:
    linear = chain.linearize()
    modes = linear.modes()
    expected = np.linalg.eigvals(linear.A)
    scale = np.abs(expected).max()
    for value in modes.eigenvalues:
        assert np.abs(expected - value).min() <= 1e-10 * scale
    right, left = modes.right_vectors, modes.left_vectors
    assert np.abs(linear.A @ right - right * modes.eigenvalues).max() <= 1e-10 * scale
    assert np.abs(left.conj().T @ right - np.eye(len(modes))).max() <= 1e-10
    assert np.array_equal(
        modes.undamped_frequency_hz, [mode.undamped_frequency_hz for mode in modes]
    )
    assert np.array_equal(modes.eigenvalues[modes.conjugate], modes.eigenvalues.conj())


def test_every_number_of_modes_is_an_attribute(rotor: routh.Model) -> None:
    modes = rotor.linearize().modes()
    written = modes.json()["modes"]
    names = [name for name, value in written[0].items() if not isinstance(value, dict)]
    assert len(names) >= 9 and "damping_ratio" in names
    for name in names:
        of_all = getattr(modes, "eigenvalues" if name == "eigenvalue" else name)
        for k, mode in enumerate(written):
            value = complex(*mode[name]) if name == "eigenvalue" else mode[name]
            for found in (getattr(modes[k], name), of_all[k]):
                assert found == value or (value is None and not np.isfinite(found)), name


def test_energies_sum_to_one(rotor: routh.Model) -> None:
    modes = rotor.linearize().modes()
    kinetic = modes.energies("kinetic")
    assert kinetic.shape == (len(modes), len(modes.share_names))
    moving = ~np.isclose(kinetic.sum(axis=1), 0)
    assert moving.sum() >= 12
    assert np.allclose(kinetic[moving].sum(axis=1), 1, atol=1e-12)
    with pytest.raises(ValueError, match="kinetic, strain, dissipation"):
        modes.energies("heat")


@pytest.mark.parametrize("coordinates", routh.COORDINATES)
def test_coordinates_agree(chain: routh.Model, coordinates: str) -> None:
    point = chain.equilibrium()
    reference = chain.linearize(point).A
    linear = chain.linearize(point, coordinates=coordinates)
    assert linear.coordinates == coordinates
    assert np.abs(linear.A - reference).max() <= 1e-9 * np.abs(reference).max()


def test_options_reach_the_library(chain: routh.Model) -> None:
    linear = chain.linearize(method="minimal:qr", shares=False, markers=False)
    assert linear.method == "minimal:qr"
    assert not linear.markers
    with pytest.raises(routh.Error, match="sideways"):
        chain.linearize(method="sideways")
    with pytest.raises(TypeError, match="sequence of names"):
        chain.linearize(states="x")
    names = [state.name for state in linear.states if not state.name.endswith("'")]
    again = chain.linearize(states=names[::-1])
    assert [s.name for s in again.states[: len(names)]] == names[::-1]


def test_wanted_modes_are_those_of_the_whole(chain: routh.Model) -> None:
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    point = chain.equilibrium()
    whole = chain.linearize(point).modes()
    descriptor = chain.descriptor(point)
    modes = descriptor.modes(4)
    assert modes.wanted is not None and modes.wanted.count == 4
    assert modes.wanted.regions[0].counted != "not counted"
    for value in modes.eigenvalues:
        assert np.abs(whole.eigenvalues - value).min() <= 1e-9 * abs(value)
    assert "eigenvalues" in modes.table()
    E, A = descriptor.E, descriptor.A
    assert sparse.issparse(E) and E.shape == A.shape
    order = 2 * descriptor.n_coordinates + descriptor.n_constraints
    assert E.shape == (order, order)
    value = modes.eigenvalues[0]
    pencil = (A - value * E).toarray()
    scale = np.linalg.norm(pencil, 2)
    assert np.linalg.svd(pencil, compute_uv=False)[-1] <= 1e-9 * scale


def test_a_linearizer_gives_the_same_numbers(chain: routh.Model) -> None:
    point = chain.equilibrium()
    given = chain.operating_point("given")
    linearizer = chain.linearizer(point)
    matrix = linearizer.A
    reference = chain.linearize(point).A
    assert np.abs(matrix - reference).max() <= 1e-9 * np.abs(reference).max()
    before = matrix.copy()
    linearizer.run(given)
    linearizer.run(point)
    assert linearizer.A is matrix  # the same memory, filled again
    assert np.array_equal(matrix, before)


@pytest.mark.parametrize("name", ["l.json", "l.mat", "l.h5", "l.npz", "l.csv", "l/"])
def test_files_keep_every_bit(rotor: routh.Model, tmp_path: pathlib.Path, name: str) -> None:
    linear = rotor.linearize()
    path = str(tmp_path) + "/" + name
    linear.save(path)
    again = routh.load(path)
    assert np.array_equal(again.A, linear.A)
    assert again.states == linear.states
    assert again.point is None
    assert np.array_equal(again.modes().eigenvalues, linear.modes().eigenvalues)
    with pytest.raises(routh.BadArgumentError):
        linear.save(path, "parquet")
