/* The rotation vectors that bushings and exact beams go by, before and after a step. */
#include "base/kept_memory.h"
#include "operating/twists.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/pi.h"
#include "base/rotation.h"
#include "model/load_class.h"

int rt_load_twists(const rt_load *load)
{
    const rt_load_class *class = rt_load_class_of(load->type);
    const int *markers;
    if (!class->wound || (class->rotates && !class->rotates(load))) return 0;
    return rt_markers_of_load(load, &markers) - 1;
}

int rt_count_twists(const routh_model *model)
{
    int n = 0;
    for (int k = 0; k < model->n_loads; k++) n += rt_load_twists(&model->loads[k]);
    return n;
}

/* Of the load's own axes at a node. */
static void twist_axes(const rt_search *s, const rt_load *load, int node, double A[9])
{
    const rt_load_class *class = rt_load_class_of(load->type);
    const int *markers;
    double own[9];
    rt_markers_of_load(load, &markers);
    const rt_frame *f = rt_frame_of(s->w->markers, markers[node]);
    memcpy(A, f->A, sizeof f->A);
    if (!class->axes) return;
    for (int i = 0; i < 9; i++) own[i] = class->axes(load, node)[i].value;
    rt_m3_mul(A, f->A, own);
}

static void find_twist(const rt_search *s, const rt_load *load, int k, double theta[3])
{
    double A[9], B[9], R[9];
    twist_axes(s, load, k, A);
    twist_axes(s, load, k + 1, B);
    rt_m3_tmul(R, B, A);
    rt_rotation_log(theta, R);
}

void rt_note_twists(const rt_search *s, double *theta)
{
    const routh_model *model = s->m->model;
    for (int l = 0; l < model->n_loads; l++)
        for (int k = 0; k < rt_load_twists(&model->loads[l]); k++, theta += 3)
            find_twist(s, &model->loads[l], k, theta);
}

/* From one side of half a revolution to the other the rotation vector is turned over. */
static bool is_wound(const double before[3], const double after[3])
{
    return rt_v3_dot(after, before) < 0 && rt_v3_norm(after) >= RT_PI / 2 &&
           rt_v3_norm(before) >= RT_PI / 2;
}

const rt_load *rt_wound_since(const rt_search *s, const double *before)
{
    const routh_model *model = s->m->model;
    for (int l = 0; l < model->n_loads; l++)
        for (int k = 0; k < rt_load_twists(&model->loads[l]); k++, before += 3) {
            double theta[3];
            find_twist(s, &model->loads[l], k, theta);
            if (is_wound(before, theta)) return &model->loads[l];
        }
    return NULL;
}

routh_status rt_fail_wound(const rt_search *s, const rt_load *load, routh_status status,
                           routh_error *error)
{
    char element[192];
    snprintf(element, sizeof element, "load %.180s", load->name);
    return rt_fail_at(error, status, s->m->model->file, load->place, element, "%s",
                      rt_load_class_of(load->type)->wound);
}

/* ---- the steps of a search ------------------------------------------------------------------ */

routh_status rt_watch_twists(rt_search *s, routh_error *error)
{
    const int n = rt_count_twists(s->m->model);
    if (n == 0 || s->twist) return ROUTH_OK;
    s->twist = rt_kept_calloc(s->m->analyses, 3 * (size_t)n, sizeof *s->twist);
    if (!s->twist) return rt_fail_memory(error);
    const routh_status status = rt_state_create(&s->begin, s->m, error);
    if (!status) rt_state_copy(s->m, s->begin, s->state);
    return status;
}

void rt_ignore_twists(rt_search *s)
{
    rt_kept_free(s->twist);
    rt_state_free(s->begin);
    s->twist = NULL;
    s->begin = NULL;
}

void rt_begin_step(rt_search *s)
{
    if (s->twist) rt_note_twists(s, s->twist);
}

bool rt_step_winds(rt_search *s)
{
    const rt_load *load = s->twist ? rt_wound_since(s, s->twist) : NULL;
    if (load) s->wound = load;
    return load;
}

const rt_load *rt_stopped_by_twist(const rt_search *s)
{
    static const double near = 0.75 * RT_PI;
    for (int k = 0; s->wound && k < rt_load_twists(s->wound); k++) {
        double theta[3];
        find_twist(s, s->wound, k, theta);
        if (rt_v3_norm(theta) >= near) return s->wound;
    }
    return NULL;
}

/* ---- elements of higher order --------------------------------------------------------------- */

/* Angles between the ends, in rad, at which an element of order p that is twisted or bent uniformly
 * has a moment that is 1 % too large: measured by tests/operating/test_wound.py. The error is of
 * the power 2 p of the angle. Above order 5 two nodes are half a revolution apart before. */
static const double ONE_PERCENT[] = {[2] = 2.136, [3] = 4.804, [4] = 7.870, [5] = 11.12};

enum { MOST_ORDER = sizeof ONE_PERCENT / sizeof *ONE_PERCENT - 1 };

/* What the moment of an element is off by, as a fraction; *angle: between its ends. */
static double angle_error(const rt_search *s, const rt_load *load, double *angle)
{
    const int order = rt_load_twists(load);
    *angle = 0;
    if (order < 2 || order > MOST_ORDER) return 0;
    for (int k = 0; k < order; k++) {
        double theta[3];
        find_twist(s, load, k, theta);
        *angle += rt_v3_norm(theta);
    }
    return 0.01 * pow(*angle / ONE_PERCENT[order], 2 * order);
}

bool rt_large_angle_words(const rt_search *s, char *text, size_t room)
{
    static const double SAID = 0.01;
    const routh_model *model = s->m->model;
    const rt_load *most = NULL;
    double worst = SAID, angle = 0;
    char degrees[RT_NUMBER_SIZE], percent[RT_NUMBER_SIZE];
    for (int l = 0; l < model->n_loads; l++) {
        double at;
        const double e = angle_error(s, &model->loads[l], &at);
        if (e > worst) worst = e, most = &model->loads[l], angle = at;
    }
    if (!most) return false;
    rt_number_text(degrees, angle * RT_DEGREES, 3);
    rt_number_text(percent, 100 * fmin(worst, 1), worst >= 0.995 ? 3 : 2);
    snprintf(text, room,
             "load %.160s, an element of order %d, is bent or twisted by %s deg between its ends, "
             "where its moment is off by about %s %%; divide the beam into more elements, or give "
             "it a higher order",
             most->name, rt_load_twists(most), degrees, percent);
    return true;
}
