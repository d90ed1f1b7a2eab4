/* The blade of examples/helicopter-blade.yaml in uniform segments: flexible bodies stitched by
 * fixed joints, after Negrut and Ortiz (2006), example 1, or the same sections as one exact
 * beam. */
#include <math.h>

#include "model/template.h"

/* From the root, m: fitting, blade, tip weight. Between stations the sections change linearly. */
enum { STATIONS = 6 };
static const double hinge = 0.0762, radius = 1.42;
static const double station[STATIONS] = {0, 0.1, 0.25, 1.2438, 1.2438, 1.3438};

typedef struct template_blade_section {
    double mass, GJ, EIy, EIz, twist; /* kg/m, N m^2, degrees */
} template_blade_section;

static const template_blade_section blade[STATIONS] = {
    {1.2, 150, 240, 800, 0}, {1.0, 120, 96, 600, 0}, {0.4, 70, 24, 380, 0},
    {0.4, 70, 24, 380, -8},  {0.5, 70, 24, 380, -8}, {0.5, 70, 24, 380, -9},
};

/* The mean of what is linear between stations, from a to b: each stretch by its middle. */
static template_blade_section mean_of(double a, double b)
{
    template_blade_section sum = {0};
    for (int k = 0; k + 1 < STATIONS; k++) {
        const double from = fmax(a, station[k]), to = fmin(b, station[k + 1]);
        if (!(to > from)) continue;
        const template_blade_section *p = &blade[k], *q = &blade[k + 1];
        const double share = (to - from) / (b - a);
        const double t = ((from + to) / 2 - station[k]) / (station[k + 1] - station[k]);
        sum.mass += share * (p->mass + t * (q->mass - p->mass));
        sum.GJ += share * (p->GJ + t * (q->GJ - p->GJ));
        sum.EIy += share * (p->EIy + t * (q->EIy - p->EIy));
        sum.EIz += share * (p->EIz + t * (q->EIz - p->EIz));
        sum.twist += share * (p->twist + t * (q->twist - p->twist));
    }
    return sum;
}

static template_blade_section segment_of(int k, int segments)
{
    const double length = station[STATIONS - 1] / segments;
    return mean_of(k * length, k + 1 == segments ? station[STATIONS - 1] : (k + 1) * length);
}

/* Polar inertia per length, kg m. A beam's inertia is spread as its stiffness is, so that
 * E A = mass (E Iy + E Iz)/polar. */
static const double polar = 2.3e-4;

static double stretch_of(const template_blade_section *s)
{
    return s->mass * (s->EIy + s->EIz) / polar;
}

/* "before x after", the point of x whatever the locale */
static void template_blade_put(rt_text *t, const char *before, double x, const char *after)
{
    rt_text_append(t, "%s", before);
    rt_text_digits(t, x, 12);
    rt_text_append(t, "%s", after);
}

static void write_segments(rt_text *t, int segments, int modes, int elements)
{
    rt_text_append(t, "\n"
                      "# Young's modulus and G are 1, so that areas are stiffnesses: area E A, iyy "
                      "and izz E Iy and E Iz,\n"
                      "# torsion_constant G J; density is the mass per length over E A. side: y of "
                      "the section, twisted.\n"
                      "bodies:\n"
                      "  hub: {mass: 2, inertia: [0.01, 0.01, 0.02], angular_velocity: [0, 0, "
                      "speed]}\n");
    for (int k = 0; k < segments; k++) {
        const template_blade_section s = segment_of(k, segments);
        rt_text_append(t,
                       "  segment%d:\n"
                       "    type: beam\n"
                       "    frame: mean-axis\n",
                       k + 1);
        if (modes) rt_text_append(t, "    modes: %d\n", modes);
        rt_text_append(t,
                       "    elements: %d\n"
                       "    position: [hinge + %d*span/%d, 0, 0]\n"
                       "    velocity: [0, speed*(hinge + %d*span/%d), 0]\n"
                       "    angular_velocity: [0, 0, speed]\n"
                       "    to: [span/%d, 0, 0]\n"
                       "    side: [0, cos(",
                       elements, k, segments, k, segments, segments);
        rt_text_digits(t, s.twist, 6);
        rt_text_append(t, " deg), sin(");
        rt_text_digits(t, s.twist, 6);
        template_blade_put(t, " deg)]\n    density: ", s.mass, "/");
        template_blade_put(t, "", stretch_of(&s),
                           "\n    youngs_modulus: 1\n    shear_modulus: 1\n");
        template_blade_put(t, "    area: ", stretch_of(&s), "\n");
        template_blade_put(t, "    iyy: ", s.EIy, "\n");
        template_blade_put(t, "    izz: ", s.EIz, "\n");
        template_blade_put(t, "    torsion_constant: ", s.GJ, "\n");
        rt_text_append(t, "    rotary_inertia: true\n"
                          "    damping: {stiffness: ratio}\n");
    }
}

