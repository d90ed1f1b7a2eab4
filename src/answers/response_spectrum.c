/* Spectra of inputs: tables, straight lines of log S over log f between their points, and
 * expressions of f. */
#include "answers/response_spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "expression/expression.h"

/* A column of a table: power of input a, or the real or imaginary part of S_ab. */
typedef struct response_spectrum_column {
    int a, b;
    bool imaginary;
} response_spectrum_column;

struct routh_spectrum {
    rt_arena arena;
    int n_names;
    char **names;
    int n, n_columns;    /* rows and columns of the table; n 0: expressions */
    double *hz, *values; /* n; n x n_columns */
    response_spectrum_column *columns;
    const rt_tape *tape; /* of expressions: one for each name */
};

void routh_spectrum_free(routh_spectrum *s)
{
    if (!s) return;
    rt_arena_free(&s->arena);
    free(s);
}

static int response_spectrum_name_of(routh_spectrum *s, const char *text, size_t length, int most)
{
    for (int k = 0; k < s->n_names; k++)
        if (strlen(s->names[k]) == length && strncmp(s->names[k], text, length) == 0) return k;
    if (s->n_names == most) return -1;
    s->names[s->n_names] = rt_arena_text(&s->arena, text, length);
    return s->names[s->n_names] ? s->n_names++ : -1;
}

static void response_spectrum_trim(const char **from, size_t *length)
{
    while (*length && strchr(" \t\r\"", **from)) (*from)++, (*length)--;
    while (*length && strchr(" \t\r\"", (*from)[*length - 1])) (*length)--;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct table_reader {
    routh_spectrum *s;
    const char *path;
    int line;
} table_reader;

static routh_status fail_line(const table_reader *t, routh_error *error, const char *what)
{
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, t->path, rt_place_at(t->line, 1), NULL, "%s",
                      what);
}

/* "road", "road:load" and "road:load:im" */
static routh_status response_spectrum_read_head(table_reader *t, const char *text, size_t length,
                                                response_spectrum_column *c, int most,
                                                routh_error *error)
{
    const char *colon = memchr(text, ':', length);
    const size_t first = colon ? (size_t)(colon - text) : length;
    c->a = c->b = response_spectrum_name_of(t->s, text, first, most);
    if (c->a < 0) return rt_fail_memory(error);
    if (!colon) return ROUTH_OK;
    const char *rest = colon + 1;
    const size_t left = length - first - 1;
    const char *second = memchr(rest, ':', left);
    c->b = response_spectrum_name_of(t->s, rest, second ? (size_t)(second - rest) : left, most);
    if (c->b < 0) return rt_fail_memory(error);
    c->imaginary = second != NULL;
    if (c->b == c->a || (second && strncmp(second + 1, "im", left - (size_t)(second - rest) - 1)))
        return fail_line(t, error,
                         "a column has an invalid name; use the name of an input (road), or of two "
                         "inputs for the real (road:load) or imaginary part (road:load:im) of "
                         "their cross spectrum");
    return ROUTH_OK;
}

static int count_commas(const char *text, size_t length)
{
    int n = 0;
    for (size_t k = 0; k < length; k++) n += text[k] == ',';
    return n;
}

static routh_status read_heads(table_reader *t, const char *text, size_t length, routh_error *error)
{
    routh_spectrum *s = t->s;
    const int n = count_commas(text, length);
    if (n < 1)
        return fail_line(t, error,
                         "the first line does not name the columns; write the frequencies first, "
                         "such as hz,road");
    s->n_columns = n;
    s->columns = RT_TAKE(&s->arena, response_spectrum_column, n);
    s->names = RT_TAKE(&s->arena, char *, 2 * n);
    if (!s->columns || !s->names) return rt_fail_memory(error);
    for (int k = -1; k < n; k++) {
        const char *comma = memchr(text, ',', length);
        const size_t whole = comma ? (size_t)(comma - text) : length;
        const char *from = text;
        size_t part = whole;
        response_spectrum_trim(&from, &part);
        const routh_status status =
            k < 0 ? ROUTH_OK
                  : response_spectrum_read_head(t, from, part, &s->columns[k], 2 * n, error);
        if (status) return status;
        text += whole + (comma != NULL), length -= whole + (comma != NULL);
    }
    return ROUTH_OK;
}

