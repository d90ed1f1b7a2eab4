/* Natural coordinates (Garcia de Jalon and Bayo 1994; Ge et al. 2005; Gonzalez et al. 2017): points
 * and unit vectors shared between bodies, planar where the joints leave only that.
 *
 * u = q', so variations commute with time and Gamma = 0. Origin (from O) and axes of every body are
 * affine in q, A = S S0^-1, and with a_i the columns of A
 *     dtheta = 1/2 sum a_i x da_i,   w = 1/2 sum a_i x a_i',   al = 1/2 sum a_i x a_i''
 * are those of a rigid body where the coordinates' own rows hold. */
#include "coordinates/natural_set.h"

#include <math.h>
#include <stdio.h>

static const rt_natural_set *set_of(const rt_joined *joined) { return joined->data; }

/* ---- compile -------------------------------------------------------------------------------- */

static bool take_bodies(rt_joined *joined, rt_natural_set *set, int n_entries, rt_arena *arena)
{
    const size_t n = (size_t)joined->n_bodies, entries = (size_t)n_entries;
    joined->start = RT_TAKE(arena, int, n + 1);
    joined->column = RT_TAKE(arena, int, entries);
    joined->screw = RT_TAKE(arena, int, entries);
    joined->mass_start = RT_TAKE(arena, int, n + 1);
    joined->angle = RT_TAKE(arena, bool, joined->n_u);
    joined->column_body = RT_TAKE(arena, int, joined->n_u);
    joined->held = RT_TAKE(arena, unsigned, joined->model->n_joints);
    set->pose = rt_arena_take(arena, entries + n, sizeof *set->pose);
    return joined->start && joined->column && joined->screw && joined->mass_start &&
           joined->angle && joined->column_body && joined->held && set->pose;
}

/* T = 1/2 sum J_kl a_k' . a_l' for the turning part: J = tr(I)/2 - I; in a plane with the normal
 * e only e'Ie counts, and J = e'Ie/2 (1 - e e'). */
static void second_moments(const rt_natural_plan *plan, int b, double J[9])
{
    const rt_natural_link *link = &plan->links[plan->link_of[b]];
    double I[9], e[3], Ie[3];
    for (int k = 0; k < 9; k++) I[k] = plan->model->bodies[b].inertia[k].value;
    if (link->first_body < 0 || link->plane < 0) {
        for (int k = 0; k < 9; k++) J[k] = (k % 4 ? 0 : (I[0] + I[4] + I[8]) / 2) - I[k];
        return;
    }
    rt_m3_tmul_v(e, plan->Q[b], link->normal);
    rt_m3_mul_v(Ie, I, e);
    const double half = rt_v3_dot(e, Ie) / 2;
    for (int k = 0; k < 9; k++) J[k] = half * ((k % 4 ? 0 : 1) - e[k / 3] * e[k % 3]);
}

/* M = m R'R + sum J_kl A_k'A_l, R and A_k the coefficients of r and a_k. */
static void natural_fill_mass(double m, const double J[9], int n,
                              const double (*P)[RT_NATURAL_FRAME], double *M)
{
    for (int c = 0; c < n; c++) {
        double AJ[9];
        rt_m3_mul(AJ, P[c] + 3, J);
        for (int d = 0; d < n; d++) {
            M[n * c + d] = m * rt_v3_dot(P[c], P[d]);
            for (int i = 0; i < 9; i++) M[n * c + d] += AJ[i] * P[d][3 + i];
        }
    }
}

