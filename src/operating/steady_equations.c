/* The equations of a steady motion and their exact partials.
 *
 * With u = u(xi, motion), u' = u'(xi, motion), per body, dr and eta its displacement and body-fixed
 * rotation, E = A'e, dE = E x eta:
 *     dv  = Omega e x dr + dv_O + e x r dOmega          dw  = Omega dE + E dOmega + a ds
 *     dv' = Omega e x dv + e x v dOmega + da_O          dw' = Omega s dE x a + E x a (s dOmega +
 *                                                                          Omega ds) + a ds'
 * and of elastic coordinates du = du' = 0;
 * every equation h(xi, u, u', lambda, signals) has dh = h_x xi + h_u du + h_a du' + ... */
#include "operating/steady.h"

static double *steady_equations_entry(const rt_steady_search *k, int row, int column)
{
    return &k->filled->J[(size_t)row + (size_t)k->most_rows * (size_t)column];
}

static void put_block(double out[36], int at, double factor, const double S[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[6 * (at + i) + at + j] = factor * S[3 * i + j];
}

void rt_steady_rates_by_place(const rt_steady_search *k, int b, rt_body_rates *out)
{
    const int spin = k->spin_of_body[b];
    const double rate = k->motion[RT_MOTION_RATE];
    double E[3], S[9], SS[9], a[9];
    *out = (rt_body_rates){0};
    rt_m3_skew(S, k->e);
    rt_m3_mul(SS, S, S);
    put_block(out->U, 0, rate, S);
    put_block(out->A, 0, rate * rate, SS);
    rt_m3_tmul_v(E, k->s->w->bodies[b].A, k->e);
    rt_m3_skew(S, E);
    put_block(out->U, 3, rate, S);
    if (spin < 0) return;
    rt_m3_skew(a, k->asked->spins[spin].axis);
    rt_m3_mul(SS, a, S);
    put_block(out->A, 3, -rate * k->motion[RT_MOTION_SPINS + spin], SS);
}

static void rates_by_motion(rt_steady_search *k, int b)
{
    const size_t n = (size_t)k->s->m->n_u, at = 6 * (size_t)b;
    const int spin = k->spin_of_body[b];
    const double rate = k->motion[RT_MOTION_RATE], *v = k->s->state->u + at;
    double E[3], turn[3], x[3], Ea[3];
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {i == 0, i == 1, i == 2};
        k->U[at + (size_t)i + n * (size_t)i] = 1;
        rt_v3_cross(x, k->e, axis);
        rt_v3_scale(&k->A[at + n * (size_t)i], rate, x);
    }
    for (int i = 0; i < 3 && k->acceleration >= 0; i++)
        k->A[at + (size_t)i + n * (size_t)(k->acceleration + i)] = 1;
    double *U = &k->U[at + n * RT_MOTION_RATE], *A = &k->A[at + n * RT_MOTION_RATE];
    rt_m3_tmul_v(E, k->s->w->bodies[b].A, k->e);
    rt_v3_cross(turn, k->e, k->s->w->bodies[b].r);
    rt_v3_copy(U, turn);
    rt_v3_copy(U + 3, E);
    rt_v3_cross(A, k->e, v);
    rt_v3_cross(x, k->e, turn);
    rt_v3_add_scaled(A, rate, x);
    if (spin < 0) return;
    const double *a = k->asked->spins[spin].axis, s = k->motion[RT_MOTION_SPINS + spin];
    rt_v3_cross(Ea, E, a);
    rt_v3_scale(A + 3, s, Ea);
    if (k->acceleration >= 0)
        rt_v3_copy(&k->A[at + 3 + n * (size_t)(k->acceleration + 3 + spin)], a);
    rt_v3_copy(&k->U[at + 3 + n * (size_t)(RT_MOTION_SPINS + spin)], a);
    rt_v3_scale(&k->A[at + 3 + n * (size_t)(RT_MOTION_SPINS + spin)], rate, Ea);
}

/* ---- partials ------------------------------------------------------------------------------- */

