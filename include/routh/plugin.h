/* For the authors of plug-ins: libraries with functions that model files name.
 *
 *     functions:
 *       tyre_force: {library: ./libmytyre.so, arguments: 2}
 *
 * The library has one object of the name routh_plugin_functions,
 *
 *     static const routh_function functions[] = {{.name = "tyre_force", .n_arguments = 2, ...}};
 *     const routh_plugin routh_plugin_functions = {ROUTH_PLUGIN_VERSION, 1, functions};
 *
 * and needs nothing of the library Routh to be linked. It is loaded where the caller allows it
 * (routh_model_options.allow_plugins, --allow-plugins), once for each model, and is there as long
 * as the model. */
#ifndef ROUTH_PLUGIN_H
#define ROUTH_PLUGIN_H

#include "routh/function.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the structures below: a library that was compiled with another one is refused. */
#define ROUTH_PLUGIN_VERSION 1

typedef struct routh_plugin {
    int version;     /* ROUTH_PLUGIN_VERSION */
    int n_functions; /* length of `functions` */
    const routh_function *functions;
} routh_plugin;

/* What a plug-in exports. */
ROUTH_API extern const routh_plugin routh_plugin_functions;

#ifdef __cplusplus
}
#endif
#endif
