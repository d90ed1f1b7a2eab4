/* A sweep as JSON and as comma-separated values. */
#include <math.h>

#include "base/number.h"
#include "output/sweep_fields.h"
#include "output/sweep_words.h"

/* ---- eigenvalues of a point ----------------------------------------------------------------- */

/* A row of these is a branch at a point: of is the point, parent the line, index the branch. */
static const routh_sweep_point *branch_point(const rt_result_row *row) { return row->of; }

static const double *branch_eigenvalue(const rt_result_row *row)
{
    return branch_point(row)->eigenvalues[row->index];
}

static const char *branch_name(const rt_result_row *row)
{
    return ((const routh_sweep_line *)row->parent)->names[row->index];
}

static int branch_number(const rt_result_row *row) { return row->index; }

static void branch_write_eigenvalue(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, branch_eigenvalue(row), 2);
}

static double branch_re(const rt_result_row *row) { return branch_eigenvalue(row)[0]; }

static double branch_im(const rt_result_row *row) { return branch_eigenvalue(row)[1]; }

static double branch_hertz(const rt_result_row *row)
{
    return rt_sweep_figures_of(branch_eigenvalue(row)).hertz;
}

static double branch_ratio(const rt_result_row *row)
{
    return rt_sweep_figures_of(branch_eigenvalue(row)).ratio;
}

static double branch_bound(const rt_result_row *row)
{
    return branch_point(row)->bounds[row->index];
}

static int branch_partner(const rt_result_row *row)
{
    return branch_point(row)->partner[row->index];
}

static int branch_rigid(const rt_result_row *row) { return branch_point(row)->rigid[row->index]; }

static int branch_on_grid(const rt_result_row *row) { return branch_point(row)->on_grid; }

static double branch_certainty(const rt_result_row *row) { return branch_point(row)->certainty; }

static const rt_result_field branch_value_fields[] = {
    {.csv = "branch", .type = RT_RESULT_TEXT, .text = branch_name,
     .meaning = "name of the branch"},
    {.key = "branch", .type = RT_RESULT_COUNT, .count = branch_number,
     .meaning = "number of the branch: place in `names` of the line"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, .write = branch_write_eigenvalue,
     .unit = "1/s", .meaning = "`[re, im]` in 1/s and rad/s"},
    {.csv = "real", .member = "eigenvalue", .type = RT_RESULT_REAL, .real = branch_re,
     .unit = "1/s", .meaning = "real part of the eigenvalue"},
    {.csv = "imaginary", .member = "eigenvalue", .part_of = 1, .type = RT_RESULT_REAL,
     .real = branch_im, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue"},
    {.csv = "frequency_hz", .type = RT_RESULT_REAL, .real = branch_hertz, .unit = "Hz",
     .meaning = "damped natural frequency, Hz"},
    {.csv = "damping_ratio", .type = RT_RESULT_REAL, .real = branch_ratio,
     .meaning = "damping ratio"},
    {.key = "error_bound", .csv = "error_bound", .type = RT_RESULT_REAL, .real = branch_bound,
     .nullable = true, .unit = "1/s", .meaning = "of the eigenvalue"},
    {.key = "partner", .type = RT_RESULT_COUNT, .count = branch_partner,
     .meaning = "branch of the conjugate, its own of a real eigenvalue"},
    {.key = "rigid", .type = RT_RESULT_TRUTH, .count = branch_rigid,
     .meaning = "true: an exact zero"},
    {.csv = "on_grid", .type = RT_RESULT_COUNT, .count = branch_on_grid,
     .meaning = "0: a point put in between"},
    {.csv = "certainty", .type = RT_RESULT_REAL, .real = branch_certainty,
     .meaning = "of the step from the point before, 0 to 1"},
};
static const rt_result_table branch_value_table = {
    "branch_value", "Eigenvalue of a branch",
    "In the CSV the value of the parameter, and of the second one where there is one, come first.",
    RT_FIELDS(branch_value_fields)};

static void point_write_eigenvalues(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sweep_line *line = row->parent;
    rt_json_array(json, key);
    for (int b = 0; b < line->n_branches; b++) {
        if (branch_point(row)->partner[b] < 0) continue;
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &branch_value_table,
                       &(rt_result_row){.of = row->of, .parent = line, .index = b});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field sweep_point_fields[] = {
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_sweep_point, value),
     .meaning = "of `parameter`"},
    {.key = "on_grid", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_point, on_grid),
     .meaning = "false: put in between"},
    {.key = "steady", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_point, steady),
     .meaning = "true: eigenvalues describe stability"},
    {.key = "unstable", .type = RT_RESULT_COUNT, RT_AT(routh_sweep_point, unstable),
     .meaning = "eigenvalues whose real part is positive by more than it may be off"},
    {.key = "message", .type = RT_RESULT_TEXT, RT_AT(routh_sweep_point, message), .nullable = true,
     .meaning = "why there is nothing here, else `null`"},
    {.key = "certainty", .type = RT_RESULT_REAL, RT_AT(routh_sweep_point, certainty),
     .meaning = "of the step from the point before, 0 to 1"},
    {.key = "eigenvalues", .type = RT_RESULT_LIST, .items = &branch_value_table,
     .write = point_write_eigenvalues, .meaning = "of the branches that there are here"},
};
static const rt_result_table sweep_point_table = {"point", "Point of a sweep", "",
                                                  RT_FIELDS(sweep_point_fields)};

