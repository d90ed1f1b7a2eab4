/* Joints between bodies that are placed: poses by coordinates, and coordinates against what is
 * written. */
#include "model/placing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"

const double rt_no_half_turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void rt_place_ground(rt_place_frame *f)
{
    for (int k = 0; k < 3; k++) f->r[k] = f->v[k] = f->w[k] = rt_plain(0);
    rt_numbers_identity(f->A);
}

void rt_place_numbers(const rt_placing *p, rt_number *to, const rt_number *from, int n)
{
    for (int k = 0; k < n; k++) to[k] = rt_place_number(p, from[k]);
}

/* ---- joints between frames ------------------------------------------------------------------- */

/* Marker `end` of the joint, with the joint's axes, in its body. */
static void end_of_joint(const rt_placing *p, const rt_joint *joint, int end, rt_place_frame *f)
{
    rt_number position[3], axes[9], triad[9];
    rt_place_ground(f);
    rt_marker_in_body(p->r, joint->markers[end], position, axes);
    for (int k = 0; k < 9; k++) triad[k] = rt_plain(joint->triad[k]);
    rt_place_numbers(p, f->r, position, 3);
    for (int k = 0; k < 9; k++) axes[k] = rt_place_number(p, axes[k]);
    rt_numbers_matrix(p->c, f->A, axes, triad);
}

void rt_place_frame_of(const rt_place_frame *frames, int body, rt_place_frame *f)
{
    if (body < 0)
        rt_place_ground(f);
    else
        *f = frames[body];
}

/* The first marker relative to the second, the bodies in these frames. */
void rt_place_relative_frame(const rt_placing *p, const rt_joint *joint,
                             const rt_place_frame *frames, rt_place_frame *T)
{
    rt_place_frame end[2], body, inverse;
    for (int k = 0; k < 2; k++) {
        end_of_joint(p, joint, k, &end[k]);
        rt_place_frame_of(frames, rt_body_of_marker(p->r->model, joint->markers[k]), &body);
        rt_frame_join(p->c, &end[k], &body, &end[k]);
    }
    rt_frame_invert(p->c, &inverse, &end[1]);
    rt_frame_join(p->c, T, &inverse, &end[0]);
}

/* Body b where the joint's first marker is at T to the second and its parent in `parent`. */
void rt_place_carried(const rt_placing *p, int b, const rt_joint *joint,
                      const rt_place_frame *parent, const rt_place_frame *T, rt_place_frame *out)
{
    const int mine = rt_body_of_marker(p->r->model, joint->markers[0]) == b ? 0 : 1;
    rt_place_frame end, to, back;
    end_of_joint(p, joint, !mine, &end);
    rt_frame_join(p->c, &to, parent, &end);
    if (mine == 0)
        back = *T;
    else
        rt_frame_invert(p->c, &back, T);
    rt_frame_join(p->c, &to, &to, &back);
    end_of_joint(p, joint, mine, &end);
    rt_frame_invert(p->c, &back, &end);
    rt_frame_join(p->c, out, &to, &back);
}

rt_number rt_place_pitch(const rt_placing *p, const rt_joint *joint)
{
    return rt_place_number(p, rt_joint_number(joint, RT_NUMBER_1));
}

const rt_joint *rt_place_carrier(const rt_placing *p, int b)
{
    const int j = p->tree.joint[b];
    return j < 0 ? NULL : &p->r->model->joints[j];
}

void rt_place_zero(rt_chain_value q[RT_JOINT_COORDINATES])
{
    rt_place_frame here;
    rt_place_ground(&here);
    for (int k = 0; k < RT_JOINT_COORDINATES; k++) {
        q[k] = (rt_chain_value){.value = rt_plain(0), .rate = rt_plain(0), .start = rt_plain(0)};
        memcpy(q[k].turn, here.A, sizeof here.A);
        memcpy(q[k].turn_rate, here.w, sizeof here.w);
    }
}

/* ---- coordinates against what is written ----------------------------------------------------- */

