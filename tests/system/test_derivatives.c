/* Every partial of neck 2 against differences of what it is the partial of, element by element:
 *     K, D, M, G' + L    differences of r along xi, u, u', lambda
 *     G, V_x, A_u, A_x   differences of Phi, Phi', Phi'' along xi, u, u'
 *     R, drive           differences of r and of Phi, Phi', Phi'' along signals and their rates
 *     sensors            differences of their values along all of these
 *     Phi', Phi''        differences of Phi, Phi' along a motion q(t)
 * at random states that need not satisfy the constraints of joints, in every coordinate set, with
 * rigid bodies and with flexible ones, two of whose markers stand on nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/joint_class.h"
#include "model/load_class.h"
#include "support/effort.h"
#include "support/mechanisms.h"
#include "support/point_shape.h"
#include "support/signal_samples.h"
#include "system/sensor.h"

static const double tolerance = 1e-8;

enum { MOST_U = 60, MOST_ROWS = 60, MOST_SENSORS = 16, MOST_SIGNALS = 8 };

typedef struct element_case {
    const char *name;
    bool near;   /* the bodies stay near their places: the element has angles, or a branch at pi */
    bool ground; /* the element holds to the ground, so the world is not turned as a whole */
    const char *text;
} element_case;

static const char head[] =
    "gravity: [1.3, -2.1, -9.81]\n"
    "operating_point: {time: 0.4}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3, -0.03, 0.06, 0.02], position: [1.2, -0.5, 0.9],\n"
    "      orientation: {rpy: [0.1, -0.2, 0.15]}}\n"
    "  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.02, -0.05], position: [-0.9, 0.8, -0.6],\n"
    "      orientation: {rpy: [-0.2, 0.1, 0.1]}}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  k: {body: c, position: [0.35, 0.15, -0.3], orientation: {rpy: [0.2, -0.1, 0.15]}}\n"
    "  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, 0.2]}}\n"
    "  axle: {body: a, position: [-0.1, 0.2, 0.3], orientation: {rpy: [1.3, 0.1, -0.2]}}\n"
    "  far: {body: c, position: [0.15, 0.65, 0.1]}\n"
    "  l: {body: c, position: [-0.2, 0.1, 0.3]}\n";

#define JOINT(type, more) "joints: {x: {type: " type ", between: [i, j]" more "}}\n"
#define MOTION(along, between)                                                                     \
    "joints: {x: {type: motion, between: " between ", along: " along                               \
    ", function: sin(2*time) + p*time^2}}\n"
#define VECTOR(type, a, b, c, more)                                                                \
    "loads: {x: {type: " type ", on: i, components: [\"" a "\", \"" b "\", \"" c "\"]" more "}}\n"
#define FORCE(a, b, c, more) VECTOR("force", a, b, c, more)
#define TORQUE(a, b, c, more) VECTOR("torque", a, b, c, more)
#define BUSHING                                                                                    \
    "stiffness: [[30,2,1,0.5,0,1],[2,25,3,0,0.4,0],[1,4,20,0,0,0.3],[0.5,0,0,9,1,0],"              \
    "[0,0.4,0,2,8,0],[1,0,0.3,0,1,7]], damping: "                                                  \
    "[[3,0.2,0,0.1,0,0],[0.3,2,0,0,0.1,0],[0,0,4,0,0,0],"                                          \
    "[0.1,0,0,1,0.2,0],[0,0.1,0,0.3,0.9,0],[0,0,0,0,0,0.8]], preload: [1,-2,3,0.5,-0.4,0.3]"

#define RATES(a, b, c)                                                                             \
    "joints: {x: {type: nonholonomic, expressions: [\"" a "\", \"" b "\", \"" c "\"]}}\n"

/* The equation of a state x, the value of a variable v, two outputs, and inputs f and g. */
#define SENSORS(a, b, c, d)                                                                        \
    "inputs: {f: 0, g_: 0}\n"                                                                      \
    "controllers: {x: {type: implicit, equation: \"" a "\"}}\n"                                    \
    "variables: {v: \"" b "\"}\n"                                                                  \
    "outputs: {c_: \"" c "\", d_: \"" d "\"}\n"

