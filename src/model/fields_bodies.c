/* Fields of bodies, rigid and flexible, and of markers. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BODY(member) offsetof(rt_written_body, body.member)
#define BEAM(member) offsetof(rt_written_body, member)
#define MARKER(member) offsetof(rt_written_marker, member)
#define DENSITIES                                                                                  \
    "aluminium, brass, bronze, cast_iron, concrete, copper, lead, magnesium, nylon, pom, rubber, " \
    "steel, titanium, water"
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

#define BODY_ORIENTATION                                                                           \
    {                                                                                              \
        "orientation", RT_FIELD_ORIENTATION, BODY(orientation),                                    \
            .sense = RT_ATTITUDE, .unit = "", .fallback = "as the world", .moves = true,           \
            .doc = "how the body's axes stand in the world"                                        \
    }
#define BODY_ANGULAR_VELOCITY                                                                      \
    {                                                                                              \
        "angular_velocity", RT_FIELD_VECTOR, BODY(angular_velocity),                               \
            .sense = RT_AXIAL, .varies = true, .unit = "rad/s", .fallback = "[0, 0, 0]",           \
            .moves = true, .doc = "world components"                                               \
    }
#define FRAME_POSITION                                                                             \
    {                                                                                              \
        "position", RT_FIELD_VECTOR, BODY(position),                                               \
            .sense = RT_POINT, .unit = "m", .fallback = "[0, 0, 0]", .moves = true,                \
            .doc = "the origin of the body's floating frame in the world"                          \
    }
#define FRAME_VELOCITY                                                                             \
    {                                                                                              \
        "velocity", RT_FIELD_VECTOR, BODY(velocity),                                               \
            .sense = RT_POLAR, .unit = "m/s", .fallback = "[0, 0, 0]", .moves = true,              \
            .doc = "of the floating frame's origin, world components"                              \
    }

#define BODY_PLACING                                                                               \
    {"relative_to",                                                                                \
     RT_FIELD_MARKER,                                                                              \
     BEAM(relative_to),                                                                            \
     .unit = "",                                                                                   \
     .fallback = "the world",                                                                      \
     .moves = true,                                                                                \
     .doc = "a marker or another body: position, orientation and velocities are then relative to " \
            "its frame, in its axes"},                                                             \
        {"moved",                                                                                  \
         RT_FIELD_GROUP,                                                                           \
         0,                                                                                        \
         .unit = "",                                                                               \
         .fallback = "not",                                                                        \
         .moves = true,                                                                            \
         .excludes = "relative_to",                                                                \
         .doc = "how the body is moved from here to where it begins, and with it what it carries", \
         .inside = &rt_moved_group},                                                               \
    {                                                                                              \
        "spin", RT_FIELD_GROUP, 0, .unit = "", .fallback = "none", .moves = true,                  \
                                   .excludes = "velocity",                                         \
                                   .doc = "instead of velocities: it rotates about an axis, and "  \
                                          "with it what it carries",                               \
                                   .inside = &rt_turning_group                                     \
    }

/* ---- rigid ----------------------------------------------------------------------------------- */

