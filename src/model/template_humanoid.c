/* A humanoid of 30 hinges: what a roboticist linearizes many times a second. */
#include "model/template.h"

typedef struct segment {
    const char *name, *parent, *axis;
    double mass, length; /* the segment hangs (negative length: stands) from its hinge */
    double at[3];        /* hinge relative to the pelvis; y is mirrored on the right side */
} segment;

/* One side's limbs and the trunk, from the pelvis outwards. */
static const segment trunk[] = {
    {"waist_yaw", "pelvis", "z", 1, -0.05, {0, 0, 0.1}},
    {"waist_roll", "waist_yaw", "x", 1, -0.05, {0, 0, 0.15}},
    {"torso", "waist_roll", "y", 18, -0.45, {0, 0, 0.2}},
    {"head", "torso", "z", 4, -0.25, {0, 0, 0.65}},
};
static const segment side[] = {
    {"upper_shoulder", "torso", "y", 0.8, 0.06, {0, 0.18, 0.6}},
    {"lower_shoulder", "upper_shoulder", "x", 0.8, 0.06, {0, 0.22, 0.6}},
    {"upper_arm", "lower_shoulder", "z", 2, 0.28, {0, 0.22, 0.56}},
    {"forearm", "upper_arm", "y", 1.2, 0.12, {0, 0.22, 0.28}},
    {"wrist_yaw", "forearm", "z", 0.4, 0.1, {0, 0.22, 0.16}},
    {"wrist_pitch", "wrist_yaw", "y", 0.2, 0.03, {0, 0.22, 0.06}},
    {"hand", "wrist_pitch", "x", 0.5, 0.15, {0, 0.22, 0.03}},
    {"hip_yaw", "pelvis", "z", 1, 0.05, {0, 0.1, -0.05}},
    {"hip_roll", "hip_yaw", "x", 1, 0.05, {0, 0.1, -0.1}},
    {"thigh", "hip_roll", "y", 7, 0.4, {0, 0.1, -0.15}},
    {"shin", "thigh", "y", 3.5, 0.4, {0, 0.1, -0.55}},
    {"ankle", "shin", "y", 0.4, 0.04, {0, 0.1, -0.95}},
    {"foot", "ankle", "x", 0.8, 0.06, {0, 0.1, -0.99}},
};
enum {
    N_TRUNK = sizeof trunk / sizeof trunk[0],
    N_SIDE = sizeof side / sizeof side[0]
};

static const char *prefix(int hand)
{
    return hand == 0 ? "" : hand > 0 ? "left_" : "right_";
}

/* The pelvis and the torso have no side. */
static const char *parent_prefix(const segment *s, int hand)
{
    return s->parent == trunk[2].name || s->parent[0] == 'p' ||
                   (s->parent[0] == 't' && s->parent[1] == 'o')
               ? ""
               : prefix(hand);
}

/* Three numbers with a point, whatever the locale. */
static void template_humanoid_write_list(rt_text *t, const char *before, int digits, double x,
                                         double y, double z)
{
    rt_text_append(t, "%s", before);
    rt_text_digits(t, x, digits);
    rt_text_append(t, ", ");
    rt_text_digits(t, y, digits);
    rt_text_append(t, ", ");
    rt_text_digits(t, z, digits);
}

static void write_body(rt_text *t, const segment *s, int hand)
{
    const double half = s->length / 2, long_way = s->mass * s->length * s->length / 12;
    const double thick = s->mass * 0.05 * 0.05 / 2;
    rt_text_append(t, "  %s%s: {mass: ", prefix(hand), s->name);
    rt_text_digits(t, s->mass, 6);
    template_humanoid_write_list(t, ", inertia: [", 4, long_way + thick, long_way + thick, thick);
    template_humanoid_write_list(t, "], position: [", 6, s->at[0], hand < 0 ? -s->at[1] : s->at[1],
                                 s->at[2] - half);
    rt_text_append(t, "]}\n");
}

static void write_hinge(rt_text *t, const segment *s, int hand)
{
    rt_text_append(t, "  %s%s_hinge: {type: revolute, between: [%s%s, %s%s]", prefix(hand), s->name,
                   prefix(hand), s->name, parent_prefix(s, hand), s->parent);
    template_humanoid_write_list(t, ", at: [", 6, s->at[0], hand < 0 ? -s->at[1] : s->at[1],
                                 s->at[2]);
    rt_text_append(t, "], axis: %s}\n", s->axis);
}

static void template_humanoid_write_all(rt_text *t, void (*write)(rt_text *, const segment *, int))
{
    for (int k = 0; k < N_TRUNK; k++) write(t, &trunk[k], 0);
    for (int hand = 1; hand >= -1; hand -= 2)
        for (int k = 0; k < N_SIDE; k++) write(t, &side[k], hand);
}

void rt_write_humanoid(rt_text *t, const rt_template_value *values)
{
    const bool floats = values[0].number > 0;
    rt_text_append(
        t, "# A humanoid of 30 hinges, upright and limp, its pelvis %s.\n"
           "# In joint coordinates: routh linearize FILE --coordinates relative\n"
           "title: Humanoid\n\n"
           "gravity: [0, 0, %s]\n\n"
           "bodies:\n"
           "  pelvis: {mass: 8, inertia: [0.06, 0.05, 0.06]}\n",
        floats ? "free, without weight as in free fall" : "held", floats ? "0" : "-9.81");
    template_humanoid_write_all(t, write_body);
    rt_text_append(t, "\njoints:\n");
    if (!floats) rt_text_append(t, "  hold: {type: fixed, between: [pelvis, ground]}\n");
    template_humanoid_write_all(t, write_hinge);
    rt_text_append(t, "\noperating_point: {type: given}\n");
}
