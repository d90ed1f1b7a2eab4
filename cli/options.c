#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "say.h"

typedef enum option_kind {
    IS_FLAG,
    IS_TEXT,
    IS_COUNT,
    IS_NEAR,
    IS_SETTING,
    IS_VARIANT,
    IS_LIBRARY,
    IS_UNITS,
    IS_VERSUS,
    IS_AT,
    IS_INTERFACE,
    IS_ALONG,
    IS_PENALTY,
    IS_POSITIVE,
    IS_DISSIPATION,
    IS_RANGE,
    IS_OVER,
    IS_COLOUR
} option_kind;

typedef struct option {
    const char *name;
    char letter;
    option_kind kind;
    int groups;
    size_t field; /* in options */
    const char *argument;
    const char *help;
} option;

#define FIELD(name) offsetof(options, name)

static const option table[] = {
    {"set", 0, IS_SETTING, FOR_SETTINGS, 0, "NAME=VALUE",
     "set a model parameter, or a coordinate of a joint (crank.angle), to an expression; may be "
     "repeated"},
    {"variant", 0, IS_VARIANT, FOR_PARTS, 0, "[PART=]NAME",
     "choose one of the variants of the model, or of a part (axle.left=winter); may be repeated"},
    {"library", 0, IS_LIBRARY, FOR_PARTS, 0, "FOLDER",
     "look for part files there too, before the folders of ROUTH_LIBRARY; may be repeated"},
    {"allow-plugins", 0, IS_FLAG, FOR_PARTS, FIELD(allow_plugins), NULL,
     "load the libraries that the model names for its functions; they run code"},
    {"versus", 0, IS_VERSUS, FOR_COMPARE, 0, "NAME=VALUE",
     "parameter of the second model only, or variant of a part (variant=NAME: of the model); may "
     "be "
     "repeated"},
    {"over", 0, IS_ALONG, FOR_SWEEP, 0, "NAME=VALUES",
     "parameter and its values: from:to:count, log:from:to:count or a list; give it twice for a "
     "map"},
    {"sweep", 0, IS_ALONG, FOR_REPORT, 0, "NAME=VALUES",
     "add modes over this parameter, with values as in routh sweep --over; give it twice for a "
     "map"},
    {"speed", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(speed), "NAME",
     "parameter that is the rotation speed in rad/s; critical speeds are computed"},
    {"orders", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(orders), "N,...",
     "with --speed: excitation orders N, where a frequency equals N times the speed (default 1); 0 "
     "finds zero frequencies"},
    {"damping-ratio", 0, IS_POSITIVE, FOR_SWEEP | FOR_REPORT, FIELD(damping_ratio), "X",
     "also find the parameter values at which a damping ratio equals X"},
    {"boundary", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(boundary), "NAME=A:B",
     "continue stability limits, critical speeds, damping ratios and meetings over a second "
     "parameter from A to B, as curves"},
    {"solve", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(solve), "WHAT,...",
     "what to solve for between the values: limits (of stability), critical (speeds), crossings, "
     "veerings, all or none (default limits,critical)"},
    {"below", 0, IS_POSITIVE, FOR_SWEEP, FIELD(sweep_below), "HZ",
     "distinguish modes, and find crossings and veerings, only below this frequency (default: "
     "all); stability limits are always those of all modes"},
    {"points", 0, IS_COUNT, FOR_SWEEP | FOR_REPORT, FIELD(points), "N",
     "bound on the operating points between the values, per value (default 16); what is left out "
     "is reported"},
    {"svg", 0, IS_TEXT, FOR_SWEEP, FIELD(svg), "FILE",
     "plot frequencies, damping and root locus to FILE (SVG); a map with two parameters"},
    {"study", 0, IS_TEXT, FOR_OPTIMISE, FIELD(study), "FILE",
     "study (YAML): design parameters, their bounds, and the goals"},
    {"log", 0, IS_TEXT, FOR_OPTIMISE, FIELD(log), "FILE",
     "write one line per evaluation to FILE during the run"},
    {"resume", 0, IS_TEXT, FOR_OPTIMISE, FIELD(resume_log), "FILE",
     "resume the run whose log is FILE and append to it"},
    {"algorithm", 0, IS_TEXT, FOR_OPTIMISE, FIELD(algorithm), "NAME",
     "algorithm, instead of the study's: "},
    {"evaluations", 0, IS_COUNT, FOR_OPTIMISE, FIELD(evaluations), "N",
     "maximum number of evaluations, those of a resumed log included (default: the study's, or "
     "500)"},
    {"time", 0, IS_POSITIVE, FOR_OPTIMISE, FIELD(seconds), "TIME",
     "start no evaluation after TIME s (default: the study's)"},
    {"write-model", 0, IS_TEXT, FOR_OPTIMISE, FIELD(write_model), "FILE",
     "also write the model with the optimal parameter values to FILE"},
    {"at", 0, IS_AT, FOR_CHECK | FOR_SWEEP | FOR_OPTIMISE, 0, "given|static|steady",
     "operating point: given (initial state, assembled), static (equilibrium), steady (motion); "
     "default: the model's"},
    {"at", 0, IS_AT, FOR_MODEL, 0, "POINT",
     "operating point: given (initial state, assembled), static (equilibrium), steady (motion), "
     "FILE.json (a saved state), time=T[,T...] (simulated); default: the model's; may be repeated"},
    {"accept-unstable", 0, IS_FLAG, FOR_MODEL | FOR_CHECK, FIELD(accept_unstable), NULL,
     "static: accept an unstable equilibrium, with a warning, instead of searching for a stable "
     "one "
     "beside it"},
    {"from", 0, IS_TEXT, FOR_MODEL, FIELD(from), "POINT",
     "with --at time=T, static or steady: where the simulation or the search begins: given, "
     "static, "
     "steady or FILE.json (default: the model's initial state)"},
    {"fit", 0, IS_POSITIVE, FOR_MODEL, FIELD(fit), "X",
     "largest correction of a saved state to satisfy the joints, relative to the typical length, "
     "in rad, or relative to the largest speed (default 1e-6)"},
    {"save-state", 0, IS_TEXT, FOR_MODEL, FIELD(save_state), "FILE",
     "also write the state of the operating point to FILE, for --at FILE.json"},
    {"coordinates", 0, IS_TEXT, FOR_MODEL | FOR_SWEEP | FOR_OPTIMISE, FIELD(coordinates), "NAME",
     "coordinate set: "},
    {"method", 0, IS_TEXT, FOR_LINEAR | FOR_OPTIMISE, FIELD(method), "NAME",
     "linearization method: auto (the fastest exact one), "},
    {"penalty", 0, IS_PENALTY, FOR_LINEAR, 0, "NAME=X,...",
     "parameters of the penalty method, such as alpha=1e6,xi=1,omega=10"},
    {"reference", 0, IS_TEXT, FOR_LINEAR | FOR_CHECK | FOR_SENSITIVITY | FOR_OPTIMISE,
     FIELD(reference), "MARKER",
     "marker of the reference frame in which motion is observed (default: the model's, or ground)"},
    {"details", 0, IS_FLAG, FOR_WANTED | FOR_SPARSITY | FOR_EXPERIMENT | FOR_RESPONSE,
     FIELD(details), NULL, "name all states that were added to those asked for, not the first six"},
    {"threads", 0, IS_COUNT, FOR_LINEAR | FOR_CHECK, FIELD(threads), "N",
     "number of threads; 0, the default, uses all cores"},
    {"wanted", 0, IS_COUNT, FOR_RESPONSE_ALONE, FIELD(wanted), "N",
     "for large models at rest: solve sparse equations; refine the frequency grid at the N modes "
     "nearest to --near"},
    {"near", 0, IS_NEAR, FOR_RESPONSE_ALONE, 0, "X+Yi,...",
     "with --wanted: shifts in 1/s and rad/s, such as -0.1+5i; N modes at each (default 0)"},
    {"wanted", 0, IS_COUNT, FOR_WANTED, FIELD(wanted), "N",
     "compute only the N eigenvalues nearest to the shift --near, for large models at rest; 0 "
     "computes all"},
    {"near", 0, IS_NEAR, FOR_WANTED, 0, "X+Yi,...",
     "with --wanted: shift in 1/s and rad/s, such as -0.1+5i or 5i; N eigenvalues at each; may be "
     "repeated (default 0); with --mass and no damping: one frequency in Hz"},
    {"uncounted", 0, IS_FLAG, FOR_WANTED, FIELD(uncounted), NULL,
     "with --wanted and damping: skip the eigenvalue count, which takes 8 to 64 factorizations "
     "per shift"},
    {"mass", 0, IS_TEXT, FOR_WANTED, FIELD(mass), "FILE",
     "mass matrix (Matrix Market) instead of MODEL; needs --stiffness and --wanted or --between"},
    {"stiffness", 0, IS_TEXT, FOR_WANTED, FIELD(stiffness), "FILE",
     "with --mass: stiffness matrix"},
    {"damping", 0, IS_TEXT, FOR_WANTED, FIELD(damping), "FILE",
     "with --mass: damping matrix, if any"},
    {"between", 0, IS_RANGE, FOR_WANTED, 0, "A,B",
     "instead of --wanted, without damping: all modes from A to B Hz, with a check of their "
     "number"},
    {"distributed", 0, IS_FLAG, FOR_WANTED | FOR_CHECK | FOR_SWEEP, FIELD(distributed), NULL,
     "use all processes started by mpirun: one factorization over all of them (--wanted, "
     "--between), or one model, or one segment of a sweep, for each"},
    {"json", 0, IS_FLAG, FOR_TABLE | FOR_CHECK | FOR_OPTIMISE | FOR_SYMBOLIC | FOR_JSON,
     FIELD(json), NULL, "print JSON instead of a table"},
    {"csv", 0, IS_FLAG, FOR_TABLE, FIELD(csv), NULL,
     "print comma-separated values instead of a table"},
    {"units", 0, IS_UNITS, FOR_UNITS, 0, "UNIT,...",
     "show the numbers of tables in these units, such as mm,Hz,deg or kN,N/mm,rpm; JSON, CSV and "
     "files stay in SI"},
    {"list", 0, IS_FLAG, FOR_BENCHMARK, FIELD(list), NULL, "list the problems, compute nothing"},
    {"model", 0, IS_FLAG, FOR_BENCHMARK, FIELD(model_text), NULL,
     "write the model file of one problem, compute nothing"},
    {"shapes", 0, IS_FLAG, FOR_SHAPES, FIELD(shapes), NULL,
     "with --json: add the mode shapes at all markers"},
    {"branches", 0, IS_FLAG, FOR_SHAPES, FIELD(branches), NULL,
     "at a singular configuration: also the intersecting motion branches and their frequencies"},
    {"realization", 0, IS_FLAG, FOR_SHAPES, FIELD(realization), NULL,
     "also controllability and observability of every mode, with margins"},
    {"energies", 0, IS_FLAG, FOR_SHAPES, FIELD(energies), NULL,
     "also contributions of every body, joint and load to frequency and damping of each mode, and "
     "participation factors of states"},
    {"parts", 0, IS_COUNT, FOR_SHAPES, FIELD(parts), "DEPTH",
     "sum energies by parts: 1 of front_left, 2 also of front_left.hub, and so on; JSON has those "
     "of "
     "all depths"},
    {"sparsity", 0, IS_TEXT, FOR_SPARSITY, FIELD(sparsity), "FILE",
     "instead of the linear model: plot the sparsity pattern of its matrices and their factors to "
     "FILE (SVG); - is standard output"},
    {"format", 0, IS_TEXT, FOR_FORMAT, FIELD(format), "NAME",
     "format of the linear model saved by --output: "},
    {"derivatives", 0, IS_TEXT, FOR_FORMAT, FIELD(derivatives), "states|inputs",
     "in the saved linear model, rates of inputs change the states (states, the default) or become "
     "inputs of their own (inputs)"},
    {"end", 0, IS_POSITIVE, FOR_MOTION, FIELD(end), "TIME", "end time, s (default: the model's)"},
    {"every", 0, IS_POSITIVE, FOR_MOTION, FIELD(every), "TIME",
     "output interval, s (default: the model's, or 1/500 of the duration)"},
    {"integrator", 0, IS_TEXT, FOR_MOTION | FOR_EXPERIMENT, FIELD(integrator), "NAME",
     "integrator: "},
    {"tolerance", 0, IS_POSITIVE, FOR_MOTION, FIELD(tolerance), "X",
     "error tolerance of a step, relative to typical lengths and in rad (default: the model's, or "
     "1e-6)"},
    {"step", 0, IS_POSITIVE, FOR_MOTION, FIELD(step), "TIME",
     "fixed step, s, instead of --tolerance"},
    {"dissipation", 0, IS_DISSIPATION, FOR_MOTION, FIELD(dissipation), "X",
     "numerical damping: alpha of hht, -1/3 to 0 (default -0.3), or spectral radius of "
     "generalized-alpha, 0 to 1 (default 0.7)"},
    {"channels", 0, IS_TEXT, FOR_MOTION, FIELD(channels), "NAME,...",
     "what to record: bodies, markers, joints, loads, signals, outputs, energy, residuals "
     "(default: all)"},
    {"resume", 0, IS_FLAG, FOR_MOTION, FIELD(resume), NULL,
     "continue the interrupted run in FILE; the result is that of an uninterrupted run"},
    {"animate", 0, IS_TEXT, FOR_REPORT, FIELD(animate), "N,...",
     "of a large model: modes whose motion the page stores first, by their numbers in the table of "
     "modes, such as 3,120:125"},
    {"check", 0, IS_FLAG, FOR_REPORT, FIELD(check), NULL,
     "add the results of routh check: constraints, rank, all coordinate sets and methods"},
    {"verify", 0, IS_FLAG, FOR_REPORT, FIELD(verify), NULL,
     "add the results of routh verify, with the spectrum of the simulated response"},
    {"response", 0, IS_FLAG, FOR_REPORT, FIELD(response), NULL,
     "add the frequency response, with Bode and Nyquist plots"},
    {"floquet", 0, IS_FLAG, FOR_REPORT, FIELD(floquet), NULL,
     "add the Floquet multipliers of a periodic motion; needs --period, --period-of or "
     "--period-near"},
    {"sensitivity", 0, IS_FLAG, FOR_REPORT, FIELD(sensitivity), NULL,
     "add a map of the sensitivity of every mode to every parameter"},
    {"duration", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(duration), "X",
     "duration of the simulated response, s (default: eight periods of the slowest mode, or as "
     "needed)"},
    {"amplitude", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(amplitude), "X",
     "initial amplitude of each mode, relative to typical lengths and in rad (default 1e-3, or "
     "less)"},
    {"below", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(below), "HZ",
     "excite and compare only modes below this frequency (default: all; with flexible bodies, the "
     "slow ones if all are too many)"},
    {"seed", 0, IS_COUNT, FOR_EXPERIMENT, FIELD(seed), "N",
     "seed of the random phases (default 1)"},
    {"response", 0, IS_FLAG, FOR_SENSITIVITY, FIELD(response), NULL,
     "sensitivity of the frequency response instead of the modes: heights and frequencies of its "
     "peaks, and with --json or --csv at every frequency"},
    {"frequencies", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(frequencies), "HZ,...",
     "with --response: evaluate at these frequencies"},
    {"input", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(input), "NAME,...",
     "inputs of the model, or position states (body.x) to apply a force to (default: all inputs "
     "of the model)"},
    {"of", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(of), "NAME,...",
     "outputs of the model, or states (default: all outputs of the model)"},
    {"base", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(base), "x|y|z",
     "add base motion in this direction as an input; without other inputs the only one"},
    {"as", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(as), "QUANTITY",
     "quantity that prescribes a motion: displacement, velocity or acceleration"},
    {"over", 0, IS_OVER, FOR_RESPONSE | FOR_SENSITIVITY, 0, "A:B[:N]",
     "frequency range from A to B Hz, with N frequencies (default: an adaptive grid over the "
     "first twelve modes)"},
    {"error", 0, IS_POSITIVE, FOR_RESPONSE, FIELD(error), "X",
     "largest error of linear interpolation between neighbouring frequencies (default 0.01)"},
    {"modes-to", 0, IS_POSITIVE, FOR_RESPONSE, FIELD(modes_to), "HZ",
     "superpose modes up to this frequency and add the static correction of the others (default: "
     "all modes)"},
    {"psd", 0, IS_TEXT, FOR_RESPONSE, FIELD(psd), "SPECTRUM",
     "power spectral density of random inputs, unit^2/Hz: a CSV file (hz,NAME,...), or "
     "NAME=EXPRESSION of f in Hz, separated by ; gives mean squares of the outputs and modal "
     "contributions"},
    {"svg", 0, IS_TEXT, FOR_RESPONSE_ALONE, FIELD(svg), "FILE",
     "also plot Bode and Nyquist diagrams to FILE (SVG)"},
    {"period", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period), "TIME",
     "period, s: an expression of parameters"},
    {"period-of", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period_of), "RATE",
     "instead of --period: angular velocity in rad/s, an expression of parameters such as spin; "
     "the period is 2 pi/RATE"},
    {"period-near", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period_near), "TIME",
     "instead of --period: initial guess of an unknown period; the model must not depend on time"},
    {"no-shooting", 0, IS_FLAG, FOR_PERIODIC | FOR_REPORT, FIELD(no_shooting), NULL,
     "take the motion from the operating point as periodic; do not search for one nearby"},
    {"blades", 0, IS_TEXT, FOR_SHAPES | FOR_SWEEP, FIELD(blades), "NAME,...",
     "modes of a rotor in multi-blade coordinates: the blades, in their order around it; bodies of "
     "a "
     "blade are those named NAME, and NAME followed by . or _"},
    {"blades", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(blades), "NAME,...",
     "also multi-blade coordinates of these blades, in their order around the rotor; their states "
     "are those named NAME followed by . or _"},
    {"tolerance", 0, IS_POSITIVE, FOR_PERIODIC, FIELD(tolerance), "X",
     "tolerance of the multipliers, relative where above 1 (default 1e-10); with --boundary, of "
     "the parameter (default 1e-12)"},
    {"boundary", 0, IS_TEXT, FOR_PERIODIC, FIELD(boundary), "NAME=A:B",
     "instead of the multipliers: the value of a parameter between A and B at which one crosses "
     "the unit circle"},
    {"crossing", 0, IS_TEXT, FOR_PERIODIC, FIELD(crossing), "WHERE",
     "where it crosses: one, minus-one or circle (default: detected between A and B)"},
    {"sensitivity", 0, IS_TEXT, FOR_DERIVATIVES, FIELD(sensitivity_by), "all|NAME,...",
     "add exact derivatives by these parameters, or by all: of the operating point (equilibrium), "
     "of the matrices (linearize)"},
    {"parameters", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(parameters), "NAME,...",
     "parameters to differentiate by (default: all)"},
    {"modes", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(of_modes), "N,N-N,...",
     "modes, numbered as in routh modes (default: all)"},
    {"symbols", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(symbols), "NAME,...",
     "parameters to keep as symbols, or none (default: all that are not expressions of others)"},
    {"independent", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(independent), "NAME,...",
     "independent coordinates: body.x|y|z|rx|ry|rz, marker.x|y|z, or an axis component such as "
     "rotor.zx (default: the model's states, else chosen)"},
    {"unknown", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(unknown), "NAME,...",
     "parameters determined by equilibrium: kept as symbols, with their equations"},
    {"stability", 0, IS_FLAG, FOR_SYMBOLIC, FIELD(stability), NULL,
     "also the stability conditions in the symbols, by Routh's array"},
    {"chart", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(chart), "FILE",
     "also plot the stability region over two parameters to FILE (SVG)"},
    {"over", 0, IS_ALONG, FOR_SYMBOLIC, 0, "NAME=A:B",
     "with --chart, twice: parameter and its range"},
    {"certify", 0, IS_FLAG, FOR_SYMBOLIC, FIELD(certify), NULL,
     "instead of formulas: eigenvalues at the model's parameter values, enclosed in proven balls, "
     "and a verdict on stability"},
    {"digits", 0, IS_COUNT, FOR_SYMBOLIC, FIELD(digits), "N",
     "with --certify: number of digits (default 20)"},
    {"form", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(form), "NAME",
     "second-order (M, C, K) or state-space (A); default second-order"},
    {"format", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(format), "NAME",
     "text, latex, c, python, matlab or modelica (default text); --json for programs"},
    {"nodes", 0, IS_TEXT, FOR_REDUCE, FIELD(nodes), "FILE",
     "file of the nodes: .inp, .frd, .bdf, .dat, or lines \"number x y z\" (default: the "
     "stiffness file)"},
    {"dofs", 0, IS_TEXT, FOR_REDUCE, FIELD(dofs), "FILE",
     "file with node and direction (1 to 6) of every row, one per line (default: CalculiX's .dof "
     "file, or three or six rows per node)"},
    {"stiffness-name", 0, IS_TEXT, FOR_REDUCE, FIELD(stiffness_name), "NAME",
     "name of the stiffness matrix in a DMIG or OUTPUT4 file (default: KAAX, KGG or similar)"},
    {"mass-name", 0, IS_TEXT, FOR_REDUCE, FIELD(mass_name), "NAME",
     "name of the mass matrix (default: MAAX, MGG or similar)"},
    {"interface", 0, IS_INTERFACE, FOR_REDUCE, 0, "NODE",
     "interface node: a node number, or NUMBER=NODE,NODE,.. or NUMBER=SET for the mean motion of "
     "several nodes; may be repeated; none gives free-free modes"},
    {"modes", 0, IS_COUNT, FOR_REDUCE, FIELD(modes), "N",
     "number of normal modes to keep (default 10)"},
    {"cut", 0, IS_POSITIVE, FOR_REDUCE, FIELD(cut), "HZ",
     "instead of --modes: keep all normal modes below this frequency"},
    {"frequencies-below", 0, IS_POSITIVE, FOR_REDUCE, FIELD(frequencies_below), "HZ",
     "instead of --modes: keep as many modes as the frequencies of the free body below HZ need to "
     "match the full model; their number is checked"},
    {"accuracy", 0, IS_POSITIVE, FOR_REDUCE, FIELD(accuracy), "X",
     "with --frequencies-below: largest relative error (default 0.001)"},
    {"free-modes", 0, IS_FLAG, FOR_REDUCE, FIELD(free_modes), NULL,
     "with --interface: use normal modes of the free body, not of the body fixed at its "
     "interfaces"},
    {"shapes", 0, IS_TEXT, FOR_REDUCE, FIELD(user_shapes), "FILE",
     "also keep these shapes: a Matrix Market array with one column each, or lines \"node "
     "direction values\"; without --interface and --modes, only these"},
    {"damping-ratio", 0, IS_POSITIVE, FOR_REDUCE, FIELD(damping_ratio), "X",
     "damping ratio of every mode of the free body (default 0)"},
    {"length-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(length_unit), "UNIT",
     "length unit of the files: m, cm, mm, in, ft, or a number of metres (default m)"},
    {"mass-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(mass_unit), "UNIT",
     "mass unit of the files: kg, g, t, or a number of kilograms (default kg)"},
    {"time-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(time_unit), "UNIT",
     "time unit of the files: s, ms, or a number of seconds (default s)"},
    {"title", 0, IS_TEXT, FOR_REDUCE, FIELD(title), "TEXT", "title stored in the body file"},
    {"draw", 0, IS_COUNT, FOR_REDUCE, FIELD(draw), "N",
     "largest number of nodes kept only for drawing (default 500)"},
    {"check", 0, IS_FLAG, FOR_LAYOUT, FIELD(check), NULL,
     "write nothing; name the files that would change, and exit with status 1 if there are any"},
    {"write", 0, IS_FLAG, FOR_LAYOUT, FIELD(write), NULL, "write the files in place"},
    {"width", 0, IS_COUNT, FOR_LAYOUT, FIELD(width), "N",
     "break lists and mappings of longer lines (default 100)"},
    {"output", 'o', IS_TEXT, FOR_OUTPUT, FIELD(output), "FILE",
     "write to FILE, completely or not at all; - is standard output"},
    {"quiet", 'q', IS_FLAG, FOR_ALL, FIELD(quiet), NULL,
     "no warnings and no notes on standard error"},
    {"color", 0, IS_COLOUR, FOR_ALL, 0, "WHEN",
     "colour on a terminal (auto: not if NO_COLOR is set or TERM is dumb): "},
    {"help", 'h', IS_FLAG, FOR_ALL, FIELD(help), NULL, "print the usage of this command"},
};

