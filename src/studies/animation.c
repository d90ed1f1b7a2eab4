/* The public animation: which modes have paths, how large they are drawn, and their polynomials. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "studies/animation.h"

/* At amplitude 1: a part of the model's size, rad. */
static const double usual_shift = 0.1, usual_turn = 0.6;
static const double reach = 2;
/* Joints that open less than this of the typical length are closed. */
static const double nothing = 1e-9;
/* What is left of the opening, at the most. */
static const double good = 5e-4;

enum { HALVINGS = 4, MOST_CHECKS = 12 };

typedef struct animation_holder {
    routh_animation result; /* first: the public pointer is this one's address */
    rt_arena arena;
} animation_holder;

/* While paths are made. */
typedef struct animation_maker {
    animation_holder *h;
    rt_closing closing;
    rt_arena arena;
    const routh_linear *linear;
    const routh_modes *modes;
    double work;         /* options->most_work */
    double size;         /* of the model, m */
    rt_path_fit fits[2]; /* of modes with imaginary parts, and of real ones */
    double *re, *im;     /* n_numbers each */
    double ground[2][6]; /* re, im */
    double *at_node;     /* RT_PATH_NODES x n_numbers: what is added to the mode there */
    double *term;        /* RT_PATH_TERMS x n_numbers */
    double *numbers;     /* n_numbers */
    double *elastic;     /* 2 n of the largest flexible body */
} animation_maker;

routh_animation_options routh_animation_defaults(void)
{
    return (routh_animation_options){.most_modes = 50, .most_work = 2e7};
}

void routh_animation_free(routh_animation *animation)
{
    if (!animation) return;
    animation_holder *h = (animation_holder *)(void *)animation;
    rt_arena_free(&h->arena);
    free(h);
}

/* ---- a mode --------------------------------------------------------------------------------- */

/* The longest of the vectors re cos a - im sin a: half the major axis of their ellipse. */
static double size3(const double *re, const double *im)
{
    const double a = rt_v3_dot(re, re), b = rt_v3_dot(im, im), c = rt_v3_dot(re, im);
    return sqrt((a + b) / 2 + hypot((a - b) / 2, c));
}

/* Motion of markers; *shift, *turn: the largest. */
static void take_markers(animation_maker *k, const routh_mode *mode, double *shift, double *turn)
{
    double x[12];
    for (int i = 0; i < k->linear->n_markers; i++) {
        routh_mode_marker(k->linear, mode, i, x);
        *shift = fmax(*shift, size3(x, x + 6));
        *turn = fmax(*turn, size3(x + 3, x + 9));
    }
    for (int i = 0; i < k->closing.n_markers; i++) {
        routh_mode_marker(k->linear, mode, k->closing.markers[i], x);
        memcpy(k->re + 6 * (size_t)i, x, 6 * sizeof *x);
        memcpy(k->im + 6 * (size_t)i, x + 6, 6 * sizeof *x);
    }
    memset(k->ground, 0, sizeof k->ground);
    if (k->closing.ground < 0) return;
    routh_mode_marker(k->linear, mode, k->closing.ground, x);
    memcpy(k->ground[0], x, sizeof k->ground[0]);
    memcpy(k->ground[1], x + 6, sizeof k->ground[1]);
}

static void take_elastic(animation_maker *k, const routh_mode *mode, double *shift)
{
    double frame[12], x[12];
    for (int b = 0; b < k->linear->n_flexible; b++) {
        const routh_flexible_body *body = &k->linear->flexible[b];
        const int first =
            6 * k->closing.n_markers + k->closing.search.m->elastic_start[body->marker];
        routh_mode_elastic(k->linear, mode, b, k->elastic);
        memcpy(k->re + first, k->elastic, (size_t)body->n * sizeof *k->re);
        memcpy(k->im + first, k->elastic + body->n, (size_t)body->n * sizeof *k->im);
        routh_mode_marker(k->linear, mode, body->marker, frame);
        for (int i = 0; i < body->n_nodes; i++) {
            routh_mode_node(k->linear, b, frame, k->elastic, i, x);
            *shift = fmax(*shift, size3(x, x + 6));
        }
    }
}

static bool has_no_imaginary_part(const animation_maker *k)
{
    static const double seen =
        1.0 / 65534; /* of the largest, the grain that paths are drawn with */
    double re = 0, im = 0;
    for (int i = 0; i < k->closing.n_numbers; i++) {
        re = fmax(re, fabs(k->re[i]));
        im = fmax(im, fabs(k->im[i]));
    }
    return im <= seen * re;
}

/* The mode times its amplitude; that, or 0 where nothing moves. */
static double take_mode(animation_maker *k, const routh_mode *mode, bool *is_real)
{
    double shift = 0, turn = 0;
    take_markers(k, mode, &shift, &turn);
    take_elastic(k, mode, &shift);
    *is_real = has_no_imaginary_part(k);
    if (!(shift > 0) && !(turn > 0)) return 0;
    const double amplitude = fmin(shift > 0 ? usual_shift * k->size / shift : INFINITY,
                                  turn > 0 ? usual_turn / turn : INFINITY);
    for (int i = 0; i < k->closing.n_numbers; i++) {
        k->re[i] *= amplitude;
        k->im[i] = *is_real ? 0 : amplitude * k->im[i];
    }
    for (int i = 0; i < 12; i++) k->ground[i / 6][i % 6] *= amplitude;
    return amplitude;
}

