/* The budget of a mode. On its own velocity ^v = u_W every element's forces do the power
 *     s m + c + s* (k + g),     m = v^H M v,  c = v^H C v,  s* k = v^H K x,  s* g by signals
 * (linear in the element; * is conjugation), and all elements together do none:
 *     sum (s m + c + s* (k + g)) = 0.
 * With s = a + i b, ' and '' for real and imaginary parts, and sums over all:
 *     -a (m' + k' + g') = sum of c' - b m'' + b (k'' + g''),                            damping
 *     m' = sum of (k + g)' - (a/b) (k + g)'' - c''/b - (a/b) m''                      frequency
 * of which the first over abs(s) (m' + k' + g') is the damping ratio, and the second over m' is 1;
 * m' is abs(s)^2 times the modal mass (docs/theory/attribution.md). */
#include "routh/attribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "studies/attribution_parted.h"
#include "studies/attribution_side.h"

typedef struct attribution_job {
    routh_attribution *out;
    rt_side side;
    rt_parter parter;
    rt_parted_motion motion;
    rt_work *works; /* n_elements */
    double _Complex *y;
} attribution_job;

const char *routh_way_name(routh_way way)
{
    static const char *const names[] = {"position", "rate", "acceleration", "signal"};
    return (int)way >= 0 && way < ROUTH_N_WAYS ? names[way] : NULL;
}

void routh_attribution_free(routh_attribution *a)
{
    if (!a) return;
    for (int e = 0; a->elements && e < a->n_elements; e++) free(a->elements[e]);
    free(a->elements);
    free(a->parts);
    free(a->closure);
    free(a->participation);
    free(a);
}

/* ---- elements ------------------------------------------------------------------------------- */

static char *attribution_name_of(const char *kind, const char *name)
{
    const size_t size = strlen(kind) + strlen(name) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s %s", kind, name);
    return text;
}

static bool attribution_name_elements(routh_attribution *a, const routh_mechanism *m)
{
    int e = 0;
    bool ok = true;
    for (int b = 0; b < m->n_bodies; b++)
        ok = (a->elements[e++] = attribution_name_of("body", m->model->bodies[b].name)) && ok;
    for (int c = 0; c < m->n_constraints; c++)
        ok = (a->elements[e++] = attribution_name_of(
                  "joint", m->model->joints[m->constraints[c].constraint.joint].name)) &&
             ok;
    for (int k = 0; k < m->n_loads; k++)
        ok = (a->elements[e++] = attribution_name_of("load", m->model->loads[k].name)) && ok;
    return ok;
}

static rt_work attribution_work_done(const attribution_job *j, int e)
{
    const routh_mechanism *m = j->side.m;
    const double _Complex *test = j->motion.u_rate;
    if (e < m->n_bodies) return rt_work_of_body(&j->side.worker, e, test, &j->motion);
    e -= m->n_bodies;
    if (e < m->n_constraints) return rt_work_of_joint(&j->side.worker, e, test, &j->motion);
    return rt_work_of_load(&j->side.worker, e - m->n_constraints, test, &j->motion);
}

/* ---- the object ----------------------------------------------------------------------------- */

