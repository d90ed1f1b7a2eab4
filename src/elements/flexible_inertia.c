/* The equations of a flexible body (Shabana, Dynamics of Multibody Systems, sec. 5.4-5.6, in the
 * Newton-Euler form of sec. 5.7), from its moments. In the frame's axes with g = A'(a - gravity)
 * and, of the deformed body (sums over k),
 *     c = first + a_k q_k,     C_l = B_l + q_k N_kl = int s S_l' dm,
 *     P = int s s' dm = second + q_l (B_l' + C_l),     J = tr P 1 - P + rotary,
 *     Z = int s s'_t' dm = q_l' C_l,     V_l = q_k' N_kl,     E_l = q_k'' N_kl
 * (s_t, s_tt the rates of s) and [X] = int a x b dm of X = int a b' dm:
 *     f   = m g + al x c + w x (w x c) + 2 w x a_k q_k' + a_k q_k''
 *     t   = c x g + J al + w x J w + 2 (tr Z 1 - Z') w + w x h_k q_k' + h_k q_k'' + [q_l'' C_l]
 *     r_l = a_l . g + ([C_l] + h_l) . al + w.C_l w - w^2 tr C_l + 2 w . [V_l] + tr E_l + M_lk q_k''
 *           + D_lk q_k' + K_lk q_k + bars (flexures)
 * With s2 there are a2_l = a_kl q_k, B2_l = B_kl q_k, and with q_k', q_k'' for q_k a2_l_t, a2_l_tt,
 * B2_l_t, B2_l_tt. The above then holds with a_l + a2_l for a_l and C_l + B2_l for C_l in r_l and,
 * added to the sums of the body,
 *     c: q_l a2_l / 2,   c_t: q_l' a2_l,   c_tt: q_l'' a2_l + q_l' a2_l_t,
 *     P: q_l (B2_l + B2_l') / 2,   Z: q_l' B2_l,   int s s_tt': q_l'' B2_l + q_l' B2_l_t:
 * Lagrange's equations of T + L2, which is bilinear in the undeformed body's motion and s2.
 * Sections that turn add (section_turn.h), with D_l = J1_l + 2 J2_kl q_k,
 *     J: J1_k q_k + J2_kl q_k q_l,   h_l: H_kl q_k,
 *     t: D_l q_l' w + H_kl q_k' q_l',   r_l: 2 w . A_kl q_k' - 1/2 w.D_l w.
 * By dw_b = A' dtheta', dal_b = A'(dtheta'' - w x dtheta'), dg = A'(dr'' + (a - gravity) x dtheta),
 * which follow from the variations of frames.h, and d(A f) = dtheta x A f + A df, the partials by
 * the frame are those by g, w, al. */
#include "elements/flexible_body.h"
#include "elements/flexible_moments.h"

static bool flexible_inertia_any(const rt_scalar *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return true;
    return false;
}

static void flexible_inertia_start(rt_flexible_body *b, const rt_scalar gravity[3])
{
    const rt_flexible *flexible = b->flexible;
    const rt_frame *frame = b->frame;
    rt_v3_sub(b->lifted, frame->a, gravity);
    rt_m3_tmul_v(b->a, frame->A, frame->a);
    rt_m3_tmul_v(b->gravity, frame->A, gravity);
    rt_m3_tmul_v(b->g, frame->A, b->lifted);
    rt_m3_tmul_v(b->w, frame->A, frame->w);
    rt_m3_tmul_v(b->al, frame->A, frame->al);
    b->w2 = rt_v3_dot(b->w, b->w);
    b->moves = flexible_inertia_any(b->state->u, flexible->n) ||
               flexible_inertia_any(b->state->udot, flexible->n);
    b->turns = flexible_inertia_any(b->w, 3) || flexible_inertia_any(b->al, 3);
    b->bends =
        flexible->J2 && (b->moves || b->turns || flexible_inertia_any(b->state->q, flexible->n));
    RT_TAKE_CONSTANTS(b->c, flexible, b->slope, first, 0, 3);
    RT_TAKE_CONSTANTS(b->P, flexible, b->slope, second, 0, 9);
}

