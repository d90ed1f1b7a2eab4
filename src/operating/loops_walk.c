/* Loops are closed on the way from the configuration as it is drawn to the coordinates that are
 * written, so that they stay on the branch of the drawing:
 *     y_w(s) = (1 - s) y_w(0) + s y_w(1),      Phi(y_w(s), y) = 0,      s from 0 to 1
 * by a predictor along the tangent, B dy = -dPhi/ds ds, and Newton's method. Motions count as
 * coordinates that are written: they are held back by (1 - s) of what they had at first.
 *
 * A step is halved where the corrector does not converge fast, where y goes far, and where with the
 * singular vectors of its beginning, u_k' B v_k falls below half of sigma_k. So no step goes over a
 * singular configuration, where one branch ends or several meet: the steps get small before it, and
 * it is refused. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pi.h"
#include "operating/loops.h"

/* Of the typical length: gaps of a drawing that are closed, and what is closed. */
static const double DRAWN_GAP = 0.02, CLOSED = 1e-11;

/* Of the largest smallest singular value of a block: no less. Steps: the longest change of a
 * coordinate, radians or typical lengths; all of a block. */
static const double SINGULAR = 1e-4, LONGEST = 0.15, ALL = 2, LEAST = 1e-11;

/* ---- the slope of Phi ------------------------------------------------------------------------ */

/* It serves the predictor alone, so that differences are good enough. */
static routh_status find_way_slope(rt_loops *l, double part)
{
    const double turn = rt_place_longest_turn(l->p), h = 1e-6 / fmax(1, turn);
    routh_status status = rt_loops_evaluate(l, part + h);
    for (int r = 0; r < l->m->n_rows && !status; r++) l->slope[r] = l->phi[r] * l->size[r];
    if (!status) status = rt_loops_evaluate(l, part - h);
    for (int r = 0; r < l->m->n_rows && !status; r++)
        l->slope[r] = (l->slope[r] - l->phi[r] * l->size[r]) / (2 * h);
    if (!status) status = rt_loops_evaluate(l, part);
    for (int r = 0; r < l->m->n_rows && !status; r++) l->slope[r] /= l->size[r];
    return status;
}

static double largest_row(const loops_block *b, const double *rows)
{
    double most = 0;
    for (int i = 0; i < b->n_rows; i++) most = fmax(most, fabs(rows[b->row[i]]));
    return most;
}

static double longest_step(const loops_block *b)
{
    double most = 0;
    for (int k = 0; k < b->n_columns; k++) most = fmax(most, fabs(b->x[k]));
    return most;
}

