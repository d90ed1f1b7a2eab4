/* The members of a saved linear model, in their order: FIELD(group, name, kind, rows, columns,
 * place, need, unit, meaning), and before the first of a group GROUP(group, name, when, meaning).
 * READ(..) is of files of other programs, and not written.
 * Written, read and checked by the table that exchange_fields.c makes of it; described by those of
 * linear_fields.c. Counts come before what they count. */
/* clang-format off */
FIELD(TOP, schema, TEXTS, ONE, ONE, PLACE(RT_OF_MODEL, RT_AS_SCHEMA, 0), RT_ESSENTIAL, NULL,
      "`routh-linear/1`")
FIELD(TOP, program, TEXTS, ONE, ONE, PLACE(RT_OF_MODEL, RT_AS_PROGRAM,
      offsetof(routh_linear, version)), 0, NULL,
      "name and version of the program that made it")
FIELD(TOP, title, TEXTS, ONE, ONE, MODEL(title), 0, NULL, "of the model")
FIELD(TOP, file, TEXTS, ONE, ONE, MODEL(file), 0, NULL,
      "file of the model; empty where there is none")
FIELD(TOP, coordinates, TEXTS, ONE, ONE, MODEL(coordinates), 0, NULL, "coordinate set")
FIELD(TOP, method, TEXTS, ONE, ONE, MODEL(method), 0, NULL, "linearization method")
FIELD(TOP, method_by_auto, FLAGS, ONE, ONE, MODEL(method_by_auto), RT_UNLESS_ZERO, NULL,
      "true where `--method auto` chose `method`; else absent")
FIELD(TOP, reference, TEXTS, ONE, ONE, MODEL(reference), 0, NULL, "marker of the reference frame")
GROUP(FREEDOM, degrees_of_freedom, ALWAYS, "by kind of state")
FIELD(FREEDOM, position, INTEGERS, ONE, ONE, MODEL(n_position), RT_ESSENTIAL, NULL,
      "states of position")
FIELD(FREEDOM, velocity, INTEGERS, ONE, ONE, MODEL(n_velocity), RT_ESSENTIAL, NULL,
      "states of velocity: fewer with nonholonomic joints")
FIELD(FREEDOM, control, INTEGERS, ONE, ONE, MODEL(n_control), 0, NULL, "states of controllers")
FIELD(TOP, infinite_eigenvalues, INTEGERS, ONE, ONE, MODEL(n_infinite), 0, NULL,
      "with `--method redundant`: how many eigenvalues of the constraints were "
      "[deflated](../theory/redundant.md); else 0")
FIELD(TOP, residual, REALS, ONE, ONE, MODEL(residual), 0, NULL,
      "equilibrium residual: largest inertia force over the largest single force; 0 in "
      "equilibrium")
FIELD(TOP, at_rest, FLAGS, ONE, ONE, MODEL(at_rest), 0, NULL,
      "true: nothing moves and `residual` is at most 1e-9")
FIELD(TOP, steady, FLAGS, ONE, ONE, MODEL(steady), 0, NULL,
      "true: the coefficients of the linear model and the rates of its states are constant along "
      "the motion, so that eigenvalues describe stability")
FIELD(TOP, drift, REALS, ONE, ONE, MODEL(drift), RT_MAY_BE_INFINITE, NULL,
      "relative change of A along the motion, per radian of its fastest part; `steady` needs at "
      "most 1e-5; `null`: the motion cannot continue (a dead point)")
FIELD(TOP, error_estimate, REALS, ONE, ONE, MODEL(error_estimate), 0, NULL,
      "0: exact up to rounding; else the estimated error of A relative to its largest entry")
GROUP(POINT, operating_point, ALWAYS, "where the model was linearized")
FIELD(POINT, type, TEXTS, ONE, ONE, POINT(type), 0, NULL,
      "how it was found: `given`, `static`, `state`, `steady`")
