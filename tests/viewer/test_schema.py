#!/usr/bin/python3
"""Reports obey viewer/data.schema.json:  test_schema.py [FILE...]   (pages or JSON; needs jsonschema)

Without FILE: the viewer's sample, and what the program $ROUTH reports of every example where the page is built.
Beyond the schema: motions have an entry for every marker, conjugates refer to each other, names refer to what exists, no
page is larger than 1.5 MB. ROUTH_TEST_EFFORT above 1 takes a model of 602 modes, too.
Exits 1 where something is wrong, 77 (skipped) without the jsonschema package."""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: there is no Python package jsonschema")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
SCHEMA = ROOT / "viewer" / "data.schema.json"
SAMPLE = ROOT / "viewer" / "sample" / "rotor-stator.json"
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
MOST_BYTES = 1700000  # with the modes as the program's CSV has them, for the page to save
ELEMENT = re.compile(r'<script type="application/json" id="routh-data">(.*?)</script>', re.S)


def load(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):
        return json.loads(text)
    found = ELEMENT.findall(text)
    if len(found) != 1:
        raise ValueError(f"{len(found)} data elements instead of 1")
    if "<" in found[0]:
        raise ValueError("a < in the data is not escaped")
    return json.loads(found[0])


def cross_references(data):
    bodies = {b["name"] for b in data["bodies"]}
    markers = {m["name"] for m in data["markers"]} | {"ground"}
    for marker in data["markers"]:
        if marker["body"] not in bodies:
            yield f"marker {marker['name']} sits on {marker['body']}, which is no body"
    for body in bodies - markers:
        yield f"body {body} is no marker"
    for connection in data.get("connections", []):
        for name in connection["markers"]:
            if name is not None and name not in markers:
                yield f"{connection['kind']} {connection['name']} is at {name}, which is no marker"
    for k, mode in enumerate(data["modes"]):
        motion = mode.get("motion")
        if isinstance(motion, list) and len(motion) != len(data["markers"]):
            yield f"mode {k} has {len(motion)} motions for {len(data['markers'])} markers"
        for part in ("re", "im") if isinstance(motion, dict) else ():
            if part in motion and len(base64.b64decode(motion[part], validate=True)) != 12 * len(data["moved"]):
                yield f"mode {k} has not six numbers for each marker that moves"
        for kind, shares in mode.get("shares", {}).items():
            if shares and isinstance(shares[0], int) and (len(shares) % 2 or max(shares[::2]) >= len(data["share_names"])):
                yield f"mode {k} has {kind} energies of nothing"
        other = data["modes"][mode["conjugate"]] if mode.get("conjugate") is not None else mode
        re_, im = mode["eigenvalue"]
        if other["eigenvalue"] != [re_, -im]:
            yield f"mode {k} at {re_}, {im} names {other['eigenvalue']} its conjugate"
    yield from wrong_paths(data)


def wrong_paths(data):
    paths = data.get("paths")
    for path in paths["list"] if paths else ():
        terms = path["terms"]
        if len(terms) % 4 or any(i + j < 2 for i, j in zip(terms[::4], terms[1::4])):
            yield f"the path of mode {path['mode']} has terms that are none"
        n = sum(bin(mask).count("1") * size for mask, size in zip(terms[2::4], terms[3::4]))
        if len(base64.b64decode(path["data"], validate=True)) != n * len(paths["markers"]):
            yield f"the path of mode {path['mode']} has not the numbers that its terms say"
        if "motion" not in data["modes"][path["mode"]]:
            yield f"mode {path['mode']} has a path and no motion"


def missing_numbers(data):
    """What the program writes has every number of a mode that its table has."""
    table = json.loads((ROOT / "schema/routh-modes.schema.json").read_text(encoding="utf-8"))["$defs"]["mode"]
    shown = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["mode_values"]["properties"]
    for k, mode in enumerate(data["modes"]):
        for name in set(table["required"]) & set(shown) - set(mode):
            yield f"mode {k} has no {name}"


def problems(path, validator, by_program=False):
    try:
        data = load(path)
    except (OSError, ValueError) as error:
        return [str(error)]
    found = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(data)]
    if os.path.getsize(path) > MOST_BYTES:
        found.append(f"{os.path.getsize(path)} bytes are more than {MOST_BYTES}")
    return found or [*cross_references(data), *(missing_numbers(data) if by_program else ())]


