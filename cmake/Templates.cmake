# The templates of `routh template`: every file src/model/templates/<name>.template goes into the library as
# rt_template_sources (src/model/template.h), in the order of src/model/templates/list.txt, which names each once.
set(routh_templates ${PROJECT_SOURCE_DIR}/src/model/templates)
set(ROUTH_TEMPLATE_SOURCE ${PROJECT_BINARY_DIR}/template_sources.c)

file(GLOB routh_template_files CONFIGURE_DEPENDS ${routh_templates}/*.template)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${routh_templates}/list.txt)
file(STRINGS ${routh_templates}/list.txt routh_template_names REGEX "^[^#]")
foreach(file ${routh_template_files})
    cmake_path(GET file STEM LAST_ONLY name)
    if(NOT name IN_LIST routh_template_names)
        message(FATAL_ERROR "${file} is not in src/model/templates/list.txt; add the line ${name}")
    endif()
endforeach()
foreach(name ${routh_template_names})
    if(NOT EXISTS ${routh_templates}/${name}.template)
        message(FATAL_ERROR "src/model/templates/list.txt has ${name}, but ${name}.template is missing there")
    endif()
endforeach()

add_custom_command(OUTPUT ${ROUTH_TEMPLATE_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${routh_templates} -DOUTPUT=${ROUTH_TEMPLATE_SOURCE}
        -P ${PROJECT_SOURCE_DIR}/cmake/embed_templates.cmake
    DEPENDS ${routh_template_files} ${routh_templates}/list.txt cmake/embed_templates.cmake cmake/bytes.cmake
    COMMENT "Embedding the templates" VERBATIM)