static routh_status attribution_take(attribution_job *j, const routh_modes *modes, int n_states,
                                     routh_error *error)
{
    routh_attribution *a = j->out;
    const routh_mechanism *m = j->side.m;
    a->n_modes = modes->n, a->n_states = n_states;
    a->n_elements = m->n_bodies + m->n_constraints + m->n_loads;
    const size_t n = (size_t)a->n_modes, e = (size_t)a->n_elements;
    a->elements = calloc(e + 1, sizeof *a->elements);
    a->parts = calloc(n * e + 1, sizeof *a->parts);
    a->closure = calloc(n + 1, sizeof *a->closure);
    a->participation = calloc(n * (size_t)n_states + 1, sizeof *a->participation);
    j->works = RT_TAKE(&j->side.arena, rt_work, e);
    j->y = RT_TAKE(&j->side.arena, double _Complex, n_states);
    if (!a->elements || !a->parts || !a->closure || !a->participation || !j->works || !j->y)
        return rt_fail_memory(error);
    return attribution_name_elements(a, m) ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- one mode ------------------------------------------------------------------------------- */

static void fill_nothing(attribution_job *j, int i)
{
    routh_attribution *a = j->out;
    routh_attributed none = {.kinetic = (double)NAN, .rotation = (double)NAN};
    for (int w = 0; w < ROUTH_N_WAYS; w++) none.frequency[w] = none.damping[w] = (double)NAN;
    for (int e = 0; e < a->n_elements; e++) a->parts[(size_t)i * (size_t)a->n_elements + e] = none;
    for (int k = 0; k < 2 * a->n_states; k++)
        a->participation[(size_t)i * (size_t)a->n_states + (size_t)(k / 2)][k % 2] = (double)NAN;
    a->closure[i] = (double)NAN;
}

static void copy_conjugate(attribution_job *j, int from, int to)
{
    routh_attribution *a = j->out;
    const size_t e = (size_t)a->n_elements, n = (size_t)a->n_states;
    memcpy(a->parts + (size_t)to * e, a->parts + (size_t)from * e, e * sizeof *a->parts);
    a->closure[to] = a->closure[from];
    for (size_t k = 0; k < n; k++) {
        a->participation[(size_t)to * n + k][0] = a->participation[(size_t)from * n + k][0];
        a->participation[(size_t)to * n + k][1] = -a->participation[(size_t)from * n + k][1];
    }
}

/* The spectrum's eigenvalue that is this one and stands alone, or -1. */
static int attribution_find_alone(const rt_pencil_spectrum *s, double _Complex value)
{
    static const double same = 1e-5;
    int best = -1;
    for (int k = 0; k < s->n; k++)
        if (best < 0 || cabs(s->value[k] - value) < cabs(s->value[best] - value)) best = k;
    if (best < 0 || cabs(s->value[best] - value) > same * cabs(value)) return -1;
    return s->cluster[best] == 1 && s->condition[best] > 0 ? best : -1;
}

/* p_i = conj(w_i) y_i over their sum */
static void participate(attribution_job *j, int i, double _Complex value)
{
    routh_attribution *a = j->out;
    const rt_pencil_spectrum *s = &j->side.spectrum;
    const int k = attribution_find_alone(s, value);
    double _Complex sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < a->n_states; r++) {
            const size_t at = (size_t)r * (size_t)s->n + (size_t)(k < 0 ? 0 : k);
            const double _Complex w = k < 0 ? (double)NAN : s->left[0][at] - I * s->left[1][at];
            double *to = a->participation[(size_t)i * (size_t)a->n_states + (size_t)r];
            if (pass == 0) sum += w * j->y[r];
            if (pass == 1) to[0] = creal(w * j->y[r] / sum), to[1] = cimag(w * j->y[r] / sum);
        }
}

/* m, c, k, g of the head of this file */
typedef struct budget {
    double _Complex m, c, k, g;
} budget;

static budget budget_of(const rt_work *w, double _Complex s)
{
    return (budget){
        .m = w->inertia / s, .c = w->rate, .k = w->position / conj(s), .g = w->signal / conj(s)};
}

static double closure_of(const attribution_job *j)
{
    double _Complex sum = 0;
    double size = 0;
    for (int e = 0; e < j->out->n_elements; e++) {
        const rt_work *w = &j->works[e];
        sum += w->position + w->rate + w->inertia + w->signal;
        size += cabs(w->position) + cabs(w->rate) + cabs(w->inertia) + cabs(w->signal);
    }
    return size > 0 ? cabs(sum) / size : 0;
}

/* Below this fraction of its parts the energy m' + k' + g' is nothing but rounding: a real pair of
 * a conservative mechanism. */
static const double no_energy = 1e-9;

