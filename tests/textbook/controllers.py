"""Controllers from their definitions: rates of states and outputs, in a loop with a body that they push."""
import numpy as np

from jets import where
from loads import Vector
from registry import element


class Loop:
    """A body, an input u, a measured signal e, and a force along x of the world by the controller's output."""

    def __init__(self, case):
        self.case = case
        case.body("a")
        case.input("u", case.uniform(-1, 1))
        case.departed = True
        case.scene.rates = {}
        self.gain = case.vector(4, 1)[0]

    def signal(self):
        a, b, c, d = self.case.vector(1, 4)
        text = f"{a!r}*DX(a) + {b!r}*VY(a) + {c!r}*u + {d!r}*DZ(a)^2"

        def value(f):
            g = f["a"]
            return a * g.position[0] + b * g.velocity[1] + c * f.inputs["u"].c[0] + d * g.position[2] ** 2

        return text, value

    def state(self, name, rate, value=None):
        scene = self.case.scene
        scene.control[name] = self.case.along_one() if value is None else value
        scene.rates[name] = lambda s: rate(s.frames)

    def close(self, name, fields, output, text=None):
        """The output pushes the body and is measured."""
        case, g = self.case, self.gain
        case.model["controllers"][name] = fields
        text = text or name
        case.load({"type": "force", "on": "a", "components": [f"{g!r}*({text})", 0, 0]},
                  Vector("push", "a", None, "ground", (lambda f, s: g * output(f), lambda f, s: 0 * output(f),
                                                       lambda f, s: 0 * output(f)), False))
        case.output("y", text, lambda s: output(s.frames))


@element("controller", "differential")
def differential(case):
    loop = Loop(case)
    text, e = loop.signal()
    a, b = case.vector(1, 2)
    loop.state("c", lambda f: e(f) + a * f.z["c"] + b * np.sin(f.z["c"]) ** 2)
    loop.close("c", {"type": "differential", "rate": f"{text} + {a!r}*c + {b!r}*sin(c)^2"}, lambda f: f.z["c"])


@element("controller", "implicit")
def implicit(case):
    loop = Loop(case)
    text, e = loop.signal()
    t, a, b = case.uniform(0.2, 2), case.uniform(0, 1), case.vector(1, 1)[0]

    def rate(f):
        """t r + a r^3 + b c^2 - e = 0 has one root, as it grows"""
        right = e(f) - b * f.z["c"] ** 2
        r = np.zeros_like(right)
        for _ in range(80):
            r = r - (t * r + a * r ** 3 - right) / (t + 3 * a * r * r)
        return r

    loop.state("c", rate)
    loop.close("c", {"type": "implicit", "equation": f"{t!r}*RATE(c) + {a!r}*RATE(c)^3 + {b!r}*c^2 - ({text})"},
               lambda f: f.z["c"])
    case.output("r", "RATE(c)", lambda s: rate(s.frames))


element("measure", "RATE")(implicit)


@element("controller", "state_space")
def state_space(case):
    loop = Loop(case)
    n, m, p = case.choose(1, 2, 3), case.choose(1, 2), case.choose(1, 2)
    signals = [loop.signal() for _ in range(m)]
    A, B, C, D = (case.rng.normal(size=s) for s in ((n, n), (n, m), (p, n), (p, m)))
    x = lambda f: np.stack([f.z[f"c.x{k + 1}"] for k in range(n)])
    u = lambda f: np.stack([s[1](f) for s in signals])
    for k in range(n):
        loop.state(f"c.x{k + 1}", lambda f, k=k: A[k] @ x(f) + B[k] @ u(f))
    fields = {"type": "state_space", "inputs": [s[0] for s in signals], "A": A.tolist(), "B": B.tolist(),
              "C": C.tolist(), "D": D.tolist()}
    loop.close("c", fields, lambda f: C[p - 1] @ x(f) + D[p - 1] @ u(f), f"c.y{p}")


