/* See share_forms.h. An element's frame is a marker of a body. It is carried to the body's centre
 * of mass, so that weight, which acts there, has no stiffness of its own and acts through the
 * joints. Of a flexible body the centre moves in the floating frame:
 *     v = (xi_c, e, dq),    e = sum A a_k dq_k / m,    xi_c = (r_o' + th x c + e, th)
 *     xi_marker = (r_c' + th x arm - e + U_k dq_k, th + W_k dq_k),    arm from the centre,
 * (flexible.h, flexible_inertia.h for a_k, c; U_k, W_k the marker's columns). A wrench (f, t) held
 * on the marker does by its second-order motion
 *     P_thth = f~ arm~,   P_the = f~ = -P_eth,   P_thl = U_l x f,   P_kth = U_k x f + W_k x t
 * and bends as system/flexible.h says. Of a rigid body v is xi_c alone. */
#include "linear/share_forms.h"

#include "system/flexible.h"

/* ---- rows ----------------------------------------------------------------------------------- */

void rt_share_frame_rows(const rt_share_task *t, int marker, int level, double *rows)
{
    const rt_search *s = t->s;
    const rt_sensitivity *x = t->x;
    const int z = x->z, width = t->h->linear.n_states;
    rt_motion map;
    rt_marker_motion(s->m, s->w, s->state, marker, &map);
    for (int i = 0; i < 6; i++) {
        /* the ground has no columns, nor arrays */
        const double *J = map.n ? map.J + i * map.n : NULL, *J1 = map.n ? map.J1 + i * map.n : NULL;
        for (int j = 0; j < z; j++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++) {
                const double X = x->X[(size_t)j * x->n + map.columns[c]],
                             U = x->U[(size_t)j * x->n + map.columns[c]];
                sum += level == 0 ? J[c] * X : J[c] * U + J1[c] * X; /* xi' = J u + J1 xi */
            }
            rows[(size_t)i * width + j] = sum;
        }
        for (int j = 0; j < x->z1 && level; j++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++) sum += J[c] * x->Xw[(size_t)j * x->n + map.columns[c]];
            rows[(size_t)i * width + z + j] = sum;
        }
    }
}

void rt_share_elastic_row(const rt_share_task *t, int first, int level, double *row)
{
    const rt_sensitivity *x = t->x;
    const size_t n = (size_t)x->n, at = (size_t)(t->s->m->first_elastic + first);
    for (int j = 0; j < x->z; j++) row[j] = (level ? x->U : x->X)[(size_t)j * n + at];
    for (int j = 0; j < x->z1 && level; j++) row[x->z + j] = x->Xw[(size_t)j * n + at];
}

/* rows of n elastic coordinates, and their combination sum A a_k dq_k / m into 3 rows */
static void centre_rows(const rt_share_task *t, const rt_flexible_block *f, double *rows)
{
    const int n_states = t->h->linear.n_states;
    const rt_sensitivity *x = t->x;
    const rt_flexible *shape = f->shape;
    const size_t n = (size_t)x->n, at = (size_t)(t->s->m->first_elastic + f->first);
    const double *A = t->s->w->bodies[f->body].A;
    for (int j = 0; j < x->z; j++) {
        double local[3] = {0}, world[3];
        for (int k = 0; k < shape->n; k++)
            for (int i = 0; i < 3; i++)
                local[i] += shape->a[3 * k + i] * x->X[(size_t)j * n + at + (size_t)k];
        rt_m3_mul_v(world, A, local);
        for (int i = 0; i < 3; i++) rows[(size_t)i * n_states + j] = world[i] / shape->mass;
    }
}

/* ---- flexible bodies ------------------------------------------------------------------------ */

/* From the frame's origin to the centre of mass, world; s2 left out. */
static void share_forms_find_centre(const rt_share_task *t, const rt_flexible_block *f, double c[3])
{
    const rt_flexible *shape = f->shape;
    const double *q = t->s->w->elastic[0] + f->first;
    double local[3];
    rt_v3_copy(local, shape->first);
    for (int k = 0; k < shape->n; k++)
        for (int i = 0; i < 3; i++) local[i] += shape->a[3 * k + i] * q[k];
    rt_m3_mul_v(c, t->s->w->bodies[f->body].A, local);
    rt_v3_scale(c, 1 / shape->mass, c);
}

