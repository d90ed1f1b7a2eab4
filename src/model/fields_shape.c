/* Fields of the shapes of rigid bodies. */
#include "model/fields.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SHAPE(member) offsetof(rt_written_body, shape.member)
#define SIZE(kind, k) offsetof(rt_written_body, shape.size[kind][k])
#define FIELDS(array) .fields = (array), .n_fields = COUNT(array)
#define LENGTH(name_, kind, k, doc_)                                                               \
    {                                                                                              \
        name_, RT_FIELD_NUMBER, SIZE(kind, k), .required = true, .range = RT_POSITIVE,             \
                                               .sense = RT_SCALAR, .unit = "m", .doc = doc_        \
    }

static const rt_field box_fields[] = {
    {"size", RT_FIELD_VECTOR, SIZE(RT_SHAPE_BOX, 0), .required = true, .range = RT_POSITIVE,
     .sense = RT_READ_LATER, .unit = "m", .doc = "its sides along x, y and z"}, /* no direction */
};
static const rt_field cylinder_fields[] = {
    LENGTH("radius", RT_SHAPE_CYLINDER, 0, "of its circle"),
    LENGTH("length", RT_SHAPE_CYLINDER, 1, "along its axis"),
};
static const rt_field tube_fields[] = {
    LENGTH("radius", RT_SHAPE_TUBE, 0, "of its outer circle"),
    LENGTH("inner_radius", RT_SHAPE_TUBE, 1, "of its inner circle, smaller"),
    LENGTH("length", RT_SHAPE_TUBE, 2, "along its axis"),
};
static const rt_field sphere_fields[] = {
    LENGTH("radius", RT_SHAPE_SPHERE, 0, "of the sphere"),
};
static const rt_field capsule_fields[] = {
    LENGTH("radius", RT_SHAPE_CAPSULE, 0, "of its cylinder and of the half spheres at the ends"),
    LENGTH("length", RT_SHAPE_CAPSULE, 1, "of its cylinder, without the half spheres"),
};
static const rt_field cone_fields[] = {
    LENGTH("radius", RT_SHAPE_CONE, 0, "of its base"),
    LENGTH("length", RT_SHAPE_CONE, 1,
           "from the base to the tip; the base is a quarter of it below the origin"),
};
static const rt_field wheel_fields[] = {
    LENGTH("radius", RT_SHAPE_WHEEL, 0, "of its tread"),
    LENGTH("width", RT_SHAPE_WHEEL, 1, "along its axis"),
};
static const rt_field plate_fields[] = {
    LENGTH("length", RT_SHAPE_PLATE, 0, "along x"),
    LENGTH("width", RT_SHAPE_PLATE, 1, "along y"),
    LENGTH("thickness", RT_SHAPE_PLATE, 2, "along z"),
};
static const rt_field extrusion_fields[] = {
    {"outline", RT_FIELD_MATRIX, SHAPE(outline), .required = true, .sense = RT_READ_LATER,
     .unit = "m",
     .doc = "x and y of each corner of its section, one after another around it; the centre of the "
            "section comes to lie on the z axis"},
    LENGTH("length", RT_SHAPE_EXTRUSION, 0, "along z, half of it on either side"),
};
const char *const rt_mesh_origins[] = {"centre", "file", NULL};
static const rt_field mesh_fields[] = {
    {"file", RT_FIELD_WORD, SHAPE(mesh), .required = true, .file = true, .unit = "",
     .doc = "an STL, OBJ or glTF file, .stl, .obj, .gltf or .glb"},
    {"length_unit", RT_FIELD_CHOICE, SHAPE(mesh_unit), .choices = rt_length_units, .unit = "",
     .fallback = "m",
     .doc = "of the file's lengths; to be given in a model in other units, but of glTF, "
            "which is in m"},
    {"origin", RT_FIELD_CHOICE, SHAPE(mesh_origin), .choices = rt_mesh_origins, .unit = "",
     .fallback = "centre",
     .doc = "what of the mesh is in the shape's origin: the centre of mass of what it encloses, or "
            "the origin of its file"},
};

