/* Assembly: Phi(q) = 0.
 *
 * Gauss-Newton with the smallest change of configuration, regularised so that redundant rows do
 * no harm:
 *     [W G'; G -delta I] [xi; y] = [0; -Phi],   W weighs rotations by the typical length squared,
 * which is the minimum of |W^(1/2) xi|^2 + |G xi + Phi|^2 / delta. A step that does not lower
 * |Phi| is halved.
 *
 * A motion of an angle that counts its turns may ask for more than half a turn from what is
 * written. Where joints or springs go by such angles, or bushings and beams by rotations, it is led
 * there by steps that turn none of them by much more than half a radian; where none does the
 * nearest place is the same. */
#include <stdio.h>

#include "base/kept_memory.h"
#include "base/pi.h"
#include "operating/twists.h"

double rt_constraint_error(const rt_search *s, int *row)
{
    double worst = 0;
    double *size = s->y;
    *row = -1;
    rt_row_sizes(s, size);
    for (int r = 0; r < s->m->n_rows; r++) {
        const double e = fabs(s->w->phi[0][r]) / (size[r] > 0 ? size[r] : 1);
        if (e > worst) worst = e, *row = r;
    }
    return worst;
}

static routh_status not_assembled(const rt_search *s, double error_length, int row,
                                  routh_error *error)
{
    char element[192];
    const char *label;
    rt_place place;
    const rt_load *wound = rt_stopped_by_twist(s);
    if (wound) return rt_fail_wound(s, wound, ROUTH_NOT_ASSEMBLED, error);
    rt_row_describe(s->m, row, element, &place, &label);
    return rt_fail_at(
        error, ROUTH_NOT_ASSEMBLED, s->m->model->file, place, element,
        "the mechanism cannot be assembled: this joint has the largest gap, %.3g m (\"%s\"); the "
        "joints contradict each other, or the initial positions are too far from a solution: check "
        "lengths, markers and axes of the loop that this joint closes",
        error_length, label);
}

/* What is written by coordinates of joints is to stay where joints allow it: a hundred millionth of
 * what closes a loop is taken from it. Were it less, rows between bodies that stay would be lost in
 * delta. */
static const double STAYS = 1e8;

double rt_assembly_weight(const rt_search *s, int column)
{
    int body;
    bool angle;
    double per_radian;
    rt_column(s->m, column, &body, &angle, &per_radian);
    const double weight = 1 / (s->unit[column] * s->unit[column]);
    return body >= 0 && s->m->model->bodies[body].place_held ? STAYS * weight : weight;
}

/* Weights on the diagonal of pattern_M. */
static void assemble_fill_weights(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    s->w->evaluated = 0; /* M is another one from here */
    for (int c = 0; c < M->n_columns; c++)
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            s->w->M[p] = M->row[p] == c ? rt_assembly_weight(s, c) : 0;
}

/* Motions that are led to where they are to be: their rows, what each has to go at first, how much
 * of the longest way is gone, and the part of each that is still held back. */
typedef struct assemble_lead {
    int n;
    const int *row;
    const double *way;
    double longest, gone, held;
} assemble_lead;

static void lead_to(assemble_lead *lead, double gone)
{
    lead->gone = fmin(gone, lead->longest);
    lead->held = 1 - lead->gone / lead->longest;
}

static double assemble_norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

static double largest_step(const rt_search *s, const double *xi)
{
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        const double a = fabs(xi[c]) / s->unit[c];
        if (a > worst) worst = a;
    }
    return worst;
}

/* Notes a step that was taken where that is wanted. */
static routh_status assemble_note(rt_search *s, const assemble_lead *lead, double scale,
                                  bool limited, routh_error *error)
{
    rt_assembly_path *path = s->path;
    if (!path) return ROUTH_OK;
    rt_assembly_step *more =
        rt_kept_realloc(s->m->analyses, path->step, (size_t)(path->n_steps + 1) * sizeof *more);
    if (!more) return rt_fail_memory(error);
    path->step = more;
    path->step[path->n_steps++] = (rt_assembly_step){scale, lead->gone, lead->held > 0, limited};
    return ROUTH_OK;
}

