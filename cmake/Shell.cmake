# The manual page and the completions of shells: the program writes them from its own tables of commands and options.
set(routh_shell_folder ${PROJECT_BINARY_DIR}/shell)
file(MAKE_DIRECTORY ${routh_shell_folder})
set(routh_shell_files "")

# routh_shell_file(<name> <folder below share/> <word>...): what `routh <word>...` prints
function(routh_shell_file name destination)
    set(file ${routh_shell_folder}/${name})
    add_custom_command(OUTPUT ${file} COMMAND routh ${ARGN} --output ${file} DEPENDS routh
        COMMENT "Writing ${name}" VERBATIM)
    set(routh_shell_files ${routh_shell_files} ${file} PARENT_SCOPE)
    if(ROUTH_INSTALL)
        install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${destination})
    endif()
    if(SKBUILD)
        install(FILES ${file} DESTINATION ${SKBUILD_DATA_DIR}/share/${destination} COMPONENT python EXCLUDE_FROM_ALL)
    endif()
endfunction()

routh_shell_file(routh.1 man/man1 man)
routh_shell_file(routh bash-completion/completions completion bash)
routh_shell_file(_routh zsh/site-functions completion zsh)
routh_shell_file(routh.fish fish/vendor_completions.d completion fish)
add_custom_target(routh_shell ALL DEPENDS ${routh_shell_files})