static double step_size(const loops_block *b)
{
    double sum = 0;
    for (int k = 0; k < b->n_columns; k++) sum += fabs(b->x[k]);
    return sum;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* Angles as they are drawn; a motion that asks for whole turns more means that one is there. */
static void count_drawn(rt_loops *l)
{
    rt_search *s = &l->s;
    const routh_model *model = l->m->model;
    const int n = model->n_angles;
    if (n) memset(s->state->near, 0, rt_count_near(l->m) * sizeof *s->state->near);
    rt_angles_refer(l->m, s->w, s->state);
    rt_angles_settle(l->m, s->w, s->state, true);
    for (int k = 0; k < n; k++) {
        const int load = model->angles[k].load;
        double *near = &s->state->near[k];
        if (*near < -RT_PI + 1e-9) *near += RT_TWO_PI;
        if (load >= 0 && model->loads[load].free_length_given)
            *near = rt_re(rt_counted(*near, model->loads[load].free_length.value));
    }
    rt_angles_refer(l->m, s->w, s->state);
}

static void count_driven(rt_loops *l)
{
    for (int r = 0; r < l->m->n_joint_rows; r++) {
        if (!rt_loops_is_driven(l, r)) continue;
        const rt_joint_coordinate *x =
            &l->m->constraints[l->m->row_constraint[r]].constraint.rows[0].coordinate[0];
        double *phi = &l->s.w->phi[0][r];
        const double turns = RT_TWO_PI * round(*phi / RT_TWO_PI);
        if (!x->angle || turns == 0 || fabs(*phi - turns) > 1e-6 ||
            fabs(l->s.state->near[x->number]) < 1e-6)
            continue;
        l->s.state->near[x->number] -= turns;
        *phi -= turns;
    }
}

/* Where the bodies are drawn, and what motions have to go from there. */
static routh_status begin_drawn(rt_loops *l)
{
    memset(l->lead, 0, (size_t)l->m->n_rows * sizeof *l->lead);
    routh_status status = rt_loops_evaluate(l, 0);
    if (status) return status;
    rt_evaluate_frames(l->m, l->s.w, l->s.state);
    count_drawn(l);
    status = rt_loops_evaluate(l, 0);
    if (status) return status;
    count_driven(l);
    for (int r = 0; r < l->m->n_joint_rows; r++)
        if (rt_loops_is_driven(l, r)) l->lead[r] = l->s.w->phi[0][r];
    return ROUTH_OK;
}

/* The drawing, then near it, where nothing is zero by chance. */
static void shake(rt_loops *l, double by)
{
    double turn = 0.5;
    rt_place_loops *to = &l->p->loops;
    for (int c = 0; c < to->n; c++) {
        turn = fmod(turn + 0.61803398874989485, 1);
        if (to->column[c].open) to->found[c] = by * (0.5 + turn) * rt_loops_unit(l, c);
    }
}

static routh_status drawn_or_near(rt_loops *l, int pass)
{
    shake(l, pass == 0 ? 0 : 0.03 * l->m->length);
    return rt_loops_evaluate(l, pass == 0 ? 0 : 0.02);
}

/* ---- which blocks there are to close --------------------------------------------------------- */

static const rt_joint *written_joint(const rt_loops *l, const loops_block *b, int *column)
{
    const rt_placing *p = l->p;
    const rt_joint *most = NULL;
    double way = -1;
    bool *on = calloc((size_t)l->m->n_bodies + 1, sizeof *on);
    for (int k = 0; k < b->n_rows && on; k++) { /* what carries the bodies of its rows */
        const rt_constraint *c = &l->m->constraints[l->m->row_constraint[b->row[k]]].constraint;
        for (int e = 0; e < 2; e++) {
            const int marker = l->m->model->joints[c->joint].markers[e];
            for (int body = marker < 0 ? -1 : rt_body_of_marker(l->m->model, marker); body >= 0;
                 body = p->tree.parent[body])
                on[body] = true;
        }
    }
    for (int c = 0; c < p->loops.n && on; c++) {
        const rt_place_column *x = &p->loops.column[c];
        const rt_joint *joint = rt_place_carrier(p, x->body);
        if (x->open || !on[x->body]) continue;
        const double value = fabs(joint->start->value[x->step].value);
        if (value > way) way = value, most = joint, *column = c;
    }
    free(on);
    return most;
}

/* Words of the coordinate that leads the block, at a part of its way. */
static void where_words(const rt_loops *l, const loops_block *b, double part, char text[160])
{
    int c = 0;
    const rt_joint *joint = written_joint(l, b, &c);
    snprintf(text, 160, "at %.4g of the way", part);
    if (!joint) return;
    const rt_place_column *column = &l->p->loops.column[c];
    const rt_step_kind kind = joint->class->chain.step[column->step].kind;
    const bool angle = kind != RT_STEP_SLIDE;
    const double unit = angle ? RT_DEGREES : 1;
    double from, to;
    if (kind == RT_STEP_BALL) return;
    rt_place_written_way(l->p, c, &from, &to);
    snprintf(text, 160, "where it is %.6g %s, on the way from %.6g to %.6g %s",
             (from + part * (to - from)) * unit, angle ? "deg" : "m", from * unit, to * unit,
             angle ? "deg" : "m");
}

static routh_status refuse_singular(rt_loops *l, const loops_block *b, double part)
{
    rt_reader *r = l->p->r;
    char element[192], where[160];
    const char *label;
    rt_place place;
    int c = 0, most = 0;
    const rt_joint *joint = written_joint(l, b, &c);
    for (int i = 0; i < b->n_rows; i++)
        if (fabs(b->u[i + b->n_rows * (b->rank > 0 ? b->rank - 1 : 0)]) >
            fabs(b->u[most + b->n_rows * (b->rank > 0 ? b->rank - 1 : 0)]))
            most = i;
    rt_row_describe(l->m, b->row[most], element, &place, &label);
    where_words(l, b, part, where);
    if (joint) {
        rt_reader_element(r, "joint", joint->name);
        place = joint->place;
    } else {
        snprintf(r->element, sizeof r->element, "%s", element);
    }
    if (part == 0)
        return rt_reader_fail(r, place,
                              "its coordinate moves a loop, which %.100s closes, that is drawn in "
                              "a singular configuration: from there it may go more than one way; "
                              "draw the bodies a little away from it, on the side that is meant",
                              element);
    return rt_reader_fail(r, place,
                          "its coordinate moves a loop, which %.100s closes, to a singular "
                          "configuration, %s: there it can go no further, or more than one way; "
                          "write a coordinate before that, or draw the bodies beyond it",
                          element, where);
}

static bool has_gap(const rt_loops *l, const loops_block *b, double most)
{
    return largest_row(b, l->phi) > most * l->m->length;
}

/* Newton's method from a drawing that closes nearly; false: it does not. */
static routh_status close_drawn(rt_loops *l, loops_block *b, bool *closes)
{
    double gone = 0;
    routh_status status = ROUTH_OK;
    *closes = !has_gap(l, b, DRAWN_GAP);
    for (int k = 0; k < 20 && *closes && !status && has_gap(l, b, CLOSED); k++) {
        status = rt_loops_factor(l, b, false);
        if (status) return status;
        rt_loops_solve(b, l->phi);
        gone += longest_step(b);
        *closes = gone <= 0.2 * l->m->length;
        rt_loops_step(l, b, *closes);
        status = rt_loops_evaluate(l, 0);
    }
    *closes = *closes && !has_gap(l, b, CLOSED);
    return status;
}

/* Does the block move on the way, or near it? The rank near it of one of so many rows. */
static routh_status find_ways(rt_loops *l, bool *goes, bool *gap, int *rank, int most_rows)
{
    routh_status status = ROUTH_OK;
    for (int pass = 0; pass < 2 && !status; pass++) {
        shake(l, pass == 0 ? 0 : 0.03 * l->m->length);
        status = find_way_slope(l, pass == 0 ? 0 : 0.02);
        for (int k = 0; k < l->places.n && !status; k++) {
            loops_block *b = &l->places.block[k];
            goes[k] = goes[k] || largest_row(b, l->slope) > 1e-8 * l->m->length;
            if (pass == 0) gap[k] = has_gap(l, b, CLOSED);
            if (pass == 1 && goes[k] && b->n_rows <= most_rows)
                status = rt_loops_factor(l, b, false);
            rank[k] = b->rank;
        }
    }
    shake(l, 0);
    if (!status) status = rt_loops_evaluate(l, 1); /* by what is written alone: does it close? */
    for (int k = 0; k < l->places.n && !status; k++)
        goes[k] = goes[k] || (!gap[k] && has_gap(l, &l->places.block[k], 1e-9));
    return status ? status : rt_loops_evaluate(l, 0);
}

/* More rows than this are not looked at for the sake of bodies that nothing carries. */
enum { MOST_FREE_ROWS = 1200 };

static bool has_free_columns(const rt_loops *l, const loops_block *b)
{
    bool any = false;
    for (int i = 0; i < b->n_columns; i++) any = any || l->p->loops.column[b->column[i]].free;
    return any;
}

static void drop_free_columns(rt_loops *l, const loops_block *b, bool *use)
{
    for (int i = 0; i < b->n_columns; i++) {
        rt_place_column *column = &l->p->loops.column[b->column[i]];
        if (column->free) use[b->column[i]] = column->rate_open = false;
    }
}

/* Columns of bodies that nothing carries serve where with them what is written determines all of
 * the block; else the bodies stay for assembly, which lets them go the shortest way and has the
 * derivatives of that. */
static routh_status find_place_blocks(rt_loops *l, bool *use)
{
    bool dropped = false;
    routh_status status = rt_loops_find_blocks(l, &l->places, l->off, use, false, 2, drawn_or_near);
    const int n = status ? 0 : l->places.n;
    bool *goes = RT_TAKE(&l->arena, bool, n), *gap = RT_TAKE(&l->arena, bool, n);
    int *rank = RT_TAKE(&l->arena, int, n);
    if (!status && (!goes || !gap || !rank)) return rt_fail_memory(l->p->r->error);
    if (!status) status = find_ways(l, goes, gap, rank, MOST_FREE_ROWS);
    for (int k = 0; k < n && !status; k++) {
        const loops_block *b = &l->places.block[k];
        const bool serves = b->n_rows <= MOST_FREE_ROWS && rank[k] == b->n_columns;
        if (!goes[k] || serves || !has_free_columns(l, b)) continue;
        drop_free_columns(l, b, use);
        dropped = true;
    }
    if (status || !dropped) return status;
    return rt_loops_find_blocks(l, &l->places, l->off, use, false, 2, drawn_or_near);
}

/* Can the block begin: does its drawing close, and does what is written leave it free to go on? */
static routh_status begin_block(rt_loops *l, loops_block *b, int rank_near, bool *begins)
{
    static const double most = 1e-6;
    routh_status status = close_drawn(l, b, begins);
    if (status || !*begins) return status;
    status = find_way_slope(l, 0);
    if (!status) status = rt_loops_factor(l, b, false);
    if (status) return status;
    const bool against =
        rt_loops_residual(b, l->slope) > most && largest_row(b, l->slope) > 1e-8 * l->m->length;
    if (against && rank_near > b->rank) return refuse_singular(l, b, 0);
    b->largest = b->rank ? b->sigma[b->rank - 1] : 0;
    *begins = !against;
    return ROUTH_OK;
}

static void stop_block(rt_loops *l, const loops_block *b)
{
    rt_place_loops *to = &l->p->loops;
    for (int k = 0; k < b->n_columns; k++) {
        const int c = b->column[k];
        const size_t body = (size_t)to->column[c].body;
        to->column[c].active = false;
        to->found[c] = 0;
        for (int i = 0; i < 9; i++) to->ball[9 * body + (size_t)i] = i % 4 == 0;
    }
}

/* The blocks that are to be walked stay in the list. */
static routh_status choose_blocks(rt_loops *l)
{
    const int n = l->places.n;
    bool *goes = RT_TAKE(&l->arena, bool, n), *gap = RT_TAKE(&l->arena, bool, n);
    int *rank = RT_TAKE(&l->arena, int, n), kept = 0;
    loops_block *going = RT_TAKE(&l->arena, loops_block, n);
    if (!goes || !gap || !rank || !going) return rt_fail_memory(l->p->r->error);
    routh_status status = find_ways(l, goes, gap, rank, INT_MAX);
    for (int k = 0; k < n && !status; k++) {
        bool begins = goes[k];
        if (begins) status = begin_block(l, &l->places.block[k], rank[k], &begins);
        if (begins)
            going[kept++] = l->places.block[k];
        else
            stop_block(l, &l->places.block[k]);
    }
    l->places = (loops_blocks){kept, going};
    return status;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void keep_place(rt_loops *l)
{
    const rt_place_loops *from = &l->p->loops;
    memcpy(l->found, from->found, (size_t)from->n * sizeof *l->found);
    memcpy(l->ball, from->ball, 9 * (size_t)l->m->n_bodies * sizeof *l->ball);
    if (l->m->model->n_angles)
        memcpy(l->near, l->s.state->near, rt_count_near(l->m) * sizeof *l->near);
}

static void restore_place(rt_loops *l)
{
    const rt_place_loops *to = &l->p->loops;
    memcpy(to->found, l->found, (size_t)to->n * sizeof *l->found);
    memcpy(to->ball, l->ball, 9 * (size_t)l->m->n_bodies * sizeof *l->ball);
    if (l->m->model->n_angles)
        memcpy(l->s.state->near, l->near, rt_count_near(l->m) * sizeof *l->near);
}

/* Newton's method at this part of the way, the first correction no longer than b->most. */
static routh_status correct_block(rt_loops *l, loops_block *b, double part, bool *good)
{
    routh_status status = ROUTH_OK;
    double last = b->most;
    *good = true;
    for (int k = 0; k < 12 && *good && !status; k++) {
        const bool closed = !has_gap(l, b, CLOSED);
        status = rt_loops_factor(l, b, false);
        if (status || closed) return status;
        rt_loops_solve(b, l->phi);
        const double step = longest_step(b);
        *good = step <= last && rt_loops_residual(b, l->phi) <= 1;
        last = fmax(0.5 * step, 1e-12 * l->m->length);
        rt_loops_step(l, b, 1);
        status = rt_loops_evaluate(l, part);
    }
    *good = *good && !has_gap(l, b, CLOSED);
    return status;
}

/* With the singular vectors of the step's beginning (kept); B is in b->B again. */
static void check_walked(rt_loops *l, loops_block *b, bool *good)
{
    for (int k = 0; k < b->n_columns; k++) {
        rt_loops_column(l, b->column[k], false);
        for (int i = 0; i < b->n_rows; i++) b->B[i + b->n_rows * k] = l->dense[b->row[i]];
    }
    for (int k = 0; k < b->rank && *good; k++) {
        double sum = 0;
        for (int c = 0; c < b->n_columns; c++)
            for (int i = 0; i < b->n_rows; i++)
                sum += b->kept_u[i + b->n_rows * k] * b->B[i + b->n_rows * c] *
                       b->kept_vt[k + b->n_columns * c];
        *good = sum >= 0.5 * b->kept_sigma[k];
    }
}

static void keep_vectors(loops_block *b)
{
    const size_t m = (size_t)b->n_rows, n = (size_t)b->n_columns;
    memcpy(b->kept_u, b->u, m * m * sizeof *b->u);
    memcpy(b->kept_vt, b->vt, n * n * sizeof *b->vt);
    memcpy(b->kept_sigma, b->sigma, (m < n ? m : n) * sizeof *b->sigma);
}

/* Predicts all blocks: each x from the slope; the largest part that none goes too far in. */
static routh_status predict(rt_loops *l, double part, double *step)
{
    routh_status status = find_way_slope(l, part);
    for (int k = 0; k < l->places.n && !status; k++) {
        loops_block *b = &l->places.block[k];
        status = rt_loops_factor(l, b, false);
        if (status) return status;
        keep_vectors(b);
        rt_loops_solve(b, l->slope);
        *step = fmin(*step, LONGEST * l->m->length / fmax(longest_step(b), 1e-300));
        *step = fmin(*step, ALL * l->m->length / fmax(step_size(b), 1e-300));
    }
    return status;
}

static routh_status walk_step(rt_loops *l, double part, double step, loops_block **bad)
{
    routh_status status = ROUTH_OK;
    bool good = true;
    for (int k = 0; k < l->places.n; k++) {
        loops_block *b = &l->places.block[k];
        b->most = 0.3 * step * longest_step(b) + 1e-6 * l->m->length;
        rt_loops_step(l, b, step);
    }
    *bad = NULL;
    status = rt_loops_evaluate(l, part + step);
    for (int k = 0; k < l->places.n && !status && good; k++) {
        loops_block *b = &l->places.block[k];
        const int rank = b->rank;
        status = correct_block(l, b, part + step, &good);
        if (!status && good && b->rank > rank) return refuse_singular(l, b, part);
        b->rank = rank;
        if (!status && good) check_walked(l, b, &good);
        if (!good) *bad = b;
    }
    return status;
}

static routh_status check_far_from_singular(rt_loops *l, double part)
{
    for (int k = 0; k < l->places.n; k++) {
        loops_block *b = &l->places.block[k];
        const double smallest = b->rank ? b->sigma[b->rank - 1] : 0;
        b->largest = fmax(b->largest, smallest);
        if (smallest < SINGULAR * b->largest) return refuse_singular(l, b, part);
    }
    return ROUTH_OK;
}

static routh_status walk(rt_loops *l)
{
    int parts = 1;
    routh_status status = rt_place_count_parts(l->p, &parts);
    const double longest = fmin(0.4 / parts, LONGEST / fmax(rt_place_longest_turn(l->p), 1e-300));
    const double at_most = fmin(0.1, longest);
    double part = 0, step = at_most;
    while (!status && part < 1) {
        loops_block *bad = NULL;
        status = predict(l, part, &step);
        if (status) break;
        step = part + step > 1 - 1e-12 ? 1 - part : step;
        keep_place(l);
        status = walk_step(l, part, step, &bad);
        if (status) break;
        if (bad) {
            restore_place(l);
            step /= 2;
            if (step < LEAST) return refuse_singular(l, bad, part);
            continue;
        }
        part = 1 - part <= step ? 1 : part + step;
        rt_angles_settle(l->m, l->s.w, l->s.state, true);
        status = check_far_from_singular(l, part);
        step = fmin(at_most, 1.6 * step);
    }
    return status;
}

static routh_status find_last_digits(rt_loops *l)
{
    routh_status status = rt_loops_evaluate(l, 1);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < l->places.n && !status; k++) {
            loops_block *b = &l->places.block[k];
            const int rank = b->rank;
            status = rt_loops_factor(l, b, false);
            b->rank = rank;
            if (status) return status;
            rt_loops_solve(b, l->phi);
            rt_loops_step(l, b, 1);
        }
        if (!status) status = rt_loops_evaluate(l, 1);
    }
    return status;
}