int rt_share_flexible_width(const rt_share_task *t, int k, routh_energy_kind kind)
{
    const int n = t->s->m->flexible[k].shape->n;
    return n + (kind == ROUTH_ENERGY_KINETIC ? 6 : kind == ROUTH_ENERGY_STRAIN ? 3 : 0);
}

/* The body as it stands, at rest: M, K and D without what its motion brings. */
static routh_status evaluate_at_rest(rt_share_task *t, const rt_flexible_block *f,
                                     routh_error *error)
{
    const rt_frame *body = &t->s->w->bodies[f->body];
    rt_frame still = {0};
    const double *zero = RT_TAKE(&t->scratch, double, f->shape->n);
    if (!zero) return rt_fail_memory(error);
    rt_v3_copy(still.r, body->r);
    memcpy(still.A, body->A, sizeof still.A);
    const rt_elastic_state q = {t->s->w->elastic[0] + f->first, zero, zero};
    rt_flexible_evaluate(f->shape, NULL, &still, &q, t->s->m->gravity, true, t->s->w->flexible);
    return ROUTH_OK;
}

/* weight += the partials of a level by the last n_frame of the frame's six (world), then by the
 * elastic coordinates */
static void fill_weight(const rt_flexible_block *f, const rt_flexible_result *r, int level,
                        int n_frame, double *weight)
{
    const int n = f->shape->n, skip = 6 - n_frame;
    const size_t width = (size_t)(n_frame + n);
    const rt_pattern *p = &f->shape->pattern;
    for (int i = 0; i < n_frame; i++) {
        for (int j = 0; j < n_frame; j++)
            weight[(size_t)i * width + j] = r->frame[level][6 * (skip + i) + skip + j];
        for (int k = 0; k < n; k++) {
            weight[(size_t)i * width + n_frame + k] =
                r->by_elastic[level][(size_t)(skip + i) * n + k];
            weight[(size_t)(n_frame + k) * width + i] = r->by_frame[level][6 * k + skip + i];
        }
    }
    for (int l = 0; l < n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            weight[(size_t)(n_frame + p->row[e]) * width + n_frame + l] = r->inner[level][e];
}

/* The weight f at the frame's origin, carried to the centre of mass: arm -c, shapes -a_k / m. */
static void carry_weight(const rt_share_task *t, const rt_flexible_block *f, const double force[3],
                         double *weight)
{
    const int n = f->shape->n, width = 3 + n;
    double c[3], C[9], F[9], FC[9];
    share_forms_find_centre(t, f, c);
    rt_m3_skew(C, c);
    rt_m3_skew(F, force);
    rt_m3_mul(FC, F, C);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) weight[i * width + j] -= FC[3 * i + j];
    for (int k = 0; k < n; k++) {
        double a[3], y[3];
        rt_m3_mul_v(a, t->s->w->bodies[f->body].A, f->shape->a + 3 * k);
        rt_v3_cross(y, a, force);
        for (int i = 0; i < 3; i++) {
            weight[(size_t)i * width + 3 + k] -= y[i] / f->shape->mass;
            weight[(size_t)(3 + k) * width + i] -= y[i] / f->shape->mass;
        }
    }
}

routh_status rt_share_flexible(rt_share_task *t, int k, routh_energy_kind kind, double *weight,
                               double *rows, routh_error *error)
{
    const rt_flexible_block *f = &t->s->m->flexible[k];
    const rt_flexible_result *r = t->s->w->flexible;
    const size_t n_states = (size_t)t->h->linear.n_states;
    const bool kinetic = kind == ROUTH_ENERGY_KINETIC, strain = kind == ROUTH_ENERGY_STRAIN;
    const int n_frame = kinetic ? 6 : strain ? 3 : 0, level = strain ? 0 : 1;
    const routh_status status = evaluate_at_rest(t, f, error);
    if (status) return status;
    fill_weight(f, r, kinetic ? 2 : level, n_frame, weight);
    if (strain) carry_weight(t, f, r->weight, weight);
    if (n_frame) {
        double *frame = RT_TAKE(&t->scratch, double, 6 * n_states);
        if (!frame) return rt_fail_memory(error);
        rt_share_frame_rows(t, f->body, level, frame);
        memcpy(rows, frame + (size_t)(6 - n_frame) * n_states,
               (size_t)n_frame * n_states * sizeof *rows);
    }
    for (int e = 0; e < f->shape->n; e++)
        rt_share_elastic_row(t, f->first + e, level, rows + (size_t)(n_frame + e) * n_states);
    return ROUTH_OK;
}

