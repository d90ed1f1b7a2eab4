"""Forward kinematics of trees of joints, by homogeneous transforms of complex numbers: the imaginary part is the rate
(complex step). Random trees of all joints that have coordinates, and the model files that say them."""
import numpy

STEP = 1e-30
#: coordinates of each type in the order in which they act: field, field of the rate, what it does, about or along
STEPS = {
    "fixed": [],
    "revolute": [("angle", "rate", "turn", 2)],
    "translational": [("displacement", "velocity", "slide", 2)],
    "cylindrical": [("displacement", "velocity", "slide", 2), ("angle", "rate", "turn", 2)],
    "screw": [("angle", "rate", "screw", 2)],
    "planar": [("x", "vx", "slide", 0), ("y", "vy", "slide", 1), ("angle", "rate", "turn", 2)],
    "orientation": [("x", "vx", "slide", 0), ("y", "vy", "slide", 1), ("z", "vz", "slide", 2)],
    "universal": [("angle_y", "rate_y", "turn", 1), ("angle_x", "rate_x", "turn", 0)],
    "spherical": [("orientation", "angular_velocity", "ball", 2)],
}
WITH_AXIS = {"revolute", "translational", "cylindrical", "screw", "planar", "universal"}


def cross(w):
    return numpy.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def turn(axis, angle):
    """Rodrigues' formula about a unit vector; the angle may be complex."""
    u = cross(axis)
    return numpy.eye(3) + numpy.sin(angle) * u + (1 - numpy.cos(angle)) * (u @ u)


def pose(A=None, r=(0, 0, 0)):
    T = numpy.eye(4, dtype=complex)
    T[:3, :3] = numpy.eye(3) if A is None else A
    T[:3, 3] = r
    return T


def back(T):
    """The inverse of a pose, whose rotation stays orthogonal with complex angles."""
    return pose(T[:3, :3].T, -T[:3, :3].T @ T[:3, 3])


def triad(axis):
    """As docs/reference says it of axes: z along it, x across it by the coordinate axis that is farthest from it, of an
    axis of the coordinates the next one."""
    z = numpy.array(axis, float) / numpy.linalg.norm(axis)
    k = int(numpy.argmax(numpy.abs(z)))
    start = (k + 1) % 3 if numpy.count_nonzero(z) == 1 else int(numpy.argmin(numpy.abs(z)))
    x = numpy.eye(3)[start] - z[start] * z
    x /= numpy.linalg.norm(x)
    return numpy.column_stack([x, numpy.cross(z, x), z])


def joint_pose(joint):
    """The first marker relative to the second, both with the joint's axes."""
    T = pose()
    for name, rate, what, k in STEPS[joint["type"]]:
        if what == "ball":
            u, angle = joint.get(name, ([0, 0, 1], 0))
            spin = numpy.array(joint.get(rate, [0, 0, 0]))
            T = T @ pose((numpy.eye(3) + 1j * STEP * cross(spin)) @ turn(u, angle))
            continue
        q = joint.get(name, 0) + 1j * STEP * joint.get(rate, 0)
        e = numpy.eye(3)[k]
        along = q if what == "slide" else joint["pitch"] / (2 * numpy.pi) * q if what == "screw" else 0
        T = T @ pose(numpy.eye(3) if what == "slide" else turn(e, q), along * e)
    return T


def rates(T):
    """Position, orientation, velocity and angular velocity, from the pose and its imaginary part."""
    A, spin = T[:3, :3].real, T[:3, :3].imag / STEP @ T[:3, :3].real.T
    return T[:3, 3].real, A, T[:3, 3].imag / STEP, numpy.array([spin[2, 1], spin[0, 2], spin[1, 0]])


# ---- random trees ----------------------------------------------------------------------------------------------------


def random_turn(g):
    u = g.normal(size=3)
    return u / numpy.linalg.norm(u), g.uniform(-3, 3)


def random_coordinates(g, joint, most_turns):
    for name, rate, what, _ in STEPS[joint["type"]]:
        written = g.random()
        if what == "ball":
            value, speed = random_turn(g), g.normal(size=3)
        else:
            value, speed = (g.uniform(-6, 6) * most_turns if what != "slide" else g.normal()), g.normal()
        if written > 0.1:
            joint[name] = value
        if written < 0.8:
            joint[rate] = speed
    return joint