static const rt_field rigid_fields[] = {
    {"type", RT_FIELD_TYPE, 0, .unit = "", .fallback = "rigid", .doc = "the kind of body"},
    {"mass", RT_FIELD_NUMBER, BODY(mass), .range = RT_NOT_NEGATIVE, .sense = RT_SCALAR,
     .varies = true, .unit = "kg", .unless = "density",
     .fallback = "that of its `shape` of this `density`",
     .doc = "the body's mass; 0: a massless body"},
    {"inertia", RT_FIELD_INERTIA, BODY(inertia), .sense = RT_LOCAL_INERTIA, .varies = true,
     .unit = "kg m^2", .unless = "shape", .fallback = "that of its `shape`, filled evenly",
     .doc = "inertia about the centre of mass in body axes: [Ixx, Iyy, Izz] or "
            "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]; the last three are the entries of the tensor, so "
            "Ixy = -(integral of x y dm). Principal moments may be 0: [0, 0, 0] is a point mass"},
    {"position", RT_FIELD_VECTOR, BODY(position), .sense = RT_POINT, .unit = "m",
     .fallback = "[0, 0, 0]", .doc = "the centre of mass in the world"},
    BODY_ORIENTATION,
    {"velocity", RT_FIELD_VECTOR, BODY(velocity), .sense = RT_POLAR, .varies = true, .unit = "m/s",
     .fallback = "[0, 0, 0]", .doc = "of the centre of mass, world components"},
    BODY_ANGULAR_VELOCITY,
    BODY_PLACING,
    {"shape", RT_FIELD_GROUP, 0, .unit = "", .fallback = "drawn by its markers and inertia",
     .doc = "its shape: how it is drawn, and its inertia where none is given",
     .inside = &rt_shape_group},
    {"density", RT_FIELD_NUMBER, BEAM(density), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = "kg/m^3", .needs = "shape", .named = rt_densities, .fallback = "none",
     .doc = "of what fills its shape: a number, or a material: " DENSITIES
            "; beside a written mass or inertia, which must then agree within 1 %"},
};

/* ---- beams ----------------------------------------------------------------------------------- */

#define POSITIVE(name_, member, unit_, doc_)                                                       \
    {                                                                                              \
        name_, RT_FIELD_NUMBER, BEAM(member), .required = true, .range = RT_POSITIVE,              \
                                              .sense = RT_SCALAR, .unit = unit_, .doc = doc_       \
    }

static const rt_field circle_fields[] = {
    POSITIVE("radius", circle_radius, "m", "of the circle"),
};
static const rt_field tube_fields[] = {
    POSITIVE("outer_radius", tube_outer, "m", "of the tube's outer circle"),
    POSITIVE("inner_radius", tube_inner, "m", "of its inner circle, smaller"),
};
static const rt_field rectangle_fields[] = {
    POSITIVE("height", rectangle_height, "m", "along the section's y axis"),
    POSITIVE("width", rectangle_width, "m", "along its z axis"),
};
static const rt_kind circle_kind[] = {
    {"circle", 0, FIELDS(circle_fields), .doc = "A full circle."}};
static const rt_kind tube_kind[] = {{"tube", 0, FIELDS(tube_fields), .doc = "A round tube."}};
static const rt_kind rectangle_kind[] = {
    {"rectangle", 0, FIELDS(rectangle_fields), .doc = "A full rectangle."}};
static const rt_section circle_group = {"circle", "circle", circle_kind, 1, .doc = ""};
static const rt_section tube_group = {"tube", "tube", tube_kind, 1, .doc = ""};
static const rt_section rectangle_group = {"rectangle", "rectangle", rectangle_kind, 1, .doc = ""};

static const rt_field section_fields[] = {
    {"circle", RT_FIELD_GROUP, 0, .unit = "", .excludes = "tube", .doc = "a full circle",
     .inside = &circle_group},
    {"tube", RT_FIELD_GROUP, 0, .unit = "", .excludes = "rectangle", .doc = "a round tube",
     .inside = &tube_group},
    {"rectangle", RT_FIELD_GROUP, 0, .unit = "", .excludes = "circle",
     .doc = "a full rectangle; the torsion constant is that of Saint-Venant",
     .inside = &rectangle_group},
};
static const rt_field damping_fields[] = {
    {"mass", RT_FIELD_NUMBER, BEAM(damping_mass), .range = RT_NOT_NEGATIVE, .sense = RT_SCALAR,
     .unit = "1/s", .fallback = "0", .doc = "times the mass matrix"},
    {"stiffness", RT_FIELD_NUMBER, BEAM(damping_stiffness), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = "s", .fallback = "0", .doc = "times the stiffness matrix"},
};
static const rt_kind section_kind[] = {{"section", 0, FIELDS(section_fields),
                                        .one_of = {"circle", "tube", "rectangle"},
                                        .doc = "The shape of a cross-section."}};
