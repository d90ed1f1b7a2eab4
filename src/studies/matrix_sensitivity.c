/* Derivatives of the linear model's matrices by parameters. With x of a unit state or input from
 * the pencil (sensitivity_pencil.h), and S, T, U of the inputs and outputs (sensitivity_paths.h),
 *     y' = P x,   R x = -(Q y + S0 in + S1 in' + S2 in''),   out = Ty y + Tx x + U(s) in
 * the columns of [A B B1 B2] are P x, and those of [C D D1 D2] Ty y + Tx x + U. With w = dR x plus
 * what dQ and dS do, and adjoints g^T = -P R^-1, h^T = -Tx R^-1 found once,
 *     dA = dP x + g^T w,   dC = dTy y + dTx x + dU + h^T w
 * Those of the matrices of second order are found beside them (matrix_second_order.h). */
#include "routh/sensitivity.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "operating/massless.h"
#include "studies/matrix_second_order.h"
#include "studies/sensitivity_job.h"
#include "studies/sensitivity_paths.h"

typedef struct matrix_holder {
    routh_matrix_sensitivity out; /* first */
    rt_arena arena;
} matrix_holder;

void routh_matrix_sensitivity_free(routh_matrix_sensitivity *s)
{
    if (!s) return;
    matrix_holder *h = (matrix_holder *)(void *)s;
    for (int k = 0; k < s->n_warnings; k++) free(s->warnings[k]);
    free(s->warnings);
    rt_arena_free(&h->arena);
    free(h);
}

/* Causes are states y, then inputs, their first and their second rates: columns of x and w. Effects
 * are rates y', then outputs: columns of the adjoints. */
typedef struct matrix_job {
    matrix_holder *h;
    rt_sensitivity_job job;
    const routh_linear *linear;
    rt_channels channels;
    rt_paths paths;
    rt_second_order_change second;
    int n_in, n_out, causes, effects;
    double *x, *adjoint, *w; /* n2 x causes, n2 x effects, n2 x causes */
    double *by;              /* effects x causes, row-major */
    int *place;              /* of the linear model's states among y */
} matrix_job;

/* ---- inputs and outputs ---------------------------------------------------------------------- */

static bool matrix_take_channels(rt_channel **to, const routh_signal_name *from, int n, rt_arena *a)
{
    *to = RT_TAKE(a, rt_channel, n);
    for (int k = 0; *to && k < n; k++)
        (*to)[k] = (rt_channel){
            .kind = RT_CHANNEL_OWN, .index = k, .name = from[k].name, .unit = from[k].unit};
    return *to != NULL;
}

static routh_status matrix_begin(matrix_job *j, const routh_mechanism *mechanism,
                                 const routh_operating_point *point, routh_error *error)
{
    const routh_linear *l = j->linear;
    routh_status status = rt_job_begin_like(&j->job, mechanism, point, l, error);
    if (status) return status;
    const rt_levels_pencil *p = &j->job.pencil;
    rt_arena *a = &j->job.arena;
    j->n_in = j->channels.n_in = l->n_inputs, j->n_out = j->channels.n_out = l->n_outputs;
    if (!matrix_take_channels(&j->channels.in, l->inputs, j->n_in, a) ||
        !matrix_take_channels(&j->channels.out, l->outputs, j->n_out, a))
        return rt_fail_memory(error);
    status = rt_paths_find(&j->paths, p, &j->job.holder->linear, l, &j->channels, a, error);
    if (status) return status;
    j->causes = p->n1 + 3 * j->n_in;
    j->effects = p->n1 + j->n_out;
    const size_t n2 = (size_t)p->n2, causes = (size_t)j->causes, effects = (size_t)j->effects;
    j->x = RT_TAKE(a, double, n2 *causes), j->w = RT_TAKE(a, double, n2 *causes);
    j->adjoint = RT_TAKE(a, double, n2 *effects);
    j->by = RT_TAKE(a, double, effects *causes);
    return j->x && j->w && j->adjoint && j->by ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status matrix_find_places(matrix_job *j, routh_error *error)
{
    const routh_linear *l = j->linear;
    const rt_levels_pencil *p = &j->job.pencil;
    if (l->n_states != p->n1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the linear model has %d states, but this mechanism has %d; give the linear "
                       "model that belongs to it",
                       l->n_states, p->n1);
    j->place = RT_TAKE(&j->job.arena, int, p->n1);
    if (!j->place) return rt_fail_memory(error);
    for (int i = 0; i < p->n1; i++) {
        j->place[i] = rt_paths_place_of(p, &j->job.holder->linear, l, i);
        if (j->place[i] < 0)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "the state %s has no derivatives by parameters; name other states "
                           "(linearize: states)",
                           l->states[i].name);
    }
    return ROUTH_OK;
}