static const element_case more[] = {
    {"inertia and gravity", false, false, ""},
    {"fixed to ground", false, true, "joints: {x: {type: fixed, between: [i, g]}}\n"},
    {"ground fixed to body", false, true, "joints: {x: {type: translational, between: [g, i]}}\n"},
    {"cv from ground", false, true, "joints: {x: {type: constant_velocity, between: [g, i]}}\n"},
    {"motion y", false, false, MOTION("y", "[i, j]")},
    {"motion z to ground", false, true, MOTION("z", "[i, g]")},
    {"motion rx", true, false, MOTION("rx", "[i, j]")},
    {"motion ry", true, false, MOTION("ry", "[i, j]")},
    {"motion rz", true, false, MOTION("rz", "[i, j]")},
    {"motion rz of ground", true, true, MOTION("rz", "[g, j]")},
    {"motion on a joint", true, false,
     "joints: {h: {type: cylindrical, between: [i, j], axis: [1, 0.1, 0.2]}, \n"
     "  x: {type: motion, joint: h, along: rz, function: cos(time)}, \n"
     "  y: {type: motion, joint: h, along: z, function: 0.3*time^3}}\n"},
    {"gear", true, false,
     "joints: {h: {type: revolute, between: [i, j]}, l: {type: revolute, between: [j, k], axis: "
     "x}, \n"
     "  x: {type: gear, joints: [h, l], ratios: [20, -31]}}\n"},
    {"coupler of three", true, false,
     "joints: {h: {type: cylindrical, between: [i, j]}, l: {type: planar, between: [k, i], axis: "
     "y}, \n"
     "  n: {type: cylindrical, between: [k, j]}, \n"
     "  x: {type: coupler, joints: [h, n, l], coordinates: [z, rz, x], ratios: [1, 0.4, -2], "
     "offset: 0.1}}\n"},
    {"rack and pinion", true, false,
     "joints: {h: {type: translational, between: [i, k], axis: x}, l: {type: revolute, between: "
     "[j, k]}, \n"
     "  x: {type: rack_and_pinion, joints: [h, l], radius: 0.3}}\n"},
    {"constraint by expression", true, false,
     "joints: {x: {type: expression, expression: \"DX(i, j, k)^2*DY(j) - p*DM(i, k) + "
     "sin(AZ(i, j))*DZ(k, i, j)*time - exp(-AX(j, k))\"}}\n"},
    {"constraint on one body", false, true,
     "joints: {x: {type: expression, expression: \"DZ(i) - DX(i)^2/2 + 0.1*DY(i)*sin(time)\"}}\n"},
    {"nonholonomic: velocities", true, false,
     RATES("VX(i, j, k)*cos(AZ(i, j)) + p*VY(k)*time", "VZ(i)*DX(i, j, k)^2 - VY(j, k)",
           "VR(i, j)*sin(2*time) + VX(k, i)")},
    {"nonholonomic: angular velocities", true, false,
     RATES("WX(i, j, k)*DZ(j, i, k) - p*WY(k)", "WZ(i)*exp(AX(i, j)) + WY(j, i, i)*time",
           "WX(j)*DX(k, j) + WZ(k, i, j)*DM(i, j)")},
    {"nonholonomic: velocities seen from a body", true, false,
     RATES("VX(i, j, k, k)*DY(i, j) + WZ(k, j, i)", "VY(j, k, i, j) - p*VZ(k, i, j, i)*time",
           "VZ(k, i, j, k)*AY(i, k)")},
    {"nonholonomic: on the ground", true, true,
     "joints: {y: {type: expression, expression: \"DZ(i, g, g) - 0.3*sin(AX(i, g))\"}, "
     "x: {type: nonholonomic, expressions: [\"VX(i, g, g) - 0.3*WY(i, g, g)\", "
     "\"VY(i, g, g, i) + (0.3 + DZ(g, j))*WX(i, g, j) - sin(time)*VZ(g, k)\"]}}\n"},
    {"nonholonomic: with a spring", true, false,
     "joints: {x: {type: nonholonomic, expressions: [\"VX(i, k, j) - 0.4*WZ(j)\", "
     "\"VY(i, k, j, k)*(1 + DZ(i, j)^2)\"]}, "
     "h: {type: cylindrical, between: [j, k]}}\n"
     "loads: {y: {type: spring, between: [i, k], stiffness: 30, damping: 2}}\n"},
    {"nonholonomic: with other joints", true, false,
     "joints: {h: {type: universal, between: [i, j]}, l: {type: revolute, between: [k, j]}, \n"
     "y: {type: expression, expression: \"DX(i, k, j) - time\"}, \n"
     "x: {type: nonholonomic, expressions: [\"VX(k, i, j, j) - p*WZ(i, j, k)*DY(k, i)\", "
     "\"WY(k)*DX(i) + VY(j, i, k)\"]}}\n"},
    {"rolling on the ground", true, true,
     "joints: {x: {type: rolling, between: [axle, g], radius: 0.3, tube_radius: 0.1}}\n"},
    {"rolling on a body", true, false,
     "joints: {x: {type: rolling, between: [axle, j], radius: 0.3}}\n"},
    {"knife edge", false, false, JOINT("knife_edge", "")},
    {"knife edge on the ground", false, true, "joints: {x: {type: knife_edge, between: [j, g]}}\n"},
    {"velocity coupler", true, false,
     "joints: {h: {type: revolute, between: [i, j]}, l: {type: cylindrical, between: [j, k], "
     "axis: x}, \n"
     "  n: {type: planar, between: [k, i], axis: y}, \n"
     "  x: {type: velocity_coupler, joints: [h, l, n], coordinates: [rz, z, x], "
     "ratios: [20, -31, 4]}}\n"},
    {"spring", true, false,
     "loads: {x: {type: spring, between: [i, j], stiffness: 40, damping: 3, free_length: 0.7, "
     "preload: 2}}\n"},
    {"spring to ground", true, true,
     "loads: {x: {type: spring, between: [g, j], stiffness: 40, damping: 3, preload: 2}}\n"},
    {"spring with a law", true, false,
     "loads: {x: {type: spring, between: [i, j], stiffness: 7, damping: 2, force: "
     "\"-20*DM(i,j)^3*(1+VR(i,j)) + VX(k,j,i,j) - "
     "0.4*ACCX(i,j,k) + time\"}}\n"},
    {"spring with a table", true, false,
     "loads: {x: {type: spring, between: [i, j], free_length: 1, damping: 2, "
     "table: [[-5, -90], [-3, -20], [3, 50], [6, 160]]}}\n"},
    {"torsion spring", true, false,
     "loads: {x: {type: torsion_spring, between: [i, j], axis: [0.1, 0.3, 1], stiffness: 9, "
     "damping: 2, "
     "free_angle: 0.3, preload: 0.6}}\n"},
    {"torsion spring with a law", true, true,
     "loads: {x: {type: torsion_spring, between: [g, j], stiffness: 3, damping: 0.5, torque: "
     "\"sin(3*AZ(g, j)) + WZ(j, g, k)*DX(i, j, k) "
     "+ 0.2*WDTY(j, g, i)\"}}\n"},
    {"bushing", true, false, "loads: {x: {type: bushing, between: [i, j], " BUSHING "}}\n"},
    {"bushing to ground", true, true,
     "loads: {x: {type: bushing, between: [g, j], " BUSHING "}}\n"},
    {"beam", true, false,
     "loads: {x: {type: beam, between: [j, i], length: 0.9, youngs_modulus: 100, shear_modulus: "
     "40, area: 0.3, "
     "iyy: 0.02, izz: 0.03, torsion_constant: 0.05, shear_factor_y: 1.2, damping_ratio: 0.1}}\n"},
    {"force in the world", true, false, FORCE("DX(i,j)*VY(i,k)", "-VZ(i)", "time*DM(i,j)", "")},
    {"force in its own axes", true, false, FORCE("2", "p*DY(i,j,k)", "-3", ", resolved_in: i")},
    {"force in others' axes, reaction", true, false,
     FORCE("2 + VX(i,j,k,k)", "-3*WX(i,j,k)", "ACCZ(i,j,k)", ", resolved_in: k, reaction_on: j")},
    {"force with reaction on ground", true, true,
     FORCE("VM(i,j)", "-DX(i,g,g)", "WM(i)", ", resolved_in: g, reaction_on: g")},
    {"force by accelerations", true, false,
     FORCE("ACCM(i,j) + WDTX(i,j,k)", "WDTM(k)*DX(i)", "ACCX(k,i,j)*VY(j)", ", reaction_on: k")},
    {"velocities seen from a body", true, false,
     FORCE("VX(i,j,k,k)", "VY(j,k,i,j)*DZ(i,j,k)", "VZ(k,i,j,k)", ", resolved_in: j")},
    {"torque in others' axes, reaction", true, false,
     TORQUE("WZ(i,j,j) + AZ(i,j)", "2*DX(i,j)", "-VX(i,k)*p", ", resolved_in: k, reaction_on: j")},
    {"torque in its own axes", true, true,
     TORQUE("1", "-2*WX(i,g,i)", "WDTZ(i,g,i)", ", resolved_in: i")},
    {"force by a joint's reaction", false, false,
     "joints: {h: {type: cylindrical, between: [i, j]}}\n"
     "loads: {x: {type: force, on: i, components: [\"FX(h)*DX(i,j)\", \"TY(h) - VX(i,k)\", "
     "\"2*FZ(h)\"], resolved_in: k, reaction_on: j}}\n"},
    {"friction of a revolute joint", false, false,
     "joints: {h: {type: revolute, between: [i, j], axis: [0.2, 0.4, 1]}}\n"
     "loads: {x: {type: friction, joint: h, static_coefficient: 0.6, dynamic_coefficient: 0.4, "
     "stiction_velocity: 0.7, radius: 0.5, length: 0.8, thrust_radius: 0.9, preload: 2, "
     "smoothing: 0.3, viscous: 0.2}}\n"},
    {"friction of a translational joint", false, false,
     "joints: {h: {type: translational, between: [i, j], axis: y}}\n"
     "loads: {x: {type: friction, joint: h, static_coefficient: 0.6, stiction_velocity: 0.7, "
     "dynamic_velocity: 1.1, length: 0.8, radius: 0.4, smoothing: 0.3}}\n"},
    {"friction of a cylindrical joint to ground", false, true,
     "joints: {h: {type: cylindrical, between: [g, j]}}\n"
     "loads: {x: {type: friction, joint: h, static_coefficient: 0.6, dynamic_coefficient: 0.1, "
     "stiction_velocity: 0.7, radius: 0.5, smoothing: 0.3, viscous: 0.4}}\n"},
    {"friction of a spherical joint", false, false,
     "joints: {h: {type: spherical, between: [i, j]}}\n"
     "loads: {x: {type: friction, joint: h, static_coefficient: 0.6, dynamic_coefficient: 0.1, "
     "stiction_velocity: 0.7, radius: 0.5, smoothing: 0.3}}\n"},
    {"friction of a universal joint", false, false,
     "joints: {h: {type: universal, between: [i, j], axis: x}}\n"
     "loads: {x: {type: friction, joint: h, static_coefficient: 0.6, dynamic_coefficient: 0.1, "
     "stiction_velocity: 0.7, radius: 0.5, length: 0.4, smoothing: 0.3}}\n"},
    {"friction of a given level", false, false,
     "joints: {h: {type: universal, between: [i, j]}}\n"
     "loads: {x: {type: friction, joint: h, static_level: 3, dynamic_level: 2, "
     "stiction_velocity: 0.7}}\n"},
    {"contact with a plane", true, true,
     "loads: {x: {type: contact, between: [i, g], radius: 6, stiffness: 3, damping: 0.02, "
     "static_coefficient: 0.6, dynamic_coefficient: 0.3, stiction_velocity: 2}}\n"},
    {"contact with a plane that moves", true, false,
     "loads: {x: {type: contact, between: [i, j], radius: 6, stiffness: 3, exponent: 2.2, "
     "damping: 0.02, static_coefficient: 0.6, stiction_velocity: 2}}\n"},
    {"contact of spheres", true, false,
     "loads: {x: {type: contact, between: [i, j], radius: 3, other_radius: 5, stiffness: 3, "
     "damping: 0.02, static_coefficient: 0.6, dynamic_coefficient: 0.3, stiction_velocity: 2}}\n"},
    {"stops of an angle", true, false,
     "joints: {h: {type: revolute, between: [i, j], axis: [1, 0.1, 0.2]}}\n"
     "loads: {x: {type: limit, joint: h, lower: 3, stiffness: 5, exponent: 1.5, "
     "damping: 0.03}}\n"},
    {"stops of a displacement", true, true,
     "joints: {h: {type: cylindrical, between: [g, j]}}\n"
     "loads: {x: {type: limit, joint: h, coordinate: z, upper: -9, stiffness: 5, "
     "damping: 0.03}}\n"},
    {"motions that follow inputs", true, false,
     "joints: {h: {type: motion, between: [i, j], along: x, function: "
     "\"sin(2*time)*f + g_^2*p\"},\n"
     "  l: {type: motion, between: [j, k], along: rz, function: \"f*g_*time\"}}\n" SENSORS(
         "RATE(x)", "0", "0", "0")},
    {"force by signals", true, false,
     "loads:\n"
     "  l: {type: force, on: i, reaction_on: j, resolved_in: k, components: [\"v*RATE(x)*DX(i, "
     "j)\", "
     "\"f^2 + x\", \"sin(x*v)*VZ(k, i) + p*RATE(x)\"]}\n" SENSORS("RATE(x)", "0", "0", "0")},
    {"springs by signals", true, false,
     "loads:\n"
     "  l: {type: spring, between: [i, j], stiffness: 3, force: \"x*DM(i, k) - v^2\"}\n"
     "  n: {type: torsion_spring, between: [k, j], torque: \"f*WZ(k, j) + "
     "RATE(x)\"}\n" SENSORS("RATE(x)", "0", "0", "0")},
    {"sensors of motion", true, false,
     SENSORS("RATE(x)*x + v*DX(i, j, k) - VZ(k, i, j)*f", "sin(v)*AZ(i, j) + WX(k, j)*DM(i, k)",
             "ACCX(i, j, k) + WDTY(k, i, j)*VR(i, j) + time*p",
             "VX(i, j, k, k)*x + exp(RATE(x)) - g_*ACCM(j, k)")},
    {"sensors to ground", true, true,
     SENSORS("RATE(x) + DX(g, i, j)*VM(k)", "v + WZ(j)*WDTX(k)", "ACCZ(g, j, i)", "AX(g, k) + f")},
    {"sensors of joint forces", false, false,
     "joints: {h: {type: cylindrical, between: [i, j], axis: [0.3, 0.2, 1]}}\n" SENSORS(
         "FX(h)*RATE(x) - TY(h, k)", "v*FZ(h, k) + DX(i, j)*FM(h)", "FY(h, i)", "TX(h, g)*f")},
    {"sensors of joint forces on the ground", true, true,
     "joints: {h: {type: universal, between: [g, i], axis: x}}\n" SENSORS(
         "FX(h)*RATE(x) - TY(h, k)", "v*FZ(h, k) + DX(i, j)*FM(h)", "FY(h, i)", "TM(h)*f")},
    {"sensors of forces of loads", true, false,
     "loads:\n"
     "  l: {type: spring, between: [i, j], stiffness: 9, damping: 2, force: "
     "\"v*VR(i, j) + x*ACCX(i, k)\"}\n"
     "  n: {type: bushing, between: [k, j], " BUSHING
     "}\n" SENSORS("RATE(x)*FX(l, k) + g_", "v^2*TZ(n, i)", "FY(n) + TX(l, j)", "x*FM(n)*FX(l)")},
    {"force by a joint's reaction and signals", false, false,
     "joints: {h: {type: cylindrical, between: [i, j]}}\n"
     "loads:\n"
     "  l: {type: force, on: i, components: [\"v*FX(h)*DX(i,j)\", \"TY(h) - x*VX(i,k)\", "
     "\"f*FZ(h)\"], resolved_in: k, reaction_on: j}\n" SENSORS("RATE(x)*FX(l)", "FY(l, k)*v",
                                                               "TX(h)*g_", "FZ(l)*FX(h)")},
    {"tyre on the ground", true, true,
     "loads: {x: {type: tyre, between: [axle, ground], radius: 0.7, tube_radius: 0.1, stiffness: "
     "5, "
     "damping: 0.4, cornering_stiffness: 2, cornering_coefficient: 0.3, camber_stiffness: 0.7, "
     "slip_coefficient: 0.6, trail: 0.15, low_speed: 0.01}}\n"},
    {"tyre on a body, with relaxation lengths", true, false,
     "loads: {x: {type: tyre, between: [axle, k], preload: 3, stiffness: 5, damping: 0.4, "
     "cornering_coefficient: 2, slip_stiffness: 2, effective_radius: 0.6, low_speed: 50, "
     "relaxation_length: 0.7, longitudinal_relaxation_length: 0.4}}\n"},
    {"tyre by the magic formula on a body", true, false,
     "loads: {x: {type: magic_formula_tyre, between: [axle, k], radius: 3, stiffness: 5, "
     "low_speed: 30, relaxation_length: 0.7, "
     "lateral: {stiffness_coefficient: 12, peak_load: 9, friction: 1.1, friction_slope: -0.01, "
     "shape: 1.3, curvature: -0.8, camber_shift: 0.1, trail: 0.2, trail_shape: 1.2, "
     "trail_stiffness: 7}, "
     "longitudinal: {stiffness_coefficient: 20, friction: 1.2, shape: 1.6, curvature: 0.4}}}\n"},
    {"sensors of a tyre's forces", true, false,
     "loads:\n"
     "  l: {type: tyre, between: [axle, k], radius: 1, stiffness: 5, cornering_coefficient: 0.4, "
     "drive_force: \"v*x - f\", low_speed: 40}\n" SENSORS("RATE(x)*FX(l, k)", "TZ(l, i)", "FY(l)",
                                                          "x*FM(l)")},
    {"several of them", true, false,
     "joints: {h: {type: universal, between: [i, j]}, l: {type: screw, between: [k, j], pitch: "
     "0.2}}\n"
     "loads: {x: {type: bushing, between: [k, i], " BUSHING "}, \n"
     "  y: {type: spring, between: [i, k], force: \"-9*DM(i,k) - VR(i,k)*DX(j,k,i)\"}}\n"},
};
enum { N_MORE = sizeof more / sizeof more[0], N_CASES = N_MORE + RT_JOINT_CLASSES };