double rt_place_apart(const rt_number *a, const rt_number *b, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(a[k].value - b[k].value));
    return most;
}

/* How far step k's coordinate is from another: radians, or parts of the size. */
static double coordinate_apart(const rt_chain_step *step, const rt_chain_value *a,
                               const rt_chain_value *b, double size)
{
    const double d = a->value.value - b->value.value;
    if (step->kind == RT_STEP_BALL) return rt_place_apart(a->turn, b->turn, 9);
    if (step->kind == RT_STEP_SLIDE) return fabs(d) / size;
    return fabs(d - RT_TWO_PI * round(d / RT_TWO_PI));
}

/* "1.57, but it is 1.2"; of balls how far they are apart. */
static void say_values(rt_reader *r, const rt_chain_step *step, const rt_chain_value *written,
                       const rt_chain_value *found, char text[80])
{
    const char *unit = step->kind == RT_STEP_SLIDE ? "m" : "rad";
    double trace = 0;
    for (int k = 0; k < 9; k++) trace += written->turn[k].value * found->turn[k].value;
    if (step->kind == RT_STEP_BALL)
        snprintf(text, 80, "an orientation that is %.4g deg from what it is",
                 acos(fmax(-1, fmin(1, (trace - 1) / 2))) * RT_DEGREES);
    else
        snprintf(text, 80, "%.6g, but it is %.6g", rt_as_written(r, unit, written->value.value),
                 rt_as_written(r, unit, found->value.value));
}

static const char *name_of_parent(const rt_placing *p, int b)
{
    const int parent = p->tree.parent[b];
    return parent < 0 ? "ground" : p->r->model->bodies[parent].name;
}

/* The body is placed, and the joint says otherwise: neither where its coordinate is zero nor where
 * it has the value. q: by the places; given: as written. */
static routh_status check_written_places(const rt_placing *p, int b, const rt_place_frame *T,
                                         const double C[9], const rt_chain_value *q,
                                         const rt_chain_value *given)
{
    const rt_joint *joint = rt_place_carrier(p, b);
    const rt_chain *chain = &joint->class->chain;
    const double size = p->size;
    rt_chain_value zero[RT_JOINT_COORDINATES];
    rt_place_frame fits;
    char text[80];
    rt_place_zero(zero);
    rt_reader *r = p->r;
    rt_reader_element(r, "joint", joint->name);
    rt_chain_pose(p->c, joint, q, rt_place_pitch(p, joint), C, &fits);
    if (rt_place_apart(T->r, fits.r, 3) > RT_WRITTEN_ALIKE * size ||
        rt_place_apart(T->A, fits.A, 9) > RT_WRITTEN_ALIKE)
        return rt_reader_fail(r, joint->place,
                              "its coordinate is written, but body '%.60s' is written where the "
                              "joint does not allow it to be, by %.3g m and %.3g rad, so that the "
                              "coordinate cannot be counted from there; leave out the body's "
                              "position and orientation, which then follow from the joint, or "
                              "correct them",
                              r->model->bodies[b].name, rt_place_apart(T->r, fits.r, 3),
                              rt_place_apart(T->A, fits.A, 9));
    for (int k = 0; k < chain->n; k++) {
        if (!joint->start->value_given[k] || joint->start->is_set ||
            coordinate_apart(&chain->step[k], &q[k], &zero[k], size) <= RT_WRITTEN_ALIKE ||
            coordinate_apart(&chain->step[k], &q[k], &given[k], size) <= RT_WRITTEN_ALIKE)
            continue;
        say_values(r, &chain->step[k], &given[k], &q[k], text);
        return rt_reader_fail(r, joint->place,
                              "its coordinate is written as %s where bodies '%.60s' and '%.60s' "
                              "are written; leave out the coordinate, or write the bodies where it "
                              "is zero, or leave out the position of one of them, which then "
                              "follows from the joint",
                              text, r->model->bodies[b].name, name_of_parent(p, b));
    }
    return ROUTH_OK;
}

