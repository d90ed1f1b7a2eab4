/* What the theory of flexible bodies leaves out, where it matters at the operating point
 * (docs/theory/flexible-bodies.md, limits): said with the formulation that has it. */
#include <math.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "base/number.h"
#include "base/pi.h"
#include "operating/point.h"

/* An effect on squares of frequencies that is said. */
static const double EFFECT = 2e-3;

typedef struct flexible_limits_seen {
    routh_operating_point *p;
    const rt_search *s;
    const rt_flexible *shape;
    const char *name;
    const double *q;
    double w[3]; /* angular velocity, the frame's axes */
} flexible_limits_seen;

static void turn_of_node(const flexible_limits_seen *x, int k, double psi[3])
{
    const rt_flexible_node *node = &x->shape->nodes[k];
    for (int i = 0; i < 3; i++) {
        psi[i] = 0;
        for (int c = 0; c < node->n; c++)
            psi[i] += node->R[i * node->n + c] * x->q[node->column[c]];
    }
}

/* The least frequency of the body's own, squared; of coordinates that are amplitudes. */
static double limits_least_square(const rt_flexible *f)
{
    double least = INFINITY;
    for (int l = 0; l < f->n; l++)
        for (int e = f->pattern.start[l]; e < f->pattern.start[l + 1]; e++)
            if (f->pattern.row[e] == l) least = fmin(least, f->K[e]);
    return least;
}

/* Centrifugal forces over the elastic ones, (w.J w / (tr J / 2)) / w1^2 with J about the centre. */
static bool say_no_centrifugal(const flexible_limits_seen *x)
{
    double mass, centre[3], J[9], Jw[3];
    char text[400], number[RT_NUMBER_SIZE];
    if (x->shape->n_bars || x->shape->n_flexures ||
        x->shape->coordinate[0].kind != RT_ELASTIC_AMPLITUDE)
        return true;
    rt_flexible_mass_properties(x->shape, x->q, &mass, centre, J);
    rt_m3_mul_v(Jw, J, x->w);
    const double effect =
        2 * rt_v3_dot(x->w, Jw) / ((J[0] + J[4] + J[8]) * limits_least_square(x->shape));
    if (!(effect > EFFECT)) return true;
    rt_number_text(number, sqrt(effect), 2);
    snprintf(text, sizeof text,
             "body %s: it rotates at %s of its lowest frequency, but the centrifugal forces in a "
             "body of modes do not stiffen it; use a beam with `frame: tangent`, exact `beams`, or "
             "several bodies",
             x->name, number);
    return rt_point_say(x->p, text);
}

/* Marks the bodies that joints of six equations join to one that is marked. */
static bool mark_joined(const routh_mechanism *m, bool *marked)
{
    bool more = false;
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint *one = &m->constraints[c].constraint;
        if (one->n_rows != 6 || one->n_frames != 2) continue;
        const int a = m->marker_body[one->frames[0]], b = m->marker_body[one->frames[1]];
        if (a == RT_GROUND || b == RT_GROUND || marked[a] == marked[b]) continue;
        marked[a] = marked[b] = more = true;
    }
    return more;
}

/* How many flexible bodies are welded together with this one; 0: there is no memory. */
static int count_chain(const routh_mechanism *m, int body)
{
    bool *marked = rt_kept_calloc(m->analyses, (size_t)m->n_bodies, sizeof *marked);
    int n = 0;
    if (!marked) return 0;
    marked[body] = true;
    while (mark_joined(m, marked)) {
    }
    for (int k = 0; k < m->n_flexible; k++) n += marked[m->flexible[k].body];
    rt_kept_free(marked);
    return n;
}

/* The force along the axis that joints and loads bring to node `index`, and on to the last. */
static double force_beyond(const flexible_limits_seen *x, int body, int index, double *all)
{
    const routh_mechanism *m = x->s->m;
    double axis[3], beyond = 0;
    rt_m3_mul_v(axis, x->s->w->bodies[body].A, x->shape->beam->axis);
    *all = 0;
    for (int k = 0; k < m->n_flexible_markers; k++) {
        if (m->flexible_markers[k].body != body) continue;
        const double force = rt_v3_dot(x->s->w->node_wrench + 6 * (size_t)k, axis);
        *all += force;
        if (m->flexible_markers[k].index >= index) beyond += force;
    }
    return beyond;
}

/* The largest axial force between two nodes. What weight and inertia bring lies between the sums
 * from the two ends. */
