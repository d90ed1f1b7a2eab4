#!/usr/bin/env python3
"""Problems of `routh benchmark` by other programs, as far as they are installed in this Python: SymPy, Pinocchio, MuJoCo, Exudyn,
Drake. benchmark_others.py [--markdown] [--once] [PROBLEM...] [PROGRAM], default build/routh.

Each gets the same mechanism in its own terms, by its own linearization or integrator with its own defaults but for tolerances,
and its answer is held to the same reference numbers. A program that is not there is left out, and said to be. Times are of one
run, the faster of two: model, linearization and eigenvalues, or the whole simulation; not of importing the program. --once: of
the only one, for who wants the digits. Without PROBLEM: all of them.
"""
import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
G = 9.81
CHAINS = {"double-pendulum": (2, 0.7, 2.0), "five-pendulums": (5, 0.3, 2.0)}  # masses, length, mass of each
CART = (50.0, 200.0, 6.0)  # cart, load, length
LENGTH = 1.0  # of the simple pendulum
SHARE = 1e-12  # of inertia, where a program wants some in a point mass


class Missing(Exception):
    """A problem that a program is not asked for here."""


# ---- mechanisms: a chain of point masses, on a cart or not ------------------------------------------------------------


def chain_of(problem):
    """(mass of the cart or None, masses, length)."""
    if problem == "cart-pendulum":
        return CART[0], [CART[1]], CART[2]
    n, length, mass = CHAINS[problem]
    return None, [mass] * n, length


def squares(matrix):
    """omega^2, ascending, those of free motion left out."""
    import numpy
    values = sorted(numpy.linalg.eigvals(matrix).real)
    return [x for x in values if x > 1e-6 * values[-1]]


def quarter():
    return 1.8540746773013719 * math.sqrt(LENGTH / G)


# ---- SymPy ------------------------------------------------------------------------------------------------------------


def sympy_linear(problem):
    import sympy
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    cart, masses, length = chain_of(problem)
    exact = lambda x: sympy.Rational(str(x))
    angles = dynamicsymbols(f"q0:{len(masses)}")
    place = dynamicsymbols("s") if cart else None
    t = dynamicsymbols._t
    x, y, kinetic, potential = place or 0, 0, 0, 0
    if cart:
        kinetic += exact(cart) * place.diff(t) ** 2 / 2
    for mass, q in zip(masses, angles):
        x, y = x + exact(length) * sympy.sin(q), y - exact(length) * sympy.cos(q)
        kinetic += exact(mass) * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
        potential += exact(mass) * exact(G) * y
    coordinates = ([place] if cart else []) + list(angles)
    method = LagrangesMethod(kinetic - potential, coordinates)
    method.form_lagranges_equations()
    point = {q: 0 for q in coordinates} | {q.diff(t): 0 for q in coordinates}
    A, _, _ = method.linearize(q_ind=coordinates, qd_ind=[q.diff(t) for q in coordinates], A_and_B=True, op_point=point)
    import mpmath
    n = len(coordinates)
    values = sorted(float(mpmath.re(x)) for x in mpmath.eig(mpmath.matrix((-A[n:, :n]).evalf(20).tolist()), right=False))
    return [x for x in values if x > 1e-6 * values[-1]]


# ---- Pinocchio --------------------------------------------------------------------------------------------------------


def pinocchio_model(cart, masses, length):
    import numpy
    import pinocchio as pin
    model = pin.Model()
    model.gravity.linear[:] = [0, 0, -G]
    parent, place = 0, pin.SE3.Identity()
    if cart:
        parent = model.addJoint(0, pin.JointModelPX(), place, "rail")
        model.appendBodyToJoint(parent, pin.Inertia(cart, numpy.zeros(3), numpy.zeros((3, 3))), place)
    for k, mass in enumerate(masses):
        parent = model.addJoint(parent, pin.JointModelRY(), place, f"hinge{k}")
        place = pin.SE3(numpy.eye(3), numpy.array([0, 0, -length]))
        model.appendBodyToJoint(parent, pin.Inertia(mass, numpy.array([0, 0, -length]), numpy.zeros((3, 3))), pin.SE3.Identity())
    return model


