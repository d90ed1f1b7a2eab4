/* Accelerations in six unknowns a body where its coordinates are seven and bring a row (Negrut,
 * ME751 note, Eq. 21: 6 nb + nc unknowns instead of the 8 nb + nc of Eq. 1 with its nb rows).
 *
 * With w' body-fixed and g the body's own row on p, as u' = (r'', p''):
 *     p'' = S w' + g s / (g g'),     J S = A,   g S = 0,   J g' = 0
 * M, L and the rows of joints reach p only through J. So the rows of motion, by S' and by g, and
 * the rows of constraints fall apart:
 *     [T'M T   T'(G'+L)] [r'', w'; lambda] = [T'x; y]      T = diag(I, S); rows of joints
 *     s = y_own,   mu = g x / (g g')                       each body by itself
 * and w' stands before a constant block, the body's inertia in its own axes. */

#include "base/kept_memory.h"
#include "operating/operating.h"

/* A matrix of the mechanism and where its entries go in the projected one: each to the columns (or
 * rows) that its own become. */
typedef struct projection {
    rt_pattern pattern;
    double *values;
    int *position; /* in the order in which `spread` walks */
} projection;

struct rt_small {
    rt_arena arena;
    const routh_mechanism *m;
    int n;        /* 6 n_bodies, then elastic coordinates */
    int *first;   /* n_u: the first of the new columns that column c has a part in */
    int *n_parts; /* n_u: how many: 1 for displacements, 3 for rotations */
    double *T;    /* n_u x 3: its parts */
    projection M, G, L;
    rt_kkt *kkt;
    double *x, *y;
};

bool rt_small_exists(const routh_mechanism *m) { return m->set && m->set->rotation; }

/* ---- patterns ------------------------------------------------------------------------------- */

static void number_columns(rt_small *k)
{
    for (int b = 0; b < k->m->n_bodies; b++)
        for (int c = 0; c < k->m->bodies[b].block.n_columns; c++) {
            const int column = k->m->bodies[b].block.columns[c];
            k->first[column] = 6 * b + (c < 3 ? c : 3);
            k->n_parts[column] = c < 3 ? 1 : 3;
            k->T[3 * column] = 1;
        }
    for (int e = 0; e < k->m->n_elastic; e++) {
        const int column = k->m->first_elastic + e;
        k->first[column] = 6 * k->m->n_bodies + e;
        k->n_parts[column] = 1;
        k->T[3 * column] = 1;
    }
}

/* Walks over an entry's places in the projected matrix; rows or columns that are not of u stay. */
typedef struct accelerations_small_places {
    int row, n_rows, column, n_columns;
} accelerations_small_places;

static accelerations_small_places accelerations_small_places_of(const rt_small *k, int row,
                                                                int column, bool of_rows,
                                                                bool of_columns)
{
    return (accelerations_small_places){
        of_rows ? k->first[row] : row, of_rows ? k->n_parts[row] : 1,
        of_columns ? k->first[column] : column, of_columns ? k->n_parts[column] : 1};
}

static size_t count_places(const rt_small *k, const rt_pattern *p, bool of_rows, bool of_columns)
{
    size_t n = 0;
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            n += (size_t)(of_rows ? k->n_parts[p->row[e]] : 1) *
                 (size_t)(of_columns ? k->n_parts[c] : 1);
    return n;
}

/* Entries of G beyond the rows of joints, and of L beyond their columns, are the coordinates' own:
 * n_rows and n_columns end the part that is kept. */
