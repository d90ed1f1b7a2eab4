"""Draws bench/results/growth.svg, methods.svg and flexible.svg from the CSV files there and puts the figures into docs/bench.md."""
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

# methods.svg: rows of panels by model, columns by coordinate set
METHODS = (("augmented", "#d62728"), ("minimal:sparse", "#1f77b4"), ("minimal:qr", "#17becf"), ("redundant", "#2ca02c"),
           ("penalty", "#9467bd"), ("difference", "#7f7f7f"))
MODELS = (("methods-four-bar", "four-bar: N loops"), ("methods-chain", "pendulum-chain with springs: n links"),
          ("methods-control", "pendulum-chain with a PID controller in each hinge: n links"))

# flexible.svg: columns of flexible.csv, and seconds of Table 4 of Gonzalez et al. (2017), with all eigenvalues
FLEXIBLE = (("compile_s", "compile", "#2ca02c"), ("equilibrium_s", "equilibrium", "#1f77b4"),
            ("descriptor_s", "descriptor system", "#7f7f7f"), ("near_s", "ten modes near 1e5 rad/s", "#9467bd"),
            ("road_s", "all of these", "#d62728"))
TABLE_4 = {10: ("0.015", "0.020", "0.019"), 25: ("0.185", "0.176", "0.170"), 50: ("1.338", "1.229", "1.219"),
           75: ("6.411", "5.800", "5.388"), 100: ("17.940", "16.072", "14.228")}

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


def coordinate_sets(rows):
    return list(dict.fromkeys(r["coordinates"] for r in rows))


def speed_requirements(rows):
    """Linearization and eigenvalues of the four-bar chain of 20 loops."""
    lines = []
    for coordinates, method, limit in (("natural", "redundant", 2), ("absolute", "redundant", 2),
                                       ("natural", "penalty", 2), ("absolute", "penalty", 2)):
        for r in rows:
            if (r["size"], r["coordinates"], r["method"]) == ("20", coordinates, method) and r["linearize_us"]:
                lines.append(judged(f"four-bar, N = 20, {coordinates} coordinates, {method}: linearization and eigenvalues",
                                    float(r["linearize_and_modes_us"]) / 1e3, " ms", limit))
    return lines


def repeated_requirements(linearizer, joint_space, sensitivity):
    natural = next(r for r in linearizer if (r["coordinates"], r["N"]) == ("natural", "20"))
    tree = next(r for r in joint_space if r["floating"] == "0")
    derivatives = [judged(f"derivatives of all {r['states']} eigenvalues of a chain by its {r['parameters']} parameters, in linearizations with eigenvalues",
                          float(r["ratio"]), "", 2) for r in sensitivity if (r["coordinates"], r["parameters"]) == ("absolute", "50")]
    return [*derivatives,
            judged("four-bar, N = 20, natural coordinates, minimal:sparse, again and again: linearization and eigenvalues",
                   float(natural["run_and_modes_us"]), " microseconds", 60),
            judged("humanoid of 30 hinges, A and B in joint space", float(tree["a_and_b_us"]), " microseconds", 30)]


def shown(row):
    if row is None or row["refused"].startswith("left out"):
        return "-"
    return format(float(row["linearize_us"]) / 1e3, ".3g") if row["linearize_us"] else "no"


def method_tables(rows, key):
    sizes = sorted({int(r["size"]) for r in rows})
    cells = {(r["coordinates"], r["method"], int(r["size"])): r for r in rows}
    lines = []
    for coordinates in coordinate_sets(rows):
        first = "*" + coordinates + "*"
        lines += ["", f"| {first} | " + " | ".join(f"{key} = {n}" for n in sizes) + " |",
                  "|---|" + "--:|" * len(sizes)]
        columns = {n: next((r["columns"] for r in rows if r["coordinates"] == coordinates and int(r["size"]) == n and
                            r["columns"]), "") for n in sizes}
        lines.append("| variables | " + " | ".join(columns[n] for n in sizes) + " |")
        for method in dict.fromkeys(r["method"] for r in rows):
            lines.append(f"| {method} | " + " | ".join(shown(cells.get((coordinates, method, n))) for n in sizes) + " |")
    return lines


