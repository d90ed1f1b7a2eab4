/* Libraries with functions that a model file names (routh/plugin.h). */
#define _POSIX_C_SOURCE 200809L
#include "routh/plugin.h"

#include <dlfcn.h>
#include <string.h>

#include "base/text.h"
#include "model/reader.h"

void rt_close_plugins(routh_model *m)
{
    for (int k = 0; k < m->n_functions; k++)
        if (m->functions[k].library) dlclose(m->functions[k].library);
}

/* The function of that name in what the library exports. */
static const routh_function *plugin_find(const routh_plugin *plugin, const char *name)
{
    for (int k = 0; k < plugin->n_functions; k++)
        if (plugin->functions[k].name && !strcmp(plugin->functions[k].name, name))
            return &plugin->functions[k];
    return NULL;
}

static routh_status plugin_take(rt_reader *r, rt_word library, const routh_plugin *plugin,
                                rt_model_function *f)
{
    if (plugin->version != ROUTH_PLUGIN_VERSION)
        return rt_reader_fail(r, library.place,
                              "the library %.200s was compiled for version %d of routh/plugin.h, "
                              "and this is version %d; compile it with the header of this library",
                              library.text, plugin->version, ROUTH_PLUGIN_VERSION);
    const routh_function *found = plugin_find(plugin, f->of.name);
    if (!found || !found->value)
        return rt_reader_fail(r, library.place,
                              "the library %.200s has no function '%.60s' among those in its "
                              "routh_plugin_functions",
                              library.text, f->of.name);
    if (found->n_arguments != f->of.n)
        return rt_reader_fail(r, library.place,
                              "the function has %d argument%s in the library %.200s, and %d here; "
                              "make the two agree",
                              found->n_arguments, found->n_arguments == 1 ? "" : "s", library.text,
                              f->of.n);
    f->of.value = found->value;
    f->of.gradient = found->gradient;
    f->of.hessian = found->hessian;
    f->of.complex_value = found->complex_value;
    f->of.user = found->user;
    for (int k = 0; k < f->of.n && found->scales; k++)
        f->of.scale[k] = found->scales[k] > 0 ? found->scales[k] : 0;
    return ROUTH_OK;
}

/* A name without a folder would be looked for among the system's libraries. */
static const char *plugin_path(rt_reader *r, rt_word library)
{
    const char *path = rt_file_beside(r, library);
    if (!path || strchr(path, '/')) return path;
    char *own = RT_TAKE(&r->scratch, char, strlen(path) + 3);
    if (!own) return NULL;
    memcpy(own, "./", 2);
    memcpy(own + 2, path, strlen(path) + 1);
    return own;
}

/* One file has one handle, however it is named. */
static routh_status plugin_again(rt_reader *r, rt_word library, void *opened,
                                 const rt_model_function *f)
{
    dlclose(opened);
    if (opened == f->library) return ROUTH_OK;
    return rt_reader_fail(r, library.place,
                          "the function comes from the library %.200s here and from another one "
                          "at %.200s:%d; functions have one name in a model and all its parts: "
                          "give one of the two another name",
                          library.text, f->place.file ? f->place.file : "", f->place.line);
}

routh_status rt_load_plugin(rt_reader *r, rt_word library, rt_model_function *f)
{
    if (!r->model->given.plugins)
        return rt_reader_fail(
            r, library.place,
            "the function is in the library %.200s, and a library runs code: it is loaded only "
            "where that is allowed, by --allow-plugins, in C by routh_model_options.allow_plugins, "
            "in Python by allow_plugins=True; allow it for files that you trust",
            library.text);
    const char *path = plugin_path(r, library);
    if (!path) return rt_fail_memory(r->error);
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        const char *why = dlerror();
        return rt_reader_fail(r, library.place, "the library cannot be loaded: %.600s",
                              why ? why : path);
    }
    if (f->library) return plugin_again(r, library, opened, f);
    f->library = opened;
    const routh_plugin *plugin = dlsym(f->library, "routh_plugin_functions");
    if (plugin) return plugin_take(r, library, plugin, f);
    return rt_reader_fail(r, library.place,
                          "the library %.200s is no plug-in: it exports no "
                          "routh_plugin_functions (routh/plugin.h)",
                          library.text);
}