static routh_status compile_bodies(rt_joined *joined, rt_natural_set *set,
                                   const rt_natural_plan *plan, rt_arena *arena, routh_error *error)
{
    int n_entries = 0, n_mass = 0;
    rt_natural_pose link, pose;
    for (int b = 0; b < joined->n_bodies; b++) {
        rt_natural_link_pose(plan, &plan->links[plan->link_of[b]], &link);
        n_entries += link.n;
        n_mass += link.n * link.n;
    }
    joined->mass = RT_TAKE(arena, double, n_mass);
    if (!take_bodies(joined, set, n_entries, arena) || !joined->mass) return rt_fail_memory(error);
    for (int c = 0; c < joined->n_u; c++) joined->column_body[c] = -1;
    for (int b = 0; b < joined->n_bodies; b++) {
        const int first = joined->start[b];
        double J[9];
        rt_natural_link_pose(plan, &plan->links[plan->link_of[b]], &link);
        rt_natural_carry_pose(&link, plan->s[b], plan->Q[b], &pose);
        joined->start[b + 1] = first + pose.n;
        joined->mass_start[b + 1] = joined->mass_start[b] + pose.n * pose.n;
        memcpy(set->pose[first + b], pose.P, (1 + (size_t)pose.n) * sizeof pose.P[0]);
        for (int k = 0; k < pose.n; k++) {
            joined->column[first + k] = pose.column[k];
            joined->screw[first + k] = first + k;
            if (joined->column_body[pose.column[k]] < 0) joined->column_body[pose.column[k]] = b;
        }
        second_moments(plan, b, J);
        natural_fill_mass(plan->model->bodies[b].mass.value, J, pose.n,
                          (const double(*)[RT_NATURAL_FRAME])set->pose + first + b + 1,
                          joined->mass + joined->mass_start[b]);
    }
    joined->n_screws = n_entries;
    joined->n_work = 18 * (size_t)joined->n_bodies + (size_t)n_entries;
    return ROUTH_OK;
}

static routh_status compile_variables(rt_joined *joined, rt_natural_set *set,
                                      const rt_natural_plan *plan, rt_arena *arena,
                                      routh_error *error)
{
    set->variables = RT_TAKE(arena, rt_natural_variable, plan->n_members);
    if (!set->variables) return rt_fail_memory(error);
    for (int k = 0; k < plan->n_members; k++) {
        const rt_natural_member *m = &plan->members[k];
        rt_natural_variable *x = &set->variables[set->n_variables];
        if (m->column < 0) continue; /* became part of another */
        x->n = rt_natural_components(plan, m, x->c, x->E);
        if (x->n == 0) continue;
        x->point = m->point;
        x->column = m->column;
        x->body = plan->links[m->link].first_body;
        rt_v3_copy(x->local, m->local);
        for (int i = 0; i < x->n; i++) joined->angle[x->column + i] = !x->point;
        set->n_variables++;
    }
    return ROUTH_OK;
}

static const char *label_of(const rt_natural_plan *plan, const rt_natural_row *row, rt_arena *arena)
{
    const int body = plan->links[row->link].first_body;
    const char *what = "angle of two unit vectors";
    char text[160];
    if (row->b >= 0)
        what = "distance of two points";
    else if (row->d >= 0)
        what = "angle of a unit vector and a line";
    else if (row->a == row->c)
        what = "length of a unit vector";
    const int length =
        snprintf(text, sizeof text, "%s of %.80s", what, plan->model->bodies[body].name);
    return rt_arena_text(arena, text, (size_t)length);
}

static bool natural_take_rows(rt_joined *joined, rt_natural_set *set, int n_entries,
                              rt_arena *arena)
{
    const size_t n = (size_t)joined->n_own, entries = (size_t)n_entries;
    joined->own_start = RT_TAKE(arena, int, n + 1);
    joined->own_column = RT_TAKE(arena, int, entries);
    joined->own_label = RT_TAKE(arena, const char *, n);
    joined->own_body = RT_TAKE(arena, int, n);
    set->X = rt_arena_take(arena, entries + n, sizeof *set->X);
    set->Y = rt_arena_take(arena, entries + n, sizeof *set->Y);
    set->constant = RT_TAKE(arena, double, n);
    return joined->own_start && joined->own_column && joined->own_label && joined->own_body &&
           set->X && set->Y && set->constant;
}

