# cmake -DFOLDER=src/model/templates -DOUTPUT=template_sources.c -P embed_templates.cmake
# Writes the templates that FOLDER/list.txt names as C: name, sentence (from the line "% about: ...") and text.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/template_list.cmake)
routh_template_list(${FOLDER} names)
set(arrays "")
set(rows "")
set(count 0)
foreach(name ${names})
    file(READ ${FOLDER}/${name}.template text)
    string(REGEX MATCH "(^|\n)% about: +([^\n]*)" line "${text}")
    set(about "${CMAKE_MATCH_2}")
    if(NOT name MATCHES "^[a-z0-9-]+$" OR NOT about OR about MATCHES "[\"\\]")
        message(FATAL_ERROR "${FOLDER}/${name}.template needs a name of a-z, 0-9 and -, and a line "
            "'% about: ' with one sentence without quotes")
    endif()
    routh_bytes(${FOLDER}/${name}.template bytes)
    string(APPEND arrays "static const unsigned char text_${count}[] = {\n${bytes}\n0};\n")
    string(APPEND rows "    {\"${name}\", \"${about}\", (const char *)text_${count}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}
    "/* Made by cmake/embed_templates.cmake from src/model/templates. */\n"
    "#include \"model/template.h\"\n\n"
    "${arrays}\nconst rt_template_source rt_template_sources[] = {\n${rows}    {NULL, NULL, NULL},\n};\n"
    "const size_t rt_template_count = ${count};\n")