static double largest_axial_force(const flexible_limits_seen *x, int body)
{
    double most = 0, all;
    for (int k = 1; k < x->shape->n_nodes; k++) {
        const double beyond = force_beyond(x, body, k, &all);
        most = fmax(most, fmax(fabs(beyond), fabs(all - beyond)));
    }
    return most;
}

/* e = N l^2 / (pi^2 E I). A chain of n has what is missing in each, but for (k l)^2/12 of it, in
 * the longest wave k = pi / (n l), of N k^2 + E I k^4. */
static bool say_no_axial(const flexible_limits_seen *x, int body)
{
    const rt_flexible_beam *b = x->shape->beam;
    char text[400], number[RT_NUMBER_SIZE];
    if (!b || x->shape->coordinate[0].kind != RT_ELASTIC_AMPLITUDE) return true;
    const double I = b->planar ? b->inertia_z : fmin(b->inertia_y, b->inertia_z);
    const double e =
        largest_axial_force(x, body) * b->length * b->length / (RT_PI * RT_PI * b->young * I);
    const double n = count_chain(x->s->m, body);
    if (!(n > 0)) return false;
    if (!(RT_PI * RT_PI / 12 * e / (1 + n * n * e) > EFFECT)) return true;
    rt_number_text(number, e, 2);
    snprintf(text, sizeof text,
             "body %s: it carries an axial force of %s of its buckling load pi^2 E I/L^2, but "
             "axial forces neither stiffen nor soften a body of modes; use a beam with `frame: "
             "tangent`, exact `beams`, or several bodies",
             x->name, number);
    return rt_point_say(x->p, text);
}

static bool say_unknown_turning(const flexible_limits_seen *x)
{
    char text[300];
    if (!x->shape->turning_unknown || !(rt_v3_norm(x->w) > 0)) return true;
    snprintf(
        text, sizeof text,
        "body %s: its file does not say how the rotary inertia of its nodes rotates, so the body "
        "has no gyroscopic effects of it; write the file again (routh reduce --output)",
        x->name);
    return rt_point_say(x->p, text);
}

/* The share e W / w0 of the spin about the axis, e = (pi / L)^2 I / A, in the first bending. */
static bool say_no_rotary(const flexible_limits_seen *x)
{
    const rt_flexible_beam *b = x->shape->beam;
    char text[300], number[RT_NUMBER_SIZE];
    if (!b || b->rotary_inertia) return true;
    const double k = RT_PI / b->length, I = fmax(b->inertia_y, b->inertia_z);
    const double own = k * k * sqrt(b->young * I / (b->density * b->area));
    const double spin = fabs(rt_v3_dot(x->w, b->axis));
    if (!(k * k * I / b->area * spin > EFFECT * own)) return true;
    rt_number_text(number, spin, 6);
    snprintf(text, sizeof text,
             "body %s: it spins about its axis at %s rad/s, but its sections have no gyroscopic "
             "effect without `rotary_inertia: true`",
             x->name, number);
    return rt_point_say(x->p, text);
}

/* Largest moments of the elements about the section's y and z, and torque, from the turns of their
 * ends. */
static void find_moments(const flexible_limits_seen *x, double most[3])
{
    const rt_flexible_beam *b = x->shape->beam;
    const double stiffness[3] = {b->shear * b->torsion, b->young * b->inertia_y,
                                 b->young * b->inertia_z};
    const int n = x->shape->n_nodes - 1;
    double before[3], psi[3], local[3];
    turn_of_node(x, 0, before);
    for (int k = 1; k <= n; k++) {
        turn_of_node(x, k, psi);
        rt_v3_sub(before, psi, before);
        rt_m3_tmul_v(local, x->shape->nodes[0].axes, before);
        rt_v3_copy(before, psi);
        for (int i = 0; i < 3; i++)
            most[i] = fmax(most[i], fabs(stiffness[i] * local[i]) * n / b->length);
    }
}

/* Of beams without stiffening, squares over the critical ones: torque 2 pi E I / L (Greenhill),
 * moment pi sqrt(E I G J) / L (Prandtl), which acts in the weaker plane. */