FIELD(POINT, time, REALS, ONE, ONE, POINT(time), 0, "s", "time of the operating point")
FIELD(POINT, tolerance, REALS, ONE, ONE, POINT(tolerance), 0, NULL, "that it was found to")
FIELD(POINT, constraint_error, REALS, ONE, ONE, POINT(constraint_error), 0, "m or rad",
      "largest error of a constraint equation")
FIELD(POINT, bodies, TEXTS, BODIES, ONE, BODY(name), 0, NULL, "names of the bodies")
FIELD(POINT, positions, REALS, BODIES, THREE, BODY(position), 0, "m",
      "of the centres of mass, world: a row for each body")
FIELD(POINT, orientations, REALS, BODIES, NINE, BODY(orientation), 0, NULL,
      "rotation matrices, row by row: a row for each body")
FIELD(POINT, velocities, REALS, BODIES, THREE, BODY(velocity), 0, "m/s",
      "of the centres of mass, world components: a row for each body")
FIELD(POINT, angular_velocities, REALS, BODIES, THREE, BODY(angular_velocity), 0, "rad/s",
      "world components: a row for each body")
FIELD(TOP, warnings, TEXTS, WARNINGS, ONE, BEHIND(warnings), 0, NULL, "sentences")
FIELD(TOP, states, TEXTS, STATES, ONE, STATE(name), RT_ESSENTIAL, NULL,
      "names: positions, then velocities, then states of controllers")
FIELD(TOP, units, TEXTS, STATES, ONE, STATE(unit), 0, NULL, "of the states")
FIELD(TOP, frames, TEXTS, STATES, ONE, STATE(frame), 0, NULL,
      "markers whose axes the states are resolved in; empty of what is no component")
FIELD(TOP, values, REALS, STATES, ONE, STATE(value), 0, NULL,
      "of the states at the operating point")
FIELD(TOP, inputs, TEXTS, INPUTS, ONE, INPUT(name), 0, NULL, "names")
FIELD(TOP, input_units, TEXTS, INPUTS, ONE, INPUT(unit), 0, NULL, "as in the model file, or empty")
FIELD(TOP, input_values, REALS, INPUTS, ONE, INPUT(value), 0, NULL, "at the operating point")
FIELD(TOP, outputs, TEXTS, OUTPUTS, ONE, OUTPUT(name), 0, NULL, "names")
FIELD(TOP, output_units, TEXTS, OUTPUTS, ONE, OUTPUT(unit), 0, NULL,
      "as in the model file, or empty")
FIELD(TOP, output_values, REALS, OUTPUTS, ONE, OUTPUT(value), 0, NULL, "at the operating point")
FIELD(TOP, output_felt, REALS, OUTPUTS, ONE, OUTPUT(felt), 0, NULL,
      "1 for outputs that measure accelerations or forces of joints, on which what acts from "
      "outside the model has an effect at once; else 0")
FIELD(TOP, E, REALS, STATES, STATES, PLACE(RT_OF_MODEL, RT_AS_E, 0), RT_UNLESS_EMPTY |
      RT_NULL_IN_JSON, NULL,
      "diag(I, mass, I): E y' = E A y + E B in + .., the form for programs that take descriptor "
      "systems, without an inverse of the mass in E A and E B")
FIELD(TOP, A, REALS, STATES, STATES, BEHIND(A), RT_WHERE_SIZED, NULL,
      "y' = A y + B in + affine")
FIELD(TOP, A_rest, REALS, STATES, STATES, BEHIND(A_rest), RT_UNLESS_ABSENT, NULL,
      "what rounding took from A: A + A_rest has some 30 digits, which eigenvalues are computed "
      "from; absent where the model was not made in extended precision")
FIELD(TOP, A_error, REALS, SAMPLE_ROWS, STATES, BEHIND(A_error), RT_UNLESS_ABSENT, NULL,
      "how much the entries change where the model's numbers and the operating point are changed "
      "as much as rounding to doubles may: four such matrices, one below the other; with A_rest")