enum { N_OPTIONS = sizeof table / sizeof *table, HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* ---- one option ---------------------------------------------------------------------------- */

bool setting_parse(routh_setting *setting, const char *text, char **room)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return false;
    const size_t length = (size_t)(equals - text);
    memcpy(*room, text, length);
    (*room)[length] = '\0';
    *setting = (routh_setting){*room, equals + 1};
    *room += length + 1;
    return true;
}

static bool parse_count(int *count, const char *name, const char *value)
{
    char *end;
    errno = 0;
    const long n = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || n > 4096) {
        usage_error("option --%s takes a whole number from 0 to 4096, not \"%s\"", name, value);
        return false;
    }
    *count = (int)n;
    return true;
}

/* "alpha=1e6,xi=1,omega=10", any of them */
static bool parse_penalty(options *given, const char *text)
{
    static const char *const names[] = {"alpha", "xi", "omega"};
    double *const fields[] = {&given->alpha, &given->xi, &given->omega};
    const char *at = text;
    do {
        size_t k = 0;
        const size_t length = strcspn(at, "=");
        while (k < 3 && (strlen(names[k]) != length || strncmp(names[k], at, length) != 0)) k++;
        if (k == 3 || at[length] != '=') break;
        char *end;
        const char *number = at + length + 1;
        *fields[k] = strtod(number, &end);
        if (end == number || !(*fields[k] > 0) || isinf(*fields[k])) break;
        if (*end == '\0') return true;
        at = end + 1;
        if (*end != ',') break;
    } while (true);
    usage_error("option --penalty takes positive numbers for alpha, xi and omega, such as "
                "alpha=1e6,xi=1,omega=10, not \"%s\"",
                text);
    return false;
}