/* ---- x and the adjoints ---------------------------------------------------------------------- */

static double matrix_value_of(double sign, const double *from)
{
    return from ? sign * *from : sign;
}

static routh_status matrix_find_x(matrix_job *j, routh_error *error)
{
    const rt_levels_pencil *p = &j->job.pencil;
    const size_t n2 = (size_t)p->n2;
    double *in = j->x + n2 * (size_t)p->n1;
    routh_status status = rt_pencil_rights(p, j->x, error);
    for (int k = 0; k < j->paths.S.n; k++) {
        const rt_path_entry *e = &j->paths.S.paths[k];
        const size_t column = (size_t)(e->power * j->n_in + e->column);
        in[n2 * column + (size_t)(e->row - p->n1)] -= matrix_value_of(e->sign, e->from);
    }
    return status ? status : rt_levels_solve(&p->R, in, 3 * j->n_in, error);
}

static routh_status matrix_find_adjoints(matrix_job *j, routh_error *error)
{
    const rt_levels_pencil *p = &j->job.pencil;
    const size_t n1 = (size_t)p->n1, n2 = (size_t)p->n2;
    double *unit = RT_TAKE(&j->job.arena, double, n1 *n1);
    double *rest = j->adjoint + n2 * n1;
    if (!unit) return rt_fail_memory(error);
    for (size_t k = 0; k < n1; k++) unit[k * n1 + k] = 1;
    routh_status status = rt_pencil_lefts(p, unit, j->adjoint, error);
    for (int k = 0; k < j->paths.T.n; k++) {
        const rt_path_entry *e = &j->paths.T.paths[k];
        if (e->column >= p->n1)
            rest[n2 * (size_t)e->row + (size_t)(e->column - p->n1)] -=
                matrix_value_of(e->sign, e->from);
    }
    for (int level = RT_LEVELS - 1; level >= 0 && !status; level--)
        status = rt_levels_solve_one(&p->R, level, true, rest, j->n_out, error);
    return status;
}

/* ---- along one parameter --------------------------------------------------------------------- */

/* Row `row` of x, of all causes, times a number: += row `effect` of the result, or a row of w. */
static void matrix_add_effect(matrix_job *j, int effect, int row, double by)
{
    const size_t n2 = (size_t)j->job.pencil.n2, n = (size_t)j->causes;
    double *to = j->by + (size_t)effect * n;
    for (size_t c = 0; c < n; c++) to[c] += by * j->x[n2 * c + (size_t)row];
}

static void matrix_add_right(matrix_job *j, int row, int column, double by)
{
    const size_t n2 = (size_t)j->job.pencil.n2, n = (size_t)j->causes;
    for (size_t c = 0; c < n; c++) j->w[n2 * c + (size_t)row] += by * j->x[n2 * c + (size_t)column];
}

static void matrix_add_terms(matrix_job *j)
{
    const rt_levels_pencil *p = &j->job.pencil;
    const size_t n2 = (size_t)p->n2;
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const double by = t->varied < 0 ? 0 : t->sign * p->varied[t->varied];
        if (by == 0) continue;
        if (t->row < p->n1)
            matrix_add_effect(j, t->row, t->column - p->n1, by);
        else if (t->column < p->n1)
            j->w[n2 * (size_t)t->column + (size_t)(t->row - p->n1)] += by;
        else
            matrix_add_right(j, t->row - p->n1, t->column - p->n1, by);
    }
}

