/* The modes of a quarter car, from a model that the program holds as text.
 *
 *     cc quarter-car.c $(pkg-config --cflags --libs routh) -o quarter-car
 */
#include <routh/routh.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "parameters: {k: 20e3, c: 1500}\n"
    "bodies:\n"
    "  body:  {mass: 300, inertia: [1, 1, 1], position: [0, 0, 0.8]}\n"
    "  wheel: {mass: 40, inertia: [1, 1, 1], position: [0, 0, 0.3]}\n"
    "joints:\n"
    "  strut: {type: translational, between: [body, ground], at: [0, 0, 0.8], axis: z}\n"
    "  guide: {type: translational, between: [wheel, ground], at: [0, 0, 0.3], axis: z}\n"
    "loads:\n"
    "  spring: {type: spring, between: [body, wheel], stiffness: k, damping: c, free_length: 0.5}\n"
    "  tyre: {type: spring, between: [wheel, ground], stiffness: 180e3, free_length: 0.3}\n";

int main(void)
{
    routh_error error;
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_status status =
        routh_model_parse(&model, text, strlen(text), "quarter car", NULL, 0, &error);
    if (!status) status = routh_mechanism_compile(&mechanism, model, NULL, &error);
    if (!status) status = routh_operating_point_find(&point, mechanism, NULL, &error);
    if (!status) status = routh_linear_compute(&linear, mechanism, point, NULL, &error);
    if (!status) status = routh_modes_compute(&modes, linear, &error);
    for (int k = 0; modes && k < modes->n; k++)
        if (modes->modes[k].eigenvalue[1] >= 0)
            printf("%.12g Hz, damping ratio %.12g\n", modes->modes[k].undamped_frequency_hz,
                   modes->modes[k].damping_ratio);
    if (status) {
        char message[1600];
        routh_error_text(&error, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return status != ROUTH_OK;
}
