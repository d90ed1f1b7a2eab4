/* From the files of a finite-element program to one model: which row is which degree of freedom,
 * one pattern for mass and stiffness, symmetric to the last bit. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flexible/fem_entries.h"
#include "flexible/fem.h"
#include "flexible/fem_mesh.h"
#include "flexible/fem_surface.h"

/* Largest difference of two mirrored entries, over the root of the product of their diagonals. */
static const double ASYMMETRY = 1e-8;

/* What a program writes on the diagonal to hold a degree of freedom. */
static const double HELD = 1e30;

typedef struct fem_read_reader {
    rt_arena *arena;
    routh_error *error;
    const rt_fe_files *files;
    rt_fe_entries K, M;
    rt_fe_mesh mesh;
    rt_fe_model *fe;
    long *label; /* of every degree of freedom */
} fem_read_reader;

static int fem_read_ascending(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* ---- degrees of freedom --------------------------------------------------------------------- */

static bool parse_dof(rt_fe_text *t, int *node, int *direction)
{
    const char *dot = memchr(t->at, '.', (size_t)(t->end - t->at));
    if (dot)
        return rt_fe_int(t->at, (size_t)(dot - t->at), node) &&
               rt_fe_int(dot + 1, (size_t)(t->end - dot - 1), direction);
    return rt_fe_take_int(t, node) && rt_fe_take_int(t, direction) && rt_fe_blank(t);
}

/* Lines `node.direction` (CalculiX) or `node direction`, directions 1 to 6. */
static routh_status check_twice(const fem_read_reader *r, const rt_fe_text *t)
{
    const size_t n = (size_t)r->fe->n;
    long *sorted = malloc((n + 1) * sizeof *sorted), twice = 0;
    if (!sorted) return rt_fail_memory(r->error);
    memcpy(sorted, r->label, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, fem_read_ascending);
    for (size_t k = 1; k < n; k++)
        if (sorted[k] == sorted[k - 1]) twice = sorted[k];
    free(sorted);
    if (!twice) return ROUTH_OK;
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, t->path, (rt_place){0}, NULL,
                      "direction %d of node %d is listed twice; remove "
                      "one",
                      rt_fe_label_direction(twice) + 1, rt_fe_label_node(twice));
}

static routh_status list_dofs(fem_read_reader *r, rt_fe_text *t)
{
    rt_fe_model *fe = r->fe;
    int lines = 0, node, direction;
    while (rt_fe_next(t)) lines += !rt_fe_blank(t);
    r->label = RT_TAKE(r->arena, long, lines);
    if (!r->label) return rt_fail_memory(r->error);
    rt_fe_rewind(t);
    while (rt_fe_next(t)) {
        if (rt_fe_blank(t)) continue;
        if (!parse_dof(t, &node, &direction) || node < 1)
            return rt_fe_wrong(t, r->error,
                               "this line is neither `node.direction` nor `node direction`; "
                               "correct it");
        if (direction < 1 || direction > 6)
            return rt_fe_wrong(t, r->error,
                               "direction %d of node %d: displacements are 1 to 3, rotations 4 to "
                               "6",
                               direction, node);
        r->label[fe->n++] = rt_fe_label(node, direction - 1);
    }
    return check_twice(r, t);
}

static routh_status read_dofs(fem_read_reader *r, const char *path)
{
    rt_fe_text text;
    routh_status status = rt_fe_open(&text, path, r->error);
    if (status) return status;
    status = list_dofs(r, &text);
    rt_fe_close(&text);
    return status;
}

/* Three or six a node, in the order of the file of nodes. */
static routh_status count_dofs(fem_read_reader *r)
{
    const int n = r->K.order, nodes = r->mesh.n_nodes;
    const int each = n == 6L * nodes ? 6 : n == 3L * nodes ? 3 : 0;
    if (!each)
        return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->K.path, (rt_place){0}, NULL,
                          "the matrix has %d rows, and %s has %d nodes, so there are neither three "
                          "nor six rows per node; give a list with `node direction` of every row "
                          "(--dofs)",
                          n, r->mesh.path, nodes);
    r->label = RT_TAKE(r->arena, long, n);
    if (!r->label) return rt_fail_memory(r->error);
    for (int k = 0; k < n; k++) r->label[k] = rt_fe_label(r->mesh.number[k / each], k % each);
    r->fe->n = n;
    return ROUTH_OK;
}

