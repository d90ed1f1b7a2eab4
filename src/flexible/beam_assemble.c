/* A beam from its elements: coordinates are the displacements and turns of the nodes. */
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
typedef struct member {
    int n;
    int place[RT_BEAM_ELEMENT], column[RT_BEAM_ELEMENT];
    const int *entry; /* n x n: of (row a, column b) in the pattern */
} member;

typedef struct assembly {
    const rt_beam *beam;
    const rt_beam_element *element;
    rt_arena *arena, *scratch;
    rt_flexible *flexible;
    int per_node, n_fixed; /* coordinates left out in front */
    const int *directions;
    member *members;
    double *a, *B, *h, *N, *M, *K, *D;
    double *a2, *B2; /* NULL without stiffening */
} assembly;

static void list_coordinates(const assembly *s, int k, member *m)
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

static routh_status make_pattern(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements;
    const size_t most = (size_t)count * (size_t)(4 * s->per_node * s->per_node);
    int *rows = RT_TAKE(s->scratch, int, most), *columns = RT_TAKE(s->scratch, int, most);
    int *entries = RT_TAKE(s->scratch, int, most);
    size_t n = 0;
    s->members = RT_TAKE(s->scratch, member, count);
    if (!rows || !columns || !entries || !s->members) return rt_fail_memory(error);
    for (int k = 0; k < count; k++) {
        member *m = &s->members[k];
        list_coordinates(s, k, m);
        m->entry = entries + n;
        for (int a = 0; a < m->n; a++)
            for (int b = 0; b < m->n; b++) rows[n] = m->column[a], columns[n++] = m->column[b];
    }
    return rt_pattern_build(&s->flexible->pattern, s->flexible->n, s->flexible->n, n, rows, columns,
                            entries, s->arena, error);
}

static routh_status take_arrays(assembly *s, routh_error *error)
{
    rt_flexible *f = s->flexible;
    const size_t n = (size_t)f->n, n_entries = (size_t)f->pattern.start[f->n];
    f->a = s->a = RT_TAKE(s->arena, double, 3 * n);
    f->B = s->B = RT_TAKE(s->arena, double, 9 * n);
    f->h = s->h = RT_TAKE(s->arena, double, 3 * n);
    f->N = s->N = RT_TAKE(s->arena, double, 9 * n_entries);
    f->M = s->M = RT_TAKE(s->arena, double, n_entries);
    f->K = s->K = RT_TAKE(s->arena, double, n_entries);
    f->D = s->D = RT_TAKE(s->arena, double, n_entries);
    if (s->beam->stiffening) {
        f->a2 = s->a2 = RT_TAKE(s->arena, double, 3 * n_entries);
        f->B2 = s->B2 = RT_TAKE(s->arena, double, 9 * n_entries);
        if (!s->a2 || !s->B2) return rt_fail_memory(error);
    }
    return s->a && s->B && s->h && s->N && s->M && s->K && s->D ? ROUTH_OK : rt_fail_memory(error);
}

/* B += int X S' dm with X = left + x axis */
static void add_moments(assembly *s, const member *m, const double left[3], const double axis[3])
{
    const rt_beam_element *e = s->element;
    for (int k = 0; k < m->n; k++) {
        const int to = m->column[k], from = m->place[k];
        rt_v3_add(s->a + 3 * to, s->a + 3 * to, e->a[from]);
        rt_v3_add(s->h + 3 * to, s->h + 3 * to, e->h[from]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                s->B[9 * to + 3 * i + j] += left[i] * e->a[from][j] + axis[i] * e->b[from][j];
    }
}

/* The stretch is in K where no bar has it; its damping is always in D. */
static void add_matrices(assembly *s, const member *m)
{
    const rt_beam_element *e = s->element;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++) {
            const int a = m->place[x], b = m->place[y], to = m->entry[m->n * x + y];
            const double stretch = e->stretch * e->c[a] * e->c[b];
            double mass = e->M[a][b];
            for (int i = 0; i < 9; i++) s->N[9 * (size_t)to + i] += e->N[a][b][i];
            for (int i = 0; i < 9; i += 4) mass += e->N[a][b][i];
            s->M[to] += e->M[a][b];
            s->K[to] += e->K[a][b] + (s->beam->stiffening ? 0 : stretch);
            s->D[to] +=
                s->beam->damping_mass * mass + s->beam->damping_stiffness * (e->K[a][b] + stretch);
        }
}

