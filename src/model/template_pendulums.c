/* Pendulums: on a slider and rotating (Trom 1990, sec. 3.2.4 and 5.3), and a chain of rods. */
#include "model/template.h"

#include <stdio.h>

void rt_write_slider_pendulum(rt_text *t, const rt_template_value *values)
{
    rt_text_append(
        t, "# A slider moves along y on a spring; a pendulum hangs from it and swings about x.\n"
           "# Hanging at rest,\n"
           "#   M = [[30, 20], [20, 35]],  C = diag(c, 0),  K = diag(k, 196.2)\n"
           "# in the states slider.y and pendulum.rx.\n"
           "title: Slider and pendulum\n\n"
           "parameters:\n");
    rt_template_parameter(t, "c", &values[0], "damping of the slider, N s/m");
    rt_text_append(
        t, "  k: 20                  # stiffness of the slider's spring, N/m\n"
           "  l: 1                   # from the hinge to the pendulum's centre of mass, m\n\n"
           "gravity: [0, 0, -9.81]\n\n"
           "bodies:\n"
           "  slider:   {mass: 10, inertia: [1, 1, 1]}\n"
           "  pendulum: {mass: 20, inertia: [15, 15, 1], position: [0, 0, -l]}\n\n"
           "joints:\n"
           "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: y}\n"
           "  hinge: {type: revolute, between: [pendulum, slider], at: [0, 0, 0], axis: x}\n\n"
           "loads:\n"
           "  spring:\n"
           "    type: bushing\n"
           "    between: [slider, ground]\n"
           "    translation: {stiffness: [0, k, 0], damping: [0, c, 0]}\n\n"
           "operating_point: {type: static}\n"
           "linearize: {states: [slider.y, pendulum.rx]}\n");
}

void rt_write_rotating_pendulum(rt_text *t, const rt_template_value *values)
{
    (void)values;
    rt_text_append(
        t,
        "# A ball on a massless link circles steadily about the vertical. In axes that rotate with "
        "it\n"
        "# the motion is a fixed point: the rod's angle oscillates with rate*sqrt(1 + 3 "
        "cos(theta)^2),\n"
        "# and the angle around the vertical is neutral (a double zero). Seen from the ground the\n"
        "# motion is not steady, so the reference frame is a turntable that a motion rotates.\n"
        "title: Pendulum circling the vertical\n\n"
        "parameters:\n"
        "  g: 9.81                      # m/s^2\n"
        "  l: 0.5                       # length of the rod, m\n"
        "  theta: 30 deg                # angle of the rod from the vertical\n"
        "  rate: sqrt(g/(l*cos(theta))) # angular rate of the steady motion, rad/s\n\n"
        "gravity: [0, 0, -g]\n\n"
        "bodies:\n"
        "  # The joint `upright` keeps the ball from rotation, so that it counts as a point mass.\n"
        "  ball:\n"
        "    mass: 10\n"
        "    inertia: [0.01, 0.01, 0.01]\n"
        "    position: [l*sin(theta), 0, -l*cos(theta)]\n"
        "    velocity: [0, rate*l*sin(theta), 0]\n"
        "  turntable:\n"
        "    mass: 1\n"
        "    inertia: [1, 1, 1]\n"
        "    angular_velocity: [0, 0, rate]\n\n"
        "joints:\n"
        "  rod:     {type: rod, between: [ball, ground], length: l}\n"
        "  upright: {type: orientation, between: [ball, ground]}\n"
        "  axle:    {type: revolute, between: [turntable, ground], axis: z}\n"
        "  drive:   {type: motion, joint: axle, function: rate*time}\n\n"
        "operating_point: {type: given}\n"
        "linearize: {reference: turntable, states: [ball.x, ball.y]}\n");
}

/* Down the chain by so many lengths: along -z, or with the chain turned about y by its angle. */
static void write_chain_point(rt_text *t, const char *lengths, bool turned)
{
    if (turned)
        rt_text_append(t, "[-%s*sin(angle), 0, -%s*cos(angle)]", lengths, lengths);
    else
        rt_text_append(t, "[0, 0, -%s]", lengths);
}

