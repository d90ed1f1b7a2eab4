# What --distributed stands on: SLEPc, PETSc with MUMPS, and MPI, linked to the program alone. The library knows
# nothing of them. Looked for only where -DROUTH_DISTRIBUTED=ON asks for it.
find_package(PkgConfig QUIET)
set(why "")
if(NOT PKG_CONFIG_FOUND)
    set(why "pkg-config is missing")
else()
    pkg_check_modules(ROUTH_SLEPC QUIET IMPORTED_TARGET SLEPc PETSc mpi-c)
    if(NOT ROUTH_SLEPC_FOUND)
        set(why "pkg-config finds no SLEPc, PETSc or mpi-c")
    endif()
endif()
find_library(ROUTH_MUMPS dmumps) # PETSc's packages bring its headers, but not in their flags
find_path(ROUTH_MUMPS_INCLUDE dmumps_c.h)
mark_as_advanced(ROUTH_MUMPS ROUTH_MUMPS_INCLUDE)
if(NOT why AND NOT (ROUTH_MUMPS AND ROUTH_MUMPS_INCLUDE))
    set(why "MUMPS (libdmumps, dmumps_c.h) is missing")
endif()
if(why)
    message(FATAL_ERROR "The distributed solver was asked for, but ${why}. On Debian install it with\n"
        "  apt-get install pkg-config libslepc-real3.18-dev openmpi-bin\n"
        "or build without it: -DROUTH_DISTRIBUTED=OFF.")
endif()

file(GLOB ROUTH_DISTRIBUTED_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/distributed/*.c)
add_library(routh_distributed STATIC ${ROUTH_DISTRIBUTED_SOURCES})
target_include_directories(routh_distributed PRIVATE ${PROJECT_SOURCE_DIR}/include PUBLIC ${PROJECT_SOURCE_DIR})
get_target_property(directories PkgConfig::ROUTH_SLEPC INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(routh_distributed SYSTEM PRIVATE ${directories})
target_link_libraries(routh_distributed PRIVATE routh_flags routh_static PUBLIC PkgConfig::ROUTH_SLEPC PRIVATE ${ROUTH_MUMPS})
