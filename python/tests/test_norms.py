"""H2 and H-infinity norms: closed forms, integrals and maxima over frequencies computed otherwise, and derivatives against
differences of models with other values."""

import warnings

import numpy as np
import pytest

import routh

pytest.importorskip("scipy")
import scipy.linalg  # noqa: E402
from scipy import optimize  # noqa: E402

OSCILLATOR = """
parameters: {m: 2, c: 0.3, k: 50}
gravity: [0, 0, 0]
bodies: {b: {mass: m, inertia: [1, 1, 1]}}
joints: {rail: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}
inputs: {f: 0}
loads:
  s: {type: force, on: b, components: ["f - k*DX(b) - c*VX(b)", 0, 0]}
outputs: {x: DX(b), v: VX(b), a: "ACCX(b)", both: "f + DX(b)"}
"""

# a carriage that is free to roll, with two masses on springs on it; the carriage's place is driven, and seen by `place` alone
CART = """
parameters: {M: 5, m1: 1.5, m2: 0.7, k1: 40, k2: 90, c1: 0.6, c2: 0.2, l: 0.4}
gravity: [0, 0, -9.81]
bodies:
  cart: {mass: M, inertia: [1, 1, 1]}
  one: {mass: m1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -l]}
  two: {mass: m2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
joints:
  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}
  hinge: {type: revolute, between: [one, cart], at: [0, 0, 0], axis: y}
  slide: {type: translational, between: [two, cart], at: [0, 0, 0.5], axis: x}
inputs: {f: 0, g: 0}
loads:
  push: {type: force, on: cart, components: [f, 0, 0]}
  pull: {type: force, on: two, components: [g, 0, 0]}
  s1: {type: torsion_spring, between: [one, cart], axis: y, stiffness: k1, damping: c1}
  s2: {type: bushing, between: [two, cart], at: [0, 0, 0.5], translation: {stiffness: [k2, 0, 0], damping: [c2, 0, 0]}}
outputs: {angle: "AY(one, cart)", gap: "DX(two, cart)", place: DX(cart)}
"""

# two sliders on a lever's spring: the motion that it does not feel, x = (p, 1), changes with p, is driven and not seen
LEVER = """
parameters: {p: 0.6, k: 30, c: 0.8, m: 1.3}
gravity: [0, 0, 0]
bodies: {a: {mass: m, inertia: [1, 1, 1]}, b: {mass: 2, inertia: [1, 1, 1]}}
joints:
  ra: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}
  rb: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}
inputs: {f: 0}
variables: {s: {expression: "k*(DX(a) - p*DX(b)) + c*(VX(a) - p*VX(b))"}}
loads:
  fa: {type: force, on: a, components: [f - s, 0, 0]}
  fb: {type: force, on: b, components: [0.3*f + p*s, 0, 0]}
outputs: {y: DX(a) - p*DX(b)}
"""

# the same pushed so that this motion is not driven, but seen
PUSHED = LEVER.replace("0.3*f + p*s", "p*s - p*f").replace("y: DX(a) - p*DX(b)", "y: DX(a)")

# a base that is moved by an input: derivatives of it act
BASE = """
parameters: {m: 3, k: 200, c: 4}
gravity: [0, 0, 0]
bodies: {b: {mass: m, inertia: [1, 1, 1]}, table: {mass: 1, inertia: [1, 1, 1]}}
inputs: {road: 0}
joints:
  rail: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}
  table: {type: translational, between: [table, ground], at: [0, 0, 0], axis: x}
  drive: {type: motion, joint: table, function: road}
loads: {s: {type: bushing, between: [b, table], at: [0, 0, 0], translation: {stiffness: [k, 0, 0], damping: [c, 0, 0]}}}
outputs: {x: DX(b), v: VX(b), stretch: "DX(b, table)", a: ACCX(b)}
"""


def parse(text, **settings):
    return routh.Model.parse(text).with_settings(settings=settings)


def gains(linear, i, o, w):
    """G(iw) as it is defined, derivatives of inputs and all; w: shape (n,)."""
    s = 1j * np.asarray(w)[:, None, None]
    drive = (linear.B + s * linear.B1 + s * s * linear.B2)[:, :, i]
    direct = (linear.D + s * linear.D1 + s * s * linear.D2)[:, o][:, :, i]
    return linear.C[o] @ np.linalg.solve(s * np.eye(linear.n_states) - linear.A, drive) + direct