static void write_chain_rod(rt_text *t, int i, bool turned)
{
    char lengths[40];
    rt_text_append(t, "  rod_%d: {mass: m, inertia: [J, J, J/100], position: ", i);
    if (turned) {
        snprintf(lengths, sizeof lengths, "%d.5*l", i - 1);
        write_chain_point(t, lengths, true);
        rt_text_append(t, ", orientation: {axis: [0, 1, 0], angle: angle}}\n");
    } else {
        rt_text_append(t, "[0, 0, -%d*l + l/2]}\n", i);
    }
}

static void write_chain_hinge(rt_text *t, int i, bool turned)
{
    char lengths[40];
    if (i == 1) {
        rt_text_append(t, "ground], at: [0, 0, 0]");
        return;
    }
    snprintf(lengths, sizeof lengths, "%d*l", i - 1);
    rt_text_append(t, "rod_%d], at: ", i - 1);
    write_chain_point(t, lengths, turned);
}

static void write_chain_joint(rt_text *t, int i, bool turned)
{
    rt_text_append(t, "  hinge_%d: {type: revolute, between: [rod_%d, ", i, i);
    write_chain_hinge(t, i, turned);
    rt_text_append(t, ", axis: y}\n");
}

/* At rest where the chain hangs straight down. */
static void write_chain_spring(rt_text *t, int i, bool turned)
{
    rt_text_append(t, "  spring_%d: {type: torsion_spring, between: [rod_%d, ", i, i);
    write_chain_hinge(t, i, turned);
    rt_text_append(t, ", axis: y, stiffness: k%s}\n",
                   i == 1 && turned ? ", free_angle: -angle" : "");
}

/* Each hinge is held by a controller that follows one common reference. */
static void write_chain_control(rt_text *t, int n)
{
    rt_text_append(t, "\ninputs: {reference: {value: 0, unit: rad}}\n\ncontrollers:\n");
    for (int i = 1; i <= n; i++) {
        rt_text_append(t, "  pid_%d: {type: pid, input: \"reference - AY(rod_%d", i, i);
        if (i > 1) rt_text_append(t, ", rod_%d", i - 1);
        rt_text_append(t, ")\", proportional: kp, integral: kp, derivative: kp/5, "
                          "filter: 0.01}\n");
    }
    rt_text_append(t, "\nloads:\n");
    for (int i = 1; i <= n; i++) {
        rt_text_append(t, "  motor_%d: {type: torque, on: rod_%d, components: [0, pid_%d, 0]", i, i,
                       i);
        if (i > 1) rt_text_append(t, ", reaction_on: rod_%d", i - 1);
        rt_text_append(t, "}\n");
    }
}

void rt_write_pendulum_chain(rt_text *t, const rt_template_value *values)
{
    const int n = (int)values[0].number;
    const bool springs = values[1].number != 0, control = values[2].number != 0;
    const bool turned = values[3].number != 0;
    rt_text_append(t,
                   "# %d equal rod%s %s, swinging about y.\n"
                   "title: Chain of %d rod%s\n\n"
                   "parameters:\n"
                   "  m: 1                   # mass of each rod, kg\n"
                   "  l: 1                   # length of each rod, m\n"
                   "  J: m*l^2/12            # moment of inertia about the centre\n",
                   n, n > 1 ? "s" : "",
                   turned ? "in one line, let go at an angle" : "hanging one below the other", n,
                   n > 1 ? "s" : "");
    if (springs) rt_template_parameter(t, "k", &values[1], "stiffness in each hinge, N m/rad");
    if (control) rt_template_parameter(t, "kp", &values[2], "gain in each hinge, N m/rad");
    if (turned) rt_template_parameter(t, "angle", &values[3], "from hanging straight down, rad");
    rt_text_append(t, "\ngravity: [0, 0, -9.81]\n\nbodies:\n");
    for (int i = 1; i <= n; i++) write_chain_rod(t, i, turned);
    rt_text_append(t, "\njoints:\n");
    for (int i = 1; i <= n; i++) write_chain_joint(t, i, turned);
    if (control) write_chain_control(t, n);
    if (springs && !control) rt_text_append(t, "\nloads:\n");
    for (int i = 1; i <= n && springs; i++) write_chain_spring(t, i, turned);
    if (control) rt_text_append(t, "\noutputs: {tip: {expression: DX(rod_%d), unit: m}}\n", n);
    rt_text_append(t, "\noperating_point: {type: %s}\n", turned ? "given" : "static");
}