FIELD(TOP, B, REALS, STATES, INPUTS, BEHIND(B), RT_WHERE_SIZED, NULL, "by the inputs")
READ(TOP, B1, REALS, STATES, INPUTS, BEHIND(B1), RT_ONLY_READ)
READ(TOP, B2, REALS, STATES, INPUTS, BEHIND(B2), RT_ONLY_READ)
FIELD(TOP, C, REALS, OUTPUTS, STATES, BEHIND(C), RT_WHERE_SIZED, NULL,
      "out = C y + D in")
FIELD(TOP, D, REALS, OUTPUTS, INPUTS, BEHIND(D), RT_WHERE_SIZED | RT_NULL_IN_JSON, NULL,
      "by the inputs; `null` where `rates.note` says why")
READ(TOP, D1, REALS, OUTPUTS, INPUTS, BEHIND(D1), RT_ONLY_READ)
READ(TOP, D2, REALS, OUTPUTS, INPUTS, BEHIND(D2), RT_ONLY_READ)
GROUP(RATES, rates, SOMETIMES, "with inputs that prescribe motions, where their rates act: "
      "y' = A y + B in + B1 in' + B2 in'' + affine, out = C y + D in + D1 in' + D2 in'', with A "
      "and C from above and these")
FIELD(RATES, note, TEXTS, ONE, ONE, PLACE(RT_OF_MODEL, RT_AS_NOTE, 0), RT_WITH_RATES, NULL,
      "what the states of A, B, C, D above are, and why there may be no D")
FIELD(RATES, states, TEXTS, STATES, ONE, STATE(name), RT_WITH_RATES, NULL,
      "names of y, by which all other members go")
FIELD(RATES, B, REALS, STATES, INPUTS, BEHIND(B), RT_WITH_RATES, NULL, "by the inputs")
FIELD(RATES, B1, REALS, STATES, INPUTS, BEHIND(B1), RT_WITH_RATES, NULL,
      "by the rates of the inputs")
FIELD(RATES, B2, REALS, STATES, INPUTS, BEHIND(B2), RT_WITH_RATES, NULL, "by their second rates")
FIELD(RATES, D, REALS, OUTPUTS, INPUTS, BEHIND(D), RT_WITH_RATES, NULL, "by the inputs")
FIELD(RATES, D1, REALS, OUTPUTS, INPUTS, BEHIND(D1), RT_WITH_RATES, NULL,
      "by the rates of the inputs")
FIELD(RATES, D2, REALS, OUTPUTS, INPUTS, BEHIND(D2), RT_WITH_RATES, NULL, "by their second rates")
FIELD(TOP, affine, REALS, STATES, ONE, BEHIND(affine), RT_UNLESS_ABSENT, NULL,
      "a0: how the operating point itself moves, in the reference frame; 0 at rest")
FIELD(TOP, mass, REALS, VELOCITY, VELOCITY, BEHIND(mass), RT_NULL_IN_JSON, NULL,
      "mass W' + damping W + stiffness S = coupling X + force in + force1 in' + force2 in'', S "
      "the positions, W the velocities (S' where there are as many), X the states of controllers")
FIELD(TOP, damping, REALS, VELOCITY, VELOCITY, BEHIND(damping), RT_NULL_IN_JSON, NULL, "likewise")
FIELD(TOP, stiffness, REALS, VELOCITY, POSITION, BEHIND(stiffness), RT_NULL_IN_JSON, NULL,
      "likewise")
FIELD(TOP, coupling, REALS, VELOCITY, CONTROL, BEHIND(coupling), RT_UNLESS_EMPTY | RT_NULL_IN_JSON,
      NULL,
      "right-hand side by the states of controllers; `null` without them")
FIELD(TOP, force, REALS, VELOCITY, INPUTS, BEHIND(force), RT_UNLESS_EMPTY | RT_NULL_IN_JSON, NULL,
      "right-hand side by the inputs; `null` without them")