/* by_u du + by_a du' of column c of u in one row, spread over the columns of y; nothing of an
 * elastic one. */
static void steady_equations_spread(const rt_steady_search *k, const rt_body_rates *of, int row,
                                    int c, double by_u, double by_a)
{
    const int b = c / 6, i = c % 6;
    const size_t n = (size_t)k->s->m->n_u;
    if (c >= k->s->m->first_elastic) return;
    for (int j = 0; j < 6; j++)
        *steady_equations_entry(k, row, 6 * b + j) +=
            by_u * of->U[6 * i + j] + by_a * of->A[6 * i + j];
    for (int j = 0; j < k->n_motion; j++)
        *steady_equations_entry(k, row, k->at_motion + j) +=
            by_u * k->U[(size_t)c + n * (size_t)j] + by_a * k->A[(size_t)c + n * (size_t)j];
}

/* The column of a signal, or -1 of those that are held. */
static int steady_equations_column_of(const rt_steady_search *k, int place)
{
    const int n_x = k->s->m->model->n_control_states, n_v = k->s->m->model->n_variables;
    if (place < n_x) return k->drifts[place] ? -1 : k->at_x + place;
    if (place < 2 * n_x) return k->drifts[place - n_x] ? k->at_x + place - n_x : -1;
    if (place < 2 * n_x + n_v) return k->at_variable + place - 2 * n_x;
    for (int i = 0; i < k->asked->n_free; i++)
        if (k->asked->free[i] == place - 2 * n_x - n_v) return k->at_input + i;
    return -1;
}

/* Columns of the configuration: those of a body with its rates, or elastic ones. */
static void by_columns(const rt_steady_search *k, const rt_body_rates *of, int first, int last)
{
    const routh_mechanism *m = k->s->m;
    const rt_workspace *w = k->s->w;
    const rt_pattern *K = &m->pattern_K, *M = &m->pattern_M, *G = &m->pattern_G;
    for (int c = first; c < last; c++) {
        for (int p = K->start[c]; p < K->start[c + 1]; p++) {
            *steady_equations_entry(k, K->row[p], c) += w->K[p];
            steady_equations_spread(k, of, K->row[p], c, w->D[p], 0);
        }
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            steady_equations_spread(k, of, M->row[p], c, 0, w->M[p]);
        for (int p = G->start[c]; p < G->start[c + 1]; p++) {
            const int r = G->row[p];
            *steady_equations_entry(k, c, k->at_lambda + r) += w->G[p];
            if (!m->nonholonomic[r]) *steady_equations_entry(k, k->in_phi + r, c) += w->G[p];
            *steady_equations_entry(k, k->in_rates + r, c) += w->Vx[p];
            steady_equations_spread(k, of, k->in_rates + r, c, w->G[p], 0);
        }
    }
}

static void steady_equations_pushes(const rt_steady_search *k)
{
    const routh_mechanism *m = k->s->m;
    const rt_pattern *L = &m->pattern_L, *R = &m->pattern_R;
    for (int r = 0; r < m->n_rows; r++)
        for (int p = L->start[r]; p < L->start[r + 1]; p++)
            *steady_equations_entry(k, L->row[p], k->at_lambda + r) += k->s->w->L[p];
    for (int i = 0; i < m->n_signals; i++) {
        const int column = steady_equations_column_of(k, i);
        for (int p = R->start[i]; p < R->start[i + 1] && column >= 0; p++)
            *steady_equations_entry(k, R->row[p], column) += k->s->w->L[p];
    }
    for (int i = 0; i < m->n_driven; i++) {
        const int first = m->n_signals - m->model->n_inputs;
        const int column = steady_equations_column_of(k, first + m->driven[i].input);
        if (column < 0) continue;
        *steady_equations_entry(k, k->in_phi + m->driven[i].row, column) += k->s->w->drive[3 * i];
        *steady_equations_entry(k, k->in_rates + m->driven[i].row, column) +=
            k->s->w->drive[3 * i + 1];
    }
}