static bool parse_real(double *real, const char *name, const char *value)
{
    char *end;
    errno = 0;
    const double x = strtod(value, &end);
    if (end == value || *end || errno || !isfinite(x)) {
        usage_error("option --%s takes a number, not \"%s\"", name, value);
        return false;
    }
    *real = x;
    return true;
}

static bool parse_positive(double *real, const char *name, const char *value)
{
    if (!parse_real(real, name, value)) return false;
    if (*real > 0) return true;
    usage_error("option --%s takes a positive number, not \"%s\"", name, value);
    return false;
}

/* "0,500" or "0,500Hz" */
static bool parse_range(options *given, const char *text)
{
    char *end;
    given->between_given = true;
    given->between[0] = strtod(text, &end);
    if (end != text && *end == ',') {
        const char *second = end + 1;
        given->between[1] = strtod(second, &end);
        if (end != second && (*end == '\0' || strcmp(end, "Hz") == 0) &&
            given->between[0] < given->between[1] && isfinite(given->between[0]) &&
            isfinite(given->between[1]))
            return true;
    }
    usage_error("option --between takes two frequencies in Hz, such as 0,500, the first the lower, "
                "not \"%s\"",
                text);
    return false;
}

/* "0.1:100" or "0.1:100:500" */
static bool parse_over(options *given, const char *text)
{
    char *end;
    given->over[0] = strtod(text, &end);
    if (end != text && *end == ':') {
        const char *second = end + 1;
        given->over[1] = strtod(second, &end);
        long n = 0;
        bool good = end != second && given->over[0] > 0 && given->over[0] < given->over[1] &&
                    isfinite(given->over[1]);
        if (good && *end == ':') {
            const char *third = end + 1;
            n = strtol(third, &end, 10);
            good = end != third && n >= 2 && n <= 1000000;
        }
        given->over_points = (int)n;
        if (good && *end == '\0') return true;
    }
    usage_error("option --over takes two frequencies in Hz and optionally their number, such as "
                "0.1:100 or 0.1:100:500, not \"%s\"",
                text);
    return false;
}

