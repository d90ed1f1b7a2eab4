# The extension module routh._routh of the Python package (python/, made by `pip install .`): cffi writes its C
# from the headers in include/, and the whole library is in it. One module serves all of CPython from 3.9 on.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)

set(routh_binding ${PROJECT_BINARY_DIR}/_routh.c)
add_custom_command(OUTPUT ${routh_binding}
    COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/binding.py
        --compiler ${CMAKE_C_COMPILER} --include ${PROJECT_SOURCE_DIR}/include --output ${routh_binding}
    DEPENDS python/binding.py ${ROUTH_HEADERS}
    COMMENT "Writing the binding for Python" VERBATIM)

add_library(_routh MODULE EXCLUDE_FROM_ALL ${routh_binding})
if(ROUTH_HDF5_ARCHIVE) # archives that are made for programs, in what is loaded: python/streams.c
    target_sources(_routh PRIVATE python/streams.c)
    target_link_options(_routh PRIVATE LINKER:--wrap=stderr,--wrap=stdout)
endif()
target_include_directories(_routh PRIVATE include)
target_link_libraries(_routh PRIVATE routh_static Python::Module)
target_link_options(_routh PRIVATE LINKER:--as-needed LINKER:--exclude-libs,ALL)
set_target_properties(_routh PROPERTIES PREFIX "" SUFFIX .abi3.so)
install(TARGETS _routh LIBRARY DESTINATION routh COMPONENT python EXCLUDE_FROM_ALL)
# The command `routh` is the program itself, beside Python's own commands.
if(SKBUILD)
    install(TARGETS routh RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python EXCLUDE_FROM_ALL)
endif()
