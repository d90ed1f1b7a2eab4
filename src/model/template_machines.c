/* A rotor on mounts (Negrut and Ortiz 2006), a spatial four-bar (Trom 1990, sec. 4.4), a car's
 * suspension. */
#include "model/template.h"

void rt_write_rotor_stator(rt_text *t, const rt_template_value *values)
{
    rt_text_append(
        t,
        "# A heavy rotor spins in a stator that stands on one soft bushing. Without gravity, as in\n"
        "# the published example. Seen from the ground, the rocking modes split into backward and\n"
        "# forward whirl as the rotor spins; seen from the rotor (--reference rotor), all lateral\n"
        "# frequencies move by the spin.\n"
        "title: Rotor and stator\n\n"
        "parameters:\n");
    rt_template_parameter(t, "spin", &values[0], "spin of the rotor, rad/s");
    rt_text_append(
        t,
        "  k: 1000                # stiffness of the mount, N/m\n"
        "  c: 1                   # damping of the mount, N s/m\n"
        "  kt: 1e4                # rocking stiffness, N m/rad; ten times as much about z\n"
        "  ct: 10                 # rocking damping, N m s/rad; ten times as much about z\n\n"
        "gravity: [0, 0, 0]\n\n"
        "bodies:\n"
        "  stator: {mass: 200, inertia: [50, 50, 10]}\n"
        "  rotor:\n"
        "    mass: 1300\n"
        "    inertia: [500, 500, 1000]\n"
        "    position: [0, 0, 0.75]\n"
        "    angular_velocity: [0, 0, spin]\n\n"
        "markers:\n"
        "  seat: {body: stator}                         # where the bearing sits, at the origin\n"
        "  hub:  {body: rotor, position: [0, 0, -0.75]} # the same point, on the rotor\n\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [hub, seat], axis: z}\n\n"
        "loads:\n"
        "  mount:\n"
        "    type: bushing\n"
        "    between: [stator, ground]\n"
        "    translation: {stiffness: k, damping: c}\n"
        "    rotation: {stiffness: [kt, kt, 10*kt], damping: [ct, ct, 10*ct]}\n\n"
        "operating_point: {type: given}\n"
        "linearize: {reference: ground}\n");
}

void rt_write_spatial_four_bar(rt_text *t, const rt_template_value *values)
{
    rt_text_append(
        t,
        "# Two cranks hang from the ceiling and swing about x; a coupler along y joins their lower\n"
        "# ends, with a universal joint at the first crank and a ball joint at the second.\n"
        "# With cranks of unequal length the joint forces stiffen or soften the mechanism.\n"
        "title: Spatial four-bar linkage\n\n"
        "parameters:\n");
    rt_template_parameter(t, "a", &values[0], "length of the first crank, m");
    rt_template_parameter(t, "b", &values[1], "length of the second crank, m");
    rt_text_append(
        t,
        "  l: 1                   # length of the coupler, m\n"
        "  g: 9.81                # m/s^2\n\n"
        "gravity: [0, 0, -g]\n\n"
        "bodies:\n"
        "  crank_1: {mass: 10, inertia: [5, 5, 0.1], position: [0, 0, -a/2]}\n"
        "  coupler: {mass: 10, inertia: [5, 0.1, 5], position: [0, l/2, -a]}\n"
        "  crank_2: {mass: 10, inertia: [5, 5, 0.1], position: [0, l, -a + b/2]}\n\n"
        "# The cross of the universal joint has one leg along x, fixed in the crank, and one along\n"
        "# z, fixed in the coupler; the joint's axis is the direction of the coupler.\n"
        "joints:\n"
        "  ceiling_1: {type: revolute, between: [crank_1, ground], at: [0, 0, 0], axis: x}\n"
        "  cross:     {type: universal, between: [coupler, crank_1], at: [0, 0, -a], axis: y}\n"
        "  ball:      {type: spherical, between: [coupler, crank_2], at: [0, l, -a]}\n"
        "  ceiling_2: {type: revolute, between: [crank_2, ground], at: [0, l, b - a], axis: x}\n\n"
        "operating_point: {type: static}\n");
}

