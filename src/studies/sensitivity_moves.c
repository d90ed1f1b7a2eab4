/* See sensitivity_moves.h. */
#include "studies/sensitivity_moves.h"

#include <stdlib.h>

/* ---- elements and their bodies -------------------------------------------------------------- */

static int element_count(const routh_mechanism *m) { return m->n_constraints + m->n_loads; }

static const rt_block *element_block(const routh_mechanism *m, int k)
{
    return k < m->n_constraints ? &m->constraints[k].block : &m->loads[k - m->n_constraints].block;
}

static bool uses_forces(const routh_mechanism *m)
{
    for (int k = 0; k < m->n_loads; k++)
        for (int p = 0; p < m->loads[k].n_programs; p++)
            if (m->loads[k].program[p].n_forces > 0) return true;
    return false;
}

/* How often elements are evaluated when every body moves along its six coordinates. */
static double moved_elements(const routh_mechanism *m)
{
    double sum = m->n_bodies;
    for (int k = 0; k < element_count(m); k++) sum += element_block(m, k)->n_frames;
    return 6 * sum;
}

bool rt_moves_fit(const rt_levels_pencil *p)
{
    const routh_mechanism *m = p->s->m;
    const rt_reference_frame *o = p->task->observer;
    if (m->n_elastic > 0 || m->n_signals > 0 || rt_count_L(m) > 0 || uses_forces(m)) return false;
    if (o->marker < RT_GROUND || (o->marker >= 0 && m->marker_body[o->marker] != RT_GROUND))
        return false;
    return p->n_x + p->n_v == 0 && m->model->n_user_states == 0;
}

/* Multipliers, frames, zeros and reading come to as much again. */
bool rt_moves_pay(const rt_levels_pencil *p, int n_parameters)
{
    const routh_mechanism *m = p->s->m;
    return n_parameters * (double)(element_count(m) + m->n_bodies) > 2 * moved_elements(m);
}

/* ---- colours -------------------------------------------------------------------------------- */

/* Lists over bodies: of neighbours (itself first) or of constraints. */
typedef struct lists {
    int *start, *item;
} lists;

static bool sensitivity_moves_is_listed(const lists *l, int b, int item)
{
    for (int k = l->start[b]; k < l->start[b + 1]; k++)
        if (l->item[k] == item) return true;
    return false;
}

static int body_of_frame(const routh_mechanism *m, const rt_block *block, int f)
{
    return m->marker_body[block->frames[f]];
}

/* Elements that touch each body. */
static bool list_elements(const routh_mechanism *m, int n_elements, lists *out, rt_arena *arena)
{
    out->start = RT_TAKE(arena, int, m->n_bodies + 2);
    if (!out->start) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n_elements; k++) {
            const rt_block *block = element_block(m, k);
            for (int f = 0; f < block->n_frames; f++) {
                const int b = body_of_frame(m, block, f);
                if (b < 0) continue;
                if (pass == 0)
                    out->start[b + 2]++;
                else
                    out->item[out->start[b + 1]++] = k;
            }
        }
        if (pass) break;
        for (int b = 0; b < m->n_bodies; b++) out->start[b + 2] += out->start[b + 1];
        out->item = RT_TAKE(arena, int, out->start[m->n_bodies + 1]);
        if (!out->item) return false;
    }
    return true;
}

/* Each body itself, then those that share an element with it. */
static bool list_neighbours(const routh_mechanism *m, const lists *elements, lists *out,
                            rt_arena *arena)
{
    size_t room = (size_t)m->n_bodies;
    for (int k = 0; k < element_count(m); k++) {
        const size_t n = (size_t)element_block(m, k)->n_frames;
        room += n * n;
    }
    out->start = RT_TAKE(arena, int, m->n_bodies + 1), out->item = RT_TAKE(arena, int, room);
    if (!out->start || !out->item) return false;
    for (int b = 0, n = 0; b < m->n_bodies; b++) {
        out->start[b] = n, out->item[n++] = b, out->start[b + 1] = n;
        for (int e = elements->start[b]; e < elements->start[b + 1]; e++) {
            const rt_block *block = element_block(m, elements->item[e]);
            for (int f = 0; f < block->n_frames; f++) {
                const int other = body_of_frame(m, block, f);
                if (other >= 0 && !sensitivity_moves_is_listed(out, b, other))
                    out->item[n++] = other;
                out->start[b + 1] = n;
            }
        }
    }
    return true;
}