static void flexible_inertia_gather(const rt_flexible_body *b, int l, rt_flexible_deformed *x)
{
    const rt_flexible *flexible = b->flexible;
    const rt_pattern *p = &flexible->pattern;
    *x = (rt_flexible_deformed){0};
    RT_TAKE_CONSTANTS(x->h, flexible, b->slope, h, 3 * l, 3);
    RT_TAKE_CONSTANTS(x->a, flexible, b->slope, a, 3 * l, 3);
    RT_TAKE_CONSTANTS(x->C, flexible, b->slope, B, 9 * l, 9);
    rt_flexible_add_column(x->C, flexible, b->slope, l, b->state->q);
    for (int e = p->start[l]; e < p->start[l + 1] && b->moves; e++) {
        const rt_scalar u = b->state->u[p->row[e]], udot = b->state->udot[p->row[e]];
        rt_scalar N[9];
        RT_TAKE_CONSTANTS(N, flexible, b->slope, N, 9 * (size_t)e, 9);
        for (int i = 0; i < 9; i++) {
            x->V[i] += u * N[i];
            x->E[i] += udot * N[i];
        }
    }
}

static void add_to_body(rt_flexible_body *b, int l, const rt_flexible_deformed *x)
{
    const rt_scalar q = b->state->q[l], u = b->state->u[l], udot = b->state->udot[l];
    rt_scalar B[9];
    RT_TAKE_CONSTANTS(B, b->flexible, b->slope, B, 9 * l, 9);
    rt_v3_add_scaled(b->c, q, x->a);
    rt_v3_add_scaled(b->c_t, u, x->a);
    rt_v3_add_scaled(b->c_tt, udot, x->a);
    rt_v3_add_scaled(b->h_t, u, x->h);
    rt_v3_add_scaled(b->h_tt, udot, x->h);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b->P[3 * i + j] += q * (B[3 * j + i] + x->C[3 * i + j]);
    for (int i = 0; i < 9 && b->moves; i++) b->Z[i] += u * x->C[i];
    for (int i = 0; i < 9 && b->moves; i++) b->Z_tt[i] += udot * x->C[i];
}

/* The terms of s2, to the sums of the body and to those of the coordinate */
static void flexible_inertia_add_second(rt_flexible_body *b, int l, rt_flexible_deformed *x)
{
    const rt_scalar q = b->state->q[l], u = b->state->u[l], udot = b->state->udot[l];
    rt_scalar a[3] = {0}, B[9] = {0};
    rt_flexible_add_second(a, B, b->flexible, b->slope, l, b->state->q);
    rt_v3_add_scaled(b->c, q / 2, a);
    rt_v3_add(x->a, x->a, a);
    for (int i = 0; i < 9; i++) {
        b->P[i] += q / 2 * (B[i] + B[3 * (i % 3) + i / 3]);
        x->C[i] += B[i];
    }
    if (!b->moves) return;
    rt_flexible_add_second(x->a_t, x->B_t, b->flexible, b->slope, l, b->state->u);
    rt_flexible_add_second(x->a_tt, x->B_tt, b->flexible, b->slope, l, b->state->udot);
    rt_v3_add_scaled(b->c_t, u, a);
    rt_v3_add_scaled(b->c_tt, udot, a);
    rt_v3_add_scaled(b->c_tt, u, x->a_t);
    for (int i = 0; i < 9; i++) {
        b->Z[i] += u * B[i];
        b->Z_tt[i] += udot * B[i] + u * x->B_t[i];
    }
}

/* The part of r_l that is inertia and weight, without M. */
static void add_inertia(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                        rt_flexible_result *out)
{
    rt_scalar Cw[3], moment[3];
    rt_m3_mul_v(Cw, x->C, b->w);
    rt_m3_moment(moment, x->V);
    rt_flexible_contribute(out, l, rt_v3_dot(x->a, b->a));
    rt_flexible_contribute(out, l, -rt_v3_dot(x->a, b->gravity));
    rt_flexible_contribute(out, l, rt_v3_dot(x->turn, b->al));
    rt_flexible_contribute(out, l, rt_v3_dot(b->w, Cw) - b->w2 * rt_m3_trace(x->C));
    rt_flexible_contribute(out, l, 2 * rt_v3_dot(b->w, moment));
    rt_flexible_contribute(out, l, rt_m3_trace(x->E));
}

/* What flexures have together is of this size in parts. */
static void note_size(rt_flexible_result *out, int k, rt_scalar term)
{
    if (out->scale) out->scale[k] = fmax(out->scale[k], fabs(rt_re(term)));
}

