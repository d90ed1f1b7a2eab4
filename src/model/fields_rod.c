/* The descriptor tables of beams between nodes. */
#include "model/rod.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ROD(member) offsetof(rt_written_rod, member)
#define PROFILE(property) offsetof(rt_written_rod, profile[property])
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)

/* the type, the axis, how many elements */
#define ROD_AXIS                                                                                   \
    {"type", RT_FIELD_TYPE, 0, .required = true, .unit = "", .doc = "how its sections are given"}, \
        {"from",                                                                                   \
         RT_FIELD_VECTOR,                                                                          \
         ROD(from),                                                                                \
         .sense = RT_POINT,                                                                        \
         .unit = "m",                                                                              \
         .needs = "to",                                                                            \
         .doc = "where the axis begins, in the world"},                                            \
        {"to",                                                                                     \
         RT_FIELD_VECTOR,                                                                          \
         ROD(to),                                                                                  \
         .sense = RT_POINT,                                                                        \
         .unit = "m",                                                                              \
         .needs = "from",                                                                          \
         .doc = "where it ends"},                                                                  \
        {"points",                                                                                 \
         RT_FIELD_MATRIX,                                                                          \
         ROD(points),                                                                              \
         .sense = RT_READ_LATER,                                                                   \
         .unit = "m",                                                                              \
         .excludes = "from",                                                                       \
         .doc = "instead of from and to: points that the axis joins by straight segments; the "    \
                "sections are square to the segments, and to what is half-way at a point"},        \
        {"elements",                                                                               \
         RT_FIELD_NUMBER,                                                                          \
         ROD(elements),                                                                            \
         .sense = RT_SCALAR,                                                                       \
         .unit = "",                                                                               \
         .range = RT_POSITIVE,                                                                     \
         .required = true,                                                                         \
         .doc = "into how many each straight piece is divided; with 8, bodies "                    \
                "name.1 to name.9 stand at the ends of the elements"},                             \
        {"order",                                                                                  \
         RT_FIELD_NUMBER,                                                                          \
         ROD(order),                                                                               \
         .sense = RT_SCALAR,                                                                       \
         .unit = "",                                                                               \
         .range = RT_POSITIVE,                                                                     \
         .fallback = "1",                                                                          \
         .doc = "of the elements, 1 to 8: more than 1 gives each element order + 1 nodes, bodies " \
                "all of them; frequencies then converge with the power 2 order"},                  \
        {"curved",                                                                                 \
         RT_FIELD_TRUTH,                                                                           \
         ROD(curved),                                                                              \
         .unit = "",                                                                               \
         .fallback = "false",                                                                      \
         .needs = "points",                                                                        \
         .doc = "true, with an order of 2 or more: each element is the polynomial through "        \
                "order + 1 of the points, which are its nodes; elements is then their number, "    \
                "and points are elements * order + 1"},                                            \
        {"side",                                                                                   \
         RT_FIELD_VECTOR,                                                                          \
         ROD(side),                                                                                \
         .sense = RT_POLAR,                                                                        \
         .unit = "",                                                                               \
         .fallback = "[0, 1, 0]",                                                                  \
         .doc = "a direction in the world towards which the section's y points, as near as it "    \
                "can; x lies along the axis"},                                                     \
    {                                                                                              \
        "stations", RT_FIELD_LIST, ROD(stations),                                                  \
            .sense = RT_SCALAR, .unit = "m", .fallback = "none",                                   \
            .doc = "distances along the axis at which lists below have their numbers; linear "     \
                   "between them, the last value beyond them, and a jump where one is given twice" \
    }
#define ROD_TWIST                                                                                  \
    {                                                                                              \
        "twist", RT_FIELD_PROFILE, PROFILE(RT_ROD_TWIST),                                          \
            .sense = RT_SCALAR, .unit = "rad", .fallback = "0",                                    \
            .doc = "angle of the section about the axis, from where `side` puts it"                \
    }
