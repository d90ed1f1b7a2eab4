#include "linear/massless.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "linear/massless_parts.h"
#include "methods/whole.h"

/* ---- what is refused ------------------------------------------------------------------------ */

static routh_status refuse_sensor(const routh_mechanism *m, rt_sensor_kind kind, int k,
                                  routh_error *error)
{
    char element[192];
    rt_place place;
    rt_sensor_describe(m, kind, k, element, &place);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
                      "this uses accelerations or forces, which depend on motions without inertia; "
                      "measure displacements or velocities instead, or give the bodies a mass and "
                      "an inertia");
}

routh_status rt_linear_check_massless(const rt_linear_task *t, routh_error *error)
{
    const routh_mechanism *m = t->search.m;
    for (int k = 0; k < rt_sensor_count(m, RT_SENSOR_STATE); k++)
        if (rt_sensor_feels(m, RT_SENSOR_STATE, k))
            return refuse_sensor(m, RT_SENSOR_STATE, k, error);
    for (int k = 0; k < rt_sensor_count(m, RT_SENSOR_VARIABLE); k++)
        if (rt_sensor_feels(m, RT_SENSOR_VARIABLE, k))
            return refuse_sensor(m, RT_SENSOR_VARIABLE, k, error);
    if (m->pattern_L.start[m->n_rows] > 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a load uses the forces of joints, which depend on motions without inertia; "
                       "give the bodies without mass or inertia some, or use another measure");
    if (t->method == &rt_method_penalty)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the penalty method needs the inertia of every motion, but the joints leave "
                       "motions without inertia free; use --method augmented, minimal, redundant "
                       "or difference");
    return ROUTH_OK;
}

/* ---- the reduced model ---------------------------------------------------------------------- */

static routh_status choose_names(rt_linear_holder *h, rt_linear_task *t,
                                 const rt_massless_states *left, routh_error *error)
{
    routh_linear *l = &h->linear;
    const int n_p = left->n_position, n_v = left->n_velocity;
    rt_states *s = &t->states;
    routh_state_name *names = RT_TAKE(&h->arena, routh_state_name, left->n);
    int *candidate = RT_TAKE(&t->arena, int, n_p), *rate = RT_TAKE(&t->arena, int, n_v);
    if (!names || !candidate || !rate) return rt_fail_memory(error);
    int preferred = 0, preferred_rates = 0;
    for (int k = 0; k < n_p; k++) {
        names[k] = l->states[left->position[k]];
        candidate[k] = s->candidate[left->position[k]];
        preferred += left->position[k] < s->n_preferred;
    }
    for (int k = 0; k < n_v; k++) {
        names[n_p + k] = l->states[l->n_position + left->velocity[k]];
        rate[k] = s->rate[left->velocity[k]];
        preferred_rates += left->velocity[k] < s->n_preferred_rates;
    }
    for (int k = 0; k < l->n_control; k++)
        names[n_p + n_v + k] = l->states[l->n_position + l->n_velocity + k];
    l->states = names;
    l->n_position = n_p, l->n_velocity = n_v, l->n_states = left->n;
    s->z = n_p, s->candidate = candidate, s->n_preferred = preferred;
    s->z1 = n_v, s->rate = rate, s->n_preferred_rates = preferred_rates;
    return ROUTH_OK;
}

/* A, B of the rows of the rates; false: derivatives of inputs of a higher order than B2. */
static bool fill_rates(routh_linear *l, const rt_massless_states *left, double tolerance)
{
    double *const B[3] = {l->B, l->B1, l->B2};
    const int n = l->n_states, n_in = l->n_inputs;
    bool ok = true;
    for (int i = 0; i < n; i++) {
        const double *x = rt_sized_value(&left->rate, i);
        memcpy(l->A + (size_t)n * i, x, (size_t)n * sizeof *x);
        for (int c = 0; c < RT_INPUT_ORDERS * n_in; c++) {
            if (c < 3 * n_in)
                B[c / n_in][i * n_in + c % n_in] = x[n + c];
            else
                ok = ok && rt_sized_is_zero(&left->rate, i, n + c, tolerance);
        }
    }
    return ok;
}

/* What rounding may have done to A, entry by entry, from the sizes of the terms each was made of:
 * in units of the tolerance, so that 1e-12 gives some units of the last digit. */
static const double OF_TOLERANCE = 1e-3;

/* A_error: changes of that size, of signs that have no pattern (the bits of an LCG, Knuth, The Art
 * of Computer Programming, vol. 2, 3.3.4); A_rest is zero. So zeros are told from slow modes by
 * what is known of each entry, and eigenvalues have bounds. */
static routh_status fill_errors(rt_linear_holder *h, const rt_massless_states *left,
                                double tolerance, routh_error *error)
{
    routh_linear *l = &h->linear;
    const size_t n = (size_t)l->n_states;
    if (l->error_estimate != 0) return ROUTH_OK; /* of differences: it has its own */
    double *rest = RT_TAKE(&h->arena, double, n *n);
    double *errors = RT_TAKE(&h->arena, double, ROUTH_ERROR_SAMPLES *n *n);
    if (!rest || !errors) return rt_fail_memory(error);
    const double part = OF_TOLERANCE * tolerance;
    uint64_t bits = 1;
    for (size_t k = 0; k < ROUTH_ERROR_SAMPLES; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < n; c++) {
                bits = 6364136223846793005u * bits + 1442695040888963407u;
                const double size = rt_sized_size(&left->rate, (int)i)[c];
                errors[(k * n + i) * n + c] = (bits >> 63 ? part : -part) * size;
            }
    l->A_rest = rest, l->A_error = errors;
    return ROUTH_OK;
}

