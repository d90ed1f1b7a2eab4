/* Sparse matrices in the coordinate form of Matrix Market: a line for each entry, row, column and
 * value. Of a symmetric file only what is on and below the diagonal is there. */
#include "routh/matrices.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/sparse.h"
#include "base/file.h"

typedef struct exchange_mtx_sparse_holder {
    routh_matrices matrices; /* first: the public pointer is this one's address */
    rt_arena arena;
} exchange_mtx_sparse_holder;

typedef struct exchange_mtx_sparse_reader {
    const char *at, *end;
    int line;
} exchange_mtx_sparse_reader;

/* A matrix as it is in its file. */
typedef struct exchange_mtx_sparse_entries {
    int n, count; /* order */
    bool lower;   /* the file says it is symmetric */
    int *row, *column, *position;
    double *value;
} exchange_mtx_sparse_entries;

static routh_status exchange_mtx_sparse_broken(const exchange_mtx_sparse_reader *r,
                                               routh_error *error, const char *what)
{
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(r->line, 0), NULL, "%s", what);
}

/* ---- the head ------------------------------------------------------------------------------- */

static bool exchange_mtx_sparse_next_word(exchange_mtx_sparse_reader *r, const char **word,
                                          size_t *length)
{
    while (r->at < r->end && isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
    *word = r->at;
    while (r->at < r->end && !isspace((unsigned char)*r->at)) r->at++;
    *length = (size_t)(r->at - *word);
    return *length > 0;
}

static bool is(const char *word, size_t length, const char *what)
{
    return length == strlen(what) && strncasecmp(word, what, length) == 0;
}

static bool next_whole(exchange_mtx_sparse_reader *r, int *x)
{
    const char *word;
    size_t length;
    long value = 0;
    if (!exchange_mtx_sparse_next_word(r, &word, &length) || length > 10) return false;
    for (size_t k = 0; k < length; k++) {
        if (word[k] < '0' || word[k] > '9') return false;
        value = 10 * value + (word[k] - '0');
    }
    *x = (int)value;
    return value <= INT_MAX;
}

static routh_status exchange_mtx_sparse_read_banner(exchange_mtx_sparse_reader *r, bool *lower,
                                                    routh_error *error)
{
    static const char *const words[][2] = {{"%%MatrixMarket", NULL},
                                           {"matrix", NULL},
                                           {"coordinate", NULL},
                                           {"real", "integer"},
                                           {"general", "symmetric"}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *word;
        size_t length;
        const bool there = exchange_mtx_sparse_next_word(r, &word, &length) && r->line == 1;
        const bool first = there && is(word, length, words[k][0]);
        if (!first && !(there && words[k][1] && is(word, length, words[k][1])))
            return exchange_mtx_sparse_broken(
                r, error,
                "its first line is not `%%MatrixMarket matrix coordinate real general`, "
                "or the same with integer or symmetric");
        *lower = !first;
    }
    return ROUTH_OK;
}

static void skip_remarks(exchange_mtx_sparse_reader *r)
{
    for (;;) {
        while (r->at < r->end && isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
        if (r->at == r->end || *r->at != '%') return;
        while (r->at < r->end && *r->at != '\n') r->at++;
    }
}

static routh_status exchange_mtx_sparse_read_head(exchange_mtx_sparse_reader *r,
                                                  exchange_mtx_sparse_entries *m,
                                                  routh_error *error)
{
    int columns;
    const routh_status status = exchange_mtx_sparse_read_banner(r, &m->lower, error);
    if (status) return status;
    skip_remarks(r);
    if (!next_whole(r, &m->n) || !next_whole(r, &columns) || !next_whole(r, &m->count))
        return exchange_mtx_sparse_broken(r, error,
                                          "the numbers of rows, columns and entries are missing");
    if (m->n != columns || m->n < 1)
        return rt_fail_at(error, ROUTH_MODEL_ERROR, NULL, rt_place_at(r->line, 0), NULL,
                          "it has %d rows and %d columns, and must be square", m->n, columns);
    /* an entry takes five digits and blanks at least, the last four */
    if (5.0 * m->count > (double)(r->end - r->at) + 1)
        return exchange_mtx_sparse_broken(r, error, "it has fewer entries than its head says");
    return ROUTH_OK;
}

/* ---- entries -------------------------------------------------------------------------------- */

static routh_status read_entries(exchange_mtx_sparse_reader *r, exchange_mtx_sparse_entries *m,
                                 rt_arena *arena, routh_error *error)
{
    m->row = RT_TAKE(arena, int, m->count);
    m->column = RT_TAKE(arena, int, m->count);
    m->value = RT_TAKE(arena, double, m->count);
    if (!m->row || !m->column || !m->value) return rt_fail_memory(error);
    const char *word;
    size_t length;
    for (int k = 0; k < m->count; k++) {
        if (!next_whole(r, &m->row[k]) || !next_whole(r, &m->column[k]) ||
            !exchange_mtx_sparse_next_word(r, &word, &length) ||
            !rt_number_read(word, length, &m->value[k]))
            return exchange_mtx_sparse_broken(
                r, error, "an entry is not `row column value`, or the file breaks off");
        if (m->row[k] < 1 || m->row[k] > m->n || m->column[k] < 1 || m->column[k] > m->n)
            return exchange_mtx_sparse_broken(
                r, error,
                "an entry lies outside the matrix: rows and columns count "
                "from 1");
        m->row[k]--, m->column[k]--;
        if (m->lower && m->row[k] < m->column[k])
            return exchange_mtx_sparse_broken(
                r, error,
                "an entry lies above the diagonal of a symmetric matrix, of "
                "which only what is on and below it is written");
    }
    return exchange_mtx_sparse_next_word(r, &word, &length)
               ? exchange_mtx_sparse_broken(r, error, "it has more entries than its head says")
               : ROUTH_OK;
}

static routh_status exchange_mtx_sparse_compress(const exchange_mtx_sparse_entries *m,
                                                 routh_sparse *to, rt_arena *room, rt_arena *arena,
                                                 routh_error *error)
{
    rt_pattern p;
    int *position = RT_TAKE(room, int, m->count);
    if (!position) return rt_fail_memory(error);
    const routh_status status = rt_pattern_build(&p, m->n, m->n, (size_t)m->count, m->row,
                                                 m->column, position, arena, error);
    if (status) return status;
    *to = (routh_sparse){m->n, m->n, p.start, p.row, RT_TAKE(arena, double, p.start[m->n])};
    if (!to->value) return rt_fail_memory(error);
    for (int k = 0; k < m->count; k++) to->value[position[k]] += m->value[k];
    return ROUTH_OK;
}

static routh_status exchange_mtx_sparse_read_matrix(const char *path, routh_sparse *to, bool *lower,
                                                    rt_arena *arena, routh_error *error)
{
    rt_file file;
    rt_arena room = {0};
    exchange_mtx_sparse_entries m = {0};
    routh_status status = rt_file_read(path, &file, error);
    if (!status) {
        exchange_mtx_sparse_reader r = {file.bytes, file.bytes + file.length, 1};
        status = exchange_mtx_sparse_read_head(&r, &m, error);
        if (!status) status = read_entries(&r, &m, &room, error);
        free(file.bytes);
    }
    if (!status) status = exchange_mtx_sparse_compress(&m, to, &room, arena, error);
    *lower = m.lower;
    if (status) snprintf(error->file, sizeof error->file, "%s", path);
    rt_arena_free(&room);
    return status;
}

/* ---- symmetry ------------------------------------------------------------------------------- */

/* Do the triangles agree? next: n numbers of work. Columns are gone through in order, and of each
 * row the entries too, so that those of the mirror come in order. */
static bool triangles_agree(const routh_sparse *m, int *next)
{
    for (int c = 0; c < m->n_columns; c++) next[c] = m->start[c];
    for (int c = 0; c < m->n_columns; c++)
        for (int e = m->start[c]; e < m->start[c + 1]; e++) {
            const int r = m->row[e];
            if (next[r] >= m->start[r + 1] || m->row[next[r]] != c ||
                m->value[next[r]] != m->value[e])
                return false;
            next[r]++;
        }
    return true;
}

static void keep_lower(routh_sparse *m)
{
    int n = 0;
    for (int c = 0, e = 0; c < m->n_columns; c++) {
        const int end = m->start[c + 1];
        for (m->start[c] = n; e < end; e++)
            if (m->row[e] >= c) m->row[n] = m->row[e], m->value[n++] = m->value[e];
    }
    m->start[m->n_columns] = n;
}

static routh_status add_upper(routh_sparse *m, rt_arena *arena, routh_error *error)
{
    rt_arena room = {0};
    const int n = m->start[m->n_columns];
    exchange_mtx_sparse_entries all = {.n = m->n_columns,
                                       .row = RT_TAKE(&room, int, 2 * (size_t)n),
                                       .column = RT_TAKE(&room, int, 2 * (size_t)n),
                                       .value = RT_TAKE(&room, double, 2 * (size_t)n)};
    routh_status status = ROUTH_OK;
    if (!all.row || !all.column || !all.value) status = rt_fail_memory(error);
    for (int c = 0; !status && c < all.n; c++)
        for (int e = m->start[c]; e < m->start[c + 1]; e++)
            for (int mirror = 0; mirror <= (m->row[e] != c); mirror++) {
                all.row[all.count] = mirror ? c : m->row[e];
                all.column[all.count] = mirror ? m->row[e] : c;
                all.value[all.count++] = m->value[e];
            }
    if (!status) status = exchange_mtx_sparse_compress(&all, m, &room, arena, error);
    rt_arena_free(&room);
    return status;
}

/* All by their lower triangles, or, where one is not symmetric, all in full. */
static routh_status exchange_mtx_sparse_settle(exchange_mtx_sparse_holder *h, const bool lower[3],
                                               routh_error *error)
{
    routh_matrices *m = &h->matrices;
    routh_sparse *all[] = {&m->mass, &m->stiffness, &m->damping};
    const int n = m->damping.n_rows ? 3 : 2;
    int *next = malloc((size_t)m->n * sizeof *next);
    if (!next) return rt_fail_memory(error);
    m->symmetric = 1;
    for (int k = 0; k < n; k++)
        if (!lower[k] && !triangles_agree(all[k], next)) m->symmetric = 0;
    free(next);
    for (int k = 0; k < n; k++) {
        routh_status status = ROUTH_OK;
        if (m->symmetric && !lower[k]) keep_lower(all[k]);
        if (!m->symmetric && lower[k]) status = add_upper(all[k], &h->arena, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status exchange_mtx_sparse_load(exchange_mtx_sparse_holder *h,
                                             const char *const paths[3], routh_error *error)
{
    routh_matrices *m = &h->matrices;
    routh_sparse *all[] = {&m->mass, &m->stiffness, &m->damping};
    bool lower[3] = {0};
    for (int k = 0; k < 3; k++) {
        if (!paths[k]) continue;
        const routh_status status =
            exchange_mtx_sparse_read_matrix(paths[k], all[k], &lower[k], &h->arena, error);
        if (status) return status;
        if (k && all[k]->n_rows != m->n) {
            snprintf(error->file, sizeof error->file, "%s", paths[k]);
            return rt_fail_at(error, ROUTH_MODEL_ERROR, paths[k], (rt_place){0}, NULL,
                              "it is of order %d, and the mass matrix of order %d", all[k]->n_rows,
                              m->n);
        }
        m->n = all[k]->n_rows;
    }
    return exchange_mtx_sparse_settle(h, lower, error);
}

routh_status routh_matrices_load(routh_matrices **matrices, const char *mass, const char *stiffness,
                                 const char *damping, routh_error *error)
{
    routh_error local;
    if (!error) error = &local;
    *matrices = NULL;
    if (!mass || !stiffness)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "modes of matrices need the files of mass and stiffness");
    exchange_mtx_sparse_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    const routh_status status =
        exchange_mtx_sparse_load(h, (const char *const[]){mass, stiffness, damping}, error);
    if (status)
        routh_matrices_free(&h->matrices);
    else
        *matrices = &h->matrices;
    return status;
}

void routh_matrices_free(routh_matrices *matrices)
{
    if (!matrices) return;
    exchange_mtx_sparse_holder *h = (exchange_mtx_sparse_holder *)(void *)matrices;
    rt_arena_free(&h->arena);
    free(h);
}