/* While the mechanism relaxes: r + M (w xi' + U y'), g(x') and p' / w + p, with changes over a step
 * of time, xi' = xi / h, of the configuration, the motion and states (steady_relax.c). */
static void add_changes_in_time(const rt_steady_search *k)
{
    const rt_pattern *M = &k->s->m->pattern_M;
    const double *value = k->s->w->M;
    const int n_x = k->s->m->model->n_control_states;
    const size_t n = (size_t)k->s->m->n_u;
    for (int c = 0; c < k->s->m->n_u; c++)
        for (int p = M->start[c]; p < M->start[c + 1]; p++) {
            *steady_equations_entry(k, M->row[p], c) += k->damping * k->per_step * value[p];
            for (int j = 0; j < k->n_motion; j++)
                *steady_equations_entry(k, M->row[p], k->at_motion + j) +=
                    k->per_step * value[p] * k->U[(size_t)c + n * (size_t)j];
        }
    for (int i = 0; k->s->signals && i < k->s->signals->n; i++) {
        const rt_sensor_row *row = &k->s->signals->rows[i];
        for (int l = 0; l < row->n_signals; l++) {
            const int x = row->signals[l] - n_x;
            if (x >= 0 && x < n_x && !k->drifts[x])
                *steady_equations_entry(k, k->in_signals + i, k->at_x + x) +=
                    k->per_step * row->by_signal[l];
        }
    }
    for (int i = k->in_prescribed; i < k->in_gauge; i++)
        for (int j = 0; j < k->n_columns; j++)
            *steady_equations_entry(k, i, j) *= 1 + k->per_step / k->damping;
}

static void sensor(const rt_steady_search *k, const rt_sensor_row *row, int at)
{
    rt_body_rates of;
    int body = -1;
    for (int i = 0; i < row->n_columns; i++) {
        const int c = row->columns[i];
        if (c < k->s->m->first_elastic && c / 6 != body)
            rt_steady_rates_by_place(k, body = c / 6, &of);
        *steady_equations_entry(k, at, c) += row->by_x[i];
        steady_equations_spread(k, &of, at, c, row->by_u[i], row->by_a[i]);
    }
    for (int i = 0; i < row->n_lambda; i++)
        *steady_equations_entry(k, at, k->at_lambda + row->lambda[i]) += row->by_lambda[i];
    for (int i = 0; i < row->n_signals; i++) {
        const int column = steady_equations_column_of(k, row->signals[i]);
        if (column >= 0) *steady_equations_entry(k, at, column) += row->by_signal[i];
    }
}

/* Directions that are no change of the motion, and that no step takes: the way it goes, and the
 * angle of every spin. */
static void gauge(const rt_steady_search *k)
{
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const rt_frame *f = &k->s->w->bodies[b];
        const int spin = k->spin_of_body[b];
        double E[3];
        rt_m3_tmul_v(E, f->A, k->e);
        rt_v3_scale(E, k->motion[RT_MOTION_RATE] * pow(k->s->m->length, 2), E);
        for (int i = 0; i < 3; i++) {
            *steady_equations_entry(k, k->in_gauge, 6 * b + i) = f->v[i];
            *steady_equations_entry(k, k->in_gauge, 6 * b + 3 + i) = E[i];
            if (spin >= 0)
                *steady_equations_entry(k, k->in_gauge + 1 + spin, 6 * b + 3 + i) =
                    k->asked->spins[spin].axis[i];
        }
    }
}

/* Row r changes with time itself: Phi' - G u = Phi_t is not zero. Only of rows that read the time:
 * of the others the difference is rounding, of terms that may be rounding, too. */
static bool steady_equations_is_driven(const rt_steady_search *k, int r)
{
    const rt_search *s = k->s;
    if (!k->timed[r]) return false;
    double left = s->w->phi[1][r], size = fabs(left);
    for (int c = 0; c < s->m->n_u && !s->m->nonholonomic[r]; c++) {
        const double term = *steady_equations_entry(k, k->in_phi + r, c) * s->state->u[c];
        left -= term, size += fabs(term);
    }
    return !s->m->nonholonomic[r] && fabs(left) > 1e-9 * size;
}

