/* Is what was found one motion? Free directions must change nothing of it. */
#include <float.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "operating/steady.h"

static const double OPEN = 1e-6;

/* ---- one motion ----------------------------------------------------------------------------- */

/* Column j of null vector l in natural units. */
static double steady_check_part(const rt_steady_search *k, int l, int j)
{
    return k->vt[l + (size_t)k->n_unknowns * (size_t)j] * k->column_scale[j];
}

/* What rounding of J, which is of the size of eps, makes of a null vector: eps over the smallest of
 * the factors' parts that counts. */
static double rounding_of_null_vectors(const rt_steady_search *k)
{
    static const double times = 8;
    if (k->rank == 0) return 0;
    const double *R = k->qr.a;
    const size_t last = (size_t)k->rank - 1, step = (size_t)k->n_rows + 1;
    const double least = k->by_values ? k->sigma[last] / k->sigma[0] : fabs(R[last * step] / R[0]);
    return times * DBL_EPSILON / least;
}

/* By which the parts of null vector l are divided, so that they say what moves whatever the forces:
 * the largest of its moving parts, where that is more than a part of what forces are there: below
 * 1e-10 of them, OPEN of this, is rounding, or below more where J is nearly singular. */
static double moving_size(const rt_steady_search *k, int l)
{
    static const double ROUNDED = 1e-4;
    double size = fmax(ROUNDED, rounding_of_null_vectors(k) / OPEN);
    for (int j = 0; j < k->n_columns; j++) {
        const bool force =
            (j >= k->at_lambda && j < k->at_motion) || (j >= k->at_variable && j < k->at_input);
        if (!force) size = fmax(size, fabs(steady_check_part(k, l, j)));
    }
    return size;
}

/* Its change of the speed of body b, over the typical one; of a body at rest, of its velocity. */
static double speed_change(const rt_steady_search *k, int l, int b)
{
    const rt_frame *f = &k->s->w->bodies[b];
    const double length = k->s->m->length, speed = k->rate * length;
    const double rate = k->motion[RT_MOTION_RATE];
    double dr[3], dv[3], turn[3];
    for (int i = 0; i < 3; i++) {
        dr[i] = steady_check_part(k, l, 6 * b + i) * length;
        dv[i] = steady_check_part(k, l, k->at_motion + i) * speed;
    }
    rt_v3_cross(turn, k->e, dr);
    rt_v3_add_scaled(dv, rate, turn);
    rt_v3_cross(turn, k->e, f->r);
    rt_v3_add_scaled(dv, steady_check_part(k, l, k->at_motion + RT_MOTION_RATE) * k->rate, turn);
    const double v = rt_v3_norm(f->v);
    return (v > 1e-9 * speed ? rt_v3_dot(dv, f->v) / v : rt_v3_norm(dv)) / speed;
}

/* Of the size of a_O, over the typical one; of none, of all of it; or of s' of a spin. */
static double acceleration_change(const rt_steady_search *k, int l)
{
    const double *a = rt_steady_acceleration(k), size = rt_v3_norm(a);
    const double least = 1e-9 * k->rate * k->rate * k->s->m->length;
    double da[3] = {0};
    for (int i = 0; i < 3 && k->acceleration >= 0; i++)
        da[i] = steady_check_part(k, l, k->at_motion + k->acceleration + i);
    double spins = 0;
    for (int i = 0; i < k->asked->n_spins && k->acceleration >= 0; i++)
        spins = fmax(spins, fabs(steady_check_part(k, l, k->at_motion + k->acceleration + 3 + i)));
    const double change = size > least ? rt_v3_dot(da, a) / size : rt_v3_norm(da);
    return fmax(fabs(change), spins);
}

typedef struct sentence {
    char text[512];
    int n;
} sentence;

static void steady_check_add(sentence *s, const char *before, const char *name)
{
    const size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%s%s%s", s->n++ ? ", " : "", before, name);
}

/* What null vector l changes of the motion: the rotation rate, spins, free inputs, speeds of bodies
 * and their shapes. */