static const char *colour_name(int k)
{
    static const char *const names[] = {"auto", "always", "never"};
    return k < 3 ? names[k] : NULL;
}

static bool parse_colour(const char *value)
{
    if (colour_choose(value)) return true;
    usage_error("--color takes auto, always or never, not \"%s\"", value);
    return false;
}

/* The library reads ROUTH_LIBRARY; the later of two options comes behind the first. */
static bool add_library(const char *folder)
{
    static size_t given; /* how many letters of the variable options have put there */
    const char *before = getenv("ROUTH_LIBRARY");
    if (!before) before = "";
    const size_t n = strlen(before), m = strlen(folder);
    char *list = malloc(n + m + 2);
    if (!list) return usage_error("there is not enough memory"), false;
    memcpy(list, before, given);
    memcpy(list + given, folder, m);
    list[given + m] = ':';
    memcpy(list + given + m + 1, before + given, n - given + 1);
    const bool done = setenv("ROUTH_LIBRARY", list, 1) == 0;
    free(list);
    given += m + 1;
    return done || (usage_error("there is not enough memory"), false);
}

static bool take_units(options *given, const char *list)
{
    routh_error error = {0};
    if (given->units) return usage_error("option --units is given twice; give one list"), false;
    if (!routh_units_read(&given->units, list, &error)) return true;
    usage_error("option --units: %s", error.message);
    return false;
}