/* Every class of joints by its sample, then the others. */
static element_case cases[N_CASES];

static bool has_angles(const rt_joint_class *joint_class)
{
    bool found = false;
    for (int k = 0; k < rt_joint_class_count_rows(joint_class); k++)
        found = found || joint_class->rows[k].kind > RT_JOINT_ROW_DISTANCE;
    return found;
}

static void fill_cases(void)
{
    static char texts[RT_JOINT_CLASSES][600];
    for (int k = 0; k < RT_JOINT_CLASSES; k++) {
        const rt_joint_class *c = rt_joint_class_at(k);
        snprintf(texts[k], sizeof texts[k], "joints: {%s}\n", c->sample);
        cases[k] =
            (element_case){c->kind.name, has_angles(rt_joint_class_of(&c->kind)), false, texts[k]};
    }
    for (int k = 0; k < N_MORE; k++) cases[RT_JOINT_CLASSES + k] = more[k];
}

/* ---- one case in one coordinate set ---------------------------------------------------------- */

/* Of every type of load in the list, its sample (load_class.h). */
static element_case of_loads[RT_LOAD_N_TYPES];

static void list_loads(void)
{
    for (int k = 0; k < RT_LOAD_N_TYPES; k++) {
        const rt_load_class *class = rt_load_class_of((rt_load_type)k);
        static char texts[RT_LOAD_N_TYPES][1000], names[RT_LOAD_N_TYPES][60];
        snprintf(names[k], sizeof names[k], "load of type %s", class->kind.name);
        snprintf(texts[k], sizeof texts[k],
                 "joints: {h: {type: cylindrical, between: [i, j]}}\nloads: {x: {type: %s, %s}}\n",
                 class->kind.name, class->sample);
        of_loads[k] = (element_case){names[k], true, true, texts[k]};
    }
}