static void matrix_add_paths(matrix_job *j)
{
    const rt_levels_pencil *p = &j->job.pencil;
    const rt_paths *v = &j->paths;
    const size_t n2 = (size_t)p->n2, n = (size_t)j->causes;
    for (int k = 0; k < v->S.n; k++) {
        const rt_path_entry *e = &v->S.paths[k];
        const size_t cause = (size_t)(p->n1 + e->power * j->n_in + e->column);
        if (e->varied >= 0)
            j->w[n2 * cause + (size_t)(e->row - p->n1)] += e->sign * v->varied[e->varied];
    }
    for (int k = 0; k < v->T.n; k++) {
        const rt_path_entry *e = &v->T.paths[k];
        const double by = e->varied < 0 ? 0 : e->sign * v->varied[e->varied];
        if (by == 0) continue;
        if (e->column >= p->n1)
            matrix_add_effect(j, p->n1 + e->row, e->column - p->n1, by);
        else
            j->by[(size_t)(p->n1 + e->row) * n + (size_t)e->column] += by;
    }
    for (int k = 0; k < v->U.n; k++) {
        const rt_path_entry *e = &v->U.paths[k];
        const size_t cause = (size_t)(p->n1 + e->power * j->n_in + e->column);
        if (e->varied >= 0)
            j->by[(size_t)(p->n1 + e->row) * n + cause] += e->sign * v->varied[e->varied];
    }
}

static routh_status matrix_vary(matrix_job *j, int k, routh_error *error)
{
    const int n2 = j->job.pencil.n2;
    routh_status status = rt_job_vary(&j->job, k, error);
    if (!status) status = rt_paths_vary(&j->paths, j->job.variation, error);
    if (status) return status;
    memset(j->w, 0, (size_t)n2 * (size_t)j->causes * sizeof *j->w);
    memset(j->by, 0, (size_t)j->effects * (size_t)j->causes * sizeof *j->by);
    matrix_add_terms(j);
    matrix_add_paths(j);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, j->effects, j->causes, n2, 1, j->adjoint,
                n2, j->w, n2, 1, j->by, j->causes);
    rt_second_order_change_find(&j->second);
    return ROUTH_OK;
}

/* ---- what is given back ---------------------------------------------------------------------- */

/* Rows of the effects from `effect` on and columns of the causes from `cause` on, which states find
 * by their places: those begin at 0. */
static void matrix_copy(const matrix_job *j, double *to, int n_rows, int effect, int n_columns,
                        int cause)
{
    const int n = j->linear->n_states;
    for (int r = 0; r < n_rows; r++)
        for (int c = 0; c < n_columns; c++) {
            const int row = effect < n ? j->place[r] : effect + r;
            const int column = cause < n ? j->place[c] : cause + c;
            to[(size_t)r * (size_t)n_columns + (size_t)c] =
                j->by[(size_t)row * (size_t)j->causes + (size_t)column] + 0;
        }
}

/* to (n_velocity x n_columns) = sign d(mass W'), columns of the causes as above */
static void matrix_copy_second(const matrix_job *j, double *to, double sign, int n_columns,
                               int cause, bool states)
{
    const int z = j->linear->n_position, z1 = j->linear->n_velocity;
    for (int r = 0; r < z1; r++)
        for (int c = 0; c < n_columns; c++) {
            const int row = j->place[z + r] - z, column = states ? j->place[cause + c] : cause + c;
            to[(size_t)r * (size_t)n_columns + (size_t)c] =
                sign * j->second.product[(size_t)row * (size_t)j->causes + (size_t)column] + 0;
        }
}

static void matrix_put(const matrix_job *j, routh_matrix_change *to)
{
    const routh_linear *l = j->linear;
    const int n = l->n_states, z = l->n_position, z1 = l->n_velocity, in = j->n_in;
    matrix_copy(j, to->A, n, 0, n, 0);
    matrix_copy(j, to->B, n, 0, in, n);
    matrix_copy(j, to->B1, n, 0, in, n + in);
    matrix_copy(j, to->B2, n, 0, in, n + 2 * in);
    matrix_copy(j, to->C, j->n_out, n, n, 0);
    matrix_copy(j, to->D, j->n_out, n, in, n);
    matrix_copy(j, to->D1, j->n_out, n, in, n + in);
    matrix_copy(j, to->D2, j->n_out, n, in, n + 2 * in);
    for (int i = 0; i < z1; i++)
        for (int k = 0; k < z1; k++)
            to->mass[i * z1 + k] =
                j->second.mass[(j->place[z + i] - z) * z1 + j->place[z + k] - z] + 0;
    matrix_copy_second(j, to->stiffness, -1, z, 0, true);
    matrix_copy_second(j, to->damping, -1, z1, z, true);
    matrix_copy_second(j, to->coupling, 1, l->n_control, z + z1, true);
    matrix_copy_second(j, to->force, 1, in, n, false);
    matrix_copy_second(j, to->force1, 1, in, n + in, false);
    matrix_copy_second(j, to->force2, 1, in, n + 2 * in, false);
}