static void animation_halve(animation_maker *k)
{
    for (int i = 0; i < k->closing.n_numbers; i++) k->re[i] /= 2, k->im[i] /= 2;
    for (int i = 0; i < 12; i++) k->ground[i / 6][i % 6] /= 2;
}

/* ---- its path ------------------------------------------------------------------------------- */

/* The mode at (c, s), and how the ground moves. */
static void linear_at(animation_maker *k, double c, double s, double ground[6])
{
    for (int i = 0; i < k->closing.n_numbers; i++) k->numbers[i] = c * k->re[i] + s * k->im[i];
    for (int i = 0; i < 6; i++) ground[i] = c * k->ground[0][i] + s * k->ground[1][i];
}

/* How far joints open along a = 1, at the most; with the terms of the fit or without (NULL). */
static routh_status largest_opening(animation_maker *k, bool is_real, const rt_path_fit *fit,
                                    double *most, routh_error *error)
{
    static const double step = 0.52359877559829887; /* pi / 6 */
    double value[RT_PATH_TERMS], ground[6], open;
    const int n = k->closing.n_numbers;
    *most = 0;
    for (int p = 0; p < MOST_CHECKS; p++) {
        const double c = cos(p * step), s = is_real ? 0 : -sin(p * step);
        linear_at(k, c, s, ground);
        if (fit) rt_path_powers(fit, c, s, value);
        for (int t = 0; fit && t < fit->n_terms; t++)
            for (int i = 0; i < n; i++) k->numbers[i] += value[t] * k->term[(size_t)t * n + i];
        const routh_status status = rt_closing_place(&k->closing, k->numbers, ground, &open, error);
        if (status) return status;
        *most = fmax(*most, open);
    }
    return ROUTH_OK;
}

/* What closing the joints adds to the mode at the nodes. */
static routh_status close_nodes(animation_maker *k, const rt_path_fit *fit, bool *closed,
                                routh_error *error)
{
    const int n = k->closing.n_numbers;
    double ground[6];
    *closed = true;
    for (int p = 0; p < fit->n_nodes && *closed; p++) {
        const double c = fit->node[p][0], s = fit->node[p][1];
        linear_at(k, c, s, ground);
        const routh_status status =
            rt_closing_close(&k->closing, k->numbers, ground, closed, error);
        if (status) return status;
        double *added = k->at_node + (size_t)p * n;
        for (int i = 0; i < n; i++) added[i] = k->numbers[i] - c * k->re[i] - s * k->im[i];
    }
    return ROUTH_OK;
}

static void fit_terms(animation_maker *k, const rt_path_fit *fit)
{
    const int n = k->closing.n_numbers;
    memset(k->term, 0, (size_t)(RT_PATH_TERMS * n) * sizeof *k->term);
    for (int t = 0; t < fit->n_terms; t++)
        for (int p = 0; p < fit->n_nodes; p++) {
            const double w = fit->weight[t * fit->n_nodes + p];
            for (int i = 0; i < n; i++)
                k->term[(size_t)t * n + i] += w * k->at_node[(size_t)p * n + i];
        }
}

static routh_status keep_path(animation_maker *k, const rt_path_fit *fit, routh_mode_path path,
                              routh_error *error)
{
    routh_animation *out = &k->h->result;
    const size_t n = 6 * (size_t)out->n_markers;
    int(*power)[2] = rt_arena_take(&k->h->arena, (size_t)fit->n_terms, sizeof *power);
    path.term = RT_TAKE(&k->h->arena, double, (size_t)fit->n_terms *n);
    if (!power || !path.term) return rt_fail_memory(error);
    memcpy(power, fit->power, (size_t)fit->n_terms * sizeof *power);
    for (int t = 0; t < fit->n_terms; t++)
        memcpy(path.term + (size_t)t * n, k->term + (size_t)(t * k->closing.n_numbers),
               n * sizeof *path.term);
    path.power = (const int(*)[2])power;
    path.n_terms = fit->n_terms;
    out->paths[out->n_paths++] = path;
    return ROUTH_OK;
}

static double work_done(const animation_maker *k)
{
    const rt_pattern *G = &k->closing.search.m->pattern_G;
    return (double)k->closing.steps * G->start[G->n_columns];
}