/* Notes where the steps begin, and what is led from there. */
static routh_status assemble_note_start(rt_search *s, const assemble_lead *lead, routh_error *error)
{
    rt_assembly_path *path = s->path;
    if (!path) return ROUTH_OK;
    rt_release_path(path);
    path->near = rt_kept_malloc(s->m->analyses, rt_count_near(s->m) * sizeof *path->near + 1);
    path->row = rt_kept_malloc(s->m->analyses, (size_t)lead->n * sizeof *path->row + 1);
    if (!path->near || !path->row) return rt_fail_memory(error);
    memcpy(path->near, s->state->near, rt_count_near(s->m) * sizeof *path->near);
    memcpy(path->row, lead->row, (size_t)lead->n * sizeof *path->row);
    path->n_led = lead->n;
    return ROUTH_OK;
}

void rt_release_path(rt_assembly_path *path)
{
    rt_kept_free(path->step);
    rt_kept_free(path->near);
    rt_kept_free(path->row);
    *path = (rt_assembly_path){0};
}

/* What is left of the constraints, with motions held back: each at its part `held` of what it has
 * to go. Frames and G too. */
static routh_status assemble_evaluate(rt_search *s, const assemble_lead *lead, routh_error *error)
{
    const routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) rt_take_held(s);
    for (int k = 0; k < lead->n && !status; k++)
        s->w->phi[0][lead->row[k]] -= lead->held * lead->way[k];
    return status;
}

/* Moves along xi, halving until |Phi| falls; false when it will not. */
static routh_status line_search(rt_search *s, const assemble_lead *lead, const double *q0,
                                double before, bool *moved, routh_error *error)
{
    const double step = largest_step(s, s->x);
    const bool limited = step > 0.5 * s->m->length;
    double scale = limited ? 0.5 * s->m->length / step : 1;
    *moved = false;
    rt_begin_step(s);
    for (int k = 0; k < 30; k++, scale /= 2) {
        memcpy(s->state->q, q0, (size_t)s->m->n_q * sizeof *q0);
        for (int c = 0; c < s->m->n_u; c++) s->z[c] = scale * s->x[c];
        rt_advance(s->m, s->state->q, s->z);
        const routh_status status = assemble_evaluate(s, lead, error);
        if (status && status != ROUTH_NUMERIC_ERROR) return status;
        if (!status && assemble_norm(s->w->phi[0], s->m->n_rows) < before && !rt_step_winds(s)) {
            *moved = true;
            rt_angles_settle(s->m, s->w, s->state, true);
            return assemble_note(s, lead, scale, limited, error);
        }
    }
    memcpy(s->state->q, q0, (size_t)s->m->n_q * sizeof *q0);
    return assemble_evaluate(s, lead, error);
}

/* Nothing closes better than the rounding of the positions themselves. */
static double rounding_of_positions(const rt_search *s)
{
    double largest = s->m->length;
    for (int k = 0; k < s->m->n_markers; k++)
        for (int i = 0; i < 3; i++) largest = fmax(largest, fabs(s->w->markers[k].r[i]));
    return 4e-16 * largest;
}

bool rt_is_assembled(const rt_search *s, double tolerance)
{
    int row;
    return rt_constraint_error(s, &row) <= fmax(tolerance * s->m->length, rounding_of_positions(s));
}

static routh_status assemble_iterate(rt_search *s, const assemble_lead *lead, rt_kkt *kkt,
                                     double *q0, routh_error *error)
{
    /* good enough where no step makes it better, or so slowly as by a singular configuration */
    const double stuck = 1e-9 * s->m->length;
    int row, polish = 0;
    for (int k = 0;; k++, s->iterations++) {
        const double now = rt_constraint_error(s, &row);
        const bool closed = now <= fmax(s->tolerance * s->m->length, rounding_of_positions(s));
        if (row < 0 || (closed && polish++))
            return ROUTH_OK; /* one more step once closed, for
                                                                 the last digits */
        if (k > s->max_iterations)
            return now <= stuck ? ROUTH_OK : not_assembled(s, now, row, error);
        assemble_fill_weights(s);
        routh_status status = rt_progress_ask(s->progress, 1, error);
        if (!status) status = rt_kkt_factor(kkt, s->w->M, s->w->G, NULL, RT_ASSEMBLY_DELTA, error);
        if (status) return status;
        memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
        const double before = assemble_norm(s->w->phi[0], s->m->n_rows);
        for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[0][r];
        status = rt_kkt_solve(kkt, s->x, s->y, error);
        if (status) return status;
        bool moved;
        memcpy(q0, s->state->q, (size_t)s->m->n_q * sizeof *q0);
        status = line_search(s, lead, q0, before, &moved, error);
        if (status) return status;
        if (!moved && (closed || now <= stuck)) return ROUTH_OK;
        if (!moved) return not_assembled(s, now, row, error);
    }
}