#define ROD_INEXTENSIBLE                                                                           \
    {                                                                                              \
        "inextensible", RT_FIELD_TRUTH, ROD(inextensible),                                         \
            .unit = "", .fallback = "false",                                                       \
            .doc = "true: constraints keep the stretch zero, without any stiffness against it; "   \
                   "their multipliers are the axial force"                                         \
    }
#define ROD_REST                                                                                   \
    {"damping_ratio",    RT_FIELD_NUMBER,                                                          \
     ROD(damping_ratio), .sense = RT_SCALAR,                                                       \
     .unit = "s",        .range = RT_NOT_NEGATIVE,                                                 \
     .fallback = "0",    .doc = "damping = damping_ratio * stiffness, against rates of strain"},   \
        {"velocity",                                                                               \
         RT_FIELD_VECTOR,                                                                          \
         ROD(velocity),                                                                            \
         .sense = RT_POLAR,                                                                        \
         .unit = "m/s",                                                                            \
         .fallback = "[0, 0, 0]",                                                                  \
         .doc = "of the point `about`, as it begins"},                                             \
        {"angular_velocity",                                                                       \
         RT_FIELD_VECTOR,                                                                          \
         ROD(angular_velocity),                                                                    \
         .sense = RT_AXIAL,                                                                        \
         .unit = "rad/s",                                                                          \
         .fallback = "[0, 0, 0]",                                                                  \
         .doc = "of the whole beam as it begins, world components"},                               \
    {                                                                                              \
        "about", RT_FIELD_VECTOR, ROD(about),                                                      \
            .sense = RT_POINT, .unit = "m", .fallback = "[0, 0, 0]",                               \
            .doc = "the point of the world that has the velocity given, such as the hub"           \
    }

#define MUST_PROFILE(name_, property, unit_, text)                                                 \
    {                                                                                              \
        name_, RT_FIELD_PROFILE, PROFILE(property), .required = true, .range = RT_POSITIVE,        \
                                                    .sense = RT_SCALAR, .unit = unit_, .doc = text \
    }
#define MAY_PROFILE(name_, property, unit_, range_, fallback_, text)                               \
    {                                                                                              \
        name_, RT_FIELD_PROFILE, PROFILE(property),                                                \
            .range = range_, .sense = RT_SCALAR, .unit = unit_, .fallback = fallback_, .doc = text \
    }

static const rt_field material_fields[] = {
    ROD_AXIS,
    MUST_PROFILE("density", RT_ROD_DENSITY, "kg/m^3", "mass per volume"),
    MUST_PROFILE("youngs_modulus", RT_ROD_YOUNG, "Pa", "E"),
    MUST_PROFILE("shear_modulus", RT_ROD_SHEAR, "Pa", "G"),
    MUST_PROFILE("area", RT_ROD_AREA, "m^2", "A, of the cross-section"),
    MUST_PROFILE("iyy", RT_ROD_IYY, "m^4",
                 "second moment of area about the section's y axis: bending in the x-z plane"),
    MUST_PROFILE("izz", RT_ROD_IZZ, "m^4",
                 "second moment of area about the section's z axis: bending in the x-y plane"),
    MUST_PROFILE("torsion_constant", RT_ROD_TORSION, "m^4",
                 "J, so that the torsional stiffness is G J"),
    MAY_PROFILE("shear_factor_y", RT_ROD_FACTOR_Y, "", RT_NOT_NEGATIVE, "0",
                "area / shear area along y (6/5 for a rectangle, 10/9 for a circle); 0 or left "
                "out: no shear deformation (Euler-Bernoulli); positive or left out with an order "
                "of 2 or more"),
    MAY_PROFILE("shear_factor_z", RT_ROD_FACTOR_Z, "", RT_NOT_NEGATIVE, "0", "the same along z"),
    ROD_TWIST,
    ROD_INEXTENSIBLE,
    ROD_REST,
};

