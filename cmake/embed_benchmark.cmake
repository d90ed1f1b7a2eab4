# cmake -DPROBLEMS=problems.yaml -DEXAMPLES=examples -DOUTPUT=benchmark_sources.c -P embed_benchmark.cmake
# Writes the problems as C, and each example that a line "example: NAME" of theirs names. Stops where it is missing.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
file(STRINGS ${PROBLEMS} lines REGEX "^ *example: +[a-z0-9-]+ *$")
set(names "")
foreach(line ${lines})
    string(REGEX REPLACE "^ *example: +([a-z0-9-]+) *$" "\\1" name "${line}")
    list(APPEND names ${name})
endforeach()
list(REMOVE_DUPLICATES names)
set(arrays "")
set(rows "")
set(count 0)
foreach(name ${names})
    if(NOT EXISTS ${EXAMPLES}/${name}.yaml)
        message(FATAL_ERROR "${PROBLEMS} names the example ${name}, but ${EXAMPLES}/${name}.yaml is missing")
    endif()
    routh_bytes(${EXAMPLES}/${name}.yaml bytes)
    string(APPEND arrays "static const unsigned char example_${count}[] = {\n${bytes}\n0};\n")
    string(APPEND rows "    {\"${name}\", (const char *)example_${count}},\n")
    math(EXPR count "${count} + 1")
endforeach()
routh_bytes(${PROBLEMS} bytes)
file(WRITE ${OUTPUT}
    "/* Made by cmake/embed_benchmark.cmake from src/benchmark/problems.yaml. */\n"
    "#include \"benchmark/entries.h\"\n\n"
    "const unsigned char rt_benchmark_problems[] = {\n${bytes}\n0};\n"
    "const size_t rt_benchmark_problems_size = sizeof rt_benchmark_problems - 1;\n"
    "${arrays}\nconst rt_benchmark_example rt_benchmark_examples[] = {\n${rows}    {NULL, NULL},\n};\n")
