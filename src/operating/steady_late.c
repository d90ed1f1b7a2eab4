/* The equations at a later time of the same motion, as further equations for it.
 *
 * At one instant a mechanism may be in balance though its motion cannot last: a mass on a spring
 * and a damper that moves on with v, the spring pulled by so much. What lasts holds at a later time
 * T too, with forces lambda_T and variables v_T of its own. The configuration there is a known
 * function of the unknowns. Per body, with R = R(Omega e T), R_a = R(a s T),
 * D as in rt_steady_displacement:
 *     r_T = r + D v + B a_O     dr_T  = R dr + D (dv by the motion) + B da_O
 *                                      + (D_Omega v + B_Omega a_O) dOmega
 *     A_T = R A R_a             eta_T = R_a' (eta + E T dOmega) + a (T ds + T^2/2 ds')
 *     s_T = s + s' T
 *     v_OT = R (v + a_O T) - Omega e x r_T        of any body
 *     a_OT = R a_O
 *     q_T = q                   dq_T = dq       of elastic coordinates
 * and the partials there are multiplied by these. */
#include "base/rotation.h"
#include "operating/steady.h"

void rt_steady_set_late(rt_steady_search *k, bool late)
{
    const rt_search *s = k->s;
    double rate = k->rate > 0 ? k->rate : 1;
    k->late = late;
    k->n_rows = late ? k->most_rows : k->n_equations;
    k->n_unknowns = late ? k->most_unknowns : k->n_columns;
    if (!late) return;
    const int last = k->acceleration >= 0 ? k->acceleration : k->n_motion;
    for (int i = RT_MOTION_RATE; i < last; i++) rate = fmax(rate, fabs(k->motion[i]));
    k->later = 0.73 / rate;
    const int n_x = s->m->model->n_control_states, n_v = s->m->model->n_variables;
    double *forces = k->motion + k->n_motion;
    memcpy(forces, s->state->lambda, (size_t)s->m->n_rows * sizeof *forces);
    memcpy(forces + s->m->n_rows, s->state->signal + 2 * n_x, (size_t)n_v * sizeof *forces);
}

routh_status rt_steady_evaluate_late(rt_steady_search *k, bool jacobian, routh_error *error)
{
    rt_search *s = k->s;
    const int n_x = s->m->model->n_control_states, n_v = s->m->model->n_variables;
    double *forces = k->motion + k->n_motion;
    rt_steady_keep(k, RT_STEADY_NOW);
    rt_steady_carry(k, k->later);
    memcpy(s->state->lambda, forces, (size_t)s->m->n_rows * sizeof *forces);
    memcpy(s->state->signal + 2 * n_x, forces + s->m->n_rows, (size_t)n_v * sizeof *forces);
    k->filled = &k->at_later;
    const routh_status status = rt_steady_evaluate_here(k, jacobian, error);
    k->filled = &k->whole;
    memcpy(k->kept_motion[RT_STEADY_NOW] + k->n_motion + s->m->n_rows, s->state->signal + 2 * n_x,
           (size_t)n_v * sizeof *forces); /* as the equations have made them */
    rt_steady_restore(k, RT_STEADY_NOW);
    return status;
}

/* ---- partials ------------------------------------------------------------------------------- */

/* What is the same for all bodies. */
typedef struct carried {
    double R[9], D[9], by_rate[9], B[9], B_by_rate[9];
} carried;

static void steady_late_turn_of(const rt_steady_search *k, double angle, const double axis[3],
                                double R[9])
{
    double theta[3];
    (void)k;
    rt_v3_scale(theta, angle, axis);
    rt_rotation_exp(R, theta);
}

static double *steady_late_whole(const rt_steady_search *k, int row, int column)
{
    return &k->whole.J[(size_t)(k->n_equations + row) + (size_t)k->most_rows * (size_t)column];
}

static double later(const rt_steady_search *k, int row, int column)
{
    return k->at_later.J[(size_t)row + (size_t)k->most_rows * (size_t)column];
}

static bool steady_late_is_acceleration(const rt_steady_search *k, int j)
{
    return k->acceleration >= 0 && j >= k->acceleration && j < k->acceleration + 3;
}

/* The number of the spin whose acceleration motion j is, or -1. */
static int steady_late_spin_of(const rt_steady_search *k, int j)
{
    return k->acceleration >= 0 && j >= k->acceleration + 3 ? j - k->acceleration - 3 : -1;
}