static void count_end(rt_loops *l)
{
    routh_model *model = l->p->r->model;
    for (int k = 0; k < model->n_angles; k++) {
        model->angles[k].start = l->s.state->near[k];
        model->angles[k].start_given = true;
    }
}

static void note_open_blocks(rt_loops *l)
{
    for (int k = 0; k < l->places.n; k++) {
        const loops_block *b = &l->places.block[k];
        for (int i = 0; i < b->n_columns; i++)
            l->p->loops.column[b->column[i]].loose = b->rank < b->n_columns;
    }
}

/* By what is written alone nothing was walked. */
static routh_status evaluate_end(rt_loops *l)
{
    const routh_model *model = l->m->model;
    for (int k = 0; k < model->n_angles && !l->p->loops.any; k++)
        l->s.state->near[k] = model->angles[k].start;
    return rt_loops_evaluate(l, 1);
}

routh_status rt_loops_find(rt_loops *l)
{
    rt_place_loops *to = &l->p->loops;
    bool *use = RT_TAKE(&l->arena, bool, to->n);
    if (!use) return rt_fail_memory(l->p->r->error);
    for (int c = 0; c < to->n; c++) use[c] = to->column[c].active = to->column[c].open;
    routh_status status = begin_drawn(l);
    if (!status) status = find_place_blocks(l, use);
    for (int c = 0; c < to->n; c++) to->column[c].active = false;
    for (int k = 0; k < l->places.n && !status; k++)
        for (int i = 0; i < l->places.block[k].n_columns; i++)
            to->column[l->places.block[k].column[i]].active = true;
    const loops_blocks all = l->places;
    if (!status) status = choose_blocks(l);
    to->any = !status && l->places.n > 0;
    if (to->any) status = walk(l);
    if (to->any && !status) status = find_last_digits(l);
    if (to->any && !status) note_open_blocks(l);
    if (to->any && !status) count_end(l);
    if (!status) status = evaluate_end(l);
    return status ? status : rt_loops_check_motions(l, &all, l->phi, false, l->m->length);
}
