/* A beam from its elements: coordinates are the displacements and turns of the nodes. Compiled for
 * variations too (base/scalar.h), where the shape that is filled in holds derivatives, and for
 * extended precision, where it holds what doubles leave of the numbers of another. */
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/beam_parts.h"

int rt_beam_directions(const rt_beam *beam, const int **directions)
{
    static const int all[RT_BEAM_NODE] = {0, 1, 2, 3, 4, 5}, in_plane[] = {0, 1, 5};
    *directions = beam->planar ? in_plane : all;
    return beam->planar ? 3 : RT_BEAM_NODE;
}

/* What one element has to do with: its places a = 0 .. 11 and their coordinates, ascending. */
typedef struct beam_assemble_member {
    int n;
    int place[RT_BEAM_ELEMENT], column[RT_BEAM_ELEMENT];
    const int *entry; /* n x n: of (row a, column b) in the pattern */
} beam_assemble_member;

/* A row of sums, and the row of a shape that it goes to. */
typedef struct beam_assemble_row {
    rt_held_sum *sum;
    double *to;
    const double *of;
    size_t n;
} beam_assemble_row;

enum { BEAM_ASSEMBLE_ROWS = 18, BEAM_ASSEMBLE_RIGID = 1 + 3 + 9 + 9 };

typedef struct rt_beam_assembly {
    const rt_beam *beam;
    const rt_flexible *of; /* extended precision: the shape in doubles; else NULL */
    rt_beam_element element;
    rt_arena *arena, *scratch; /* scratch lives as long as the assembly is used */
    rt_flexible *flexible;
    rt_flexible_node *nodes;
    rt_bar *bars;
    rt_held_sum *flexure;              /* numbers of the flexures; NULL: there are none */
    rt_held_sum *S, *R, *c, *g, *part; /* of nodes, bars and parts, one after the other */
    int per_node, n_fixed;             /* coordinates left out in front */
    const int *directions;
    beam_assemble_member *members;
    rt_held_sum *a, *B, *h, *N, *M, *K, *D;
    rt_held_sum *J1, *J2, *H_even, *H_odd;  /* NULL without rotary_inertia */
    rt_held_sum *a2, *B2;                   /* NULL without stiffening */
    rt_held_sum rigid[BEAM_ASSEMBLE_RIGID]; /* mass, first, second, rotary */
    beam_assemble_row rows[BEAM_ASSEMBLE_ROWS];
    int n_rows;
} assembly;

/* What is held of a number; of: the number in the other shape, at the place of `to`. */
static void beam_assemble_hold(double *to, const double *of, const rt_held_sum *x, size_t n)
{
#ifdef RT_WIDE
    for (size_t i = 0; i < n; i++) to[i] = (double)(x[i] - (of ? of[i] : 0));
#else
    (void)of;
    if (to != x) memcpy(to, x, n * sizeof *to);
#endif
}

/* n sums for a row of the shape; *to is that row. Only in extended precision is it another. */
static rt_held_sum *beam_assemble_take(assembly *s, const double **to, const double *of, size_t n)
{
    double *row = RT_TAKE(s->arena, double, n);
#ifdef RT_WIDE
    rt_held_sum *sum = RT_TAKE(s->scratch, rt_held_sum, n);
#else
    rt_held_sum *sum = row;
#endif
    s->rows[s->n_rows++] = (beam_assemble_row){sum, row, of, n};
    *to = row;
    return row ? sum : NULL;
}

static void beam_assemble_add(rt_held_sum *to, const rt_scalar *x, int n)
{
    for (int i = 0; i < n; i++) to[i] += rt_held_all(x[i]);
}

static void list_coordinates(const assembly *s, int k, beam_assemble_member *m)
{
    m->n = 0;
    for (int node = 0; node < 2; node++)
        for (int d = 0; d < s->per_node; d++) {
            const int column = s->per_node * (k + node) + d - s->n_fixed;
            if (column < 0) continue;
            m->place[m->n] = RT_BEAM_NODE * node + s->directions[d];
            m->column[m->n++] = column;
        }
}