def pinocchio_linear(problem):
    import numpy
    import pinocchio as pin
    model = pinocchio_model(*chain_of(problem))
    data, zero = model.createData(), numpy.zeros(model.nv)
    by_position, _, _ = pin.computeABADerivatives(model, data, pin.neutral(model), zero, zero)
    return squares(-by_position)


def pinocchio_motion(times):
    """Pinocchio has no integrator of its own: its accelerations, by SciPy's DOP853."""
    import numpy
    import pinocchio as pin
    from scipy.integrate import solve_ivp
    model = pinocchio_model(None, [1.0], LENGTH)
    data = model.createData()

    def rates(_, state):
        return numpy.concatenate((state[1:], pin.aba(model, data, state[:1], state[1:], numpy.zeros(1))))

    done = solve_ivp(rates, (0, times[-1]), [math.pi / 2, 0], method="DOP853", t_eval=times, rtol=1e-12, atol=1e-12)
    return [-LENGTH * math.cos(q) for q in done.y[0]]


# ---- MuJoCo -----------------------------------------------------------------------------------------------------------


def mujoco_chain(masses, length, height):
    """The bodies of a chain whose first hinge is at this height above the frame that it is in."""
    if not masses:
        return ""
    inertia = masses[0] * length ** 2 * SHARE
    return (f'<body pos="0 0 {height}"><joint type="hinge" axis="0 1 0"/><inertial pos="0 0 {-length}" mass="{masses[0]}" '
            f'diaginertia="{inertia} {inertia} {inertia}"/>{mujoco_chain(masses[1:], length, -length)}</body>')


def mujoco_model(cart, masses, length, **option):
    import mujoco
    bodies = mujoco_chain(masses, length, 0)
    if cart:
        bodies = (f'<body><joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="{cart}" diaginertia="1 1 1"/>'
                  f"{bodies}</body>")
    options = " ".join(f'{key}="{value}"' for key, value in option.items())
    return mujoco.MjModel.from_xml_string(f'<mujoco><option gravity="0 0 {-G}" {options}/><worldbody>{bodies}</worldbody></mujoco>')


def mujoco_linear(problem):
    import mujoco
    import numpy
    model = mujoco_model(*chain_of(problem))
    data = mujoco.MjData(model)
    n = model.nv
    mass, stiffness = numpy.zeros((n, n)), numpy.zeros((n, n))
    mujoco.mj_forward(model, data)
    data.qacc[:] = 0
    mujoco.mjd_inverseFD(model, data, 1e-6, 1, stiffness, None, None, None, None, None, None)
    for k in range(n):
        unit, column = numpy.zeros(n), numpy.zeros(n)
        unit[k] = 1
        mujoco.mj_mulM(model, data, column, unit)
        mass[:, k] = column
    return squares(numpy.linalg.solve(mass, stiffness.T))


def mujoco_motion(times):
    import mujoco
    steps = 1000  # an eighth of the period
    model = mujoco_model(None, [1.0], LENGTH, integrator="RK4", timestep=times[0] / steps)
    data = mujoco.MjData(model)
    data.qpos[0] = math.pi / 2
    found = []
    for k in range(round(times[-1] / times[0]) * steps):
        mujoco.mj_step(model, data)
        if any(abs((k + 1) * times[0] / steps - t) < 1e-9 for t in times):
            found.append(-LENGTH * math.cos(data.qpos[0]))
    return found


# ---- Exudyn -----------------------------------------------------------------------------------------------------------


