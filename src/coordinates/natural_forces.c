/* Multipliers of the coordinates' own rows from the forces of joints.
 *
 * Where the own rows are redundant (a linkage that is in line)
 *     M u' - m g + J'w + G'own = 0
 * leaves `own` open, while joint by joint the forces are known. Link by link it does not:
 *     M_L u' - m_L g + J_L'w_L + F_L + G_L'own_L = 0
 * F_L being the force on link L, in components of what it shares, through the rows of joints that
 * hold of themselves; over the links these cancel. G_L has full rank, and own is the sum of
 * own_L. */
#include "coordinates/natural_set.h"

/* ---- compile -------------------------------------------------------------------------------- */

/* The end at which the row reads a point or an axis that both links have; -1: none. */
static int shared_end(const rt_natural_plan *plan, int joint, const rt_joint_row *what)
{
    const rt_natural_place *place = plan->places[joint];
    const bool point = what->kind != RT_JOINT_ROW_DOT1;
    for (int end = 0; end < 2; end++) {
        rt_natural_feature f[2];
        for (int e = 0; e < 2; e++) {
            double local[3];
            rt_v3_copy(local, place[e].at);
            if (!point) rt_m3_column(local, place[e].axes, end ? what->q : what->p);
            f[e] = rt_natural_feature_at(plan, place[e].link, point, local);
        }
        if (rt_natural_same(plan, &f[0], &f[1])) return end;
    }
    return -1;
}

static rt_natural_held_row held_row(const rt_natural_plan *plan, int joint, int row)
{
    const rt_joint_row *what = &plan->model->joints[joint].class->rows[row];
    rt_natural_held_row h = {.joint = joint, .row = row, .kind = what->kind, .p = what->p};
    h.from = shared_end(plan, joint, what);
    for (int e = 0; e < 2; e++) {
        const rt_natural_place *place = &plan->places[joint][e];
        const int axis = e ? what->q : what->p;
        h.body[e] = plan->links[place->link].first_body;
        rt_v3_copy(h.at[e], place->at);
        rt_m3_column(h.axis[e], place->axes, axis);
        rt_v3_scale(h.axis[e], place->sign[axis], h.axis[e]);
    }
    return h;
}

routh_status rt_natural_compile_forces(rt_joined *joined, rt_natural_set *set,
                                       const rt_natural_plan *plan, rt_arena *arena,
                                       routh_error *error)
{
    const int n_joints = plan->model->n_joints;
    set->held_rows = RT_TAKE(arena, rt_natural_held_row, 6 * (size_t)n_joints);
    set->groups = RT_TAKE(arena, rt_natural_group, plan->n_links);
    set->group_of = RT_TAKE(arena, int, joined->n_bodies);
    if (!set->held_rows || !set->groups || !set->group_of) return rt_fail_memory(error);
    for (int j = 0; j < n_joints; j++)
        for (int r = 0; r < 6 && plan->places[j][0].link != plan->places[j][1].link; r++)
            if (joined->held[j] >> r & 1) set->held_rows[set->n_held++] = held_row(plan, j, r);
    for (int k = 1; k < plan->n_links; k++) {
        rt_natural_group *group = &set->groups[set->n_groups++];
        group->first_body = plan->links[k].first_body;
        group->n_rows = plan->n_rows_of_link[k];
        memcpy(group->rows, plan->rows_of_link[k], sizeof group->rows);
    }
    for (int b = 0; b < joined->n_bodies; b++) set->group_of[b] = plan->link_of[b] - 1;
    return ROUTH_OK;
}

/* ---- forces on links ------------------------------------------------------------------------ */

/* The change of a row by the columns of the body at its end e. */
static void change_of_row(const rt_joined *joined, const rt_natural_held_row *h,
                          const rt_frame *bodies, int e, double *T)
{
    const int b = h->body[e], other = h->body[1 - e];
    const double(*P)[RT_NATURAL_FRAME] = rt_natural_coefficients(joined, b);
    double direction[3] = {h->p == 0, h->p == 1, h->p == 2}, x[3];
    if (h->kind == RT_JOINT_ROW_DOT1)
        rt_m3_mul_v(direction, rt_frame_of(bodies, other)->A, h->axis[1 - e]);
    if (h->kind == RT_JOINT_ROW_DOT2)
        rt_m3_mul_v(direction, rt_frame_of(bodies, h->body[1])->A, h->axis[1]);
    for (int k = 0; k < joined->start[b + 1] - joined->start[b]; k++) {
        if (h->kind == RT_JOINT_ROW_DOT1) {
            rt_m3_mul_v(x, P[k] + 3, h->axis[e]);
            T[k] = rt_v3_dot(x, direction);
            continue;
        }
        rt_m3_mul_v(x, P[k] + 3, h->at[e]);
        rt_v3_add(x, x, P[k]);
        T[k] = (e ? -1 : 1) * rt_v3_dot(x, direction);
    }
}

static int natural_forces_find_column(const rt_joined *joined, int b, int column)
{
    for (int e = joined->start[b]; e < joined->start[b + 1]; e++)
        if (joined->column[e] == column) return e;
    return -1;
}

/* The force of the row passes from the body that it reads what is shared of to the other: on the
 * columns of what is shared, which both have. */