FIELD(TOP, force1, REALS, VELOCITY, INPUTS, BEHIND(force1), RT_UNLESS_EMPTY | RT_NULL_IN_JSON, NULL,
      "by the rates of the inputs")
FIELD(TOP, force2, REALS, VELOCITY, INPUTS, BEHIND(force2), RT_UNLESS_EMPTY | RT_NULL_IN_JSON, NULL,
      "by their second rates")
GROUP(BOUNDS, bounds, SOMETIMES, "with `--method penalty`")
FIELD(BOUNDS, bound, REALS, BOUNDS, ONE, BEHIND(bound), RT_UNLESS_EMPTY | RT_MAY_BE_INFINITE, "1/s",
      "within which the exact eigenvalues are; `null`: no bound")
FIELD(BOUNDS, real, REALS, BOUNDS, ONE, BEHIND(bound_re), RT_UNLESS_EMPTY | RT_WHERE_SIZED, "1/s",
      "real parts of eigenvalues of A")
FIELD(BOUNDS, imaginary, REALS, BOUNDS, ONE, BEHIND(bound_im), RT_UNLESS_EMPTY | RT_WHERE_SIZED,
      "rad/s",
      "their imaginary parts")
GROUP(MARKERS, markers, SOMETIMES, "with markers: how they move")
FIELD(MARKERS, names, TEXTS, MARKERS, ONE, MARKER(name, RT_INSIDE), RT_UNLESS_EMPTY, NULL,
      "names of the markers")
FIELD(MARKERS, bodies, TEXTS, MARKERS, ONE, MARKER(body, RT_INSIDE), RT_UNLESS_EMPTY, NULL,
      "that they are on")
FIELD(MARKERS, positions, REALS, MARKERS, THREE, MARKER(position, RT_INSIDE), RT_UNLESS_EMPTY, "m",
      "world: a row for each marker")
FIELD(MARKERS, orientations, REALS, MARKERS, NINE, MARKER(orientation, RT_INSIDE), RT_UNLESS_EMPTY,
      NULL,
      "rotation matrices, row by row: a row for each marker")
FIELD(MARKERS, motions, REALS, MARKER_ROWS, STATES, MARKER(motion, RT_BEHIND), RT_UNLESS_EMPTY |
      RT_WHERE_SIZED, NULL,
      "six rows for each marker, one below the other: its displacement (m) and rotation (rad) by"
      " the states, world components")
GROUP(SHARES, shares, SOMETIMES,
      "energy (or power) = 1/2 v' weight v with v = rows y (power: v' weight v)")
FIELD(SHARES, names, TEXTS, SHARES, ONE, SHARE(name, RT_INSIDE), RT_UNLESS_EMPTY, NULL,
      "what has the energy")
FIELD(SHARES, kinds, TEXTS, SHARES, ONE, SHARE(kind, RT_AS_KIND), RT_UNLESS_EMPTY | RT_WHERE_SIZED,
      NULL,
      "`kinetic`, `strain`, `dissipation`")
FIELD(SHARES, sizes, INTEGERS, SHARES, ONE, SHARE(n_rows, RT_INSIDE), RT_UNLESS_EMPTY |
      RT_WHERE_SIZED, NULL,
      "how many rows each has")
FIELD(SHARES, rows, REALS, SHARE_ROWS, STATES, SHARE(rows, RT_BEHIND), RT_UNLESS_EMPTY |
      RT_WHERE_SIZED, NULL,
      "one below the other")
FIELD(SHARES, weights, REALS, SHARE_WEIGHTS, ONE, SHARE(weight, RT_BEHIND), RT_UNLESS_EMPTY |
      RT_WHERE_SIZED, NULL,
      "entries of all weights, one after the other, each row by row")
/* clang-format on */
#undef FIELD
#undef READ
#undef GROUP