/* ---- coordinates at the beginning ------------------------------------------------------------ */

/* A ball's turn, in part. */
void rt_place_part_of_turn(const rt_placing *p, const rt_number turn[9], rt_number out[9])
{
    rt_number u[3], c, s;
    const double trace = turn[0].value + turn[4].value + turn[8].value;
    const double angle = acos(fmax(-1, fmin(1, (trace - 1) / 2)));
    if (p->part == 1 || angle < 1e-9) {
        rt_place_numbers(p, out, turn, 9);
        return;
    }
    for (int k = 0; k < 3; k++) { /* u u' = (A + A' + (1 - tr A) 1) / (3 - tr A) */
        const double square = (2 * turn[4 * k].value + 1 - trace) / (3 - trace);
        const double w = turn[3 * ((k + 2) % 3) + (k + 1) % 3].value -
                         turn[3 * ((k + 1) % 3) + (k + 2) % 3].value;
        u[k] = rt_plain(copysign(sqrt(fmax(0, square)), w));
    }
    c = rt_plain(cos(p->part * angle)), s = rt_plain(sin(p->part * angle));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double cross = j == (i + 1) % 3   ? -u[3 - i - j].value
                                 : i == (j + 1) % 3 ? u[3 - i - j].value
                                                    : 0;
            out[3 * i + j] = rt_plain((i == j ? c.value : 0) + s.value * cross +
                                      (1 - c.value) * u[i].value * u[j].value);
        }
}

/* What is written, and where nothing is, what the reference has. */
static void begin_coordinates(const rt_placing *p, const rt_joint *joint, rt_chain_value *q)
{
    const rt_joint_start *s = joint->start;
    for (int k = 0; k < joint->class->chain.n; k++) {
        const bool ball = joint->class->chain.step[k].kind == RT_STEP_BALL;
        if (s->value_given[k] && ball) {
            rt_place_part_of_turn(p, s->turn, q[k].turn);
        } else if (s->value_given[k]) {
            const double from = q[k].value.value, to = s->value[k].value;
            q[k].value = p->part == 1 ? rt_place_number(p, s->value[k])
                                      : rt_plain(from + p->part * (to - from));
        }
        if (s->rate_given[k]) q[k].rate = rt_place_number(p, s->rate[k]);
        for (int i = 0; i < 3 && s->rate_given[k] && ball; i++)
            q[k].turn_rate[i] = rt_place_number(p, s->turn_rate[i]);
    }
}

/* What closes loops, over that. */
static void add_found(const rt_placing *p, int b, rt_chain_value *q)
{
    const rt_place_loops *l = &p->loops;
    for (int c = l->first[b]; c < l->first[b + 1]; c++) {
        const rt_place_column *column = &l->column[c];
        rt_chain_value *to = &q[column->step];
        const bool ball = column->kind == RT_STEP_BALL;
        const rt_number more = l->more ? rt_place_number(p, l->more[c]) : rt_plain(0);
        if (l->rate && column->rate_open)
            *(ball ? &to->turn_rate[column->part] : &to->rate) = rt_place_number(p, l->rate[c]);
        if (column->open && !ball)
            to->value = rt_plus(p->c, rt_plus(p->c, to->value, rt_plain(l->found[c])), more);
    }
}

/* (1 + more~) ball turn, of body b and the first of its columns that turn it so */
static void turn_found(const rt_placing *p, int b, int c, rt_number turn[9])
{
    const rt_place_loops *l = &p->loops;
    rt_number small[9], by[9], turned[9];
    if (l->column[c].kind != RT_STEP_BALL || !l->column[c].open) return;
    for (int k = 0; k < 9; k++) by[k] = rt_plain(l->ball[9 * (size_t)b + (size_t)k]);
    rt_numbers_matrix(p->c, turned, by, turn);
    memcpy(turn, turned, sizeof turned);
    if (!l->more) return;
    rt_numbers_identity(small);
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        small[3 * n + m] = rt_place_number(p, l->more[c + k]);
        small[3 * m + n] = rt_minus(p->c, rt_plain(0), small[3 * n + m]);
    }
    rt_numbers_matrix(p->c, turned, small, turn);
    memcpy(turn, turned, sizeof turned);
}