static void pass(const rt_joined *joined, const rt_natural_held_row *h, const rt_frame *bodies,
                 double lambda, double *x)
{
    const int e = h->from, b = e < 0 ? -1 : h->body[e], other = e < 0 ? -1 : h->body[1 - e];
    double T[RT_NATURAL_COLUMNS];
    if (b < 0 || other < 0) return; /* of the ground all is constant */
    const int first = joined->start[b], n = joined->start[b + 1] - first;
    change_of_row(joined, h, bodies, e, T);
    for (int k = 0; k < n; k++) {
        const int to = natural_forces_find_column(joined, other, joined->column[first + k]);
        if (to < 0) continue;
        x[first + k] += lambda * T[k];
        x[to] -= lambda * T[k];
    }
}

/* M u' - m g + J'w of body b, on the columns of the first body of its link. */
static void natural_forces_add_body(const rt_joined *joined, int b, const double *udot,
                                    const rt_frame *f, const double wrench[6], double *x)
{
    const int n = joined->start[b + 1] - joined->start[b];
    const int *column = joined->column + joined->start[b];
    const double(*P)[RT_NATURAL_FRAME] = rt_natural_coefficients(joined, b);
    const double *M = joined->mass + joined->mass_start[b];
    const double m = joined->model->bodies[b].mass.value;
    double r[3], t[3], theta[3], force[3];
    const bool weightless = joined->model->bodies[b].weightless;
    for (int i = 0; i < 3; i++)
        force[i] = wrench[i] - (weightless ? 0 : m * joined->model->gravity[i].value);
    rt_v3_sub(r, f->r, joined->origin);
    rt_v3_cross(t, wrench, r);
    rt_v3_add(t, t, wrench + 3);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) x[i] += M[n * i + k] * udot[column[k]];
        rt_natural_half_cross(theta, f->A, P[i] + 3);
        x[i] += rt_v3_dot(force, P[i]) + rt_v3_dot(t, theta);
    }
}

/* ---- the multipliers of a link -------------------------------------------------------------- */

static void gradient_of(const rt_joined *joined, int r, const double *q, int b, double *G)
{
    const rt_natural_set *set = joined->data;
    const int first = joined->own_start[r], n = joined->own_start[r + 1] - first;
    const int *column = joined->own_column + first;
    const double(*X)[3] = (const double(*)[3])set->X + first + r;
    const double(*Y)[3] = (const double(*)[3])set->Y + first + r;
    double x[3], y[3];
    rt_v3_copy(x, X[0]);
    rt_v3_copy(y, Y[0]);
    for (int k = 0; k < n; k++) {
        rt_v3_add_scaled(x, q[column[k]], X[1 + k]);
        rt_v3_add_scaled(y, q[column[k]], Y[1 + k]);
    }
    memset(G, 0, RT_NATURAL_COLUMNS * sizeof *G);
    for (int k = 0; k < n; k++)
        G[natural_forces_find_column(joined, b, column[k]) - joined->start[b]] =
            rt_v3_dot(X[1 + k], y) + rt_v3_dot(Y[1 + k], x);
}

/* own += the least squares of x + G'own = 0, by rows made orthogonal one after another. */
static void natural_forces_solve_group(const rt_joined *joined, const rt_natural_group *group,
                                       const double *q, const double *x, double *own)
{
    const int b = group->first_body, n = joined->start[b + 1] - joined->start[b];
    double Q[6][RT_NATURAL_COLUMNS], R[6][6] = {{0}}, y[6];
    for (int r = 0; r < group->n_rows; r++) {
        gradient_of(joined, group->rows[r], q, b, Q[r]);
        for (int round = 0; round < 2; round++)
            for (int k = 0; k < r; k++) {
                double dot = 0;
                for (int c = 0; c < n; c++) dot += Q[k][c] * Q[r][c];
                for (int c = 0; c < n; c++) Q[r][c] -= dot * Q[k][c];
                R[r][k] += dot;
            }
        double size = 0;
        for (int c = 0; c < n; c++) size += Q[r][c] * Q[r][c];
        R[r][r] = size = sqrt(size);
        y[r] = 0;
        for (int c = 0; c < n && size > 0; c++) {
            Q[r][c] /= size;
            y[r] -= Q[r][c] * x[c];
        }
    }
    /* G = R Q, so R'own = y */
    for (int r = group->n_rows - 1; r >= 0; r--) {
        const double z = R[r][r] > 0 ? y[r] / R[r][r] : 0;
        own[group->rows[r]] += z;
        for (int k = 0; k < r; k++) y[k] -= R[r][k] * z;
    }
}

void rt_natural_own_multipliers(const rt_joined *joined, const double *q, const double *udot,
                                const rt_frame *bodies, const double *wrench,
                                const double (*lambda)[6], double *own, double *work)
{
    const rt_natural_set *set = joined->data;
    double *x = work + 18 * (size_t)joined->n_bodies;
    memset(x, 0, (size_t)joined->start[joined->n_bodies] * sizeof *x);
    memset(own, 0, (size_t)joined->n_own * sizeof *own);
    for (int b = 0; b < joined->n_bodies; b++) {
        if (set->group_of[b] < 0) continue;
        const int first = set->groups[set->group_of[b]].first_body;
        natural_forces_add_body(joined, b, udot, &bodies[b], wrench + 6 * (size_t)b,
                                x + joined->start[first]);
    }
    for (int k = 0; k < set->n_held; k++) {
        const rt_natural_held_row *h = &set->held_rows[k];
        pass(joined, h, bodies, lambda[h->joint][h->row], x);
    }
    for (int k = 0; k < set->n_groups; k++)
        natural_forces_solve_group(joined, &set->groups[k], q,
                                   x + joined->start[set->groups[k].first_body], own);
}