def exudyn_tree(cart, masses, length, start=None):
    """A kinematic tree in joint coordinates. (exudyn, system, node)"""
    import exudyn
    import numpy
    from exudyn import itemInterface as item
    mbs = exudyn.SystemContainer().AddSystem()
    n = len(masses) + (1 if cart else 0)
    kinds, offsets, inertias, centres, weights = [], [], [], [], []
    if cart:
        kinds.append(exudyn.JointType.PrismaticX)
        offsets.append([0, 0, 0])
        centres.append([0, 0, 0])
        weights.append(cart)
    for k, mass in enumerate(masses):
        kinds.append(exudyn.JointType.RevoluteY)
        offsets.append([0, 0, -length if k else 0])
        centres.append([0, 0, -length])
        weights.append(mass)
    inertias = [numpy.zeros((3, 3))] * n
    node = mbs.AddNode(item.NodeGenericODE2(referenceCoordinates=[0] * n, initialCoordinates=start or [0] * n,
                                            initialCoordinates_t=[0] * n, numberOfODE2Coordinates=n))
    mbs.AddObject(item.ObjectKinematicTree(
        nodeNumber=node, jointTypes=kinds, linkParents=numpy.arange(-1, n - 1),
        jointTransformations=exudyn.Matrix3DList([numpy.eye(3)] * n), jointOffsets=exudyn.Vector3DList(offsets),
        linkInertiasCOM=exudyn.Matrix3DList(inertias), linkCOMs=exudyn.Vector3DList(centres), linkMasses=weights,
        gravity=[0, 0, -G]))
    mbs.Assemble()
    return exudyn, mbs, node


def exudyn_linear(problem):
    _, mbs, _ = exudyn_tree(*chain_of(problem))
    values = sorted(float(x) for x in mbs.ComputeODE2Eigenvalues()[0])
    return [x for x in values if x > 1e-6 * values[-1]]


def exudyn_motion(times):
    found = []
    for end in times:
        exudyn, mbs, node = exudyn_tree(None, [1.0], LENGTH, [math.pi / 2])
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(1000 * end / times[0])
        settings.timeIntegration.endTime = end
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        mbs.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.RK44)
        found.append(-LENGTH * math.cos(float(mbs.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates))))
    return found


# ---- Drake ------------------------------------------------------------------------------------------------------------


def drake_plant(cart, masses, length):
    import numpy
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia
    from pydrake.math import RigidTransform
    plant = MultibodyPlant(time_step=0.0)
    body, place = plant.world_body(), RigidTransform()
    if cart:
        rail = plant.AddRigidBody("cart", SpatialInertia(cart, numpy.zeros(3), UnitInertia.SolidSphere(1e-3)))
        plant.AddJoint(PrismaticJoint("rail", body.body_frame(), rail.body_frame(), [1, 0, 0]))
        body = rail
    for k, mass in enumerate(masses):
        offset = numpy.array([0, 0, -length])
        inertia = SpatialInertia(mass, offset, UnitInertia(length ** 2, length ** 2, 0.0))
        link = plant.AddRigidBody(f"link{k}", inertia)
        frame = plant.AddFrame(FixedOffsetFrame(f"end{k}", body.body_frame(), place))
        plant.AddJoint(RevoluteJoint(f"hinge{k}", frame, link.body_frame(), [0, 1, 0]))
        body, place = link, RigidTransform(offset)
    plant.Finalize()
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
    return plant


def drake_linear(problem):
    from pydrake.systems.primitives import Linearize
    plant = drake_plant(*chain_of(problem))
    context = plant.CreateDefaultContext()
    if plant.num_input_ports() and plant.get_actuation_input_port().size():
        plant.get_actuation_input_port().FixValue(context, [])
    from pydrake.systems.framework import InputPortSelection, OutputPortSelection
    system = Linearize(plant, context, InputPortSelection.kNoInput, OutputPortSelection.kNoOutput)
    n = plant.num_velocities()
    return squares(-system.A()[n:, :n])


def drake_motion(times):
    from pydrake.systems.analysis import Simulator
    plant = drake_plant(None, [1.0], LENGTH)
    simulator = Simulator(plant)
    simulator.get_mutable_integrator().set_target_accuracy(1e-12)
    plant.SetPositions(simulator.get_mutable_context(), [math.pi / 2])
    found = []
    for end in times:
        simulator.AdvanceTo(end)
        found.append(-LENGTH * math.cos(plant.GetPositions(simulator.get_context())[0]))
    return found


# ---- all of them ------------------------------------------------------------------------------------------------------