static routh_status compile_rows(rt_joined *joined, rt_natural_set *set,
                                 const rt_natural_plan *plan, rt_arena *arena, routh_error *error)
{
    rt_natural_form form;
    int n_entries = 0;
    joined->n_own = plan->n_rows;
    for (int r = 0; r < plan->n_rows; r++) {
        rt_natural_row_form(plan, &plan->rows[r], &form);
        n_entries += form.n;
    }
    if (!natural_take_rows(joined, set, n_entries, arena)) return rt_fail_memory(error);
    for (int r = 0; r < plan->n_rows; r++) {
        const int first = joined->own_start[r];
        rt_natural_row_form(plan, &plan->rows[r], &form);
        joined->own_start[r + 1] = first + form.n;
        memcpy(joined->own_column + first, form.column, (size_t)form.n * sizeof form.column[0]);
        memcpy(set->X[first + r], form.X, (1 + (size_t)form.n) * sizeof form.X[0]);
        memcpy(set->Y[first + r], form.Y, (1 + (size_t)form.n) * sizeof form.Y[0]);
        set->constant[r] = form.constant;
        joined->own_body[r] = plan->links[plan->rows[r].link].first_body;
        joined->own_label[r] = label_of(plan, &plan->rows[r], arena);
        if (!joined->own_label[r]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status compile_with(rt_joined *joined, rt_natural_plan *plan, rt_arena *arena,
                                 routh_error *error)
{
    rt_natural_set *set = RT_TAKE(arena, rt_natural_set, 1);
    if (!set) return rt_fail_memory(error);
    routh_status status = rt_natural_find_links(plan, error);
    if (!status) status = rt_natural_find_planes(plan, error);
    if (!status) status = rt_natural_share(plan, error);
    if (status) return status;
    joined->data = set;
    joined->n_q = joined->n_u = rt_natural_number_columns(plan);
    status = rt_natural_find_rows(plan, error);
    if (!status) status = compile_bodies(joined, set, plan, arena, error);
    if (!status) status = compile_variables(joined, set, plan, arena, error);
    if (!status) status = compile_rows(joined, set, plan, arena, error);
    for (int j = 0; j < joined->model->n_joints && !status; j++)
        joined->held[j] = rt_natural_held(plan, j);
    if (!status) status = rt_natural_compile_forces(joined, set, plan, arena, error);
    return status;
}

/* O in the middle of the bodies. */
static void natural_set_origin(rt_joined *joined, double origin[3])
{
    for (int b = 0; b < joined->n_bodies; b++)
        for (int k = 0; k < 3; k++)
            joined->origin[k] += joined->model->bodies[b].position[k].value / joined->n_bodies;
    rt_v3_copy(origin, joined->origin);
}

static routh_status natural_compile(rt_joined *joined, const bool *wanted, rt_arena *arena,
                                    routh_error *error)
{
    rt_arena scratch = {0};
    rt_natural_plan plan = {.model = joined->model, .wanted = wanted, .arena = &scratch};
    natural_set_origin(joined, plan.origin);
    const routh_status status = compile_with(joined, &plan, arena, error);
    rt_arena_free(&scratch);
    return status;
}

/* ---- q and u from frames -------------------------------------------------------------------- */

static void natural_take(const rt_joined *joined, const rt_frame *bodies, double *q, double *u,
                         double *work)
{
    const rt_natural_set *set = set_of(joined);
    (void)work;
    for (int k = 0; k < set->n_variables; k++) {
        const rt_natural_variable *x = &set->variables[k];
        const rt_frame *f = &bodies[x->body];
        double at[3], rate[3];
        rt_m3_mul_v(at, f->A, x->local);
        rt_v3_cross(rate, f->w, at);
        if (x->point) {
            rt_v3_add(at, at, f->r);
            rt_v3_sub(at, at, joined->origin);
            rt_v3_add(rate, rate, f->v);
        }
        rt_v3_sub(at, at, x->c);
        for (int i = 0; i < x->n; i++) {
            q[x->column + i] = rt_v3_dot(x->E[i], at);
            u[x->column + i] = rt_v3_dot(x->E[i], rate);
        }
    }
}

static void natural_advance(const rt_joined *joined, double *q, const double *xi)
{
    for (int k = 0; k < joined->n_u; k++) q[k] += xi[k];
}

/* ---- frames --------------------------------------------------------------------------------- */

static void add_scaled(int n, double *y, double s, const double *x)
{
    for (int i = 0; i < n; i++) y[i] += s * x[i];
}

/* work of body b: A' and A''. */
static void natural_frames(const rt_joined *joined, const double *q, const double *u,
                           const double *udot, rt_frame *bodies, double *work)
{
    for (int b = 0; b < joined->n_bodies; b++) {
        const int *column = joined->column + joined->start[b];
        const int n = joined->start[b + 1] - joined->start[b];
        const double(*P)[RT_NATURAL_FRAME] = rt_natural_coefficients(joined, b) - 1;
        rt_frame *f = &bodies[b];
        double x[3][RT_NATURAL_FRAME] = {{0}};
        memcpy(x[0], P[0], sizeof x[0]);
        for (int k = 0; k < n; k++) {
            add_scaled(RT_NATURAL_FRAME, x[0], q[column[k]], P[1 + k]);
            add_scaled(RT_NATURAL_FRAME, x[1], u[column[k]], P[1 + k]);
            add_scaled(RT_NATURAL_FRAME, x[2], udot[column[k]], P[1 + k]);
        }
        rt_v3_add(f->r, x[0], joined->origin);
        memcpy(f->A, x[0] + 3, sizeof f->A);
        rt_v3_copy(f->v, x[1]);
        rt_v3_copy(f->a, x[2]);
        rt_natural_half_cross(f->w, x[0] + 3, x[1] + 3);
        rt_natural_half_cross(f->al, x[0] + 3, x[2] + 3);
        memcpy(work + 18 * b, x[1] + 3, 9 * sizeof *work);
        memcpy(work + 18 * b + 9, x[2] + 3, 9 * sizeof *work);
    }
}

/* ---- screws --------------------------------------------------------------------------------- */

/* Column k: theta = 1/2 sum a_i x A_ik, and at O, from which r is counted, R_k - theta x r. With
 * u = q'
 *     J1 = J',   J2u = 2 J',   J2x = J''. */
static void screw(const rt_frame *f, const double r[3], const double *A1, const double *A2,
                  const double *P, double J[6], double J1[6], double J2u[6], double J2x[6])
{
    double *t = J + 3, *t1 = J1 + 3, *t2 = J2x + 3;
    rt_natural_half_cross(t, f->A, P + 3);
    rt_natural_half_cross(t1, A1, P + 3);
    rt_natural_half_cross(t2, A2, P + 3);
    rt_v3_cross(J, r, t);
    rt_v3_add(J, J, P);
    rt_v3_cross(J1, r, t1);
    rt_v3_cross_add(J1, f->v, t);
    rt_v3_cross(J2x, r, t2);
    rt_v3_cross_add(J2x, f->v, t1);
    rt_v3_cross_add(J2x, f->v, t1);
    rt_v3_cross_add(J2x, f->a, t);
    for (int i = 0; i < 6; i++) J2u[i] = 2 * J1[i];
}

static void natural_screws(const rt_joined *joined, const double *q, const double *u,
                           const double *udot, const rt_frame *bodies, rt_screws *out, double *work)
{
    (void)q, (void)u, (void)udot;
    for (int b = 0; b < joined->n_bodies; b++) {
        const double *A1 = work + 18 * b, *A2 = A1 + 9;
        const double(*P)[RT_NATURAL_FRAME] = rt_natural_coefficients(joined, b) - joined->start[b];
        double r[3];
        rt_v3_sub(r, bodies[b].r, joined->origin);
        for (int e = joined->start[b]; e < joined->start[b + 1]; e++)
            screw(&bodies[b], r, A1, A2, P[e], out->J + 6 * e, out->J1 + 6 * e, out->J2u + 6 * e,
                  out->J2x + 6 * e);
    }
}

/* J'w = f . (dr - dtheta x r) + t_O . dtheta, and d(dtheta) = 1/2 sum da_i x da_i' between two
 * variations:
 *     d(J'w) = (t_O - r x f) . d(dtheta) - f . (dtheta x dr) */
static void natural_geometric(const rt_joined *joined, int body, const double *q,
                              const rt_frame *frame, const double wrench[6], double *K)
{
    const int n = joined->start[body + 1] - joined->start[body];
    const double(*P)[RT_NATURAL_FRAME] = rt_natural_coefficients(joined, body);
    double r[3], t[3], theta[3], turned[3], force[3];
    (void)q;
    rt_v3_sub(r, frame->r, joined->origin);
    rt_v3_cross(t, wrench, r);
    rt_v3_add(t, t, wrench + 3);
    for (int i = 0; i < n; i++) {
        rt_natural_half_cross(theta, frame->A, P[i] + 3);
        /* f . (theta x R) = (f x theta) . R */
        rt_v3_cross(force, wrench, theta);
        for (int k = 0; k < n; k++) {
            rt_natural_half_cross(turned, P[k] + 3, P[i] + 3);
            K[n * i + k] += rt_v3_dot(t, turned) - rt_v3_dot(force, P[k]);
        }
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

/* "x", or "-x" against it; "1", "2": along an axis of the plane that is none of the world's. */
static void axis_word(const double e[3], int k, char word[16])
{
    snprintf(word, 16, "%d", k + 1);
    for (int i = 0; i < 3; i++)
        if (fabs(fabs(e[i]) - 1) < 1e-12) snprintf(word, 16, "%s%c", e[i] < 0 ? "-" : "", "xyz"[i]);
}

/* "point.x", "vector2.z": which of the points or unit vectors that are named by the body. */
static void natural_describe(const rt_joined *joined, int c, char *text, size_t room,
                             const char **unit)
{
    const rt_natural_set *set = set_of(joined);
    const rt_natural_variable *x = set->variables;
    char axis[16];
    while (c < x->column || c >= x->column + x->n) x++;
    int number = 1;
    for (const rt_natural_variable *y = set->variables; y < x; y++)
        number += y->point == x->point &&
                  joined->column_body[y->column] == joined->column_body[x->column];
    axis_word(x->E[c - x->column], c - x->column, axis);
    *unit = x->point ? "m" : "";
    const char *what = x->point ? "point" : "vector";
    if (number == 1)
        snprintf(text, room, "%s.%s", what, axis);
    else
        snprintf(text, room, "%s%d.%s", what, number, axis);
}

/* ---- rows of the coordinates ---------------------------------------------------------------- */

typedef struct row_parts {
    int n;
    const int *column;
    const double (*X)[3], (*Y)[3];
} row_parts;

static row_parts natural_parts_of(const rt_joined *joined, int r)
{
    const rt_natural_set *set = set_of(joined);
    const int first = joined->own_start[r];
    return (row_parts){.n = joined->own_start[r + 1] - first,
                       .column = joined->own_column + first,
                       .X = (const double(*)[3])set->X + first + r,
                       .Y = (const double(*)[3])set->Y + first + r};
}

/* x = constant + sum of coefficients times v */
static void natural_combine(const row_parts *row, const double (*X)[3], bool constant,
                            const double *v, double x[3])
{
    rt_v3_set(x, 0, 0, 0);
    if (constant) rt_v3_copy(x, X[0]);
    for (int k = 0; k < row->n; k++) rt_v3_add_scaled(x, v[row->column[k]], X[1 + k]);
}

/* phi = x . y - c:   G = X'y + Y'x,
 *     d(phi') = G du + G' xi,   d(phi'') = G du' + 2 G' du + G'' xi */
static void natural_own_rows(const rt_joined *joined, const double *q, const double *u,
                             const double *udot, rt_own_rows *out)
{
    for (int r = 0; r < joined->n_own; r++) {
        const row_parts row = natural_parts_of(joined, r);
        const int first = joined->own_start[r];
        double x[3][3], y[3][3];
        for (int d = 0; d < 3; d++) {
            const double *v = d == 0 ? q : d == 1 ? u : udot;
            natural_combine(&row, row.X, d == 0, v, x[d]);
            natural_combine(&row, row.Y, d == 0, v, y[d]);
        }
        out->value[0][r] = rt_v3_dot(x[0], y[0]) - set_of(joined)->constant[r];
        out->value[1][r] = rt_v3_dot(x[1], y[0]) + rt_v3_dot(x[0], y[1]);
        out->value[2][r] =
            rt_v3_dot(x[2], y[0]) + 2 * rt_v3_dot(x[1], y[1]) + rt_v3_dot(x[0], y[2]);
        for (int k = 0; k < row.n; k++) {
            double g[3];
            for (int d = 0; d < 3; d++)
                g[d] = rt_v3_dot(row.X[1 + k], y[d]) + rt_v3_dot(row.Y[1 + k], x[d]);
            out->G[first + k] = g[0];
            out->Vx[first + k] = g[1];
            out->Au[first + k] = 2 * g[1];
            out->Ax[first + k] = g[2];
        }
    }
}

static void own_curvature(const rt_joined *joined, int r, const double *q, double *K)
{
    const row_parts row = natural_parts_of(joined, r);
    (void)q;
    for (int i = 0; i < row.n; i++)
        for (int k = 0; k < row.n; k++)
            K[row.n * i + k] =
                rt_v3_dot(row.X[1 + i], row.Y[1 + k]) + rt_v3_dot(row.Y[1 + i], row.X[1 + k]);
}

const rt_joined_set rt_natural = {
    .name = "natural",
    .about = "points and unit vectors that bodies share, in a plane where the joints leave only "
             "that",
    .compile = natural_compile,
    .take = natural_take,
    .frames = natural_frames,
    .screws = natural_screws,
    .geometric = natural_geometric,
    .describe = natural_describe,
    .advance = natural_advance,
    .own_rows = natural_own_rows,
    .own_curvature = own_curvature,
    .own_multipliers = rt_natural_own_multipliers,
};
