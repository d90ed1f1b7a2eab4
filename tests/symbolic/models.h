/* Mechanisms whose linear models are known in closed form, or that hold all kinds of elements. */
#ifndef TESTS_SYMBOLIC_MODELS_H
#define TESTS_SYMBOLIC_MODELS_H

/* Ge, Zhao, Chen and Liu 2005, section 5: a double pendulum of uniform rods, hanging. */
#define DOUBLE_PENDULUM                                                                            \
    "title: Double pendulum\n"                                                                     \
    "parameters: {m1: 2, m2: 3, L1: 1, L2: 0.7, g: 9.81}\n"                                        \
    "gravity: [0, -g, 0]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  rod1: {mass: m1, inertia: [m1*L1^2/10, m1*L1^2/11, m1*L1^2/12],\n"                          \
    "         position: [0, -L1/2, 0]}\n"                                                          \
    "  rod2: {mass: m2, inertia: [m2*L2^2/10, m2*L2^2/11, m2*L2^2/12],\n"                          \
    "         position: [0, -L1 - L2/2, 0]}\n"                                                     \
    "markers:\n"                                                                                   \
    "  p2: {body: rod1, position: [0, -L1/2, 0]}\n"                                                \
    "  p3: {body: rod2, position: [0, -L2/2, 0]}\n"                                                \
    "joints:\n"                                                                                    \
    "  hinge: {type: revolute, between: [rod1, ground], at: [0, 0, 0], axis: z}\n"                 \
    "  knee: {type: revolute, between: [rod2, rod1], at: [0, -L1, 0], axis: z}\n"

/* The same paper, section 6: a mass on a spring, which a pendulum hangs from. The bob is a point in
 * the plane: it slides on a massless line, so its inertia does no work. */
#define SPRING_PENDULUM                                                                            \
    "title: Spring pendulum\n"                                                                     \
    "parameters: {m1: 2, m2: 3, L: 0.8, k: 40, g: 9.81}\n"                                         \
    "gravity: [0, -g, 0]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  slider: {mass: m1, inertia: [1, 1, 1]}\n"                                                   \
    "  bob: {mass: m2, inertia: [1, 1, 1], position: [0, -L, 0]}\n"                                \
    "joints:\n"                                                                                    \
    "  guide: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}\n"          \
    "  upright: {type: orientation, between: [bob, ground]}\n"                                     \
    "  plane: {type: inplane, between: [bob, ground], axis: z}\n"                                  \
    "  string: {type: rod, between: [bob, slider], length: L}\n"                                   \
    "loads:\n"                                                                                     \
    "  spring:\n"                                                                                  \
    "    type: bushing\n"                                                                          \
    "    between: [slider, ground]\n"                                                              \
    "    translation: {stiffness: [k, 0, 0], damping: [0, 0, 0]}\n"

/* A symmetric wheel that spins in a hull on a universal joint, upright, with springs against the
 * ground: a top. */
#define TOP                                                                                        \
    "title: Spinning body on a universal joint\n"                                                  \
    "parameters: {m: 2, h: 1.2, A: 0.4, C: 0.5, B: 0.02, l: 0.4, g: 9.81, spin: 100, k: 30,\n"     \
    "             c: 2}\n"                                                                         \
    "gravity: [0, 0, -g]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  hull: {mass: h, inertia: [B, B, B], position: [0, 0, l]}\n"                                 \
    "  wheel: {mass: m, inertia: [A, A, C], position: [0, 0, l], angular_velocity: [0, 0, "        \
    "spin]}\n"                                                                                     \
    "joints:\n"                                                                                    \
    "  cardan: {type: universal, between: [hull, ground], at: [0, 0, 0], axis: z}\n"               \
    "  bearing: {type: revolute, between: [wheel, hull], at: [0, 0, l], axis: z}\n"                \
    "  motor: {type: motion, joint: bearing, function: spin*time}\n"                               \
    "loads:\n"                                                                                     \
    "  mount:\n"                                                                                   \
    "    type: bushing\n"                                                                          \
    "    between: [hull, ground]\n"                                                                \
    "    translation: {stiffness: [k, k, 0], damping: [c, 2*c, 0]}\n"

/* A pendulum that a torsion spring holds at the angle phi, with a weight on a spring to a wall and
 * forces written as functions. */
