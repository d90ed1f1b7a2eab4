/* The list of loads: one line each, in the order of documentation and messages.
 *     LOAD(its name in capitals, its name in model files and of its class, how it is read)
 * The class is rt_load_class_<name> in one file of src/elements (load_class.h). How it is read:
 * `plainly`, by its fields alone, or by one of the functions in loads.c for what has to be worked
 * out from them. */
#ifndef RT_MODEL_LOAD_TYPES_H
#define RT_MODEL_LOAD_TYPES_H

#define RT_LOAD_LIST(LOAD)                                                                        \
    LOAD(SPRING, spring, spring)                                                                  \
    LOAD(TORSION_SPRING, torsion_spring, torsion_spring)                                          \
    LOAD(BUSHING, bushing, bushing)                                                               \
    LOAD(BEAM, beam, beam)                                                                        \
    LOAD(ROD, flexible_rod, rod)                                                                  \
    LOAD(SPECTRAL_ROD, spectral_rod, spectral_rod)                                                \
    LOAD(FORCE, force, vector)                                                                    \
    LOAD(TORQUE, torque, vector)                                                                  \
    LOAD(TYRE, tyre, tyre)                                                                        \
    LOAD(MAGIC_TYRE, magic_formula_tyre, magic_tyre)                                              \
    LOAD(FRICTION, friction, friction)                                                            \
    LOAD(CONTACT, contact, contact)                                                               \
    LOAD(LIMIT, limit, limit)                                                                     \
    LOAD(DRAG, drag, plainly)

#define RT_LOAD_ENUM(NAME, name, reader) RT_LOAD_##NAME,
typedef enum rt_load_type { RT_LOAD_LIST(RT_LOAD_ENUM) RT_LOAD_N_TYPES } rt_load_type;
#undef RT_LOAD_ENUM

#endif