static const rt_kind damping_kind[] = {
    {"damping", 0, FIELDS(damping_fields), .doc = "Rayleigh damping."}};
static const rt_section section_group = {"section", "section", section_kind, 1, .doc = ""};
static const rt_section damping_group = {"damping", "damping", damping_kind, 1, .doc = ""};

static const char *const frame_choices[] = {"tangent", "mean-axis", NULL};

#define OF_SECTION(name_, member, unit_, doc_)                                                     \
    {                                                                                              \
        name_, RT_FIELD_NUMBER, BEAM(member), .range = RT_POSITIVE, .sense = RT_SCALAR,            \
                                              .unit = unit_, .fallback = "from `section`",         \
                                              .excludes = "section", .doc = doc_                   \
    }

static const rt_field beam_fields[] = {
    {"type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of body"},
    FRAME_POSITION,
    BODY_ORIENTATION,
    FRAME_VELOCITY,
    BODY_ANGULAR_VELOCITY,
    BODY_PLACING,
    {"from", RT_FIELD_VECTOR, BEAM(from), .sense = RT_LOCAL_POLAR, .unit = "m",
     .fallback = "[0, 0, 0]", .doc = "where its first node lies, in the floating frame"},
    {"to", RT_FIELD_VECTOR, BEAM(to), .required = true, .sense = RT_LOCAL_POLAR, .unit = "m",
     .doc = "where its last node lies, in the floating frame"},
    {"elements", RT_FIELD_COUNT, BEAM(elements), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "10",
     .doc = "how many finite elements of equal length; one node more"},
    {"side", RT_FIELD_VECTOR, BEAM(side), .sense = RT_LOCAL_POLAR, .unit = "",
     .fallback = "so that the section's z lies as near to the frame's z as it can",
     .doc = "a direction in the floating frame: the section's x runs along the beam, its y lies "
            "in the plane of the beam and this direction"},
    {"planar", RT_FIELD_TRUTH, BEAM(planar), .unit = "", .fallback = "false",
     .doc = "it stretches and bends in the section's x-y plane only, without torsion"},
    {"frame", RT_FIELD_CHOICE, BEAM(frame), .unit = "", .fallback = "tangent",
     .choices = frame_choices,
     .doc = "the floating frame: tangent, clamped to the first node, the coordinates "
            "displacements and rotations of the other nodes; mean-axis, moving with the mean of "
            "the body, the coordinates amplitudes of its free modes"},
    {"modes", RT_FIELD_COUNT, BEAM(modes), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "all",
     .doc = "how many free modes of a mean-axis frame, the lowest"},
    {"stiffening", RT_FIELD_TRUTH, BEAM(stiffening), .unit = "",
     .fallback = "true with a tangent frame",
     .doc = "axial forces stiffen or soften the bending (geometric stiffness)"},
    {"rotary_inertia", RT_FIELD_TRUTH, BEAM(rotary_inertia), .unit = "", .fallback = "false",
     .doc = "sections have inertia against rotation with the bending"},
    {"density", RT_FIELD_NUMBER, BEAM(density), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "kg/m^3", .named = rt_densities,
     .doc = "mass per volume; a number, or a material: " DENSITIES},
    {"youngs_modulus", RT_FIELD_NUMBER, BEAM(youngs_modulus), .required = true,
     .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "Pa", .doc = "E, of stretch and bending"},
    {"shear_modulus", RT_FIELD_NUMBER, BEAM(shear_modulus), .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "Pa", .fallback = "from `poissons_ratio`",
     .excludes = "poissons_ratio", .doc = "G, for torsion; a planar beam needs none"},
    {"poissons_ratio", RT_FIELD_NUMBER, BEAM(poissons_ratio), .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "from `shear_modulus`",
     .doc = "instead of it: G = E/(2 (1 + ratio))"},
    {"section", RT_FIELD_GROUP, 0, .unit = "",
     .doc = "the cross-section by its shape, instead of `area`, `iyy`, `izz`, `torsion_constant`",
     .inside = &section_group},
    OF_SECTION("area", area, "m^2", "A, of the cross-section"),
    OF_SECTION("iyy", iyy, "m^4",
               "second moment of area about the section's y axis: bending in the x-z plane"),
    OF_SECTION("izz", izz, "m^4",
               "second moment of area about the section's z axis: bending in the x-y plane"),
    OF_SECTION("torsion_constant", torsion_constant, "m^4", "J: the torsional stiffness is G J"),
    {"damping", RT_FIELD_GROUP, 0, .unit = "", .fallback = "none",
     .doc = "Rayleigh damping: the damping matrix as a sum of mass and stiffness matrix",
     .inside = &damping_group},
};