/* Of every type of controller in the list, its sample (controller_class.h). */
static element_case of_controllers[RT_CONTROLLER_CLASSES];

static void list_controllers(void)
{
    static char names[RT_CONTROLLER_CLASSES][60];
    for (int k = 0; k < RT_CONTROLLER_CLASSES; k++) {
        const rt_controller_class *class = rt_controller_class_at(k);
        growing_text text = {0};
        char output[200];
        snprintf(names[k], sizeof names[k], "controller of type %s", class->kind.name);
        snprintf(output, sizeof output, "y: \"%s\"", class->output);
        sample_write_signals(class->kind.name, class->sample, "", output, &text);
        of_controllers[k] = (element_case){names[k], true, false, text.bytes};
    }
}

/* Of every family of measures in the list, those that always have a derivative; and each of the
 * others (measure_class.h). */
enum { MOST_MEASURES = 80 };
static element_case of_measures[MOST_MEASURES];
static const rt_measure_class *rough[MOST_MEASURES]; /* of the others; else NULL */
static int n_of_measures;

static void add_measures(const rt_measure_class *first, int n, bool are_rough)
{
    static char names[MOST_MEASURES][60];
    growing_text text = {0}, outputs = {0};
    char *name = names[n_of_measures];
    snprintf(name, sizeof names[0], "measure");
    for (int k = 0; k < n; k++) {
        if (first[k].rough_at_zero != are_rough) continue;
        snprintf(name + strlen(name), sizeof names[0] - strlen(name), " %s", first[k].name);
        text_add(&outputs, "%sy%d: \"%s\"", outputs.length ? ", " : "", k, first[k].sample);
    }
    if (outputs.length) {
        assert_true(n_of_measures < MOST_MEASURES);
        text_add(&text, "joints: {h: {type: revolute, between: [axle, far]}}\n"
                        "loads: {f: {type: bushing, between: [j, k], " SAMPLE_BUSHING "}}\n");
        sample_write_signals("differential", "rate: \"-p*x\"", "", outputs.bytes, &text);
        rough[n_of_measures] = are_rough ? first : NULL;
        of_measures[n_of_measures++] = (element_case){name, true, false, text.bytes};
    }
    free(outputs.bytes);
}

static void list_measures(void)
{
    const rt_measure_family *family;
    for (int f = 0; (family = rt_measure_family_at(f)) != NULL; f++) {
        add_measures(family->measures, family->n, false);
        for (int k = 0; k < family->n; k++) add_measures(&family->measures[k], 1, true);
    }
}

