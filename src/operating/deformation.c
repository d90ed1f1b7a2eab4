/* How far flexible bodies are deformed in their frames, and whether the theory covers it.
 *
 * Displacements S_k q_k and rotations R_k q_k are linear in q. Of a rotation by theta, exp(theta x)
 * = 1 + theta x + ..., that leaves out |1 - cos(theta)| ~ theta^2/2; of a stretch e, whose exact
 * measure is e + e^2/2, it leaves out e/2 of it. Both are parts of the whole:
 *     2 % at 0.2 rad or a strain of 0.04: said;   50 % at 1 rad or a strain of 1: not covered. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/pi.h"
#include "elements/flexure.h"
#include "operating/operating.h"

static const double SAID = 0.02, NOT_COVERED = 0.5;

double rt_deformation_error(const rt_deformation *d)
{
    return fmax(d->rotation * d->rotation / 2, fabs(d->strain) / 2);
}

static void node_displacement(const rt_flexible_node *node, const double *shape, const double *q,
                              double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < node->n; k++)
            out[i] += shape[(size_t)i * (size_t)node->n + (size_t)k] * q[node->column[k]];
    }
}

static void note_rotation(rt_deformation *d, double rotation, int node)
{
    if (!(rotation > d->rotation)) return;
    d->rotation = rotation;
    d->node = node;
}

static void note_strain(rt_deformation *d, double strain)
{
    if (fabs(strain) > fabs(d->strain)) d->strain = strain;
}

/* Between two nodes: along the line its stretch, across it, where nodes do not turn, its turn. */
static void note_line(rt_deformation *d, const rt_flexible *f, const double *q, int a, int b)
{
    const rt_flexible_node *from = &f->nodes[a], *to = &f->nodes[b];
    double line[3], s[3], more[3];
    rt_v3_sub(line, to->X, from->X);
    const double length = rt_v3_norm(line);
    if (!(length > 0)) return;
    rt_v3_scale(line, 1 / length, line);
    node_displacement(from, from->S, q, s);
    node_displacement(to, to->S, q, more);
    rt_v3_sub(s, more, s);
    const double along = rt_v3_dot(line, s);
    if (f->n_bars + f->n_flexures == 0) note_strain(d, along / length);
    if (!from->point || !to->point) return;
    rt_v3_add_scaled(s, -along, line);
    note_rotation(d, rt_v3_norm(s) / length, to->number);
}

/* The mean strain of a bar, with what bending brings: e = c q + 1/2 q.g q. */
static double strain_of_bar(const rt_bar *bar, const double *q)
{
    double e = 0;
    for (int a = 0; a < bar->n; a++) {
        double row = 0;
        for (int b = 0; b < bar->n; b++)
            row += bar->g[(size_t)a * (size_t)bar->n + (size_t)b] * q[bar->column[b]];
        e += q[bar->column[a]] * (bar->c[a] + row / 2);
    }
    return e;
}

rt_deformation rt_deformation_of(const rt_flexible *f, const double *q)
{
    rt_deformation d = {0};
    for (int j = 0; j < f->n_nodes; j++) {
        const rt_flexible_node *node = &f->nodes[j];
        double turned[3];
        if (node->point) continue;
        node_displacement(node, node->R, q, turned);
        note_rotation(&d, rt_v3_norm(turned), node->number);
    }
    for (int k = 0; k < f->n_bars; k++) note_strain(&d, strain_of_bar(&f->bars[k], q));
    for (int k = 0; k < f->n_flexures; k++) note_strain(&d, rt_flexure_at(f, k, q).strain);
    for (int k = 0; k < f->n_lines; k++) note_line(&d, f, q, f->lines[2 * k], f->lines[2 * k + 1]);
    for (int k = 0; k < f->n_triangles; k++)
        for (int i = 0; i < 3; i++)
            note_line(&d, f, q, f->triangles[3 * k + i], f->triangles[3 * k + (i + 1) % 3]);
    return d;
}

int rt_most_deformed(const rt_search *s, rt_deformation *most)
{
    int at = -1;
    *most = (rt_deformation){0};
    for (int k = 0; k < s->m->n_flexible; k++) {
        const rt_flexible_block *block = &s->m->flexible[k];
        const rt_deformation d =
            rt_deformation_of(block->shape, s->state->q + s->m->first_elastic_q + block->first);
        if (at >= 0 && !(rt_deformation_error(&d) > rt_deformation_error(most))) continue;
        *most = d;
        at = block->body;
    }
    return at;
}

/* "is turned by 41 deg (node 12) and stretched by 3 % in its frame" */
static void deformation_describe(const rt_deformation *d, char *text, size_t room)
{
    char stretch[80] = "", number[RT_NUMBER_SIZE];
    rt_number_text(number, 100 * fabs(d->strain), 2);
    if (fabs(d->strain) >= 0.001)
        snprintf(stretch, sizeof stretch, " and %s by %s %%",
                 d->strain > 0 ? "stretched" : "compressed", number);
    rt_number_text(number, d->rotation * 180 / RT_PI, 3);
    snprintf(text, room, "is deformed in its frame, rotated by %s deg at node %d%s", number,
             d->node, stretch);
}

static const char remedy[] =
    "model a beam under `beams`, which are geometrically exact, or divide the body into several "
    "joined by fixed joints";

bool rt_deformation_words(const rt_search *s, char *text, size_t room)
{
    rt_deformation d;
    char what[200], number[RT_NUMBER_SIZE];
    const int body = rt_most_deformed(s, &d);
    text[0] = 0;
    if (body < 0 || !(rt_deformation_error(&d) > SAID)) return false;
    deformation_describe(&d, what, sizeof what);
    rt_number_text(number, 100 * fmin(rt_deformation_error(&d), 1), 2);
    snprintf(text, room,
             "body %s %s; the theory of small deformations in a floating frame leaves out about "
             "%s %% of it: %s",
             s->m->model->bodies[body].name, what, number, remedy);
    return true;
}

bool rt_deformation_is_covered(const rt_search *s)
{
    rt_deformation d;
    return rt_most_deformed(s, &d) < 0 || rt_deformation_error(&d) <= NOT_COVERED;
}

routh_status rt_fail_deformed(const rt_search *s, const char *why, routh_error *error)
{
    rt_deformation d;
    char element[192], what[160];
    const rt_body *b = &s->m->model->bodies[rt_most_deformed(s, &d)];
    deformation_describe(&d, what, sizeof what);
    snprintf(element, sizeof element, "body %s", b->name);
    return rt_fail_at(error, ROUTH_NO_EQUILIBRIUM, s->m->model->file, b->place, element,
                      "no %s was found: %s; this body %s, beyond the small deformations that a "
                      "floating frame covers (57 deg, a strain of 1); %s",
                      s->still ? "static equilibrium" : "steady motion", why, what, remedy);
}

routh_status rt_check_deformation(const rt_search *s, routh_error *error)
{
    return rt_deformation_is_covered(s)
               ? ROUTH_OK
               : rt_fail_deformed(s, "what is in balance is no state of the real body", error);
}