/* ---- events --------------------------------------------------------------------------------- */

static const char *event_kind(const rt_result_row *row)
{
    return routh_sweep_event_name(((const routh_sweep_event *)row->of)->kind);
}

static void event_write_branches(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sweep_event *e = row->of;
    rt_json_flat_array(json, key);
    for (int k = 0; k < 2; k++)
        if (e->branch[k] >= 0) rt_json_int(json, NULL, e->branch[k]);
    rt_json_end(json);
}

/* ---- an event in the terminal's table: work is the sweep, parent the line */

static const char *head_of_parameter(const rt_result_row *row)
{
    return ((const routh_sweep *)row->work)->parameter;
}

static const char *head_of_second(const rt_result_row *row)
{
    return ((const routh_sweep *)row->work)->second;
}

const char *rt_sweep_unit(const routh_sweep *s, const char *parameter)
{
    return s->speed && parameter && strcmp(s->speed, parameter) == 0 ? "rad/s" : NULL;
}

static const char *unit_of_parameter(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return rt_sweep_unit(row->work, head_of_parameter(row));
}

static const char *unit_of_second(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return rt_sweep_unit(row->work, head_of_second(row));
}

static bool event_is_of_map(const rt_result_row *row) { return head_of_second(row) != NULL; }

static double event_second(const rt_result_row *row)
{
    return ((const routh_sweep_line *)row->parent)->second;
}

/* "flutter, unstable above" */
static void event_cell_kind(rt_table *table, const rt_result_row *row)
{
    const routh_sweep_event *e = row->of;
    const bool limit = e->kind == ROUTH_SWEEP_FLUTTER || e->kind == ROUTH_SWEEP_DIVERGENCE;
    rt_table_format(table, "%s%s", event_kind(row),
                    !limit     ? ""
                    : e->grows ? ", unstable above"
                               : ", unstable below");
}

/* One or both, without the star of a conjugate. */
static void event_cell_branches(rt_table *table, const rt_result_row *row)
{
    const routh_sweep_event *e = row->of;
    const routh_sweep_line *line = row->parent;
    const char *first = e->branch[0] >= 0 ? line->names[e->branch[0]] : "",
               *second = e->branch[1] >= 0 ? line->names[e->branch[1]] : "";
    const bool same = strcspn(first, "*") == strcspn(second, "*") &&
                      strncmp(first, second, strcspn(first, "*")) == 0;
    rt_table_format(table, "%.*s%s%.*s", (int)strcspn(first, "*"), first,
                    *second && !same ? ", " : "", same ? 0 : (int)strcspn(second, "*"), second);
}