/* ---- frames of an element ------------------------------------------------------------------- */

static void put_rigid(rt_share_frame *frame)
{
    double S[9];
    rt_m3_skew(S, frame->arm);
    for (int i = 0; i < 3; i++) {
        frame->T[i * frame->width + i] = frame->T[(3 + i) * frame->width + 3 + i] = 1;
        for (int j = 0; j < 3; j++) frame->T[i * frame->width + 3 + j] = -S[3 * i + j];
        if (frame->flexible >= 0) frame->T[i * frame->width + 6 + i] = -1;
    }
}

static routh_status make_frame(rt_share_task *t, int marker, rt_share_frame *frame,
                               routh_error *error)
{
    const routh_mechanism *m = t->s->m;
    const rt_workspace *w = t->s->w;
    const int body = m->marker_body[marker];
    *frame = (rt_share_frame){.marker = marker, .number = -1, .flexible = -1, .width = 6};
    for (int k = 0; k < m->n_flexible; k++)
        if (m->flexible[k].body == body) frame->flexible = k;
    if (frame->flexible >= 0) {
        frame->number = m->flexible_marker[marker];
        frame->n = frame->number < 0 ? 0 : m->flexible_markers[frame->number].node->n;
        frame->width = 9 + frame->n;
        share_forms_find_centre(t, &m->flexible[frame->flexible], frame->centre);
    }
    const size_t n = (size_t)frame->n;
    double *columns = RT_TAKE(&t->scratch, double, 24 * n);
    frame->T = RT_TAKE(&t->scratch, double, 6 * (size_t)frame->width);
    if (!frame->T || !columns) return rt_fail_memory(error);
    if (body != RT_GROUND) {
        rt_v3_sub(frame->arm, w->markers[marker].r, w->bodies[body].r);
        rt_v3_sub(frame->arm, frame->arm, frame->centre);
    }
    put_rigid(frame);
    if (frame->n)
        rt_flexible_columns(m, w, frame->number, 0, frame->n, columns, columns + 6 * n,
                            columns + 12 * n, columns + 18 * n);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < frame->n; k++)
            frame->T[i * frame->width + 9 + k] = columns[i * frame->n + k];
    return ROUTH_OK;
}

routh_status rt_share_frames(rt_share_task *t, const rt_block *block, rt_share_frame **frames,
                             int *width, routh_error *error)
{
    routh_status status = ROUTH_OK;
    *width = 0;
    *frames = RT_TAKE(&t->scratch, rt_share_frame, block->n_frames);
    if (!*frames) return rt_fail_memory(error);
    for (int f = 0; f < block->n_frames && !status; f++) {
        status = make_frame(t, block->frames[f], &(*frames)[f], error);
        *width += (*frames)[f].width;
    }
    return status;
}

static double share_forms_entry(const rt_share_frame *frame, int i, int column)
{
    return frame->T[i * frame->width + column];
}