void rt_place_free(const rt_placing *p, int b, rt_place_frame *f)
{
    const rt_place_loops *l = &p->loops;
    const int c = l->first[b];
    for (int k = 0; k < 3; k++) {
        const rt_number more = l->more ? rt_place_number(p, l->more[c + k]) : rt_plain(0);
        f->r[k] = rt_plus(p->c, rt_plus(p->c, f->r[k], rt_plain(l->found[c + k])), more);
        if (!l->rate || !l->column[c].rate_open) continue;
        f->v[k] = rt_place_number(p, l->rate[c + k]);
        f->w[k] = rt_place_number(p, l->rate[c + 3 + k]);
    }
    turn_found(p, b, c + 3, f->A);
}

/* Of the joint that carries body b: its coordinates, and what does not follow from them. */
typedef struct carrying {
    rt_chain_value q[RT_JOINT_COORDINATES], q0[RT_JOINT_COORDINATES];
    double C[9];
    rt_place_frame T0;
    bool coincide; /* its markers do in the reference configuration */
} carrying;

static void find_carrying(const rt_placing *p, int b, const rt_joint *joint, carrying *k)
{
    k->coincide = p->joint_at[p->tree.joint[b]] || p->made[b];
    memcpy(k->C, rt_no_half_turn, sizeof k->C);
    rt_place_zero(k->q);
    if (!k->coincide) {
        rt_place_relative_frame(p, joint, p->reference, &k->T0);
        rt_chain_half_turn(&joint->class->chain, k->T0.A, k->C);
        rt_chain_coordinates(p->c, joint, &k->T0, rt_place_pitch(p, joint), k->C, k->q);
    }
    memcpy(k->q0, k->q, sizeof k->q);
    if (joint->start) begin_coordinates(p, joint, k->q);
    if (!rt_place_closes(p, b)) return;
    add_found(p, b, k->q);
    turn_found(p, b, p->loops.first[b], k->q[0].turn);
}

/* A joint without coordinates keeps what is written against it. */
static void add_misfit(const rt_placing *p, const rt_joint *joint, const carrying *k,
                       rt_place_frame *T)
{
    rt_place_frame was, misfit;
    rt_chain_pose(p->c, joint, k->q0, rt_place_pitch(p, joint), k->C, &was);
    rt_frame_invert(p->c, &misfit, &was);
    rt_frame_join(p->c, &misfit, &misfit, &k->T0);
    rt_frame_join(p->c, T, T, &misfit);
}

routh_status rt_place_joint_pose(const rt_placing *p, int b, const rt_joint *joint,
                                 rt_place_frame *T)
{
    carrying k;
    routh_status status = ROUTH_OK;
    find_carrying(p, b, joint, &k);
    const bool check = !k.coincide && joint->start && p->part == 1 && !p->plain;
    if (check) status = check_written_places(p, b, &k.T0, k.C, k.q0, k.q);
    rt_chain_pose(p->c, joint, k.q, rt_place_pitch(p, joint), k.C, T);
    if (!joint->start && !k.coincide) add_misfit(p, joint, &k, T);
    return status;
}

/* ---- how joints move bodies ------------------------------------------------------------------ */

bool rt_place_closes(const rt_placing *p, int b)
{
    const rt_place_loops *l = &p->loops;
    if (!l->any && !l->any_rate) return false;
    for (int c = l->first[b]; c < l->first[b + 1]; c++)
        if (l->column[c].active) return true;
    return false;
}

static void twist_of_free(const rt_placing *p, const rt_place_column *column, double w[3],
                          double v[3], double o[3])
{
    for (int i = 0; i < 3; i++) {
        const double along = i == column->part;
        w[i] = column->kind == RT_STEP_BALL ? along : 0;
        v[i] = column->kind == RT_STEP_BALL ? 0 : along;
        o[i] = p->start[column->body].r[i].value;
    }
}

