#!/usr/bin/env python3
"""Draws modes as bars of magnitude and squares of phase over the position states, as Trom (1990, figures 5.4 to 5.12):

    draw_modes.py PROGRAM MODEL OUTPUT.svg FREQUENCY,.. [OPTION...]

FREQUENCY is the damped frequency in Hz of each mode to draw, the nearest is taken; OPTIONs such as --set NAME=VALUE go
to the program. A and the eigenvalues are the program's (routh linearize, routh modes); the eigenvector of each is found
by inverse iteration, and refused where A v is not lambda v. It is scaled so that its largest position is 1 at phase 0;
metres and radians stand side by side.
"""
import cmath
import json
import math
import pathlib
import subprocess
import sys

WIDTH, HEIGHT, LEFT, TOP, COLUMNS = 300, 130, 50, 44, 3


def ask(program, command, model, options):
    done = subprocess.run([program, command, model, "--json", "--quiet", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


# ---- eigenvectors ---------------------------------------------------------------------------------------------------


def solve(A, b):
    """Gauss with rows exchanged."""
    n = len(b)
    rows = [list(row) + [b[i]] for i, row in enumerate(A)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0j] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def eigenvector(A, value):
    n, size = len(A), max(abs(a) for row in A for a in row)
    near = value * (1 + 1e-9)
    shifted = [[A[i][j] - (near if i == j else 0) for j in range(n)] for i in range(n)]
    v = [complex(1, (7 * i) % 5) for i in range(n)]
    for _ in range(3):
        v = solve(shifted, v)
        largest = max(map(abs, v))
        v = [x / largest for x in v]
    off = max(abs(sum(a * x for a, x in zip(A[i], v)) - value * v[i]) for i in range(n))
    if off > 1e-9 * size:
        sys.exit(f"no eigenvector of {value}: A v is off by {off:.1e}")
    return v


# ---- the figure -----------------------------------------------------------------------------------------------------


def panel(states, mode, vector, left, top):
    largest = max(vector, key=abs)
    vector = [x / largest for x in vector]
    step = WIDTH / len(vector)
    out = [f'<text x="{left}" y="{top - 8}" font-weight="bold">{mode["damped_frequency_hz"]:.3f} Hz, damping '
           f'{100 * mode["damping_ratio"]:.1f} %</text>']
    for k in range(5):
        y = top + HEIGHT * (1 - k / 4)
        out += [f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" stroke="#ddd"/>',
                f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{k / 4:g}</text>',
                f'<text x="{left + WIDTH + 5}" y="{y + 4:.1f}">{-180 + 90 * k}</text>']
    for k, x in enumerate(vector):
        height = HEIGHT * abs(x)
        out.append(f'<rect x="{left + (k + 0.15) * step:.1f}" y="{top + HEIGHT - height:.1f}" width="{0.7 * step:.1f}" '
                   f'height="{height:.1f}" fill="#9ecae1"/>')
        if abs(x) > 1e-6:
            phase = round(math.degrees(cmath.phase(x)), 3)
            y = top + HEIGHT * (0.5 - phase / 360)
            out.append(f'<rect x="{left + (k + 0.5) * step - 2.5:.1f}" y="{y - 2.5:.1f}" width="5" height="5"/>')
        out.append(f'<text x="{left + (k + 0.5) * step:.1f}" y="{top + HEIGHT + 14}" text-anchor="middle" '
                   f'font-size="9">{k + 1}</text>')
    return out


def draw(title, states, chosen):
    rows = -(-len(chosen) // COLUMNS)
    pitch, wide = HEIGHT + 60, LEFT + WIDTH + 45
    legend = [f"{k + 1} {name}" for k, name in enumerate(states)]
    lines = [", ".join(legend[k:k + 7]) for k in range(0, len(legend), 7)]
    width, height = COLUMNS * wide, TOP + rows * pitch + 18 * len(lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="16">{title}: magnitude (bars, left) and phase in degrees (squares, right)</text>']
    for k, (mode, vector) in enumerate(chosen):
        out += panel(states, mode, vector, LEFT + wide * (k % COLUMNS), TOP + pitch * (k // COLUMNS))
    for k, line in enumerate(lines):
        out.append(f'<text x="{LEFT}" y="{TOP + rows * pitch + 18 * k}">{line}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__.split("\n\n")[1].strip())
    program, model, output, frequencies, *options = sys.argv[1:]
    linear = ask(program, "linearize", model, options)
    modes = ask(program, "modes", model, options)["modes"]
    n = linear["degrees_of_freedom"]["position"]
    chosen = []
    for frequency in map(float, frequencies.split(",")):
        mode = min((m for m in modes if m["eigenvalue"][1] > 0),
                   key=lambda m: abs(m["eigenvalue"][1] / 2 / math.pi - frequency))
        chosen.append((mode, eigenvector(linear["A"], complex(*mode["eigenvalue"]))[:n]))
    pathlib.Path(output).write_text(draw(linear["title"], linear["states"][:n], chosen))


if __name__ == "__main__":
    main()