static routh_status response_spectrum_read_row(table_reader *t, const char *text, size_t length,
                                               int row, routh_error *error)
{
    routh_spectrum *s = t->s;
    if (count_commas(text, length) != s->n_columns)
        return fail_line(t, error,
                         "this line does not have as many columns as the first; give one "
                         "value for each name in the first line");
    for (int k = -1; k < s->n_columns; k++) {
        const char *comma = memchr(text, ',', length);
        const size_t whole = comma ? (size_t)(comma - text) : length;
        const char *from = text;
        size_t part = whole;
        double x;
        response_spectrum_trim(&from, &part);
        if (!rt_number_read(from, part, &x) || !isfinite(x))
            return fail_line(t, error, "a value is not a number; give numbers separated by commas");
        if (k < 0)
            s->hz[row] = x;
        else
            s->values[(size_t)row * s->n_columns + k] = x;
        const bool power = k >= 0 && s->columns[k].a == s->columns[k].b;
        if (power && x < 0)
            return fail_line(t, error,
                             "the spectrum of an input is negative; give values of 0 or "
                             "more");
        text += whole + (comma != NULL), length -= whole + (comma != NULL);
    }
    if (s->hz[row] > 0 && (row == 0 || s->hz[row] > s->hz[row - 1])) return ROUTH_OK;
    return fail_line(t, error,
                     "the frequency is not positive, or not larger than that of the line "
                     "before; sort the lines by frequency");
}

/* Lines that are empty or begin with # are passed over. */
static routh_status response_spectrum_read_table(table_reader *t, const char *text,
                                                 routh_error *error)
{
    routh_spectrum *s = t->s;
    int rows = 0;
    for (const char *p = text; *p; p++) rows += *p == '\n';
    s->hz = RT_TAKE(&s->arena, double, rows + 1);
    if (!s->hz) return rt_fail_memory(error);
    while (*text) {
        const size_t whole = strcspn(text, "\n");
        const char *from = text;
        size_t length = whole;
        routh_status status = ROUTH_OK;
        t->line++;
        response_spectrum_trim(&from, &length);
        if (length && *from != '#') {
            if (!s->columns) {
                status = read_heads(t, text, whole, error);
                if (!status)
                    s->values =
                        RT_TAKE(&s->arena, double, (size_t)(rows + 1) * (size_t)s->n_columns);
                if (!status && !s->values) status = rt_fail_memory(error);
            } else {
                status = response_spectrum_read_row(t, text, whole, s->n++, error);
            }
        }
        if (status) return status;
        text += whole + (text[whole] == '\n');
    }
    return s->n >= 2 ? ROUTH_OK
                     : fail_line(t, error,
                                 "the spectrum has fewer than two "
                                 "frequencies; give at least two lines of "
                                 "values");
}

routh_status routh_spectrum_read(routh_spectrum **spectrum, const char *path, routh_error *error)
{
    rt_file file;
    *spectrum = NULL;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    routh_spectrum *s = calloc(1, sizeof *s);
    table_reader t = {s, path, 0};
    status = s ? response_spectrum_read_table(&t, file.bytes, error) : rt_fail_memory(error);
    free(file.bytes);
    if (status)
        routh_spectrum_free(s);
    else
        *spectrum = s;
    return status;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool response_spectrum_quantity(void *context, const char *name, rt_expr *out, char *problem)
{
    (void)problem;
    if (strcmp(name, "f") != 0) return false;
    *out = rt_input(context, 0);
    return true;
}

static bool response_spectrum_call(void *context, const char *name,
                                   const rt_call_argument *arguments, int n, rt_expr *out,
                                   char *problem)
{
    (void)context, (void)name, (void)arguments, (void)n, (void)out, (void)problem;
    return false;
}

/* "road=1e-6/f^2" */
static routh_status parse_one(routh_spectrum *s, rt_graph *graph, const char *text, size_t length,
                              rt_expr *out, int most, routh_error *error)
{
    static const char *const known[] = {"f", NULL};
    const rt_resolver resolver = {.context = graph,
                                  .quantity = response_spectrum_quantity,
                                  .call = response_spectrum_call,
                                  .suggestions = known,
                                  .unknown_units =
                                      "a spectrum is in (unit of the input)^2/Hz, whatever unit "
                                      "that is; write the number without a unit"};
    const char *equals = memchr(text, '=', length);
    if (!equals)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the spectrum has no `=`; write INPUT=EXPRESSION of f in Hz, such as "
                       "road=1e-6/f^2, with ; between several");
    const char *name = text;
    size_t size = (size_t)(equals - text);
    response_spectrum_trim(&name, &size);
    const int before = s->n_names;
    if (response_spectrum_name_of(s, name, size, most) != before)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the spectrum of an input is given twice; leave "
                       "one out");
    const char *expression =
        rt_arena_text(&s->arena, equals + 1, length - (size_t)(equals + 1 - text));
    if (!expression) return rt_fail_memory(error);
    const routh_status status = rt_parse(graph, expression, &resolver, out, error);
    if (status && error)
        snprintf(error->element, sizeof error->element, "spectrum \"%.*s=%.80s\"", (int)size, name,
                 expression);
    return status;
}