void rt_place_twist(const rt_placing *p, int c, double w[3], double v[3], double o[3])
{
    const rt_place_column *column = &p->loops.column[c];
    if (column->free) {
        twist_of_free(p, column, w, v, o);
        return;
    }
    const rt_joint *joint = rt_place_carrier(p, column->body);
    const rt_chain_step *step = &joint->class->chain.step[column->step];
    const int other = rt_body_of_marker(p->r->model, joint->markers[1]);
    const double sign = other == column->body ? -1 : 1; /* of the first against the second */
    const int axis = step->kind == RT_STEP_BALL ? column->part : step->axis;
    rt_place_frame end, body, T;
    carrying k;
    find_carrying(p, column->body, joint, &k);
    end_of_joint(p, joint, 1, &end);
    rt_place_frame_of(p->start, other, &body);
    rt_frame_join(p->c, &end, &body, &end);
    for (int i = 0; i < column->step; i++) {
        rt_step_pose(p->c, &joint->class->chain.step[i], &k.q[i], rt_place_pitch(p, joint), &T);
        rt_frame_join(p->c, &end, &end, &T);
    }
    const double pitch = rt_place_pitch(p, joint).value / RT_TWO_PI;
    for (int i = 0; i < 3; i++) {
        const double along = sign * end.A[3 * i + axis].value;
        const bool slides = step->kind == RT_STEP_SLIDE;
        w[i] = slides ? 0 : along;
        v[i] = slides ? along : step->kind == RT_STEP_SCREW ? pitch * along : 0;
        o[i] = end.r[i].value;
    }
}

void rt_place_written_way(const rt_placing *p, int c, double *from, double *to)
{
    const rt_place_column *column = &p->loops.column[c];
    const rt_joint *joint = rt_place_carrier(p, column->body);
    carrying k;
    find_carrying(p, column->body, joint, &k);
    *from = k.q0[column->step].value.value;
    *to = joint->start->value[column->step].value;
}

static int count_parts_of(const rt_chain_step *step) { return step->kind == RT_STEP_BALL ? 3 : 1; }

static void list_columns_of(int b, const rt_joint *joint, rt_place_column *to)
{
    for (int k = 0; k < joint->class->chain.n; k++)
        for (int i = 0; i < count_parts_of(&joint->class->chain.step[k]); i++)
            *to++ = (rt_place_column){.body = b,
                                      .step = k,
                                      .part = i,
                                      .kind = joint->class->chain.step[k].kind,
                                      .open = !joint->start || !joint->start->value_given[k],
                                      .rate_open = !joint->start || !joint->start->rate_given[k]};
}

/* Nothing carries it, and nothing but its position says where it is. */
static bool nothing_carries(const rt_placing *p, int b)
{
    const rt_body_place *place = &p->r->places[b];
    return p->tree.joint[b] == RT_CARRIED_BY_NOTHING && place->node && !place->moves;
}

static void list_free_columns(int b, rt_place_column *to)
{
    for (int k = 0; k < 6; k++)
        to[k] = (rt_place_column){.body = b,
                                  .part = k % 3,
                                  .kind = k < 3 ? RT_STEP_SLIDE : RT_STEP_BALL,
                                  .free = true,
                                  .open = true,
                                  .rate_open = true};
}

