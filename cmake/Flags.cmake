# Flags of everything we compile, as one interface library, so that nothing leaks to who links with Routh.
add_library(routh_flags INTERFACE)
target_compile_options(routh_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wstrict-prototypes -Wmissing-prototypes -Wvla
    $<$<NOT:$<BOOL:${ROUTH_OPENMP}>>:-Wno-unknown-pragmas>
)

if(ROUTH_SANITIZE)
    # Without no-sanitize-recover undefined behaviour is printed and the test passes all the same.
    target_compile_options(routh_flags INTERFACE
        -fsanitize=${ROUTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # false under gcc's sanitizers, which hide from it what values can be
        "$<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-format-truncation>")
    if(ROUTH_SANITIZE_NOT)
        target_compile_options(routh_flags INTERFACE -fno-sanitize=${ROUTH_SANITIZE_NOT})
    endif()
    target_link_options(routh_flags INTERFACE -fsanitize=${ROUTH_SANITIZE})
    add_link_options(-fsanitize=${ROUTH_SANITIZE}) # the shared library too
endif()

if(ROUTH_COVERAGE)
    target_compile_options(routh_flags INTERFACE --coverage)
    add_link_options(--coverage)
endif()

if(ROUTH_FUZZ)
    target_compile_options(routh_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