/* What is not resolved is a limit of stability, a damping ratio or a critical speed. */
static bool event_is_unresolved(const rt_result_row *row)
{
    return ((const routh_sweep_event *)row->of)->kind == ROUTH_SWEEP_UNRESOLVED;
}

static const char *event_of(const rt_result_row *row)
{
    const routh_sweep_event *e = row->of;
    return e->of == ROUTH_SWEEP_FLUTTER ? "stability" : routh_sweep_event_name(e->of);
}

static void event_cell_note(rt_table *table, const rt_result_row *row)
{
    const routh_sweep_event *e = row->of;
    const bool open = event_is_unresolved(row),
               critical = (open ? e->of : e->kind) == ROUTH_SWEEP_CRITICAL;
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, critical ? e->order : e->gap, 4);
    if (open)
        rt_table_format(table, "%s%s%s", event_of(row), critical ? ", order " : "",
                        critical ? number : "");
    else if (critical)
        rt_table_format(table, "order %s", number);
    else if (e->kind == ROUTH_SWEEP_VEERING)
        rt_table_format(table, "gap %s 1/s", number);
    else
        rt_table_cell(table, "");
}

static const rt_result_field event_fields[] = {
    {.type = RT_RESULT_REAL, .real = event_second, .there = event_is_of_map,
     .meaning = "value of the second parameter", .head_of = head_of_second,
     .unit_of = unit_of_second, .one_unit = true},
    {.key = "kind", .type = RT_RESULT_TEXT, .text = event_kind, .meaning = "what happens",
     .head = "what", .head_rank = 1, .align = 'l', .cell = event_cell_kind},
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_sweep_event, value),
     .meaning = "at which value of `parameter`", .head_of = head_of_parameter,
     .unit_of = unit_of_parameter, .one_unit = true, .digits = 13},
    {.key = "error", .type = RT_RESULT_REAL, RT_AT(routh_sweep_event, error), .nullable = true,
     .meaning = "what that may be off", .unit_of = unit_of_parameter, .head = "", .align = 'l',
     .digits = 1, .before = "+-"},
    {.key = "branches", .type = RT_RESULT_VALUES, .each = RT_RESULT_COUNT,
     .write = event_write_branches, .meaning = "numbers of the branches concerned, one or two",
     .head = "branch", .head_rank = 1, .cell = event_cell_branches},
    {.type = RT_RESULT_REAL, RT_AT(routh_sweep_event, eigenvalue), .out_of = 2, .unit = "1/s",
     .meaning = "real part of the eigenvalue there", .head = "real part", .head_rank = 1,
     .digits = 6},
    {.type = RT_RESULT_REAL, RT_AT(routh_sweep_event, eigenvalue), .out_of = 2, .part_of = 1,
     .unit = "rad/s", .circular = true, .meaning = "imaginary part of the eigenvalue there",
     .head = "imaginary",
     .head_rank = 1},
    {.type = RT_RESULT_TEXT, .cell = event_cell_note,
     .meaning = "order of a critical speed, gap of a veering", .head = "", .head_rank = 1,
     .align = 'l'},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_sweep_event, eigenvalue),
     .nullable = true, .unit = "1/s", .meaning = "`[re, im]` of the first there"},
    {.key = "order", .type = RT_RESULT_REAL, RT_AT(routh_sweep_event, order),
     .meaning = "of a critical speed; else 0"},
    {.key = "gap", .type = RT_RESULT_REAL, RT_AT(routh_sweep_event, gap), .unit = "1/s",
     .meaning = "of a veering: the smallest distance of the two; else 0"},
    {.key = "grows", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_event, grows),
     .meaning = "true: the real part rises with the value"},
    {.key = "evaluations", .type = RT_RESULT_COUNT, RT_AT(routh_sweep_event, evaluations),
     .meaning = "operating points that solving took"},
    {.key = "derivatives", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_event, derivatives),
     .meaning = "true: by exact derivatives of the eigenvalues"},
    {.key = "of", .type = RT_RESULT_TEXT, .text = event_of, .there = event_is_unresolved,
     .meaning = "of what is not resolved: `stability`, `damping` or `critical speed`"},
};
const rt_result_table rt_sweep_event_table = {"event", "Event of a sweep", "",
                                              RT_FIELDS(event_fields)};

