/* Axes of bodies that a mirrored part is connected to.
 *
 * In a part with the mirror S a body that was given to a connection stands for the mirror image of
 * what an original is connected to, which has the axes S A S. The same body does for both where
 * A = S A S. Where it does not, its axes may not be used in the part; points on it are as good as
 * ever. A marker that was given to a connection has what axes its user wanted. */
#include "model/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The connection that leads to the body, or ground, whose axes the marker has as they are; NULL:
 * none does. */
static const rt_port *port_to_body(const rt_reader *r, int marker)
{
    const routh_model *m = r->model;
    const char *name = "ground";
    if (!r->scope || !r->scope->mirrored) return NULL;
    if (marker >= 0) {
        const rt_marker *x = &m->markers[marker];
        const bool whole = marker < m->n_bodies || rt_is_ground_name(x->name);
        const bool of_part = !strncmp(x->name, r->scope->prefix, r->scope->length);
        if (!whole && !(of_part && x->axes_of_body)) return NULL;
        if (whole)
            name = x->name;
        else if (x->body >= 0)
            name = m->bodies[x->body].name;
    }
    for (int k = 0; k < r->scope->n_ports; k++)
        if (!strcmp(r->scope->ports[k].full, name)) return &r->scope->ports[k];
    return NULL;
}

/* The mirrors of the part that the body is in: of the longest part of its name that is one; its
 * ground is called part@ground. */
static const int *mirror_of_body(const rt_reader *r, const char *name)
{
    char part[520];
    snprintf(part, sizeof part, "%s", name);
    char *at = strchr(part, '@');
    if (at) *at = '.';
    for (char *dot = strrchr(part, '.'); dot; dot = strrchr(part, '.')) {
        *dot = '\0';
        const int k = rt_names_find(&r->parts->instances, part);
        if (k >= 0) return r->parts->scopes[k]->D;
    }
    return r->parts->model.D;
}

/* B = R'A, the body's axes in the frame of the part. */
static void body_in_part(rt_reader *r, const char *name, double B[9])
{
    rt_number position[3], axes[9];
    double A[9];
    rt_marker_in_world(r, rt_names_find(&r->index->points, name), position, axes);
    rt_numbers_values(A, axes, 9);
    memcpy(B, A, sizeof A);
    for (int i = 0; i < 3 && r->scope->frame; i++)
        for (int j = 0; j < 3; j++) {
            B[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                B[3 * i + j] += r->scope->frame[3 + 3 * k + i].value * A[3 * k + j];
        }
}

/* The largest entry of B that S B S has with the other sign. */
static double asymmetry(const double B[9], const int S[3])
{
    double most = 0;
    for (int k = 0; k < 9; k++)
        if (S[k / 3] * S[k % 3] < 0) most = fmax(most, fabs(B[k]));
    return most;
}

/* ", such as {..}" where B'S B S, the marker's axes in the body, is of ones and zeros; "". */
static void write_remedy(const double B[9], const int S[3], const char *body, char *text,
                         size_t size)
{
    int M[9];
    text[0] = '\0';
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += B[3 * k + i] * S[k] * B[3 * k + j] * S[j];
            M[3 * i + j] = (int)lround(sum);
            if (fabs(sum - M[3 * i + j]) > 1e-9) return;
        }
    snprintf(text, size,
             ", {body: %.60s, orientation: {matrix: [[%d, %d, %d], [%d, %d, %d], [%d, %d, %d]]}}",
             body, M[0], M[1], M[2], M[3], M[4], M[5], M[6], M[7], M[8]);
}

bool rt_axes_have_image(rt_reader *r, int marker, char *problem, size_t size)
{
    static const double rounding = 1e-9;
    const rt_port *port = port_to_body(r, marker);
    if (!port) return true;
    const int *D = mirror_of_body(r, port->full);
    int S[3];
    double B[9];
    char remedy[200];
    for (int k = 0; k < 3; k++) S[k] = D[k] * r->scope->D[k];
    body_in_part(r, port->full, B);
    if (asymmetry(B, S) <= rounding) return true;
    const char *body = rt_is_ground_name(port->full) ? "ground" : port->full;
    write_remedy(B, S, body, remedy, sizeof remedy);
    snprintf(problem, size,
             "the connection '%.40s' of the mirrored part is %.60s, whose axes are not their own "
             "mirror image; connect a marker on it with the mirrored axes%s",
             port->name, body, remedy);
    return false;
}

routh_status rt_check_axes(rt_reader *r, rt_place place, int marker, const char *what)
{
    char problem[400];
    if (rt_axes_have_image(r, marker, problem, sizeof problem)) return ROUTH_OK;
    return rt_reader_fail(r, place, "%s: %s", what, problem);
}
