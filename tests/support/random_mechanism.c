#include "support/random_mechanism.h"

#include <stdio.h>

const disguise no_disguise = {.Q = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .order = {0, 1, 2, 3, 4},
                              .joint_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
                              .split = -1,
                              .length = 1,
                              .mass = 1};

/* ---- geometry -------------------------------------------------------------------------------- */

static void turn(double A[9], double x, double y, double z)
{
    const double theta[3] = {x, y, z};
    rt_rotation_exp(A, theta);
}

/* R = first second */
static void turn_twice(double R[9], const double first[9], const double second[9])
{
    rt_m3_mul(R, first, second);
}

typedef struct joint_kind {
    const char *type;
    int rows;
} joint_kind;

static const joint_kind kinds[] = {
    {"revolute", 5},
    {"translational", 5},
    {"cylindrical", 4},
    {"universal", 4},
    {"constant_velocity", 4},
    {"spherical", 3},
    {"planar", 3},
    {"screw", 5},
    {"inline", 2},
    {"inplane", 1},
    {"parallel_axes", 2},
    {"perpendicular_axes", 1},
    {"orientation", 3},
    {"rod", 1},
    {"fixed", 6},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static bool is(const char *type, const char *name) { return strcmp(type, name) == 0; }

/* A place of the first marker relative to the second that satisfies the joint: displacement d
 * and turn R, in the second's axes; angle and slide are its coordinates where it has them. */
static void relative_place(const char *type, random_stream *random, double d[3], double R[9],
                           double *angle, double *slide)
{
    double first[9], second[9];
    const double x = random_real(random), y = random_real(random), z = random_real(random);
    const bool turns_about_z = is(type, "revolute") || is(type, "cylindrical") ||
                               is(type, "screw") || is(type, "planar") || is(type, "parallel_axes");
    const bool free_turn =
        is(type, "spherical") || is(type, "inline") || is(type, "inplane") || is(type, "rod");
    const bool slides = is(type, "translational") || is(type, "cylindrical") || is(type, "screw") ||
                        is(type, "inline");
    rt_v3_set(d, 0, 0, 0);
    rt_m3_identity(R);
    *angle = *slide = 0;
    if (turns_about_z) turn(R, 0, 0, *angle = z);
    if (free_turn) turn(R, x, y, z);
    if (slides) d[2] = *slide = 0.5 * x;
    if (is(type, "planar") || is(type, "inplane")) d[0] = 0.5 * x, d[1] = 0.5 * y;
    if (is(type, "parallel_axes") || is(type, "orientation") || is(type, "perpendicular_axes") ||
        is(type, "rod"))
        rt_v3_set(d, 0.5 + 0.3 * x, 0.5 * y, 0.4 * z);
    if (is(type, "universal")) { /* x of the first across y of the second */
        turn(first, 0, 0.6 * y, 0);
        turn(second, 0.6 * x, 0, 0);
        turn_twice(R, first, second);
    }
    if (is(type, "constant_velocity"))
        turn(R, 0.6 * x, 0.6 * y, 0); /* a bend about an axis across */
    if (is(type, "perpendicular_axes")) {
        double tilt[9], both[9];
        turn(first, 0, 0, x);
        turn(tilt, 1.5707963267948966, 0, 0);
        turn(second, 0, 0, y);
        turn_twice(both, first, tilt);
        turn_twice(R, both, second);
    }
}

static void random_point_near(random_stream *random, const double r[3], double reach,
                              double point[3])
{
    double d[3];
    random_reals(random, 3, d);
    rt_v3_copy(point, r);
    rt_v3_add_scaled(point, reach, d);
}

static void place_of_body(const random_mechanism *m, int body, double r[3])
{
    if (body < 0)
        rt_v3_set(r, 0, 0, 0);
    else
        rt_v3_copy(r, m->body[body].r);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void make_body(random_mechanism *m, random_stream *random, bool moving)
{
    random_body *b = &m->body[m->n_bodies];
    double principal[3], Q[9], QI[9], size[3];
    b->mass = 1.5 + random_real(random);
    random_reals(random, 3, size);
    for (int i = 0; i < 3; i++) size[i] = 0.3 + 0.12 * size[i];
    for (int i = 0; i < 3; i++) {
        const double p = size[(i + 1) % 3], q = size[(i + 2) % 3];
        principal[i] = b->mass * (p * p + q * q) / 3;
    }
    random_rotation(random, 1, Q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) QI[3 * i + j] = Q[3 * i + j] * principal[j];
    rt_m3_mul_t(b->inertia, QI, Q);
    for (int i = 0; i < 3; i++) /* exactly symmetric */
        for (int j = 0; j < i; j++) b->inertia[3 * i + j] = b->inertia[3 * j + i];
    random_reals(random, 3, b->r);
    b->r[0] += 0.8 * m->n_bodies;
    random_rotation(random, 3 * random_real(random), b->A);
    random_reals(random, 3, b->v);
    random_reals(random, 3, b->w);
    for (int i = 0; i < 3; i++) b->v[i] *= moving, b->w[i] *= moving;
    m->n_bodies++;
}

/* false when it would leave no freedom. */
static bool make_joint(random_mechanism *m, random_stream *random, const joint_kind *kind,
                       int first, int second)
{
    if (m->n_joints == MOST_JOINTS || m->n_rows + kind->rows >= 6 * m->n_bodies) return false;
    random_joint *j = &m->joint[m->n_joints++];
    double r[3], d[3], R[9], world[3], angle, slide;
    *j = (random_joint){.type = kind->type, .pitch = 0.4 * random_real(random), .driven = -1};
    j->place[0].body = first;
    j->place[1].body = second;
    place_of_body(m, second, r);
    random_point_near(random, r, 0.5, j->place[1].r);
    random_rotation(random, 3 * random_real(random), j->place[1].A);
    relative_place(kind->type, random, d, R, &angle, &slide);
    rt_m3_mul(j->place[0].A, j->place[1].A, R);
    rt_m3_mul_v(world, j->place[1].A, d);
    rt_v3_add(j->place[0].r, j->place[1].r, world);
    j->length = rt_v3_norm(world);
    j->drive[0] = is(kind->type, "translational") ? slide : angle;
    j->drives_angle = !is(kind->type, "translational");
    m->n_rows += kind->rows;
    return true;
}

static void make_drive(random_mechanism *m, random_stream *random, int driven)
{
    const char *type = m->joint[driven].type;
    if (m->n_joints == MOST_JOINTS || m->n_rows + 1 >= 6 * m->n_bodies) return;
    if (!is(type, "revolute") && !is(type, "translational") && !is(type, "cylindrical")) return;
    random_joint *j = &m->joint[m->n_joints++];
    *j = m->joint[driven];
    j->type = "motion";
    j->driven = driven;
    j->drive[1] = random_real(random);
    j->drive[2] = random_real(random);
    m->n_rows++;
}

/* The same revolute again, further along its axis: five rows that say nothing new. */
static void repeat_joint(random_mechanism *m, int which)
{
    if (m->n_joints == MOST_JOINTS || !is(m->joint[which].type, "revolute")) return;
    random_joint *j = &m->joint[m->n_joints++];
    double z[3];
    *j = m->joint[which];
    rt_m3_column(z, j->place[1].A, 2);
    for (int k = 0; k < 2; k++) rt_v3_add_scaled(j->place[k].r, 0.3, z);
}

static void make_load(random_mechanism *m, random_stream *random, random_load_kind kind, int first,
                      int second)
{
    if (m->n_loads == MOST_LOADS) return;
    random_load *l = &m->load[m->n_loads++];
    double r[3], R[9];
    l->kind = kind;
    l->place[0].body = first;
    l->place[1].body = second;
    place_of_body(m, first, r);
    random_point_near(random, r, 0.4, l->place[0].r);
    random_rotation(random, 3 * random_real(random), l->place[0].A);
    place_of_body(m, second, r);
    random_point_near(random, kind == LOAD_BUSHING ? l->place[0].r : r, 0.4, l->place[1].r);
    random_rotation(random, 0.7 * random_real(random), R);
    rt_m3_mul(l->place[1].A, l->place[0].A, R);
    random_reals(random, 24, l->number);
}

static int other_body(const random_mechanism *m, random_stream *random, int body)
{
    int other;
    do other = (int)floor((random_real(random) + 1) / 2 * (m->n_bodies + 1)) - 1;
    while (other == body || other >= m->n_bodies);
    return other;
}

static int choose(random_stream *random, int n) { return (int)(random_bits(random) % (uint64_t)n); }

void random_mechanism_make(random_mechanism *m, random_stream *random, int what)
{
    *m = (random_mechanism){.is_static = what & RANDOM_STATIC};
    const bool moving = what & RANDOM_MOVING;
    random_reals(random, 3, m->gravity);
    for (int i = 0; i < 3; i++) m->gravity[i] *= 6;
    const int n = 2 + choose(random, 4);
    for (int b = 0; b < n; b++) make_body(m, random, moving);
    for (int b = 0; b < n; b++) {
        const int parent = b == 0 ? -1 : choose(random, b + 1) - 1;
        const bool swap = choose(random, 2);
        make_joint(m, random, &kinds[choose(random, N_KINDS)], swap ? parent : b,
                   swap ? b : parent);
    }
    const int n_tree = m->n_joints;
    const int n_loops = choose(random, 3);
    static const int closing[] = {5, 8, 9, 13, 13, 11};
    for (int k = 0; k < n_loops; k++) {
        const int b = choose(random, n);
        make_joint(m, random, &kinds[closing[choose(random, 6)]], b, other_body(m, random, b));
    }
    /* a loop may leave a joint no freedom, and then it must not be driven */
    if (moving && m->n_joints == n_tree) make_drive(m, random, choose(random, n_tree));
    if (choose(random, 3) == 0) repeat_joint(m, choose(random, n_tree));
    for (int b = 0; b < n; b++)
        make_load(m, random, LOAD_BUSHING, b, m->is_static ? -1 : other_body(m, random, b));
    for (int k = 0; k < n; k++) {
        const int b = choose(random, n);
        const int most = m->is_static ? LOAD_FORCE : N_LOAD_KINDS;
        make_load(m, random, (random_load_kind)choose(random, most), b, other_body(m, random, b));
    }
}

/* ---- the model file -------------------------------------------------------------------------- */

typedef struct writer {
    const random_mechanism *m;
    const disguise *as;
    growing_text *text;
    double force, torque; /* one newton and one newton metre in the new units */
} writer;

static void write_vector(const writer *w, const char *name, const double x[3], double scale)
{
    text_add(w->text, "%s: [%.17g, %.17g, %.17g]", name, scale * x[0], scale * x[1], scale * x[2]);
}

static void write_matrix(const writer *w, const double A[9])
{
    text_add(w->text,
             "orientation: {matrix: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, "
             "%.17g]]}",
             A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8]);
}

static void write_one_body(const writer *w, const char *name, double mass, const double I[9],
                           const random_body *b, const double from_centre[3])
{
    double s[3], r[3], v[3], x[3], A[9];
    rt_m3_mul_v(s, b->A, from_centre);
    rt_v3_add(r, b->r, s);
    rt_v3_cross(v, b->w, s);
    rt_v3_add(v, v, b->v);
    text_add(w->text, "  %s: {mass: %.17g, ", name, mass / w->as->mass);
    const double scale = 1 / (w->as->mass * w->as->length * w->as->length);
    text_add(w->text, "inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], ", scale * I[0],
             scale * I[4], scale * I[8], scale * I[1], scale * I[2], scale * I[5]);
    rt_m3_mul_v(x, w->as->Q, r);
    rt_v3_add(x, x, w->as->c);
    write_vector(w, "position", x, 1 / w->as->length);
    text_add(w->text, ", ");
    rt_m3_mul(A, w->as->Q, b->A);
    write_matrix(w, A);
    text_add(w->text, ", ");
    rt_m3_mul_v(x, w->as->Q, v);
    write_vector(w, "velocity", x, 1 / w->as->length);
    text_add(w->text, ", ");
    rt_m3_mul_v(x, w->as->Q, b->w);
    write_vector(w, "angular_velocity", x, 1);
    text_add(w->text, "}\n");
}

/* Halves of equal mass at +-offset: I1 = I2 = (I - m (d.d 1 - d d'))/2 */
static void write_body(const writer *w, int k)
{
    const random_body *b = &w->m->body[k];
    char name[16];
    const double none[3] = {0, 0, 0};
    snprintf(name, sizeof name, "b%d", k);
    if (w->as->split != k) {
        write_one_body(w, name, b->mass, b->inertia, b, none);
        return;
    }
    const double *d = w->as->offset, minus[3] = {-d[0], -d[1], -d[2]};
    double I[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            I[3 * i + j] =
                (b->inertia[3 * i + j] - b->mass * ((i == j ? rt_v3_dot(d, d) : 0) - d[i] * d[j])) /
                2;
    write_one_body(w, name, b->mass / 2, I, b, d);
    snprintf(name, sizeof name, "h%d", k);
    write_one_body(w, name, b->mass / 2, I, b, minus);
}

/* A marker on the body, on its other half where second_half. */
static void write_place(const writer *w, const char *name, const random_place *p, bool second_half)
{
    double r[3], A[9], s[3];
    if (p->body < 0) {
        rt_m3_mul_v(r, w->as->Q, p->r);
        rt_v3_add(r, r, w->as->c);
        rt_m3_mul(A, w->as->Q, p->A);
        text_add(w->text, "  %s: {body: ground, ", name);
    } else {
        const random_body *b = &w->m->body[p->body];
        rt_v3_sub(s, p->r, b->r);
        rt_m3_tmul_v(r, b->A, s);
        rt_m3_tmul(A, b->A, p->A);
        const bool split = w->as->split == p->body;
        if (split) rt_v3_add_scaled(r, second_half ? 1 : -1, w->as->offset);
        text_add(w->text, "  %s: {body: %c%d, ", name, split && second_half ? 'h' : 'b', p->body);
    }
    write_vector(w, "position", r, 1 / w->as->length);
    text_add(w->text, ", ");
    write_matrix(w, A);
    text_add(w->text, "}\n");
}

static void write_markers(const writer *w)
{
    char name[16];
    text_add(w->text, "markers:\n  world: {body: ground, ");
    write_matrix(w, w->as->Q);
    text_add(w->text, "}\n");
    for (int k = 0; k < w->m->n_joints; k++)
        for (int e = 0; e < 2 && w->m->joint[k].driven < 0; e++) {
            snprintf(name, sizeof name, "j%d_%d", k, e);
            write_place(w, name, &w->m->joint[k].place[e], k % 2);
        }
    for (int k = 0; k < w->m->n_loads; k++)
        for (int e = 0; e < 2; e++) {
            snprintf(name, sizeof name, "l%d_%d", k, e);
            write_place(w, name, &w->m->load[k].place[e], k % 2);
        }
    if (w->as->split >= 0) {
        random_place p = {.body = w->as->split};
        rt_v3_copy(p.r, w->m->body[p.body].r);
        memcpy(p.A, w->m->body[p.body].A, sizeof p.A);
        write_place(w, "cut_0", &p, false);
        write_place(w, "cut_1", &p, true);
    }
}

static void write_joint(const writer *w, int k)
{
    const random_joint *j = &w->m->joint[k];
    if (j->driven >= 0) {
        const double scale = j->drives_angle ? 1 : 1 / w->as->length;
        text_add(w->text,
                 "  j%d: {type: motion, joint: j%d, along: %s, function: \"%.17g + %.17g*time + "
                 "%.17g*time^2\"}\n",
                 k, j->driven, j->drives_angle ? "rz" : "z", scale * j->drive[0],
                 scale * j->drive[1], scale * j->drive[2]);
        return;
    }
    text_add(w->text, "  j%d: {type: %s, between: [j%d_0, j%d_1]", k, j->type, k, k);
    if (is(j->type, "rod")) text_add(w->text, ", length: %.17g", j->length / w->as->length);
    if (is(j->type, "screw")) text_add(w->text, ", pitch: %.17g", j->pitch / w->as->length);
    text_add(w->text, "%s}\n", w->as->cut >> k & 1u ? ", cut: true" : "");
}

/* Stiffness or damping, 6 x 6: diagonal from size, coupled where the mechanism need not be
 * conservative. */
static void write_six(const writer *w, const char *name, double size, const double *number,
                      bool coupled)
{
    text_add(w->text, "%s: [", name);
    for (int i = 0; i < 6; i++) {
        text_add(w->text, "%s[", i ? ", " : "");
        for (int j = 0; j < 6; j++) {
            /* force per length, force per angle, torque per length, torque per angle */
            const double scale = (i < 3 ? w->force : w->torque) * (j < 3 ? w->as->length : 1);
            const double x = i == j    ? size * (1.3 + number[i])
                             : coupled ? 0.2 * size * number[(i + 2 * j) % 6]
                                       : 0;
            text_add(w->text, "%s%.17g", j ? ", " : "", scale * x);
        }
        text_add(w->text, "]");
    }
    text_add(w->text, "]");
}

static void write_load(const writer *w, int k)
{
    const random_load *l = &w->m->load[k];
    const double *x = l->number, per_length = w->force * w->as->length;
    text_add(w->text, "  l%d: ", k);
    switch (l->kind) {
    case LOAD_SPRING:
        text_add(w->text,
                 "{type: spring, between: [l%d_0, l%d_1], stiffness: %.17g, damping: %.17g, "
                 "preload: %.17g}\n",
                 k, k, per_length * (12 + 8 * x[0]), per_length * (1 + x[1]), w->force * 3 * x[2]);
        return;
    case LOAD_TORSION:
        text_add(
            w->text,
            "{type: torsion_spring, between: [l%d_0, l%d_1], stiffness: %.17g, damping: %.17g}\n",
            k, k, w->torque * (8 + 5 * x[0]), w->torque * (1 + x[1]));
        return;
    case LOAD_BUSHING:
        text_add(w->text, "{type: bushing, between: [l%d_0, l%d_1], ", k, k);
        write_six(w, "stiffness", w->m->is_static ? 40 : 15, x, !w->m->is_static);
        write_six(w, ", damping", 1, x + 6, !w->m->is_static);
        text_add(w->text, "}\n");
        return;
    case LOAD_FORCE: /* components that depend on the motion, in the second marker's axes */
        text_add(w->text,
                 "{type: force, on: l%d_0, resolved_in: l%d_1, reaction_on: l%d_1, components: "
                 "[\"%.17g*DX(l%d_0, l%d_1, l%d_1)\", \"%.17g*VY(l%d_0, l%d_1, l%d_1, l%d_1)\", "
                 "\"%.17g*cos(time) - %.17g*WZ(l%d_0, l%d_1, l%d_0)\"]}\n",
                 k, k, k, per_length * 4 * x[0], k, k, k, per_length * x[1], k, k, k, k,
                 w->force * x[2], w->force * x[3], k, k, k);
        return;
    case LOAD_TORQUE: /* follows the body; depends on an acceleration */
        text_add(w->text,
                 "{type: torque, on: l%d_0, resolved_in: l%d_0, components: [\"%.17g\", "
                 "\"%.17g*sin(AZ(l%d_0, l%d_1))\", "
                 "\"%.17g*WDTX(l%d_0, l%d_1, l%d_0)\"]}\n",
                 k, k, w->torque * x[0], w->torque * 3 * x[1], k, k, w->torque * 0.01 * x[2], k, k,
                 k);
        return;
    case N_LOAD_KINDS: return;
    }
}

void random_mechanism_write(const random_mechanism *m, const disguise *as, growing_text *text)
{
    double g[3];
    /* 1 N = 1 kg m/s^2; the second is the same */
    const writer w = {m, as, text, 1 / (as->mass * as->length),
                      1 / (as->mass * as->length * as->length)};
    rt_m3_mul_v(g, as->Q, m->gravity);
    write_vector(&w, "gravity", g, 1 / as->length);
    text_add(text, "\nbodies:\n");
    for (int k = 0; k < MOST_BODIES; k++)
        if (as->order[k] < m->n_bodies) write_body(&w, as->order[k]);
    write_markers(&w);
    text_add(text, m->n_joints || as->split >= 0 ? "joints:\n" : "");
    for (int k = 0; k < MOST_JOINTS; k++)
        if (as->joint_order[k] < m->n_joints) write_joint(&w, as->joint_order[k]);
    if (as->split >= 0) text_add(text, "  cut: {type: fixed, between: [cut_0, cut_1]}\n");
    text_add(text, m->n_loads ? "loads:\n" : "");
    for (int k = 0; k < m->n_loads; k++) write_load(&w, k);
    text_add(text, "operating_point: {type: %s}\n", m->is_static ? "static" : "given");
    text_add(text, "linearize: {reference: %s", m->reference ? m->reference : "world");
    if (m->extra_states) text_add(text, ", states: %s", m->extra_states);
    text_add(text, "}\n");
}