void rt_json_sweep_event(rt_json *json, const routh_sweep_event *e)
{
    rt_json_object(json, NULL);
    rt_result_json(json, &rt_sweep_event_table, &(rt_result_row){.of = e});
    rt_json_end(json);
}

static const rt_result_field sweep_line_fields[] = {
    {.key = "second", .type = RT_RESULT_REAL, RT_AT(routh_sweep_line, second), .nullable = true,
     .meaning = "value of the second parameter"},
    {.key = "names", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     RT_AT(routh_sweep_line, names), .n_at = RT_PLACE(routh_sweep_line, n_branches),
     .meaning = "of the branches, by number"},
    {.key = "events", .type = RT_RESULT_LIST, .items = &rt_sweep_event_table,
     RT_AT(routh_sweep_line, events), .n_at = RT_PLACE(routh_sweep_line, n_events),
     .size = sizeof(routh_sweep_event), .open = true, .meaning = "in the order of the values"},
    {.key = "points", .type = RT_RESULT_LIST, .items = &sweep_point_table,
     RT_AT(routh_sweep_line, points), .n_at = RT_PLACE(routh_sweep_line, n_points),
     .size = sizeof(routh_sweep_point), .open = true, .meaning = "in the order of the values"},
};
static const rt_result_table sweep_line_table = {"line", "Line of a sweep", "",
                                                 RT_FIELDS(sweep_line_fields)};

/* ---- boundaries ----------------------------------------------------------------------------- */

/* ---- a point in the terminal's table: work is the sweep, parent the boundary */

static const char *head_of_boundary(const rt_result_row *row)
{
    return ((const routh_sweep *)row->work)->boundary;
}

static const char *unit_of_boundary(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return rt_sweep_unit(row->work, head_of_boundary(row));
}

/* Of the parameter that boundary_point_bar takes. */
static const char *unit_of_bar(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    const routh_sweep_boundary_point *p = row->of;
    return p->second_error < p->error ? unit_of_boundary(row, room) : unit_of_parameter(row, room);
}

static double boundary_point_bar(const rt_result_row *row)
{
    const routh_sweep_boundary_point *p = row->of;
    return fmin(p->error, p->second_error);
}

static double boundary_point_imaginary(const rt_result_row *row)
{
    return fabs(((const routh_sweep_boundary_point *)row->of)->eigenvalue[1]);
}

static void boundary_point_cell_note(rt_table *table, const rt_result_row *row)
{
    const routh_sweep_boundary *b = row->parent;
    const bool first = row->index == 0, last = row->index == b->n - 1;
    if (!b->closed && (first || last))
        rt_table_cell(table, b->border[last ? 1 : 0] ? "border" : "lost");
    else
        rt_table_cell(table, b->points[row->index].turns ? "reverses" : "");
}

static const rt_result_field boundary_point_fields[] = {
    {.key = "value", .type = RT_RESULT_REAL, RT_AT(routh_sweep_boundary_point, value),
     .meaning = "of `parameter`", .head_of = head_of_parameter,
     .unit_of = unit_of_parameter, .one_unit = true, .digits = 13},
    {.key = "second", .type = RT_RESULT_REAL, RT_AT(routh_sweep_boundary_point, second),
     .meaning = "of the parameter of the boundary", .head_of = head_of_boundary,
     .unit_of = unit_of_boundary, .one_unit = true, .digits = 13},
    {.type = RT_RESULT_REAL, .real = boundary_point_bar, .meaning = "what the better may be off",
     .unit_of = unit_of_bar,
     .head = "", .align = 'l', .digits = 1, .before = "+-"},
    {.key = "error", .type = RT_RESULT_REAL, RT_AT(routh_sweep_boundary_point, error),
     .nullable = true, .meaning = "what `value` may be off where `second` is exact"},
    {.key = "second_error", .type = RT_RESULT_REAL,
     RT_AT(routh_sweep_boundary_point, second_error), .nullable = true,
     .meaning = "and reversed"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX,
     RT_AT(routh_sweep_boundary_point, eigenvalue), .unit = "1/s", .meaning = "`[re, im]` there"},
    {.type = RT_RESULT_REAL, .real = boundary_point_imaginary, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part of the eigenvalue there", .head = "imaginary"},
    {.key = "turning_point", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_boundary_point, turns),
     .meaning = "true: `value` has reversed its direction since the point before", .head = "",
     .align = 'l', .cell = boundary_point_cell_note},
};
const rt_result_table rt_boundary_point_table = {"boundary_point", "Point of a boundary", "",
                                                 RT_FIELDS(boundary_point_fields)};