/* xi_T of body b by motion j. */
static void by_motion(const rt_steady_search *k, const carried *c, const double Ra[9], int b, int j,
                      double out[6])
{
    const size_t n = (size_t)k->s->m->n_u;
    const int spin = k->spin_of_body[b];
    double x[3], E[3];
    rt_m3_mul_v(out, c->D, &k->U[6 * (size_t)b + n * (size_t)j]);
    rt_v3_set(out + 3, 0, 0, 0);
    if (j == RT_MOTION_RATE) {
        rt_m3_mul_v(x, c->by_rate, k->s->state->u + 6 * (size_t)b);
        rt_v3_add(out, out, x);
        rt_m3_mul_v(x, c->B_by_rate, rt_steady_acceleration(k));
        rt_v3_add(out, out, x);
        rt_m3_tmul_v(x, k->s->w->bodies[b].A, k->e);
        rt_m3_tmul_v(E, Ra, x);
        rt_v3_scale(out + 3, k->later, E);
    }
    const int l = j - k->acceleration;
    for (int i = 0; i < 3 && steady_late_is_acceleration(k, j); i++) out[i] += c->B[3 * i + l];
    if (spin >= 0 && j == RT_MOTION_SPINS + spin)
        rt_v3_scale(out + 3, k->later, k->asked->spins[spin].axis);
    if (spin >= 0 && steady_late_spin_of(k, j) == spin)
        rt_v3_scale(out + 3, k->later * k->later / 2, k->asked->spins[spin].axis);
}

static void steady_late_add_body(const rt_steady_search *k, const carried *c, int b)
{
    const int spin = k->spin_of_body[b];
    double Ra[9];
    rt_m3_identity(Ra);
    if (spin >= 0)
        steady_late_turn_of(k, rt_steady_spin_angle(k, spin, k->later), k->asked->spins[spin].axis,
                            Ra);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < k->in_prescribed; i++) {
            double r = 0, a = 0;
            for (int l = 0; l < 3; l++) {
                r += later(k, i, 6 * b + l) * c->R[3 * l + j];
                a += later(k, i, 6 * b + 3 + l) * Ra[3 * j + l];
            }
            *steady_late_whole(k, i, 6 * b + j) += r;
            *steady_late_whole(k, i, 6 * b + 3 + j) += a;
        }
    for (int j = 0; j < k->n_motion; j++) {
        double out[6];
        by_motion(k, c, Ra, b, j, out);
        for (int l = 0; l < 6; l++)
            for (int i = 0; i < k->in_prescribed && out[l] != 0; i++)
                *steady_late_whole(k, i, k->at_motion + j) += later(k, i, 6 * b + l) * out[l];
    }
}

/* A change of v_O there, into the rows' partials by column. */
static void add_velocity(const rt_steady_search *k, int column, const double dv[3])
{
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < k->in_prescribed && dv[l] != 0; i++)
            *steady_late_whole(k, i, column) += later(k, i, k->at_motion + l) * dv[l];
}

/* da_OT = R da_O + T dOmega e x R a_O */
static void add_acceleration(const rt_steady_search *k, const carried *c)
{
    double a[3], turned[3];
    rt_m3_mul_v(a, c->R, rt_steady_acceleration(k));
    rt_v3_cross(turned, k->e, a);
    for (int i = 0; i < k->in_prescribed; i++)
        for (int l = 0; l < 3; l++) {
            const double by = later(k, i, k->at_motion + k->acceleration + l);
            for (int j = 0; j < 3; j++)
                *steady_late_whole(k, i, k->at_motion + k->acceleration + j) +=
                    by * c->R[3 * l + j];
            *steady_late_whole(k, i, k->at_motion + RT_MOTION_RATE) += by * k->later * turned[l];
        }
}

/* dv_OT = R (dv + T da_O) + T dOmega e x R (v + a_O T) - dOmega e x r_T - Omega e x dr_T, of the
 * first body. */