/* What the direction of a gauge does to row r, over the size of its terms. */
static double moves_row(const rt_steady_search *k, int row, int r)
{
    const double turned = row == k->in_gauge ? pow(k->s->m->length, 2) : 1;
    double sum = 0, size = 0;
    for (int c = 0; c < k->s->m->n_u; c++) {
        const double unit = c % 6 < 3 ? 1 : turned;
        const double term = *steady_equations_entry(k, k->in_phi + r, c) *
                            *steady_equations_entry(k, row, c) / unit;
        sum += term, size += fabs(term);
    }
    return size > 0 ? sum / size : 0;
}

/* A motion as a function of time says where on its way the mechanism is: there the way it goes is
 * no free direction, and the gauge would ask for too much. */
static void drop_held_gauges(const rt_steady_search *k)
{
    for (int r = 0; r < k->s->m->n_rows; r++) {
        if (!steady_equations_is_driven(k, r)) continue;
        for (int row = k->in_gauge; row < k->in_felt; row++)
            if (fabs(moves_row(k, row, r)) > 1e-6)
                for (int c = 0; c < k->s->m->n_u; c++) *steady_equations_entry(k, row, c) = 0;
    }
}

/* The force of each body in its own axes, f' = A'f, df' = A'df + f' x eta, so that nothing changes
 * where all turns together, out of balance too. */
static void turn_into_body_axes(const rt_steady_search *k, bool jacobian)
{
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const double *A = k->s->w->bodies[b].A;
        double *F = k->filled->F + 6 * (size_t)b, x[3], S[9];
        rt_m3_tmul_v(x, A, F);
        rt_v3_copy(F, x);
        for (int j = 0; j < k->n_columns && jacobian; j++) {
            double *column = steady_equations_entry(k, 6 * b, j);
            rt_m3_tmul_v(x, A, column);
            rt_v3_copy(column, x);
        }
        if (!jacobian) continue;
        rt_m3_skew(S, F);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                *steady_equations_entry(k, 6 * b + i, 6 * b + 3 + j) += S[3 * i + j];
    }
}

/* While the mechanism settles nothing is asked of the motion, and it may go on its way; the angles
 * of free spins change by these. */
static void ask_nothing(const rt_steady_search *k)
{
    memset(k->filled->F + k->in_prescribed, 0,
           (size_t)(k->in_gauge - k->in_prescribed) * sizeof *k->filled->F);
}

static bool settling_drops(const rt_steady_search *k, int row)
{
    const int spin = row - k->in_gauge - 1;
    return spin < 0 || spin >= k->asked->n_spins || k->asked->spins[spin].rate_given;
}

static void drop_while_settling(const rt_steady_search *k)
{
    for (int row = k->in_prescribed; row < k->in_felt; row++)
        for (int c = 0; c < k->n_columns && settling_drops(k, row); c++)
            *steady_equations_entry(k, row, c) = 0;
}

static void fill_jacobian(rt_steady_search *k)
{
    const routh_mechanism *m = k->s->m;
    memset(k->filled->J, 0, (size_t)k->most_rows * (size_t)k->most_unknowns * sizeof *k->filled->J);
    memset(k->U, 0, 2 * (size_t)m->n_u * (size_t)k->n_motion * sizeof *k->U);
    for (int b = 0; b < m->n_bodies; b++) rates_by_motion(k, b);
    for (int b = 0; b < m->n_bodies; b++) {
        rt_body_rates of;
        rt_steady_rates_by_place(k, b, &of);
        by_columns(k, &of, 6 * b, 6 * b + 6);
    }
    by_columns(k, NULL, m->first_elastic, m->n_u);
    steady_equations_pushes(k);
    for (int i = 0; k->s->signals && i < k->s->signals->n; i++)
        sensor(k, &k->s->signals->rows[i], k->in_signals + i);
    for (int i = 0; i < k->asked->n_prescribed; i++)
        sensor(k, &k->prescribed[i], k->in_prescribed + i);
    *steady_equations_entry(k, k->in_turn, k->at_motion + RT_MOTION_RATE) =
        k->asked->turn_rate_given;
    for (int i = 0; i < k->asked->n_spins; i++)
        *steady_equations_entry(k, k->in_turn + 1 + i, k->at_motion + RT_MOTION_SPINS + i) =
            k->asked->spins[i].rate_given;
    if (k->per_step > 0) add_changes_in_time(k);
    gauge(k);
    drop_held_gauges(k);
    if (k->settles) drop_while_settling(k);
}