#define HELD_PENDULUM                                                                              \
    "title: Held pendulum\n"                                                                       \
    "parameters:\n"                                                                                \
    "  m: 2\n"                                                                                     \
    "  l: 0.6\n"                                                                                   \
    "  J: 0.3\n"                                                                                   \
    "  g: 9.81\n"                                                                                  \
    "  phi: 0.7\n"                                                                                 \
    "  free: 0.2\n"                                                                                \
    "  kt: m*g*l*sin(phi)/(phi - free)\n"                                                          \
    "  ct: 0.4\n"                                                                                  \
    "  k: 50\n"                                                                                    \
    "  c: 3\n"                                                                                     \
    "  w: 1.5\n"                                                                                   \
    "  q: 7\n"                                                                                     \
    "gravity: [0, -g, 0]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  bar: {mass: m, inertia: [0.9*J, 0.8*J, J], position: [-l*sin(phi), l*cos(phi), 0],\n"       \
    "        orientation: {axis: [0, 0, 1], angle: phi}}\n"                                        \
    "  cart: {mass: w, inertia: [1, 1, 1], position: [3, 0, 0]}\n"                                 \
    "markers:\n"                                                                                   \
    "  tip: {body: bar, position: [0, l, 0]}\n"                                                    \
    "joints:\n"                                                                                    \
    "  hinge: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: z}\n"                  \
    "  guide: {type: translational, between: [cart, ground], at: [3, 0, 0], axis: x}\n"            \
    "loads:\n"                                                                                     \
    "  torsion: {type: torsion_spring, between: [bar, ground], axis: z, stiffness: kt,\n"          \
    "            damping: ct, free_angle: free}\n"                                                 \
    "  link: {type: spring, between: [tip, cart], stiffness: k, damping: c}\n"                     \
    "  drag: {type: force, on: cart, components: [-q*VX(cart) - q*VX(cart)*DX(cart) , 0, 0]}\n"    \
    "  rub: {type: torque, on: bar, components: [0, 0, -0.3*WZ(bar)]}\n"

/* A bar that a stretched spring, its weight and a torque hold at the angle phi. */
#define STRETCHED                                                                                  \
    "title: Stretched\n"                                                                           \
    "parameters:\n"                                                                                \
    "  m: 2\n"                                                                                     \
    "  l: 0.6\n"                                                                                   \
    "  a: 1.1\n"                                                                                   \
    "  g: 9.81\n"                                                                                  \
    "  phi: 0.7\n"                                                                                 \
    "  k: 50\n"                                                                                    \
    "  c: 3\n"                                                                                     \
    "  f: 0.8\n"                                                                                   \
    "  L: sqrt((l*sin(phi) + a)^2 + (l*cos(phi))^2)\n"                                             \
    "  tau: k*(L - f)/L*a*l*cos(phi) - m*g*l*sin(phi)\n"                                           \
    "gravity: [0, -g, 0]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  bar: {mass: m, inertia: [0.1, 0.2, 0.25], position: [-l*sin(phi), l*cos(phi), 0],\n"        \
    "        orientation: {axis: [0, 0, 1], angle: phi}}\n"                                        \
    "markers: {wall: {body: ground, position: [a, 0, 0]}}\n"                                       \
    "joints: {hinge: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: z}}\n"          \
    "loads:\n"                                                                                     \
    "  link: {type: spring, between: [bar, wall], stiffness: k, damping: c, free_length: f}\n"     \
    "  motor: {type: torque, on: bar, components: [0, 0, tau]}\n"

/* A free body on a bushing that holds against a torque of the world and a force of its own. */
#define LOADED                                                                                     \
    "title: Loaded bushing\n"                                                                      \
    "parameters: {m: 2, k: 50, r: 7, c: 0.3, t: 0.4, f: 1.5}\n"                                    \
    "bodies: {box: {mass: m, inertia: [0.1, 0.2, 0.25]}}\n"                                        \
    "loads:\n"                                                                                     \
    "  mount:\n"                                                                                   \
    "    type: bushing\n"                                                                          \
    "    between: [box, ground]\n"                                                                 \
    "    translation: {stiffness: [k, 2*k, 3*k], damping: [c, c, c]}\n"                            \
    "    rotation: {stiffness: [r, 2*r, 3*r], damping: [c, 2*c, c]}\n"                             \
    "    preload: [-f, 0, -2*f, -t, -2*t, t]\n"                                                    \
    "  twist: {type: torque, on: box, components: [t, 2*t, -t]}\n"                                 \
    "  thrust: {type: force, on: box, components: [f, 0, 2*f], resolved_in: box}\n"

#endif