def h2_by_residues(linear, i, o):
    """Of G = sum R_k/(s - l_k): sum tr(R_j^H R_k)/-(conj l_j + l_k); poles that do not decay have none. By left eigenvectors:
    the inverse of all right ones carries the rounding of a double zero into every residue."""
    values, W, V = scipy.linalg.eig(linear.A, left=True)
    step = linear.B1 + linear.A @ linear.B2
    left, right = linear.C[o] @ V, W.conj().T @ (linear.B + linear.A @ step)[:, i] / (W.conj() * V).sum(axis=0)[:, None]
    kept = [k for k in range(len(values)) if values[k].real < -1e-7]
    R = {k: np.outer(left[:, k], right[k]) for k in kept}
    return np.sqrt(sum(np.vdot(R[j], R[k]) / -(values[j].conj() + values[k]) for j in kept for k in kept).real)


def hinf_by_search(linear, i, o):
    def largest(w):
        return np.linalg.norm(gains(linear, i, o, w), 2, axis=(1, 2))

    poles = np.linalg.eigvals(linear.A)
    near = [abs(x.imag) + abs(x.real) * np.linspace(-2, 2, 201) for x in poles if x.real < -1e-7]
    grid = np.abs(np.concatenate([np.logspace(-3, 4, 4001), *near])) + 1e-9
    best = grid[largest(grid).argmax()]
    found = optimize.minimize_scalar(lambda w: -largest([w])[0], bounds=(best * 0.99, best * 1.01), method="bounded",
                                     options={"xatol": 1e-12 * best})
    return max(-found.fun, largest([best])[0])


def test_an_oscillator():
    m, c, k = 2, 0.3, 50
    linear = parse(OSCILLATOR).linearize()
    norms = linear.norms("f", "x")
    zeta, w0 = c / (2 * np.sqrt(k * m)), np.sqrt(k / m)
    assert norms.h2 == pytest.approx(np.sqrt(1 / (2 * c * k)), rel=1e-12)
    assert norms.hinf == pytest.approx(1 / (2 * zeta * np.sqrt(1 - zeta**2) * k), rel=1e-12)
    assert norms.frequency == pytest.approx(w0 * np.sqrt(1 - 2 * zeta**2) / (2 * np.pi), rel=1e-6)
    assert norms.hinf <= norms.hinf_bound <= norms.hinf * (1 + 1e-6)
    assert linear.norms("f", "v").hinf == pytest.approx(1 / c, rel=1e-12)
    by = norms.sensitivity()
    assert by.parameters == ("m", "c", "k")
    assert by.h2 == pytest.approx([0, -norms.h2 / (2 * c), -norms.h2 / (2 * k)], rel=1e-11, abs=1e-15)
    # |G| at its peak is 1 / (c sqrt(k/m - c^2 / (4 m^2)))
    root = k / m - c**2 / (4 * m**2)
    wanted = [norms.hinf * (k / m**2 - c**2 / (2 * m**3)) / (2 * root), -norms.hinf * (1 / c - c / (4 * m**2 * root)),
              -norms.hinf / (2 * m * root)]
    assert by.hinf == pytest.approx(wanted, rel=1e-9)
    assert by.columns()["parameter"] == ["m", "c", "k"]
    assert "H-infinity" in repr(norms)


def test_what_is_infinite():
    linear = parse(OSCILLATOR).linearize()
    with pytest.warns(routh.ModesWarning, match="acts on the output both directly"):
        norms = linear.norms("f", "both")
    assert np.isinf(norms.h2)
    assert norms.hinf == pytest.approx(hinf_by_search(linear, [0], [3]), rel=1e-9)
    with pytest.warns(routh.ModesWarning, match="does not decay"):
        norms = parse(OSCILLATOR, c=0).linearize().norms("f", "x")
    assert np.isinf([norms.h2, norms.hinf]).all()
    assert np.isnan(norms.sensitivity("k").hinf).all()
    with pytest.warns(routh.ModesWarning, match="does not decay"):
        assert np.isinf(parse(OSCILLATOR, c=-0.1).linearize().norms("f", "x").hinf)
    base = parse(BASE).linearize()
    with pytest.warns(routh.ModesWarning, match="output a feels a time derivative of the input road|directly"):
        assert np.isinf(base.norms("road", "a").hinf)
    with pytest.raises(routh.UnknownNameError):
        linear.norms("g")
    with pytest.raises(routh.BadArgumentError, match="no outputs"):
        linear.norms("f", [])