/* to += a wrench held on the frame */
static routh_status add_held(rt_share_task *t, const rt_share_frame *frame, const double *wrench,
                             double *to, size_t stride, routh_error *error)
{
    double S[9], F[9], FS[9];
    rt_m3_skew(S, frame->arm);
    rt_m3_skew(F, wrench);
    rt_m3_mul(FS, F, S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[(size_t)(3 + i) * stride + 3 + j] += FS[3 * i + j];
            if (frame->flexible < 0) continue;
            to[(size_t)(3 + i) * stride + 6 + j] += F[3 * i + j];
            to[(size_t)(6 + i) * stride + 3 + j] -= F[3 * i + j];
        }
    if (frame->n == 0) return ROUTH_OK;
    const size_t n = (size_t)frame->n;
    double *bend = RT_TAKE(&t->scratch, double, n *n), *turn = RT_TAKE(&t->scratch, double, 3 * n);
    if (!bend || !turn) return rt_fail_memory(error);
    for (int k = 0; k < frame->n; k++) {
        double U[3], W[3], y[3];
        for (int i = 0; i < 3; i++) {
            U[i] = share_forms_entry(frame, i, 9 + k);
            W[i] = turn[i * frame->n + k] = share_forms_entry(frame, 3 + i, 9 + k);
        }
        rt_v3_cross(y, U, wrench);
        for (int i = 0; i < 3; i++) to[(size_t)(3 + i) * stride + 9 + k] += y[i];
        rt_v3_cross_add(y, W, wrench + 3);
        for (int i = 0; i < 3; i++) to[(size_t)(9 + k) * stride + 3 + i] += y[i];
    }
    rt_flexible_bending(t->s->m, t->s->w, frame->number, wrench, turn, bend);
    for (int k = 0; k < frame->n; k++)
        for (int l = 0; l < frame->n; l++)
            to[(size_t)(9 + k) * stride + 9 + l] += bend[k * frame->n + l];
    return ROUTH_OK;
}

/* to += T_f' P T_g, P 6 x 6 within rows of `wide` */
static void share_forms_add_product(const rt_share_frame *f, const rt_share_frame *g,
                                    const double *P, int wide, double *to, size_t stride)
{
    for (int l = 0; l < g->width; l++)
        for (int i = 0; i < 6; i++) {
            double sum = 0;
            for (int j = 0; j < 6; j++) sum += P[(size_t)i * wide + j] * share_forms_entry(g, j, l);
            if (sum == 0) continue;
            for (int k = 0; k < f->width; k++)
                to[(size_t)k * stride + l] += share_forms_entry(f, i, k) * sum;
        }
}

routh_status rt_share_carry(rt_share_task *t, const rt_block *block, const rt_share_frame *frames,
                            const double *P, const double *wrench, double *weight,
                            routh_error *error)
{
    const int wide = 6 * block->n_frames;
    size_t stride = 0, row = 0;
    routh_status status = ROUTH_OK;
    for (int f = 0; f < block->n_frames; f++) stride += (size_t)frames[f].width;
    for (int f = 0; f < block->n_frames && !status; f++) {
        size_t column = 0;
        for (int g = 0; g < block->n_frames; g++) {
            share_forms_add_product(&frames[f], &frames[g], P + (size_t)6 * f * wide + 6 * g, wide,
                                    weight + row * stride + column, stride);
            column += (size_t)frames[g].width;
        }
        if (t->s->m->marker_body[frames[f].marker] != RT_GROUND)
            status =
                add_held(t, &frames[f], wrench + 6 * f, weight + row * stride + row, stride, error);
        row += (size_t)frames[f].width;
    }
    return status;
}

void rt_share_carried_rows(const rt_share_task *t, const rt_share_frame *frame, double *rows)
{
    const routh_mechanism *m = t->s->m;
    const size_t n = (size_t)t->h->linear.n_states;
    const int body = m->marker_body[frame->marker];
    rt_share_frame_rows(t, body == RT_GROUND ? frame->marker : body, 0, rows);
    if (frame->flexible < 0) return;
    const rt_flexible_block *f = &m->flexible[frame->flexible];
    double C[9], *e = rows + 6 * n;
    centre_rows(t, f, e);
    rt_m3_skew(C, frame->centre);
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < n; j++) {
            rows[(size_t)i * n + j] += e[(size_t)i * n + j];
            for (int k = 0; k < 3; k++)
                rows[(size_t)i * n + j] -= C[3 * i + k] * rows[(size_t)(3 + k) * n + j];
        }
    for (int k = 0; k < frame->n; k++)
        rt_share_elastic_row(t, f->first + m->flexible_markers[frame->number].node->column[k], 0,
                             rows + (size_t)(9 + k) * n);
}
