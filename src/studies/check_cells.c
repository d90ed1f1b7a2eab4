/* Every coordinate set by every method, and the closed form. The reference is the first of each:
 * absolute coordinates, augmented; the other cells are asked for its states. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "studies/check.h"

double rt_check_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int check_cells_count(const char *(*name)(int))
{
    int n = 0;
    while (name(n)) n++;
    return n;
}

/* The last is the closed form's. */
static routh_status check_cells_make(rt_check_holder *h, routh_error *error)
{
    const int n_sets = check_cells_count(routh_coordinate_name),
              n_methods = check_cells_count(routh_method_name);
    const int n = n_sets * n_methods;
    routh_check_cell *cells = RT_TAKE(&h->arena, routh_check_cell, n + 1);
    if (!cells) return rt_fail_memory(error);
    for (int k = 0; k <= n; k++)
        cells[k] = (routh_check_cell){.coordinates = k < n ? routh_coordinate_name(k / n_methods)
                                                           : RT_CLOSED_FORM_COORDINATES,
                                      .method = k < n ? routh_method_name(k % n_methods)
                                                      : RT_CLOSED_FORM_METHOD,
                                      .state = ROUTH_CELL_LEFT_OUT,
                                      .verdict = ROUTH_CANNOT_TELL,
                                      .mac = NAN,
                                      .shape_margin = NAN,
                                      .signals = NAN,
                                      .seconds = NAN};
    h->check.cells = cells;
    h->check.n_cells = n + 1;
    h->progress.all = n;
    return ROUTH_OK;
}

/* ---- which are run --------------------------------------------------------------------------- */

/* The first variant of its method, or one without variants. */
static bool usual(const rt_check_holder *h, int k)
{
    const char *name = h->check.cells[k].method, *colon = strchr(name, ':');
    if (!colon || k == 0) return true;
    return strncmp(h->check.cells[k - 1].method, name, (size_t)(colon - name) + 1) != 0;
}

static bool check_cells_is_first(const char *name, const char *(*first)(int))
{
    return strcmp(name, first(0)) == 0;
}

