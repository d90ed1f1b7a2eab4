/* N-loop four-bar linkage: Gonzalez, Masarati, Cuadrado, Naya 2017, sec. 4.1. */
#include <math.h>

#include "model/template.h"

/* Near the stable equilibrium above the ground for the default springs, which lies between 2.234
 * (N = 1) and 1.798 (N large). Hundredths are whole: no locale's decimal comma gets in. */
static int start_hundredths(int n)
{
    return (int)floor((1.8 + 0.44 / n) * 100 + 0.5);
}

static void template_four_bar_write_head(rt_text *t, int n, const rt_template_value *values)
{
    rt_text_append(
        t,
        "# %d four-bar loop%s in a row. Crank i stands on the ground at A_i = (i, 0) and\n"
        "# carries the point B_i; coupler i joins B_(i-1) and B_i; spring i runs from B_i\n"
        "# down to A_(i-1). The mechanism is planar, but the bodies and joints are\n"
        "# three-dimensional: in each loop three of the constraint equations are\n"
        "# redundant. One degree of freedom is left.\n"
        "title: Four-bar linkage, %d loop%s\n\n"
        "parameters:\n",
        n, n > 1 ? "s" : "", n, n > 1 ? "s" : "");
    rt_template_parameter(t, "k", &values[2], "stiffness of each spring, N/m");
    rt_template_parameter(t, "c", &values[1], "damping of each spring, N s/m");
    rt_text_append(t,
                   "  m: 1                   # mass of each rod, kg; all rods are 1 m long\n"
                   "  J: m/12                # moment of inertia of a rod about its centre\n"
                   "  g: 9.81                # m/s^2\n"
                   "  down: 1                # gravity along -y; 0: along x, as rods in line hang\n"
                   "  phi: %d.%02d              # angle of the cranks from x, to start from\n"
                   "  px: cos(phi)           # B_i = (i + px, py)\n"
                   "  py: sin(phi)\n\n"
                   "gravity: [(1 - down)*g, -down*g, 0]\n\n",
                   start_hundredths(n) / 100, start_hundredths(n) % 100);
}

/* Rods lie along their own x axis, about which their inertia is small but not zero. */
static void write_bodies(rt_text *t, int n)
{
    rt_text_append(t, "bodies:\n");
    for (int i = 0; i <= n; i++)
        rt_text_append(t,
                       "  crank_%d: {mass: m, inertia: [J/100, J, J], "
                       "position: [%d + px/2, py/2, 0], "
                       "orientation: {axis: [0, 0, 1], angle: phi}}\n",
                       i, i);
    for (int i = 1; i <= n; i++)
        rt_text_append(t,
                       "  coupler_%d: {mass: m, inertia: [J/100, J, J], "
                       "position: [%d - 1/2 + px, py, 0]}\n",
                       i, i);
}

static void write_markers(rt_text *t, int n)
{
    rt_text_append(t, "\n# Ends of the springs: B_i on its crank, A_(i-1) on the ground.\n"
                      "markers:\n");
    for (int i = 1; i <= n; i++) {
        rt_text_append(t, "  B_%d: {body: crank_%d, position: [1/2, 0, 0]}\n", i, i);
        rt_text_append(t, "  A_%d: {body: ground, position: [%d, 0, 0]}\n", i - 1, i - 1);
    }
}

static void write_joints(rt_text *t, int n)
{
    rt_text_append(t, "\n# All axes are z. `at` places a joint in the world; `between` then names\n"
                      "# bodies.\njoints:\n");
    for (int i = 0; i <= n; i++)
        rt_text_append(t,
                       "  foot_%d: {type: revolute, between: [crank_%d, ground], at: [%d, 0, 0]}\n",
                       i, i, i);
    for (int i = 1; i <= n; i++) {
        rt_text_append(t,
                       "  left_%d: {type: revolute, between: [crank_%d, coupler_%d], "
                       "at: [%d + px, py, 0]}\n",
                       i, i - 1, i, i - 1);
        rt_text_append(t,
                       "  right_%d: {type: revolute, between: [crank_%d, coupler_%d], "
                       "at: [%d + px, py, 0]}\n",
                       i, i, i, i);
    }
}

static void write_springs(rt_text *t, int n)
{
    rt_text_append(t, "\nloads:\n");
    for (int i = 1; i <= n; i++)
        rt_text_append(t,
                       "  spring_%d: {type: spring, between: [B_%d, A_%d], stiffness: k, "
                       "damping: c, free_length: sqrt(2)}\n",
                       i, i, i - 1);
}

void rt_write_four_bar(rt_text *t, const rt_template_value *values)
{
    const int n = (int)values[0].number;
    template_four_bar_write_head(t, n, values);
    write_bodies(t, n);
    write_markers(t, n);
    write_joints(t, n);
    write_springs(t, n);
    rt_text_append(t, "\noperating_point: {type: static}\n");
}