void rt_write_mcpherson(rt_text *t, const rt_template_value *values)
{
    (void)values;
    rt_text_append(
        t,
        "# A quarter of a car: the left front wheel on a McPherson strut. x points forward, y to the\n"
        "# left, z up. The car body moves up and down only. The lower arm rotates in the body; the\n"
        "# knuckle, which carries the wheel, sits on the arm's ball joint, slides on the strut's rod\n"
        "# and is steered by a tie rod.\n"
        "title: McPherson front suspension\n\n"
        "parameters:\n"
        "  spring: 26e3           # stiffness of the coil spring, N/m\n"
        "  damper: 1600           # damping of the strut, N s/m\n"
        "  tyre: 200e3            # vertical stiffness of the tyre, N/m\n"
        "  tyre_damping: 100      # N s/m\n"
        "  load: 3000             # spring force in the reference configuration, N: about the static one\n\n"
        "gravity: [0, 0, -9.81]\n\n"
        "bodies:\n"
        "  car:      {mass: 300, inertia: [60, 250, 280], position: [-0.9, 0.2, 0.55]}\n"
        "  arm:      {mass: 4, inertia: [0.05, 0.03, 0.07], position: [-0.05, 0.53, 0.19]}\n"
        "  knuckle:  {mass: 38, inertia: [0.9, 1.3, 0.9], position: [0, 0.74, 0.30]}\n"
        "  strut:    {mass: 3, inertia: [0.06, 0.06, 0.002], position: [-0.02, 0.60, 0.70]}\n"
        "  tie_rod:  {mass: 0.8, inertia: [0.008, 0.0005, 0.008], position: [-0.135, 0.53, 0.23]}\n\n"
        "# `at` gives a point in the world, in the reference configuration.\n"
        "markers:\n"
        "  top_mount:   {body: car, at: [-0.03, 0.58, 0.82]}\n"
        "  spring_seat: {body: knuckle, at: [-0.015, 0.63, 0.47]}\n"
        "  hub:         {body: knuckle, at: [0, 0.76, 0.30]}\n"
        "  road:        {body: ground, position: [0, 0.76, 0.30]}\n\n"
        "joints:\n"
        "  heave: {type: translational, between: [car, ground], at: [-0.9, 0.2, 0.55], axis: z}\n"
        "  pivot:\n"
        "    type: revolute\n"
        "    between: [arm, car]\n"
        "    at: [-0.10, 0.36, 0.20]\n"
        "    axis: [0.35, -0.02, 0]\n"
        "  ball_joint: {type: spherical, between: [arm, knuckle], at: [0, 0.72, 0.18]}\n"
        "  tube:\n"
        "    type: translational\n"
        "    between: [strut, knuckle]\n"
        "    at: [-0.015, 0.63, 0.47]\n"
        "    axis: [-0.015, -0.05, 0.35]\n"
        "  top: {type: spherical, between: [strut, car], at: [-0.03, 0.58, 0.82]}\n"
        "  tie_inner:\n"
        "    type: universal\n"
        "    between: [tie_rod, car]\n"
        "    at: [-0.14, 0.36, 0.24]\n"
        "    axis: [0.01, 0.34, -0.02]\n"
        "  tie_outer: {type: spherical, between: [tie_rod, knuckle], at: [-0.13, 0.70, 0.22]}\n\n"
        "loads:\n"
        "  # free_length is not given, so the spring is counted from its reference length, at which\n"
        "  # it pushes with the preload\n"
        "  coil:\n"
        "    type: spring\n"
        "    between: [top_mount, spring_seat]\n"
        "    stiffness: spring\n"
        "    damping: damper\n"
        "    preload: load\n"
        "  contact:\n"
        "    type: bushing\n"
        "    between: [hub, road]\n"
        "    translation: {stiffness: [0, 0, tyre], damping: [0, 0, tyre_damping]}\n"
        "    preload: [0, 0, 3400, 0, 0, 0]\n\n"
        "operating_point: {type: static}\n"
        "linearize: {states: [car.z, knuckle.z]}\n");
}
