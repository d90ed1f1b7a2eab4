/* See attribution_work.h. A wrench (f, t) that is held on a marker with arm s from the centre of
 * mass, which moves by d against a rigid body's marker where that is flexible, works by the
 * second-order motion
 *     f . (^th x (th x s + d - e)) + f . (th x (^d - ^e)) + t . (th x ^w) + bending,
 *     e = sum A a_k q_k / m,     d, w: what deforming does to the marker     (linear/share_forms.c)
 * with ^ for the virtual motion. Of the body's own wrench at the frame's origin s is -c, the origin
 * seen from the centre, and d is 0. */
#include "studies/attribution_work.h"

#include "system/flexible.h"

typedef double _Complex complex_vector[3];

enum { POSITION, RATE, INERTIA, PARTS };

/* Of a frame: the virtual motion, and three levels of each part. */
typedef struct rt_frame_motion {
    double _Complex test[6], x[PARTS][3][6];
} rt_frame_motion;

static int attribution_work_larger(int a, int b) { return a > b ? a : b; }

routh_status rt_worker_create(rt_worker *k, const rt_search *s, rt_arena *arena, routh_error *error)
{
    int n = 0;
    *k = (rt_worker){.s = s};
    for (int f = 0; f < s->m->n_flexible_markers; f++)
        n = attribution_work_larger(n, s->m->flexible_markers[f].node->n);
    k->frames = RT_TAKE(arena, rt_frame_motion, s->m->max_frames + 1);
    k->scratch = RT_TAKE(arena, double, 27 * (size_t)n + (size_t)n * (size_t)n);
    return k->frames && k->scratch ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- motions of frames ---------------------------------------------------------------------- */

/* to += J x */
static void attribution_work_add(const rt_motion *map, const double *J, const double _Complex *x,
                                 double _Complex to[6])
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < map->n; c++) to[i] += J[i * map->n + c] * x[map->columns[c]];
}

/* xi' = J u + J1 xi,   xi'' = J u' + J2u u + J2x xi */
static void attribution_work_move(const rt_worker *k, int marker, const double _Complex *test,
                                  const rt_parted_motion *v, rt_frame_motion *out)
{
    rt_motion map;
    *out = (rt_frame_motion){0};
    rt_marker_motion(k->s->m, k->s->w, k->s->state, marker, &map);
    if (map.n == 0) return;
    attribution_work_add(&map, map.J, test, out->test);
    attribution_work_add(&map, map.J, v->xi, out->x[POSITION][0]);
    attribution_work_add(&map, map.J, v->u_position, out->x[POSITION][1]);
    attribution_work_add(&map, map.J1, v->xi, out->x[POSITION][1]);
    attribution_work_add(&map, map.J, v->a_position, out->x[POSITION][2]);
    attribution_work_add(&map, map.J2u, v->u_position, out->x[POSITION][2]);
    attribution_work_add(&map, map.J2x, v->xi, out->x[POSITION][2]);
    attribution_work_add(&map, map.J, v->u_rate, out->x[RATE][1]);
    attribution_work_add(&map, map.J, v->a_rate, out->x[RATE][2]);
    attribution_work_add(&map, map.J2u, v->u_rate, out->x[RATE][2]);
    attribution_work_add(&map, map.J, v->a_inertia, out->x[INERTIA][2]);
}

static void move_all(const rt_worker *k, const rt_block *block, const double _Complex *test,
                     const rt_parted_motion *v)
{
    for (int f = 0; f < block->n_frames; f++)
        attribution_work_move(k, block->frames[f], test, v, &k->frames[f]);
}

/* to[part] += conj(test) . P x[part], P n x n of one level, on frames of six components each */
static void add_level(const rt_frame_motion *frames, int n, const double *P, int level, int stride,
                      double _Complex to[PARTS])
{
    for (int i = 0; i < n; i++) {
        const double _Complex test = conj(frames[i / 6].test[i % 6]);
        for (int j = 0; j < n; j++) {
            const double p = P[(size_t)i * (size_t)stride + (size_t)j];
            if (p == 0) continue;
            for (int part = 0; part < PARTS; part++)
                to[part] += test * p * frames[j / 6].x[part][level][j % 6];
        }
    }
}

static rt_work attribution_work_of(const double _Complex by[PARTS], double sign)
{
    return (rt_work){
        .position = sign * by[POSITION], .rate = sign * by[RATE], .inertia = sign * by[INERTIA]};
}

/* ---- held wrenches -------------------------------------------------------------------------- */

