/* Flexible bodies: two elastic links (Gonzalez et al., sec. 4.2). */
#include "model/template.h"

static void write_link(rt_text *t, const char *name, const char *position, int elements, bool stiff,
                       bool mean_axis)
{
    rt_text_append(t,
                   "  %s:\n"
                   "    type: beam\n"
                   "%s"
                   "    orientation: {x: [0, -1, 0], z: [0, 0, 1]}\n"
                   "    to: [L, 0, 0]\n"
                   "    elements: %d\n"
                   "    planar: true\n"
                   "%s"
                   "    stiffening: %s\n"
                   "    density: rho\n"
                   "    youngs_modulus: E\n"
                   "    section: {circle: {radius: r}}\n",
                   name, position, elements, mean_axis ? "    frame: mean-axis\n" : "",
                   stiff ? "true" : "false");
}

void rt_write_flexible_double_pendulum(rt_text *t, const rt_template_value *values)
{
    const int elements = (int)values[0].number;
    const bool mean_axis = values[2].number != 0, stiff = values[1].number != 0 && !mean_axis;
    const char *frame =
        mean_axis ? "# elements in a floating frame that follows the mean of its motion, x "
                    "downwards along it;\n# such a frame knows no stiffening.\n"
                  : "# elements in a floating frame at its upper end, x downwards along it.\n";
    rt_text_append(t,
                   "# Two equal elastic links hang one below the other and swing about z. Each is "
                   "a beam of finite\n%s",
                   frame);
    rt_text_append(t, stiff
                          ? "# Stiffening: what hangs below a section pulls at it and stiffens "
                            "its bending; that is more\n"
                            "# than the bending stiffness here.\n"
                          : "# Without stiffening, as Gonzalez et al. have it: what hangs below a "
                            "section pulls at it and\n"
                            "# would stiffen its bending by more than the bending stiffness "
                            "here.\n");
    rt_text_append(t, "title: Flexible double pendulum\n\n"
                      "parameters:\n"
                      "  L: 4       # length of a link, m\n"
                      "  r: 0.15    # radius of its cross-section, m\n"
                      "  rho: 1500  # density, kg/m^3\n"
                      "  E: 1e8     # Young's modulus, Pa\n\n"
                      "gravity: [0, -9.81, 0]\n\n"
                      "bodies:\n");
    write_link(t, "link1", "", elements, stiff, mean_axis);
    write_link(t, "link2", "    position: [0, -L, 0]\n", elements, stiff, mean_axis);
    rt_text_append(t, "\njoints:\n"
                      "  # on the nodes at these points: the links' ends\n"
                      "  O:  {type: revolute, between: [link1, ground], at: [0, 0, 0], axis: z}\n"
                      "  P1: {type: revolute, between: [link2, link1], at: [0, -L, 0], axis: z}\n\n"
                      "operating_point: {type: static}\n");
}