/* The first colour that no item in a list together with this one has; -1 stands for none yet. */
static int free_colour(const lists *in, const int *bodies, int n_bodies, const int *colour)
{
    for (int try = 0;; try++) {
        bool taken = false;
        for (int k = 0; k < n_bodies && !taken; k++)
            for (int e = in->start[bodies[k]]; e < in->start[bodies[k] + 1] && !taken; e++)
                taken = colour[in->item[e]] == try;
        if (!taken) return try;
    }
}

/* which (n_bodies x n_colours): the item of the body's list that has the colour; -1: none. */
static int *list_colours(const lists *of, int n_bodies, const int *colour, int n_colours,
                         rt_arena *arena)
{
    int *which = RT_TAKE(arena, int, (size_t)n_bodies *(size_t)n_colours);
    for (int k = 0; which && k < n_bodies * n_colours; k++) which[k] = -1;
    for (int b = 0; which && b < n_bodies; b++)
        for (int e = of->start[b]; e < of->start[b + 1]; e++)
            which[b * n_colours + colour[of->item[e]]] = of->item[e];
    return which;
}

static bool colour_bodies(rt_moves *v, const lists *neighbours, rt_arena *arena)
{
    const int n = v->p->s->m->n_bodies;
    int *colour = v->body_colour = RT_TAKE(arena, int, n);
    if (!colour) return false;
    for (int b = 0; b < n; b++) colour[b] = -1;
    for (int b = 0; b < n; b++) {
        const int from = neighbours->start[b];
        colour[b] = free_colour(neighbours, neighbours->item + from,
                                neighbours->start[b + 1] - from, colour);
        if (colour[b] >= v->n_body_colours) v->n_body_colours = colour[b] + 1;
    }
    v->body_of = list_colours(neighbours, n, colour, v->n_body_colours, arena);
    return v->body_of;
}

static bool colour_joints(rt_moves *v, rt_arena *arena)
{
    const routh_mechanism *m = v->p->s->m;
    lists joints;
    int bodies[RT_GRADIENT_FRAMES];
    int *colour = v->joint_colour = RT_TAKE(arena, int, m->n_constraints);
    if (!colour || !list_elements(m, m->n_constraints, &joints, arena)) return false;
    for (int c = 0; c < m->n_constraints; c++) colour[c] = -1;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_block *block = &m->constraints[c].block;
        int n = 0;
        for (int f = 0; f < block->n_frames; f++)
            if (body_of_frame(m, block, f) >= 0) bodies[n++] = body_of_frame(m, block, f);
        colour[c] = free_colour(&joints, bodies, n, colour);
        if (colour[c] >= v->n_joint_colours) v->n_joint_colours = colour[c] + 1;
    }
    v->joint_of = list_colours(&joints, m->n_bodies, colour, v->n_joint_colours, arena);
    return v->joint_of;
}

/* ---- moving --------------------------------------------------------------------------------- */

/* Rows whose functions change with time may have rates of their own at rest. */
static int what_at_rest(const rt_search *s)
{
    const routh_mechanism *m = s->m;
    for (int c = 0; c < m->n_u; c++)
        if (s->state->u[c] != 0 || s->state->udot[c] != 0) return RT_EVALUATE_ALL;
    for (int c = 0; c < m->n_constraints; c++)
        for (int r = 0; r < m->constraints[c].constraint.n_rows; r++)
            if (m->constraints[c].constraint.rows[r].has_program) return RT_EVALUATE_ALL;
    return RT_EVALUATE_ALL & ~RT_EVALUATE_LEVELS;
}