static void steady_check_changes(const rt_steady_search *k, int l, double *out)
{
    double *const first = out;
    const size_t n = (size_t)k->n_unknowns;
    *out++ = steady_check_part(k, l, k->at_motion + RT_MOTION_RATE);
    for (int i = 0; i < k->asked->n_spins; i++)
        *out++ = steady_check_part(k, l, k->at_motion + RT_MOTION_SPINS + i);
    for (int i = 0; i < k->asked->n_free; i++)
        *out++ = k->vt[(size_t)l + n * (size_t)(k->at_input + i)];
    for (int b = 0; b < k->s->m->n_bodies; b++) *out++ = speed_change(k, l, b);
    for (int c = k->s->m->first_elastic; c < k->s->m->n_u; c++) *out++ = steady_check_part(k, l, c);
    *out++ = acceleration_change(k, l);
    const double size = moving_size(k, l);
    for (double *x = first; x < out; x++) *x /= size;
}

/* How many of the columns are independent, each n long; they are made orthogonal. */
static int steady_check_rank_of(double *columns, int n_columns, int n)
{
    int rank = 0;
    for (int c = 0; c < n_columns; c++) {
        double *x = columns + (size_t)n * (size_t)c, norm = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int d = 0; d < rank; d++) {
                const double *y = columns + (size_t)n * (size_t)d;
                double along = 0;
                for (int i = 0; i < n; i++) along += x[i] * y[i];
                for (int i = 0; i < n; i++) x[i] -= along * y[i];
            }
        for (int i = 0; i < n; i++) norm += x[i] * x[i];
        norm = sqrt(norm);
        if (norm <= OPEN) continue;
        double *to = columns + (size_t)n * (size_t)rank++;
        for (int i = 0; i < n; i++) to[i] = x[i] / norm;
    }
    return rank;
}

/* What a velocity of all bodies together changes, as steady_check_changes. */
static void unfelt_changes(const rt_steady_search *k, const double dv[3], double *out)
{
    const double speed = k->rate * k->s->m->length;
    out += 1 + k->asked->n_spins + k->asked->n_free;
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const double *v = k->s->w->bodies[b].v, size = rt_v3_norm(v);
        out[b] = size > 1e-9 * speed ? rt_v3_dot(dv, v) / size : rt_v3_norm(dv);
    }
}

/* Names what is not zero in any of the first n columns. */
static void name_changes(const rt_steady_search *k, const double *columns, int rank, int n,
                         sentence *out)
{
    const routh_model *model = k->s->m->model;
    char name[192];
    const int first_input = 1 + k->asked->n_spins, first_body = first_input + k->asked->n_free;
    const int first_elastic = first_body + k->s->m->n_bodies;
    double fastest = OPEN, widest = OPEN;
    int body = -1, elastic = -1;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int c = 0; c < rank; c++) most = fmax(most, fabs(columns[i + (size_t)n * (size_t)c]));
        if (most <= OPEN) continue;
        if (i == 0)
            steady_check_add(out, "the rotation rate", "");
        else if (i == n - 1)
            steady_check_add(out, "the acceleration", "");
        else if (i < first_input)
            steady_check_add(out, "the spin of ", model->bodies[k->asked->spins[i - 1].body].name);
        else if (i < first_body)
            steady_check_add(out, "the input ",
                             model->inputs[k->asked->free[i - first_input]].name);
        else if (i < first_elastic && most > 1.001 * fastest)
            fastest = most, body = i - first_body;
        else if (i >= first_elastic && most > 1.001 * widest)
            widest = most, elastic = i - first_elastic;
    }
    if (body >= 0) steady_check_add(out, "the speed of ", model->bodies[body].name);
    if (elastic < 0) return;
    const rt_elastic *x = rt_elastic_coordinate(k->s->m, elastic, &body);
    snprintf(name, sizeof name, "%.80s.%.80s", model->bodies[body].name, x->name);
    steady_check_add(out, "the elastic coordinate ", name);
}

/* Names what the free directions change of the motion; the number of ways, or -1: no memory. A
 * velocity of all together that nothing feels is none of them. */