void options_say_si(const options *given, const char *form)
{
    if (given->units && !given->quiet)
        warn("option --units changes tables alone; %s in SI units", form);
}

/* Letters, digits and _: a name, and no expression of a parameter of that name. */
static bool is_variant_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t n = strspn(text, letters);
    while (n && (strspn(text + n, letters) || strspn(text + n, "0123456789"))) n++;
    return n && !text[n];
}

/* "winter", of the model, or "tyre=winter", of a part: a setting with its name. */
static bool variant_parse(routh_setting *setting, const char *text, char **room)
{
    *setting = (routh_setting){"variant", text};
    if (strchr(text, '=') && !setting_parse(setting, text, room)) return false;
    return is_variant_name(setting->value);
}

static bool is_set_once(const option *o, const routh_setting *settings, int last)
{
    for (int k = 0; k < last; k++)
        if (strcmp(settings[k].name, settings[last].name) == 0) {
            usage_error("option --%s sets '%s' twice, to '%s' and to '%s'; leave one out", o->name,
                        settings[k].name, settings[k].value, settings[last].value);
            return false;
        }
    return true;
}

static bool take(options *given, const option *o, const char *value, char **room)
{
    void *field = (char *)given + o->field;
    switch (o->kind) {
    case IS_FLAG: *(bool *)field = true; return true;
    case IS_TEXT: *(const char **)field = value; return true;
    case IS_COUNT: return parse_count(field, o->name, value);
    case IS_PENALTY: return parse_penalty(given, value);
    case IS_POSITIVE: return parse_positive(field, o->name, value);
    case IS_DISSIPATION: given->dissipation_given = true; return parse_real(field, o->name, value);
    case IS_NEAR: return near_parse(given, value);
    case IS_RANGE: return parse_range(given, value);
    case IS_OVER: return parse_over(given, value);
    case IS_COLOUR: return parse_colour(value);
    case IS_AT: given->at[given->n_at++] = value; return true;
    case IS_INTERFACE: given->interfaces[given->n_interfaces++] = value; return true;
    case IS_ALONG: given->along[given->n_along++] = value; return true;
    case IS_LIBRARY: return add_library(value);
    case IS_UNITS: return take_units(given, value);
    case IS_VARIANT: given->variant_given = true; break;
    case IS_SETTING:
    case IS_VERSUS: break;
    }
    const bool versus = o->kind == IS_VERSUS;
    routh_setting *settings = versus ? given->versus : given->settings;
    int *n = versus ? &given->n_versus : &given->n_settings;
    const bool good = o->kind == IS_VARIANT ? variant_parse(&settings[*n], value, room)
                                            : setting_parse(&settings[*n], value, room);
    if (good) return is_set_once(o, settings, (*n)++);
    usage_error("option --%s takes %s, not \"%s\"", o->name, o->argument, value);
    return false;
}