/* A list of one number for both ends of each segment. */
static void template_blade_write_list(rt_text *t, const char *name, int segments,
                                      double (*value)(const template_blade_section *s),
                                      const char *unit)
{
    rt_text_append(t, "    %s: [", name);
    for (int k = 0; k < segments; k++) {
        const template_blade_section s = segment_of(k, segments);
        const double v = value(&s);
        template_blade_put(t, k ? ", " : "", v, unit);
        template_blade_put(t, ", ", v, unit);
    }
    rt_text_append(t, "]\n");
}

static double template_blade_mass_of(const template_blade_section *s) { return s->mass; }
static double inertia_y_of(const template_blade_section *s)
{
    return polar * s->EIy / (s->EIy + s->EIz);
}
static double inertia_z_of(const template_blade_section *s)
{
    return polar * s->EIz / (s->EIy + s->EIz);
}
static double GJ_of(const template_blade_section *s) { return s->GJ; }
static double EIy_of(const template_blade_section *s) { return s->EIy; }
static double EIz_of(const template_blade_section *s) { return s->EIz; }
static double twist_of(const template_blade_section *s) { return s->twist; }

static void write_beam(rt_text *t, int segments, int elements)
{
    rt_text_append(t,
                   "\nbeams:\n"
                   "  blade:\n"
                   "    type: sections\n"
                   "    from: [hinge, 0, 0]\n"
                   "    to: [hinge + span, 0, 0]\n"
                   "    elements: %d\n"
                   "    stations: [",
                   segments * elements);
    for (int k = 0; k < segments; k++)
        rt_text_append(t, "%s%d*span/%d, %d*span/%d", k ? ", " : "", k, segments, k + 1, segments);
    rt_text_append(t, "]\n");
    template_blade_write_list(t, "mass_per_length", segments, template_blade_mass_of, "");
    template_blade_write_list(t, "inertia_y", segments, inertia_y_of, "");
    template_blade_write_list(t, "inertia_z", segments, inertia_z_of, "");
    template_blade_write_list(t, "EA", segments, stretch_of, "");
    template_blade_write_list(t, "GJ", segments, GJ_of, "");
    template_blade_write_list(t, "EIy", segments, EIy_of, "");
    template_blade_write_list(t, "EIz", segments, EIz_of, "");
    template_blade_write_list(t, "twist", segments, twist_of, " deg");
    rt_text_append(t, "    damping_ratio: ratio\n"
                      "    angular_velocity: [0, 0, speed]\n"
                      "\nbodies:\n"
                      "  hub: {mass: 2, inertia: [0.01, 0.01, 0.02], angular_velocity: [0, 0, "
                      "speed]}\n");
}

static void template_blade_write_head(rt_text *t, const rt_template_value *rpm, bool exact)
{
    rt_text_append(t, "# The blade of helicopter-blade.yaml in uniform segments, with the means "
                      "of its sections; their centres\n"
                      "# of mass are on the axis here. A hub that a motion rotates, 3 inches from "
                      "the axis a hinge for flapping and\n"
                      "# lagging.\n");
    rt_text_append(t, exact ? "# Here as one geometrically exact beam, to compare with flexible "
                              "segments.\n"
                            : "# They are flexible bodies, fixed one to the next, as Negrut and "
                              "Ortiz (2006, example 1) build theirs:\n"
                              "# what stiffens the rotating blade is the chain of their frames.\n");
    rt_text_append(t, "title: Helicopter blade in segments\n\nparameters:\n");
    template_blade_put(t, "  speed: ", rpm->number, " rpm\n");
    template_blade_put(t, "  hinge: ", hinge, "          # from the axis, m\n");
    template_blade_put(t, "  span: ", radius, " - hinge     # from the hinge to the tip\n");
    rt_text_append(t, "  ratio: 1e-5            # of damping to stiffness, s\n"
                      "  lag_spring: 60         # N m/rad\n"
                      "  lag_damper: 0.3        # N m s/rad\n");
}

void rt_write_blade_segments(rt_text *t, const rt_template_value *values)
{
    const int segments = (int)values[0].number, modes = (int)values[1].number;
    const int elements = (int)values[2].number;
    const bool exact = values[4].number != 0;
    const char *root = exact ? "blade.first" : "segment1";
    template_blade_write_head(t, &values[3], exact);
    if (exact)
        write_beam(t, segments, elements);
    else
        write_segments(t, segments, modes, elements);
    rt_text_append(t,
                   "\nmarkers:\n"
                   "  shaft: {body: ground}\n"
                   "\njoints:\n"
                   "  bearing: {type: revolute, between: [hub, shaft], axis: z}\n"
                   "  drive: {type: motion, joint: bearing, function: speed*time}\n"
                   "  pins: {type: universal, between: [%s, hub], at: [hinge, 0, 0], axis: x}\n",
                   root);
    if (!exact)
        for (int k = 1; k < segments; k++)
            rt_text_append(t,
                           "  weld%d: {type: fixed, between: [segment%d, segment%d], at: [hinge + "
                           "%d*span/%d, 0, 0]}\n",
                           k, k + 1, k, k, segments);
    rt_text_append(t,
                   "\nloads:\n"
                   "  lag: {type: torsion_spring, between: [%s, hub], at: [hinge, 0, 0], axis: z, "
                   "stiffness: lag_spring, damping: lag_damper}\n"
                   "\noperating_point: {type: steady}\n",
                   root);
}