def random_tree(seed, by_points):
    """Bodies and joints: each body hangs on one before it, or on the ground; the first may float. by_points: bodies are
    written where all coordinates are zero and joints are at points of the world; else bodies are not placed and joints
    are between markers."""
    g = numpy.random.default_rng(seed)
    n = int(g.integers(2, 8))
    bodies, joints = [], []
    for b in range(n):
        root = b == 0 and g.random() < 0.5
        body = {"name": f"b{b}", "placed": by_points or root, "turn": random_turn(g), "r": g.normal(size=3)}
        body["v"], body["w"] = (g.normal(size=3), g.normal(size=3)) if root else (None, None)
        bodies.append(body)
        if root:
            continue
        kind = list(STEPS)[int(g.integers(len(STEPS)))]
        joint = {"name": f"j{b}", "type": kind, "child": b, "parent": int(g.integers(-1, b)), "reversed": g.random() < 0.4,
                 "axis": [[0, 0, 1], [0, -1, 0], [1, 0, 0], list(g.normal(size=3))][int(g.integers(4))],
                 "pitch": g.normal(), "at": list(g.normal(size=3)), "frames": [(random_turn(g), g.normal(size=3)) for _ in (0, 1)]}
        joints.append(random_coordinates(g, joint, 3))
    return bodies, joints


def where(bodies, joints, by_points):
    """The poses at the beginning."""
    reference = [pose(turn(*b["turn"]), b["r"]) for b in bodies]
    begin = []
    for b, body in enumerate(bodies):
        joint = next((j for j in joints if j["child"] == b), None)
        if joint is None:
            T = reference[b].copy()
            T[:3, 3] += 1j * STEP * body["v"]
            T[:3, :3] = (numpy.eye(3) + 1j * STEP * cross(body["w"])) @ T[:3, :3]
            begin.append(T)
            continue
        axes = triad(joint["axis"]) if joint["type"] in WITH_AXIS else numpy.eye(3)
        parent, here = joint["parent"], pose() if joint["parent"] < 0 else begin[joint["parent"]]
        if by_points:
            world = pose(axes, joint["at"])
            on_parent = world if parent < 0 else back(reference[parent]) @ world
            on_child = back(reference[b]) @ world
        else:
            on_child, on_parent = (pose(turn(*a), r) @ pose(axes) for a, r in joint["frames"])
        T = joint_pose(joint)
        begin.append(here @ on_parent @ (back(T) if joint["reversed"] else T) @ back(on_child))
    return begin


def vector(v):
    return "[" + ", ".join(repr(float(x)) for x in v) + "]"


def rotation(turned):
    return f"{{axis: {vector(turned[0])}, angle: {float(turned[1])!r}}}"


def text_of(bodies, joints, by_points):
    """The model file: no sine, no cosine."""
    out = ["bodies:"]
    for b in bodies:
        place = f", position: {vector(b['r'])}, orientation: {rotation(b['turn'])}" if b["placed"] else ""
        moves = f", velocity: {vector(b['v'])}, angular_velocity: {vector(b['w'])}" if b["v"] is not None else ""
        out.append(f"  {b['name']}: {{mass: 1.5, inertia: [0.2, 0.3, 0.4]{place}{moves}}}")
    out.append("markers:" if joints and not by_points else "")
    for j in joints if not by_points else []:
        for k, body in enumerate((j["child"], j["parent"])):
            on = "ground" if body < 0 else bodies[body]["name"]
            (turned, r) = j["frames"][k]
            out.append(f"  {j['name']}_{k}: {{body: {on}, position: {vector(r)}, orientation: {rotation(turned)}}}")
    out.append("joints:" if joints else "")
    for j in joints:
        ends = [f"{j['name']}_0", f"{j['name']}_1"]
        if by_points:
            ends = [bodies[j["child"]]["name"], "ground" if j["parent"] < 0 else bodies[j["parent"]]["name"]]
        ends = ends[::-1] if j["reversed"] else ends
        fields = [f"type: {j['type']}", f"between: [{ends[0]}, {ends[1]}]"]
        fields += [f"at: {vector(j['at'])}"] if by_points else []
        fields += [f"axis: {vector(j['axis'])}"] if j["type"] in WITH_AXIS else []
        fields += [f"pitch: {float(j['pitch'])!r}"] if j["type"] == "screw" else []
        for name, rate, what, _ in STEPS[j["type"]]:
            if name in j:
                fields.append(f"{name}: {rotation(j[name]) if what == 'ball' else repr(float(j[name]))}")
            if rate in j:
                fields.append(f"{rate}: {vector(j[rate]) if what == 'ball' else repr(float(j[rate]))}")
        out.append(f"  {j['name']}: {{{', '.join(fields)}}}")
    return "\n".join(line for line in out if line) + "\n"