/* keep[n_rows] >= 0: the row has a position level. */
static void mark_positions(const routh_mechanism *m, int *keep)
{
    for (int r = 0; r < m->n_rows; r++) keep[r] = m->nonholonomic[r] ? -1 : r;
}

/* ---- motions beyond half a turn -------------------------------------------------------------- */

/* The row of a motion, or NULL. */
static const rt_row *row_of_motion(const rt_search *s, int r)
{
    if (r >= s->m->n_joint_rows) return NULL;
    const rt_constraint *c = &s->m->constraints[s->m->row_constraint[r]].constraint;
    if (c->n_rows != 1 || !c->rows[0].what) return NULL;
    return c->rows[0].what->kind == RT_JOINT_ROW_DRIVEN ? &c->rows[0] : NULL;
}

/* Is it an angle, more than half a turn away? */
static bool is_far(const rt_search *s, int r)
{
    const rt_row *row = row_of_motion(s, r);
    return row && row->coordinate[0].angle && fabs(s->w->phi[0][r]) > RT_PI * (1 + 1e-9);
}

/* A motion that winds bushings or beams? */
static bool winds_load(const rt_search *s, int r)
{
    if (!s->winds || !row_of_motion(s, r)) return false;
    return s->winds[s->m->constraints[s->m->row_constraint[r]].constraint.joint];
}

static bool turns_are_felt(const routh_model *model)
{
    for (int k = 0; k < model->n_angles; k++)
        if (model->angles[k].felt) return true;
    return false;
}

/* No joint or spring goes by turns: the angle that the motion asks for is the nearest such. */
static void count_with_motion(rt_search *s, int r)
{
    const rt_constraint *c = &s->m->constraints[s->m->row_constraint[r]].constraint;
    s->state->near[c->rows[0].coordinate[0].number] -=
        RT_TWO_PI * round(s->w->phi[0][r] / RT_TWO_PI);
}

static routh_status list_far(rt_search *s, assemble_lead *lead, int *row, double *way,
                             routh_error *error)
{
    const bool felt = turns_are_felt(s->m->model);
    bool any = false;
    for (int r = 0; r < s->m->n_rows; r++) {
        if (!is_far(s, r)) continue;
        any = true;
        if (felt || winds_load(s, r))
            row[lead->n] = r, way[lead->n++] = s->w->phi[0][r];
        else
            count_with_motion(s, r);
    }
    lead->row = row, lead->way = way;
    for (int k = 0; k < lead->n; k++) lead->longest = fmax(lead->longest, fabs(way[k]));
    if (lead->n) lead_to(lead, 0);
    return any ? assemble_evaluate(s, lead, error) : ROUTH_OK;
}

/* The largest change of an angle since `before`. */
static double largest_turn(const rt_search *s, const double *before)
{
    double most = 0;
    for (int k = 0; k < s->m->model->n_angles; k++)
        most = fmax(most, fabs(s->state->near[k] - before[k]));
    return most;
}

/* By parts of the way, longer or shorter by how far they turned what turns most. A part that turned
 * anything by more than RT_LEAD_MOST, or that cannot be gone, is gone in smaller ones. All parts
 * but the last are powers of two of a radian, so that a motion that goes a little further goes by
 * the same places (and that they stand still where a parameter moves its end). */
static const double RT_LEAD_MOST = 1, RT_LEAD_FIRST = 0x1p-6, RT_LEAD_LEAST = 0x1p-20;

/* Back to where a part began that turned too much. */
static routh_status go_back(rt_search *s, assemble_lead *lead, double from, int n_steps,
                            const double *kept, routh_error *error)
{
    const size_t n_q = (size_t)s->m->n_q;
    memcpy(s->state->q, kept, n_q * sizeof *kept);
    memcpy(s->state->near, kept + n_q, rt_count_near(s->m) * sizeof *kept);
    if (s->path) s->path->n_steps = n_steps;
    lead_to(lead, from);
    return assemble_evaluate(s, lead, error);
}