/* With the usual amplitude, or the first half of it at which joints close well. */
static routh_status make_path(animation_maker *k, int mode, double amplitude, bool is_real,
                              routh_error *error)
{
    const rt_path_fit *fit = &k->fits[is_real];
    routh_mode_path path = {.mode = mode, .amplitude = amplitude};
    bool closed;
    for (int halving = 0; halving <= HALVINGS; halving++, path.amplitude /= 2) {
        if (halving > 0) animation_halve(k);
        routh_status status = largest_opening(k, is_real, NULL, &path.open, error);
        if (status || path.open <= nothing * k->closing.search.m->length) return status;
        if (work_done(k) > k->work) break;
        status = close_nodes(k, fit, &closed, error);
        if (status) return status;
        if (!closed) continue;
        fit_terms(k, fit);
        status = largest_opening(k, is_real, fit, &path.closed, error);
        if (status) return status;
        if (path.closed <= good * path.open) return keep_path(k, fit, path, error);
    }
    k->h->result.straight[k->h->result.n_straight++] = mode;
    return ROUTH_OK;
}

static routh_status make_paths(animation_maker *k, const routh_animation_options *options,
                               routh_error *error)
{
    int *order = RT_TAKE(&k->arena, int, k->modes->n);
    const int most =
        options->most_modes > options->n_chosen ? options->most_modes : options->n_chosen;
    int n;
    if (!order) return rt_fail_memory(error);
    routh_status status =
        routh_modes_notable(k->modes, options->chosen, options->n_chosen, order, &n, error);
    if (status) return status;
    for (int i = 0, moving = 0; i < n && moving < most; i++) {
        bool is_real;
        const double amplitude = take_mode(k, &k->modes->modes[order[i]], &is_real);
        if (amplitude == 0) continue;
        moving++;
        status = make_path(k, order[i], amplitude, is_real, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- what they need ------------------------------------------------------------------------- */

/* The diagonal of the box round all markers, or the typical length where it is empty. */
static double animation_size_of(const routh_linear *linear, double length)
{
    double low[3] = {0}, high[3] = {0}, side[3];
    for (int k = 0; k < linear->n_markers; k++)
        for (int i = 0; i < 3; i++) {
            const double x = linear->markers[k].position[i];
            low[i] = k == 0 ? x : fmin(low[i], x);
            high[i] = k == 0 ? x : fmax(high[i], x);
        }
    rt_v3_sub(side, high, low);
    const double size = rt_v3_norm(side);
    return size > 0 ? size : length;
}

static routh_status animation_take_room(animation_maker *k, routh_error *error)
{
    routh_animation *out = &k->h->result;
    const rt_closing *c = &k->closing;
    int most = 0;
    for (int b = 0; b < k->linear->n_flexible; b++)
        most = k->linear->flexible[b].n > most ? k->linear->flexible[b].n : most;
    const size_t n = (size_t)c->n_numbers;
    k->re = RT_TAKE(&k->arena, double, n);
    k->im = RT_TAKE(&k->arena, double, n);
    k->numbers = RT_TAKE(&k->arena, double, n);
    k->at_node = RT_TAKE(&k->arena, double, RT_PATH_NODES *n);
    k->term = RT_TAKE(&k->arena, double, RT_PATH_TERMS *n);
    k->elastic = RT_TAKE(&k->arena, double, 2 * most);
    out->markers = RT_TAKE(&k->h->arena, int, c->n_markers);
    out->paths = RT_TAKE(&k->h->arena, routh_mode_path, k->modes->n);
    out->straight = RT_TAKE(&k->h->arena, int, k->modes->n);
    if (!k->re || !k->im || !k->numbers || !k->at_node || !k->term || !k->elastic ||
        !out->markers || !out->paths || !out->straight)
        return rt_fail_memory(error);
    out->n_markers = c->n_markers;
    out->largest = reach;
    memcpy(out->markers, c->markers, (size_t)c->n_markers * sizeof *out->markers);
    return ROUTH_OK;
}

static routh_status animation_run(animation_maker *k, const routh_mechanism *mechanism,
                                  const routh_operating_point *point,
                                  const routh_animation_options *options, routh_error *error)
{
    routh_status status = rt_closing_create(&k->closing, mechanism, point, k->linear, error);
    if (!status) status = animation_take_room(k, error);
    if (status || k->closing.search.m->n_rows == 0) return status;
    k->size = animation_size_of(k->linear, k->closing.search.m->length);
    k->work = options->most_work;
    for (int real = 0; real < 2 && !status; real++)
        status = rt_path_fit_make(&k->fits[real], real == 1, reach, error);
    return status ? status : make_paths(k, options, error);
}

routh_status routh_animation_compute(routh_animation **animation, const routh_mechanism *mechanism,
                                     const routh_operating_point *point, const routh_linear *linear,
                                     const routh_modes *modes,
                                     const routh_animation_options *options, routh_error *error)
{
    const routh_animation_options defaults = routh_animation_defaults();
    *animation = NULL;
    if (linear->n_markers == 0 && mechanism->n_markers > 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the linear model has no markers; linearize with .markers = 1");
    animation_maker k = {.h = calloc(1, sizeof *k.h), .linear = linear, .modes = modes};
    if (!k.h) return rt_fail_memory(error);
    const routh_status status =
        animation_run(&k, mechanism, point, options ? options : &defaults, error);
    rt_closing_free(&k.closing);
    rt_arena_free(&k.arena);
    if (status) {
        routh_animation_free(&k.h->result);
        return status;
    }
    *animation = &k.h->result;
    return ROUTH_OK;
}