/* ---- finding options ----------------------------------------------------------------------- */

static void unknown(const char *name, size_t length, int groups, const char *command)
{
    const char *names[N_OPTIONS + 1];
    char word[64];
    size_t n = 0;
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].groups & groups) names[n++] = table[i].name;
    names[n] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             name);
    const char *near = routh_suggest(word, names);
    if (near)
        usage_error("option --%s is unknown; did you mean --%s?", word, near);
    else
        usage_error("option --%s is unknown; \"routh help %s\" lists the options", word, command);
}

static const option *find_long(const char *name, size_t length, int groups, const char *command)
{
    const option *other = NULL; /* of other commands */
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (strlen(table[i].name) != length || strncmp(table[i].name, name, length) != 0) continue;
        if (table[i].groups & groups) return &table[i];
        other = &table[i];
    }
    if (other)
        usage_error("command %s has no option --%s; \"routh help %s\" lists its options", command,
                    other->name, command);
    else
        unknown(name, length, groups, command);
    return NULL;
}

static const option *find_short(char letter, int groups, const char *command)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].letter == letter && (table[i].groups & groups)) return &table[i];
    usage_error("option -%c is unknown; \"routh help %s\" lists the options", letter, command);
    return NULL;
}

/* ---- the line ------------------------------------------------------------------------------ */