@element("controller", "transfer_function")
def transfer_function(case):
    loop = Loop(case)
    text, e = loop.signal()
    n = case.choose(1, 2, 3)
    den = case.vector(1, n + 1)
    den[0] += 2 * np.sign(den[0])
    num = case.vector(1, case.choose(*range(1, n + 2)))
    w = lambda f: [f.z[f"c.x{k + 1}"] for k in range(n)]

    def highest(f):
        """of w^(n) in den(s) w = e"""
        return (e(f) - sum(den[n - k] * w(f)[k] for k in range(n))) / den[0]

    def output(f):
        all_of_them = [*w(f), highest(f)]
        return sum(num[len(num) - 1 - k] * all_of_them[k] for k in range(len(num)))

    for k in range(n):
        loop.state(f"c.x{k + 1}", lambda f, k=k: highest(f) if k == n - 1 else w(f)[k + 1])
    loop.close("c", {"type": "transfer_function", "input": text, "numerator": num.tolist(), "denominator": den.tolist()},
               output)


@element("controller", "general")
def general(case):
    loop = Loop(case)
    text, e = loop.signal()
    a, b = case.vector(1, 2)
    loop.state("c.p", lambda f: f.z["c.q"] * f.z["c.p"] + e(f))
    loop.state("c.q", lambda f: -np.sin(f.z["c.p"]) + a * (b * f.z["c.p"] * f.z["c.q"] + e(f)))
    fields = {"type": "general", "states": {"p": f"c.q*c.p + {text}", "q": {"rate": f"-sin(c.p) + {a!r}*c.y"}},
              "outputs": {"y": f"{b!r}*c.p*c.q + {text}"}}
    loop.close("c", fields, lambda f: b * f.z["c.p"] * f.z["c.q"] + e(f), "c.y")


@element("controller", "pid")
def pid(case):
    loop = Loop(case)
    text, e = loop.signal()
    P, integral, D = case.vector(3)
    T = case.size(0.05, 2)
    fields, which = {"type": "pid", "input": text, "proportional": P}, case.choose("i", "d", "id")
    if "i" in which:
        fields["integral"] = integral
        loop.state("c.integral", e)
    if "d" in which:
        fields.update({"derivative": D, "filter": T})
        loop.state("c.derivative", lambda f: (e(f) - f.z["c.derivative"]) / T)

    def output(f):
        y = P * e(f)
        if "i" in which:
            y = y + integral * f.z["c.integral"]
        return y + D * (e(f) - f.z["c.derivative"]) / T if "d" in which else y

    loop.close("c", fields, output)


@element("controller", "gain")
def gain(case):
    loop = Loop(case)
    text, e = loop.signal()
    g, dead = case.vector(3, 1)[0], case.choose(0.0, case.size(0.1, 2))
    lower, upper = -case.size(0.1, 5), case.size(0.1, 5)
    lower, upper = case.choose((lower, upper), (None, upper), (lower, None), (None, None))
    fields = {"type": "gain", "input": text, "gain": g, "dead_zone": dead}
    fields.update({n: v for n, v in (("lower", lower), ("upper", upper)) if v is not None})

    def output(f):
        x = e(f)
        y = g * where(x.real > dead, x - dead, where(x.real < -dead, x + dead, 0 * x))
        if lower is not None:
            y = where(y.real < lower, lower + 0 * y, y)
        if upper is not None:
            y = where(y.real > upper, upper + 0 * y, y)
        return y

    loop.close("c", fields, output)
    x = e(case.scene.at_rest_with_rates()).real[0]
    y = g * (np.sign(x) * max(abs(x) - dead, 0))
    edges = [abs(abs(x) - dead)] if dead else []
    edges += [abs(y - v) for v in (lower, upper) if v is not None]
    case.legal = min(edges, default=1) > 0.05  # away from where it has no derivative


@element("controller", "lag")
def lag(case):
    loop = Loop(case)
    text, e = loop.signal()
    T, g = case.size(0.05, 5), case.vector(2, 1)[0]
    loop.state("c", lambda f: (g * e(f) - f.z["c"]) / T)
    loop.close("c", {"type": "lag", "input": text, "time_constant": T, "gain": g}, lambda f: f.z["c"])