static routh_status make_projection(rt_small *k, projection *out, const rt_pattern *from,
                                    bool of_rows, bool of_columns, routh_error *error)
{
    const int joints = k->m->n_joint_rows;
    const int n_rows = of_rows ? k->n : joints, n_columns = of_columns ? k->n : joints;
    const size_t room = count_places(k, from, of_rows, of_columns);
    int *row = rt_kept_malloc(k->m->analyses, (2 * room + 1) * sizeof *row),
        *column = row ? row + room : NULL;
    out->position = RT_TAKE(&k->arena, int, room);
    if (!row || !out->position) {
        rt_kept_free(row);
        return rt_fail_memory(error);
    }
    size_t n = 0;
    for (int c = 0; c < (of_columns ? from->n_columns : joints); c++)
        for (int e = from->start[c]; e < from->start[c + 1]; e++) {
            if (!of_rows && from->row[e] >= joints) continue;
            const accelerations_small_places at =
                accelerations_small_places_of(k, from->row[e], c, of_rows, of_columns);
            for (int i = 0; i < at.n_rows; i++)
                for (int j = 0; j < at.n_columns; j++)
                    row[n] = at.row + i, column[n++] = at.column + j;
        }
    const routh_status status =
        rt_pattern_build_kept(&out->pattern, n_rows, n_columns, n, row, column, out->position,
                              &k->arena, k->m->analyses, error);
    rt_kept_free(row);
    if (status) return status;
    out->values = RT_TAKE(&k->arena, double, out->pattern.start[n_columns]);
    return out->values ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status accelerations_small_make(rt_small *k, const rt_search *s, routh_error *error)
{
    const routh_mechanism *m = k->m;
    rt_arena *a = &k->arena;
    k->first = RT_TAKE(a, int, m->n_u);
    k->n_parts = RT_TAKE(a, int, m->n_u);
    k->T = RT_TAKE(a, double, 3 * (size_t)m->n_u);
    k->x = RT_TAKE(a, double, k->n);
    k->y = RT_TAKE(a, double, m->n_joint_rows);
    if (!k->first || !k->n_parts || !k->T || !k->x || !k->y) return rt_fail_memory(error);
    number_columns(k);
    routh_status status = make_projection(k, &k->M, &m->pattern_M, true, true, error);
    if (!status) status = make_projection(k, &k->G, &m->pattern_G, false, true, error);
    if (!status) status = make_projection(k, &k->L, &m->pattern_L, true, false, error);
    /* own rows are never redundant, nor do they make another so: joint rows times g' vanish */
    if (!status)
        status = rt_kkt_create_of(&k->kkt, &k->M.pattern, &k->G.pattern, &k->L.pattern,
                                  s->rank->row_step, error);
    return status;
}

routh_status rt_small_create(rt_small **small, const rt_search *s, routh_error *error)
{
    *small = NULL;
    rt_small *k = rt_kept_calloc(s->m->analyses, 1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    k->m = s->m;
    k->n = 6 * s->m->n_bodies + s->m->n_elastic;
    const routh_status status = accelerations_small_make(k, s, error);
    if (status) {
        rt_small_free(k);
        return status;
    }
    *small = k;
    return ROUTH_OK;
}

void rt_small_free(rt_small *k)
{
    if (!k) return;
    rt_kkt_free(k->kkt);
    rt_arena_free(&k->arena);
    rt_kept_free(k);
}

int rt_small_size(const rt_small *k) { return rt_kkt_size(k->kkt); }

/* ---- numbers -------------------------------------------------------------------------------- */

/* T' X T, T' X or X T */
static void accelerations_small_project(const rt_small *k, const projection *to,
                                        const rt_pattern *from, const double *values, bool of_rows,
                                        bool of_columns)
{
    static const double one[3] = {1};
    const int joints = k->m->n_joint_rows, *position = to->position;
    memset(to->values, 0, (size_t)to->pattern.start[to->pattern.n_columns] * sizeof(double));
    for (int c = 0; c < (of_columns ? from->n_columns : joints); c++) {
        const double *right = of_columns ? k->T + 3 * c : one;
        for (int e = from->start[c]; e < from->start[c + 1]; e++) {
            if (!of_rows && from->row[e] >= joints) continue;
            const accelerations_small_places at =
                accelerations_small_places_of(k, from->row[e], c, of_rows, of_columns);
            const double *left = of_rows ? k->T + 3 * from->row[e] : one;
            for (int i = 0; i < at.n_rows; i++)
                for (int j = 0; j < at.n_columns; j++)
                    to->values[*position++] += left[i] * values[e] * right[j];
        }
    }
}

static void set_rotations(const rt_small *k, const rt_search *s)
{
    const routh_mechanism *m = k->m;
    for (int b = 0; b < m->n_bodies; b++)
        m->set->rotation(b, s->state->q, k->T + 3 * m->bodies[b].block.columns[3]);
}

void rt_small_jacobian(rt_small *k, const rt_search *s, const rt_pattern **pattern,
                       const double **values)
{
    set_rotations(k, s);
    accelerations_small_project(k, &k->G, &k->m->pattern_G, s->w->G, false, true);
    *pattern = &k->G.pattern;
    *values = k->G.values;
}

routh_status rt_small_factor(rt_small *k, const rt_search *s, routh_error *error)
{
    const routh_mechanism *m = k->m;
    set_rotations(k, s);
    accelerations_small_project(k, &k->M, &m->pattern_M, s->w->M, true, true);
    accelerations_small_project(k, &k->G, &m->pattern_G, s->w->G, false, true);
    accelerations_small_project(k, &k->L, &m->pattern_L, s->w->L, true, false);
    return rt_kkt_factor(k->kkt, k->M.values, k->G.values, k->L.values, 0, error);
}

/* The part along the body's own row, and its multiplier: y_own is replaced by mu, x by what g
 * leaves of the body's p''. */
static void solve_own(const rt_small *k, const rt_search *s, int b, double *x, double *y)
{
    const rt_body_block *body = &k->m->bodies[b];
    const int row = k->m->n_joint_rows + b, *column = body->block.columns;
    double gg = 0, gx = 0;
    for (int c = 3; c < body->block.n_columns; c++) {
        const double g = s->w->G[body->own_position[c]];
        gg += g * g;
        gx += g * x[column[c]];
    }
    for (int c = 0; c < body->block.n_columns; c++) {
        const double *T = k->T + 3 * column[c], *found = k->x + k->first[column[c]];
        double sum = c < 3 ? 0 : s->w->G[body->own_position[c]] * y[row] / gg;
        for (int i = 0; i < k->n_parts[column[c]]; i++) sum += T[i] * found[i];
        x[column[c]] = sum;
    }
    y[row] = gx / gg;
}

routh_status rt_small_solve(rt_small *k, const rt_search *s, double *x, double *y,
                            routh_error *error)
{
    memset(k->x, 0, (size_t)k->n * sizeof *k->x);
    for (int c = 0; c < k->m->n_u; c++)
        for (int i = 0; i < k->n_parts[c]; i++) k->x[k->first[c] + i] += k->T[3 * c + i] * x[c];
    memcpy(k->y, y, (size_t)k->m->n_joint_rows * sizeof *y);
    const routh_status status = rt_kkt_solve(k->kkt, k->x, k->y, error);
    if (status) return status;
    for (int b = 0; b < k->m->n_bodies; b++) solve_own(k, s, b, x, y);
    memcpy(x + k->m->first_elastic, k->x + 6 * (size_t)k->m->n_bodies,
           (size_t)k->m->n_elastic * sizeof *x);
    memcpy(y, k->y, (size_t)k->m->n_joint_rows * sizeof *y);
    return ROUTH_OK;
}
