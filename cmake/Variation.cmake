# What evaluates the equations, compiled once more with numbers that carry a first derivative (src/base/scalar.h).
#
# One rule says what: a source that mentions rt_scalar, in its code or in its opening comment, is compiled twice. The
# second time its functions and tables have names of their own (build/varied/names.h, made by cmake/varied_names.cmake),
# and products and quotients of complex numbers are as written. A source with `#error ... for variations only` is
# compiled the second time only. cmake/varied_check.cmake stops the build where the second set calls a function over
# rt_scalar that is there for doubles alone.
set(ROUTH_VARIED_SOURCES)
set(ROUTH_VARIATION_SOURCES)
foreach(source IN LISTS ROUTH_SOURCES)
    file(STRINGS ${source} only REGEX "^#error .*for variations only" LIMIT_COUNT 1)
    file(STRINGS ${source} mentioned REGEX "rt_scalar" LIMIT_COUNT 1)
    if(only)
        list(APPEND ROUTH_VARIATION_SOURCES ${source})
    elseif(mentioned)
        list(APPEND ROUTH_VARIED_SOURCES ${source})
    endif()
endforeach()
set(ROUTH_ALL_SOURCES ${ROUTH_SOURCES})
list(REMOVE_ITEM ROUTH_SOURCES ${ROUTH_VARIATION_SOURCES})

set(ROUTH_VARIED_FOLDER ${PROJECT_BINARY_DIR}/varied)
set(ROUTH_VARIED_LIST ${ROUTH_VARIED_FOLDER}/sources.txt)
list(JOIN ROUTH_VARIED_SOURCES "\n" text)
file(WRITE ${ROUTH_VARIED_LIST}.now "${text}\n")
file(COPY_FILE ${ROUTH_VARIED_LIST}.now ${ROUTH_VARIED_LIST} ONLY_IF_DIFFERENT)
list(JOIN ROUTH_ALL_SOURCES "\n" text)
file(CONFIGURE OUTPUT ${ROUTH_VARIED_FOLDER}/all.txt CONTENT "@text@\n" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ROUTH_VARIED_LIST})

add_custom_command(
    OUTPUT ${ROUTH_VARIED_FOLDER}/names.done
    BYPRODUCTS ${ROUTH_VARIED_FOLDER}/names.h
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${ROUTH_VARIED_FOLDER} -P ${PROJECT_SOURCE_DIR}/cmake/varied_names.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${ROUTH_VARIED_FOLDER}/names.done
    DEPENDS ${ROUTH_ALL_SOURCES} ${ROUTH_VARIED_LIST} ${PROJECT_SOURCE_DIR}/cmake/varied_names.cmake
    COMMENT "Naming what is compiled twice" VERBATIM
)
add_custom_target(routh_varied_names DEPENDS ${ROUTH_VARIED_FOLDER}/names.done)

add_library(routh_varied OBJECT ${ROUTH_VARIED_SOURCES} ${ROUTH_VARIATION_SOURCES})
add_dependencies(routh_varied routh_varied_names)
target_include_directories(routh_varied PRIVATE include src)
target_compile_definitions(routh_varied PRIVATE RT_VARIATION)
target_compile_options(routh_varied PRIVATE -include ${ROUTH_VARIED_FOLDER}/names.h
    $<$<C_COMPILER_ID:GNU>:-fcx-limited-range>)
target_link_libraries(routh_varied PRIVATE routh_flags routh_dependencies)

file(GLOB ROUTH_ROOM_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.h)
file(GENERATE OUTPUT ${ROUTH_VARIED_FOLDER}/objects.txt
    CONTENT "$<JOIN:$<TARGET_OBJECTS:routh_varied>,\n>\n")
add_custom_command(
    OUTPUT ${ROUTH_VARIED_FOLDER}/checked
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFOLDER=${ROUTH_VARIED_FOLDER} -DNM=${CMAKE_NM}
        -P ${PROJECT_SOURCE_DIR}/cmake/varied_check.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${ROUTH_VARIED_FOLDER}/checked
    DEPENDS $<TARGET_OBJECTS:routh_varied> ${ROUTH_ALL_SOURCES} ${ROUTH_ROOM_HEADERS}
        ${PROJECT_SOURCE_DIR}/cmake/varied_check.cmake
    COMMENT "Checking what is compiled twice" VERBATIM
)
add_custom_target(routh_varied_checked DEPENDS ${ROUTH_VARIED_FOLDER}/checked)
