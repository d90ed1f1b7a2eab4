# What evaluates the equations, compiled again with other numbers (src/base/scalar.h): with numbers that carry a first
# derivative (build/varied), and with numbers of 113 bits (build/wide).
#
# One rule says what: a source that mentions rt_scalar, in its code or in its opening comment, is compiled again. Its
# functions and tables then have names of their own (names.h in the folder, made by cmake/varied_names.cmake). A source
# with `#error ... for variations only`, or `... for extended precision only`, is compiled in that set alone.
# cmake/varied_check.cmake stops the build where such a set calls a function over rt_scalar that is there for doubles
# alone.
set(ROUTH_VARIED_SOURCES)
set(ROUTH_VARIATION_SOURCES)
set(ROUTH_WIDE_SOURCES)
foreach(source IN LISTS ROUTH_SOURCES)
    file(STRINGS ${source} only REGEX "^#error .*for (variations|extended precision) only" LIMIT_COUNT 1)
    file(STRINGS ${source} mentioned REGEX "rt_scalar" LIMIT_COUNT 1)
    if(only MATCHES "variations")
        list(APPEND ROUTH_VARIATION_SOURCES ${source})
    elseif(only)
        list(APPEND ROUTH_WIDE_SOURCES ${source})
    elseif(mentioned)
        list(APPEND ROUTH_VARIED_SOURCES ${source})
    endif()
endforeach()
set(ROUTH_ALL_SOURCES ${ROUTH_SOURCES})
list(REMOVE_ITEM ROUTH_SOURCES ${ROUTH_VARIATION_SOURCES} ${ROUTH_WIDE_SOURCES})

# Are there numbers of 113 bits, and their functions?
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES m)
check_c_source_compiles("
#include <float.h>
#include <math.h>
#if LDBL_MANT_DIG >= 113
int main(int n, char **v) { (void)v; return (int)atan2l(n, n); }
#else
extern __float128 atan2f128(__float128, __float128);
int main(int n, char **v) { (void)v; return (int)atan2f128(n, n); }
#endif
" ROUTH_HAS_WIDE)
unset(CMAKE_REQUIRED_LIBRARIES)

file(GLOB ROUTH_ROOM_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.h)

# A set of objects routh_SET: prefix of its names, definition that says which numbers, sources of its own.
function(routh_compile_again set prefix definition)
    set(folder ${PROJECT_BINARY_DIR}/${set})
    set(list ${folder}/sources.txt)
    list(JOIN ROUTH_VARIED_SOURCES "\n" text)
    file(WRITE ${list}.now "${text}\n")
    file(COPY_FILE ${list}.now ${list} ONLY_IF_DIFFERENT)
    list(JOIN ROUTH_ALL_SOURCES "\n" text)
    file(CONFIGURE OUTPUT ${folder}/all.txt CONTENT "@text@\n" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})

    add_custom_command(
        OUTPUT ${folder}/names.done
        BYPRODUCTS ${folder}/names.h
        COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPREFIX=${prefix}
            -P ${PROJECT_SOURCE_DIR}/cmake/varied_names.cmake
        COMMAND ${CMAKE_COMMAND} -E touch ${folder}/names.done
        DEPENDS ${ROUTH_ALL_SOURCES} ${list} ${PROJECT_SOURCE_DIR}/cmake/varied_names.cmake
        COMMENT "Naming what is compiled again (${set})" VERBATIM
    )
    add_custom_target(routh_${set}_names DEPENDS ${folder}/names.done)

    add_library(routh_${set} OBJECT ${ROUTH_VARIED_SOURCES} ${ARGN})
    add_dependencies(routh_${set} routh_${set}_names)
    target_include_directories(routh_${set} PRIVATE include src)
    target_compile_definitions(routh_${set} PRIVATE ${definition})
    target_compile_options(routh_${set} PRIVATE -include ${folder}/names.h)
    target_link_libraries(routh_${set} PRIVATE routh_flags routh_dependencies)

    file(GENERATE OUTPUT ${folder}/objects.txt
        CONTENT "$<JOIN:$<TARGET_OBJECTS:routh_${set}>,\n>\n")
    add_custom_command(
        OUTPUT ${folder}/checked
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFOLDER=${folder} -DPREFIX=${prefix}
            -DNM=${CMAKE_NM} -P ${PROJECT_SOURCE_DIR}/cmake/varied_check.cmake
        COMMAND ${CMAKE_COMMAND} -E touch ${folder}/checked
        DEPENDS $<TARGET_OBJECTS:routh_${set}> ${ROUTH_ALL_SOURCES} ${ROUTH_ROOM_HEADERS}
            ${PROJECT_SOURCE_DIR}/cmake/varied_check.cmake
        COMMENT "Checking what is compiled again (${set})" VERBATIM
    )
    add_custom_target(routh_${set}_checked DEPENDS ${folder}/checked)
endfunction()

routh_compile_again(varied rv_ RT_VARIATION ${ROUTH_VARIATION_SOURCES})
target_compile_options(routh_varied PRIVATE $<$<C_COMPILER_ID:GNU>:-fcx-limited-range>)
set(ROUTH_AGAIN_OBJECTS $<TARGET_OBJECTS:routh_varied>)
set(ROUTH_AGAIN_CHECKS routh_varied_checked)
if(ROUTH_HAS_WIDE)
    routh_compile_again(wide rw_ RT_WIDE ${ROUTH_WIDE_SOURCES})
    list(APPEND ROUTH_AGAIN_OBJECTS $<TARGET_OBJECTS:routh_wide>)
    list(APPEND ROUTH_AGAIN_CHECKS routh_wide_checked)
endif()