def choice(z):
    """The rule of src/linear/choose.c for models like these: bodies of like masses, no loads that use joint reactions."""
    return "minimal:sparse" if z <= 40 else "augmented"


def regret(tables):
    """How much slower than the fastest exact method: the rule's, and always augmented; means and worst."""
    out = {"auto": [], "augmented": []}
    for rows in tables:
        for key in dict.fromkeys((r["coordinates"], r["size"]) for r in rows):
            cells = {r["method"]: r for r in rows if (r["coordinates"], r["size"]) == key and r["linearize_us"]}
            exact = {m: float(r["linearize_us"]) for m, r in cells.items() if m not in ("penalty", "difference")}
            if "augmented" not in exact:
                continue
            chosen = choice(int(cells["augmented"]["states"]) // 2)
            out["auto"].append(exact[chosen] / min(exact.values()))
            out["augmented"].append(exact["augmented"] / min(exact.values()))
    lines = ["| taken | slower than the fastest exact method, mean | worst |", "|---|--:|--:|"]
    for name, ratios in out.items():
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        lines.append(f"| {name} | {100 * (mean - 1):.1f} % | {100 * (max(ratios) - 1):.0f} % |")
    return lines


def evaluate_table(rows):
    lines = ["| case | coordinates | exponent of evaluate | of fill | entries | at most | |", "|---|---|--:|--:|--:|--:|---|"]
    for case in dict.fromkeys(r["case"] for r in rows):
        for coordinates in coordinate_sets(rows):
            own = [dict(r, size=r["bodies"]) for r in rows
                   if r["case"] == case and r["coordinates"] == coordinates and r["evaluate_us"]]
            if len(own) < 2:
                continue
            fits = [exponents(own, column, 10, 10000)[0] for column in ("evaluate_us", "fill_us", "entries")]
            full = case == "chain" and coordinates == "relative"
            verdict = "" if full else "met" if fits[0] <= 1.15 else "**missed**"
            lines.append(f"| {case}, 10 to {own[-1]['bodies']} bodies | {coordinates} | " +
                         " | ".join(f"{f:.2f}" for f in fits) + f" | {'full by nature' if full else '1.15'} | {verdict} |")
    return lines


def with_road(rows):
    steps = [column for column, _, _ in FLEXIBLE[:-1]]
    return [{**row, "size": row["elements"], "road_s": sum(float(row[c]) for c in steps)} for row in rows]


def flexible_text(about, rows):
    fit, ends = exponents(rows, "road_s", 100, 20000)
    hundred = next(row for row in rows if row["elements"] == "100")
    lines = ["![Time of each step against elements a link](../bench/results/flexible.svg)", "",
             "Two hanging links of n_p elements each (Gonzalez et al. 2017, section 4.2), seconds of the processor. Machine: "
             + "; ".join(about) + ".", "",
             "Whether an equilibrium is stable is told by the pivots of a sparse factorization; by dense matrices, as before, it took "
             "12 and 60 ms at",
             "25 and 50 elements. From 10 000 elements on the lowest frequencies are hidden by rounding beside the stiffest",
             "parts, and are refused; the times of Table 4 are those of all eigenvalues, on the paper's machine.", "",
             "| What | Measured | At most | |", "|---|---|---|---|",
             judged("growth exponent from model to ten modes near 1e5 rad/s, n_p = 100 to 20 000: fit", fit, "", 1.2),
             judged("growth exponent from the first to the last size", ends, "", 1.2),
             judged("n_p = 100: its ten lowest modes, from the descriptor system", 1e3 * float(hundred["modes_s"]), " ms", 5),
             "", "| n_p | unknowns | compile | equilibrium | descriptor | ten lowest | lowest, rad/s | ten near 1e5 rad/s "
             "| Table 4: MCS, RCS, UCS |", "|--:|--:|--:|--:|--:|--:|--:|--:|---|"]
    for row in rows:
        times = [f"{float(row[c]):.3g}" for c in ("compile_s", "equilibrium_s", "descriptor_s", "modes_s")]
        lowest = row["lowest"] and f"{float(row['lowest']):.9g} +- {float(row['error_bound']):.1g}"
        cells = [row["elements"], row["unknowns"], *times, lowest or "refused", f"{float(row['near_s']):.3g}",
                 ", ".join(TABLE_4.get(int(row["elements"]), ()))]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def write_page(about, templates, four_bar, chain, methods, evaluated, repeated, flexible):
    begin, end = "<!-- figures: written by bench/plot.py -->", "<!-- end of figures -->"
    text = PAGE.read_text()
    head, tail = text[:text.index(begin)], text[text.index(end):]
    wanted = requirements(templates, four_bar) + speed_requirements(methods[0]) + repeated
    lines = [begin, "", "Machine: " + "; ".join(about) + ".", ""] + wanted
    lines += ["", "Every template as it comes, microseconds:", ""] + template_table(templates)
    lines += ["", "four-bar by its number of loops, milliseconds:", ""] + growth_table(four_bar)
    lines += ["", "pendulum-chain by its number of links, milliseconds:", ""] + growth_table(chain)
    lines += ["", "## Every coordinate set by every method", "",
              "![Time of the linearization by every method](../bench/results/methods.svg)", "",
              "Linearization of the four-bar chain, milliseconds:"] + method_tables(methods[0], "N")
    lines += ["", "Linearization of the pendulum chain with a spring in each hinge, milliseconds:"]
    lines += method_tables(methods[1], "n")
    lines += ["", "The same chain with a PID controller in each hinge instead, of two states each, an input and an output:"]
    lines += method_tables(methods[2], "n")
    lines += ["", "What the rule of `--method auto` ([decision](adr/0017-method-auto.md)) costs in these cells:", ""]
    lines += regret(methods[:2]) + ["", "## Growth of M, K, D and G", ""] + evaluate_table(evaluated)
    lines += ["", "## The flexible double pendulum", ""] + flexible_text(*flexible) + ["", ""]
    PAGE.write_text(head + "\n".join(lines) + tail)
    print("\n".join(wanted + regret(methods[:2]) + evaluate_table(evaluated)))


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


def draw_flexible(rows):
    left, top, width, height, times = 70, 20, 520, 330, (1e-5, 1e2)

    def x(size):
        return left + width * math.log10(size / 5) / math.log10(8000)

    def y(time):
        return top + height * (1 - math.log10(time / times[0]) / math.log10(times[1] / times[0]))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{top + height + 40}" '
           f'viewBox="0 0 {left + width + 20} {top + height + 40}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left + width}" y="{top + height + 34}" text-anchor="end">elements a link</text>']
    for size in (10, 100, 1000, 10000):
        out += [f'<line x1="{x(size):.1f}" y1="{top}" x2="{x(size):.1f}" y2="{top + height}" stroke="#ddd"/>',
                f'<text x="{x(size):.1f}" y="{top + height + 16}" text-anchor="middle">{size}</text>']
    for k in range(round(math.log10(times[1] / times[0])) + 1):
        time = times[0] * 10 ** k
        out += [f'<line x1="{left}" y1="{y(time):.1f}" x2="{left + width}" y2="{y(time):.1f}" stroke="#ddd"/>',
                f'<text x="{left - 6}" y="{y(time) + 4:.1f}" text-anchor="end">{time:g} s</text>']
    lines = [(name, colour, [(float(r["size"]), float(r[column])) for r in rows]) for column, name, colour in FLEXIBLE]
    lines.append(("Table 4, MCS: all eigenvalues", "black", [(n, float(t[0])) for n, t in TABLE_4.items()]))
    for k, (name, colour, points) in enumerate(lines):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.4" fill="{colour}"/>' for a, b in points]
        out += [f'<rect x="{left + width - 200}" y="{top + height - 106 + 16 * k}" width="12" height="3" fill="{colour}"/>',
                f'<text x="{left + width - 182}" y="{top + height - 101 + 16 * k}">{name}</text>']
    (RESULTS / "flexible.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def draw(tables):
    width, height = 2 * (LEFT + WIDTH) + GAP, TOP + HEIGHT + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for k, ((_, title), rows) in enumerate(zip(PANELS, tables)):
        out += panel(rows, title, LEFT + k * (LEFT + WIDTH + GAP // 2), k == 0)
    (RESULTS / "growth.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def method_panel(rows, title, coordinates, left, top, labels):
    width, height, times = 260, 220, (1e-5, 1e1)
    own = [r for r in rows if r["coordinates"] == coordinates and r["linearize_us"]]
    decades = math.ceil(math.log10(max(int(r["size"]) for r in rows)))

    def x(size):
        return left + width * math.log10(size) / decades

    def y(time):
        return top + height * (1 - math.log10(max(time, times[0]) / times[0]) / math.log10(times[1] / times[0]))

    out = [f'<text x="{left}" y="{top - 8}" font-weight="bold">{coordinates}</text>',
           f'<text x="{left}" y="{top - 24}">{title}</text>']
    for k in range(decades + 1):
        out += [f'<line x1="{x(10 ** k):.1f}" y1="{top}" x2="{x(10 ** k):.1f}" y2="{top + height}" stroke="#ddd"/>',
                f'<text x="{x(10 ** k):.1f}" y="{top + height + 16}" text-anchor="middle">{10 ** k}</text>']
    for k in range(round(math.log10(times[1] / times[0])) + 1):
        time = times[0] * 10 ** k
        out.append(f'<line x1="{left}" y1="{y(time):.1f}" x2="{left + width}" y2="{y(time):.1f}" stroke="#ddd"/>')
        if labels:
            out.append(f'<text x="{left - 6}" y="{y(time) + 4:.1f}" text-anchor="end">{time:g} s</text>')
    for k, (method, colour) in enumerate(METHODS):
        points = [(x(int(r["size"])), y(1e-6 * float(r["linearize_us"]))) for r in own if r["method"] == method]
        if points:
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2" fill="{colour}"/>' for a, b in points]
        if labels:
            below = top + height - 15 * (len(METHODS) - k)
            out += [f'<rect x="{left + width - 118}" y="{below}" width="12" height="3" fill="{colour}"/>',
                    f'<text x="{left + width - 100}" y="{below + 5}">{method}</text>']
    return out


def draw_methods(methods):
    columns = max(len(coordinate_sets(rows)) for rows in methods)
    width, height = 70 + columns * 285, len(methods) * 290 + 28
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (rows, (_, title)) in enumerate(zip(methods, MODELS)):
        for j, coordinates in enumerate(coordinate_sets(rows)):
            out += method_panel(rows, title if j == 0 else "", coordinates, 60 + 285 * j, 44 + 290 * i, j == 0)
    (RESULTS / "methods.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    about, templates = read("templates.csv")
    tables = [read(name + ".csv")[1] for name, _ in PANELS]
    methods = [read(name + ".csv")[1] for name, _ in MODELS]
    draw(tables)
    draw_methods(methods)
    about_flexible, flexible = read("flexible.csv")
    flexible = with_road(flexible)
    draw_flexible(flexible)
    write_page(about, templates, *tables, methods, read("evaluate.csv")[1],
               repeated_requirements(read("linearizer.csv")[1], read("joint-space.csv")[1], read("sensitivity.csv")[1]), (about_flexible, flexible))


if __name__ == "__main__":
    main()
