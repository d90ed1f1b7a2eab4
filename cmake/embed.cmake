# cmake -DINPUT=report.html -DOUTPUT=report_page.c -P embed.cmake
# Writes the bytes of INPUT as a C array; an empty INPUT gives an array of size 0.
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
set(bytes "")
set(size 0)
if(INPUT)
    file(SIZE ${INPUT} size)
    routh_bytes(${INPUT} bytes)
endif()
file(WRITE ${OUTPUT}
    "/* Made by cmake/embed.cmake from viewer/dist/report.html. */\n"
    "#include \"output/report_page.h\"\n\n"
    "const unsigned char rt_report_page[] = {\n${bytes}\n0};\n"
    "const size_t rt_report_page_size = ${size};\n")
