"""Sound files for the fuzzers to start from: four masses at the corners of a tetrahedron, six rods between them, in
every form that finite-element programs write.

python3 tests/fuzz/seeds.py FOLDER PROGRAM writes FOLDER/finite_elements/*, FOLDER/matrices/* and FOLDER/mesh/*; small models, with a byte of
options or a line of a study before each, FOLDER/symbolic/* and FOLDER/studies/*; the examples, FOLDER/model/* and what else
reads models; and what the program writes of an example, FOLDER/load_<format>/*, FOLDER/state/* and FOLDER/flexible/*."""
import base64
import itertools
import json
import pathlib
import struct
import subprocess
import sys

X = {1: (0.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0), 3: (0.2, 0.9, 0.0), 4: (0.3, 0.2, 0.8)}
N = 3 * len(X)
MATRICES, NODES = ["mtx", "sti", "pch", "op4", "bdf", "txt", "dat"], ["inp", "frd", "bdf", "txt"]


def stiffness():
    """Each rod pulls along itself: k n n' between its ends."""
    K = [[0.0] * N for _ in range(N)]
    for a, b in itertools.combinations(X, 2):
        d = [q - p for p, q in zip(X[a], X[b])]
        length = sum(x * x for x in d) ** 0.5
        for i, j in itertools.product(range(3), repeat=2):
            k = 1e6 * d[i] * d[j] / length**2
            for s, t, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                K[3 * (s - 1) + i][3 * (t - 1) + j] += sign * k
    return K