PROGRAMS = {
    "SymPy": ("sympy", sympy_linear, None),
    "Pinocchio": ("pinocchio", pinocchio_linear, pinocchio_motion),
    "MuJoCo": ("mujoco", mujoco_linear, mujoco_motion),
    "Exudyn": ("exudyn", exudyn_linear, exudyn_motion),
    "Drake": ("pydrake", drake_linear, drake_motion),
}
PROBLEMS = [*CHAINS, "cart-pendulum", "simple-pendulum"]


def references(problem):
    """What is right of the numbers that are compared."""
    if problem == "double-pendulum":
        return [(2 - math.sqrt(2)) * G / 0.7, (2 + math.sqrt(2)) * G / 0.7]
    if problem == "five-pendulums":
        zeros = (0.2635603197181409, 1.413403059106517, 3.596425771040722, 7.085810005858838, 12.64080084427578)
        return [x * G / 0.3 for x in zeros]
    if problem == "cart-pendulum":
        cart, load, length = CART
        return [(cart + load) * G / (cart * length)]
    return [-LENGTH * (math.sqrt(2) - 1), -LENGTH]  # height after an eighth of the period and after nine quarters


def agreed(found, right):
    if len(found) != len(right):
        return 0
    worst = max(abs(a - b) / abs(b) for a, b in zip(found, right))
    return 15 if worst < 1e-15 else max(0, int(-math.log10(worst)))


def computed(linear, motion, problem):
    if problem != "simple-pendulum":
        return linear(problem)
    if motion is None:
        raise Missing
    return motion([quarter() / 2, 9 * quarter()])


def timed(program, problem, runs):
    """(digits, seconds), of the fastest run, as the first may load more of the program."""
    _, linear, motion = PROGRAMS[program]
    best = math.inf
    for _ in range(runs):
        start = time.perf_counter()
        found = computed(linear, motion, problem)
        best = min(best, time.perf_counter() - start)
    return agreed(found, references(problem)), best


def own(program, problem, runs):
    found = []
    for _ in range(runs):
        done = subprocess.run([program, "benchmark", "--json", problem], capture_output=True, text=True, check=False)
        entry = next(p for p in json.loads(done.stdout)["problems"] if p["name"] == problem)
        found.append((min(value["digits"] for value in entry["values"]), entry["seconds"]))
    return found[0][0], min(seconds for _, seconds in found)


def version_of(module):
    from importlib import metadata
    name = {"pinocchio": "pin", "pydrake": "drake"}.get(module, module)
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def rows(program, problems, runs):
    """(problem, program, digits, seconds or why not)."""
    for problem in problems:
        yield (problem, "Routh", *own(program, problem, runs))
        for name, (module, _, _) in PROGRAMS.items():
            try:
                importlib.import_module(module)
            except ImportError:
                continue
            try:
                yield (problem, f"{name} {version_of(module)}".strip(), *timed(name, problem, runs))
            except Missing:
                continue
            except Exception as error:  # another program's failure is a line of the table
                yield problem, f"{name} {version_of(module)}".strip(), None, f"{type(error).__name__}: {error}"


def main(arguments):
    problems = [problem for problem in PROBLEMS if problem in arguments] or PROBLEMS
    names = [word for word in arguments if word not in ("--markdown", "--once", *problems)]
    program = pathlib.Path(names[0] if names else ROOT / "build/routh").resolve()
    absent = [name for name, (module, _, _) in PROGRAMS.items() if importlib.util.find_spec(module) is None]
    if "--markdown" in arguments:
        print("| problem | program | digits | time, ms |\n|---|---|--:|--:|")
    for problem, name, digits, seconds in rows(program, problems, 1 if "--once" in arguments else 2):
        shown = f"{1e3 * seconds:.2f}" if digits is not None else seconds
        if "--markdown" in arguments:
            print(f"| {problem} | {name} | {'' if digits is None else digits} | {shown} |")
        else:
            print(f"{problem:18} {name:20} {'-' if digits is None else digits:>3} digits {shown:>12} ms")
    if absent:
        print(f"\nNot installed in this Python: {', '.join(absent)}.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
