#include "support/signal_samples.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"

#define STATE_OF_MEASURES "differential"
#define FIELDS_OF_MEASURES "rate: \"u + v - p*x\""

bool sample_is_rough_at_rest(const rt_measure_class *measure)
{
    return measure->rough_at_zero && measure->arguments[0] == RT_ARGUMENT_I &&
           measure->level > RT_ALLOW_POSITIONS;
}

void sample_write_signals(const char *controller_type, const char *controller_fields,
                          const char *variables, const char *outputs, growing_text *text)
{
    text_add(text,
             "inputs: {u: 0}\n"
             "variables: {v: \"0.5*DX(i, j, k) + 0.3*WZ(i, k, j)\"%s}\n"
             "controllers: {x: {type: %s, %s}}\n"
             "outputs: {%s}\n",
             variables, controller_type, controller_fields, outputs);
}

/* Away from equilibrium another choice makes another linear model. */
static const char states[] =
    "[a.x, a.y, a.z, a.rx, a.ry, a.rz, b.x, b.y, b.z, b.rx, b.ry, b.rz, c.rz]";

/* What is sampled acts by a variable: not every method has forces that joints' forces act on. */
static void write(const char *type, const char *fields, const char *sampled, const char *factor,
                  const sample_mechanism *as, growing_text *text)
{
    growing_text loads = {0}, variables = {0};
    const double middle[3] = {-0.4, 0.5, -0.1}, along[3] = {0.3, -0.2, 1};
    double at[3], axis[3];
    rt_m3_mul_v(at, as->turn, middle);
    rt_v3_add(at, at, as->shift);
    rt_m3_mul_v(axis, as->turn, along);
    text_add(&variables, ", y_: \"%s\"", sampled);
    text_add(&loads,
             "  f: {type: bushing, between: [j, k], " SAMPLE_BUSHING "}\n"
             "  back: {type: force, on: far, reaction_on: j, resolved_in: i, "
             "components: [\"-0.05*%s*y_\", \"u\", 0.3]}\n",
             factor);
    sample_write_bodies("p: 0.7, q: 1.3, s: 0", as, text);
    text_add(text,
             "  l: {body: c, position: [-0.2, 0.1, 0.3]}\n"
             "joints: {h: {type: revolute, between: [a, c], at: [%.17g, %.17g, %.17g], "
             "axis: [%.17g, %.17g, %.17g]}}\n",
             at[0], at[1], at[2], axis[0], axis[1], axis[2]);
    sample_write_signals(type, fields, variables.bytes, "y: y_", text);
    sample_write_holds(loads.bytes, states, !as->moving, as, text);
    free(variables.bytes);
    free(loads.bytes);
}

void sample_write_measure(const rt_measure_class *measure, const sample_mechanism *as,
                          growing_text *text)
{
    write(STATE_OF_MEASURES, FIELDS_OF_MEASURES, measure->sample, "p", as, text);
}

void sample_write_controller(const rt_controller_class *controller, const sample_mechanism *as,
                             growing_text *text)
{
    write(controller->kind.name, controller->sample, controller->output, "1", as, text);
}
