/* See report_flexible.h. Displacements are parts of the body's largest, strain energies of the
 * largest density in the mode (packed.h). */
#include "output/report_flexible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/packed.h"
#include "output/thin.h"

/* A page of 50 modes stays below 1.5 MB: so many vectors of the nodes of all bodies, and so many
 * numbers of all modes. */
enum { MOST_VECTORS = 600, MOST_NUMBERS = 100000 };

struct rt_drawing {
    const routh_linear *linear;
    int n_bodies;
    rt_thin_body *bodies;
    double *q;       /* 2 x the most elastic coordinates of a body */
    double *motion;  /* 12 x the most drawn nodes */
    double *density; /* of all drawn nodes, body by body */
    rt_packed packed;
};

/* ---- what is drawn -------------------------------------------------------------------------- */

static int report_flexible_larger(int a, int b) { return a > b ? a : b; }

static routh_status report_flexible_fill(rt_drawing *d, routh_error *error)
{
    const routh_linear *l = d->linear;
    int all = 0, vectors = 0, n_q = 1, n_nodes = 1;
    for (int b = 0; b < l->n_flexible; b++) {
        all += l->flexible[b].n_nodes;
        vectors += l->flexible[b].n_nodes * (l->flexible[b].n_triangles ? 1 : 2);
    }
    for (; d->n_bodies < l->n_flexible; d->n_bodies++) {
        const routh_flexible_body *body = &l->flexible[d->n_bodies];
        const double part = vectors > MOST_VECTORS ? (double)MOST_VECTORS / vectors : 1;
        const int most = report_flexible_larger(2, (int)(part * body->n_nodes));
        const routh_status status = rt_thin(&d->bodies[d->n_bodies], body, most, error);
        if (status) return status;
        n_q = report_flexible_larger(n_q, body->n);
        n_nodes = report_flexible_larger(n_nodes, body->n_nodes);
    }
    d->q = calloc(2 * (size_t)n_q, sizeof *d->q);
    d->motion = calloc(12 * (size_t)n_nodes, sizeof *d->motion);
    d->density = calloc((size_t)(all > 0 ? all : 1), sizeof *d->density);
    return d->q && d->motion && d->density ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_drawing_create(rt_drawing **drawing, const routh_linear *linear, routh_error *error)
{
    rt_drawing *d = calloc(1, sizeof *d);
    *drawing = NULL;
    if (!d) return rt_fail_memory(error);
    d->linear = linear;
    d->bodies = calloc((size_t)linear->n_flexible + 1, sizeof *d->bodies);
    const routh_status status = d->bodies ? report_flexible_fill(d, error) : rt_fail_memory(error);
    if (status)
        rt_drawing_free(d);
    else
        *drawing = d;
    return status;
}

void rt_drawing_free(rt_drawing *d)
{
    if (!d) return;
    for (int b = 0; d->bodies && b < d->linear->n_flexible; b++) rt_thin_free(&d->bodies[b]);
    free(d->bodies);
    free(d->q);
    free(d->motion);
    free(d->density);
    rt_packed_free(&d->packed);
    free(d);
}

static void report_flexible_indices(rt_json *json, const char *key, const int *list, int n)
{
    rt_json_flat_array(json, key);
    for (int k = 0; k < n; k++) rt_json_int(json, NULL, list[k]);
    rt_json_end(json);
}

enum { DRAWN_DIGITS = 7 };

static void vectors(rt_json *json, const char *key, const rt_thin_body *body,
                    const routh_flexible_node *nodes, size_t offset)
{
    rt_json_array(json, key);
    for (int k = 0; k < body->n_nodes; k++) {
        const char *node = (const char *)&nodes[body->node[k]];
        double values[3];
        memcpy(values, node + offset, sizeof values);
        rt_json_reals_short(json, NULL, values, 3, DRAWN_DIGITS);
    }
    rt_json_end(json);
}

/* The axis along which a beam lies at its nodes. */
static void tangents(rt_json *json, const rt_thin_body *body, const routh_flexible_node *nodes)
{
    rt_json_array(json, "along");
    for (int k = 0; k < body->n_nodes; k++) {
        const double *A = nodes[body->node[k]].orientation, x[3] = {A[0], A[3], A[6]};
        rt_json_reals_short(json, NULL, x, 3, DRAWN_DIGITS);
    }
    rt_json_end(json);
}

void rt_json_flexible(rt_json *json, const rt_drawing *d)
{
    rt_json_array(json, "flexible");
    for (int b = 0; b < d->n_bodies; b++) {
        const routh_flexible_body *body = &d->linear->flexible[b];
        const rt_thin_body *drawn = &d->bodies[b];
        rt_json_object(json, NULL);
        rt_json_string(json, "body", body->name);
        rt_json_real(json, "radius", body->radius);
        vectors(json, "nodes", drawn, body->nodes, offsetof(routh_flexible_node, position));
        vectors(json, "undeformed", drawn, body->nodes, offsetof(routh_flexible_node, undeformed));
        if (drawn->n_triangles == 0) tangents(json, drawn, body->nodes);
        report_flexible_indices(json, "lines", drawn->lines, 2 * drawn->n_lines);
        report_flexible_indices(json, "triangles", drawn->triangles, 3 * drawn->n_triangles);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- one mode ------------------------------------------------------------------------------- */

/* Largest displacement and turn of the drawn nodes; q and motion are left. */
static void report_flexible_move(rt_drawing *d, const routh_mode *mode, int b, double most[2])
{
    const rt_thin_body *body = &d->bodies[b];
    double frame[12];
    routh_mode_marker(d->linear, mode, d->linear->flexible[b].marker, frame);
    routh_mode_elastic(d->linear, mode, b, d->q);
    most[0] = most[1] = 0;
    for (int k = 0; k < body->n_nodes; k++) {
        double *x = d->motion + 12 * (size_t)k;
        routh_mode_node(d->linear, b, frame, d->q, body->node[k], x);
        for (int i = 0; i < 12; i++) {
            double *size = &most[i / 3 % 2];
            *size = fmax(*size, fabs(x[i]));
        }
    }
    /* of a body that does not turn, rounding alone */
    if (most[1] * body->span < 1e-9 * most[0]) most[1] = 0;
}

/* Lines need the turns of their nodes, triangles do not. */
static int kinds(const rt_thin_body *body) { return body->n_triangles ? 1 : 2; }

/* Is there an imaginary part? */
static bool is_complex(const rt_drawing *d, const rt_thin_body *body, const double most[2])
{
    for (int k = 0; k < body->n_nodes; k++)
        for (int i = 0; i < 3 * kinds(body); i++)
            if (rt_packed_round(d->motion[12 * (size_t)k + 6 + i], most[i / 3])) return true;
    return false;
}

int rt_drawing_modes(rt_drawing *d, const routh_modes *modes, const int *order, int n)
{
    long numbers = 0;
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < d->n_bodies; b++) {
            const rt_thin_body *body = &d->bodies[b];
            double size[2];
            report_flexible_move(d, &modes->modes[order[i]], b, size);
            numbers += 3L * kinds(body) * body->n_nodes * (is_complex(d, body, size) ? 2 : 1);
        }
        if (numbers > MOST_NUMBERS && i > 0) return i;
    }
    return n;
}

/* Of one part: all displacements, then all turns. */
static void report_flexible_numbers(rt_json *json, const char *key, rt_drawing *d,
                                    const rt_thin_body *body, const double most[2], int first)
{
    rt_packed_start(&d->packed);
    for (int kind = 0; kind < kinds(body); kind++)
        for (int k = 0; k < body->n_nodes; k++)
            for (int i = 0; i < 3; i++)
                rt_packed_number(&d->packed, d->motion[12 * (size_t)k + first + 3 * kind + i],
                                 most[kind]);
    rt_packed_end(&d->packed, json, key);
}

/* Is its density one by mass? */
static bool has_masses(const rt_drawing *d, int b)
{
    const routh_flexible_body *body = &d->linear->flexible[b];
    return body->n_parts > 0 && body->parts[0].size > 0;
}

/* Densities of strain energy at the drawn nodes, as parts of the largest of their kind: those by
 * mass and those by length are no numbers to compare. */
static void find_densities(rt_drawing *d, const routh_mode *mode)
{
    double *to = d->density, most[2] = {0, 0};
    for (int b = 0; b < d->n_bodies; b++) {
        const routh_flexible_body *flexible = &d->linear->flexible[b];
        const rt_thin_body *body = &d->bodies[b];
        double *largest = &most[has_masses(d, b)];
        memset(to, 0, (size_t)body->n_nodes * sizeof *to);
        routh_mode_elastic(d->linear, mode, b, d->q);
        for (int p = 0; p < flexible->n_parts; p++) {
            const routh_flexible_part *part = &flexible->parts[p];
            const double energy = routh_mode_part_energy(d->linear, b, d->q, p) / part->n_nodes;
            for (int i = 0; i < part->n_nodes; i++) to[body->drawn[part->nodes[i]]] += energy;
        }
        for (int k = 0; k < body->n_nodes; k++) {
            if (body->size[k] > 0) to[k] /= body->size[k];
            *largest = fmax(*largest, to[k]);
        }
        to += body->n_nodes;
    }
    to = d->density;
    for (int b = 0; b < d->n_bodies; b++) {
        const double largest = most[has_masses(d, b)];
        for (int k = 0; k < d->bodies[b].n_nodes; k++) *to++ /= largest > 0 ? largest : 1;
    }
}

void rt_json_flexible_mode(rt_json *json, rt_drawing *d, const routh_mode *mode)
{
    const double *density = d->density;
    find_densities(d, mode);
    rt_json_array(json, "flexible");
    for (int b = 0; b < d->n_bodies; b++) {
        const rt_thin_body *body = &d->bodies[b];
        double most[2];
        report_flexible_move(d, mode, b, most);
        rt_json_object(json, NULL);
        const double unit[2] = {most[0] / RT_PACKED_MOST, most[1] / RT_PACKED_MOST};
        rt_json_reals_short(json, "unit", unit, 2, DRAWN_DIGITS);
        report_flexible_numbers(json, "re", d, body, most, 0);
        if (is_complex(d, body, most)) report_flexible_numbers(json, "im", d, body, most, 6);
        if (d->linear->flexible[b].n_parts > 0) {
            rt_packed_start(&d->packed);
            for (int k = 0; k < body->n_nodes; k++) rt_packed_byte(&d->packed, density[k], 1);
            rt_packed_end(&d->packed, json, "strain");
        }
        density += body->n_nodes;
        rt_json_end(json);
    }
    rt_json_end(json);
}