def test_nothing_moves_and_nothing_is_seen():
    fixed = """
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {f: {type: fixed, between: [a, ground], at: [0, 0, 0]}}
parameters: {p: 3}
inputs: {u: 0}
outputs: {y: p*u, z: 0*u}
"""
    with pytest.warns(routh.ModesWarning, match="directly"):
        norms = parse(fixed).linearize().norms("u", "y")
    assert (norms.h2, norms.hinf, norms.frequency) == (np.inf, 3, np.inf)
    assert norms.sensitivity().hinf == pytest.approx([1])
    norms = parse(fixed).linearize().norms("u", "z")
    assert (norms.h2, norms.hinf) == (0, 0)
    assert np.isnan(norms.sensitivity().h2).all()


def test_two_peaks_of_one_height_have_no_derivative():
    """Of two equal oscillators one has parameters."""
    text = """
gravity: [0, 0, 0]
parameters: {k: 50}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  ra: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}
  rb: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}
inputs: {f: 0, g: 0}
loads:
  fa: {type: force, on: a, components: ["f - k*DX(a) - 0.3*VX(a)", 0, 0]}
  fb: {type: force, on: b, components: ["g - 50*DX(b) - 0.3*VX(b)", 0, 0]}
outputs: {x: DX(a), y: DX(b)}
"""
    by = parse(text).linearize().norms().sensitivity()
    assert np.isnan(by.hinf).all()
    assert by.h2 == pytest.approx([-by.norms.h2 / 4 / 50], rel=1e-10)  # h2^2 = 1/(2 c k) + 1/(2 c 50)


def test_a_peak_at_infinity_and_at_rest():
    """a = (f - k x - c v)/m: 1/m at infinity is the largest where damping is strong; at rest 1/k."""
    linear = parse(OSCILLATOR, c=40).linearize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", routh.ModesWarning)
        high = linear.norms("f", "a")
    assert (high.hinf, high.frequency) == (pytest.approx(0.5, rel=1e-12), np.inf)
    assert high.sensitivity("m,c").hinf == pytest.approx([-0.25, 0], abs=1e-14)
    low = linear.norms("f", "x")
    assert (low.hinf, low.frequency) == (pytest.approx(1 / 50, rel=1e-12), 0)
    assert low.sensitivity("m,c,k").hinf == pytest.approx([0, 0, -1 / 2500], abs=1e-15)


@pytest.mark.parametrize("outputs", [["angle"], ["gap"], ["angle", "gap"]])
def test_a_motion_that_is_not_seen_is_left_out(outputs):
    linear = parse(CART).linearize()
    o = [linear.output_names.index(name) for name in outputs]
    norms = linear.norms(["f", "g"], outputs)
    assert norms.h2 == pytest.approx(h2_by_residues(linear, [0, 1], o), rel=1e-10)
    assert norms.hinf == pytest.approx(hinf_by_search(linear, [0, 1], o), rel=1e-9)
    with pytest.warns(routh.ModesWarning, match="does not decay"):
        assert np.isinf(linear.norms("f", "place").hinf)


@pytest.mark.parametrize(("text", "inputs", "outputs"), [
    (CART, "f,g", "angle,gap"), (CART, "g", "gap"), (BASE, "road", "stretch"), (BASE, "road", "x"), (OSCILLATOR, "f", "x,v"),
    (LEVER, "f", "y"), (PUSHED, "f", "y")], ids=["two by two", "rolling", "stretch", "table", "two outputs", "lever", "pushed"])