/* What changed in p->varied; coordinate[b]: of a number in the columns of body b. */
static routh_status sensitivity_moves_keep(rt_moves *v, const int *coordinate, rt_arena *arena,
                                           routh_error *error)
{
    const rt_levels_pencil *p = v->p;
    rt_move *to = &v->moves[v->n++];
    for (int k = rt_next_varied(p, 0); k < p->n_varied; k = rt_next_varied(p, k + 1)) to->n++;
    to->number = RT_TAKE(arena, int, to->n), to->coordinate = RT_TAKE(arena, int, to->n);
    to->slope = RT_TAKE(arena, double, to->n);
    if (!to->number || !to->coordinate || !to->slope) return rt_fail_memory(error);
    for (int k = rt_next_varied(p, 0), n = 0; k < p->n_varied; k = rt_next_varied(p, k + 1)) {
        to->number[n] = k, to->coordinate[n] = coordinate[v->body_of_number[k]];
        to->slope[n++] = p->varied[k];
    }
    return ROUTH_OK;
}

typedef struct sensitivity_moves_work {
    rt_variation *variation;
    double *xi, *lambda;
    int *coordinate; /* n_bodies */
} sensitivity_moves_work;

static routh_status move_bodies(rt_moves *v, sensitivity_moves_work *w, int colour, int i,
                                rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = v->p->s->m;
    const rt_varied_state by = {.xi = w->xi};
    memset(w->xi, 0, (size_t)m->n_u * sizeof *w->xi);
    for (int b = 0; b < m->n_bodies; b++) {
        if (v->body_colour[b] == colour) w->xi[6 * b + i] = 1;
        w->coordinate[b] = 6 * v->body_of[b * v->n_body_colours + colour] + i;
    }
    routh_status status = rt_variation_move(w->variation, &by, error);
    if (!status) status = rt_variation_evaluate(w->variation, v->what, error);
    if (!status) status = rt_pencil_vary((rt_levels_pencil *)v->p, w->variation, error);
    return status ? status : sensitivity_moves_keep(v, w->coordinate, arena, error);
}

static routh_status push_joints(rt_moves *v, sensitivity_moves_work *w, int colour, int row,
                                rt_arena *arena, routh_error *error)
{
    const rt_levels_pencil *p = v->p;
    const routh_mechanism *m = p->s->m;
    const rt_varied_state by = {.lambda = w->lambda};
    memset(w->lambda, 0, (size_t)m->n_rows * sizeof *w->lambda);
    for (int c = 0; c < m->n_constraints; c++)
        if (v->joint_colour[c] == colour && row < m->constraints[c].constraint.n_rows)
            w->lambda[m->constraints[c].constraint.first_row + row] = 1;
    for (int b = 0; b < m->n_bodies; b++) {
        const int c = v->joint_of[b * v->n_joint_colours + colour];
        w->coordinate[b] = c < 0 ? -1 : m->n_u + m->constraints[c].constraint.first_row + row;
    }
    routh_status status = rt_variation_move(w->variation, &by, error);
    if (!status) status = rt_variation_evaluate(w->variation, RT_EVALUATE_TANGENT, error);
    if (status) return status;
    memset(p->varied, 0, (size_t)p->n_varied * sizeof *p->varied);
    rt_variation_read(w->variation, RT_VARIED_K, p->varied + p->array[RT_VARIED_K]);
    return sensitivity_moves_keep(v, w->coordinate, arena, error);
}

static int most_rows(const routh_mechanism *m)
{
    int most = 0;
    for (int c = 0; c < m->n_constraints; c++)
        if (m->constraints[c].constraint.n_rows > most) most = m->constraints[c].constraint.n_rows;
    return most;
}

/* ---- which are needed ----------------------------------------------------------------------- */

/* z as it is given, n of each coordinate. */
typedef struct sensitivity_moves_motion {
    const double *z;
    int stride, n;
} sensitivity_moves_motion;

static bool moves_at_all(const sensitivity_moves_motion *z, int coordinate)
{
    const double *row = z->z + (size_t)coordinate * (size_t)z->stride;
    for (int k = 0; k < z->n; k++)
        if (row[k] != 0) return true;
    return false;
}