static routh_status beam_assemble_make_pattern(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements;
    const size_t most = (size_t)count * (size_t)(4 * s->per_node * s->per_node);
    int *rows = RT_TAKE(s->scratch, int, most), *columns = RT_TAKE(s->scratch, int, most);
    int *entries = RT_TAKE(s->scratch, int, most);
    size_t n = 0;
    s->members = RT_TAKE(s->scratch, beam_assemble_member, count);
    if (!rows || !columns || !entries || !s->members) return rt_fail_memory(error);
    for (int k = 0; k < count; k++) {
        beam_assemble_member *m = &s->members[k];
        list_coordinates(s, k, m);
        m->entry = entries + n;
        for (int a = 0; a < m->n; a++)
            for (int b = 0; b < m->n; b++) rows[n] = m->column[a], columns[n++] = m->column[b];
    }
    return rt_pattern_build(&s->flexible->pattern, s->flexible->n, s->flexible->n, n, rows, columns,
                            entries, s->arena, error);
}

static routh_status beam_assemble_take_arrays(assembly *s, routh_error *error)
{
    rt_flexible *f = s->flexible;
    const rt_flexible none = {0}, *of = s->of ? s->of : &none;
    const size_t n = (size_t)f->n, n_entries = (size_t)f->pattern.start[f->n];
    s->a = beam_assemble_take(s, &f->a, of->a, 3 * n);
    s->B = beam_assemble_take(s, &f->B, of->B, 9 * n);
    s->h = beam_assemble_take(s, &f->h, of->h, 3 * n);
    s->N = beam_assemble_take(s, &f->N, of->N, 9 * n_entries);
    s->M = beam_assemble_take(s, &f->M, of->M, n_entries);
    s->K = beam_assemble_take(s, &f->K, of->K, n_entries);
    s->D = beam_assemble_take(s, &f->D, of->D, n_entries);
    if (s->beam->rotary_inertia) {
        s->J1 = beam_assemble_take(s, &f->J1, of->J1, 9 * n);
        s->J2 = beam_assemble_take(s, &f->J2, of->J2, 9 * n_entries);
        s->H_even = beam_assemble_take(s, &f->H_even, of->H_even, 3 * n_entries);
        s->H_odd = beam_assemble_take(s, &f->H_odd, of->H_odd, 3 * n_entries);
        if (!s->J1 || !s->J2 || !s->H_even || !s->H_odd) return rt_fail_memory(error);
    }
    if (s->beam->stiffening) {
        s->a2 = beam_assemble_take(s, &f->a2, of->a2, 3 * n_entries);
        s->B2 = beam_assemble_take(s, &f->B2, of->B2, 9 * n_entries);
        if (!s->a2 || !s->B2) return rt_fail_memory(error);
    }
    return s->a && s->B && s->h && s->N && s->M && s->K && s->D ? ROUTH_OK : rt_fail_memory(error);
}

/* B += int X S' dm with X = left + x axis */
static void add_moments(assembly *s, const beam_assemble_member *m, const rt_scalar left[3],
                        const rt_scalar axis[3])
{
    const rt_beam_element *e = &s->element;
    for (int k = 0; k < m->n; k++) {
        const int to = m->column[k], from = m->place[k];
        beam_assemble_add(s->a + 3 * to, e->a[from], 3);
        beam_assemble_add(s->h + 3 * to, e->h[from], 3);
        if (s->J1) beam_assemble_add(s->J1 + 9 * to, e->J1[from], 9);
        for (int i = 0; i < 9; i++)
            s->B[9 * to + i] +=
                rt_held_all(left[i / 3] * e->a[from][i % 3] + axis[i / 3] * e->b[from][i % 3]);
    }
}

/* The stretch is in K and D where no bar has it. */
static void beam_assemble_add_matrices(assembly *s, const beam_assemble_member *m)
{
    const rt_beam_element *e = &s->element;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++) {
            const int a = m->place[x], b = m->place[y], to = m->entry[m->n * x + y];
            const rt_scalar stretch = s->beam->stiffening ? 0 : e->stretch * e->c[a] * e->c[b];
            const rt_scalar stiffness = s->flexure ? 0 : e->K[a][b] + stretch;
            rt_scalar mass = e->M[a][b];
            beam_assemble_add(s->N + 9 * (size_t)to, e->N[a][b], 9);
            for (int i = 0; i < 9; i += 4) mass += e->N[a][b][i];
            s->M[to] += rt_held_all(e->M[a][b]);
            s->K[to] += rt_held_all(e->K[a][b] + stretch);
            s->D[to] +=
                rt_held_all(s->beam->damping_mass * mass + s->beam->damping_stiffness * stiffness);
        }
}