static bool matrix_take(const matrix_job *j, routh_matrix_change *to)
{
    const routh_linear *l = j->linear;
    rt_arena *a = &j->h->arena;
    const size_t n = (size_t)l->n_states, z = (size_t)l->n_position, z1 = (size_t)l->n_velocity;
    const size_t in = (size_t)l->n_inputs, out = (size_t)l->n_outputs;
    struct {
        double **to;
        size_t size;
    } const all[] = {{&to->A, n * n},          {&to->B, n * in},
                     {&to->B1, n * in},        {&to->B2, n * in},
                     {&to->C, out * n},        {&to->D, out * in},
                     {&to->D1, out * in},      {&to->D2, out * in},
                     {&to->mass, z1 * z1},     {&to->damping, z1 * z1},
                     {&to->stiffness, z1 * z}, {&to->coupling, z1 * (size_t)l->n_control},
                     {&to->force, z1 * in},    {&to->force1, z1 * in},
                     {&to->force2, z1 * in}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!(*all[k].to = RT_TAKE(a, double, all[k].size))) return false;
    return true;
}

static routh_status matrix_take_out(matrix_job *j, routh_error *error)
{
    routh_matrix_sensitivity *out = &j->h->out;
    const routh_linear *l = j->linear;
    const int n = j->job.n_parameters;
    out->n_states = l->n_states, out->n_position = l->n_position;
    out->n_velocity = l->n_velocity, out->n_control = l->n_control;
    out->n_inputs = l->n_inputs, out->n_outputs = l->n_outputs;
    out->by = RT_TAKE(&j->h->arena, routh_matrix_change, n);
    if (!out->by) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        out->by[k].parameter = j->job.names[k], out->by[k].value = j->job.values[k];
        if (!matrix_take(j, &out->by[k])) return rt_fail_memory(error);
    }
    out->n_parameters = n;
    return ROUTH_OK;
}

static routh_status matrix_run(matrix_job *j, const routh_mechanism *mechanism,
                               const routh_operating_point *point,
                               const routh_sensitivity_options *o, routh_error *error)
{
    routh_status status = matrix_begin(j, mechanism, point, error);
    if (!status) status = matrix_find_places(j, error);
    if (!status) status = rt_job_choose(&j->job, o->parameters, error);
    if (!status) status = matrix_find_x(j, error);
    if (!status) status = matrix_find_adjoints(j, error);
    if (!status)
        status = rt_second_order_change_create(&j->second, &j->job.pencil, &j->paths, j->causes,
                                               j->x, j->w, &j->job.arena, error);
    if (!status) status = matrix_take_out(j, error);
    for (int k = 0; k < j->job.n_parameters && !status; k++) {
        status = matrix_vary(j, k, error);
        if (!status) matrix_put(j, &j->h->out.by[k]);
    }
    return status;
}

routh_status routh_matrix_sensitivity_compute(routh_matrix_sensitivity **sensitivities,
                                              const routh_mechanism *mechanism,
                                              const routh_operating_point *point,
                                              const routh_linear *linear,
                                              const routh_sensitivity_options *options,
                                              routh_error *error)
{
    *sensitivities = NULL;
    routh_status status = rt_refuse_massless_point(mechanism, point, "a sensitivity", error);
    if (status) return status;
    const routh_sensitivity_options o = options ? *options : routh_sensitivity_defaults();
    matrix_job j = {.h = calloc(1, sizeof *j.h), .linear = linear};
    if (!j.h) return rt_fail_memory(error);
    status = matrix_run(&j, mechanism, point, &o, error);
    j.h->out.n_warnings = j.job.n_warnings, j.h->out.warnings = j.job.warnings;
    j.job.n_warnings = 0, j.job.warnings = NULL;
    rt_paths_release(&j.paths);
    rt_job_release(&j.job);
    if (status) {
        routh_matrix_sensitivity_free(&j.h->out);
        return status;
    }
    *sensitivities = &j.h->out;
    return ROUTH_OK;
}
