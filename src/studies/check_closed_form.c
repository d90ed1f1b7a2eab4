/* The linear model in closed form as a second opinion: M, C and K of the model as it is written, by
 * exact arithmetic on natural coordinates (src/symbolic), which shares the reader with all other
 * cells and nothing else. With the numbers of the file instead of symbols it takes a moment.
 *
 *     A = [0 1; -M^-1 K  -M^-1 C]
 *
 * in the reference's states where the closed form has these, else in coordinates of its own, whose
 * eigenvalues are the same. It is of the place the file writes, and refuses where that is no
 * operating point exactly. */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "studies/check.h"
#include "routh/symbolic.h"

bool rt_check_is_closed_form(const routh_check_cell *cell)
{
    return strcmp(cell->method, RT_CLOSED_FORM_METHOD) == 0;
}

/* ---- what is not tried ----------------------------------------------------------------------- */

static bool check_closed_form_moves(const routh_operating_point *p)
{
    for (int b = 0; b < p->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            if (p->bodies[b].velocity[i] != 0 || p->bodies[b].angular_velocity[i] != 0) return true;
    return false;
}

/* Where the bodies are written to be: closed forms are of that place. */
static routh_status written_apart(rt_check_holder *h, double *apart, routh_error *error)
{
    const int n = h->check.n_bodies;
    routh_body_state *bodies = RT_TAKE(&h->arena, routh_body_state, n);
    if (!bodies) return rt_fail_memory(error);
    for (int b = 0; b < n; b++) {
        const rt_body *body = &h->model->bodies[b];
        for (int i = 0; i < 3; i++) {
            bodies[b].position[i] = body->position[i].value;
            bodies[b].velocity[i] = body->velocity[i].value;
            bodies[b].angular_velocity[i] = body->angular_velocity[i].value;
        }
        for (int i = 0; i < 9; i++) bodies[b].orientation[i] = body->orientation[i].value;
    }
    *apart = rt_check_apart(h, bodies);
    return ROUTH_OK;
}

/* NULL where it is tried. */
static routh_status not_tried(rt_check_holder *h, double apart, const char **why,
                              routh_error *error)
{
    const routh_check *c = &h->check;
    const char *observer = c->linear->reference;
    *why = NULL;
    if (c->n_bodies > h->options.most_exact_bodies)
        *why = rt_check_text(h, "too large: %d bodies; the closed form is computed for up to %d",
                             c->n_bodies, h->options.most_exact_bodies);
    else if (c->degrees_of_freedom == 0)
        *why = rt_check_text(h, "no degree of freedom, so there is nothing to linearize");
    else if (strcmp(observer, "ground") != 0 && check_closed_form_moves(c->point))
        *why = rt_check_text(
            h,
            "the reference frame is %s, which may move; the closed form is in the ground "
            "frame",
            observer);
    else if (c->point->massless)
        *why = rt_check_text(h, "motions without inertia are free, so that its mass matrix is "
                                "singular; `routh symbolic` writes it");
    else if (apart > RT_NEAR)
        *why = rt_check_text(h,
                             "the operating point differs from the reference configuration by %.2g "
                             "of the typical length or speed; the closed form is of the reference "
                             "configuration",
                             apart);
    else
        return ROUTH_OK;
    return *why ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- the formulas ---------------------------------------------------------------------------- */

/* Components along the world's axes, as those of closed forms are. */
static bool has_plain_states(const routh_linear *linear)
{
    if (strcmp(linear->reference, "ground") != 0) return false;
    for (int k = 0; k < linear->n_position; k++)
        if (!linear->states[k].frame || strcmp(linear->states[k].frame, "ground") != 0)
            return false;
    return true;
}

/* In the reference's states, or where they are not to be had, in others. */
static routh_status find_formulas(rt_check_holder *h, routh_symbolic **formulas, bool *same,
                                  routh_error *error)
{
    static const char *const none[] = {NULL};
    routh_symbolic_options o = routh_symbolic_defaults();
    routh_status status = ROUTH_BAD_ARGUMENT;
    o.symbols = none;
    o.only_matrices = 1;
    o.coordinates = h->states;
    *same = has_plain_states(h->check.linear);
    if (*same) status = routh_symbolic_compute(formulas, h->model, &o, error);
    if (!*same || status == ROUTH_BAD_ARGUMENT || status == ROUTH_NOT_SUPPORTED) {
        *same = false;
        o.coordinates = NULL;
        status = routh_symbolic_compute(formulas, h->model, &o, error);
    }
    return status;
}

/* ---- as a linear model ----------------------------------------------------------------------- */

typedef struct exact_model {
    routh_linear linear;
    int n;
    double *M, *C, *K; /* row-major */
    double *right;     /* n x 2 n, column-major: -[K C], then A's lower half */
    int *pivots;
} exact_model;

static bool check_closed_form_take(rt_check_holder *h, exact_model *x)
{
    const size_t size = (size_t)x->n * (size_t)x->n;
    x->M = RT_TAKE(&h->arena, double, 9 * size);
    x->pivots = RT_TAKE(&h->arena, int, x->n);
    if (!x->M || !x->pivots) return false;
    x->C = x->M + size, x->K = x->C + size, x->right = x->K + size;
    x->linear.A = x->right + 2 * size;
    return true;
}

static void transpose(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double swapped = a[n * i + j];
            a[n * i + j] = a[n * j + i], a[n * j + i] = swapped;
        }
}

static routh_status check_closed_form_fill(exact_model *x, const routh_symbolic *formulas,
                                           routh_error *error)
{
    const int n = x->n;
    double *A = x->linear.A;
    routh_status status = routh_symbolic_evaluate(formulas, NULL, NULL, 0, x->M, x->C, x->K, error);
    if (status) return status;
    transpose(n, x->M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x->right[i + n * j] = -x->K[n * i + j];
            x->right[i + n * (n + j)] = -x->C[n * i + j];
        }
    status = rt_lu_factor(n, x->M, x->pivots, error);
    if (!status) status = rt_lu_solve(n, x->M, x->pivots, 2 * n, x->right, 0, error);
    for (int i = 0; i < n && !status; i++) {
        A[2 * n * i + n + i] = 1;
        for (int j = 0; j < 2 * n; j++) A[2 * n * (n + i) + j] = x->right[i + n * j];
    }
    return status;
}

/* In states of its own no markers are known to move with them, so that no shapes are compared. */
static routh_status check_closed_form_name_states(rt_check_holder *h, exact_model *x,
                                                  const routh_symbolic *formulas,
                                                  routh_error *error)
{
    routh_state_name *states = RT_TAKE(&h->arena, routh_state_name, 2 * x->n);
    if (!states) return rt_fail_memory(error);
    for (int k = 0; k < x->n; k++) {
        const char *name = routh_symbolic_coordinate(formulas, k), *what = strrchr(name, '.');
        const bool place = what && strlen(what) == 2, turn = what && what[1] == 'r';
        states[k].name = rt_check_text(h, "%s", name);
        states[k].unit = rt_check_text(h, "%s", place ? "m" : turn ? "rad" : "");
        if (!states[k].name || !states[k].unit) return rt_fail_memory(error);
        states[x->n + k] = states[k];
    }
    x->linear.states = states;
    x->linear.n_position = x->linear.n_velocity = x->n;
    x->linear.n_states = 2 * x->n;
    return ROUTH_OK;
}

/* The reference's states and markers with A of the closed form, or a model of its own. */
static routh_status check_closed_form_begin(rt_check_holder *h, exact_model *x,
                                            const routh_symbolic *formulas, bool same,
                                            routh_error *error)
{
    *x = (exact_model){.n = routh_symbolic_size(formulas)};
    if (same) x->linear = *h->check.linear;
    x->linear.n_bounds = 0;
    x->linear.error_estimate = 0;
    if (!check_closed_form_take(h, x)) return rt_fail_memory(error);
    return same ? ROUTH_OK : check_closed_form_name_states(h, x, formulas, error);
}

/* ---- the cell -------------------------------------------------------------------------------- */

static routh_status check_closed_form_compare(rt_check_holder *h, routh_check_cell *cell,
                                              double apart, const routh_symbolic *formulas,
                                              bool same, routh_error *error)
{
    exact_model x;
    routh_modes *modes = NULL;
    routh_error why;
    routh_status status = check_closed_form_begin(h, &x, formulas, same, error);
    if (status) return status;
    status = check_closed_form_fill(&x, formulas, &why);
    if (!status) status = routh_modes_compute(&modes, &x.linear, &why);
    status = status ? rt_check_tell(h, cell, ROUTH_CELL_FAILED, &why, error)
                    : rt_check_judge(h, cell, apart, &x.linear, modes, error);
    routh_modes_free(modes);
    return status;
}

/* Whatever the closed form does not take is outside of its class, by design. */
routh_status rt_check_closed_form(rt_check_holder *h, routh_error *error)
{
    routh_check_cell *cell = &h->check.cells[h->check.n_cells - 1];
    routh_symbolic *formulas = NULL;
    routh_error why;
    bool same = false;
    double apart = 0;
    routh_status status = written_apart(h, &apart, error);
    if (!status) status = not_tried(h, apart, &cell->why, error);
    if (status || cell->why) return status;
    const double start = rt_check_seconds();
    status = find_formulas(h, &formulas, &same, &why);
    if (status)
        return rt_check_tell(h, cell,
                             status == ROUTH_NUMERIC_ERROR ? ROUTH_CELL_FAILED : ROUTH_CELL_REFUSED,
                             &why, error);
    cell->seconds = rt_check_seconds() - start;
    status = check_closed_form_compare(h, cell, apart, formulas, same, error);
    routh_symbolic_free(formulas);
    return status;
}
