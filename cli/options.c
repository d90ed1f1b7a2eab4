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
     "give a parameter another value (an expression); may be repeated"},
    {"versus", 0, IS_VERSUS, FOR_COMPARE, 0, "NAME=VALUE",
     "the same for the second one alone; may be repeated"},
    {"over", 0, IS_ALONG, FOR_SWEEP, 0, "NAME=VALUES",
     "a parameter and its values: from:to:count, log:from:to:count or a list; twice for a map"},
    {"sweep", 0, IS_ALONG, FOR_REPORT, 0, "NAME=VALUES",
     "also modes against this parameter, written as routh sweep takes it; twice for a map"},
    {"speed", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(speed), "NAME",
     "parameter that is the speed of rotation, rad/s: critical speeds are solved for"},
    {"orders", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(orders), "N,...",
     "with --speed: critical where a frequency is N times the speed (else 1); 0: where it is zero"},
    {"damping-ratio", 0, IS_POSITIVE, FOR_SWEEP | FOR_REPORT, FIELD(damping_ratio), "X",
     "also the values where a damping ratio is X are solved for"},
    {"boundary", 0, IS_TEXT, FOR_SWEEP | FOR_REPORT, FIELD(boundary), "NAME=A:B",
     "follow what is solved for on over a second parameter from A to B, as curves"},
    {"svg", 0, IS_TEXT, FOR_SWEEP, FIELD(svg), "FILE",
     "also write frequencies, damping and root locus as a picture (SVG); of two parameters a map"},
    {"study", 0, IS_TEXT, FOR_OPTIMISE, FIELD(study), "FILE",
     "what may change, within which bounds, and what is wanted (YAML)"},
    {"log", 0, IS_TEXT, FOR_OPTIMISE, FIELD(log), "FILE",
     "write a line for every evaluation to FILE, as it goes"},
    {"resume", 0, IS_TEXT, FOR_OPTIMISE, FIELD(resume_log), "FILE",
     "go on from the log of a run that was stopped, and go on writing it"},
    {"algorithm", 0, IS_TEXT, FOR_OPTIMISE, FIELD(algorithm), "NAME", "in place of the study's: "},
    {"evaluations", 0, IS_COUNT, FOR_OPTIMISE, FIELD(evaluations), "N",
     "at most so many, those of a log that is gone on from too (else as the study says, or 500)"},
    {"time", 0, IS_POSITIVE, FOR_OPTIMISE, FIELD(seconds), "TIME",
     "no evaluation begins after so many s (else as the study says)"},
    {"write-model", 0, IS_TEXT, FOR_OPTIMISE, FIELD(write_model), "FILE",
     "also write the model with the values found, all else in it as it was"},
    {"at", 0, IS_AT, FOR_CHECK | FOR_SWEEP | FOR_OPTIMISE, 0, "given|static|steady",
     "operating point: as written and assembled, static equilibrium, or steady motion (else as the "
     "model says)"},
    {"at", 0, IS_AT, FOR_MODEL, 0, "POINT",
     "operating point: given (as written and assembled), static (equilibrium), steady (motion), "
     "FILE.json (a saved state), time=T[,T...] (on the motion); else as the model says; may be "
     "repeated"},
    {"from", 0, IS_TEXT, FOR_MODEL, FIELD(from), "POINT",
     "with --at time=T: where the motion begins: given, static, steady or FILE.json (else as the "
     "model says)"},
    {"fit", 0, IS_POSITIVE, FOR_MODEL, FIELD(fit), "X",
     "how far bodies of a saved state may be moved to where the joints hold: of the typical "
     "length, radians, of the largest speed; 1e-6 where not given"},
    {"save-state", 0, IS_TEXT, FOR_MODEL, FIELD(save_state), "FILE",
     "also write the state of the operating point to FILE, for --at FILE.json"},
    {"coordinates", 0, IS_TEXT, FOR_MODEL | FOR_SWEEP | FOR_OPTIMISE, FIELD(coordinates), "NAME",
     "coordinate set: "},
    {"method", 0, IS_TEXT, FOR_LINEAR | FOR_OPTIMISE, FIELD(method), "NAME",
     "linearization: auto (the fastest exact one), "},
    {"penalty", 0, IS_PENALTY, FOR_LINEAR, 0, "NAME=X,...",
     "of the penalty method: alpha=1e6, xi=1, omega=10 are the usual ones"},
    {"reference", 0, IS_TEXT, FOR_LINEAR | FOR_CHECK | FOR_SENSITIVITY | FOR_OPTIMISE,
     FIELD(reference), "MARKER",
     "marker of the observer that motion is seen from (else as the model says, or ground)"},
    {"threads", 0, IS_COUNT, FOR_LINEAR | FOR_CHECK, FIELD(threads), "N",
     "threads to use; 0, the default, uses all cores"},
    {"wanted", 0, IS_COUNT, FOR_RESPONSE_ALONE, FIELD(wanted), "N",
     "for large mechanisms at rest: sparse equations, with frequencies dense about the N modes "
     "nearest to --near"},
    {"near", 0, IS_NEAR, FOR_RESPONSE_ALONE, 0, "X+Yi,...",
     "with --wanted: 1/s and rad/s, such as -0.1+5i, N about each; 0 where not given"},
    {"wanted", 0, IS_COUNT, FOR_WANTED, FIELD(wanted), "N",
     "only the N eigenvalues nearest to that of --near, for large mechanisms at rest; 0: all"},
    {"near", 0, IS_NEAR, FOR_WANTED, 0, "X+Yi,...",
     "with --wanted: number in 1/s and rad/s, such as -0.1+5i or 5i, N about each; 0 where not "
     "given; may be repeated; with --mass and no damping: one frequency in Hz"},
    {"uncounted", 0, IS_FLAG, FOR_WANTED, FIELD(uncounted), NULL,
     "with --wanted and damping: without the count by some 10 to 30 factorizations about each"},
    {"mass", 0, IS_TEXT, FOR_WANTED, FIELD(mass), "FILE",
     "in place of MODEL: the mass matrix, Matrix Market; modes by --wanted or --between"},
    {"stiffness", 0, IS_TEXT, FOR_WANTED, FIELD(stiffness), "FILE",
     "with --mass: the stiffness matrix"},
    {"damping", 0, IS_TEXT, FOR_WANTED, FIELD(damping), "FILE",
     "with --mass: the damping matrix, where there is one"},
    {"between", 0, IS_RANGE, FOR_WANTED, 0, "A,B",
     "in place of --wanted, without damping: all modes from A to B Hz, counted"},
    {"distributed", 0, IS_FLAG, FOR_WANTED | FOR_CHECK | FOR_SWEEP, FIELD(distributed), NULL,
     "by all processes that mpirun started: with --wanted or --between, factors over all of them; "
     "with several models each by one, and so with the pieces of a sweep"},
    {"json", 0, IS_FLAG, FOR_TABLE | FOR_CHECK | FOR_OPTIMISE | FOR_SYMBOLIC | FOR_JSON,
     FIELD(json), NULL,
     "write JSON instead of a table"},
    {"csv", 0, IS_FLAG, FOR_TABLE, FIELD(csv), NULL,
     "write comma-separated values instead of a table"},
    {"shapes", 0, IS_FLAG, FOR_SHAPES, FIELD(shapes), NULL,
     "with --json: also the motion of every marker in every mode"},
    {"branches", 0, IS_FLAG, FOR_SHAPES, FIELD(branches), NULL,
     "at a singular configuration: also the motions that meet there, with their frequencies"},
    {"realization", 0, IS_FLAG, FOR_SHAPES, FIELD(realization), NULL,
     "also which modes the inputs drive and the outputs see, with margins"},
    {"energies", 0, IS_FLAG, FOR_SHAPES, FIELD(energies), NULL,
     "also what each body, joint and load does to the frequency and damping of each mode, and the "
     "part that each state has in it"},
    {"sparsity", 0, IS_TEXT, FOR_SPARSITY, FIELD(sparsity), "FILE",
     "in place of the linear model: a picture (SVG) of where its matrices and their factors have "
     "entries; - is standard output"},
    {"format", 0, IS_TEXT, FOR_FORMAT, FIELD(format), "NAME",
     "save the linear model to the FILE of --output in this form: "},
    {"end", 0, IS_POSITIVE, FOR_MOTION, FIELD(end), "TIME",
     "end of the run, s (else as the model says)"},
    {"every", 0, IS_POSITIVE, FOR_MOTION, FIELD(every), "TIME",
     "time between records, s (else as the model says, or a five hundredth of the run)"},
    {"integrator", 0, IS_TEXT, FOR_MOTION | FOR_EXPERIMENT, FIELD(integrator), "NAME",
     "integrator: "},
    {"tolerance", 0, IS_POSITIVE, FOR_MOTION, FIELD(tolerance), "X",
     "error of a step over typical lengths and radians (else as the model says, or 1e-6)"},
    {"step", 0, IS_POSITIVE, FOR_MOTION, FIELD(step), "TIME",
     "steps of one length, s, in place of --tolerance"},
    {"dissipation", 0, IS_DISSIPATION, FOR_MOTION, FIELD(dissipation), "X",
     "alpha of hht, -1/3 to 0 (-0.3), or the spectral radius of generalized-alpha, 0 to 1 (0.7)"},
    {"channels", 0, IS_TEXT, FOR_MOTION, FIELD(channels), "NAME,...",
     "what to record: bodies, markers, joints, loads, signals, outputs, energy, residuals (else "
     "all)"},
    {"resume", 0, IS_FLAG, FOR_MOTION, FIELD(resume), NULL,
     "go on with the FILE of an interrupted run; the result is that of an unbroken one"},
    {"check", 0, IS_FLAG, FOR_REPORT, FIELD(check), NULL,
     "also the answers of routh check: rows, rank, and every coordinate set by every method"},
    {"confirm", 0, IS_FLAG, FOR_REPORT, FIELD(confirm), NULL,
     "also what routh confirm finds, with the spectrum of the response"},
    {"response", 0, IS_FLAG, FOR_REPORT, FIELD(response), NULL,
     "also the frequency response, with Bode and Nyquist diagrams"},
    {"floquet", 0, IS_FLAG, FOR_REPORT, FIELD(floquet), NULL,
     "also the multipliers of a periodic motion; with --period, --period-of or --period-near"},
    {"sensitivity", 0, IS_FLAG, FOR_REPORT, FIELD(sensitivity), NULL,
     "also what every parameter does to every mode, as a map"},
    {"duration", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(duration), "X",
     "of the experiment, in s (else eight periods of the slowest mode, or what it takes)"},
    {"amplitude", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(amplitude), "X",
     "of each mode in the experiment, typical lengths or rad (else 1e-3, or less)"},
    {"below", 0, IS_POSITIVE, FOR_EXPERIMENT, FIELD(below), "HZ",
     "experiment on eigenvalues below this frequency only (else on all; with flexible bodies and "
     "beams on the slow ones where all are too many)"},
    {"seed", 0, IS_COUNT, FOR_EXPERIMENT, FIELD(seed), "N", "of its random phases (else 1)"},
    {"response", 0, IS_FLAG, FOR_SENSITIVITY, FIELD(response), NULL,
     "of the frequency response in place of the modes: of the heights and frequencies of its "
     "peaks, "
     "with --json and --csv at all its frequencies"},
    {"frequencies", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(frequencies), "HZ,...",
     "with --response: at these"},
    {"input", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(input), "NAME,...",
     "inputs of the model, or position states (body.x) for a force on them; else all inputs of the "
     "model"},
    {"of", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(of), "NAME,...",
     "what responds: outputs of the model, or states; else all outputs of the model"},
    {"base", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(base), "x|y|z",
     "the ground moves in this direction: an input besides, or the only one"},
    {"as", 0, IS_TEXT, FOR_RESPONSE | FOR_SENSITIVITY, FIELD(as), "QUANTITY",
     "what a prescribed motion is given by: displacement, velocity or acceleration"},
    {"over", 0, IS_OVER, FOR_RESPONSE | FOR_SENSITIVITY, 0, "A:B[:N]",
     "from A to B Hz, at N frequencies (else where they are needed; without --over about the first "
     "twelve modes)"},
    {"error", 0, IS_POSITIVE, FOR_RESPONSE, FIELD(error), "X",
     "of a straight line between neighbouring frequencies (else 0.01)"},
    {"modes-to", 0, IS_POSITIVE, FOR_RESPONSE, FIELD(modes_to), "HZ",
     "superpose only modes up to this frequency, the others as they are at rest (else all)"},
    {"psd", 0, IS_TEXT, FOR_RESPONSE, FIELD(psd), "SPECTRUM",
     "random inputs: a CSV file (hz,NAME,...), or NAME=EXPRESSION of f in Hz, with ; between "
     "several, in unit^2/Hz; gives mean squares of the outputs and what modes make them"},
    {"svg", 0, IS_TEXT, FOR_RESPONSE_ALONE, FIELD(svg), "FILE",
     "also draw Bode and Nyquist diagrams in FILE"},
    {"period", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period), "TIME",
     "after which the motion comes back, s: an expression of parameters"},
    {"period-of", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period_of), "RATE",
     "instead: a rate in rad/s, an expression of parameters such as spin; the period is 2 pi/RATE"},
    {"period-near", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(period_near), "TIME",
     "instead: the period is not known but near to this, and nothing in the model depends on time"},
    {"as-given", 0, IS_FLAG, FOR_PERIODIC | FOR_REPORT, FIELD(as_given), NULL,
     "the motion from the operating point comes back of itself; no other is searched for"},
    {"blades", 0, IS_TEXT, FOR_PERIODIC | FOR_REPORT, FIELD(blades), "NAME,...",
     "also multi-blade coordinates of these blades, in their order around the rotor: of the states "
     "called "
     "by a blade's name, with what follows after a dot or an underscore"},
    {"tolerance", 0, IS_POSITIVE, FOR_PERIODIC, FIELD(tolerance), "X",
     "of the multipliers, over 1 or their modulus (else 1e-10); of the parameter with --boundary "
     "(else 1e-12)"},
    {"boundary", 0, IS_TEXT, FOR_PERIODIC, FIELD(boundary), "NAME=A:B",
     "instead of the multipliers: the value of a parameter between A and B at which one crosses "
     "the unit circle, solved for"},
    {"crossing", 0, IS_TEXT, FOR_PERIODIC, FIELD(crossing), "PLACE",
     "where it crosses: one, minus-one or circle (else what changes between A and B)"},
    {"parameters", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(parameters), "NAME,...",
     "by which parameters of the model (else by all)"},
    {"modes", 0, IS_TEXT, FOR_SENSITIVITY, FIELD(of_modes), "N,N-N,...",
     "of which modes, numbered as routh modes does (else of all)"},
    {"symbols", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(symbols), "NAME,...",
     "parameters that stay symbols, or none (else all that are not written in terms of others)"},
    {"independent", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(independent), "NAME,...",
     "independent coordinates: body.x|y|z|rx|ry|rz, marker.x|y|z, or a component of an axis such "
     "as "
     "rotor.zx (else the model's states, else chosen)"},
    {"unknown", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(unknown), "NAME,...",
     "parameters that the equilibrium fixes: symbols, with the equations for them"},
    {"stability", 0, IS_FLAG, FOR_SYMBOLIC, FIELD(stability), NULL,
     "also the conditions of stability in the symbols, by Routh's array"},
    {"chart", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(chart), "FILE",
     "also write where in the plane of two parameters the model is stable, as a picture (SVG)"},
    {"over", 0, IS_ALONG, FOR_SYMBOLIC, 0, "NAME=A:B",
     "with --chart, twice: its parameters and their ranges"},
    {"certify", 0, IS_FLAG, FOR_SYMBOLIC, FIELD(certify), NULL,
     "instead: eigenvalues at the file's numbers in balls that provably contain them, and a "
     "verdict "
     "on stability"},
    {"digits", 0, IS_COUNT, FOR_SYMBOLIC, FIELD(digits), "N",
     "how many digits of them are written (else 20)"},
    {"form", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(form), "NAME",
     "second-order (M, C, K) or state-space (A) (else second-order)"},
    {"format", 0, IS_TEXT, FOR_SYMBOLIC, FIELD(format), "NAME",
     "text, latex, c, python or matlab (else text); --json for programs"},
    {"nodes", 0, IS_TEXT, FOR_REDUCE, FIELD(nodes), "FILE",
     "where the nodes are: .inp, .frd, .bdf, .dat, or lines of number x y z (else the file of the "
     "stiffness)"},
    {"dofs", 0, IS_TEXT, FOR_REDUCE, FIELD(dofs), "FILE",
     "node and direction (1 to 6) of every row, a line each (else CalculiX's .dof beside the .sti, "
     "or three or six rows a node)"},
    {"stiffness-name", 0, IS_TEXT, FOR_REDUCE, FIELD(stiffness_name), "NAME",
     "the matrix in a DMIG or OUTPUT4 file (else KAAX, KGG and the like)"},
    {"mass-name", 0, IS_TEXT, FOR_REDUCE, FIELD(mass_name), "NAME", "likewise (else MAAX, MGG ..)"},
    {"interface", 0, IS_INTERFACE, FOR_REDUCE, 0, "NODE",
     "where the body is to be joined: a node, or NUMBER=NODE,NODE,.. or NUMBER=SET for the mean "
     "motion of many; may be repeated; without any, free-free modes"},
    {"modes", 0, IS_COUNT, FOR_REDUCE, FIELD(modes), "N", "normal modes to keep (else 10)"},
    {"cut", 0, IS_POSITIVE, FOR_REDUCE, FIELD(cut), "HZ", "or all below this frequency"},
    {"frequencies-below", 0, IS_POSITIVE, FOR_REDUCE, FIELD(frequencies_below), "HZ",
     "or as many as it takes for the free body's frequencies below this to be those of the whole "
     "model, which are counted"},
    {"accuracy", 0, IS_POSITIVE, FOR_REDUCE, FIELD(accuracy), "X", "of these (else 0.001)"},
    {"free-modes", 0, IS_FLAG, FOR_REDUCE, FIELD(free_modes), NULL,
     "with interfaces too, normal modes are those of the free body, not held there"},
    {"shapes", 0, IS_TEXT, FOR_REDUCE, FIELD(user_shapes), "FILE",
     "keep these shapes besides: a Matrix Market array with a column each, or lines of node, "
     "direction and values; without interfaces and --modes these alone"},
    {"damping-ratio", 0, IS_POSITIVE, FOR_REDUCE, FIELD(damping_ratio), "X",
     "damping of every mode of the free body (else 0)"},
    {"length-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(length_unit), "UNIT",
     "of the files: m, cm, mm, in, ft, or a number of metres (else m)"},
    {"mass-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(mass_unit), "UNIT",
     "of the files: kg, g, t, or a number of kilograms (else kg)"},
    {"time-unit", 0, IS_TEXT, FOR_REDUCE, FIELD(time_unit), "UNIT",
     "of the files: s, ms, or a number of seconds (else s)"},
    {"title", 0, IS_TEXT, FOR_REDUCE, FIELD(title), "TEXT", "kept in the file of the body"},
    {"draw", 0, IS_COUNT, FOR_REDUCE, FIELD(draw), "N",
     "most nodes kept for drawing alone (else 500)"},
    {"output", 'o', IS_TEXT, FOR_OUTPUT, FIELD(output), "FILE",
     "write to FILE, whole or not at all; - is standard output"},
    {"quiet", 'q', IS_FLAG, FOR_ALL, FIELD(quiet), NULL,
     "no warnings and no remarks on standard error"},
    {"color", 0, IS_COLOUR, FOR_ALL, 0, "WHEN",
     "colour on a terminal (auto: not where NO_COLOR is set or TERM is dumb): "},
    {"help", 'h', IS_FLAG, FOR_ALL, FIELD(help), NULL, "say what the command does and takes"},
};