routh_status rt_place_list_columns(rt_placing *p)
{
    rt_place_loops *l = &p->loops;
    const int n = p->r->model->n_bodies;
    l->first = RT_TAKE(&p->r->scratch, int, n + 1);
    l->ball = RT_TAKE(&p->r->scratch, double, 9 * (size_t)n);
    if (!l->first || !l->ball) return rt_fail_memory(p->r->error);
    for (int b = 0; b < n; b++) {
        const rt_joint *joint = rt_place_carrier(p, b);
        l->first[b] = l->n;
        for (int k = 0; joint && k < joint->class->chain.n; k++)
            l->n += count_parts_of(&joint->class->chain.step[k]);
        l->n += nothing_carries(p, b) ? 6 : 0;
        for (int k = 0; k < 3; k++) l->ball[9 * (size_t)b + 4 * (size_t)k] = 1;
    }
    l->first[n] = l->n;
    l->column = RT_TAKE(&p->r->scratch, rt_place_column, l->n);
    l->found = RT_TAKE(&p->r->scratch, double, l->n);
    if (!l->column || !l->found) return rt_fail_memory(p->r->error);
    for (int b = 0; b < n; b++) {
        const rt_joint *joint = rt_place_carrier(p, b);
        if (joint) list_columns_of(b, joint, l->column + l->first[b]);
        if (nothing_carries(p, b)) list_free_columns(b, l->column + l->first[b]);
    }
    return ROUTH_OK;
}

/* ---- joints that close loops ----------------------------------------------------------------- */

/* Of what carries the body: are all coordinates written, so that nothing moves it any more? */
static bool is_all_written(const rt_placing *p, int b)
{
    const rt_joint *carrier = rt_place_carrier(p, b);
    bool all = true;
    for (int k = 0; carrier && carrier->start && k < carrier->class->chain.n; k++)
        all = all && carrier->start->value_given[k];
    return all;
}

/* Around the loop that the joint closes, from its ends to where these ways meet. */
static bool is_loop_written(const rt_placing *p, const rt_joint *joint)
{
    const routh_model *m = p->r->model;
    const int a = rt_body_of_marker(m, joint->markers[0]);
    const int b = rt_body_of_marker(m, joint->markers[1]);
    bool all = true;
    for (int end = 0; end < 2; end++) {
        const int other = end ? a : b;
        for (int body = end ? b : a; body >= 0; body = p->tree.parent[body]) {
            int meets = other;
            while (meets >= 0 && meets != body) meets = p->tree.parent[meets];
            if (meets == body) break;
            all = all && is_all_written(p, body);
        }
    }
    return all;
}

static bool has_written_coordinate(const rt_joint *joint)
{
    bool any = false;
    for (int k = 0; k < joint->class->chain.n; k++) any = any || joint->start->value_given[k];
    return any;
}

routh_status rt_place_check_closing(const rt_placing *p, int j)
{
    const rt_joint *joint = &p->r->model->joints[j];
    const rt_chain *chain = &joint->class->chain;
    if (!has_written_coordinate(joint)) return ROUTH_OK;
    if (!is_loop_written(p, joint)) {
        rt_reader_element(p->r, "joint", joint->name);
        return rt_reader_fail(p->r, joint->place,
                              "every joint of a loop that it closes has a coordinate or a rate "
                              "that is written, so that its own coordinate would have to follow "
                              "from those of the others; write nothing on one of them, which "
                              "follows");
    }
    rt_chain_value q[RT_JOINT_COORDINATES], given[RT_JOINT_COORDINATES];
    rt_place_frame T;
    double C[9];
    char text[80];
    rt_place_relative_frame(p, joint, p->start, &T);
    rt_chain_half_turn(chain, T.A, C);
    rt_chain_coordinates(p->c, joint, &T, rt_place_pitch(p, joint), C, q);
    memcpy(given, q, sizeof q);
    begin_coordinates(p, joint, given);
    for (int k = 0; k < chain->n; k++) {
        if (coordinate_apart(&chain->step[k], &q[k], &given[k], p->size) <= RT_WRITTEN_ALIKE)
            continue;
        say_values(p->r, &chain->step[k], &given[k], &q[k], text);
        rt_reader_element(p->r, "joint", joint->name);
        return rt_reader_fail(p->r, joint->place,
                              "it closes a loop of joints whose coordinates are all written; its "
                              "own is written as %s by the others; leave out that of one joint of "
                              "the loop",
                              text);
    }
    return ROUTH_OK;
}