/* ---- values --------------------------------------------------------------------------------- */

static void fill_values(rt_steady_search *k)
{
    const rt_search *s = k->s;
    const rt_steady *asked = k->asked;
    double *F = k->filled->F;
    memset(F, 0, (size_t)k->n_equations * sizeof *F);
    memcpy(F, s->w->residual, (size_t)s->m->n_u * sizeof *F);
    for (int r = 0; r < s->m->n_rows; r++) {
        F[k->in_phi + r] = s->m->nonholonomic[r] ? 0 : s->w->phi[0][r];
        F[k->in_rates + r] = s->w->phi[1][r];
    }
    for (int i = 0; s->signals && i < s->signals->n; i++)
        F[k->in_signals + i] = s->signals->rows[i].value;
    for (int i = 0; i < asked->n_prescribed; i++)
        F[k->in_prescribed + i] = k->prescribed[i].value - asked->prescribed[i].value.value;
    if (asked->turn_rate_given) F[k->in_turn] = k->motion[RT_MOTION_RATE] - asked->turn_rate.value;
    for (int i = 0; i < asked->n_spins; i++)
        if (asked->spins[i].rate_given)
            F[k->in_turn + 1 + i] = k->motion[RT_MOTION_SPINS + i] - asked->spins[i].rate.value;
    if (k->settles) ask_nothing(k);
}

routh_status rt_steady_evaluate_here(rt_steady_search *k, bool jacobian, routh_error *error)
{
    rt_search *s = k->s;
    rt_steady_rates(k);
    if (s->signals)
        rt_sweep_signals(s, false); /* variables of the motion alone, to the last digit */
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
    if (!status && s->signals) status = rt_signals_evaluate(s, true, error);
    for (int i = 0; i < k->asked->n_prescribed && !status; i++)
        status = rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_PRESCRIBED, i, true,
                                    &k->prescribed[i], error);
    if (status) return status;
    fill_values(k);
    rt_steady_measure(k);
    if (jacobian) fill_jacobian(k);
    turn_into_body_axes(k, jacobian);
    return ROUTH_OK;
}

routh_status rt_steady_evaluate_values(rt_steady_search *k, routh_error *error)
{
    rt_search *s = k->s;
    rt_steady_rates(k);
    if (s->signals) rt_sweep_signals(s, false);
    routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL, error);
    if (!status && s->signals) status = rt_signals_evaluate(s, false, error);
    if (status) return status;
    fill_values(k);
    turn_into_body_axes(k, false);
    return ROUTH_OK;
}

routh_status rt_steady_evaluate(rt_steady_search *k, bool jacobian, routh_error *error)
{
    /* the later time first: what is evaluated at the end is the present */
    routh_status status = ROUTH_OK;
    if (k->late) {
        rt_steady_rates(k);
        status = rt_steady_evaluate_late(k, jacobian, error);
    }
    if (!status) status = rt_steady_evaluate_here(k, jacobian, error);
    if (!status && k->late) {
        rt_steady_add_late(k, jacobian);
        status = rt_steady_add_felt(k, jacobian, error);
    }
    return status;
}

double rt_steady_error(const rt_steady_search *k)
{
    double worst = 0;
    for (int i = 0; i < k->n_rows; i++)
        worst = fmax(worst, fabs(k->whole.F[i] - k->offset[i]) / k->whole.row_unit[i]);
    return worst;
}
