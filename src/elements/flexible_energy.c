/* Energies and mass properties of a flexible body: the notation of flexible_inertia.c. With s2 the
 * inertia has what is linear in it; products of s2 with S_k q_k and with itself are left out. */
#include "elements/flexible_inertia.h"
#include "elements/flexible_moments.h"
#include "elements/flexure.h"

static double matrix_energy(const rt_pattern *p, const double *values, const double *x)
{
    double sum = 0;
    for (int l = 0; l < p->n_columns; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++) sum += x[p->row[e]] * values[e] * x[l];
    return sum / 2;
}

/* 1/2 stiffness e^2,   e = c_a q_a + 1/2 g_ab q_a q_b */
static double bar_energy(const rt_bar *bar, const double *q)
{
    double e = 0;
    for (int a = 0; a < bar->n; a++) {
        double slope = bar->c[a];
        for (int b = 0; b < bar->n; b++) slope += bar->g[bar->n * a + b] * q[bar->column[b]] / 2;
        e += slope * q[bar->column[a]];
    }
    return bar->stiffness * e * e / 2;
}

/* c += 1/2 a_kl q_k q_l,   P += 1/2 (B_kl + B_kl') q_k q_l,   terms of l */
static void add_second_moments(const rt_flexible *flexible, int l, const double *q, double c[3],
                               double P[9])
{
    double a[3] = {0}, B[9] = {0};
    rt_flexible_add_second(a, B, flexible, NULL, l, q);
    rt_v3_add_scaled(c, q[l] / 2, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) P[3 * i + j] += q[l] / 2 * (B[3 * i + j] + B[3 * j + i]);
}

/* What turned sections add to the inertia: J1_k q_k + J2_kl q_k q_l */
static void add_turned_inertia(const rt_flexible *flexible, const double *q, double J[9])
{
    for (int l = 0; l < flexible->n && flexible->J2; l++) {
        double D[9];
        memcpy(D, flexible->J1 + 9 * l, sizeof D);
        rt_flexible_add_pairs(D, flexible->J2, NULL, &flexible->pattern, l, 9, q);
        for (int i = 0; i < 9; i++) J[i] += q[l] * D[i];
    }
}

/* c = int s dm and P = int s s' dm of the deformed body */
static void moments_of(const rt_flexible *flexible, const double *q, double c[3], double P[9])
{
    rt_v3_copy(c, flexible->first);
    memcpy(P, flexible->second, 9 * sizeof *P);
    for (int l = 0; l < flexible->n; l++) {
        const double *B = flexible->B + 9 * l;
        double C[9];
        memcpy(C, B, sizeof C);
        rt_flexible_add_column(C, flexible, NULL, l, q);
        rt_v3_add_scaled(c, q[l], flexible->a + 3 * l);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) P[3 * i + j] += q[l] * (B[3 * j + i] + C[3 * i + j]);
        if (flexible->a2) add_second_moments(flexible, l, q, c, P);
    }
}

/* p += a_kl q_k q_l',   L += [B_kl] q_k q_l',   terms of l */
static void add_second_momentum(const rt_flexible *flexible, int l, const rt_elastic_state *state,
                                double p[3], double L[3])
{
    double a[3] = {0}, B[9] = {0}, turn[3];
    rt_flexible_add_second(a, B, flexible, NULL, l, state->q);
    rt_m3_moment(turn, B);
    rt_v3_add_scaled(p, state->u[l], a);
    rt_v3_add_scaled(L, state->u[l], turn);
}

/* L += H_kl q_k q_l',   terms of l */
static void add_turned_momentum(const rt_flexible *flexible, int l, const rt_elastic_state *state,
                                double L[3])
{
    double H[3] = {0};
    rt_flexible_add_pairs(H, flexible->H_even, NULL, &flexible->pattern, l, 3, state->q);
    rt_flexible_add_pairs(H, flexible->H_odd, NULL, &flexible->pattern, l, 3, state->q);
    rt_v3_add_scaled(L, state->u[l], H);
}