typedef struct line {
    int n, next;
    char **argv;
    int groups;
    const char *command;
    char *room;
} line;

/* The option at argv[next - 1] with the value after '=' or, where it needs one, the next word. */
static bool one_option(options *given, line *l, const option *o, const char *value)
{
    if (!o) return false;
    if (o->kind == IS_FLAG && value) {
        usage_error("option --%s takes no value; write --%s alone", o->name, o->name);
        return false;
    }
    if (o->kind != IS_FLAG && !value) {
        if (l->next == l->n) {
            usage_error("option --%s needs a value; write --%s %s", o->name, o->name, o->argument);
            return false;
        }
        value = l->argv[l->next++];
    }
    return take(given, o, value, &l->room);
}

static bool one_word(options *given, line *l)
{
    const char *word = l->argv[l->next++];
    if (word[0] != '-' || word[1] == '\0') {
        given->positional[given->n_positional++] = word;
        return true;
    }
    if (word[1] != '-') {
        const option *o = find_short(word[1], l->groups, l->command);
        if (o && o->kind == IS_FLAG && word[2]) {
            usage_error("option -%c takes no value, but %s is given; write short options "
                        "separately", word[1],
                        word);
            return false;
        }
        return one_option(given, l, o, word[2] ? word + 2 : NULL);
    }
    const size_t length = strcspn(word + 2, "=");
    const option *o = find_long(word + 2, length, l->groups, l->command);
    return one_option(given, l, o, word[2 + length] ? word + 3 + length : NULL);
}

