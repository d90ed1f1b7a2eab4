# Install rules: headers, both libraries, the program, routh.pc and find_package(Routh).
include(CMakePackageConfigHelpers)

set(routh_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Routh)
install(TARGETS routh_static routh_shared EXPORT RouthTargets)
if(TARGET routh)
    install(TARGETS routh)
endif()
install(FILES ${ROUTH_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/routh)
install(EXPORT RouthTargets NAMESPACE Routh:: DESTINATION ${routh_cmake_dir})

configure_package_config_file(cmake/RouthConfig.cmake.in ${PROJECT_BINARY_DIR}/RouthConfig.cmake
    INSTALL_DESTINATION ${routh_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RouthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RouthConfig.cmake ${PROJECT_BINARY_DIR}/RouthConfigVersion.cmake
    DESTINATION ${routh_cmake_dir})

set(routh_private_libraries "")
foreach(name ${ROUTH_LINK_NAMES})
    if(name STREQUAL "OpenMP::OpenMP_C")
        string(APPEND routh_private_libraries " ${OpenMP_C_FLAGS}")
    elseif(IS_ABSOLUTE "${name}")
        string(APPEND routh_private_libraries " ${name}")
    else()
        string(APPEND routh_private_libraries " -l${name}")
    endif()
endforeach()
# The prefix is told from where routh.pc lies, so an installed tree can be moved.
file(RELATIVE_PATH routh_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" routh_up "${routh_up}")
configure_file(cmake/routh.pc.in ${PROJECT_BINARY_DIR}/routh.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/routh.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