static const char *sweep_boundary_kind(const rt_result_row *row)
{
    return routh_sweep_event_name(((const routh_sweep_boundary *)row->of)->kind);
}

static void boundary_write_border(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_flat_array(json, key);
    for (int i = 0; i < 2; i++)
        rt_json_bool(json, NULL, ((const routh_sweep_boundary *)row->of)->border[i]);
    rt_json_end(json);
}

static const rt_result_field sweep_boundary_fields[] = {
    {.key = "kind", .type = RT_RESULT_TEXT, .text = sweep_boundary_kind,
     .meaning = "as of events"},
    {.key = "order", .type = RT_RESULT_REAL, RT_AT(routh_sweep_boundary, order),
     .meaning = "of a critical speed; else 0"},
    {.key = "closed", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep_boundary, closed),
     .meaning = "true: the last point is the first one again"},
    {.key = "border", .type = RT_RESULT_VALUES, .each = RT_RESULT_TRUTH,
     .write = boundary_write_border, .meaning = "does it begin, end at the border"},
    {.key = "points", .type = RT_RESULT_LIST, .items = &rt_boundary_point_table,
     RT_AT(routh_sweep_boundary, points), .n_at = RT_PLACE(routh_sweep_boundary, n),
     .size = sizeof(routh_sweep_boundary_point), .meaning = "along the curve"},
};
static const rt_result_table sweep_boundary_table = {"boundary", "Boundary in two parameters", "",
                                                     RT_FIELDS(sweep_boundary_fields)};

static const rt_result_field boundaries_fields[] = {
    {.key = "boundary", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, boundary), .nullable = true,
     .meaning = "the second parameter of `--boundary`, else `null`"},
    {.key = "boundaries", .type = RT_RESULT_LIST, .items = &sweep_boundary_table,
     RT_AT(routh_sweep, boundaries), .n_at = RT_PLACE(routh_sweep, n_boundaries),
     .size = sizeof(routh_sweep_boundary), .open = true,
     .meaning = "curves over both parameters"},
};
static const rt_result_table boundaries_table = {"boundaries", "", "",
                                                 RT_FIELDS(boundaries_fields)};

void rt_json_sweep_boundaries(rt_json *json, const routh_sweep *s)
{
    rt_result_json(json, &boundaries_table, &(rt_result_row){.of = s});
}

/* ---- the document --------------------------------------------------------------------------- */

static void sweep_write_orders(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sweep *s = row->of;
    rt_json_reals(json, key, s->orders, s->n_orders);
}

static void sweep_write_solve(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sweep *s = row->of;
    rt_json_flat_array(json, key);
    for (int what = 1; what < ROUTH_SWEEP_SOLVE_ALL; what *= 2)
        if (s->solve & what) rt_json_string(json, NULL, routh_sweep_solve_name(what));
    rt_json_end(json);
}