/* All labels of both matrices, ascending. */
static routh_status gather_dofs(fem_read_reader *r)
{
    const size_t n = r->K.n + r->M.n;
    long *all = malloc((2 * n + 1) * sizeof *all);
    if (!all) return rt_fail_memory(r->error);
    size_t used = 0, kept = 0;
    for (size_t k = 0; k < r->K.n; k++) all[used++] = r->K.row[k], all[used++] = r->K.column[k];
    for (size_t k = 0; k < r->M.n; k++) all[used++] = r->M.row[k], all[used++] = r->M.column[k];
    qsort(all, used, sizeof *all, fem_read_ascending);
    for (size_t k = 0; k < used; k++)
        if (!k || all[k] != all[k - 1]) all[kept++] = all[k];
    r->label = RT_TAKE(r->arena, long, kept);
    if (r->label) memcpy(r->label, all, kept * sizeof *all);
    free(all);
    r->fe->n = (int)kept;
    return r->label ? ROUTH_OK : rt_fail_memory(r->error);
}

static int fem_read_row_of(const fem_read_reader *r, long label)
{
    const long *at =
        bsearch(&label, r->label, (size_t)r->fe->n, sizeof *r->label, fem_read_ascending);
    return at ? (int)(at - r->label) : -1;
}

/* CalculiX writes job.dof beside job.sti. */
static char *beside(const fem_read_reader *r, const char *suffix)
{
    const char *path = r->files->stiffness;
    const size_t n = strlen(path);
    if (n < 5 || strcmp(path + n - 4, ".sti") != 0) return NULL;
    char *other = rt_arena_text(r->arena, path, n);
    if (!other) return NULL;
    memcpy(other + n - 4, suffix, 4);
    return access(other, F_OK) == 0 ? other : NULL;
}

/* Where a file does not state its size, rows at its end may have no entry. */
static routh_status check_orders(fem_read_reader *r)
{
    const rt_fe_entries *K = &r->K, *M = &r->M;
    const bool fit = (K->order == M->order) || (!K->stated && K->order < M->order) ||
                     (!M->stated && M->order < K->order);
    if (fit) return ROUTH_OK;
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, M->path, (rt_place){0}, NULL,
                      "the mass matrix is of order %d, but the stiffness matrix of order %d; give "
                      "both for the same degrees of freedom",
                      M->order, K->order);
}

static routh_status choose_dofs(fem_read_reader *r)
{
    if (r->K.labelled != r->M.labelled)
        return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->M.path, (rt_place){0}, NULL,
                          "only one of the two matrices gives the nodes of its rows; export "
                          "stiffness and mass in the same format");
    if (r->K.labelled) return gather_dofs(r);
    const char *path = r->files->dofs ? r->files->dofs : beside(r, ".dof");
    routh_status status = check_orders(r);
    if (status) return status;
    if (r->K.order < r->M.order) r->K.order = r->M.order;
    status = path ? read_dofs(r, path) : count_dofs(r);
    if (status || r->fe->n == r->K.order) return status;
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, path ? path : r->M.path, (rt_place){0}, NULL,
                      "the list has %d degrees of freedom, but the matrices have %d rows; give one "
                      "line for each row",
                      r->fe->n, r->K.order);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static int find_node(const int *numbers, int n, int number)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && numbers[low] == number ? low : -1;
}

/* Nodes that have a degree of freedom. */
static routh_status keep_nodes(fem_read_reader *r)
{
    rt_fe_model *fe = r->fe;
    const rt_fe_mesh *m = &r->mesh;
    int *of = RT_TAKE(r->arena, int, m->n_nodes);
    fe->number = RT_TAKE(r->arena, int, m->n_nodes);
    fe->X = RT_TAKE(r->arena, double, 3 * (size_t)m->n_nodes);
    fe->node = RT_TAKE(r->arena, int, fe->n);
    fe->direction = RT_TAKE(r->arena, int, fe->n);
    if (!of || !fe->number || !fe->X || !fe->node || !fe->direction)
        return rt_fail_memory(r->error);
    for (int k = 0; k < fe->n; k++) {
        const int number = rt_fe_label_node(r->label[k]);
        fe->direction[k] = rt_fe_label_direction(r->label[k]);
        fe->node[k] = find_node(m->number, m->n_nodes, number);
        if (fe->node[k] < 0)
            return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->K.path, (rt_place){0}, NULL,
                              "the matrices have node %d, but %s does not; give the file of all "
                              "nodes (--nodes)",
                              number, m->path);
        of[fe->node[k]] = 1;
    }
    for (int k = 0; k < m->n_nodes; k++) {
        if (!of[k]) continue;
        memcpy(fe->X + 3 * (size_t)fe->n_nodes, m->X + 3 * (size_t)k, 3 * sizeof *fe->X);
        of[k] = fe->n_nodes;
        fe->number[fe->n_nodes++] = m->number[k];
    }
    for (int k = 0; k < fe->n; k++) fe->node[k] = of[fe->node[k]];
    return ROUTH_OK;
}

