"""Random cases: the same numbers as a model file for the program and as a scene for the reference.

A case depends on a seed and on p, the place on a random straight path through positions, angles and velocities. Of two
neighbouring places the exact first derivatives differ by the second ones along the path.
"""
import json

import numpy as np

import jets
import scene

INERTIA = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")


class Case:
    def __init__(self, seed, p=0.0):
        self.rng, self.p = np.random.default_rng(seed), p
        self.length, self.mass = 1.0, 1.0
        if seed[1] % 3 == 2:  # of other sizes than metres and kilograms
            other = np.random.default_rng([seed[0], seed[1], 1])
            self.length, self.mass = (10.0 ** other.uniform(-2, 2) for _ in range(2))
        self.scene = scene.Scene(self.vector(5))
        self.scene.length, self.scene.mass = self.length, self.mass
        self.model = {"gravity": self.scene.gravity.tolist(), "bodies": {}, "markers": {}, "joints": {}, "loads": {},
                      "inputs": {}, "controllers": {}, "outputs": {}, "variables": {}, "parameters": {}}
        self.placed, self.method, self.scale, self.finder = {}, None, 0.0, None
        self.condition = 0.0  # of a matrix that is solved with for the values
        self.departed, self.kept, self.angles = False, False, {}

    # -- numbers -----------------------------------------------------------------------------------------------------

    def uniform(self, low, high):
        return float(self.rng.uniform(low, high))

    def size(self, low, high):
        """between, evenly by its logarithm"""
        return float(np.exp(self.rng.uniform(np.log(low), np.log(high))))

    def vector(self, scale=1.0, n=3):
        return self.rng.normal(size=n) * scale

    def chance(self, p=0.5):
        return bool(self.rng.random() < p)

    def choose(self, *what):
        return what[int(self.rng.integers(len(what)))]

    def along(self, scale=1.0, n=3):
        """of the state: a random value and the path's place"""
        return self.vector(scale, n) + self.p * self.vector(1.0, n)

    def along_one(self, scale=1.0):
        return float(self.along(scale, 1)[0])

    def turned(self):
        """A random orientation, as axis and angle (of some revolutions), on the path."""
        axis, angle = self.vector(), self.uniform(-12, 12)
        return jets.rodrigues(self.vector(), 1.3 * self.p) @ jets.rodrigues(axis, angle)

    def skewed(self):
        return jets.rodrigues(self.vector(), self.uniform(-9, 9))

    # -- elements ----------------------------------------------------------------------------------------------------

    def body(self, name, position=None, rotation=None, velocity=None, spin=None, mass=None):
        mass = (mass if mass is not None else self.size(0.2, 5)) * self.mass
        turn = self.skewed()
        a, b, c = (self.size(0.1, 2) for _ in range(3))
        inertia = turn @ np.diag([b + c, a + c, a + b]) @ turn.T * mass * self.length ** 2
        inertia = (inertia + inertia.T) / 2
        position = self.along(1) * self.length if position is None else position
        rotation = self.turned() if rotation is None else rotation
        velocity = self.along(2) * self.length if velocity is None else velocity
        spin = self.along(2) if spin is None else spin
        I = inertia
        self.model["bodies"][name] = {
            "mass": mass, "inertia": [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]],
            "position": list(position), "orientation": {"matrix": rotation.tolist()}, "velocity": list(velocity),
            "angular_velocity": list(spin)}
        self.scene.add_body(name, scene.Body(mass, inertia, position, rotation, velocity, spin))
        return name

    def marker(self, name, body, place=None, axes=None):
        place = self.vector(0.7) * self.length if place is None else place
        axes = self.skewed() if axes is None else axes
        self.model["markers"][name] = {"body": body, "position": list(place), "orientation": {"matrix": axes.tolist()}}
        self.scene.markers[name] = (body, np.asarray(place), axes)
        return name

    def pair(self, names=("i", "j")):
        """Two markers on two bodies, or one of them on ground, in either order."""
        bodies = self.choose(("a", "b"), ("b", "a"), ("a", "ground"), ("ground", "a"))
        for body in sorted(set(bodies) - {"ground"}):
            self.body(body)
        return [self.marker(name, body) for name, body in zip(names, bodies)]

    def load(self, fields, reference):
        self.model["loads"][reference.name] = fields
        self.scene.loads.append(reference)

    def joint(self, fields, reference, velocities=False):
        self.model["joints"][reference.name] = fields
        (self.scene.velocity_rows if velocities else self.scene.holonomic).append(reference)

    def output(self, name, expression, function):
        self.model["outputs"][name] = expression
        self.scene.outputs[name] = function

    def input(self, name, value):
        self.model["inputs"][name] = value
        self.scene.inputs[name] = (value, 0.0, 0.0)

    def depart(self):
        """From here on the bodies are elsewhere than in the model, which is the reference configuration."""
        self.departed = True
        for body in self.scene.bodies.values():
            body.r, body.R = self.along() * self.length, self.turned()
            body.v, body.w = self.along(2) * self.length, self.along(2)

    def state(self):
        """The state in the form routh-state/1, or None where it is that of the model."""
        if not self.departed:
            return None
        bodies = [{"name": name, "position": list(b.r), "orientation": b.R.tolist(), "velocity": list(b.v),
                   "angular_velocity": list(b.w)} for name, b in self.scene.bodies.items()]
        return json.dumps({
            "schema": "routh-state/1", "time": self.scene.time, "bodies": bodies,
            "control_states": [{"name": n, "value": v, "rate": 0} for n, v in self.scene.control.items()],
            "angles": [{"name": n, "value": v} for n, v in self.angles.items()]}, default=float)

    def text(self):
        model = {key: value for key, value in self.model.items() if not (isinstance(value, dict) and not value)}
        return json.dumps(model, default=float)