static const rt_result_field sweep_document_fields[] = {
    {.key = "program", .type = RT_RESULT_TEXT, .write = rt_result_write_program,
     .meaning = "name and version"},
    {.key = "title", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, title),
     .meaning = "of the model"},
    {.key = "file", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, file),
     .meaning = "file of the model"},
    {.key = "parameter", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, parameter),
     .meaning = "name of the swept parameter"},
    {.key = "second", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, second), .nullable = true,
     .meaning = "name of the second one; `null` where there is none"},
    {.key = "speed", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, speed), .nullable = true,
     .meaning = "as asked for by `--speed`"},
    {.key = "orders", .type = RT_RESULT_REALS, .write = sweep_write_orders,
     .meaning = "as asked for by `--orders`"},
    {.key = "solve", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = sweep_write_solve,
     .meaning = "what was solved for between the values: `limits`, `critical`, `crossings`, "
                "`veerings`; nothing else was looked for"},
    {.key = "below", .type = RT_RESULT_REAL, RT_AT(routh_sweep, below), .nullable = true,
     .unit = "Hz",
     .meaning = "as asked for by `--below`; `null`: all modes were distinguished"},
    {.key = "points_per_value", .type = RT_RESULT_COUNT, RT_AT(routh_sweep, points),
     .meaning = "as asked for by `--points`"},
    {.key = "bounded", .type = RT_RESULT_COUNT, RT_AT(routh_sweep, n_bounded),
     .meaning = "steps between values in which `points_per_value` left something undone"},
    {.key = "left", .type = RT_RESULT_COUNT, RT_AT(routh_sweep, n_left),
     .meaning = "steps between values that were not looked at, as the sweep was stopped"},
    {.key = "interrupted", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep, interrupted),
     .meaning = "true: it was stopped"},
    {.key = "computed", .type = RT_RESULT_COUNT, RT_AT(routh_sweep, n_computed),
     .meaning = "operating points in all"},
    {.key = "derivatives", .type = RT_RESULT_TRUTH, RT_AT(routh_sweep, derivatives),
     .meaning = "true: values are solved for, and modes in doubt distinguished, with exact "
                "derivatives of the eigenvalues"},
    {.key = "refused", .type = RT_RESULT_TEXT, RT_AT(routh_sweep, refused), .nullable = true,
     .meaning = "why not, else `null`"},
    {.type = RT_RESULT_PART, .items = &boundaries_table},
    {.key = "lines", .type = RT_RESULT_LIST, .items = &sweep_line_table, RT_AT(routh_sweep, lines),
     .n_at = RT_PLACE(routh_sweep, n_lines), .size = sizeof(routh_sweep_line), .open = true,
     .meaning = "along `parameter`, one for each value of `second`"},
};
const rt_result_table rt_sweep_document = {
    "sweep", "routh sweep --json", "The [guide](../guide/sweeps.md) says what the figures mean.",
    RT_FIELDS(sweep_document_fields)};

routh_status routh_sweep_json(const routh_sweep *s, routh_text *text, routh_error *error)
{
    return rt_result_document_json(&rt_sweep_document, &(rt_result_row){.of = s}, text, error);
}

/* ---- CSV: a line for each branch at each point ---------------------------------------------- */

static void sweep_csv_one(rt_csv *csv, const routh_sweep *s, const routh_sweep_line *line,
                          const routh_sweep_point *p, int b)
{
    rt_csv_real(csv, "a value of the parameter", p->value);
    if (s->second) rt_csv_real(csv, "a value of the second parameter", line->second);
    rt_result_csv(csv, &branch_value_table,
                  &(rt_result_row){.of = p, .parent = line, .index = b});
}

routh_status routh_sweep_csv(const routh_sweep *s, routh_text *text, routh_error *error)
{
    rt_csv csv = {0};
    *text = (routh_text){0};
    rt_csv_text(&csv, s->parameter);
    if (s->second) rt_csv_text(&csv, s->second);
    rt_result_csv_heads(&csv, &branch_value_table, &(rt_result_row){.of = NULL});
    for (int l = 0; l < s->n_lines; l++) {
        const routh_sweep_line *line = &s->lines[l];
        for (int k = 0; k < line->n_points; k++)
            for (int b = 0; b < line->n_branches; b++)
                if (line->points[k].partner[b] >= 0)
                    sweep_csv_one(&csv, s, line, &line->points[k], b);
    }
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