/* ---- modal bodies ---------------------------------------------------------------------------- */

#define MODAL(member) offsetof(rt_written_body, modal.member)
#define OF_MATRICES .needs = "stiffness_matrix"

static const rt_field modal_fields[] = {
    {"type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "the kind of body"},
    FRAME_POSITION,
    BODY_ORIENTATION,
    FRAME_VELOCITY,
    BODY_ANGULAR_VELOCITY,
    BODY_PLACING,
    {"file", RT_FIELD_WORD, MODAL(file), .file = true, .unit = "", .excludes = "stiffness_matrix",
     .doc = "the reduced body, as `routh reduce --output` writes it; a path from the folder of the "
            "model file"},
    {"stiffness_matrix", RT_FIELD_WORD, MODAL(stiffness), .file = true, .unit = "",
     .needs = "mass_matrix",
     .doc = "instead of it: the file of a finite-element program with the stiffness matrix of the "
            "free body, which is reduced when the model is read"},
    {"mass_matrix", RT_FIELD_WORD, MODAL(mass), .file = true, .unit = "", OF_MATRICES,
     .doc = "the file with its mass matrix; the same where both are in one"},
    {"nodes", RT_FIELD_WORD, MODAL(nodes), .file = true, .unit = "",
     .fallback = "in `stiffness_matrix`", OF_MATRICES, .doc = "the file with the nodes"},
    {"dofs", RT_FIELD_WORD, MODAL(dofs), .file = true, .unit = "",
     .fallback = "three or six rows a node", OF_MATRICES,
     .doc = "a file with node and direction of every row"},
    {"interface", RT_FIELD_NODES, MODAL(interface), .unit = "",
     .fallback = "none: free-free modes alone", OF_MATRICES,
     .doc = "nodes where joints and loads will be, with all their coordinates; `1001=SET` is the "
            "mean motion of a set of nodes, as node 1001"},
    {"modes", RT_FIELD_COUNT, MODAL(modes), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "10", .excludes = "cut", OF_MATRICES,
     .doc = "how many normal modes, the lowest, besides what interfaces bring"},
    {"cut", RT_FIELD_NUMBER, MODAL(cut), .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "Hz",
     .excludes = "frequencies_below", OF_MATRICES,
     .doc = "instead of a number of modes: all below this frequency"},
    {"frequencies_below", RT_FIELD_NUMBER, MODAL(below), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = "Hz", .excludes = "modes", OF_MATRICES,
     .doc = "instead of a number of modes: as many as it takes for the frequencies of the free "
            "body below this to be those of the whole model, which are counted"},
    {"accuracy", RT_FIELD_NUMBER, MODAL(accuracy), .range = RT_POSITIVE, .sense = RT_SCALAR,
     .unit = RT_UNIT_NONE, .fallback = "0.001", .needs = "frequencies_below",
     .doc = "of these frequencies, relative"},
    {"normal_modes", RT_FIELD_CHOICE, MODAL(normal_modes), .unit = "", .fallback = "held",
     .choices = rt_normal_modes, .needs = "interface",
     .doc = "whether they are those of the body held at its interfaces, or of the free body"},
    {"shapes", RT_FIELD_WORD, MODAL(shapes), .file = true, .unit = "", .fallback = "none",
     OF_MATRICES,
     .doc = "a file of shapes that are kept besides: a Matrix Market array, a column each, or "
            "lines of node, direction and values; without `interface`, `modes`, `cut` and "
            "`frequencies_below` these alone"},
    {"damping_ratio", RT_FIELD_NUMBER, MODAL(damping_ratio), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE, .fallback = "0", .moves = true, OF_MATRICES,
     .doc = "of every elastic mode of the free body"},
    {"length_unit", RT_FIELD_CHOICE, MODAL(length_unit), .unit = "", .fallback = "m",
     .choices = rt_length_units, OF_MATRICES,
     .doc = "of the matrices and nodes; to be given in a model in other units"},
    {"mass_unit", RT_FIELD_CHOICE, MODAL(mass_unit), .unit = "", .fallback = "kg",
     .choices = rt_mass_units, OF_MATRICES,
     .doc = "of the matrices; to be given in a model in other units"},
    {"time_unit", RT_FIELD_CHOICE, MODAL(time_unit), .unit = "", .fallback = "s",
     .choices = rt_time_units, OF_MATRICES,
     .doc = "of the matrices; to be given in a model in other units"},
};

static const rt_kind body_kinds[] = {
    {"rigid", RT_BODY_RIGID, FIELDS(rigid_fields), .doc = "A rigid body."},
    {"beam", RT_BODY_BEAM, FIELDS(beam_fields), .one_of = {"section", "area"},
     .doc = "A straight elastic beam of Euler-Bernoulli elements in a floating frame: any motion "
            "of the frame, small deformation in it."},
    {"modal", RT_BODY_MODAL, FIELDS(modal_fields), .one_of = {"file", "stiffness_matrix"},
     .doc = "A body of finite elements, reduced to interfaces and modes, in a floating frame that "
            "moves with its mean, in undeformed shape the axes of its model."},
};
const rt_section rt_body_section = {
    "bodies",
    "body",
    body_kinds,
    COUNT(body_kinds),
    .optional_type = true,
    .signals = true,
    .doc = "Rigid and flexible bodies, each under its name. The name is also that of a marker, at "
           "the centre of mass of a rigid body and in the origin of a flexible body's floating "
           "frame."};

/* ---- markers --------------------------------------------------------------------------------- */

static const rt_field marker_fields[] = {
    {"body", RT_FIELD_BODY, MARKER(body), .required = true, .unit = "",
     .doc = "the body it is fixed to, or ground"},
    {"node", RT_FIELD_NODE, MARKER(node), .unit = "",
     .fallback = "none: fixed in the floating frame",
     .doc = "of a flexible body: the node it is fixed to, by its number; the ends of a beam are "
            "`first` and `last`"},
    {"position", RT_FIELD_VECTOR, MARKER(position), .sense = RT_LOCAL_POLAR, .unit = "m",
     .fallback = "[0, 0, 0]",
     .doc = "from the centre of mass, in body axes (on ground: in the world); of a flexible body, "
            "from the node in the node's axes, or from the frame's origin in the frame's"},
    {"at", RT_FIELD_VECTOR, MARKER(at), .sense = RT_POINT, .unit = "m", .excludes = "position",
     .doc = "instead of position: the point in the world, in the reference configuration; on a "
            "flexible body without `node`, the node there is taken"},
    {"orientation", RT_FIELD_ORIENTATION, MARKER(orientation), .sense = RT_LOCAL_ATTITUDE,
     .unit = "", .fallback = "as the body",
     .doc = "how the marker's axes stand in those of the body, or of the node"},
};
static const rt_kind marker_kinds[] = {
    {"a marker", 0, FIELDS(marker_fields), .doc = "A frame fixed in a body."}};
const rt_section rt_marker_section = {
    "markers", "marker", marker_kinds, COUNT(marker_kinds),
    .doc = "Points with axes, fixed in bodies, that joints and loads attach to and measures speak "
           "of."};