/* What the matrices say of q_l, q_l', q_l''; flexures have the elastic force of K. */
static void flexible_inertia_add_matrices(const rt_flexible_body *b, int l, rt_flexible_result *out)
{
    const rt_flexible *flexible = b->flexible, *slope = b->slope;
    const rt_pattern *p = &flexible->pattern;
    const rt_scalar q = b->state->q[l], u = b->state->u[l], udot = b->state->udot[l];
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        const rt_scalar force = RT_SHAPE_NUMBER(flexible, slope, K, e) * q;
        if (flexible->n_flexures)
            note_size(out, p->row[e], force);
        else
            rt_flexible_contribute(out, p->row[e], force);
        if (!b->moves) continue;
        rt_flexible_contribute(out, p->row[e], RT_SHAPE_NUMBER(flexible, slope, M, e) * udot);
        rt_flexible_contribute(out, p->row[e], RT_SHAPE_NUMBER(flexible, slope, D, e) * u);
    }
}

/* a_kl . g + [B_kl] . al + w.B_kl w - w^2 tr B_kl */
static rt_scalar second_stiffness(const rt_flexible_body *b, int e)
{
    rt_scalar a[3], B[9];
    RT_TAKE_CONSTANTS(a, b->flexible, b->slope, a2, 3 * (size_t)e, 3);
    RT_TAKE_CONSTANTS(B, b->flexible, b->slope, B2, 9 * (size_t)e, 9);
    rt_scalar moment[3], Bw[3];
    if (!b->turns) return rt_v3_dot(a, b->g);
    rt_m3_moment(moment, B);
    rt_m3_mul_v(Bw, B, b->w);
    return rt_v3_dot(a, b->g) + rt_v3_dot(moment, b->al) + rt_v3_dot(b->w, Bw) -
           b->w2 * rt_m3_trace(B);
}

/* d r_k / d(q_l, q_l', q_l''), column l: N_lk = N_kl', so that [N_lk] = - [N_kl] */
static void fill_inner(const rt_flexible_body *b, int l, rt_flexible_result *out)
{
    const bool second = out->inner[0] && b->flexible->a2;
    const rt_flexible *flexible = b->flexible, *slope = b->slope;
    const rt_pattern *p = &flexible->pattern;
    for (int e = p->start[l]; e < p->start[l + 1]; e++) {
        rt_scalar moment[3], Nw[3], N[9];
        RT_TAKE_CONSTANTS(N, flexible, slope, N, 9 * (size_t)e, 9);
        const rt_scalar trace = rt_m3_trace(N);
        if (out->inner[0])
            out->inner[0][e] = flexible->n_flexures ? 0 : RT_SHAPE_NUMBER(flexible, slope, K, e);
        if (second) out->inner[0][e] += second_stiffness(b, e);
        if (out->inner[1]) out->inner[1][e] = RT_SHAPE_NUMBER(flexible, slope, D, e);
        if (out->inner[2]) out->inner[2][e] = RT_SHAPE_NUMBER(flexible, slope, M, e) + trace;
        if (!b->turns) continue;
        if (b->bends) rt_flexible_turning_inner(b, e, out);
        rt_m3_moment(moment, N);
        rt_m3_mul_v(Nw, N, b->w);
        if (out->inner[0])
            out->inner[0][e] += rt_v3_dot(b->w, Nw) - rt_v3_dot(b->al, moment) - b->w2 * trace;
        if (out->inner[1]) out->inner[1][e] -= 2 * rt_v3_dot(b->w, moment);
    }
}

/* Column l of the 6 x n matrix X = A (force, torque) */
static void flexible_inertia_put_column(const rt_flexible_body *b, rt_scalar *X, int l,
                                        const rt_scalar force[3], const rt_scalar torque[3])
{
    const int n = b->flexible->n;
    rt_scalar world[6];
    if (!X) return;
    rt_m3_mul_v(world, b->frame->A, force);
    rt_m3_mul_v(world + 3, b->frame->A, torque);
    for (int i = 0; i < 6; i++) X[(size_t)n * (size_t)i + (size_t)l] = world[i];
}

/* y += (2 tr C 1 - C - C') x, what q_l adds to J x */
static void add_inertia_change(rt_scalar y[3], const rt_scalar C[9], const rt_scalar x[3])
{
    rt_scalar Cx[3], turned[3];
    rt_m3_mul_v(Cx, C, x);
    rt_m3_turn(turned, C, x);
    for (int i = 0; i < 3; i++) y[i] += turned[i] + rt_m3_trace(C) * x[i] - Cx[i];
}

