#include <math.h>

#include "base/pi.h"
#include "base/vec3.h"
#include "flexible/body.h"

static routh_status reduce_check(const rt_reduction *how, routh_error *error)
{
    const char *what = NULL;
    if (how->kind == RT_REDUCE_CRAIG_BAMPTON && how->n_interfaces < 1)
        what = "a reduction by Craig and Bampton needs at least one interface";
    else if (how->kind == RT_REDUCE_USER && how->n_shapes < 1)
        what = "a reduction to shapes of the user needs at least one shape";
    else if (how->kind == RT_REDUCE_FREE && how->n_modes < 1 && !(how->cut > 0) &&
             !(how->below > 0))
        what = "a reduction to free modes needs a number of modes or a highest frequency";
    else if (how->n_modes < 0 || how->cut < 0 || how->below < 0)
        what = "number of modes and highest frequency are not negative";
    else if (how->below > 0 && (how->n_modes > 0 || how->cut > 0 || how->kind == RT_REDUCE_USER))
        what = "frequencies to be right below a limit decide how many modes there are: not a "
               "number of modes nor a cut besides, nor shapes of the user alone";
    else if (!(how->accuracy >= 0) || how->accuracy >= 1)
        what = "the accuracy of frequencies lies between 0 and 1";
    else if (!(how->damping_ratio >= 0) || how->damping_ratio >= 1)
        what = "the damping ratio lies from 0 to less than 1";
    else if (how->unit < 0 || how->unit_mass < 0 || how->unit_time < 0)
        what = "units are positive";
    return what ? rt_fail(error, ROUTH_BAD_ARGUMENT, "%s", what) : ROUTH_OK;
}

static double reduce_edge(const rt_body_fe *b, int i, int j)
{
    double d[3];
    rt_v3_sub(d, b->X + 3 * (size_t)i, b->X + 3 * (size_t)j);
    return rt_v3_norm(d);
}

static double element_ratio(const rt_body_fe *b)
{
    double worst = 0;
    for (int k = 0; k < b->fe->n_triangles; k++) {
        const int *c = b->fe->triangles + 3 * (size_t)k;
        double least = INFINITY, most = 0;
        for (int j = 0; j < 3; j++) {
            const double length = reduce_edge(b, c[j], c[(j + 1) % 3]);
            least = fmin(least, length);
            most = fmax(most, length);
        }
        if (least > 0) worst = fmax(worst, most / least);
    }
    return worst;
}

/* About the centre of mass, from what the rigid motion gives about the origin. */
static void tell_mass(rt_reduction_report *report, const rt_body_fe *b)
{
    const double *G = b->rigid_mass, *c = b->centre;
    report->mass = b->mass;
    rt_v3_copy(report->centre, c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            report->inertia[3 * i + j] = 0.5 * (G[6 * (3 + i) + 3 + j] + G[6 * (3 + j) + 3 + i]) -
                                         b->mass * ((i == j ? rt_v3_dot(c, c) : 0) - c[i] * c[j]);
}

static void tell_mesh(rt_reduction_report *report, const rt_body_fe *b)
{
    report->n_dofs = b->n;
    report->n_nodes = b->n_nodes;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < b->n_nodes; k++) {
            low = fmin(low, b->X[3 * (size_t)k + (size_t)c]);
            high = fmax(high, b->X[3 * (size_t)k + (size_t)c]);
        }
        report->extent[c] = high - low;
    }
    for (int k = 0; k < 2; k++) report->asymmetry[k] = b->fe->asymmetry[k];
    report->element_ratio = element_ratio(b);
}

static routh_status tell_frequencies(rt_reduction_report *report, const rt_body_modes *modes,
                                     rt_arena *arena, routh_error *error)
{
    double *f = RT_TAKE(arena, double, modes->n);
    if (!f) return rt_fail_memory(error);
    for (int k = 0; k < modes->n; k++)
        f[k] = sqrt(fmax(modes->lambda[k], 0)) / RT_TWO_PI;
    report->n = modes->n;
    report->frequency = f;
    double *whole = RT_TAKE(arena, double, report->n_whole);
    if (!whole) return rt_fail_memory(error);
    for (int k = 0; k < report->n_whole; k++) whole[k] = report->whole[k];
    report->whole = whole;
    return ROUTH_OK;
}

/* own: what is needed on the way. */
static routh_status reduce_of(rt_flexible *f, rt_reduction_report *report, const rt_fe_model *fe,
                              const rt_reduction *how, rt_arena *own, rt_arena *arena,
                              routh_error *error)
{
    rt_body_fe b;
    rt_body_modes modes;
    routh_status status = rt_body_prepare(&b, fe, how, own, error);
    if (status) return status;
    tell_mesh(report, &b);
    tell_mass(report, &b);
    status = rt_body_reduce(&modes, report, &b, how, own, error);
    if (!status) status = tell_frequencies(report, &modes, arena, error);
    if (!status) status = rt_body_moments(f, &b, &modes, how->damping_ratio, arena, error);
    if (!status) status = rt_body_turning(f, &b, &modes, arena, error);
    if (!status) status = rt_body_nodes(f, &b, &modes, how, arena, error);
    if (status || how->n_draw < 0 || !rt_flexible_has_energies(f->n, f->n_nodes)) return status;
    return rt_body_energies(f, &b, &modes, arena, error);
}

routh_status rt_flexible_reduce(const rt_flexible **flexible, rt_reduction_report *report,
                                const rt_fe_model *fe, const rt_reduction *how, rt_arena *arena,
                                routh_error *error)
{
    rt_arena own = {0};
    rt_reduction_report unread = {0};
    if (!report) report = &unread;
    *report = (rt_reduction_report){0};
    *flexible = NULL;
    routh_status status = reduce_check(how, error);
    if (status) return status;
    rt_flexible *f = RT_TAKE(arena, rt_flexible, 1);
    if (!f) return rt_fail_memory(error);
    status = reduce_of(f, report, fe, how, &own, arena, error);
    rt_arena_free(&own);
    if (!status) *flexible = f;
    return status;
}