static int name_open(const rt_steady_search *k, sentence *out)
{
    const int n_null = k->n_unknowns - k->rank;
    const int n =
        1 + k->asked->n_spins + k->asked->n_free + k->s->m->n_bodies + k->s->m->n_elastic + 1;
    double *columns =
        rt_kept_malloc(k->s->m->analyses, ((size_t)n * (size_t)(n_null + 3) + 1) * sizeof *columns);
    double unfelt[9];
    if (!columns) return -1;
    const int n_unfelt = rt_steady_unfelt(k, unfelt);
    memset(columns, 0, (size_t)n * (size_t)n_unfelt * sizeof *columns);
    for (int l = 0; l < n_unfelt; l++)
        unfelt_changes(k, unfelt + 3 * l, columns + (size_t)n * (size_t)l);
    const int known = steady_check_rank_of(columns, n_unfelt, n);
    for (int l = 0; l < n_null; l++)
        steady_check_changes(k, k->rank + l, columns + (size_t)n * (size_t)(known + l));
    const int rank = steady_check_rank_of(columns, known + n_null, n) - known;
    name_changes(k, columns + (size_t)n * (size_t)known, rank, n, out);
    rt_kept_free(columns);
    return rank;
}

int rt_steady_open(const rt_steady_search *k, char *text, size_t room)
{
    sentence open = {.n = 0};
    const int n = name_open(k, &open);
    snprintf(text, room, "%s", open.text);
    return n;
}

/* How far the velocity is from the one written along the directions that no equation feels, over
 * the typical speed. Nothing moves it there, unless forces that vanish now have done so on the
 * way. */
static double unfelt_change(rt_steady_search *k)
{
    double directions[9], now[3], change = 0;
    const int n = rt_steady_unfelt(k, directions);
    rt_v3_copy(now, k->motion);
    if (n == 0) return 0;
    rt_steady_keep(k, RT_STEADY_NOW);
    rt_steady_restore(k, RT_STEADY_START);
    rt_steady_fit(k, false);
    rt_v3_sub(now, now, k->motion);
    rt_steady_restore(k, RT_STEADY_NOW);
    for (int l = 0; l < n; l++) change = fmax(change, fabs(rt_v3_dot(now, directions + 3 * l)));
    return change / (k->rate * k->s->m->length);
}

/* The one with the largest force out of balance, over its own. */
static int worst_body(const rt_steady_search *k)
{
    double worst = 0;
    int body = 0;
    for (int i = 0; i < k->s->m->n_bodies + k->s->m->n_elastic; i++) {
        int component;
        const int b = rt_equilibrium_residual_body(k->s->m, i);
        const double x = rt_equilibrium_residual(k->s, i, &component) / k->force[b];
        if (x > worst) worst = x, body = b;
    }
    return body;
}

routh_status rt_steady_determined(rt_steady_search *k, routh_error *error)
{
    char text[512];
    const int n = rt_steady_open(k, text, sizeof text);
    if (n < 0) return rt_fail_memory(error);
    if (k->s->undetermined) *k->s->undetermined = n;
    /* followed from a neighbour, which is one, it is the one next to it: a limit of stability */
    if (n > 0 && !k->s->followed)
        return rt_fail(
            error, ROUTH_NO_EQUILIBRIUM,
            "the steady motion is not unique: nothing determines %s, which can change "
            "in %d independent way%s; prescribe %s under `steady`, or leave fewer inputs "
            "free",
            text, n, n == 1 ? "" : "s", n == 1 ? "one of them" : "as many");
    if (unfelt_change(k) <= OPEN) return ROUTH_OK;
    const routh_model *model = k->s->m->model;
    const int body = worst_body(k);
    char element[192];
    snprintf(element, sizeof element, "body %s", model->bodies[body].name);
    return rt_fail_at(
        error, ROUTH_NO_EQUILIBRIUM, model->file, model->bodies[body].place, element,
        "no steady motion was found: the speed grew until the forces that depend on it "
        "had vanished, so nothing determines it; prescribe a speed under `steady`, or "
        "give velocities nearer to the motion");
}