/* ---- matrices ------------------------------------------------------------------------------- */

/* Rows and columns as degrees of freedom; both halves of every pair go into the pattern. */
static void fem_read_place(const fem_read_reader *r, const rt_fe_entries *e, int *rows,
                           int *columns)
{
    for (size_t k = 0; k < e->n; k++) {
        const int i = e->labelled ? fem_read_row_of(r, e->row[k]) : (int)e->row[k];
        const int j = e->labelled ? fem_read_row_of(r, e->column[k]) : (int)e->column[k];
        rows[2 * k] = columns[2 * k + 1] = i;
        columns[2 * k] = rows[2 * k + 1] = j;
    }
}

/* Entry 2 k is the one in the file, 2 k + 1 its mirror image. */
static routh_status fem_read_fill(const fem_read_reader *r, const rt_fe_entries *e,
                                  const int *position, double *values)
{
    char *given = calloc((size_t)r->fe->pattern.start[r->fe->n] + 1, 1);
    if (!given) return rt_fail_memory(r->error);
    for (size_t k = 0; k < e->n; k++) {
        values[position[2 * k]] += e->value[k];
        given[position[2 * k]] = 1;
    }
    for (size_t k = 0; k < e->n && e->triangle; k++)
        if (!given[position[2 * k + 1]]) values[position[2 * k + 1]] = values[position[2 * k]];
    free(given);
    return ROUTH_OK;
}

static int entry_at(const rt_pattern *p, int row, int column)
{
    const int first = p->start[column];
    const int at = find_node(p->row + first, p->start[column + 1] - first, row);
    return at < 0 ? -1 : first + at;
}

static void name_dof(const rt_fe_model *fe, int dof, char text[32])
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    snprintf(text, 32, "%d.%s", fe->number[fe->node[dof]], names[fe->direction[dof]]);
}

static routh_status not_symmetric(const fem_read_reader *r, const char *what, const char *path,
                                  int i, int j, double a, double b)
{
    char row[32], column[32];
    name_dof(r->fe, i, row);
    name_dof(r->fe, j, column);
    return rt_fail_at(r->error, ROUTH_MODEL_ERROR, path, (rt_place){0}, NULL,
                      "the %s is not symmetric: the largest difference is at row %s, column %s, "
                      "with %.9g and %.9g; export a symmetric matrix",
                      what, row, column, a, b);
}

/* The mean of mirrored entries. */
static routh_status fem_read_symmetrize(const fem_read_reader *r, const char *what,
                                        const char *path, double *v, double *asymmetry)
{
    const rt_pattern *p = &r->fe->pattern;
    double worst = 0, a = 0, b = 0;
    int row = 0, column = 0;
    for (int j = 0; j < p->n_columns; j++)
        for (int k = p->start[j]; k < p->start[j + 1] && p->row[k] < j; k++) {
            const int i = p->row[k], mirror = entry_at(p, j, i), own = entry_at(p, i, i),
                      other = entry_at(p, j, j);
            const double scale = sqrt(fabs((own < 0 ? 0 : v[own]) * (other < 0 ? 0 : v[other])));
            const double off = fabs(v[k] - v[mirror]) / fmax(scale, 1e-300);
            if (off > worst) worst = off, row = i, column = j, a = v[k], b = v[mirror];
            v[k] = v[mirror] = 0.5 * v[k] + 0.5 * v[mirror];
        }
    *asymmetry = worst;
    return worst > ASYMMETRY ? not_symmetric(r, what, path, row, column, a, b) : ROUTH_OK;
}