/* d f / d q_l = al x a_l + w x (w x a_l) + 2 w x a2_l_t + a2_l_tt
 * d t / d q_l = a_l x g + J_l al + w x J_l w + 2 (tr Z_l 1 - Z_l') w + [B2_l_tt] - [E_l],
 *               J_l = 2 tr C_l 1 - C_l - C_l',   Z_l = V_l' + B2_l_t */
static void fill_by_position(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                             rt_flexible_result *out)
{
    rt_scalar wa[3], force[3], torque[3], Jw[3] = {0}, Z[9], Zw[3], E[9], moment[3];
    rt_v3_cross(wa, b->w, x->a);
    rt_v3_add_scaled(wa, 2, x->a_t);
    rt_v3_cross(force, b->al, x->a);
    rt_v3_cross_add(force, b->w, wa);
    rt_v3_add(force, force, x->a_tt);
    rt_v3_cross(torque, x->a, b->g);
    add_inertia_change(torque, x->C, b->al);
    add_inertia_change(Jw, x->C, b->w);
    rt_v3_cross_add(torque, b->w, Jw);
    for (int i = 0; i < 9; i++) {
        Z[i] = x->V[3 * (i % 3) + i / 3] + x->B_t[i];
        E[i] = x->B_tt[i] - x->E[i];
    }
    rt_m3_turn(Zw, Z, b->w);
    rt_m3_moment(moment, E);
    rt_v3_add_scaled(torque, 2, Zw);
    rt_v3_add(torque, torque, moment);
    if (b->bends) rt_flexible_turning_by_position(b, x, torque);
    flexible_inertia_put_column(b, out->by_elastic[0], l, force, torque);
}

/* d f / d q_l' = 2 (w x a_l + a2_l_t),  d t / d q_l' = 2 ((tr C_l 1 - C_l') w + [B2_l_t]) + w x h_l
 *                                                      + D_l w + 2 S_kl q_k'
 * d f / d q_l'' = a_l,                  d t / d q_l'' = [C_l] + h_l */
static void fill_by_rates(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                          rt_flexible_result *out)
{
    rt_scalar force[3], torque[3], moment[3];
    rt_v3_cross(force, b->w, x->a);
    rt_v3_add(force, force, x->a_t);
    rt_m3_turn(torque, x->C, b->w);
    rt_m3_moment(moment, x->B_t);
    rt_v3_add(torque, torque, moment);
    rt_v3_add(torque, torque, x->even_t);
    rt_v3_scale(force, 2, force);
    rt_v3_scale(torque, 2, torque);
    rt_v3_cross_add(torque, b->w, x->h);
    rt_m3_mul_v(moment, x->D, b->w);
    rt_v3_add(torque, torque, moment);
    flexible_inertia_put_column(b, out->by_elastic[1], l, force, torque);
    flexible_inertia_put_column(b, out->by_elastic[2], l, x->a, x->turn);
}

/* Row l: by dr and by dtheta, world. */
static void put_row(rt_scalar *X, int l, const rt_scalar by_dr[3], const rt_scalar by_turn[3])
{
    if (!X) return;
    rt_v3_copy(X + 6 * l, by_dr);
    rt_v3_copy(X + 6 * l + 3, by_turn);
}

/* d r_l = a_l . dg + ([C_l] + h_l) . dal + y . dw,   y = (C_l + C_l') w - 2 tr C_l w + 2 [V_l]
 *         + 2 A_kl q_k' - D_l w,   turned to the world */
static void fill_by_frame(const rt_flexible_body *b, int l, const rt_flexible_deformed *x,
                          rt_flexible_result *out)
{
    static const rt_scalar none[3];
    const rt_scalar *A = b->frame->A;
    rt_scalar Cw[3], Dw[3], y[3], a[3], turn[3], by[3], moment[3];
    rt_m3_mul_v(Cw, x->C, b->w);
    rt_m3_mul_v(Dw, x->D, b->w);
    rt_m3_tmul_v(y, x->C, b->w);
    rt_m3_moment(moment, x->V);
    for (int i = 0; i < 3; i++)
        y[i] += Cw[i] - 2 * rt_m3_trace(x->C) * b->w[i] + 2 * moment[i] + 2 * x->odd_t[i] - Dw[i];
    rt_m3_mul_v(a, A, x->a);
    rt_m3_mul_v(turn, A, x->turn);
    rt_v3_cross(by, a, b->lifted);
    put_row(out->by_frame[0], l, none, by);
    rt_m3_mul_v(by, A, y);
    rt_v3_cross_add(by, b->frame->w, turn);
    put_row(out->by_frame[1], l, none, by);
    put_row(out->by_frame[2], l, a, turn);
}