static void steady_late_add_motion(const rt_steady_search *k, const carried *c)
{
    const double rate = k->motion[RT_MOTION_RATE], *v = k->s->state->u;
    const size_t n = (size_t)k->s->m->n_u;
    double Ra[9], r[3], x[3], y[3];
    rt_m3_identity(Ra);
    for (int j = 0; j < 3; j++) { /* dr: R dv - Omega e x R dr = R (Omega e x dr) - the same = 0 */
        const double dr[3] = {j == 0, j == 1, j == 2};
        double dv[3], moved[3];
        rt_v3_cross(x, k->e, dr);
        rt_v3_scale(x, rate, x);
        rt_m3_mul_v(dv, c->R, x);
        rt_m3_mul_v(moved, c->R, dr);
        rt_v3_cross(x, k->e, moved);
        rt_v3_add_scaled(dv, -rate, x);
        add_velocity(k, j, dv);
    }
    for (int j = 0; j < k->n_motion; j++) {
        double dv[3], out[6];
        if (j >= RT_MOTION_SPINS && !steady_late_is_acceleration(k, j)) continue;
        rt_m3_mul_v(dv, c->R, &k->U[n * (size_t)j]);
        by_motion(k, c, Ra, 0, j, out);
        rt_v3_cross(x, k->e, out);
        rt_v3_add_scaled(dv, -rate, x);
        for (int i = 0; i < 3 && steady_late_is_acceleration(k, j); i++)
            dv[i] += k->later * c->R[3 * i + j - k->acceleration];
        if (j == RT_MOTION_RATE) {
            rt_v3_copy(y, v);
            rt_v3_add_scaled(y, k->later, rt_steady_acceleration(k));
            rt_m3_mul_v(x, c->R, y);
            rt_v3_cross(y, k->e, x);
            rt_v3_add_scaled(dv, k->later, y);
            rt_m3_mul_v(r, c->D, v);
            rt_v3_add(r, r, k->s->w->bodies[0].r);
            rt_m3_mul_v(x, c->B, rt_steady_acceleration(k));
            rt_v3_add(r, r, x);
            rt_v3_cross(x, k->e, r);
            rt_v3_sub(dv, dv, x);
        }
        add_velocity(k, k->at_motion + j, dv);
    }
    for (int j = RT_MOTION_RATE; j < k->n_motion; j++)
        for (int i = 0; i < k->in_prescribed && !steady_late_is_acceleration(k, j); i++)
            *steady_late_whole(k, i, k->at_motion + j) += later(k, i, k->at_motion + j);
    for (int j = RT_MOTION_RATE; j < k->n_motion; j++) { /* ds_T = T ds' */
        const int spin = steady_late_spin_of(k, j);
        for (int i = 0; i < k->in_prescribed && spin >= 0; i++)
            *steady_late_whole(k, i, k->at_motion + j) +=
                k->later * later(k, i, k->at_motion + RT_MOTION_SPINS + spin);
    }
    if (k->acceleration >= 0) add_acceleration(k, c);
}

static void add_others(const rt_steady_search *k)
{
    const int n_rows = k->s->m->n_rows, n_v = k->s->m->model->n_variables;
    for (int i = 0; i < k->in_prescribed; i++) {
        for (int j = k->s->m->first_elastic; j < k->s->m->n_u; j++)
            *steady_late_whole(k, i, j) = later(k, i, j);
        for (int j = k->at_x; j < k->at_variable; j++) *steady_late_whole(k, i, j) = later(k, i, j);
        for (int j = k->at_input; j < k->n_columns; j++)
            *steady_late_whole(k, i, j) = later(k, i, j);
        for (int j = 0; j < n_rows; j++)
            *steady_late_whole(k, i, k->n_columns + j) = later(k, i, k->at_lambda + j);
        for (int j = 0; j < n_v; j++)
            *steady_late_whole(k, i, k->n_columns + n_rows + j) = later(k, i, k->at_variable + j);
    }
}

void rt_steady_add_late(rt_steady_search *k, bool jacobian)
{
    const int n_rows = k->s->m->n_rows;
    const size_t n = (size_t)k->in_prescribed;
    memcpy(k->whole.F + k->n_equations, k->at_later.F, n * sizeof(double));
    memcpy(k->whole.row_unit + k->n_equations, k->at_later.row_unit, n * sizeof(double));
    memcpy(k->whole.own + k->n_equations, k->at_later.own, n * sizeof(double));
    for (int j = 0; j < n_rows; j++)
        k->column_unit[k->n_columns + j] = k->column_unit[k->at_lambda + j];
    if (!jacobian) return;
    carried c;
    steady_late_turn_of(k, k->motion[RT_MOTION_RATE] * k->later, k->e, c.R);
    rt_steady_displacement(k, k->later, c.D, c.by_rate);
    rt_steady_acceleration_displacement(k, k->later, c.B, c.B_by_rate);
    for (int b = 0; b < k->s->m->n_bodies; b++) steady_late_add_body(k, &c, b);
    steady_late_add_motion(k, &c);
    add_others(k);
}