enum { N_OPTIONS = sizeof table / sizeof *table };

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
        usage_error("--%s takes a whole number from 0 to 4096, not \"%s\"", name, value);
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
    usage_error("--penalty takes positive numbers for alpha, xi and omega, such as "
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
        usage_error("--%s takes a number, not \"%s\"", name, value);
        return false;
    }
    *real = x;
    return true;
}

static bool parse_positive(double *real, const char *name, const char *value)
{
    if (!parse_real(real, name, value)) return false;
    if (*real > 0) return true;
    usage_error("--%s takes a positive number, not \"%s\"", name, value);
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
    usage_error("--between takes two frequencies in Hz, such as 0,500, the first the lower, not "
                "\"%s\"",
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
    usage_error("--over takes two frequencies in Hz and, if wanted, how many, such as 0.1:100 or "
                "0.1:100:500, not \"%s\"",
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
    case IS_SETTING:
    case IS_VERSUS: break;
    }
    if (o->kind == IS_VERSUS) {
        if (setting_parse(&given->versus[given->n_versus], value, room))
            return given->n_versus++, true;
    } else if (setting_parse(&given->settings[given->n_settings], value, room)) {
        return given->n_settings++, true;
    }
    usage_error("--%s takes NAME=VALUE, not \"%s\"", o->name, value);
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
        usage_error("there is no option --%s; did you mean --%s?", word, near);
    else
        usage_error("there is no option --%s; \"routh help %s\" lists them", word, command);
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
        usage_error("routh %s takes no --%s", command, other->name);
    else
        unknown(name, length, groups, command);
    return NULL;
}

static const option *find_short(char letter, int groups, const char *command)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].letter == letter && (table[i].groups & groups)) return &table[i];
    usage_error("there is no option -%c; \"routh help %s\" lists them", letter, command);
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
        usage_error("--%s takes no value", o->name);
        return false;
    }
    if (o->kind != IS_FLAG && !value) {
        if (l->next == l->n) {
            usage_error("--%s needs a value: --%s %s", o->name, o->name, o->argument);
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
            usage_error("-%c takes no value, but %s is given; write short options apart", word[1],
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

void option_write_help(FILE *to, const option_shown *shown)
{
    fputs(shown->help, to);
    if (shown->names) list_names(to, shown->names);
}

void options_help(FILE *to, int groups)
{
    option_shown o;
    for (size_t at = 0; option_show(&o, &at, groups);) {
        char word[64], letter[8] = "";
        if (o.letter) snprintf(letter, sizeof letter, "-%c, ", o.letter);
        snprintf(word, sizeof word, "%s--%s%s%s", letter, o.name, o.argument ? " " : "",
                 o.argument ? o.argument : "");
        fprintf(to, "  %-24s  ", word);
        option_write_help(to, &o);
        fputs("\n", to);
    }
}