static void fill_wrench(const rt_flexible_body *b, const rt_scalar J[9], rt_flexible_result *out)
{
    const rt_scalar m = rt_flexible_mass(b->flexible, b->slope), *w = b->w;
    rt_scalar f[3], t[3], x[3], Jw[3], weight[3];
    rt_v3_cross(x, w, b->c);
    rt_v3_add_scaled(x, 2, b->c_t);
    rt_v3_cross(f, w, x);
    rt_v3_cross_add(f, b->al, b->c);
    rt_v3_add(f, f, b->c_tt);
    rt_v3_add_scaled(f, m, b->g);
    rt_m3_mul_v(t, J, b->al);
    rt_v3_cross_add(t, b->c, b->g);
    rt_m3_mul_v(Jw, J, w);
    rt_v3_add(Jw, Jw, b->h_t);
    rt_v3_cross_add(t, w, Jw);
    rt_m3_turn(x, b->Z, w);
    rt_v3_add_scaled(t, 2, x);
    rt_v3_add(t, t, b->h_tt);
    rt_m3_mul_v(x, b->J_t, w);
    rt_v3_add(t, t, x);
    rt_v3_add(t, t, b->H_t);
    rt_m3_moment(x, b->Z_tt);
    rt_v3_add(t, t, x);
    rt_m3_mul_v(out->wrench, b->frame->A, f);
    rt_m3_mul_v(out->wrench + 3, b->frame->A, t);
    rt_v3_scale(weight, -1, b->gravity);
    rt_v3_cross(x, b->c, weight);
    rt_v3_scale(weight, m, weight);
    rt_m3_mul_v(out->weight, b->frame->A, weight);
    rt_m3_mul_v(out->weight + 3, b->frame->A, x);
}

void rt_flexible_evaluate(const rt_flexible *flexible, const rt_flexible *slope,
                          const rt_frame *frame, const rt_elastic_state *state,
                          const rt_scalar gravity[3], bool partials, rt_flexible_result *out)
{
    rt_flexible_body b = {.flexible = flexible, .slope = slope, .frame = frame, .state = state};
    rt_scalar J[9];
    flexible_inertia_start(&b, gravity);
    memset(out->elastic, 0, (size_t)flexible->n * sizeof *out->elastic);
    if (out->scale) memset(out->scale, 0, (size_t)flexible->n * sizeof *out->scale);
    for (int l = 0; l < flexible->n; l++) {
        rt_flexible_deformed x;
        flexible_inertia_gather(&b, l, &x);
        if (b.bends) rt_flexible_turning_gather(&b, l, &x);
        add_to_body(&b, l, &x);
        if (b.bends) rt_flexible_turning_add(&b, l, &x);
        if (flexible->a2) flexible_inertia_add_second(&b, l, &x);
        rt_m3_moment(x.turn, x.C);
        rt_v3_add(x.turn, x.turn, x.h);
        add_inertia(&b, l, &x, out);
        if (b.bends) rt_flexible_turning_force(&b, l, &x, out);
        flexible_inertia_add_matrices(&b, l, out);
        if (!partials) continue;
        fill_inner(&b, l, out);
        fill_by_position(&b, l, &x, out);
        fill_by_rates(&b, l, &x, out);
        fill_by_frame(&b, l, &x, out);
    }
    for (int k = 0; k < flexible->n_bars; k++) rt_flexible_add_bar(&b, k, partials, out);
    for (int k = 0; k < flexible->n_flexures; k++) rt_flexible_add_flexure(&b, k, partials, out);
    rt_flexible_inertia_of(J, flexible, slope, b.P);
    for (int i = 0; i < 9; i++) J[i] += b.J[i];
    fill_wrench(&b, J, out);
    if (partials) rt_flexible_fill_frame(&b, J, out);
}