def test_derivatives_are_those_of_other_values(text, inputs, outputs):
    model = routh.Model.parse(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", routh.ModesWarning)
        by = model.linearize().norms(inputs, outputs).sensitivity()
        assert len(by.parameters) >= 3
        for k, name in enumerate(by.parameters):
            def at(x, name=name):
                found = model.with_settings(settings={name: x}).linearize().norms(inputs, outputs)
                return np.array([found.h2, found.hinf])

            h = 1e-3 * by.values[k]
            with np.errstate(invalid="ignore"):  # infinite ones
                one, two = ((at(by.values[k] + s) - at(by.values[k] - s)) / (2 * s) for s in (h, h / 2))
            wanted, size = (4 * two - one) / 3, np.abs(at(by.values[k])) / by.values[k]
            for found, right, scale in zip((by.h2[k], by.hinf[k]), wanted, size):
                if np.isfinite(right):
                    assert abs(found - right) < 1e-7 * scale, name
                else:
                    assert np.isnan(found)


def test_random_systems():
    """Masses on springs in a row, damped a little or a lot."""
    random = np.random.default_rng(5)
    for _ in range(8):
        n = int(random.integers(1, 7))
        bodies = "".join(f"  b{j}: {{mass: {random.uniform(0.1, 3)!r}, inertia: [1, 1, 1]}}\n" for j in range(n))
        joints = "".join(f"  j{j}: {{type: translational, between: [b{j}, ground], at: [0, 0, 0], axis: x}}\n" for j in range(n))
        loads = "".join(
            f"  s{j}: {{type: bushing, between: [b{j}, {f'b{j - 1}' if j else 'ground'}], at: [0, 0, 0], translation: "
            f"{{stiffness: [{10 ** random.uniform(0, 4)!r}, 0, 0], damping: [{10 ** random.uniform(-2, 1)!r}, 0, 0]}}}}\n"
            for j in range(n)
        )
        text = (f"gravity: [0, 0, 0]\nbodies:\n{bodies}joints:\n{joints}inputs: {{u: 0, w: 0}}\nloads:\n{loads}"
                f"  f: {{type: force, on: b{n - 1}, components: [u, 0, 0]}}\n  g: {{type: force, on: b0, components: [w, 0, 0]}}\n"
                f"outputs: {{x: DX(b{n - 1}), v: VX(b{n // 2})}}\n")
        linear = parse(text).linearize()
        norms = linear.norms()
        assert norms.h2 == pytest.approx(h2_by_residues(linear, [0, 1], [0, 1]), rel=1e-10)
        assert norms.hinf == pytest.approx(hinf_by_search(linear, [0, 1], [0, 1]), rel=1e-8)


def test_stiff_beside_slow_is_right_or_refused():
    """Stiffness over ten decades, damping over seven, masses over five, in three systems of units; some free to roll."""
    random, right = np.random.default_rng(11), 0
    for t in range(45):
        n, units = int(random.integers(2, 7)), (("m", "kg", "s"), ("mm", "t", "s"), ("mm", "t", "ms"))[t % 3]
        free = random.random() < 0.3
        bodies, joints, loads = "", "", ""
        for j in range(n):
            k, c = (0.0, 0.0) if free and j == 0 else (10 ** random.uniform(-1, 9), 10 ** random.uniform(-3, 4))
            bodies += f"  b{j}: {{mass: {10 ** random.uniform(-2, 3)!r} kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\n"
            joints += f"  j{j}: {{type: translational, between: [b{j}, ground], at: [0, 0, 0], axis: x}}\n"
            loads += (f"  s{j}: {{type: bushing, between: [b{j}, {f'b{j - 1}' if j else 'ground'}], at: [0, 0, 0], translation: "
                      f"{{stiffness: [{k!r} N/m, 0, 0], damping: [{c!r} N s/m, 0, 0]}}}}\n")
        text = (f"units: [{', '.join(units)}]\ngravity: [0, 0, 0]\nbodies:\n{bodies}joints:\n{joints}"
                "inputs: {u: {value: 0, unit: N}, w: {value: 0, unit: N}}\n"
                f"loads:\n{loads}  f: {{type: force, on: b{n - 1}, components: [u, 0, 0]}}\n"
                f"  g: {{type: force, on: b0, components: [w, 0, 0]}}\n"
                f"outputs: {{x: {{expression: 'DX(b{n - 1}, b0)', unit: {units[0]}}}}}\n")
        linear = parse(text).linearize()
        try:
            norms = linear.norms()
        except routh.NumericError:
            continue
        right += 1
        assert norms.h2 == pytest.approx(h2_by_residues(linear, [0, 1], [0]), rel=1e-6), t
        assert norms.hinf == pytest.approx(hinf_by_search(linear, [0, 1], [0]), rel=1e-6), t
    assert right >= 20
