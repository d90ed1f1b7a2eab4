#include "support/joint_samples.h"

#include <stdlib.h>

#include "base/rotation.h"

/* Where something stands: in the world, or on a body. */
typedef struct sample_pose {
    const char *name, *body;
    double position[3], turn[3]; /* rotation vector */
} sample_pose;

static const sample_pose bodies[3] = {
    {"a", NULL, {0.1, 0.2, 0.3}, {0, 0, 0}},
    {"b", NULL, {1.2, -0.5, 0.9}, {0.1, -0.2, 0.15}},
    {"c", NULL, {-0.9, 0.8, -0.6}, {-0.2, 0.1, 0.1}},
};
static const sample_pose markers[5] = {
    {"i", "a", {0.3, -0.2, 0.4}, {0.15, 0.1, -0.1}},
    {"j", "b", {-0.2, 0.3, 0.25}, {-0.1, 0.2, 0.1}},
    {"k", "c", {0.35, 0.15, -0.3}, {0.2, -0.1, 0.15}},
    {"axle", "a", {-0.1, 0.2, 0.3}, {1.3, 0.1, -0.2}},
    {"far", "c", {0.15, 0.65, 0.1}, {0, 0, 0}},
};

/* All markers from the bodies' places so that they meet at (0.5, 0.25, 0.125), but for one that is
 * (0.48, 0.64, 0) away; axle's z is -y. */
static const double fitting[5][3] = {{0.4, 0.05, -0.175},
                                     {-0.7, 0.75, -0.775},
                                     {1.4, -0.55, 0.725},
                                     {0.4, 0.05, -0.175},
                                     {1.88, 0.09, 0.725}};

static const char *const inertia[3] = {
    "mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08]",
    "mass: 0.8 + s, inertia: [0.6, 0.4, 0.3, -0.03, 0.06, 0.02]",
    "mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.02, -0.05]",
};
static const double velocity[3][6] = {{0.3, -0.2, 0.5, 0.4, 0.6, -0.3},
                                      {-0.1, 0.4, 0.2, -0.5, 0.2, 0.7},
                                      {0.2, 0.1, -0.4, 0.3, -0.6, 0.2}};

sample_mechanism sample_usual(bool moving)
{
    return (sample_mechanism){.moving = moving, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void write_vector(growing_text *text, const char *name, const double v[3])
{
    text_add(text, ", %s: [%.17g, %.17g, %.17g]", name, v[0], v[1], v[2]);
}

static void write_turned(const sample_mechanism *as, const char *name, const double v[3],
                         bool point, growing_text *text)
{
    double w[3];
    rt_m3_mul_v(w, as->turn, v);
    if (point) rt_v3_add(w, w, as->shift);
    write_vector(text, name, w);
}

static void write_axes(growing_text *text, const double A[9])
{
    text_add(text,
             ", orientation: {matrix: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], "
             "[%.17g, %.17g, %.17g]]}",
             A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8]);
}

/* In the world: the usual place in the world's axes. */
static void write_place(const sample_mechanism *as, const sample_pose *pose, growing_text *text)
{
    double A[9], turned[9];
    write_turned(as, "position", pose->position, true, text);
    if (as->fits && as->turn[0] == 1) return;
    rt_m3_identity(A);
    if (!as->fits) rt_rotation_exp(A, pose->turn);
    rt_m3_mul(turned, as->turn, A);
    write_axes(text, turned);
}

static void write_marker(const sample_mechanism *as, int k, growing_text *text)
{
    double A[9];
    const double *at = as->fits ? fitting[k] : markers[k].position;
    text_add(text, "  %s: {body: %s", markers[k].name, markers[k].body);
    if (k == 1)
        text_add(text, ", position: [%.17g + s, %.17g - 2*s, %.17g + 3*s]", at[0], at[1], at[2]);
    else
        write_vector(text, "position", at);
    if (as->fits) {
        if (k == 3) text_add(text, ", orientation: {axis: [1, 0, 0], angle: 90 deg}");
    } else {
        rt_rotation_exp(A, markers[k].turn);
        write_axes(text, A);
    }
    text_add(text, "}\n");
}

void sample_write_bodies(const char *parameters, const sample_mechanism *as, growing_text *text)
{
    const double down[3] = {1.3, -2.1, -9.81}, none[3] = {0, 0, 0};
    double g[3];
    rt_m3_mul_v(g, as->turn, as->fits ? none : down);
    text_add(text, "parameters: {%s}\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n", parameters, g[0],
             g[1], g[2]);
    for (int b = 0; b < 3; b++) {
        text_add(text, "  %s: {%s", bodies[b].name, inertia[b]);
        write_place(as, &bodies[b], text);
        if (as->moving) {
            write_turned(as, "velocity", velocity[b], false, text);
            write_turned(as, "angular_velocity", velocity[b] + 3, false, text);
        }
        text_add(text, "}\n");
    }
    text_add(text, "markers:\n");
    for (int k = 0; k < 5; k++) write_marker(as, k, text);
    for (int b = 0; b < 3; b++) {
        text_add(text, "  on_%s: {body: ground", bodies[b].name);
        write_place(as, &bodies[b], text);
        text_add(text, "}\n");
    }
}

void sample_write_holds(const char *loads, const char *states, bool rest,
                        const sample_mechanism *as, growing_text *text)
{
    text_add(text, "loads:\n%s", loads);
    for (int b = 0; b < 3; b++)
        text_add(text,
                 "  hold_%s: {type: bushing, between: [%s, on_%s], translation: {stiffness: "
                 "[%d, %d, %d], damping: [2, 3, 1]}, rotation: {stiffness: [%d, %d, %d], damping: "
                 "[1, 2, 3]}}\n",
                 bodies[b].name, bodies[b].name, bodies[b].name, 90 + 17 * b, 120 + 5 * b,
                 140 - 9 * b, 70 + 3 * b, 60 + 7 * b, 80 - 11 * b);
    text_add(text, "linearize: {reference: on_a%s%s}\n", states ? ", states: " : "",
             states ? states : "");
    text_add(text, "operating_point: {type: %s, time: %s}\n", rest ? "static" : "given",
             as->fits ? "0" : "0.4");
}

void sample_write(const rt_joint_class *joint_class, const sample_mechanism *as, growing_text *text)
{
    const rt_joint_class *real = rt_joint_class_of(&joint_class->kind);
    /* where something is driven nothing is at rest, and with constraints between velocities what
     * is in equilibrium depends on the way there */
    const bool rest =
        !as->moving && !as->fits && !real->drives && real->rows[0].kind != RT_JOINT_ROW_FUNCTIONS;
    sample_write_bodies("p: 0.7, s: 0", as, text);
    text_add(text, "joints: {%s}\n", joint_class->sample);
    sample_write_holds("", NULL, rest, as, text);
}
