/* The classes of controllers together: one section of model files. */
#include "model/controller_class.h"

#define RT_CONTROLLER_CLASS(name) &rt_controller_class_##name.kind,
static const rt_kind *const controller_kinds[RT_CONTROLLER_CLASSES] = {
#include "model/controllers/list.h"
};
#undef RT_CONTROLLER_CLASS

const rt_section rt_controller_section = {
    .name = "controllers",
    .element = "controller",
    .list = controller_kinds,
    .n_kinds = RT_CONTROLLER_CLASSES,
    .doc = "Differential equations, filters and controllers, each under its name. Any expression "
           "may use the states and outputs of any of them. A state rests at the operating point, "
           "its rate zero, unless `initial` is given.",
    .signals = true,
};

/* The kind is the class's first member. */
const rt_controller_class *rt_controller_class_of(const rt_kind *kind)
{
    return (const rt_controller_class *)(const void *)kind;
}

const rt_controller_class *rt_controller_class_at(int k)
{
    return rt_controller_class_of(controller_kinds[k]);
}