/* Is it zero in such states: the size of a velocity, an acceleration? */
static bool vanishes(const rt_measure_class *measure, int motion)
{
    if (!measure || !sample_is_rough_at_rest(measure)) return false;
    if (motion == MOTION_BOTH) return false;
    return motion !=
           (measure->level == RT_ALLOW_VELOCITIES ? MOTION_VELOCITY : MOTION_ACCELERATION);
}

/* A case with rigid bodies or with flexible ones. */
typedef struct test_task {
    const element_case *c;
    const rt_load_class *load;       /* its parameters; NULL: p, q */
    const rt_measure_class *measure; /* that has no derivative where it is zero; NULL */
    uint64_t seed;
    bool flexible;
} test_task;

typedef struct scene {
    const element_case *c;
    point_shape shapes[3];
    const char *coordinates;
    test_mechanism t;          /* in absolute coordinates */
    routh_mechanism *relative; /* bodies that satisfy the joints come from here */
    rt_workspace *relative_w;
    rt_state *relative_state;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state, *moved;
    bool rough; /* nothing moves, where partials have a kink: differences of step h are off by h */
} scene;

static void compile(const scene *s, const char *coordinates, routh_mechanism **m, rt_workspace **w,
                    rt_state **state)
{
    routh_error error;
    if (routh_mechanism_compile(m, s->t.model, coordinates, &error) ||
        rt_workspace_create(w, *m, &error) || rt_state_create(state, *m, &error))
        fail_msg("%s", error.message);
}

/* Body c stays rigid. */
static void soften(routh_model *model, void *context)
{
    scene *s = context;
    random_stream random = {17};
    for (int b = 0; b < 2; b++) {
        point_shape_draw(&s->shapes[b], &random);
        point_shape_give(&s->shapes[b], model, b);
    }
}

static void scene_make(scene *s, const test_task *task, const char *coordinates)
{
    const element_case *c = task->c;
    growing_text text = {0};
    routh_error error;
    *s = (scene){.c = c, .coordinates = coordinates};
    text_add(&text, "%sparameters: {%s}\n%s", head,
             task->load ? task->load->sample_parameters : "p: 0.7, q: 1.3", c->text);
    if (task->flexible)
        mechanism_make_changed(&s->t, text.bytes, soften, s);
    else
        mechanism_make(&s->t, text.bytes);
    compile(s, "relative", &s->relative, &s->relative_w, &s->relative_state);
    compile(s, coordinates, &s->m, &s->w, &s->state);
    assert_int_equal(rt_state_create(&s->moved, s->m, &error), ROUTH_OK);
    assert_true(s->m->n_u <= MOST_U && s->m->n_rows <= MOST_ROWS);
    free(text.bytes);
}

static void scene_release(scene *s)
{
    rt_state_free(s->moved);
    rt_state_free(s->state);
    rt_state_free(s->relative_state);
    rt_workspace_free(s->w);
    rt_workspace_free(s->relative_w);
    routh_mechanism_free(s->m);
    routh_mechanism_free(s->relative);
    mechanism_release(&s->t);
}

/* Natural coordinates: their matrices hold for rigid bodies, so states and variations must keep the
 * coordinates' own rows. Everything else may be drawn freely. */
static bool keeps_own_rows(const scene *s) { return s->m->joined && s->m->joined->n_own; }

static void evaluate(const scene *s, const rt_state *state, int what)
{
    routh_error error;
    if (rt_evaluate(s->m, s->w, state, what, &error))
        fail_msg("%s in %s coordinates: %s", s->c->name, s->coordinates, error.message);
}

/* ---- random states --------------------------------------------------------------------------- */

/* Turned as a whole by Q about the origin. */
static void turn_world(const routh_mechanism *m, random_stream *random, double *q)
{
    double Q[9], A[9], QA[9], r[3];
    random_rotation(random, 3 * random_real(random), Q);
    for (int b = 0; b < m->n_bodies; b++, q += 7) {
        rt_m3_mul_v(r, Q, q);
        rt_v3_copy(q, r);
        rt_rotation_from_quaternion(A, q + 3);
        rt_m3_mul(QA, Q, A);
        rt_rotation_to_quaternion(q + 3, QA);
    }
}

/* Bodies anywhere, into the absolute state. */
static void random_poses(const scene *s, random_stream *random)
{
    const routh_mechanism *m = s->t.m;
    double xi[18 + 2 * POINT_SHAPE_N] = {0};
    memcpy(s->t.state->q, m->start_q, (size_t)m->n_q * sizeof *s->t.state->q);
    for (int b = 0; b < m->n_bodies; b++) {
        double turn[3], n;
        do {
            random_reals(random, 3, turn);
            n = rt_v3_norm(turn);
        } while (n > 1);
        for (int i = 0; i < 3; i++) {
            xi[6 * b + i] = (s->c->near ? 0.25 : 1) * random_real(random);
            xi[6 * b + 3 + i] = (s->c->near ? 0.3 : 3) * turn[i];
        }
    }
    m->set->advance(m->n_bodies, s->t.state->q, xi);
    if (!s->c->ground) turn_world(m, random, s->t.state->q);
    rt_evaluate_frames(m, s->t.w, s->t.state);
}

/* x += what is missing of G x = b over the own rows, the smallest: rows made orthonormal one by
 * one (Gram and Schmidt), dependent ones left out. */
static void add_missing(const scene *s, const double *b, double *x)
{
    const int n = s->m->n_u, n_own = s->m->joined->n_own;
    static double G[MOST_ROWS * MOST_U];
    double rhs[MOST_ROWS];
    to_dense(&s->m->pattern_G, s->w->G, G);
    double *own = G + (size_t)s->m->n_joint_rows * n;
    for (int r = 0; r < n_own; r++) {
        double *row = own + r * n, before = 0, size = 0;
        rhs[r] = b[r];
        for (int c = 0; c < n; c++) rhs[r] -= row[c] * x[c], before += row[c] * row[c];
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < r; k++) {
                double dot = 0;
                for (int c = 0; c < n; c++) dot += own[k * n + c] * row[c];
                for (int c = 0; c < n; c++) row[c] -= dot * own[k * n + c];
                rhs[r] -= dot * rhs[k];
            }
        for (int c = 0; c < n; c++) size += row[c] * row[c];
        const double scale = size > 1e-16 * before ? 1 / sqrt(size) : 0;
        for (int c = 0; c < n; c++) row[c] *= scale;
        rhs[r] *= scale;
    }
    for (int r = 0; r < n_own; r++)
        for (int c = 0; c < n; c++) x[c] += own[r * n + c] * rhs[r];
}

/* What the own rows lack at a level, so far. */
static double missing(const scene *s, int level, double *b)
{
    for (int r = 0; r < s->m->joined->n_own; r++) b[r] = -s->w->phi[level][s->m->n_joint_rows + r];
    return largest_of(b, s->m->joined->n_own);
}