def written_by_program(folder):
    """Pages of all examples, or of every third; one that is refused is missed when it is read."""
    program = os.environ.get("ROUTH", "")
    if not os.path.exists(program) or not (ROOT / "viewer" / "dist" / "report.html").exists():
        return []
    pages = []
    models = [*sorted((ROOT / "examples").glob("*.yaml")), ROOT / "examples" / "atv" / "atv.yaml"]
    if EFFORT <= 1:
        models = models[::3]
    else:
        models.append(pathlib.Path(folder, "hundred.yaml"))
        text = subprocess.run([program, "template", "flexible-double-pendulum", "elements=100"], check=True, capture_output=True)
        models[-1].write_bytes(text.stdout)
    for model in models:
        page = pathlib.Path(folder, model.stem + ".html")
        run = subprocess.run([program, "report", model, "--output", page], check=False, capture_output=True, text=True)
        if run.returncode != 0:
            print(f"    routh report {model.name} ended with {run.returncode}: {run.stderr.strip()}")
        pages.append(page)
    page = pathlib.Path(folder, "confirmed.html")
    subprocess.run([program, "report", "--verify", "--duration", "5", ROOT / "examples" / "four-bar.yaml", "--output", page],
                   check=False, capture_output=True)
    if "verification" not in load(page):
        sys.exit("the report of a verification does not hold it")
    responding = pathlib.Path(folder, "responding.html")
    subprocess.run([program, "report", "--response", "--psd", "road=1e-6/f^2", "--over", "0.1:60", ROOT / "examples" / "quarter-car-active.yaml",
                    "--output", responding], check=False, capture_output=True)
    if len(load(responding).get("response", {}).get("channels", [])) != 6:
        sys.exit("the report of a frequency response does not hold it")
    swept = pathlib.Path(folder, "swept.html")
    subprocess.run([program, "report", "--sweep", "spin=0:40:21", "--sweep", "inner=3:5:3", "--speed", "spin",
                    ROOT / "examples" / "jeffcott-rotor.yaml", "--output", swept], check=False, capture_output=True)
    if len(load(swept).get("sweep", {}).get("lines", [])) != 3:
        sys.exit("the report of a sweep does not hold it")
    periodic = pathlib.Path(folder, "periodic.html")
    subprocess.run([program, "report", "--floquet", "--period-of", "rate", ROOT / "examples" / "mathieu-pendulum.yaml", "--output", periodic],
                   check=False, capture_output=True)
    if [m["pair"] for m in load(periodic).get("floquet", {}).get("modes", [])] != [False, False]:
        sys.exit("the report of a periodic motion does not hold it")
    beside = pathlib.Path(folder, "beside.html")
    subprocess.run([program, "report", "--versus", "spin=3", ROOT / "examples" / "rotor-stator.yaml", "--output", beside], check=False,
                   capture_output=True)
    if [p["name"] for p in load(beside).get("comparison", {}).get("parameters", [])] != ["spin"]:
        sys.exit("the report of a comparison does not hold it")
    varied = pathlib.Path(folder, "varied.html")
    subprocess.run([program, "report", "--sensitivity", ROOT / "examples" / "quarter-car-active.yaml", "--output", varied], check=False,
                   capture_output=True)
    if len(load(varied).get("sensitivity", {}).get("modes", [])) != 4:
        sys.exit("the report of sensitivities does not hold them")
    return [*pages, page, responding, swept, periodic, beside, varied]


def pictures_of_the_page():
    """Those that data.ts knows and so, by its types, the page draws."""
    found = re.search(r"export type Picture = (.*);", (ROOT / "viewer" / "src" / "data.ts").read_text(encoding="utf-8"))
    return re.findall(r"'(\w+)'", found[1])


def main():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    pictures = schema["$defs"]["connection"]["properties"]["picture"]["enum"]
    failed = pictures_of_the_page() != pictures
    print(f"{'not ok' if failed else 'ok'} the pictures of the schema are those of the page")
    with tempfile.TemporaryDirectory() as folder:
        named = [name for name in sys.argv[1:] if name != "-v"]  # by CMake it has -v
        files = named or [SAMPLE, *written_by_program(folder)]
        for path in files:
            found = problems(path, validator, by_program=path != SAMPLE)
            failed = failed or bool(found)
            print(f"{'not ok' if found else 'ok'} {pathlib.Path(path).name}")
            for line in found[:20]:
                print(f"    {line}")
    sys.exit(1 if failed else 0)


main()
