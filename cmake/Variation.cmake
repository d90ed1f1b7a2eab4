# What evaluates the equations, compiled once more with numbers that carry a first derivative (src/base/scalar.h):
# under names of its own (src/base/varied_names.h), with products and quotients of complex numbers as written.
set(ROUTH_VARIED_SOURCES
    src/base/rotation.c
    src/coordinates/absolute.c
    src/coordinates/body_fixed.c
    src/coordinates/map.c
    src/coordinates/spatial.c
    src/expression/curve.c
    src/expression/tape_evaluate.c
    src/expression/value.c
    src/flexible/beam_assemble.c
    src/flexible/beam_element.c
    src/flexible/modal.c
    src/elements/frame_dot.c
    src/elements/frame_program.c
    src/elements/frame_rates.c
    src/elements/joint_compile.c
    src/elements/joint_evaluate.c
    src/elements/joint_table.c
    src/elements/bushing.c
    src/elements/flexible_frame.c
    src/elements/flexible_inertia.c
    src/elements/inertia.c
    src/elements/rod.c
    src/elements/spatial_inertia.c
    src/elements/spring.c
    src/elements/torsion.c
    src/elements/vector_load.c
    src/model/made.c
    src/model/rod_make.c
    src/model/rod_section.c
    src/system/compile.c
    src/system/compile_blocks.c
    src/system/compile_flexible.c
    src/system/compile_loads.c
    src/system/compile_sensors.c
    src/system/entries.c
    src/system/evaluate.c
    src/system/flexible.c
    src/system/force_measure.c
    src/system/histories.c
    src/system/load.c
    src/system/numbers.c
    src/system/pattern.c
    src/system/scatter.c
    src/system/sensor.c
    src/system/spatial_spring.c
    src/system/workspace.c
)
set(ROUTH_VARIATION_SOURCES
    src/flexible/beam_slopes.c
    src/model/made_slopes.c
    src/system/variation.c
    src/system/variation_rows.c
    src/system/variation_slopes.c
    src/system/varies.c
)
list(TRANSFORM ROUTH_VARIED_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM ROUTH_VARIATION_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
list(REMOVE_ITEM ROUTH_SOURCES ${ROUTH_VARIATION_SOURCES})

add_library(routh_varied OBJECT ${ROUTH_VARIED_SOURCES} ${ROUTH_VARIATION_SOURCES})
target_include_directories(routh_varied PRIVATE include src)
target_compile_definitions(routh_varied PRIVATE RT_VARIATION)
target_compile_options(routh_varied PRIVATE -include ${PROJECT_SOURCE_DIR}/src/base/varied_names.h
    $<$<C_COMPILER_ID:GNU>:-fcx-limited-range>)
target_link_libraries(routh_varied PRIVATE routh_flags routh_dependencies)