/* By Newton's method; false where that does not lead there. */
static bool make_rigid(const scene *s, rt_state *state)
{
    double b[MOST_ROWS];
    for (int k = 0; k < 12; k++) {
        double xi[MOST_U] = {0};
        evaluate(s, state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN);
        if (missing(s, 0, b) < 1e-14) return true;
        add_missing(s, b, xi);
        rt_advance(s->m, state->q, xi);
    }
    evaluate(s, state, RT_EVALUATE_PHI);
    return missing(s, 0, b) < 1e-13;
}

/* x keeps the own rows at its level, 1 for u and 2 for u'. */
static void keep_level(const scene *s, rt_state *state, int level, double *x)
{
    double b[MOST_ROWS], change[MOST_U] = {0};
    evaluate(s, state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN);
    missing(s, level, b);
    add_missing(s, b, change);
    for (int c = 0; c < s->m->n_u; c++) x[c] += change[c];
}

static bool take_poses(const scene *s, rt_state *state)
{
    const rt_frame *bodies = s->t.w->bodies;
    if (s->m->joined) {
        rt_take_frames(s->relative, s->relative_w, bodies, s->relative_state);
        rt_evaluate_frames(s->relative, s->relative_w, s->relative_state);
        bodies = s->relative_w->bodies;
    }
    rt_take_frames(s->m, s->w, bodies, state);
    memset(state->u, 0, (size_t)s->m->n_u * sizeof *state->u);
    memset(state->udot, 0, (size_t)s->m->n_u * sizeof *state->u);
    for (int b = 0; b < s->m->n_bodies && s->m->set == &rt_euler_angles; b++)
        if (fabs(sin(state->q[7 * b + 4])) < 0.4) return false; /* short of room for differences */
    return !keeps_own_rows(s) || make_rigid(s, state);
}

static void random_state(const scene *s, int motion, random_stream *random, rt_state *state)
{
    const routh_mechanism *m = s->m;
    int tries = 0;
    do {
        random_poses(s, random);
        for (int e = 0; e < m->n_elastic; e++)
            state->q[m->first_elastic_q + e] = 0.2 * random_real(random);
    } while (!take_poses(s, state) && ++tries < 50);
    assert_true(tries < 50);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, m->n_u, state->u);
    if (keeps_own_rows(s)) keep_level(s, state, 1, state->u);
    /* the u' that velocities ask for of the own rows turn no body but by rounding, and the size of
     * an angular acceleration has no derivative there */
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH ||
        (motion == MOTION_VELOCITY && keeps_own_rows(s)))
        random_reals(random, m->n_u, state->udot);
    if (keeps_own_rows(s)) keep_level(s, state, 2, state->udot);
    random_reals(random, m->n_rows, state->lambda);
    random_reals(random, 3 * m->n_signals, state->signal);
    state->t = 0.4 + 0.3 * random_real(random);
}

/* ---- differences ----------------------------------------------------------------------------- */

typedef enum direction { ALONG_XI, ALONG_U, ALONG_UDOT, ALONG_LAMBDA, ALONG_SIGNALS } direction;
enum { N_DIRECTIONS = 5 };

/* Of the state: xi, du, du', dlambda, dsignal with its two rates. */
typedef struct variation {
    double x[N_DIRECTIONS][MOST_U];
} variation;

/* b = -(values x) over the own rows, added up */
static void subtract_rows(const scene *s, const double *values, const double *x, double *b)
{
    double all[MOST_ROWS] = {0};
    rt_sparse_multiply_add(&s->m->pattern_G, values, 1, x, all);
    for (int r = 0; r < s->m->joined->n_own; r++) b[r] -= all[s->m->n_joint_rows + r];
}

/* Random along one of them; in natural coordinates the later ones follow as
 *     G xi = 0,    G du + V_x xi = 0,    G du' + A_u du + A_x xi = 0 */
static void random_variation(const scene *s, direction along, random_stream *random, variation *d)
{
    *d = (variation){0};
    const int n[] = {s->m->n_u, s->m->n_u, s->m->n_u, s->m->n_rows, 3 * s->m->n_signals};
    random_reals(random, n[along], d->x[along]);
    if (!keeps_own_rows(s)) return;
    for (int level = 0; level < 3; level++) {
        double b[MOST_ROWS] = {0};
        if (level == 1) subtract_rows(s, s->w->Vx, d->x[ALONG_XI], b);
        if (level == 2) subtract_rows(s, s->w->Ax, d->x[ALONG_XI], b);
        if (level == 2) subtract_rows(s, s->w->Au, d->x[ALONG_U], b);
        add_missing(s, b, d->x[level]);
    }
}

typedef struct family {
    const scene *s;
    const rt_state *at;
    const variation *d;
} family;

static int count_sensors(const scene *s)
{
    int n = 0;
    for (int kind = 0; kind < RT_SENSOR_KINK; kind++)
        n += rt_sensor_count(s->m, (rt_sensor_kind)kind);
    return n;
}

/* Rows of all kinds, one after another, in the scene's arena. */
static void read_sensors(const scene *s, const rt_state *state, bool partials, rt_sensor_row *rows)
{
    int n = 0;
    for (int kind = 0; kind < RT_SENSOR_KINK; kind++)
        for (int k = 0; k < rt_sensor_count(s->m, (rt_sensor_kind)kind); k++) {
            routh_error error;
            if (rt_sensor_evaluate(s->m, s->w, state, (rt_sensor_kind)kind, k, partials, &rows[n++],
                                   &error))
                fail_msg("%s in %s coordinates: %s", s->c->name, s->coordinates, error.message);
        }
}

/* (r, Phi, Phi', Phi'', sensors) at a state. */
static void values_of(const scene *s, const rt_state *state, double *value)
{
    rt_sensor_row rows[MOST_SENSORS] = {0};
    evaluate(s, state, RT_EVALUATE_RESIDUAL | RT_EVALUATE_PHI);
    read_sensors(s, state, false, rows);
    for (int k = 0; k < count_sensors(s); k++)
        value[s->m->n_u + 3 * s->m->n_rows + k] = rows[k].value;
    memcpy(value, s->w->residual, (size_t)s->m->n_u * sizeof *value);
    value += s->m->n_u;
    for (int level = 0; level < 3; level++, value += s->m->n_rows)
        memcpy(value, s->w->phi[level], (size_t)s->m->n_rows * sizeof *value);
}

static void state_family(void *context, double eps, double *value)
{
    const family *f = context;
    const routh_mechanism *m = f->s->m;
    rt_state *moved = f->s->moved;
    double xi[MOST_U];
    rt_state_copy(m, moved, f->at);
    for (int k = 0; k < m->n_u; k++) {
        xi[k] = eps * f->d->x[ALONG_XI][k];
        moved->u[k] += eps * f->d->x[ALONG_U][k];
        moved->udot[k] += eps * f->d->x[ALONG_UDOT][k];
    }
    for (int k = 0; k < m->n_rows; k++) moved->lambda[k] += eps * f->d->x[ALONG_LAMBDA][k];
    for (int k = 0; k < 3 * m->n_signals; k++) moved->signal[k] += eps * f->d->x[ALONG_SIGNALS][k];
    rt_advance(m, moved->q, xi);
    values_of(f->s, moved, value);
}

