"""The shared library from Python, by its public headers: a model's text in, its operating point and linear model out."""
import os
import pathlib
import subprocess
import tempfile

import numpy

SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
BUILD = pathlib.Path(os.environ["ROUTH"]).parent


class Refused(Exception):
    """What the library says of a model it does not take."""


def _interface():
    import cffi

    with tempfile.TemporaryDirectory() as empty:
        (pathlib.Path(empty) / "stddef.h").touch()
        done = subprocess.run(
            ["cc", "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, "-I", str(SOURCE / "include"), "-x", "c", "-"],
            input='#include "routh/routh.h"\n', capture_output=True, text=True, check=True)
    ffi = cffi.FFI()
    ffi.cdef(done.stdout)
    return ffi, ffi.dlopen(str(BUILD / "librouth.so"))


ffi, lib = _interface()


def _array(pointer, *shape):
    if pointer == ffi.NULL or 0 in shape:
        return numpy.zeros(shape)
    count = int(numpy.prod(shape))
    return numpy.frombuffer(ffi.buffer(pointer, 8 * count)).reshape(shape).copy()


class _Call:
    """Calls that fail raise what the library says."""

    def __init__(self):
        self.error = ffi.new("routh_error *")

    def __call__(self, status):
        if status:
            text = ffi.new("char[2048]")
            lib.routh_error_text(self.error, text, 2048)
            raise Refused(ffi.string(text).decode())


class Linear:
    """A linear model and the operating point it belongs to, as NumPy arrays."""

    def __init__(self, text, coordinates="absolute", method="augmented", state=None):
        call, error = _Call(), None
        model, mechanism = ffi.new("routh_model **"), ffi.new("routh_mechanism **")
        point, linear = ffi.new("routh_operating_point **"), ffi.new("routh_linear **")
        try:
            data = text.encode()
            call(lib.routh_model_parse(model, data, len(data), b"model.yaml", ffi.NULL, 0, call.error))
            call(lib.routh_mechanism_compile(mechanism, model[0], coordinates.encode(), call.error))
            if state is None:
                call(lib.routh_operating_point_find(point, mechanism[0], ffi.NULL, call.error))
            else:
                given, data = ffi.new("routh_initial_state **"), state.encode()
                call(lib.routh_initial_state_parse(given, data, len(data), b"state.json", call.error))
                status = lib.routh_operating_point_of_state(point, mechanism[0], given[0], ffi.NULL, call.error)
                lib.routh_initial_state_free(given[0])
                call(status)
            options = lib.routh_linear_defaults()
            name = ffi.new("char[]", method.encode())
            options.method, options.shares, options.markers, options.threads = name, 0, 0, 1
            address = ffi.new("routh_linear_options *", options)
            call(lib.routh_linear_compute(linear, mechanism[0], point[0], address, call.error))
            self._read_point(point[0])
            self._read_linear(linear[0])
        finally:
            lib.routh_linear_free(linear[0])
            lib.routh_operating_point_free(point[0])
            lib.routh_mechanism_free(mechanism[0])
            lib.routh_model_free(model[0])

    def _read_point(self, point):
        self.warnings = [ffi.string(point.warnings[k]).decode() for k in range(point.n_warnings)]
        self.wrenches = {}
        for k in range(point.n_reactions):
            one = point.reactions[k]
            self.wrenches[ffi.string(one.name).decode()] = numpy.array(list(one.force) + list(one.torque))
        self.signals = {ffi.string(point.signals[k].name).decode(): point.signals[k].value for k in range(point.n_signals)}
        self.rates = {ffi.string(point.signals[k].name).decode(): point.signals[k].rate for k in range(point.n_signals)}
        self.bodies = {}
        for k in range(point.n_bodies):
            one = point.bodies[k]
            self.bodies[ffi.string(one.name).decode()] = (
                numpy.array(list(one.position)), numpy.array(list(one.orientation)).reshape(3, 3),
                numpy.array(list(one.velocity)), numpy.array(list(one.angular_velocity)))

    def _read_linear(self, linear):
        n, n_in, n_out = linear.n_states, linear.n_inputs, linear.n_outputs
        self.states = [ffi.string(linear.states[k].name).decode() for k in range(n)]
        self.frames = [ffi.string(linear.states[k].frame).decode() for k in range(n)]
        self.n_position, self.n_velocity, self.n_control = linear.n_position, linear.n_velocity, linear.n_control
        self.A = _array(linear.A, n, n)
        self.a0 = _array(linear.affine, n)
        self.M = _array(linear.mass, linear.n_velocity, linear.n_velocity)
        self.damping = _array(linear.damping, linear.n_velocity, linear.n_velocity)
        self.K = _array(linear.stiffness, linear.n_velocity, linear.n_position)
        self.B, self.B1, self.B2 = (_array(p, n, n_in) for p in (linear.B, linear.B1, linear.B2))
        self.C = _array(linear.C, n_out, n)
        self.D, self.D1, self.D2 = (_array(p, n_out, n_in) for p in (linear.D, linear.D1, linear.D2))
        self.values = numpy.array([linear.outputs[k].value for k in range(n_out)])
        self.warnings += [ffi.string(linear.warnings[k]).decode() for k in range(linear.n_warnings)]