/* a_kl, B_kl = int X G_kl' dm with X = left + x axis and G_kl along the axis */
static void add_second(assembly *s, const member *m, const double left[3], const double axis[3])
{
    const rt_beam_element *e = s->element;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++) {
            const size_t to = (size_t)m->entry[m->n * x + y];
            const double a = e->a2[m->place[x]][m->place[y]], b = e->b2[m->place[x]][m->place[y]];
            rt_v3_add_scaled(s->a2 + 3 * to, a, axis);
            for (int i = 0; i < 9; i++)
                s->B2[9 * to + i] += (a * left[i / 3] + b * axis[i / 3]) * axis[i % 3];
        }
}

/* Of the undeformed element: int X dm, int X X' dm */
static void add_rigid(assembly *s, const double left[3], const double axis[3])
{
    const double l = s->element->length, mass = s->beam->density * s->beam->area * l;
    rt_flexible *f = s->flexible;
    double centre[3];
    rt_v3_copy(centre, left);
    rt_v3_add_scaled(centre, l / 2, axis);
    f->mass += mass;
    rt_v3_add_scaled(f->first, mass, centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f->second[3 * i + j] += mass * (centre[i] * centre[j] + l * l / 12 * axis[i] * axis[j]);
    for (int i = 0; i < 9; i++) f->rotary[i] += s->element->section[i];
}

static void place_of_node(const assembly *s, int node, double X[3])
{
    const rt_beam *beam = s->beam;
    const double along = (double)node / beam->n_elements;
    for (int i = 0; i < 3; i++) X[i] = (1 - along) * beam->from[i] + along * beam->to[i];
}

static void add_elements(assembly *s)
{
    double axis[3], left[3];
    rt_m3_column(axis, s->element->axes, 0);
    for (int k = 0; k < s->beam->n_elements; k++) {
        place_of_node(s, k, left);
        add_rigid(s, left, axis);
        add_moments(s, &s->members[k], left, axis);
        add_matrices(s, &s->members[k]);
        if (s->beam->stiffening) add_second(s, &s->members[k], left, axis);
    }
}

/* "5.rz" */
static routh_status name_coordinates(assembly *s, routh_error *error)
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
static routh_status make_nodes(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements + 1, n = s->per_node;
    rt_flexible_node *nodes = RT_TAKE(s->arena, rt_flexible_node, count);
    double *S = RT_TAKE(s->arena, double, 3 * n), *R = RT_TAKE(s->arena, double, 3 * n);
    int *columns = RT_TAKE(s->arena, int, (size_t)s->flexible->n + 1);
    int *lines = RT_TAKE(s->arena, int, 2 * (size_t)s->beam->n_elements);
    if (!nodes || !S || !R || !columns || !lines) return rt_fail_memory(error);
    for (int d = 0; d < n; d++)
        for (int i = 0; i < 3; i++)
            (s->directions[d] < 3 ? S : R)[n * i + d] =
                s->element->axes[3 * i + s->directions[d] % 3];
    for (int k = 0; k < s->flexible->n; k++) columns[k] = k;
    for (int k = 0; k < count; k++) {
        const int first = n * k - s->n_fixed;
        nodes[k] = (rt_flexible_node){.number = k + 1, .n = first < 0 ? 0 : n, .S = S, .R = R};
        nodes[k].column = columns + (first < 0 ? 0 : first);
        place_of_node(s, k, nodes[k].X);
        memcpy(nodes[k].axes, s->element->axes, sizeof nodes[k].axes);
    }
    for (int k = 0; k < 2 * s->beam->n_elements; k++) lines[k] = (k + 1) / 2;
    s->flexible->n_nodes = count, s->flexible->nodes = nodes;
    s->flexible->n_lines = s->beam->n_elements, s->flexible->lines = lines;
    return ROUTH_OK;
}

static const int *copy_columns(assembly *s, const member *m)
{
    int *columns = RT_TAKE(s->arena, int, m->n);
    if (columns) memcpy(columns, m->column, (size_t)m->n * sizeof *columns);
    return columns;
}

static routh_status make_parts(assembly *s, routh_error *error)
{
    const rt_beam_element *e = s->element;
    const int count = s->beam->n_elements;
    rt_flexible_part *parts = RT_TAKE(s->arena, rt_flexible_part, count);
    if (!parts) return rt_fail_memory(error);
    for (int k = 0; k < count; k++) {
        const member *m = &s->members[k];
        const int *columns = copy_columns(s, m);
        double *stiffness = RT_TAKE(s->arena, double, m->n * m->n);
        if (!columns || !stiffness) return rt_fail_memory(error);
        for (int x = 0; x < m->n; x++)
            for (int y = 0; y < m->n; y++) {
                const int a = m->place[x], b = m->place[y];
                const double stretch = e->stretch * e->c[a] * e->c[b];
                stiffness[m->n * x + y] = e->K[a][b] + (s->beam->stiffening ? 0 : stretch);
            }
        parts[k] = (rt_flexible_part){
            .n = m->n, .column = columns, .k = stiffness, .n_nodes = 2, .nodes = {k, k + 1}};
    }
    s->flexible->n_parts = count, s->flexible->parts = parts;
    return ROUTH_OK;
}

/* The turn about x does not shorten the element: a bar does not see it. */
static void leave_out_torsion(member *m)
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

static routh_status make_bar(assembly *s, member seen, rt_bar *bar, routh_error *error)
{
    const rt_beam_element *e = s->element;
    leave_out_torsion(&seen);
    const int n = seen.n, *columns = copy_columns(s, &seen);
    double *c = RT_TAKE(s->arena, double, n), *g = RT_TAKE(s->arena, double, n *n);
    int *position = RT_TAKE(s->arena, int, n *n);
    if (!columns || !c || !g || !position) return rt_fail_memory(error);
    for (int x = 0; x < n; x++) {
        c[x] = e->c[seen.place[x]];
        for (int y = 0; y < n; y++) {
            g[n * x + y] = e->g[seen.place[x]][seen.place[y]];
            position[n * x + y] = entry_of(&s->flexible->pattern, columns[x], columns[y]);
        }
    }
    *bar = (rt_bar){e->stretch, n, columns, c, g, position};
    return ROUTH_OK;
}

static routh_status make_bars(assembly *s, routh_error *error)
{
    const int count = s->beam->n_elements;
    routh_status status = ROUTH_OK;
    if (!s->beam->stiffening) return ROUTH_OK;
    rt_bar *bars = RT_TAKE(s->arena, rt_bar, count);
    if (!bars) return rt_fail_memory(error);
    for (int k = 0; k < count && !status; k++) status = make_bar(s, s->members[k], &bars[k], error);
    s->flexible->n_bars = count, s->flexible->bars = bars;
    return status;
}

static routh_status assemble(assembly *s, routh_error *error)
{
    routh_status status = make_pattern(s, error);
    if (!status) status = take_arrays(s, error);
    if (status) return status;
    add_elements(s);
    status = name_coordinates(s, error);
    if (!status) status = make_nodes(s, error);
    if (!status) status = make_parts(s, error);
    return status ? status : make_bars(s, error);
}

routh_status rt_beam_assemble(const rt_flexible **flexible, const rt_beam *beam,
                              const rt_beam_element *element, bool first_node_fixed,
                              rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    assembly s = {.beam = beam, .element = element, .arena = arena, .scratch = &scratch};
    s.flexible = RT_TAKE(arena, rt_flexible, 1);
    if (!s.flexible) return rt_fail_memory(error);
    s.per_node = rt_beam_directions(beam, &s.directions);
    s.n_fixed = first_node_fixed ? s.per_node : 0;
    s.flexible->n = s.per_node * (beam->n_elements + 1) - s.n_fixed;
    const routh_status status = assemble(&s, error);
    rt_arena_free(&scratch);
    if (!status) *flexible = s.flexible;
    return status;
}