static const rt_field section_fields[] = {
    ROD_AXIS,
    MUST_PROFILE("mass_per_length", RT_ROD_MASS, "kg/m", "of the section"),
    MUST_PROFILE("inertia_y", RT_ROD_INERTIA_Y, "kg m",
                 "inertia per length about the section's y axis through its centre of mass, "
                 "int z^2 dm; about x it is the sum of the two"),
    MUST_PROFILE("inertia_z", RT_ROD_INERTIA_Z, "kg m", "the same about z, int y^2 dm"),
    MAY_PROFILE("EA", RT_ROD_EA, "N", RT_POSITIVE,
                "needed without `stiffness`, but for an inextensible beam",
                "stiffness against stretch; not used where the beam is inextensible"),
    MAY_PROFILE("GAy", RT_ROD_GAY, "N", RT_POSITIVE, "no shear deformation",
                "stiffness against shear along y"),
    MAY_PROFILE("GAz", RT_ROD_GAZ, "N", RT_POSITIVE, "no shear deformation",
                "stiffness against shear along z"),
    MAY_PROFILE("GJ", RT_ROD_GJ, "N m^2", RT_POSITIVE, "needed without `stiffness`",
                "stiffness against torsion"),
    MAY_PROFILE("EIy", RT_ROD_EIY, "N m^2", RT_POSITIVE, "needed without `stiffness`",
                "stiffness against bending about y, in the x-z plane"),
    MAY_PROFILE("EIz", RT_ROD_EIZ, "N m^2", RT_POSITIVE, "needed without `stiffness`",
                "stiffness against bending about z, in the x-y plane"),
    {"stiffness", RT_FIELD_MATRIX6, ROD(stiffness), .sense = RT_WRENCH, .unit = "N, N m, N m^2",
     .excludes = "EA",
     .doc = "instead of EA to EIz: the whole matrix of the section at the axis, symmetric, the "
            "same all along: force and moment (x, y, z) from strain and curvature"},
    {"damping", RT_FIELD_MATRIX6, ROD(damping), .sense = RT_WRENCH, .unit = "N s, N m s, N m^2 s",
     .fallback = "0",
     .doc = "the whole matrix against rates of strain and curvature, beside damping_ratio"},
    ROD_TWIST,
    MAY_PROFILE("mass_y", RT_ROD_MASS_Y, "m", RT_ANY, "0",
                "where the centre of mass lies in the section, from the axis"),
    MAY_PROFILE("mass_z", RT_ROD_MASS_Z, "m", RT_ANY, "0", "the same along z"),
    MAY_PROFILE("tension_y", RT_ROD_TENSION_Y, "m", RT_ANY, "0",
                "where a pull does not bend: the point that EA, EIy and EIz hold for"),
    MAY_PROFILE("tension_z", RT_ROD_TENSION_Z, "m", RT_ANY, "0", "the same along z"),
    MAY_PROFILE("shear_y", RT_ROD_SHEAR_Y, "m", RT_ANY, "0",
                "the shear centre, where a lateral force does not twist, of GAy, GAz and GJ"),
    MAY_PROFILE("shear_z", RT_ROD_SHEAR_Z, "m", RT_ANY, "0", "the same along z"),
    ROD_INEXTENSIBLE,
    ROD_REST,
};

static const rt_kind rod_kinds[] = {
    {"material", RT_ROD_OF_MATERIAL, FIELDS(material_fields), .one_of = {"from", "points"},
     .doc = "A beam of a material, by the shape of its sections."},
    {"sections", RT_ROD_OF_SECTIONS, FIELDS(section_fields), .one_of = {"from", "points"},
     .doc = "A beam by the masses and stiffnesses of its sections: a blade, a hose, a wing."},
};
const rt_section rt_rod_section = {
    "beams", "beam", rod_kinds, COUNT(rod_kinds),
    .doc = "Geometrically exact beams: rigid bodies at nodes, with the mass of the beam, and "
           "elements between them that bend, twist, shear and stretch by any amount. Bodies are "
           "name.1, name.2, ..., of which the first and last are also name.first and name.last; as "
           "markers these names are the points of the axis, with x along it and y, z those of the "
           "section. Elements are the loads name.e1, name.e2, ..., and what keeps their stretch or "
           "shear zero the joints name.c1, name.c2, ..."};