/* (Phi, Phi') at the time t + eps of a motion with the state's u and u', to first order in eps. */
static void motion_family(void *context, double eps, double *phi)
{
    const family *f = context;
    const routh_mechanism *m = f->s->m;
    rt_state *moved = f->s->moved;
    double xi[MOST_U], value[MOST_U + 3 * MOST_ROWS + MOST_SENSORS];
    rt_state_copy(m, moved, f->at);
    for (int k = 0; k < m->n_u; k++) {
        xi[k] = eps * f->at->u[k];
        moved->u[k] += eps * f->at->udot[k];
    }
    for (int k = 0; k < 2 * m->n_signals; k++)
        moved->signal[k] += eps * f->at->signal[m->n_signals + k];
    rt_advance(m, moved->q, xi);
    moved->t += eps;
    values_of(f->s, moved, value);
    memcpy(phi, value + m->n_u, 2 * (size_t)m->n_rows * sizeof *phi);
}

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct record {
    double worst;
    const char *what;
} record;

/* |difference| relative to the derivative, or to a thousandth of the values where that is more: a
 * derivative cannot be differenced better than the values, and the terms they are sums of, are
 * rounded. */
static double error_of(const double *exact, const double *differenced, int n, double values)
{
    double size = fmax(largest_of(exact, n), largest_of(differenced, n)), error = 0;
    size = fmax(size, fmax(1e-3 * values, 1e-3));
    for (int k = 0; k < n; k++) {
        if (!isfinite(exact[k])) return INFINITY; /* fmax would pass over a NaN */
        error = fmax(error, fabs(exact[k] - differenced[k]));
    }
    return error / size;
}

/* The least error of one list over the steps tried. */
typedef struct least {
    const char *what;
    double error;
} least;

/* Bounds of the steps: a point where a distance or a speed vanishes, or a branch, must stay out of
 * their reach. Below the shortest one differences are all rounding. */
static const double longest_step = 0.02, shortest_step = 1e-6, good_enough = 1e-9;

static void take_error(least *x, const char *what, const double *exact, const double *differenced,
                       int n, double values)
{
    const double error = error_of(exact, differenced, n, values);
    if (!x->what || error < x->error) *x = (least){what, error};
}

static bool all_good(const least *x, int n)
{
    for (int k = 0; k < n; k++)
        if (!(x[k].error < good_enough)) return false;
    return true;
}

static void judge(record *worst, const scene *s, const least *x, int n)
{
    for (int k = 0; k < n; k++) {
        if (!(x[k].error <= (s->rough ? 1e-3 : tolerance)))
            fail_msg("%s in %s coordinates: %s is off by %.3g", s->c->name, s->coordinates,
                     x[k].what, x[k].error);
        if (x[k].error > worst->worst) *worst = (record){x[k].error, x[k].what};
    }
}

/* Of (r, Phi, Phi', Phi'', sensors) along a variation. */
typedef struct exact {
    double r[MOST_U], phi[3][MOST_ROWS], sensor[MOST_SENSORS];
} exact;

/* dPhi = a din,   dPhi' = a' din + a din',   dPhi'' = a'' din + 2 a' din' + a din'' */
static void add_drive(const scene *s, const double *dsignal, exact *x)
{
    const routh_mechanism *m = s->m;
    const int first = m->n_signals - m->model->n_inputs;
    for (int k = 0; k < m->n_driven; k++) {
        const int row = m->driven[k].row, n = m->n_signals;
        const double *a = s->w->drive + 3 * k, *in = dsignal + first + m->driven[k].input;
        x->phi[0][row] += a[0] * in[0];
        x->phi[1][row] += a[1] * in[0] + a[0] * in[n];
        x->phi[2][row] += a[2] * in[0] + 2 * a[1] * in[n] + a[0] * in[2 * n];
    }
}

/* dg = g_x xi + g_u du + g_a du' + g_lambda dlambda + g_signal dsignal */
static double along_row(const rt_sensor_row *row, const variation *d)
{
    double sum = 0;
    for (int i = 0; i < row->n_columns; i++) {
        const int c = row->columns[i];
        sum += row->by_x[i] * d->x[ALONG_XI][c] + row->by_u[i] * d->x[ALONG_U][c] +
               row->by_a[i] * d->x[ALONG_UDOT][c];
    }
    for (int i = 0; i < row->n_lambda; i++)
        sum += row->by_lambda[i] * d->x[ALONG_LAMBDA][row->lambda[i]];
    for (int i = 0; i < row->n_signals; i++)
        sum += row->by_signal[i] * d->x[ALONG_SIGNALS][row->signals[i]];
    return sum;
}

/* dr     = K xi + D du + M du' + (G' + L) dlambda
 * dPhi   = G xi,   dPhi' = G du + V_x xi,   dPhi'' = G du' + A_u du + A_x xi
 *        + R dsignal, and those of Phi by inputs
 * and nonholonomic rows have no Phi. */
static void exact_derivatives(const scene *s, const rt_sensor_row *rows, const variation *d,
                              exact *x)
{
    const routh_mechanism *m = s->m;
    const rt_workspace *w = s->w;
    const double *xi = d->x[ALONG_XI], *du = d->x[ALONG_U], *dudot = d->x[ALONG_UDOT];
    memset(x, 0, sizeof *x);
    rt_sparse_multiply_add(&m->pattern_K, w->K, 1, xi, x->r);
    rt_sparse_multiply_add(&m->pattern_K, w->D, 1, du, x->r);
    rt_sparse_multiply_add(&m->pattern_M, w->M, 1, dudot, x->r);
    rt_sparse_transpose_multiply_add(&m->pattern_G, w->G, 1, d->x[ALONG_LAMBDA], x->r);
    rt_sparse_multiply_add(&m->pattern_L, w->L, 1, d->x[ALONG_LAMBDA], x->r);
    rt_sparse_multiply_add(&m->pattern_R, w->L, 1, d->x[ALONG_SIGNALS], x->r);
    for (int k = 0; k < count_sensors(s); k++) x->sensor[k] = along_row(&rows[k], d);
    add_drive(s, d->x[ALONG_SIGNALS], x);
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, xi, x->phi[0]);
    for (int r = 0; r < m->n_rows; r++)
        if (m->nonholonomic[r]) x->phi[0][r] = 0;
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, du, x->phi[1]);
    rt_sparse_multiply_add(&m->pattern_G, w->Vx, 1, xi, x->phi[1]);
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, dudot, x->phi[2]);
    rt_sparse_multiply_add(&m->pattern_G, w->Au, 1, du, x->phi[2]);
    rt_sparse_multiply_add(&m->pattern_G, w->Ax, 1, xi, x->phi[2]);
}

