# cmake -DNPM=npm -DVIEWER=viewer -P build_page.cmake
# Builds viewer/dist/report.html. Builds that run side by side take turns, as they share viewer/.
file(LOCK ${VIEWER} DIRECTORY GUARD PROCESS TIMEOUT 600)

function(run what)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE status
        OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(status)
        # CMake shows lines that are indented as they are; ./dev shows what stands first
        string(REGEX REPLACE "\n[\n ]*" "\n  " text "\n${text}")
        message(FATAL_ERROR "${what} failed in viewer/ (status ${status}). "
            "To build without the report's page, give -DROUTH_VIEWER=OFF to ./dev build or cmake. It said:${text}")
    endif()
endfunction()

# Only what the bundle is made with and of. npm writes node_modules/.package-lock.json last.
set(installed ${VIEWER}/node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR ${VIEWER}/package-lock.json IS_NEWER_THAN ${installed})
    run("npm ci" ${NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier
        --loglevel=error)
endif()
run("npm run build" ${NPM} run build)
if(NOT EXISTS ${VIEWER}/dist/report.html)
    message(FATAL_ERROR "npm run build made no viewer/dist/report.html")
endif()
file(TOUCH ${VIEWER}/dist/report.html)
