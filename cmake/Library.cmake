# The library: every room under src/, compiled once, linked twice.
file(GLOB ROUTH_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.c)

# Each file of these folders is a class, or a family of them, and in the one list of its folder.
function(routh_listed folder macro)
    set(list ${PROJECT_SOURCE_DIR}/src/model/${folder}/list.h)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/${folder}/*.c)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(STRINGS ${list} lines REGEX "^${macro}")
    foreach(file ${files})
        get_filename_component(name ${file} NAME_WE)
        if(NOT "${macro}(${name})" IN_LIST lines)
            message(FATAL_ERROR "${file} is not in src/model/${folder}/list.h; add ${macro}(${name})")
        endif()
    endforeach()
    set(ROUTH_SOURCES ${ROUTH_SOURCES} ${files} PARENT_SCOPE)
endfunction()
routh_listed(joints RT_JOINT_CLASS)
routh_listed(controllers RT_CONTROLLER_CLASS)
routh_listed(measures RT_MEASURE_FAMILY)

if(NOT ROUTH_HAS_FLINT) # the room says so then, in one file
    list(FILTER ROUTH_SOURCES EXCLUDE REGEX "/src/symbolic/")
    list(APPEND ROUTH_SOURCES ${PROJECT_SOURCE_DIR}/src/symbolic/absent.c)
else()
    list(FILTER ROUTH_SOURCES EXCLUDE REGEX "/src/symbolic/absent.c")
endif()
include(cmake/Variation.cmake)
set(ROUTH_ENTRY_SOURCES ${ROUTH_SOURCES})
list(FILTER ROUTH_ENTRY_SOURCES INCLUDE REGEX "/src/entry/")
list(FILTER ROUTH_SOURCES EXCLUDE REGEX "/src/entry/")
include(cmake/Templates.cmake)
include(cmake/Benchmark.cmake)

add_library(routh_objects OBJECT ${ROUTH_SOURCES} ${ROUTH_PAGE_SOURCE} ${ROUTH_TEMPLATE_SOURCE}
    ${ROUTH_BENCHMARK_SOURCE})
target_include_directories(routh_objects PRIVATE include src)
target_compile_definitions(routh_objects PRIVATE ROUTH_VERSION="${PROJECT_VERSION}"
    $<$<BOOL:${ROUTH_HAS_WIDE}>:RT_HAS_WIDE>)
target_link_libraries(routh_objects PRIVATE routh_flags routh_dependencies)

# src/entry defines the public functions. What does their work, and is called by its public name within the library,
# has a name of its own there (tools/write_entry.py).
target_compile_options(routh_objects PRIVATE -include ${PROJECT_SOURCE_DIR}/src/entry/names.h)
add_library(routh_entry OBJECT ${ROUTH_ENTRY_SOURCES})
target_include_directories(routh_entry PRIVATE include src)
target_link_libraries(routh_entry PRIVATE routh_flags routh_dependencies)

# Short loops over three and six numbers, many times a second: unrolled.
set_source_files_properties(src/coordinates/relative.c src/coordinates/relative_links.c
    src/linear/joint_space.c src/elements/flexible_bars.c src/elements/flexible_frame.c
    src/elements/flexible_inertia.c src/elements/flexible_turning.c
    src/elements/halfway.c src/elements/flexure.c src/elements/spatial_inertia.c
    src/base/sparse_pattern.c src/coordinates/map.c src/coordinates/body_fixed.c
    src/system/evaluate.c src/system/pair_blocks.c src/system/scatter.c src/system/tree_blocks.c
    PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")

# Sums of two doubles: a product and a sum are rounded each for itself.
set_source_files_properties(src/base/dd_matrix.c src/base/dd_eigen.c src/methods/extended_equations.c
    src/methods/extended_settle.c src/methods/extended_balance.c src/methods/extended_respond.c src/methods/extended_state_space.c
    src/answers/extended_spectrum.c src/answers/zeros_extended.c src/answers/zero_dynamics.c
    src/answers/zero_dynamics_check.c src/answers/zero_circles.c src/base/dd_complex_lu.c
    src/base/symmetric_pencil.c src/base/symmetric_modes.c src/output/exchange_rates.c
    PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;$<$<CONFIG:Release>:-O3>")

# Under sanitizers clang needs three times as long to optimise as to compile: only what every evaluation runs through is.
set(ROUTH_EVALUATING ${ROUTH_SOURCES})
list(FILTER ROUTH_EVALUATING INCLUDE REGEX "/src/(base|coordinates|elements|expression|methods|system)/")
if(ROUTH_SANITIZE AND NOT ROUTH_JOINED)
    set_property(SOURCE ${ROUTH_EVALUATING} APPEND PROPERTY COMPILE_OPTIONS -O1)
endif()

# Sources compiled together, where clang needs as long to begin as to compile a short one: tools/joined.py says which. CMake leaves
# those with options of their own alone, so what is optimised goes by its target.
function(routh_joined target optimisation)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)
    target_compile_options(${target} PRIVATE ${optimisation} -Wno-shadow)
endfunction()
set(ROUTH_LIBRARY_OBJECTS $<TARGET_OBJECTS:routh_objects> $<TARGET_OBJECTS:routh_entry> ${ROUTH_AGAIN_OBJECTS})
if(ROUTH_JOINED)
    find_program(ROUTH_PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH)
    list(JOIN ROUTH_ALL_SOURCES "\n" text)
    file(WRITE ${PROJECT_BINARY_DIR}/joined.txt "${text}\n")
    execute_process(COMMAND ${ROUTH_PYTHON3} ${PROJECT_SOURCE_DIR}/tools/joined.py ${PROJECT_BINARY_DIR}/joined.txt
        OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE ";" "=" groups "${groups}")
    string(REGEX MATCHALL "[^\n]+" groups "${groups}")
    foreach(line IN LISTS groups)
        string(REGEX MATCH "^(.*)=(.*)$" line "${line}")
        set_source_files_properties(${CMAKE_MATCH_1} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_2})
    endforeach()
    routh_joined(routh_objects "")
    routh_joined(routh_varied "")
    if(TARGET routh_wide)
        routh_joined(routh_wide "")
    endif()
    add_library(routh_evaluating OBJECT ${ROUTH_EVALUATING})
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_LIBRARIES)
        get_target_property(value routh_objects ${property})
        set_target_properties(routh_evaluating PROPERTIES ${property} "${value}")
    endforeach()
    routh_joined(routh_evaluating -O1)
    get_target_property(value routh_objects SOURCES)
    list(REMOVE_ITEM value ${ROUTH_EVALUATING})
    set_target_properties(routh_objects PROPERTIES SOURCES "${value}")
    list(APPEND ROUTH_LIBRARY_OBJECTS $<TARGET_OBJECTS:routh_evaluating>)
endif()

add_library(routh_static STATIC ${ROUTH_LIBRARY_OBJECTS})
add_library(routh_shared SHARED ${ROUTH_LIBRARY_OBJECTS})
add_dependencies(routh_static ${ROUTH_AGAIN_CHECKS})
add_dependencies(routh_shared ${ROUTH_AGAIN_CHECKS})
set_target_properties(routh_static PROPERTIES EXPORT_NAME routh_static)
set_target_properties(routh_shared PROPERTIES
    EXPORT_NAME routh
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_OPTIONS "LINKER:--as-needed;LINKER:--exclude-libs,ALL" # what comes as an archive stays inside
)
foreach(library routh_static routh_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME routh LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
target_link_libraries(routh_static
    INTERFACE $<BUILD_INTERFACE:routh_dependencies> $<INSTALL_INTERFACE:${ROUTH_LINK_NAMES}>)
target_link_libraries(routh_shared PRIVATE $<BUILD_INTERFACE:routh_dependencies>)
