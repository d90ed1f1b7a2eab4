"""Models without all inertia that several tests use."""

RAIL = """bodies:
  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
  n: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, 0]}
joints:
  rail: {type: translational, between: [m, ground], axis: x}
  node: {type: translational, between: [n, ground], axis: x}
loads:
  a: {type: spring, between: [n, ground], A}
  b: {type: spring, between: [m, n], B}
  c: {type: spring, between: [m, ground], C}
operating_point: {type: static}
"""

# A parallelogram of massless links, 0.6 m long; its coupler carries a point mass. It swings as a pendulum.
PARALLELOGRAM = """gravity: [0, 0, -9.81]
bodies:
  one: {mass: 0, inertia: [0, 0, 0], position: [0, 0, -0.3]}
  two: {mass: 0, inertia: [0, 0, 0], position: [1, 0, -0.3]}
  coupler: {mass: 0, inertia: [0, 0, 0], position: [0.5, 0, -0.6]}
  bob: {mass: 4, inertia: [0, 0, 0], position: [0.3, 0, -0.7]}
joints:
  a: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: y}
  b: {type: revolute, between: [coupler, one], at: [0, 0, -0.6], axis: y}
  c: {type: revolute, between: [two, coupler], at: [1, 0, -0.6], axis: y}
  d: {type: revolute, between: [two, ground], at: [1, 0, 0], axis: y}
  e: {type: BOB, between: [bob, coupler], at: [0.3, 0, -0.7]}
loads:
  k: {type: torsion_spring, between: [one, ground], at: [0, 0, 0], axis: y, stiffness: 5, damping: 0.7}
operating_point: {type: static}
"""

HINGED = """gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, inertia: [0, 0, 0], position: [0, 0, -0.5]}
joints:
  hinge: {type: JOINT, between: [bob, ground], at: [0, 0, 0]AXIS}
operating_point: {type: static}
"""

# Massless all of it: a slide with a spring and a damper
NOTHING = """bodies:
  n: {mass: 0, inertia: [0, 0, 0]}
joints:
  rail: {type: translational, between: [n, ground], axis: x}
loads:
  k: {type: bushing, between: [n, ground], at: [0, 0, 0], translation: {stiffness: [K, 0, 0], damping: [C, 0, 0]}}
operating_point: {type: static}
"""