static routh_status parse_all(routh_spectrum *s, rt_graph *graph, const char *text,
                              routh_error *error)
{
    int n = 1;
    const int slot = 0;
    for (const char *p = text; *p; p++) n += *p == ';';
    rt_expr *out = RT_TAKE(&s->arena, rt_expr, n);
    s->names = RT_TAKE(&s->arena, char *, n);
    if (!out || !s->names) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        const size_t length = strcspn(text, ";");
        const routh_status status = parse_one(s, graph, text, length, &out[k], n, error);
        if (status) return status;
        text += length + 1;
    }
    s->tape = rt_tape_compile(graph, out, n, &slot, 1, &s->arena);
    return s->tape ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_spectrum_parse(routh_spectrum **spectrum, const char *text, routh_error *error)
{
    *spectrum = NULL;
    routh_spectrum *s = calloc(1, sizeof *s);
    rt_graph *graph = rt_graph_create();
    const routh_status status =
        s && graph ? parse_all(s, graph, text, error) : rt_fail_memory(error);
    rt_graph_free(graph);
    if (status)
        routh_spectrum_free(s);
    else
        *spectrum = s;
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

int rt_spectrum_names(const routh_spectrum *s) { return s->n_names; }

routh_status rt_spectrum_bind(const routh_spectrum *s, const rt_channels *c, int *place,
                              routh_error *error)
{
    static const char force[] = "force on ";
    for (int k = 0; k < s->n_names; k++) {
        place[k] = -1;
        for (int j = 0; j < c->n_in; j++) {
            const char *name = c->in[j].name;
            if (strncmp(name, force, sizeof force - 1) == 0 && strcmp(s->names[k], name) != 0)
                name += sizeof force - 1;
            if (strcmp(s->names[k], name) == 0) place[k] = j;
        }
        if (place[k] < 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the spectrum of \"%s\" is given, but the response has no such input; "
                           "add it (--input), or leave out the spectrum",
                           s->names[k]);
    }
    return ROUTH_OK;
}

size_t rt_spectrum_work(const routh_spectrum *s)
{
    return (s->tape ? rt_tape_work(s->tape) : 0) + (size_t)s->n_names;
}

int rt_spectrum_breaks(const routh_spectrum *s, const double **hz)
{
    *hz = s->hz;
    return s->n;
}

/* S = a (f / f_a)^p between two points; where one of them is zero, a straight line. */
static double power_at(double a, double b, double t, double share)
{
    return a > 0 && b > 0 ? exp(log(a) + t * (log(b) - log(a))) : a + share * (b - a);
}

/* Cross spectra: the complex coherence S_ab / sqrt(S_aa S_bb) is interpolated linearly, so that S
 * stays a matrix that has no negative power. */
static void table_at(const routh_spectrum *s, const int *place, int n_in, double hz,
                     double _Complex *S, double *power)
{
    int k = 0;
    if (hz < s->hz[0] || hz > s->hz[s->n - 1]) return;
    for (int high = s->n - 1; high - k > 1;) {
        const int middle = (k + high) / 2;
        *(s->hz[middle] <= hz ? &k : &high) = middle;
    }
    const double *A = s->values + (size_t)k * s->n_columns, *B = A + s->n_columns;
    const double t = log(hz / s->hz[k]) / log(s->hz[k + 1] / s->hz[k]);
    const double share = (hz - s->hz[k]) / (s->hz[k + 1] - s->hz[k]);
    for (int c = 0; c < s->n_columns; c++) {
        const response_spectrum_column *q = &s->columns[c];
        if (q->a != q->b) continue;
        power[q->a] = power_at(A[c], B[c], t, share);
        S[place[q->a] * n_in + place[q->a]] += power[q->a];
    }
    for (int c = 0; c < s->n_columns; c++) {
        const response_spectrum_column *q = &s->columns[c];
        if (q->a == q->b) continue;
        double ends[2] = {0, 0};
        for (int e = 0; e < 2; e++) {
            double aa = 0, bb = 0;
            for (int d = 0; d < s->n_columns; d++) {
                const response_spectrum_column *p = &s->columns[d];
                const double v = (e ? B : A)[d];
                if (p->a == q->a && p->b == q->a) aa = v;
                if (p->a == q->b && p->b == q->b) bb = v;
            }
            if (aa > 0 && bb > 0) ends[e] = (e ? B : A)[c] / sqrt(aa * bb);
        }
        const double value = (ends[0] + t * (ends[1] - ends[0])) * sqrt(power[q->a] * power[q->b]);
        const double _Complex cross = q->imaginary ? I * value : value;
        S[place[q->a] * n_in + place[q->b]] += cross;
        S[place[q->b] * n_in + place[q->a]] += conj(cross);
    }
}

void rt_spectrum_powers(const routh_spectrum *s, double hz, double *powers)
{
    memset(powers, 0, (size_t)s->n_names * sizeof *powers);
    rt_tape_evaluate(s->tape, &hz, powers, powers + s->n_names);
}

void rt_spectrum_at(const routh_spectrum *s, const int *place, int n_in, double hz,
                    double _Complex *S, double *work)
{
    memset(S, 0, (size_t)n_in * (size_t)n_in * sizeof *S);
    if (!s->tape) {
        memset(work, 0, (size_t)s->n_names * sizeof *work);
        table_at(s, place, n_in, hz, S, work);
        return;
    }
    rt_spectrum_powers(s, hz, work);
    for (int k = 0; k < s->n_names; k++) S[place[k] * n_in + place[k]] += work[k];
}
