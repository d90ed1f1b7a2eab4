# routh_bytes(<file> <variable>): the bytes of the file as the text of a C array, "0x23,0x20,...".
function(routh_bytes file variable)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    set(${variable} "${bytes}" PARENT_SCOPE)
endfunction()