static bool make_room(options *given, int n, char **argv)
{
    size_t bytes = 1;
    for (int i = 0; i < n; i++) bytes += strlen(argv[i]) + 1;
    given->positional = calloc((size_t)n + 1, sizeof *given->positional);
    given->settings = calloc((size_t)n + 1, sizeof *given->settings);
    given->versus = calloc((size_t)n + 1, sizeof *given->versus);
    given->at = calloc((size_t)n + 1, sizeof *given->at);
    given->interfaces = calloc((size_t)n + 1, sizeof *given->interfaces);
    given->along = calloc((size_t)n + 1, sizeof *given->along);
    given->storage = malloc(bytes);
    if (given->positional && given->settings && given->versus && given->at && given->interfaces &&
        given->along && given->storage)
        return true;
    complain("out of memory");
    return false;
}

bool options_parse(options *given, int n, char **argv, int groups, const char *command)
{
    *given = (options){.draw = -1};
    if (!make_room(given, n, argv)) return false;
    line l = {n, 0, argv, groups | FOR_ALL, command, given->storage};
    while (l.next < n) {
        if (strcmp(argv[l.next], "--") == 0) {
            for (l.next++; l.next < n; l.next++)
                given->positional[given->n_positional++] = argv[l.next];
            return true;
        }
        if (!one_word(given, &l)) return false;
    }
    return true;
}

void options_free(options *given)
{
    free(given->positional);
    free(given->settings);
    free(given->versus);
    free(given->at);
    free(given->near);
    free(given->interfaces);
    free(given->along);
    free(given->storage);
    routh_units_free(given->units);
    *given = (options){0};
}

/* "augmented, minimal[:partition|qr]": names before a colon once. */
static void list_names(FILE *to, const char *(*name)(int k))
{
    size_t before = 0; /* length of the name before the colon, 0 where there was none */
    for (int k = 0; name(k); k++) {
        const char *colon = strchr(name(k), ':');
        const size_t length = colon ? (size_t)(colon - name(k)) : 0;
        if (before && length == before && strncmp(name(k), name(k - 1), length) == 0) {
            fprintf(to, "|%s", colon + 1);
            continue;
        }
        fprintf(to, "%s%s", before ? "]" : "", k ? ", " : "");
        if (colon)
            fprintf(to, "%.*s[%s", (int)length, name(k), colon);
        else
            fputs(name(k), to);
        before = length;
    }
    if (before) fputs("]", to);
}

/* The values of those options that take one of a list. */
static const char *(*names_of(const option *o))(int k)
{
    if (o->field == FIELD(coordinates)) return routh_coordinate_name;
    if (o->field == FIELD(method)) return routh_method_name;
    if (o->field == FIELD(algorithm)) return routh_optimum_algorithm_name;
    if (o->field == FIELD(integrator)) return routh_integrator_name;
    if (o->groups & FOR_FORMAT) return routh_exchange_format_name;
    return o->kind == IS_COLOUR ? colour_name : NULL;
}

bool option_show(option_shown *shown, size_t *at, int groups)
{
    for (; *at < N_OPTIONS; ++*at) {
        const option *o = &table[*at];
        if (!(o->groups & (groups | FOR_ALL))) continue;
        *shown = (option_shown){o->name, o->letter, o->argument, o->help, names_of(o)};
        ++*at;
        return true;
    }
    return false;
}

bool option_is_common(const option_shown *shown)
{
    option_shown o;
    for (size_t at = 0; option_show(&o, &at, 0);)
        if (o.help == shown->help) return true;
    return false;
}

/* The text from column HELP_COLUMN on, broken between words before column HELP_WIDTH. */
static void put_wrapped(FILE *to, const char *text)
{
    int column = HELP_COLUMN;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(to, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void option_write_help(FILE *to, const option_shown *shown)
{
    fputs(shown->help, to);
    if (shown->names) list_names(to, shown->names);
}

void options_help(FILE *to, int groups)
{
    option_shown o;
    for (size_t at = 0; option_show(&o, &at, groups);) {
        char word[64], letter[8] = "", text[2000] = "";
        if (o.letter) snprintf(letter, sizeof letter, "-%c, ", o.letter);
        snprintf(word, sizeof word, "%s--%s%s%s", letter, o.name, o.argument ? " " : "",
                 o.argument ? o.argument : "");
        fprintf(to, "  %-24s  ", word);
        if (strlen(word) > HELP_COLUMN - 4) fprintf(to, "\n%*s", HELP_COLUMN, "");
        FILE *memory = fmemopen(text, sizeof text, "w");
        if (memory) option_write_help(memory, &o);
        if (memory && fclose(memory) == 0)
            put_wrapped(to, text);
        else
            fprintf(to, "%s\n", o.help);
    }
}