static bool needs_bodies(const rt_moves *v, const sensitivity_moves_motion *z, int colour, int i)
{
    for (int b = 0; b < v->p->s->m->n_bodies; b++)
        if (v->body_colour[b] == colour && moves_at_all(z, 6 * b + i)) return true;
    return false;
}

static bool needs_joints(const rt_moves *v, const sensitivity_moves_motion *z, int colour, int row)
{
    const routh_mechanism *m = v->p->s->m;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint *joint = &m->constraints[c].constraint;
        if (v->joint_colour[c] == colour && row < joint->n_rows &&
            moves_at_all(z, m->n_u + joint->first_row + row))
            return true;
    }
    return false;
}

static routh_status sensitivity_moves_find(rt_moves *v, const sensitivity_moves_motion *z,
                                           sensitivity_moves_work *w, rt_arena *arena,
                                           routh_error *error)
{
    const int rows = v->n_joint_rows;
    bool *found = v->found;
    routh_status status = ROUTH_OK;
    for (int colour = 0; colour < v->n_body_colours; colour++)
        for (int i = 0; i < 6 && !status; i++, found++)
            if (!*found && needs_bodies(v, z, colour, i)) {
                *found = true;
                status = move_bodies(v, w, colour, i, arena, error);
            }
    for (int colour = 0; colour < v->n_joint_colours; colour++)
        for (int r = 0; r < rows && !status; r++, found++)
            if (!*found && needs_joints(v, z, colour, r)) {
                *found = true;
                status = push_joints(v, w, colour, r, arena, error);
            }
    return status;
}

void rt_moves_begin(rt_moves *v, const rt_levels_pencil *p, const int *body_of_number)
{
    *v = (rt_moves){.p = p, .what = what_at_rest(p->s), .body_of_number = body_of_number};
}

/* Colours, and whose the numbers are. */
static bool sensitivity_moves_prepare(rt_moves *v, rt_arena *arena)
{
    const routh_mechanism *m = v->p->s->m;
    rt_arena scratch = {0};
    lists elements, neighbours;
    const bool ok = list_elements(m, element_count(m), &elements, &scratch) &&
                    list_neighbours(m, &elements, &neighbours, &scratch) &&
                    colour_bodies(v, &neighbours, arena) && colour_joints(v, arena);
    rt_arena_free(&scratch);
    if (!ok) return false;
    v->n_joint_rows = most_rows(m);
    const int most = 6 * v->n_body_colours + v->n_joint_rows * v->n_joint_colours;
    v->found = RT_TAKE(arena, bool, most);
    v->moves = v->found ? RT_TAKE(arena, rt_move, most) : NULL;
    return v->moves;
}

routh_status rt_moves_find(rt_moves *v, const double *z, int stride, int n, rt_variation *variation,
                           rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = v->p->s->m;
    const sensitivity_moves_motion of = {z, stride, n};
    if (!v->moves && !sensitivity_moves_prepare(v, arena)) return rt_fail_memory(error);
    sensitivity_moves_work w = {.variation = variation,
                                .xi = RT_TAKE(arena, double, m->n_u),
                                .lambda = RT_TAKE(arena, double, m->n_rows),
                                .coordinate = RT_TAKE(arena, int, m->n_bodies)};
    if (!w.xi || !w.lambda || !w.coordinate) return rt_fail_memory(error);
    const routh_status status = rt_variation_along(variation, -1, NULL, NULL, error);
    return status ? status : sensitivity_moves_find(v, &of, &w, arena, error);
}

routh_status rt_moves_add(const rt_moves *v, const double *z, int n, rt_varied_rows *rows,
                          routh_error *error)
{
    for (int k = 0; k < v->n; k++) {
        const rt_move *move = &v->moves[k];
        for (int e = 0; e < move->n; e++) {
            const double slope = move->slope[e];
            const double *restrict from = z + (size_t)move->coordinate[e] * (size_t)rows->width;
            double *restrict to = rt_varied_row(rows, move->number[e]);
            if (!to) return rt_fail_memory(error);
            for (int i = 0; i < n; i++) to[i] += slope * from[i];
        }
    }
    return ROUTH_OK;
}
