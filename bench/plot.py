"""Draws bench/results/growth.svg from the CSV files there and puts the figures into docs/bench.md."""
import csv
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results"
PAGE = ROOT / "docs/bench.md"

SERIES = (("read_s", "read", "#7f7f7f"), ("compile_s", "compile", "#2ca02c"),
          ("operating_point_s", "operating point", "#1f77b4"), ("linearize_s", "linearize", "#d62728"),
          ("modes_s", "modes", "#9467bd"))
PANELS = (("four-bar", "four-bar: N loops, one degree of freedom"),
          ("pendulum-chain", "pendulum-chain: n degrees of freedom"))

WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 300, 70, 50, 70
TIMES = (1e-6, 1e2)


def read(name):
    lines = (RESULTS / name).read_text().splitlines()
    about = [line[2:] for line in lines if line.startswith("#")]
    return about, list(csv.DictReader(line for line in lines if not line.startswith("#")))


# ---- figures ---------------------------------------------------------------------------------------------------

def slope(points):
    """Least squares of log y = a + p log x."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def exponents(rows, column, least, most):
    points = [(float(r["size"]), float(r[column])) for r in rows if least <= float(r["size"]) <= most]
    (x0, y0), (x1, y1) = points[0], points[-1]
    return slope(points), math.log(y1 / y0) / math.log(x1 / x0)


def judged(what, value, unit, limit):
    return f"| {what} | {value:.3g}{unit} | {limit:g}{unit} | {'met' if value <= limit else '**missed**'} |"


def requirements(templates, four_bar):
    rotor = next(r for r in templates if r["template"] == "rotor-stator")
    largest = next(r for r in four_bar if r["size"] == "10000")
    to_linear = sum(float(largest[c]) for c in ("read_s", "compile_s", "operating_point_s", "linearize_s"))
    fit, ends = exponents(four_bar, "linearize_s", 100, 10000)
    bodies, rows, redundant = (format(int(largest[c]), ",").replace(",", " ") for c in ("bodies", "rows", "redundant"))
    return ["| What | Measured | At most | |", "|---|---|---|---|",
            judged("rotor-stator: linearized, with energy shares and markers, and its modes",
                   float(rotor["linearize_and_modes_us"]) / 1e3, " ms", 0.3),
            judged(f"four-bar, N = 10 000 ({bodies} bodies, {rows} constraint rows, {redundant} of them redundant): "
                   "read, compiled, equilibrium found, linearized", to_linear, " s", 10),
            judged("its memory, modes included", float(largest["peak_mb"]), " MB", 2000),
            judged("growth exponent of the linearization, N = 100 to 10 000: fit", fit, "", 1.15),
            judged("growth exponent from the first to the last size", ends, "", 1.15)]


def template_table(rows):
    lines = ["| Template | bodies | rows | dof | read | compile | operating point | linearize | modes |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for r in rows:
        lines.append("| " + " | ".join(
            [r["template"], r["bodies"], r["rows"], r["dof"]] +
            [format(float(r[c]), ".0f") for c in ("read_us", "compile_us", "operating_point_us", "linearize_us",
                                                  "modes_us")]) + " |")
    return lines


def growth_table(rows):
    lines = ["| size | bodies | rows | read | compile | operating point | linearize | modes | peak MB |",
             "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for r in rows:
        times = [format(1e3 * float(r[c]), ".3g" if float(r[c]) < 1 else ".0f") for c, _, _ in SERIES]
        lines.append("| " + " | ".join([r["size"], r["bodies"], r["rows"]] + times + [f"{float(r['peak_mb']):.0f}"]) +
                     " |")
    return lines


def write_page(about, templates, four_bar, chain):
    begin, end = "<!-- figures: written by bench/plot.py -->", "<!-- end of figures -->"
    text = PAGE.read_text()
    head, tail = text[:text.index(begin)], text[text.index(end):]
    lines = [begin, "", "Machine: " + "; ".join(about) + ".", ""] + requirements(templates, four_bar)
    lines += ["", "Every template as it comes, microseconds:", ""] + template_table(templates)
    lines += ["", "four-bar by its number of loops, milliseconds:", ""] + growth_table(four_bar)
    lines += ["", "pendulum-chain by its number of links, milliseconds:", ""] + growth_table(chain) + ["", ""]
    PAGE.write_text(head + "\n".join(lines) + tail)
    print("\n".join(requirements(templates, four_bar)))


# ---- picture ---------------------------------------------------------------------------------------------------

def panel(rows, title, left, labels):
    sizes = [float(r["size"]) for r in rows]
    decades = math.ceil(math.log10(max(sizes)))
    span = math.log10(TIMES[1] / TIMES[0])

    def x(size):
        return left + WIDTH * math.log10(size) / decades

    def y(time):
        return TOP + HEIGHT * (1 - math.log10(max(time, TIMES[0]) / TIMES[0]) / span)

    out = [f'<text x="{left}" y="{TOP - 12}" font-weight="bold">{title}</text>']
    for k in range(decades + 1):
        out += [f'<line x1="{x(10 ** k):.1f}" y1="{TOP}" x2="{x(10 ** k):.1f}" y2="{TOP + HEIGHT}" stroke="#ddd"/>',
                f'<text x="{x(10 ** k):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{10 ** k}</text>']
    for k in range(round(span) + 1):
        time = TIMES[0] * 10 ** k
        out += [f'<line x1="{left}" y1="{y(time):.1f}" x2="{left + WIDTH}" y2="{y(time):.1f}" stroke="#ddd"/>',
                f'<text x="{left - 6}" y="{y(time) + 4:.1f}" text-anchor="end">{time:g} s</text>']
    first = float(rows[-1]["linearize_s"]) / max(sizes)
    out.append(f'<line x1="{x(1):.1f}" y1="{y(first):.1f}" x2="{x(max(sizes)):.1f}" y2="{y(first * max(sizes)):.1f}" '
               'stroke="#d62728" stroke-dasharray="2 4"/>')
    for column, name, colour in SERIES:
        points = [(x(size), y(float(r[column]))) for size, r in zip(sizes, rows)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.4" fill="{colour}"/>' for a, b in points]
    for k, (_, name, colour) in enumerate(SERIES if labels else ()):
        out += [f'<rect x="{left + 10}" y="{TOP + 10 + 16 * k}" width="12" height="3" fill="{colour}"/>',
                f'<text x="{left + 28}" y="{TOP + 15 + 16 * k}">{name}</text>']
    if labels:
        out.append(f'<text x="{left + 10}" y="{TOP + 15 + 16 * len(SERIES)}">dotted: proportional to size</text>')
    return out


def draw(tables):
    width, height = 2 * (LEFT + WIDTH) + GAP, TOP + HEIGHT + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for k, ((_, title), rows) in enumerate(zip(PANELS, tables)):
        out += panel(rows, title, LEFT + k * (LEFT + WIDTH + GAP // 2), k == 0)
    (RESULTS / "growth.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    about, templates = read("templates.csv")
    tables = [read(name + ".csv")[1] for name, _ in PANELS]
    draw(tables)
    write_page(about, templates, *tables)


if __name__ == "__main__":
    main()
