# The templates of `routh template`: every file src/model/templates/<name>.template goes into the library as
# rt_template_sources (src/model/template.h), in the order of src/model/templates/list.txt, which names each once.
include(cmake/template_list.cmake)
set(routh_templates ${PROJECT_SOURCE_DIR}/src/model/templates)
set(ROUTH_TEMPLATE_SOURCE ${PROJECT_BINARY_DIR}/template_sources.c)

file(GLOB routh_template_files CONFIGURE_DEPENDS ${routh_templates}/*.template)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${routh_templates}/list.txt)
routh_template_list(${routh_templates} routh_template_names) # here, so that a new file is missed at once

add_custom_command(OUTPUT ${ROUTH_TEMPLATE_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${routh_templates} -DOUTPUT=${ROUTH_TEMPLATE_SOURCE}
        -P ${PROJECT_SOURCE_DIR}/cmake/embed_templates.cmake
    DEPENDS ${routh_template_files} ${routh_templates}/list.txt
        cmake/embed_templates.cmake cmake/template_list.cmake cmake/bytes.cmake
    COMMENT "Embedding the templates" VERBATIM)
