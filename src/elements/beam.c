/* Massless Timoshenko beam: a bushing (bushing.c; rt_scalar numbers) with the stiffness of a
 * beam. */
#include "elements/loads.h"
#include "model/load_fields.h"

static const rt_field beam_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the beam's tip and its root; the beam lies along the root's x axis"),
    {"length", RT_FIELD_NUMBER, LOAD(length), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m",
     .doc = "unstrained length"},
    {"youngs_modulus", RT_FIELD_NUMBER, LOAD(youngs_modulus), .required = true,
     .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "Pa", .doc = "E"},
    {"shear_modulus", RT_FIELD_NUMBER, LOAD(shear_modulus), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "Pa", .doc = "G"},
    {"area", RT_FIELD_NUMBER, LOAD(area), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m^2",
     .doc = "A, of the cross-section"},
    {"iyy", RT_FIELD_NUMBER, LOAD(iyy), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m^4",
     .doc = "second moment of area about the section's y axis: bending in the x-z plane"},
    {"izz", RT_FIELD_NUMBER, LOAD(izz), .required = true, .range = RT_POSITIVE,
     .sense = RT_SCALAR, .unit = "m^4",
     .doc = "second moment of area about the section's z axis: bending in the x-y plane"},
    {"torsion_constant", RT_FIELD_NUMBER, LOAD(torsion_constant), .required = true,
     .range = RT_POSITIVE, .sense = RT_SCALAR, .unit = "m^4",
     .doc = "J, so that the torsional stiffness is G J / length"},
    {"shear_factor_y", RT_FIELD_NUMBER, LOAD(shear_factor_y), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE,
     .fallback = "0",
     .doc = "area / shear area along y (6/5 for a rectangle, 10/9 for a circle); 0: no shear "
            "deformation (Euler-Bernoulli)"},
    {"shear_factor_z", RT_FIELD_NUMBER, LOAD(shear_factor_z), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .unit = RT_UNIT_NONE,
     .fallback = "0", .doc = "the same along z"},
    {"damping_ratio", RT_FIELD_NUMBER, LOAD(damping_ratio),
     .sense = RT_SCALAR, .unit = "s", .fallback = "0",
     .doc = "damping matrix = damping_ratio * stiffness matrix"}};

const rt_load_class rt_load_class_beam = {
    .kind = {"beam", RT_LOAD_BEAM, LOAD_FIELDS(beam_fields), .doc = "A massless Timoshenko beam."},
    .numbers = RT_BUSHING_NUMBERS,
    .wound = RT_BUSHING_WOUND,
    .between_bodies = true,
    .mesh = true,
    .evaluate = rt_bushing_load,
    .undefined = RT_BUSHING_UNDEFINED,
    .energy = rt_bushing_energy,
    .picture = RT_PICTURE_PLAIN,
    .sample_parameters = "L: 0.7, E: 2e5, G: 8e4, A: 1e-3, I: 4e-5, s: 0.01",
    .sample = "between: [i, j], length: L, youngs_modulus: E, shear_modulus: G, area: A, iyy: I, "
              "izz: 2*I, torsion_constant: 3*I, shear_factor_y: 1.2, damping_ratio: s",
};
