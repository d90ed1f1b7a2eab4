# The report's page: viewer/dist/report.html, built by npm where npm is installed, goes into the library as the
# bytes rt_report_page (src/output/report_page.h). Without npm and without a built page the size is 0, and
# `routh report` says how to get it.
set(routh_viewer ${PROJECT_SOURCE_DIR}/viewer)
set(routh_page ${routh_viewer}/dist/report.html)
set(ROUTH_PAGE_SOURCE ${PROJECT_BINARY_DIR}/report_page.c)

find_program(ROUTH_NPM npm)
mark_as_advanced(ROUTH_NPM)

if(ROUTH_VIEWER AND ROUTH_NPM AND EXISTS ${routh_viewer}/package-lock.json)
    file(GLOB_RECURSE routh_viewer_sources CONFIGURE_DEPENDS ${routh_viewer}/src/*)
    file(GLOB routh_viewer_settings CONFIGURE_DEPENDS ${routh_viewer}/*.json ${routh_viewer}/*.mjs ${routh_viewer}/*.html)
    add_custom_command(OUTPUT ${routh_page}
        COMMAND ${CMAKE_COMMAND} -DNPM=${ROUTH_NPM} -DVIEWER=${routh_viewer}
            -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
        DEPENDS ${routh_viewer_sources} ${routh_viewer_settings} cmake/build_page.cmake
        COMMENT "Building the report's page by npm" VERBATIM)
    set(routh_page_input ${routh_page})
elseif(EXISTS ${routh_page})
    set(routh_page_input ${routh_page})
else()
    message(STATUS "The report's page is not built (npm or viewer/ is missing): `routh report` will refuse")
    set(routh_page_input "")
endif()

add_custom_command(OUTPUT ${ROUTH_PAGE_SOURCE}
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${routh_page_input}" -DOUTPUT=${ROUTH_PAGE_SOURCE}
        -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${routh_page_input} cmake/embed.cmake
    COMMENT "Embedding the report's page" VERBATIM)
