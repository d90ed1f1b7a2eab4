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
    src/frames/dot.c
    src/frames/program.c
    src/frames/rates.c
    src/joints/compile.c
    src/joints/evaluate.c
    src/joints/table.c
    src/loads/bushing.c
    src/loads/flexible_frame.c
    src/loads/flexible_inertia.c
    src/loads/inertia.c
    src/loads/rod.c
    src/loads/spatial_inertia.c
    src/loads/spring.c
    src/loads/torsion.c
    src/loads/vector_load.c
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
