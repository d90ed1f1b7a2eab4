# The problems of `routh benchmark`: src/benchmark/problems.yaml goes into the library as text, with the files of examples/
# that it names (src/benchmark/entries.h).
set(routh_benchmark_problems ${PROJECT_SOURCE_DIR}/src/benchmark/problems.yaml)
set(ROUTH_BENCHMARK_SOURCE ${PROJECT_BINARY_DIR}/benchmark_sources.c)
file(GLOB routh_benchmark_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.yaml)

add_custom_command(OUTPUT ${ROUTH_BENCHMARK_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DPROBLEMS=${routh_benchmark_problems} -DEXAMPLES=${PROJECT_SOURCE_DIR}/examples
        -DOUTPUT=${ROUTH_BENCHMARK_SOURCE} -P ${PROJECT_SOURCE_DIR}/cmake/embed_benchmark.cmake
    DEPENDS ${routh_benchmark_problems} ${routh_benchmark_examples} cmake/embed_benchmark.cmake cmake/bytes.cmake
    COMMENT "Embedding the benchmark problems" VERBATIM)