/* p = int s_t dm, L = int s x s_t dm + h_k q_k' + H_kl q_k q_l';  returns 1/2 int s_t . s_t dm */
static double momentum_of(const rt_flexible *flexible, const rt_elastic_state *state, double p[3],
                          double L[3])
{
    double energy = 0;
    memset(p, 0, 3 * sizeof *p);
    memset(L, 0, 3 * sizeof *L);
    for (int l = 0; l < flexible->n; l++) {
        const double u = state->u[l];
        double C[9], V[9] = {0}, turn[3];
        memcpy(C, flexible->B + 9 * l, sizeof C);
        rt_flexible_add_column(C, flexible, NULL, l, state->q);
        rt_flexible_add_column(V, flexible, NULL, l, state->u);
        rt_m3_moment(turn, C);
        rt_v3_add_scaled(p, u, flexible->a + 3 * l);
        rt_v3_add_scaled(L, u, turn);
        rt_v3_add_scaled(L, u, flexible->h + 3 * l);
        energy += u * rt_m3_trace(V) / 2;
        if (flexible->a2) add_second_momentum(flexible, l, state, p, L);
        if (flexible->J2) add_turned_momentum(flexible, l, state, L);
    }
    return energy;
}

/* T = 1/2 m v.v + v.(w x c + p) + 1/2 w.J w + w.L + 1/2 int s_t.s_t dm + 1/2 q'.M q' */
static double kinetic_of(const rt_flexible *flexible, const rt_frame *frame,
                         const rt_elastic_state *state, const double c[3], const double P[9])
{
    double v[3], w[3], J[9], p[3], L[3];
    double T = momentum_of(flexible, state, p, L);
    T += matrix_energy(&flexible->pattern, flexible->M, state->u);
    rt_flexible_inertia_of(J, flexible, NULL, P);
    add_turned_inertia(flexible, state->q, J);
    rt_m3_tmul_v(v, frame->A, frame->v);
    rt_m3_tmul_v(w, frame->A, frame->w);
    rt_v3_cross_add(p, w, c);
    rt_v3_add_scaled(p, flexible->mass / 2, v);
    for (int i = 0; i < 3; i++) L[i] += rt_v3_dot(J + 3 * i, w) / 2;
    return T + rt_v3_dot(v, p) + rt_v3_dot(w, L);
}

rt_flexible_energy rt_flexible_energies(const rt_flexible *flexible, const rt_frame *frame,
                                        const rt_elastic_state *state, const double gravity[3])
{
    rt_flexible_energy energy;
    double c[3], P[9], moment[3];
    moments_of(flexible, state->q, c, P);
    energy.kinetic = kinetic_of(flexible, frame, state, c, P);
    energy.elastic =
        flexible->n_flexures ? 0 : matrix_energy(&flexible->pattern, flexible->K, state->q);
    for (int k = 0; k < flexible->n_flexures; k++)
        energy.elastic += rt_flexure_at(flexible, k, state->q).energy;
    for (int k = 0; k < flexible->n_bars; k++)
        energy.elastic += bar_energy(&flexible->bars[k], state->q);
    rt_m3_mul_v(moment, frame->A, c);
    rt_v3_add_scaled(moment, flexible->mass, frame->r);
    energy.weight = -rt_v3_dot(gravity, moment);
    return energy;
}

/* About the centre: J - m (c.c 1 - c c') */
void rt_flexible_mass_properties(const rt_flexible *flexible, const double *q, double *mass,
                                 double centre[3], double inertia[9])
{
    double P[9];
    moments_of(flexible, q, centre, P);
    *mass = flexible->mass;
    rt_v3_scale(centre, 1 / *mass, centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) P[3 * i + j] -= *mass * centre[i] * centre[j];
    rt_flexible_inertia_of(inertia, flexible, NULL, P);
    add_turned_inertia(flexible, q, inertia);
}