static routh_status lead_motions(rt_search *s, assemble_lead *lead, rt_kkt *kkt, double *q0,
                                 double *kept, routh_error *error)
{
    const size_t n_q = (size_t)s->m->n_q;
    double *near = kept + n_q, part = RT_LEAD_FIRST;
    routh_status status = assemble_iterate(s, lead, kkt, q0, error);
    while (!status && lead->held > 0) {
        const double from = lead->gone;
        const int n_steps = s->path ? s->path->n_steps : 0;
        memcpy(kept, s->state->q, n_q * sizeof *kept);
        memcpy(near, s->state->near, rt_count_near(s->m) * sizeof *near);
        lead_to(lead, from + part);
        status = assemble_evaluate(s, lead, error);
        if (!status) status = assemble_iterate(s, lead, kkt, q0, error);
        if (status && (status != ROUTH_NOT_ASSEMBLED || s->wound)) return status;
        const double turned = status ? INFINITY : largest_turn(s, near);
        if (turned > RT_LEAD_MOST && part > RT_LEAD_LEAST) {
            part /= 4;
            status = go_back(s, lead, from, n_steps, kept, error);
        } else if (turned <= 0.4 * RT_LEAD_MOST) {
            part *= 2;
        } else if (turned > 0.8 * RT_LEAD_MOST) {
            part /= 2;
        }
    }
    lead->n = 0;
    return status;
}

static routh_status assemble_all(rt_search *s, rt_kkt *kkt, double *q0, routh_error *error)
{
    assemble_lead lead = {0};
    const size_t room = 2 * (size_t)s->m->n_rows + (size_t)s->m->n_q + rt_count_near(s->m);
    double *way = rt_kept_malloc(s->m->analyses, room * sizeof *way + 1);
    int *row = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_rows * sizeof *row);
    routh_status status = way && row ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = list_far(s, &lead, row, way, error);
    if (!status) status = assemble_note_start(s, &lead, error);
    if (!status && lead.n) status = lead_motions(s, &lead, kkt, q0, way + s->m->n_rows, error);
    if (!status) status = assemble_iterate(s, &lead, kkt, q0, error);
    rt_kept_free(row);
    rt_kept_free(way);
    return status;
}

routh_status rt_assemble(rt_search *s, routh_error *error)
{
    const assemble_lead none = {0};
    routh_status status = assemble_evaluate(s, &none, error);
    if (status || s->m->n_rows == 0) return status;
    int row;
    const double now = rt_constraint_error(s, &row);
    if (now <= 1e-15 * s->m->length) return ROUTH_OK;
    rt_kkt *kkt = NULL;
    double *q0 = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_q * sizeof *q0 + 1);
    int *keep = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_rows * sizeof *keep);
    status = q0 && keep ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        mark_positions(s->m, keep);
        status = rt_kkt_create(&kkt, s->m, &s->m->pattern_M, keep, error);
    }
    if (!status) status = assemble_all(s, kkt, q0, error);
    rt_kkt_free(kkt);
    rt_kept_free(keep);
    rt_kept_free(q0);
    return status;
}

/* ---- motions that wind beams ----------------------------------------------------------------- */

bool rt_motions_wind(const rt_search *s)
{
    for (int r = 0; r < s->m->n_rows; r++)
        if (winds_load(s, r)) return true;
    return false;
}

routh_status rt_hold_motions(rt_search *s, routh_error *error)
{
    const routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    rt_held_motions *held = &s->held;
    if (status || s->m->n_rows == 0) return status;
    held->row = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_rows * sizeof *held->row);
    held->way = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_rows * sizeof *held->way);
    if (!held->row || !held->way) return rt_fail_memory(error);
    for (int r = 0; r < s->m->n_rows; r++) {
        const double way = s->w->phi[0][r];
        if (!winds_load(s, r) || way == 0) continue;
        held->row[held->n] = r;
        held->way[held->n++] = way;
        const double unit = row_of_motion(s, r)->coordinate[0].angle ? 1 : s->m->length;
        held->longest = fmax(held->longest, fabs(way) / unit);
    }
    held->part = 1;
    return ROUTH_OK;
}

void rt_take_held(const rt_search *s)
{
    for (int k = 0; k < s->held.n; k++)
        s->w->phi[0][s->held.row[k]] -= s->held.part * s->held.way[k];
}

void rt_release_held(rt_search *s)
{
    rt_kept_free(s->held.row);
    rt_kept_free(s->held.way);
    s->held = (rt_held_motions){0};
}