static void attribution_fill(attribution_job *j, int i, double _Complex s)
{
    routh_attribution *a = j->out;
    const double re = creal(s), b = cimag(s), size = cabs(s);
    double mass = 0, energy = 0, parts = 0;
    for (int e = 0; e < a->n_elements; e++) {
        const budget x = budget_of(&j->works[e], s);
        mass += creal(x.m);
        energy += creal(x.m + x.k + x.g);
        parts += fabs(creal(x.m)) + fabs(creal(x.k)) + fabs(creal(x.g));
    }
    const double per_energy = fabs(energy) > no_energy * parts ? 1 / (size * energy) : (double)NAN;
    const double turn = b != 0 ? re / b : (double)NAN;
    for (int e = 0; e < a->n_elements; e++) {
        const budget x = budget_of(&j->works[e], s);
        routh_attributed *to = &a->parts[(size_t)i * (size_t)a->n_elements + e];
        *to = (routh_attributed){
            .kinetic = creal(x.m) / mass,
            .rotation = creal(x.m - j->works[e].translation / s) / mass,
            .frequency = {(creal(x.k) - turn * cimag(x.k)) / mass,
                          b != 0 ? -cimag(x.c) / b / mass : (double)NAN, -turn * cimag(x.m) / mass,
                          (creal(x.g) - turn * cimag(x.g)) / mass},
            .damping = {b * cimag(x.k) * per_energy, creal(x.c) * per_energy,
                        -b * cimag(x.m) * per_energy, b * cimag(x.g) * per_energy}};
        if (e >= j->side.m->n_bodies) to->rotation = 0;
    }
    a->closure[i] = closure_of(j);
}

/* Nonholonomic joints leave motions of position states alone, seen to turn by a moving observer:
 * their velocity states, and with them all powers, are rounding. */
static bool has_velocity(const attribution_job *j, double _Complex s)
{
    static const double rounding = 1e-9;
    double u = 0, xi = 0;
    for (int c = 0; c < j->side.m->n_u; c++) {
        const double unit = j->side.task.search.unit[c];
        u = fmax(u, cabs(j->motion.u_rate[c]) / unit);
        xi = fmax(xi, cabs(s * j->motion.xi[c]) / unit);
    }
    return u > rounding * xi;
}

static routh_status attribution_one_mode(attribution_job *j, const routh_modes *modes, int i,
                                         routh_error *error)
{
    const routh_mode *mode = &modes->modes[i];
    const int n = j->out->n_states;
    const double _Complex s = mode->eigenvalue[0] + I * mode->eigenvalue[1];
    for (int k = 0; k < n; k++) j->y[k] = mode->shape[k] + I * mode->shape[n + k];
    const routh_status status = rt_part(&j->parter, s, j->y, &j->motion, error);
    if (status) return status;
    for (int e = 0; e < j->out->n_elements; e++) j->works[e] = attribution_work_done(j, e);
    fill_nothing(j, i);
    if (has_velocity(j, s)) attribution_fill(j, i, s);
    participate(j, i, s);
    return ROUTH_OK;
}

static routh_status all_modes(attribution_job *j, const routh_modes *modes, routh_error *error)
{
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *mode = &modes->modes[i];
        if (mode->rigid || (mode->eigenvalue[0] == 0 && mode->eigenvalue[1] == 0)) {
            fill_nothing(j, i);
            continue;
        }
        if (mode->eigenvalue[1] < 0 && mode->conjugate != i) continue;
        const routh_status status = attribution_one_mode(j, modes, i, error);
        if (status) return status;
        if (mode->conjugate != i) copy_conjugate(j, i, mode->conjugate);
    }
    return ROUTH_OK;
}

static routh_status attribution_compute(attribution_job *j, const routh_linear *linear,
                                        const routh_modes *modes, routh_error *error)
{
    if (modes->wanted.n_regions)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the contributions of elements need all modes (leave out --wanted)");
    if (modes->n != linear->n_states)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the modes do not belong to the linear model; "
                       "give those that were computed from it");
    routh_status status = rt_parter_create(&j->parter, &j->side.pencil, &j->side.arena, error);
    if (!status) status = rt_parted_take(&j->motion, j->side.m, &j->side.arena, error);
    if (!status) status = attribution_take(j, modes, linear->n_states, error);
    return status ? status : all_modes(j, modes, error);
}

routh_status routh_attribution_compute(routh_attribution **attribution,
                                       const routh_mechanism *mechanism,
                                       const routh_operating_point *point,
                                       const routh_linear *linear, const routh_modes *modes,
                                       routh_error *error)
{
    *attribution = NULL;
    attribution_job j = {0};
    j.out = calloc(1, sizeof *j.out);
    if (!j.out) return rt_fail_memory(error);
    routh_status status = rt_side_create(&j.side, mechanism, point, linear, error);
    if (!status) status = attribution_compute(&j, linear, modes, error);
    rt_parter_release(&j.parter);
    rt_side_release(&j.side);
    if (status) {
        routh_attribution_free(j.out);
        return status;
    }
    *attribution = j.out;
    return ROUTH_OK;
}