#define KIND(name_, doc_)                                                                          \
    static const rt_kind name_##_kind[] = {{#name_, 0, FIELDS(name_##_fields), .doc = doc_}};      \
    static const rt_section name_##_group = {#name_, #name_, name_##_kind, 1, .doc = ""}

KIND(box, "A box.");
KIND(cylinder, "A full cylinder.");
KIND(tube, "A round tube.");
KIND(sphere, "A full sphere.");
KIND(capsule, "A cylinder with half spheres at its ends.");
KIND(cone, "A full cone.");
KIND(wheel, "A wheel with a tyre; mass and inertia by density are those of a full cylinder.");
KIND(plate, "A rectangular plate.");
KIND(extrusion, "A section along a straight line.");
KIND(mesh, "A surface of triangles from a file, closed where mass or inertia follow from it.");

#define GROUP(name_, doc_)                                                                         \
    {                                                                                              \
#name_, RT_FIELD_GROUP, 0, .unit = "", .doc = doc_, .inside = &name_##_group               \
    }

static const rt_field shape_fields[] = {
    GROUP(box, "a box"),
    GROUP(cylinder, "a full cylinder about its z axis"),
    GROUP(tube, "a round tube about its z axis"),
    GROUP(sphere, "a full sphere"),
    GROUP(capsule, "a cylinder about its z axis with half spheres at its ends"),
    GROUP(cone, "a full cone, its tip along z"),
    GROUP(wheel, "a wheel with a tyre, about its z axis"),
    GROUP(plate, "a rectangular plate, thin along z"),
    GROUP(extrusion, "a section in x and y along its z axis"),
    GROUP(mesh, "a surface of triangles from a file"),
    {"axis", RT_FIELD_AXIS, SHAPE(axis), .sense = RT_AXIS_POLAR, .unit = "", .fallback = "z",
     .excludes = "orientation", .doc = "the direction of the shape's z axis in body axes"},
    {"orientation", RT_FIELD_ORIENTATION, SHAPE(orientation), .sense = RT_LOCAL_ATTITUDE,
     .unit = "", .fallback = "as the body",
     .doc = "how the shape's axes stand in those of the body"},
    {"position", RT_FIELD_VECTOR, SHAPE(position), .sense = RT_LOCAL_POLAR, .unit = "m",
     .fallback = "[0, 0, 0]",
     .doc = "the shape's origin from the body's centre of mass, in body axes"},
    {"color", RT_FIELD_WORD, SHAPE(color), .unit = "", .fallback = "one of ten in turn",
     .doc = "such as \"#3f7fbf\", or one of black, blue, brown, cyan, gray, green, orange, pink, "
            "purple, red, white, yellow"},
};
static const rt_kind shape_kind[] = {
    {"shape", 0, FIELDS(shape_fields),
     .one_of = {"box", "cylinder", "tube", "sphere", "capsule", "cone", "wheel", "plate",
                "extrusion", "mesh"},
     .doc = "The shape of a rigid body: how it is drawn, and what its inertia follows from where "
            "none is given."}};
const rt_section rt_shape_group = {"shape", "shape", shape_kind, 1, .doc = ""};

/* kg/m^3, at room temperature; of alloys and plastics the common grades. */
const rt_named_number rt_densities[] = {
    {"aluminium", 2700}, {"aluminum", 2700}, {"brass", 8500},  {"bronze", 8800},
    {"cast_iron", 7200}, {"concrete", 2400}, {"copper", 8960}, {"lead", 11340},
    {"magnesium", 1740}, {"nylon", 1150},    {"pom", 1410},    {"rubber", 1100},
    {"steel", 7850},     {"titanium", 4430}, {"water", 1000},  {NULL, 0},
};