static const char *const names_r[] = {"K", "D", "M", "G' + L", "R"};
static const char *const names_sensor[] = {"g_x", "g_u", "g_a", "g_lambda", "g_signal"};
static const char *const names_phi[3][N_DIRECTIONS] = {
    {"G", "dPhi/du = 0", "dPhi/du' = 0", "dPhi/dlambda = 0", "dPhi/din"},
    {"V_x", "dPhi'/du = G", "dPhi'/du' = 0", "dPhi'/dlambda = 0", "dPhi'/din"},
    {"A_x", "A_u", "dPhi''/du' = G", "dPhi''/dlambda = 0", "dPhi''/din"}};

/* Rows of all sensors, in the arena. */
static void make_rows(const scene *s, rt_sensor_row *rows, rt_arena *arena)
{
    assert_true(count_sensors(s) <= MOST_SENSORS && s->m->n_signals <= MOST_SIGNALS);
    for (int kind = 0, n = 0; kind < RT_SENSOR_KINK; kind++) {
        routh_error error;
        rt_sensor_row *own;
        assert_int_equal(rt_sensor_rows(s->m, (rt_sensor_kind)kind, &own, arena, &error), ROUTH_OK);
        for (int k = 0; k < rt_sensor_count(s->m, (rt_sensor_kind)kind); k++) rows[n++] = own[k];
    }
}

/* Phi' and Phi'' as the rates of Phi and Phi' in a motion. */
static void check_motion(const scene *s, double *value, double rates, record *worst)
{
    const int n = s->m->n_u, rows = s->m->n_rows;
    double differenced[MAX_DIFFERENCED];
    family f = {s, s->state, NULL};
    least e[2] = {0};
    for (int r = 0; r < rows; r++) /* no rate of a value of position level */
        if (s->m->nonholonomic[r]) value[n + rows + r] = 0;
    for (double h = longest_step; h > shortest_step && !(e[0].what && all_good(e, 2)); h /= 4) {
        differentiate(motion_family, &f, h, 2 * rows, differenced);
        take_error(&e[0], "Phi'", value + n + rows, differenced, rows, rates);
        take_error(&e[1], "Phi''", value + n + 2 * rows, differenced + rows, rows, rates);
    }
    judge(worst, s, e, 2);
}

static void check_state(const scene *s, random_stream *random, record *worst)
{
    const routh_mechanism *m = s->m;
    const int n = m->n_u, rows = m->n_rows, sensors = count_sensors(s),
              all = n + 3 * rows + sensors;
    double value[MOST_U + 3 * MOST_ROWS + MOST_SENSORS], differenced[MAX_DIFFERENCED];
    rt_sensor_row row[MOST_SENSORS];
    rt_arena arena = {0};
    variation d[N_DIRECTIONS];
    exact x[N_DIRECTIONS];
    make_rows(s, row, &arena);
    values_of(s, s->state, value);
    evaluate(s, s->state, RT_EVALUATE_ALL);
    read_sensors(s, s->state, true, row);
    for (int along = 0; along < N_DIRECTIONS; along++) {
        random_variation(s, (direction)along, random, &d[along]);
        exact_derivatives(s, row, &d[along], &x[along]);
    }
    const double forces = largest_of(value, n), rates = largest_of(value + n, 3 * rows),
                 read = largest_of(value + n + 3 * rows, sensors);
    const int last = m->n_signals ? N_DIRECTIONS : ALONG_SIGNALS;
    for (int along = 0; along < last; along++) {
        family f = {s, s->state, &d[along]};
        least e[5] = {0};
        for (double h = longest_step; h > shortest_step && !(e[0].what && all_good(e, 5)); h /= 4) {
            differentiate(state_family, &f, h, all, differenced);
            take_error(&e[0], names_r[along], x[along].r, differenced, n, forces);
            for (int level = 0; level < 3; level++)
                take_error(&e[1 + level], names_phi[level][along], x[along].phi[level],
                           differenced + n + level * rows, rows, rates);
            take_error(&e[4], names_sensor[along], x[along].sensor, differenced + n + 3 * rows,
                       sensors, read);
        }
        judge(worst, s, e, 5);
    }
    rt_arena_free(&arena);
    check_motion(s, value, rates, worst);
}

/* Absolute coordinates, on whose frames the others are built, are walked far more often. */
static void test_case(void **state)
{
    const test_task *task = *state;
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        scene s;
        record worst = {0, "nothing"};
        random_stream random = {task->seed};
        scene_make(&s, task, coordinates);
        const int n = set || task->flexible ? N_RANDOM_STATES / 60 : N_RANDOM_STATES / 20;
        for (int motion = 0; motion < N_MOTIONS; motion++) {
            if (vanishes(task->measure, motion)) continue;
            for (int k = 0; k < with_effort(n); k++) {
                s.rough = task->load && task->load->kink_at_rest &&
                          (motion == MOTION_REST || motion == MOTION_ACCELERATION);
                random_state(&s, motion, &random, s.state);
                check_state(&s, &random, &worst);
            }
        }
        print_message("    %s: worst %.1e, of %s\n", coordinates, worst.worst, worst.what);
        scene_release(&s);
    }
}

enum { N_ALL = N_CASES + RT_LOAD_N_TYPES + RT_CONTROLLER_CLASSES + MOST_MEASURES };

static struct CMUnitTest tests[2 * N_ALL];
static test_task tasks[2 * N_ALL];
static int n_tests;

static void add_case(test_task task)
{
    static char names[N_ALL][80];
    static int n_names;
    char *name = names[n_names++];
    snprintf(name, sizeof names[0], "%s, flexible bodies", task.c->name);
    for (int flexible = 0; flexible < 2; flexible++) {
        task.seed = (uint64_t)n_names;
        task.flexible = flexible;
        tasks[n_tests] = task;
        tests[n_tests] = (struct CMUnitTest){flexible ? name : task.c->name, test_case, NULL, NULL,
                                             &tasks[n_tests]};
        n_tests++;
    }
}

int main(void)
{
    fill_cases();
    list_loads();
    list_controllers();
    list_measures();
    for (int k = 0; k < N_CASES; k++) add_case((test_task){.c = &cases[k]});
    for (int k = 0; k < RT_LOAD_N_TYPES; k++)
        add_case((test_task){.c = &of_loads[k], .load = rt_load_class_of((rt_load_type)k)});
    for (int k = 0; k < RT_CONTROLLER_CLASSES; k++) add_case((test_task){.c = &of_controllers[k]});
    for (int k = 0; k < n_of_measures; k++)
        add_case((test_task){.c = &of_measures[k], .measure = rough[k]});
    return _cmocka_run_group_tests("system.derivatives", tests, (size_t)n_tests, NULL, NULL);
}