/* Do outputs feel what inputs do to accelerations by derivatives of a higher order? */
static bool outputs_have_all(const rt_linear_holder *h, const rt_massless_states *left,
                             double tolerance)
{
    const int first = left->n + 3 * h->linear.n_inputs;
    bool high = false, felt = false;
    for (int i = 0; i < left->acceleration.n_rows; i++)
        for (int c = first; c < left->width; c++)
            high = high || !rt_sized_is_zero(&left->acceleration, i, c, tolerance);
    for (int k = 0; k < h->linear.n_outputs; k++) felt |= h->linear.outputs[k].felt != 0;
    return !high || !felt;
}

static routh_status too_high(const char *what, routh_error *error)
{
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "%s on derivatives of an input of third or higher order, as it moves a body "
                   "without inertia; give this body a mass and an inertia, or apply the input "
                   "elsewhere",
                   what);
}

/* Mass times rows of W' in A, and in B. */
static void fill_form(routh_linear *l)
{
    const int n = l->n_states, z = l->n_position, z1 = l->n_velocity, n_in = l->n_inputs;
    const double *const B[3] = {l->B, l->B1, l->B2};
    double *const force[3] = {l->force, l->force1, l->force2};
    for (int i = 0; i < z1; i++)
        for (int k = 0; k < z1; k++) {
            const double m = l->mass[i * z1 + k], *row = l->A + (size_t)(z + k) * n;
            for (int c = 0; c < z; c++) l->stiffness[i * z + c] -= m * row[c];
            for (int c = 0; c < z1; c++) l->damping[i * z1 + c] -= m * row[z + c];
            for (int c = 0; c < l->n_control; c++)
                l->coupling[i * l->n_control + c] += m * row[z + z1 + c];
            for (int d = 0; d < 3; d++)
                for (int c = 0; c < n_in; c++)
                    force[d][i * n_in + c] += m * B[d][(z + k) * n_in + c];
        }
}

/* Xw'M Xw of the plain mechanism on the velocities that are left. */
static void massless_fill_mass(routh_linear *l, const rt_massless_equations *e,
                               const rt_massless_states *left, double *Mhat)
{
    const int z1 = l->n_velocity, n_p = l->n_position;
    for (int i = 0; i < z1; i++)
        for (int j = 0; j < z1; j++) {
            double sum = 0;
            for (int a = 0; a < e->z1; a++)
                for (int b = 0; b < e->z1; b++)
                    sum += rt_sized_value(&left->W, a)[n_p + i] * e->Mhat[a * e->z1 + b] *
                           rt_sized_value(&left->W, b)[n_p + j];
            l->mass[i * z1 + j] = Mhat[i * z1 + j] = sum;
        }
}

static routh_status tell(rt_linear_holder *h, const rt_massless_equations *e,
                         const rt_massless_states *left, routh_error *error)
{
    const int all = e->z + e->z1 + e->n_x - 2 * left->n_held, infinite = all - left->n;
    routh_status status = ROUTH_OK;
    h->linear.n_infinite += infinite;
    if (infinite)
        status = rt_linear_warn(h, error,
                                "%d of %d motions have no inertia and follow the others without "
                                "delay or by dampers: %d eigenvalue%s infinite and left out",
                                e->n_w - left->n_held, e->z1 - left->n_held, infinite,
                                infinite > 1 ? "s are" : " is");
    if (left->n_held && !status)
        status =
            rt_linear_warn(h, error,
                           "%d rotation%s without inertia move%s no place where anything acts, "
                           "and %s left out",
                           left->n_held, left->n_held > 1 ? "s" : "", left->n_held > 1 ? "" : "s",
                           left->n_held > 1 ? "are" : "is");
    return status;
}

routh_status rt_linear_reduce_massless(rt_linear_holder *h, rt_linear_task *t,
                                       const rt_method_task *work, routh_error *error)
{
    rt_massless_equations e;
    rt_massless_states left;
    rt_response response;
    routh_status status = rt_massless_equations_make(&e, h, t, work, &t->arena, error);
    if (!status) status = rt_massless_states_make(&left, &e, t, &t->arena, error);
    if (!status) status = rt_massless_response(&response, &left, &e, t, work, &t->arena, error);
    if (!status) status = tell(h, &e, &left, error);
    if (!status) status = choose_names(h, t, &left, error);
    if (status) return status;
    t->x.response = response;
    status = rt_whole_finish(work, &t->arena, &t->x, error);
    if (!status) status = rt_linear_take_matrices(h, error);
    if (status) return status;
    massless_fill_mass(&h->linear, &e, &left, t->x.Mhat);
    status = rt_linear_fill_whole(h, work, &t->x, &t->arena, error);
    if (status) return status;
    if (!fill_rates(&h->linear, &left, e.tolerance)) return too_high("a state depends", error);
    status = fill_errors(h, &left, e.tolerance, error);
    if (status) return status;
    if (!outputs_have_all(h, &left, e.tolerance)) return too_high("an output depends", error);
    routh_linear *l = &h->linear;
    const size_t z1 = (size_t)l->n_velocity;
    memset(l->damping, 0, z1 * z1 * sizeof(double));
    memset(l->stiffness, 0, z1 * (size_t)l->n_position * sizeof(double));
    memset(l->coupling, 0, z1 * (size_t)l->n_control * sizeof(double));
    memset(l->force, 0, z1 * (size_t)l->n_inputs * sizeof(double));
    memset(l->force1, 0, z1 * (size_t)l->n_inputs * sizeof(double));
    memset(l->force2, 0, z1 * (size_t)l->n_inputs * sizeof(double));
    fill_form(l);
    return ROUTH_OK;
}