static bool say_no_moment(const flexible_limits_seen *x)
{
    const rt_flexible_beam *b = x->shape->beam;
    double most[3] = {0};
    char text[400], number[RT_NUMBER_SIZE];
    if (!b || b->planar || x->shape->n_flexures) return true;
    find_moments(x, most);
    const double Iy = b->inertia_y, Iz = b->inertia_z, weak = b->young * fmin(Iy, Iz);
    const double torque = most[0] * b->length / (2 * RT_PI * weak);
    const double moment = most[Iy > Iz ? 1 : 2] * b->length / RT_PI;
    const double of_moment =
        moment * moment / (weak * b->shear * b->torsion) * (1 - fmin(Iy, Iz) / fmax(Iy, Iz));
    if (!(torque * torque > EFFECT) && !(of_moment > EFFECT)) return true;
    rt_number_text(number, torque * torque > of_moment ? torque : sqrt(of_moment), 2);
    snprintf(text, sizeof text,
             "body %s: it carries %s of its critical %s, whose effect on bending and torsion "
             "(lateral buckling) is not in a %s; use %s",
             x->name, number, torque * torque > of_moment ? "torque" : "bending moment",
             b->tangent ? "beam without stiffening" : "body of modes",
             b->tangent ? "`stiffening: true`"
                        : "a beam with `frame: tangent`, exact `beams`, or several bodies");
    return rt_point_say(x->p, text);
}

/* A constraint that does not act on a node holds the floating frame: of mean axes, the mean. */
static bool say_held_mean(const flexible_limits_seen *x, int body)
{
    const routh_mechanism *m = x->s->m;
    char text[400];
    bool ok = true;
    if (x->shape->coordinate[0].kind != RT_ELASTIC_AMPLITUDE) return true;
    for (int c = 0; c < m->n_constraints && ok; c++) {
        const rt_constraint *one = &m->constraints[c].constraint;
        for (int k = 0; k < one->n_frames; k++) {
            if (m->marker_body[one->frames[k]] != body || m->flexible_marker[one->frames[k]] >= 0)
                continue;
            snprintf(text, sizeof text,
                     "joint %s holds the mean motion of body %s, not a place on it; give a marker "
                     "with `node`, or `at` the place of a node",
                     m->model->joints[one->joint].name, x->name);
            ok = rt_point_say(x->p, text);
            break;
        }
    }
    return ok;
}

/* Does a joint with at least so many equations act on it: on its floating frame, or anywhere? */
static bool is_held(const routh_mechanism *m, int body, int n_rows, bool frame)
{
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_constraint *one = &m->constraints[c].constraint;
        for (int k = 0; k < one->n_frames && one->n_rows >= n_rows; k++)
            if (m->marker_body[one->frames[k]] == body &&
                !(frame && m->flexible_marker[one->frames[k]] >= 0))
                return true;
    }
    return false;
}

/* D = a M of the elastic coordinates alone: right where the frame rests, and of mean axes where
 * nothing holds the body. */
static bool say_damped_frame(const flexible_limits_seen *x, int body)
{
    const rt_flexible_beam *b = x->shape->beam;
    char text[400], number[RT_NUMBER_SIZE];
    if (!b || !(b->damping_mass > 0)) return true;
    if (b->tangent ? is_held(x->s->m, body, 6, true) : !is_held(x->s->m, body, 1, false))
        return true;
    rt_number_text(number, b->damping_mass, 6);
    snprintf(text, sizeof text,
             b->tangent
                 ? "body %s: `damping: {mass: %s}` damps motion against the first node, which "
                   "moves here; use `frame: mean-axis` for damping of all elastic modes alike"
                 : "body %s: `damping: {mass: %s}` damps motion against the mean motion, so modes "
                   "of a body that joints hold are damped less; fix the first node of a beam with "
                   "`frame: tangent`, or give `damping: {stiffness: ...}`",
             x->name, number);
    return rt_point_say(x->p, text);
}

bool rt_point_warn_of_limits(routh_operating_point *p, const rt_search *s)
{
    const routh_mechanism *m = s->m;
    bool ok = true;
    for (int k = 0; k < m->n_flexible && ok; k++) {
        const rt_flexible_block *block = &m->flexible[k];
        const rt_frame *frame = &s->w->bodies[block->body];
        flexible_limits_seen x = {.p = p,
                                  .s = s,
                                  .shape = block->shape,
                                  .name = m->model->bodies[block->body].name,
                                  .q = s->state->q + m->first_elastic_q + block->first};
        rt_m3_tmul_v(x.w, frame->A, frame->w);
        ok = say_no_centrifugal(&x) && say_no_axial(&x, block->body) && say_unknown_turning(&x) &&
             say_no_rotary(&x) && say_no_moment(&x) && say_held_mean(&x, block->body) &&
             say_damped_frame(&x, block->body);
    }
    return ok;
}
