#!/usr/bin/python3
"""Check reports against viewer/data.schema.json:  check_schema.py FILE...   (pages or JSON; needs jsonschema)

Beyond the schema: motions have an entry for every marker, conjugates refer to each other, names refer to what exists.
Exits 1 where something is wrong, 77 (skipped) without the jsonschema package."""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: there is no Python package jsonschema")
    sys.exit(77)

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "viewer" / "data.schema.json"
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
    markers = {m["name"] for m in data["markers"]}
    for marker in data["markers"]:
        if marker["body"] not in bodies:
            yield f"marker {marker['name']} sits on {marker['body']}, which is no body"
    for body in bodies - markers - {"ground"}:
        yield f"body {body} is no marker"
    for connection in data.get("connections", []):
        for name in connection["markers"]:
            if name is not None and name not in markers:
                yield f"{connection['kind']} {connection['name']} is at {name}, which is no marker"
    for k, mode in enumerate(data["modes"]):
        if "motion" in mode and len(mode["motion"]) != len(data["markers"]):
            yield f"mode {k} has {len(mode['motion'])} motions for {len(data['markers'])} markers"
        other = data["modes"][mode["conjugate"]] if mode.get("conjugate") is not None else mode
        re_, im = mode["eigenvalue"]
        if other["eigenvalue"] != [re_, -im]:
            yield f"mode {k} at {re_}, {im} names {other['eigenvalue']} its conjugate"


def problems(path, validator):
    try:
        data = load(path)
    except (OSError, ValueError) as error:
        return [str(error)]
    found = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(data)]
    return found or list(cross_references(data))


def main():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failed = False
    for path in sys.argv[1:]:
        found = problems(path, validator)
        failed = failed or bool(found)
        print(f"{'not ok' if found else 'ok'} {pathlib.Path(path).name}")
        for line in found[:20]:
            print(f"    {line}")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(1 if failed else 0)


main()