static void beam_assemble_add_turning(assembly *s, const beam_assemble_member *m)
{
    const rt_beam_element *e = &s->element;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++) {
            const int a = m->place[x], b = m->place[y];
            const size_t to = (size_t)m->entry[m->n * x + y];
            beam_assemble_add(s->J2 + 9 * to, e->J2[a][b], 9);
            beam_assemble_add(s->H_even + 3 * to, e->H_even[a][b], 3);
            beam_assemble_add(s->H_odd + 3 * to, e->H_odd[a][b], 3);
        }
}

/* a_kl, B_kl = int X G_kl' dm with X = left + x axis and G_kl along the axis */
static void beam_assemble_add_second(assembly *s, const beam_assemble_member *m,
                                     const rt_scalar left[3], const rt_scalar axis[3])
{
    const rt_beam_element *e = &s->element;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++) {
            const size_t to = (size_t)m->entry[m->n * x + y];
            const rt_scalar a = e->a2[m->place[x]][m->place[y]];
            const rt_scalar b = e->b2[m->place[x]][m->place[y]];
            for (int i = 0; i < 3; i++) s->a2[3 * to + i] += rt_held_all(a * axis[i]);
            for (int i = 0; i < 9; i++)
                s->B2[9 * to + i] += rt_held_all((a * left[i / 3] + b * axis[i / 3]) * axis[i % 3]);
        }
}