def mass():
    return [[1.0 + i // 3 if i == j else 0.0 for j in range(N)] for i in range(N)]


def lower(A):
    return [(i, j, A[i][j]) for j in range(N) for i in range(j, N) if A[i][j]]


def market(A, kind="symmetric"):
    entries = [e for e in lower(A)] if kind == "symmetric" else [
        (i, j, A[i][j]) for i in range(N) for j in range(N) if A[i][j]]
    return (f"%%MatrixMarket matrix coordinate real {kind}\n% made for fuzzing\n{N} {N} {len(entries)}\n" +
            "".join(f"{i + 1} {j + 1} {x!r}\n" for i, j, x in entries))


def triples(A):
    return "".join(f"{i + 1} {j + 1} {x!r}\n" for i, j, x in lower(A))


def abaqus(A):
    return "*MATRIX INPUT, NAME=A, TYPE=SYMMETRIC\n" + "".join(
        f"{i // 3 + 1},{i % 3 + 1}, {j // 3 + 1},{j % 3 + 1}, {x!r}\n" for i, j, x in lower(A))


def dmig(name, A):
    text = f"DMIG    {name:8}       0       6       2       0\n"
    for j in range(N):
        text += f"DMIG*   {name:16}{j // 3 + 1:16}{j % 3 + 1:16}\n"
        text += "".join(f"*       {i // 3 + 1:16}{i % 3 + 1:16}{A[i][j]:16.9E}\n".replace("E", "D")
                        for i in range(j, N) if A[i][j])
    return text


def op4(name, A, sparse):
    text = f"{N:8}{-N if sparse else N:8}{6:8}{2:8}{name:8}1P,3E24.16\n"
    for j in range(N):
        text += f"{j + 1:8}{0 if sparse else 1:8}{2 * N:8}\n"
        if sparse:
            text += f"{2 * N + 1:8}{1:8}\n"
        text += "".join(f"{A[i][j]:24.16E}" + ("\n" if i % 3 == 2 else "") for i in range(N))
    return text + f"{N + 1:8}{1:8}{2:8}\n{1:24.16E}\n"


def matrices():
    """Form, stiffness, mass; None: both are in the first."""
    K, M = stiffness(), mass()
    yield "mtx", market(K), market(M)
    yield "txt", market(K, "general"), market(M, "general")
    yield "mtx", abaqus(K), abaqus(M)
    yield "sti", triples(K), triples(M)
    yield "pch", dmig("KAAX", K) + dmig("MAAX", M), None
    yield "bdf", dmig("KAAX", K), dmig("MAAX", M)
    for sparse in (False, True):
        yield "op4", op4("KGG", K, sparse) + op4("MGG", M, sparse), None


def nodes(form):
    if form == "txt":
        return "# nodes\n" + "".join(f"{n} {x} {y} {z}\n" for n, (x, y, z) in X.items())
    if form == "bdf":
        return "".join(f"GRID,{n},,{x},{y},{z}\n" for n, (x, y, z) in X.items()) + "CTETRA,1,1,1,2,3,4\n"
    if form == "inp":
        return ("*NODE\n" + "".join(f"{n}, {x}, {y}, {z}\n" for n, (x, y, z) in X.items()) +
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*NSET, NSET=LEFT\n1, 2\n*NSET, NSET=LEFT, GENERATE\n1, 4, 2\n")
    return ("    2C" + 28 * " " + "4" + 38 * " " + "1\n" +
            "".join(f" -1{n:10}{x:12.5E}{y:12.5E}{z:12.5E}\n" for n, (x, y, z) in X.items()) +
            " -3\n    3C" + 28 * " " + "1" + 38 * " " + "1\n -1         1    3    0    1\n" +
            " -2" + "".join(f"{n:10}" for n in X) + "\n -3\n 9999\n")


def meshes():
    """The tetrahedron's surface, in the order of the fuzzer's formats: STL of text, OBJ, glTF of text and binary."""
    faces = ((1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4))
    yield ("solid x\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*X[n]) for n in f) +
                                 "endloop\nendfacet\n" for f in faces) + "endsolid x\n").encode()
    yield ("".join("v {} {} {}\n".format(*p) for p in X.values()) + "".join("f {}/1 {}//2 {}\n".format(*f) for f in faces)).encode()
    data = b"".join(struct.pack("<3f", *p) for p in X.values()) + bytes(n - 1 for f in faces for n in f)
    tree = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "rotation": [0, 0, 1, 0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [{"byteLength": len(data)}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}]}
    text = json.dumps(tree).encode()
    tree["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(data).decode()
    yield json.dumps(tree).encode()
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    yield struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


MODELS = ["""parameters: {m: 2, l: 0.6, g: 9.81, k: 4}
gravity: [0, -g, 0]
bodies: {rod: {mass: m, inertia: [1, 1, m*l^2/3], position: [0, -l, 0]}}
joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: z}}
loads: {rub: {type: torsion_spring, between: [rod, ground], axis: z, stiffness: k, damping: 0.2}}
inputs: {push: {value: 0, unit: N}}
outputs: {turn: "AZ(rod)"}
""", """parameters: {phi: 0.7, m: 1, k: 9, f: 0.4}
bodies: {bar: {mass: m, inertia: [1, 1, 1], position: [cos(phi), sin(phi), 0],
               orientation: {axis: [0, 0, 1], angle: phi}}}
markers: {wall: {body: ground, position: [1, 0, 0]}}
joints: {hinge: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: z}}
loads:
  link: {type: spring, between: [bar, wall], stiffness: k, free_length: f, damping: 0.1}
  drag: {type: force, on: bar, components: [-VX(bar), 0, 0]}
""", """parameters: {spin: 5, C: 2, k: 10, c: 0.3}
bodies: {top: {mass: 2, inertia: [1, 1, C], angular_velocity: [0, 0, spin]}}
loads:
  mount: {type: bushing, between: [top, ground], translation: {stiffness: [k, k, 2*k], damping: c}}
inputs: {push: {value: 0, unit: N}}
outputs: {x: "DX(top)", v: "VY(top)"}
""", """parameters: {a: 1, b: 2}
gravity: [0, 0, -9.81]
bodies:
  one: {mass: a, inertia: [1, 1, 1], position: [0, 0, -1]}
  two: {mass: b, inertia: [1, 1, 1], position: [0, 0, -2.5]}
joints:
  upper: {type: universal, between: [one, ground], at: [0, 0, 0], axis: z}
  lower: {type: spherical, between: [two, one], at: [0, 0, -2]}
"""]


ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = ("csv", "hdf5", "json", "mat", "mtx", "npz")
READERS = ("document", "format", "model", "reader")  # which take texts of models


def of_examples(folder):
    for name in READERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for example in sorted((ROOT / "examples").glob("*.yaml")):
            (folder / name / example.name).write_bytes(example.read_bytes())


def by_program(folder, program):
    """A sound file of each format to start from, but of Matrix Market, which is several."""
    for name in FORMATS:
        (folder / f"load_{name}").mkdir(parents=True, exist_ok=True)
        if name != "mtx":
            subprocess.run([program, "linearize", "examples/slider-pendulum.yaml", "--quiet", "--format", name, "--output",
                            folder / f"load_{name}" / "sound"], cwd=ROOT, check=True)
    (folder / "state").mkdir(parents=True, exist_ok=True)
    for example in ("four-bar", "quarter-car-active", "rotor-stator"):
        subprocess.run([program, "modes", f"examples/{example}.yaml", "--quiet", "--save-state",
                        folder / "state" / example], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (folder / "flexible").mkdir(parents=True, exist_ok=True)
    link = "examples/flexible/link"
    subprocess.run([program, "reduce", f"{link}.sti", f"{link}.mas", "--nodes", f"{link}.inp", "--length-unit", "mm",
                    "--mass-unit", "t", "--interface", "1001=LEFT", "--modes", "1", "--draw", "3", "--quiet", "--output",
                    folder / "flexible" / "sound"], cwd=ROOT, check=True)


def main(folder, program):
    of_examples(folder)
    by_program(folder, program)
    for name in ("finite_elements", "matrices", "mesh", "modal", "symbolic", "studies"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for k, (form, K, M) in enumerate(matrices()):
        for n, node_form in enumerate(NODES):
            first = bytes([MATRICES.index(form) + len(MATRICES) * n])
            parts = [K, nodes(node_form)] + ([M] if M else [])
            (folder / "finite_elements" / f"sound-{k}-{node_form}").write_bytes(first + "\f".join(parts).encode())
    K, M = stiffness(), mass()
    shape = "1 1 0.5\n1 2 -1\n2 1 0.25\n"
    for k in range(8):
        parts = [market(K, "symmetric"), nodes("txt"), market(M, "symmetric"), shape]
        (folder / "modal" / f"sound-{k}").write_bytes(bytes([k]) + "\f".join(parts).encode())
    for kind in ("symmetric", "general"):
        for damped in (0, 1):
            parts = [market(M, kind), market(K, kind)] + damped * [market(M, kind)]
            (folder / "matrices" / f"sound-{kind}-{damped}").write_text("\f".join(parts))
    for k, data in enumerate(meshes()):
        (folder / "mesh" / f"sound-{k}").write_bytes(bytes([k]) + data)
    for k, model in enumerate(MODELS):
        for what in (0, 1, 2, 5, 6, 10, 16):
            (folder / "symbolic" / f"sound-{k}-{what}").write_bytes(bytes([what]) + model.encode())
        parameter = model[len("parameters: {"):].partition(":")[0]
        for study, line in enumerate([f"{parameter}=0.5:2:3", "push", parameter]):
            (folder / "studies" / f"sound-{k}-{study}").write_bytes(bytes([study]) + f"{line}\f{model}".encode())


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