/* NULL where cell k is run. */
static routh_status left_out(rt_check_holder *h, int k, const char **why, routh_error *error)
{
    const routh_check_options *o = &h->options;
    const routh_check_cell *cell = &h->check.cells[k];
    const int degrees = h->check.degrees_of_freedom, columns = h->mechanism->n_u;
    const bool large = degrees > o->most_degrees || columns > o->most_columns;
    *why = NULL;
    if (degrees > o->most_eigenvalues)
        *why = rt_check_text(h, "too large: %d degrees of freedom, eigenvalues only up to %d",
                             degrees, o->most_eigenvalues);
    else if (large && !check_cells_is_first(cell->method, routh_method_name) &&
             !(check_cells_is_first(cell->coordinates, routh_coordinate_name) && usual(h, k)))
        *why = rt_check_text(h,
                             "left out to save time: %d degree%s of freedom and %d absolute "
                             "coordinates; all cells are run up to %d and %d",
                             degrees, degrees == 1 ? "" : "s", columns, o->most_degrees,
                             o->most_columns);
    else
        return ROUTH_OK;
    return *why ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- one cell -------------------------------------------------------------------------------- */

/* What a coordinate set has: its mechanism at the operating point, or why there is none. */
typedef struct check_cells_place {
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_status status;
    routh_error error;
    double apart; /* from the reference's operating point (rt_check_apart) */
} check_cells_place;

routh_status rt_check_tell(rt_check_holder *h, routh_check_cell *cell, routh_cell_state state,
                           const routh_error *why, routh_error *error)
{
    char element[200];
    if (why->status == ROUTH_STOPPED) return rt_progress_end(&h->progress, ROUTH_STOPPED, error);
    rt_error_element(why, element, sizeof element);
    cell->state = state;
    cell->why = why->status == ROUTH_OUT_OF_MEMORY ? NULL
                : *element ? rt_check_text(h, "%s: %s", element, why->message)
                           : rt_check_text(h, "%s", why->message);
    return cell->why ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status check_cells_tell(rt_check_holder *h, routh_check_cell *cell,
                                     const routh_error *why, routh_error *error)
{
    const bool refused = why->status == ROUTH_NOT_SUPPORTED || why->status == ROUTH_LIMIT_EXCEEDED;
    return rt_check_tell(h, cell, refused ? ROUTH_CELL_REFUSED : ROUTH_CELL_FAILED, why, error);
}

static bool check_cells_same_states(const routh_linear *a, const routh_linear *b)
{
    if (a->n_states != b->n_states || a->n_velocity != b->n_velocity ||
        a->n_control != b->n_control)
        return false;
    for (int k = 0; k < a->n_states; k++)
        if (strcmp(a->states[k].name, b->states[k].name) != 0) return false;
    return true;
}

/* What rounding of the constraints makes of stiffness near a singular configuration: joint forces
 * go with 1/sigma, their stiffness with the square. */
static double check_cells_rounding(const routh_check *c)
{
    return DBL_EPSILON / (c->smallest_singular * c->smallest_singular);
}

/* A difference is no fault where the two are not the same thing. */
static routh_status check_cells_excuse(rt_check_holder *h, routh_check_cell *cell, double apart,
                                       const routh_linear *linear, routh_error *error)
{
    enum { SENSITIVE = 10000 }; /* times as much as the configuration may eigenvalues change */
    const routh_check *c = &h->check;
    const char *why = NULL;
    const bool any_states = rt_check_is_closed_form(cell) && c->linear->at_rest;
    if (!any_states && !check_cells_same_states(c->linear, linear))
        why = rt_check_text(h, "other states were chosen");
    else if (cell->difference <= SENSITIVE * apart)
        why = rt_check_text(h,
                            "the operating point is another: bodies stand or move up to %.2g of "
                            "the length apart",
                            apart);
    else if (!c->point->rank_clear || c->degrees_nearby != c->degrees_of_freedom)
        why = rt_check_text(h, "the configuration is singular or nearly so, where joint forces and "
                               "modes are not determined");
    else if (check_cells_rounding(c) > h->options.tolerance || c->distance <= RT_NEAR * c->length)
        why = rt_check_text(h,
                            "a singular configuration is so near (%.2g m) that rounding alone "
                            "moves eigenvalues by some %.1g of the spectral radius",
                            c->distance, fmin(check_cells_rounding(c), 1));
    else
        return ROUTH_OK;
    cell->verdict = ROUTH_CANNOT_TELL;
    cell->why = why;
    return why ? ROUTH_OK : rt_fail_memory(error);
}

/* The fastest of the angular velocities, v / length and sqrt(force / (mass length)). */
static double check_cells_rate_of(const rt_check_holder *h)
{
    const routh_operating_point *p = h->check.point;
    double speed = 0, force = 0, mass = 0;
    for (int b = 0; b < p->n_bodies; b++)
        for (int i = 0; i < 3; i++) {
            const routh_body_state *s = &p->bodies[b];
            speed = fmax(
                speed, fmax(fabs(s->velocity[i]) / h->check.length, fabs(s->angular_velocity[i])));
            mass = fmax(mass, h->model->bodies[b].mass.value);
        }
    for (int k = 0; k < p->n_reactions; k++)
        for (int i = 0; i < 3; i++)
            force = fmax(force, fmax(fabs(p->reactions[k].force[i]),
                                     fabs(p->reactions[k].torque[i]) / h->check.length));
    return fmax(speed, mass > 0 ? sqrt(force / (mass * h->check.length)) : 0);
}

static const char *check_cells_explain(rt_check_holder *h, const rt_agreement *a)
{
    const routh_mode *mode = &h->check.modes->modes[a->worst];
    if (a->doubt == RT_LOOSE_BOUND)
        return rt_check_text(h, "the method's own bound is too wide to say anything");
    return rt_check_text(h,
                         "eigenvalue %.6g%+.6gi has condition %.1e: rounding alone moves it by "
                         "more than the tolerance",
                         mode->eigenvalue[0], mode->eigenvalue[1], mode->condition);
}

/* B, C and D, where the states are the same. */
static routh_status judge_signals(rt_check_holder *h, routh_check_cell *cell,
                                  const routh_linear *linear, routh_error *error)
{
    enum { ESTIMATE = 10 }; /* a method's own error is good for an order of magnitude */
    const routh_linear *expected = h->check.linear;
    if (expected->n_inputs + expected->n_outputs == 0 || !check_cells_same_states(expected, linear))
        return ROUTH_OK;
    const routh_status status = rt_compare_signals(expected, linear, &cell->signals, error);
    if (status) return status;
    const double own = fmax(linear->error_estimate, cell->stated_error);
    if (cell->signals <= h->options.tolerance + ESTIMATE * own) return ROUTH_OK;
    cell->verdict = ROUTH_NO;
    cell->why = rt_check_text(h,
                              "what inputs do or outputs show (B, C, D) is off by %.2g of the "
                              "largest entry",
                              cell->signals);
    return cell->why ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_check_judge(rt_check_holder *h, routh_check_cell *cell, double apart,
                            const routh_linear *linear, const routh_modes *modes,
                            routh_error *error)
{
    const routh_check *c = &h->check;
    rt_agreement a;
    const routh_status status =
        rt_compare_spectra(c->linear, c->modes, linear, modes, h->options.tolerance, c->length,
                           check_cells_rate_of(h), &a, error);
    if (status) return status;
    cell->state = ROUTH_CELL_COMPARED;
    cell->verdict = a.verdict;
    cell->difference = a.difference, cell->margin = a.margin;
    cell->stated_error = a.stated_error;
    cell->mac = a.mac, cell->shape_margin = a.shape_margin;
    if (c->modes->n > 0)
        memcpy(cell->eigenvalue, c->modes->modes[a.worst].eigenvalue, sizeof cell->eigenvalue);
    if (a.verdict == ROUTH_CANNOT_TELL) {
        cell->why = check_cells_explain(h, &a);
        if (!cell->why) return rt_fail_memory(error);
    }
    return a.verdict == ROUTH_NO           ? check_cells_excuse(h, cell, apart, linear, error)
           : rt_check_is_closed_form(cell) ? ROUTH_OK
                                           : judge_signals(h, cell, linear, error);
}

static routh_linear_options linearize_options(rt_check_holder *h, const char *method)
{
    routh_linear_options o = routh_linear_defaults();
    o.method = method;
    o.reference = h->options.reference;
    o.states = h->states;
    o.threads = h->options.threads;
    o.shares = 0;
    o.on_progress = rt_progress_within;
    o.data = &h->progress;
    return o;
}

static routh_status run_cell(rt_check_holder *h, routh_check_cell *cell, const check_cells_place *p,
                             routh_error *error)
{
    if (p->status) return check_cells_tell(h, cell, &p->error, error);
    const routh_linear_options o = linearize_options(h, cell->method);
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_error why;
    const double start = rt_check_seconds();
    routh_status status = routh_linear_compute(&linear, p->mechanism, p->point, &o, &why);
    cell->seconds = status ? NAN : rt_check_seconds() - start;
    if (!status) status = rt_progress_ask(&h->progress, 0, &why);
    if (!status) status = routh_modes_compute(&modes, linear, &why);
    status = status ? check_cells_tell(h, cell, &why, error)
                    : rt_check_judge(h, cell, p->apart, linear, modes, error);
    routh_modes_free(modes);
    routh_linear_free(linear);
    return status;
}

/* ---- one coordinate set ---------------------------------------------------------------------- */

double rt_check_apart(const rt_check_holder *h, const routh_body_state *bodies)
{
    const double length = h->check.length;
    double speed = 0, apart = 0, faster = 0;
    for (int k = 0; k < h->check.n_bodies; k++) {
        const routh_body_state *x = &h->check.point->bodies[k], *y = &bodies[k];
        for (int i = 0; i < 3; i++) {
            apart = fmax(apart, fabs(x->position[i] - y->position[i]) / length);
            speed = fmax(speed, fmax(fabs(x->velocity[i]) / length, fabs(x->angular_velocity[i])));
            faster = fmax(faster, fabs(x->velocity[i] - y->velocity[i]) / length);
            faster = fmax(faster, fabs(x->angular_velocity[i] - y->angular_velocity[i]));
        }
        for (int i = 0; i < 9; i++)
            apart = fmax(apart, fabs(x->orientation[i] - y->orientation[i]));
    }
    return fmax(apart, speed > 0 ? faster / speed : 0);
}

static routh_status open_place(rt_check_holder *h, const char *coordinates, check_cells_place *p,
                               routh_error *error)
{
    *p = (check_cells_place){0};
    p->status = routh_mechanism_compile(&p->mechanism, h->model, coordinates, &p->error);
    if (!p->status)
        p->status =
            routh_operating_point_find(&p->point, p->mechanism, &h->options.operating, &p->error);
    if (!p->status) p->apart = rt_check_apart(h, p->point->bodies);
    return p->status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

static void close_place(check_cells_place *p)
{
    routh_operating_point_free(p->point);
    routh_mechanism_free(p->mechanism);
}

/* Cells from k on of one set; the next set's first. */
static routh_status run_set(rt_check_holder *h, int *k, routh_error *error)
{
    const char *coordinates = h->check.cells[*k].coordinates;
    check_cells_place p;
    routh_status status = open_place(h, coordinates, &p, error);
    for (; *k < h->check.n_cells - 1 && h->check.cells[*k].coordinates == coordinates; ++*k) {
        routh_check_cell *cell = &h->check.cells[*k];
        if (status || cell->state == ROUTH_CELL_REFERENCE) continue;
        status = left_out(h, *k, &cell->why, error);
        if (!status && !cell->why) status = run_cell(h, cell, &p, error);
        if (!status) status = rt_progress_ask(&h->progress, 1, error);
    }
    close_place(&p);
    return status;
}

/* ---- the reference --------------------------------------------------------------------------- */

static routh_status keep_states(rt_check_holder *h, routh_error *error)
{
    const routh_linear *linear = h->check.linear;
    h->states = RT_TAKE(&h->arena, const char *, linear->n_position + 1);
    if (!h->states) return rt_fail_memory(error);
    for (int k = 0; k < linear->n_position; k++) h->states[k] = linear->states[k].name;
    return ROUTH_OK;
}

static routh_status run_reference(rt_check_holder *h, routh_error *error)
{
    routh_check *c = &h->check;
    routh_check_cell *cell = &c->cells[0];
    const routh_linear_options o = linearize_options(h, cell->method);
    routh_error why;
    routh_status status = left_out(h, 0, &cell->why, error);
    if (status || cell->why) return status;
    const double start = rt_check_seconds();
    status = routh_linear_compute(&c->linear, h->mechanism, c->point, &o, &why);
    cell->seconds = status ? NAN : rt_check_seconds() - start;
    if (!status) status = rt_progress_ask(&h->progress, 0, &why);
    if (!status) status = routh_modes_compute(&c->modes, c->linear, &why);
    if (status == ROUTH_BAD_ARGUMENT || status == ROUTH_MODEL_ERROR) {
        if (error) *error = why;
        return status;
    }
    if (status) return check_cells_tell(h, cell, &why, error);
    cell->state = ROUTH_CELL_REFERENCE;
    cell->verdict = ROUTH_YES;
    return keep_states(h, error);
}

/* Without a reference there is nothing to hold the others against. */
static routh_status leave_all_out(rt_check_holder *h)
{
    for (int k = 1; k < h->check.n_cells; k++) h->check.cells[k].why = h->check.cells[0].why;
    return ROUTH_OK;
}

/* What is told of eigenvalues and zeros is that of the reference in extended precision, where there
 * is such: what `routh modes` prints. Cells are compared in doubles, each by its own numbers. */
static routh_status extend_reference(rt_check_holder *h, routh_error *error)
{
    routh_linear_options o = linearize_options(h, h->check.cells[0].method);
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_error why;
    o.extended = 1;
    routh_status status = routh_linear_compute(&linear, h->mechanism, h->check.point, &o, &why);
    if (!status && linear->A_rest) status = routh_modes_compute(&modes, linear, &why);
    if (!status && modes) {
        routh_modes_free(h->check.modes);
        routh_linear_free(h->check.linear);
        h->check.linear = linear, h->check.modes = modes;
        return ROUTH_OK;
    }
    routh_linear_free(linear);
    if (status == ROUTH_STOPPED) return rt_progress_end(&h->progress, status, error);
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

routh_status rt_check_cells(rt_check_holder *h, routh_error *error)
{
    routh_status status = check_cells_make(h, error);
    if (!status) status = run_reference(h, error);
    if (!status && !h->check.modes) return leave_all_out(h);
    for (int k = 0; k < h->check.n_cells - 1 && !status;) status = run_set(h, &k, error);
    if (!status) status = rt_check_closed_form(h, error);
    return status ? status : extend_reference(h, error);
}