static void attribution_work_cross(double _Complex y[3], const double _Complex a[3],
                                   const double _Complex b[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double _Complex attribution_work_dot(const double a[3], const double _Complex b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static const rt_flexible_block *flexible_of(const routh_mechanism *m, int body)
{
    for (int k = 0; k < m->n_flexible; k++)
        if (m->flexible[k].body == body) return &m->flexible[k];
    return NULL;
}

/* From the frame's origin to the centre of mass (rt_flexible's first and a), world, and how it
 * moves in the frame with elastic coordinates x (NULL: not wanted). */
static void attribution_work_find_centre(const rt_worker *k, const rt_flexible_block *f,
                                         double c[3])
{
    const double *q = k->s->w->elastic[0] + f->first;
    double local[3];
    rt_v3_copy(local, f->shape->first);
    for (int j = 0; j < f->shape->n; j++)
        for (int i = 0; i < 3; i++) local[i] += f->shape->a[3 * j + i] * q[j];
    rt_m3_mul_v(c, k->s->w->bodies[f->body].A, local);
    rt_v3_scale(c, 1 / f->shape->mass, c);
}

static void move_centre(const rt_worker *k, const rt_flexible_block *f, const double _Complex *x,
                        double _Complex e[3])
{
    const double *A = k->s->w->bodies[f->body].A;
    const double _Complex *q = x + k->s->m->first_elastic + f->first;
    double _Complex local[3] = {0};
    for (int j = 0; j < f->shape->n; j++)
        for (int i = 0; i < 3; i++) local[i] += f->shape->a[3 * j + i] * q[j];
    for (int i = 0; i < 3; i++)
        e[i] = (A[3 * i] * local[0] + A[3 * i + 1] * local[1] + A[3 * i + 2] * local[2]) /
               f->shape->mass;
}

/* Of the second-order motion: f . (^th x (th x s + y)) + f . (th x ^y), y = d - e */
static double _Complex held_force(const double f[3], const double s[3], complex_vector th,
                                  complex_vector y, complex_vector th_test, complex_vector y_test)
{
    double _Complex arm[3], a[3], b[3], c[3];
    for (int i = 0; i < 3; i++) arm[i] = s[i];
    attribution_work_cross(a, th, arm);
    for (int i = 0; i < 3; i++) a[i] += y[i];
    attribution_work_cross(b, th_test, a);
    attribution_work_cross(c, th, y_test);
    return attribution_work_dot(f, b) + attribution_work_dot(f, c);
}

/* ^q . bend q over the coordinates of the marker's node */
static double _Complex held_bending(const rt_worker *k, int number, const double wrench[6],
                                    const double _Complex *test, const double _Complex *xi)
{
    const routh_mechanism *m = k->s->m;
    const rt_flexible_marker *f = &m->flexible_markers[number];
    const int n = f->node->n, at = m->first_elastic + f->first;
    double *J = k->scratch, *turn = J + 24 * n, *bend = turn + 3 * n;
    double _Complex sum = 0;
    rt_flexible_columns(m, k->s->w, number, 0, n, J, J + 6 * n, J + 12 * n, J + 18 * n);
    memcpy(turn, J + 3 * n, 3 * (size_t)n * sizeof *turn);
    memset(bend, 0, (size_t)n * (size_t)n * sizeof *bend);
    rt_flexible_bending(m, k->s->w, number, wrench, turn, bend);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum +=
                conj(test[at + f->node->column[i]]) * bend[i * n + j] * xi[at + f->node->column[j]];
    return sum;
}

static void attribution_work_conjugate(double _Complex *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = conj(x[i]);
}

/* What deforming does to the marker: its motion less that of the body as a rigid one. */
static void deform(const double _Complex marker[6], const double _Complex body[6],
                   const double arm[3], double _Complex d[6])
{
    double _Complex s[3], turned[3];
    for (int i = 0; i < 3; i++) s[i] = arm[i];
    attribution_work_cross(turned, body + 3, s);
    for (int i = 0; i < 3; i++) {
        d[i] = marker[i] - body[i] - turned[i];
        d[3 + i] = marker[3 + i] - body[3 + i];
    }
}

/* The work of a wrench that is held on the marker, whose motion is `at`. */
static double _Complex attribution_work_held(const rt_worker *k, int marker,
                                             const rt_frame_motion *at, const double wrench[6],
                                             const double _Complex *test, const rt_parted_motion *v)
{
    const routh_mechanism *m = k->s->m;
    const rt_workspace *w = k->s->w;
    const int body = m->marker_body[marker], number = m->flexible_marker[marker];
    double s[3], c[3];
    double _Complex d[6] = {0}, d_test[6] = {0}, e[3], th[3], th_test[3], turned[3], sum;
    if (body == RT_GROUND) return 0;
    rt_v3_sub(s, w->markers[marker].r, w->bodies[body].r);
    const rt_flexible_block *f = flexible_of(m, body);
    rt_frame_motion own = *at;
    if (f) attribution_work_move(k, body, test, v, &own);
    if (f) {
        deform(at->x[POSITION][0], own.x[POSITION][0], s, d);
        deform(at->test, own.test, s, d_test);
        attribution_work_find_centre(k, f, c);
        rt_v3_sub(s, s, c);
        move_centre(k, f, v->xi, e);
        for (int i = 0; i < 3; i++) d[i] -= e[i];
        move_centre(k, f, test, e);
        for (int i = 0; i < 3; i++) d_test[i] -= e[i];
    }
    memcpy(th, own.x[POSITION][0] + 3, sizeof th);
    memcpy(th_test, own.test + 3, sizeof th_test);
    attribution_work_conjugate(th_test, 3), attribution_work_conjugate(d_test, 6);
    sum = held_force(wrench, s, th, d, th_test, d_test);
    attribution_work_cross(turned, th, d_test + 3);
    sum += attribution_work_dot(wrench + 3, turned);
    return number < 0 ? sum : sum + held_bending(k, number, wrench, test, v->xi);
}

static double _Complex held_all(const rt_worker *k, const rt_block *block, const double *wrench,
                                const double _Complex *test, const rt_parted_motion *v)
{
    double _Complex sum = 0;
    for (int f = 0; f < block->n_frames; f++)
        sum += attribution_work_held(k, block->frames[f], &k->frames[f], wrench + 6 * f, test, v);
    return sum;
}

/* ---- elements ------------------------------------------------------------------------------- */

rt_work rt_work_of_load(const rt_worker *k, int load, const double _Complex *test,
                        const rt_parted_motion *v)
{
    const rt_search *s = k->s;
    const routh_mechanism *m = s->m;
    const rt_load_block *b = &m->loads[load];
    const int wide = 6 * b->block.n_frames, n_levels = b->block.mass ? 3 : 2;
    double _Complex by[PARTS] = {0}, signal = 0;
    move_all(k, &b->block, test, v);
    rt_load_block_evaluate(m, s->w, b, s->state, true);
    for (int l = 0; l < n_levels; l++)
        add_level(k->frames, wide, s->w->element_partial + (size_t)l * (size_t)(wide * wide), l,
                  wide, by);
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < b->n_lambda; j++) {
            const int row = b->lambda[j];
            signal += conj(k->frames[i / 6].test[i % 6]) *
                      s->w->result[0].lambda[(size_t)i * (size_t)b->n_lambda + (size_t)j] *
                      (row < m->n_rows ? v->lambda[row] : v->signal[row - m->n_rows]);
        }
    by[POSITION] += held_all(k, &b->block, s->w->element_wrench, test, v);
    rt_work work = attribution_work_of(by, -1);
    work.signal = -signal;
    return work;
}

/* The multipliers held; as they change they do no work on a motion that the joint lets happen. */
rt_work rt_work_of_joint(const rt_worker *k, int constraint, const double _Complex *test,
                         const rt_parted_motion *v)
{
    const rt_search *s = k->s;
    const rt_constraint_block *joint = &s->m->constraints[constraint];
    const rt_block *block = &joint->block;
    const int wide = 6 * block->n_frames;
    const rt_program_input in = rt_input_at(s->m, s->w, s->state, s->w->program[0]);
    double *P = s->w->element_partial, *wrench = s->w->element_wrench;
    double _Complex by[PARTS] = {0};
    memset(P, 0, (size_t)(wide * wide) * sizeof *P);
    memset(wrench, 0, (size_t)wide * sizeof *wrench);
    for (int r = 0; r < joint->constraint.n_rows; r++) {
        const double lambda = s->state->lambda[joint->constraint.first_row + r];
        rt_gradient phi;
        double value[3];
        rt_row_evaluate(&joint->constraint.rows[r], &in, value, &phi);
        rt_row_curvature(&joint->constraint.rows[r], &in, lambda, block->frames, block->n_frames,
                         P);
        for (int f = 0; f < phi.n; f++)
            for (int g = 0; g < block->n_frames; g++)
                for (int i = 0; i < 6 && block->frames[g] == phi.frame[f]; i++)
                    wrench[6 * g + i] += lambda * phi.p[0][f][i];
    }
    move_all(k, block, test, v);
    add_level(k->frames, wide, P, 0, wide, by);
    by[POSITION] += held_all(k, block, wrench, test, v);
    return attribution_work_of(by, 1);
}

static rt_work rigid_body(const rt_worker *k, int body, const double _Complex *test,
                          const rt_parted_motion *v)
{
    const rt_body_block *b = &k->s->m->bodies[body];
    rt_frame_motion at;
    rt_load_result inertia;
    double _Complex by[PARTS] = {0};
    attribution_work_move(k, body, test, v, &at);
    rt_inertia_evaluate(&k->s->w->bodies[body], b->mass, b->inertia, true, &inertia);
    for (int l = 0; l < 3; l++) add_level(&at, 6, inertia.partial[l], l, 12, by);
    rt_work work = attribution_work_of(by, 1);
    for (int i = 0; i < 3; i++)
        work.translation += b->mass * conj(at.test[i]) * at.x[INERTIA][2][i];
    return work;
}

/* The elastic coordinates of a part on a level; NULL: zero. */
static const double _Complex *attribution_work_elastic_of(const rt_parted_motion *v, int part,
                                                          int level)
{
    const double _Complex *const of[PARTS][3] = {{v->xi, v->u_position, v->a_position},
                                                 {NULL, v->u_rate, v->a_rate},
                                                 {NULL, NULL, v->a_inertia}};
    return of[part][level];
}

/* What of the elastic coordinates q acts on the frame and on themselves, and of the frame on them.
 */
static double _Complex elastic_level(const rt_flexible_block *f, const rt_flexible_result *r, int l,
                                     const rt_frame_motion *at, const double _Complex x[6],
                                     const double _Complex *q_test, const double _Complex *q)
{
    const int n = f->shape->n;
    const rt_pattern *p = &f->shape->pattern;
    double _Complex sum = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 6; i++) {
            sum += conj(q_test[k]) * r->by_frame[l][6 * k + i] * x[i];
            if (q)
                sum +=
                    conj(at->test[i]) * r->by_elastic[l][(size_t)i * (size_t)n + (size_t)k] * q[k];
        }
    for (int c = 0; c < n && q; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            sum += conj(q_test[p->row[e]]) * r->inner[l][e] * q[c];
    return sum;
}

/* The body's own wrench, of inertia and weight, held at the frame's origin; and what of inertia
 * moves the centre of mass. */
static void by_centre(const rt_worker *k, const rt_flexible_block *f, const double wrench[6],
                      const rt_frame_motion *at, const double _Complex *test,
                      const rt_parted_motion *v, rt_work *work)
{
    double c[3];
    double _Complex e[3], e_test[3], e_inertia[3], th[3], th_test[3], arm[3], a[3], b[3];
    attribution_work_find_centre(k, f, c);
    move_centre(k, f, v->xi, e);
    move_centre(k, f, test, e_test);
    move_centre(k, f, v->a_inertia, e_inertia);
    attribution_work_conjugate(e_test, 3);
    for (int i = 0; i < 3; i++) arm[i] = c[i];
    memcpy(th, at->x[POSITION][0] + 3, sizeof th);
    memcpy(th_test, at->test + 3, sizeof th_test);
    attribution_work_conjugate(th_test, 3);
    attribution_work_cross(a, th_test, arm);
    attribution_work_cross(b, at->x[INERTIA][2] + 3, arm);
    for (int i = 0; i < 3; i++)
        work->translation += f->shape->mass * (conj(at->test[i]) + a[i] + e_test[i]) *
                             (at->x[INERTIA][2][i] + b[i] + e_inertia[i]);
    for (int i = 0; i < 3; i++) c[i] = -c[i], e[i] = -e[i], e_test[i] = -e_test[i];
    work->position += held_force(wrench, c, th, e, th_test, e_test);
}

static rt_work flexible_body(const rt_worker *k, const rt_flexible_block *f,
                             const double _Complex *test, const rt_parted_motion *v)
{
    const rt_workspace *w = k->s->w;
    rt_flexible_result *r = w->flexible;
    const rt_elastic_state state = {w->elastic[0] + f->first, w->elastic[1] + f->first,
                                    w->elastic[2] + f->first};
    const size_t first = (size_t)(k->s->m->first_elastic + f->first);
    rt_frame_motion at;
    double _Complex by[PARTS] = {0};
    attribution_work_move(k, f->body, test, v, &at);
    rt_flexible_evaluate(f->shape, NULL, &w->bodies[f->body], &state, k->s->m->gravity, true, r);
    for (int l = 0; l < 3; l++) {
        add_level(&at, 6, r->frame[l], l, 6, by);
        for (int part = 0; part < PARTS; part++) {
            const double _Complex *q = attribution_work_elastic_of(v, part, l);
            by[part] +=
                elastic_level(f, r, l, &at, at.x[part][l], test + first, q ? q + first : NULL);
        }
    }
    rt_work work = attribution_work_of(by, 1);
    by_centre(k, f, r->wrench, &at, test, v, &work);
    return work;
}

rt_work rt_work_of_body(const rt_worker *k, int body, const double _Complex *test,
                        const rt_parted_motion *v)
{
    const rt_flexible_block *f = flexible_of(k->s->m, body);
    return f ? flexible_body(k, f, test, v) : rigid_body(k, body, test, v);
}