/* Of the undeformed element: int X dm, int X X' dm */
static void add_rigid(assembly *s, const rt_scalar left[3], const rt_scalar axis[3])
{
    const rt_scalar l = s->element.length, mass = s->beam->density * s->beam->area * l;
    rt_held_sum *first = s->rigid + 1, *second = first + 3, *rotary = second + 9;
    rt_scalar centre[3];
    rt_v3_copy(centre, left);
    rt_v3_add_scaled(centre, l / 2, axis);
    s->rigid[0] += rt_held_all(mass);
    for (int i = 0; i < 3; i++) first[i] += rt_held_all(mass * centre[i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            second[3 * i + j] +=
                rt_held_all(mass * (centre[i] * centre[j] + l * l / 12 * axis[i] * axis[j]));
    beam_assemble_add(rotary, s->element.section, 9);
}

static void place_of_node(const assembly *s, int node, rt_scalar X[3])
{
    const rt_beam *beam = s->beam;
    const rt_scalar along = (rt_scalar)node / beam->n_elements;
    for (int i = 0; i < 3; i++) X[i] = (1 - along) * beam->from[i] + along * beam->to[i];
}

static void add_elements(assembly *s)
{
    rt_scalar axis[3], left[3];
    rt_m3_column(axis, s->element.axes, 0);
    for (int k = 0; k < s->beam->n_elements; k++) {
        place_of_node(s, k, left);
        add_rigid(s, left, axis);
        add_moments(s, &s->members[k], left, axis);
        beam_assemble_add_matrices(s, &s->members[k]);
        if (s->J2) beam_assemble_add_turning(s, &s->members[k]);
        if (s->beam->stiffening) beam_assemble_add_second(s, &s->members[k], left, axis);
    }
}

/* "5.rz" */
static routh_status beam_assemble_name_coordinates(assembly *s, routh_error *error)
{
    static const char *const direction[RT_BEAM_NODE] = {"x", "y", "z", "rx", "ry", "rz"};
    rt_elastic *coordinates = RT_TAKE(s->arena, rt_elastic, s->flexible->n);
    if (!coordinates) return rt_fail_memory(error);
    for (int k = 0; k < s->flexible->n; k++) {
        const int node = (k + s->n_fixed) / s->per_node;
        const int d = s->directions[(k + s->n_fixed) % s->per_node];
        char name[24];
        const int length = snprintf(name, sizeof name, "%d.%s", node + 1, direction[d]);
        coordinates[k] = (rt_elastic){.name = rt_arena_text(s->arena, name, (size_t)length),
                                      .kind = d < 3 ? RT_ELASTIC_LENGTH : RT_ELASTIC_ANGLE,
                                      .size = 1};
        if (!coordinates[k].name) return rt_fail_memory(error);
    }
    s->flexible->coordinate = coordinates;
    return ROUTH_OK;
}

/* Columns of S and R are the beam's axes; the same at every node. */
static void beam_assemble_fill_nodes(assembly *s)
{
    const int n = s->per_node;
    for (int d = 0; d < n; d++)
        for (int i = 0; i < 3; i++)
            (s->directions[d] < 3 ? s->S : s->R)[n * i + d] =
                rt_held_all(s->element.axes[3 * i + s->directions[d] % 3]);
    for (int k = 0; k <= s->beam->n_elements; k++) {
        const rt_flexible_node *of = s->of ? &s->of->nodes[k] : NULL;
        rt_scalar X[3];
        rt_held_sum place[3], axes[9];
        place_of_node(s, k, X);
        for (int i = 0; i < 3; i++) place[i] = rt_held_all(X[i]);
        for (int i = 0; i < 9; i++) axes[i] = rt_held_all(s->element.axes[i]);
        beam_assemble_hold(s->nodes[k].X, of ? of->X : NULL, place, 3);
        beam_assemble_hold(s->nodes[k].axes, of ? of->axes : NULL, axes, 9);
    }
}

static routh_status beam_assemble_make_nodes(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements + 1, n = s->per_node;
    s->nodes = RT_TAKE(s->arena, rt_flexible_node, count);
    const rt_flexible_node *of = s->of ? &s->of->nodes[0] : NULL;
    const double *S, *R;
    s->S = beam_assemble_take(s, &S, of ? of->S : NULL, 3 * (size_t)n);
    s->R = beam_assemble_take(s, &R, of ? of->R : NULL, 3 * (size_t)n);
    int *columns = RT_TAKE(s->arena, int, (size_t)s->flexible->n + 1);
    int *lines = RT_TAKE(s->arena, int, 2 * (size_t)s->beam->n_elements);
    if (!s->nodes || !s->S || !s->R || !columns || !lines) return rt_fail_memory(error);
    for (int k = 0; k < s->flexible->n; k++) columns[k] = k;
    for (int k = 0; k < count; k++) {
        const int first = n * k - s->n_fixed;
        s->nodes[k] = (rt_flexible_node){.number = k + 1, .n = first < 0 ? 0 : n, .S = S, .R = R};
        s->nodes[k].column = columns + (first < 0 ? 0 : first);
    }
    for (int k = 0; k < 2 * s->beam->n_elements; k++) lines[k] = (k + 1) / 2;
    s->flexible->n_nodes = count, s->flexible->nodes = s->nodes;
    s->flexible->n_lines = s->beam->n_elements, s->flexible->lines = lines;
    return ROUTH_OK;
}

static const int *beam_assemble_copy_columns(assembly *s, const beam_assemble_member *m)
{
    int *columns = RT_TAKE(s->arena, int, m->n);
    if (columns) memcpy(columns, m->column, (size_t)m->n * sizeof *columns);
    return columns;
}

static void fill_parts(assembly *s)
{
    const rt_beam_element *e = &s->element;
    rt_held_sum *stiffness = s->part;
    for (int k = 0; k < s->beam->n_elements; k++) {
        const beam_assemble_member *m = &s->members[k];
        for (int x = 0; x < m->n; x++)
            for (int y = 0; y < m->n; y++) {
                const int a = m->place[x], b = m->place[y];
                const rt_scalar stretch = e->stretch * e->c[a] * e->c[b];
                *stiffness++ = rt_held_all(e->K[a][b] + (s->beam->stiffening ? 0 : stretch));
            }
    }
}

static routh_status beam_assemble_make_parts(assembly *s, routh_error *error)
{
    const size_t count = (size_t)s->beam->n_elements, most = 2 * (size_t)s->per_node;
    rt_flexible_part *parts = RT_TAKE(s->arena, rt_flexible_part, count);
    const double *stiffness;
    s->part =
        beam_assemble_take(s, &stiffness, s->of ? s->of->parts[0].k : NULL, most * most * count);
    if (!parts || !s->part) return rt_fail_memory(error);
    for (int k = 0; k < (int)count; k++) {
        const beam_assemble_member *m = &s->members[k];
        const int *columns = beam_assemble_copy_columns(s, m);
        if (!columns) return rt_fail_memory(error);
        parts[k] = (rt_flexible_part){
            .n = m->n, .column = columns, .k = stiffness, .n_nodes = 2, .nodes = {k, k + 1}};
        stiffness += (size_t)m->n * (size_t)m->n;
    }
    s->flexible->n_parts = (int)count, s->flexible->parts = parts;
    return ROUTH_OK;
}

/* The turn about x does not shorten the element: a bar does not see it. */
static void leave_out_torsion(beam_assemble_member *m)
{
    int n = 0;
    for (int k = 0; k < m->n; k++)
        if (m->place[k] % RT_BEAM_NODE != 3) {
            m->place[n] = m->place[k];
            m->column[n++] = m->column[k];
        }
    m->n = n;
}

static int entry_of(const rt_pattern *p, int row, int column)
{
    int e = p->start[column];
    while (p->row[e] != row) e++;
    return e;
}

static void fill_bars(assembly *s)
{
    const rt_beam_element *e = &s->element;
    const rt_held_sum stretch = rt_held_all(e->stretch),
                      damping = rt_held_all(s->beam->damping_stiffness * e->stretch);
    rt_held_sum *c = s->c, *g = s->g;
    for (int k = 0; k < s->flexible->n_bars; k++) {
        beam_assemble_member seen = s->members[k];
        leave_out_torsion(&seen);
        beam_assemble_hold(&s->bars[k].stiffness, s->of ? &s->of->bars[k].stiffness : NULL,
                           &stretch, 1);
        beam_assemble_hold(&s->bars[k].damping, s->of ? &s->of->bars[k].damping : NULL, &damping,
                           1);
        for (int x = 0; x < seen.n; x++) {
            *c++ = rt_held_all(e->c[seen.place[x]]);
            for (int y = 0; y < seen.n; y++) *g++ = rt_held_all(e->g[seen.place[x]][seen.place[y]]);
        }
    }
}

static routh_status make_bar(assembly *s, beam_assemble_member seen, const double *c,
                             const double *g, rt_bar *bar, routh_error *error)
{
    const int n = seen.n, *columns = beam_assemble_copy_columns(s, &seen);
    int *position = RT_TAKE(s->arena, int, n *n);
    if (!columns || !position) return rt_fail_memory(error);
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            position[n * x + y] = entry_of(&s->flexible->pattern, columns[x], columns[y]);
    *bar = (rt_bar){.n = n, .column = columns, .c = c, .g = g, .position = position};
    return ROUTH_OK;
}

static routh_status make_bars(assembly *s, routh_error *error)
{
    const size_t count = (size_t)s->beam->n_elements, most = 2 * (size_t)s->per_node;
    routh_status status = ROUTH_OK;
    if (!s->beam->stiffening || !s->beam->planar) return ROUTH_OK;
    s->bars = RT_TAKE(s->arena, rt_bar, count);
    const double *c, *g;
    s->c = beam_assemble_take(s, &c, s->of ? s->of->bars[0].c : NULL, most * count);
    s->g = beam_assemble_take(s, &g, s->of ? s->of->bars[0].g : NULL, most * most * count);
    if (!s->bars || !s->c || !s->g) return rt_fail_memory(error);
    for (int k = 0; k < (int)count && !status; k++) {
        beam_assemble_member seen = s->members[k];
        leave_out_torsion(&seen);
        status = make_bar(s, seen, c, g, &s->bars[k], error);
        c += seen.n, g += seen.n * seen.n;
    }
    s->flexible->n_bars = (int)count, s->flexible->bars = s->bars;
    return status;
}

static void fill_flexures(assembly *s)
{
    const rt_beam *b = s->beam;
    const rt_scalar numbers[RT_FLEXURE_NUMBERS] = {s->element.length,       b->young * b->area,
                                                   b->shear * b->torsion,   b->young * b->inertia_y,
                                                   b->young * b->inertia_z, b->damping_stiffness};
    for (int k = 0; k < RT_FLEXURE_NUMBERS; k++) s->flexure[k] = rt_held_all(numbers[k]);
}

static routh_status make_flexure(assembly *s, const beam_assemble_member *m, rt_flexure *flexure,
                                 routh_error *error)
{
    const size_t n = (size_t)m->n;
    const int *columns = beam_assemble_copy_columns(s, m);
    int *place = RT_TAKE(s->arena, int, n), *position = RT_TAKE(s->arena, int, n *n);
    if (!columns || !place || !position) return rt_fail_memory(error);
    memcpy(place, m->place, n * sizeof *place);
    memcpy(position, m->entry, n * n * sizeof *position);
    flexure->n = m->n, flexure->column = columns, flexure->place = place;
    flexure->position = position;
    return ROUTH_OK;
}

/* One an element, all with the same numbers. */
static routh_status make_flexures(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements;
    routh_status status = ROUTH_OK;
    if (!s->beam->stiffening || s->beam->planar) return ROUTH_OK;
    rt_flexure *flexures = RT_TAKE(s->arena, rt_flexure, count);
    const double *numbers;
    s->flexure = beam_assemble_take(s, &numbers, s->of ? s->of->flexures[0].numbers : NULL,
                                    RT_FLEXURE_NUMBERS);
    if (!flexures || !s->flexure) return rt_fail_memory(error);
    for (int k = 0; k < count && !status; k++) {
        flexures[k].numbers = numbers;
        status = make_flexure(s, &s->members[k], &flexures[k], error);
    }
    s->flexible->n_flexures = count, s->flexible->flexures = flexures;
    return status;
}

static routh_status beam_assemble_create(rt_beam_assembly **made, const rt_beam *beam,
                                         bool first_node_fixed, const rt_flexible *of,
                                         rt_arena *arena, rt_arena *scratch, routh_error *error)
{
    rt_beam_assembly *s = RT_TAKE(scratch, rt_beam_assembly, 1);
    if (!s) return rt_fail_memory(error);
    s->beam = beam, s->of = of, s->arena = arena, s->scratch = scratch;
    s->flexible = RT_TAKE(arena, rt_flexible, 1);
    if (!s->flexible) return rt_fail_memory(error);
    s->per_node = rt_beam_directions(beam, &s->directions);
    s->n_fixed = first_node_fixed ? s->per_node : 0;
    s->flexible->n = s->per_node * (beam->n_elements + 1) - s->n_fixed;
    routh_status status = beam_assemble_make_pattern(s, error);
    if (!status) status = beam_assemble_take_arrays(s, error);
    if (!status) status = beam_assemble_name_coordinates(s, error);
    if (!status) status = beam_assemble_make_nodes(s, error);
    if (!status) status = beam_assemble_make_parts(s, error);
    if (!status) status = make_bars(s, error);
    if (!status) status = make_flexures(s, error);
    *made = s;
    return status;
}

/* The sums begin at zero. */
static void beam_assemble_clear(assembly *s)
{
    memset(s->rigid, 0, sizeof s->rigid);
    for (int k = 0; k < s->n_rows; k++)
        memset(s->rows[k].sum, 0, s->rows[k].n * sizeof *s->rows[k].sum);
}

static void beam_assemble_keep(assembly *s)
{
    rt_flexible *f = s->flexible;
    const rt_flexible none = {0}, *of = s->of ? s->of : &none;
    const rt_held_sum *first = s->rigid + 1, *second = first + 3, *rotary = second + 9;
    beam_assemble_hold(&f->mass, &of->mass, s->rigid, 1);
    beam_assemble_hold(f->first, of->first, first, 3);
    beam_assemble_hold(f->second, of->second, second, 9);
    beam_assemble_hold(f->rotary, of->rotary, rotary, 9);
    for (int k = 0; k < s->n_rows; k++)
        beam_assemble_hold(s->rows[k].to, s->rows[k].of, s->rows[k].sum, s->rows[k].n);
}

const rt_flexible *rt_beam_assembly_fill(rt_beam_assembly *s, const rt_beam *beam)
{
    s->beam = beam;
    rt_beam_element_make(&s->element, beam);
    beam_assemble_clear(s);
    add_elements(s);
    beam_assemble_fill_nodes(s);
    fill_parts(s);
    fill_bars(s);
    if (s->flexure) fill_flexures(s);
    beam_assemble_keep(s);
    return s->flexible;
}

routh_status rt_beam_assemble(const rt_flexible **flexible, const rt_beam *beam,
                              bool first_node_fixed, rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    rt_beam_assembly *s = NULL;
    const routh_status status =
        beam_assemble_create(&s, beam, first_node_fixed, NULL, arena, &scratch, error);
    if (!status) *flexible = rt_beam_assembly_fill(s, beam);
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_beam_assembly_create(rt_beam_assembly **made, const rt_beam *beam,
                                     bool first_node_fixed, const rt_flexible *of, rt_arena *arena,
                                     routh_error *error)
{
    return beam_assemble_create(made, beam, first_node_fixed, of, arena, arena, error);
}