static routh_status check_held(const fem_read_reader *r)
{
    const rt_pattern *p = &r->fe->pattern;
    char name[32];
    for (int j = 0; j < p->n_columns; j++) {
        const int k = entry_at(p, j, j);
        if (k < 0 || fabs(r->fe->K[k]) < HELD) continue;
        name_dof(r->fe, j, name);
        return rt_fail_at(r->error, ROUTH_MODEL_ERROR, r->K.path, (rt_place){0}, NULL,
                          "the stiffness is %.3g at %s, as if there were a support; export the "
                          "matrices of the body without supports",
                          r->fe->K[k], name);
    }
    return ROUTH_OK;
}

static routh_status fem_read_assemble(fem_read_reader *r)
{
    rt_fe_model *fe = r->fe;
    const size_t n = 2 * (r->K.n + r->M.n), diagonal = (size_t)fe->n;
    int *rows = malloc((n + diagonal) * sizeof *rows);
    int *columns = malloc((n + diagonal) * sizeof *columns);
    int *position = malloc((n + diagonal) * sizeof *position);
    routh_status status = rows && columns && position ? ROUTH_OK : rt_fail_memory(r->error);
    if (!status) {
        fem_read_place(r, &r->K, rows, columns);
        fem_read_place(r, &r->M, rows + 2 * r->K.n, columns + 2 * r->K.n);
        for (int k = 0; k < fe->n; k++) rows[n + (size_t)k] = columns[n + (size_t)k] = k;
        status = rt_pattern_build(&fe->pattern, fe->n, fe->n, n + diagonal, rows, columns, position,
                                  r->arena, r->error);
    }
    if (!status) {
        fe->K = RT_TAKE(r->arena, double, fe->pattern.start[fe->n]);
        fe->M = RT_TAKE(r->arena, double, fe->pattern.start[fe->n]);
        if (!fe->K || !fe->M) status = rt_fail_memory(r->error);
    }
    if (!status) status = fem_read_fill(r, &r->K, position, fe->K);
    if (!status) status = fem_read_fill(r, &r->M, position + 2 * r->K.n, fe->M);
    free(rows);
    free(columns);
    free(position);
    if (!status) status = check_held(r);
    if (!status) status = fem_read_symmetrize(r, "stiffness", r->K.path, fe->K, &fe->asymmetry[0]);
    return status ? status : fem_read_symmetrize(r, "mass", r->M.path, fe->M, &fe->asymmetry[1]);
}

/* ---- all ------------------------------------------------------------------------------------ */

static routh_status read_matrices(fem_read_reader *r)
{
    static const char *const stiffness[] = {"KAAX", "KGGX", "K2GG", "KAA", "KGG", "K", NULL};
    static const char *const mass[] = {"MAAX", "MGGX", "M2GG", "MAA", "MGG", "M", NULL};
    const rt_fe_files *f = r->files;
    const char *const K[] = {f->stiffness_name, NULL}, *const M[] = {f->mass_name, NULL};
    routh_status status =
        rt_fe_matrix(f->stiffness, f->stiffness_name ? K : stiffness, &r->K, r->error);
    return status ? status : rt_fe_matrix(f->mass, f->mass_name ? M : mass, &r->M, r->error);
}

static routh_status fem_read_all(fem_read_reader *r)
{
    routh_status status = read_matrices(r);
    const char *nodes = r->files->nodes ? r->files->nodes : r->files->stiffness;
    if (!status) status = rt_fe_mesh_read(nodes, &r->mesh, r->error);
    if (!status) status = choose_dofs(r);
    if (!status) status = keep_nodes(r);
    if (!status) status = fem_read_assemble(r);
    return status ? status : rt_fe_surface(r->fe, &r->mesh, r->arena, r->error);
}

routh_status rt_fe_read(rt_fe_model **fe, const rt_fe_files *files, rt_arena *arena,
                        routh_error *error)
{
    fem_read_reader r = {.arena = arena, .error = error, .files = files};
    *fe = NULL;
    if (!files->stiffness || !files->mass)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a finite-element body needs two files; give its stiffness matrix and its "
                       "mass matrix");
    r.fe = RT_TAKE(arena, rt_fe_model, 1);
    const routh_status status = r.fe ? fem_read_all(&r) : rt_fail_memory(error);
    rt_fe_entries_free(&r.K);
    rt_fe_entries_free(&r.M);
    rt_fe_mesh_free(&r.mesh);
    if (!status) *fe = r.fe;
    return status;
}
