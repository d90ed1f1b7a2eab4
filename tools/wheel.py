#!/usr/bin/env python3
"""The wheel that is passed on: wheel.py finish WHEEL adds the licences of what it bundles, wheel.py check WHEEL refuses one that
bundles a part under the GPL or a network library, or that needs what it does not bring.

What a library is under stands in docs/licences.md; Debian's copyright file of its package goes into the wheel.
"""
import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"
DOC = pathlib.Path("/usr/share/doc")
UNPACKED = ROOT / ".packages/libsundials-dev/usr/share/doc"
# In the wheel as archives: linked into the module and the program.
ARCHIVES = ("libhdf5_serial", "libmatio", "libsz", "libaec")
# What every Linux has, as the standard of such wheels (PEP 600) says.
SYSTEM = re.compile(r"^(lib(c|m|dl|rt|pthread|util|resolv|z|gcc_s|stdc\+\+)\.so\.\d+|ld-linux[\w-]*\.so\.\d+)$")
NETWORK = re.compile(r"^lib(curl.*|ssl|gnutls|nghttp2|rtmp|ssh2|ldap.*|lber.*|gssapi_krb5|krb5|k5crypto|sasl2|psl|idn2|nettle|hogweed)$")
NAMES = {"libopenblasp-r0": "libopenblas"} # the file's name and the one it is linked by


class Refused(Exception):
    pass


def libraries(page):
    """name without its version -> (Debian package, licence) of the page's tables."""
    return {name.split(".so")[0]: (package, re.sub(r" \(\d\)", "", licence).replace("*", ""))
            for name, package, licence in re.findall(r"(?m)^\| (lib\S+) \| (\S+) \| ([^|]+?) \|", page)}


def bundled(names):
    """file in the wheel -> the library's name without hash and version."""
    found = {}
    for name in names:
        match = re.search(r"\.libs/(lib[^/]+?)-[0-9a-f]{8}\.", name)
        if match:
            found[name] = NAMES.get(match.group(1), match.group(1))
        elif ".libs/" in name and not name.endswith("/"):
            found[name] = pathlib.PurePath(name).name
    return found


def needed(data):
    """The libraries that an ELF file asks for."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        said = subprocess.run(["readelf", "-d", file.name], capture_output=True, text=True, check=True).stdout
    return re.findall(r"NEEDED.*\[([^\]]+)\]", said)


def faults(files, known):
    """What is wrong with a wheel of these files (name -> bytes)."""
    found = []
    brought = bundled(files)
    for name, library in sorted(brought.items()):
        if library not in known:
            found.append(f"{name}: docs/licences.md does not name {library}")
        elif re.match(r"GPL[^ ]*$", known[library][1]):
            found.append(f"{name}: {library} is under {known[library][1]}")
        if NETWORK.match(library):
            found.append(f"{name}: {library} is a network library")
    there = {pathlib.PurePath(name).name for name in brought}
    for name, data in sorted(files.items()):
        if data[:4] == b"\x7fELF":
            found += [f"{name}: needs {other}, which the wheel does not bring" for other in needed(data)
                      if other not in there and not SYSTEM.match(other)]
    return found


def read(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def check(wheel):
    files = read(wheel)
    wrong = faults(files, libraries(PAGE.read_text()))
    if not any(data[:4] == b"\x7fELF" for data in files.values()):
        wrong.append("there is no program and no module in it")
    if wrong:
        raise Refused("\n".join(wrong))
    print(f"{pathlib.Path(wheel).name}: {len(bundled(files))} libraries bundled, none under the GPL, none for networks")


def copyright_of(package):
    for folder in (DOC, UNPACKED):
        if (folder / package / "copyright").exists():
            return (folder / package / "copyright").read_bytes()
    raise Refused(f"the copyright file of {package} is not on this system")


def expression(licences):
    """All of them together, in the notation of SPDX."""
    parts = []
    for licence in licences:
        if licence == "no restrictions":
            continue
        for part in [f"({licence})"] if " OR " in licence else licence.split(" AND "):
            if part not in parts:
                parts.append(part)
    return " AND ".join(parts)


def finish(wheel):
    wheel = pathlib.Path(wheel)
    files = read(wheel)
    known = libraries(PAGE.read_text())
    inside = sorted(set(bundled(files).values()) | set(ARCHIVES))
    packages = {known[name][0]: known[name][1] for name in inside}
    if not any("sundials" in name for name in inside):
        packages["libsundials-dev"] = "BSD-3-Clause"
    (metadata,) = [name for name in files if name.endswith(".dist-info/METADATA")]
    folder = metadata.rpartition("/")[0]
    added = {f"{folder}/licenses/third-party/{package}.txt": copyright_of(package) for package in sorted(packages)}
    head, _, body = files[metadata].decode().partition("\n\n")
    head = re.sub(r"(?m)^License-Expression: .*$",
                  "License-Expression: " + expression(["BSD-3-Clause", "MIT", *packages.values()]), head)
    head += "".join(f"\nLicense-File: third-party/{package}.txt" for package in sorted(packages))
    rewrite(wheel, {**added, metadata: f"{head}\n\n{body}".encode()})
    print(f"{wheel.name}: with the licences of {len(packages)} packages")


def rewrite(wheel, changed):
    """The wheel with these files added or in place of others, and its record of all files renewed."""
    beside = wheel.with_suffix(".tmp")
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as after:
        (record,) = [name for name in before.namelist() if name.endswith(".dist-info/RECORD")]
        rows = []

        def put(info, data):
            after.writestr(info, data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append((info.filename, f"sha256={digest}", len(data)))
        for info in before.infolist():
            if not info.is_dir() and info.filename != record:
                put(info, changed.pop(info.filename, None) or before.read(info))
        for name, data in changed.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            put(info, data)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
        after.writestr(before.getinfo(record), text.getvalue(), zipfile.ZIP_DEFLATED)
    beside.replace(wheel)


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("finish", "check"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        {"finish": finish, "check": check}[arguments[0]](arguments[1])
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
