/* Eigenvalues of a model file while one of its parameters changes: sweep MODEL PARAMETER VALUE...
 * The model is read once for each value; values go in as text, so that the locale does not matter.
 */
#include <routh/routh.h>
#include <stdio.h>

static routh_status one(const char *path, const routh_setting *setting, routh_error *error)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_status status = routh_model_read(&model, path, setting, 1, error);
    if (!status) status = routh_mechanism_compile(&mechanism, model, NULL, error);
    if (!status) status = routh_operating_point_find(&point, mechanism, NULL, error);
    if (!status) status = routh_linear_compute(&linear, mechanism, point, NULL, error);
    if (!status) status = routh_modes_compute(&modes, linear, error);
    for (int k = 0; modes && k < modes->n; k++)
        printf("%s %.12g %.12g\n", setting->value, modes->modes[k].eigenvalue[0],
               modes->modes[k].eigenvalue[1]);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: sweep MODEL PARAMETER VALUE...\n");
        return 2;
    }
    for (int k = 3; k < argc; k++) {
        const routh_setting setting = {argv[2], argv[k]};
        routh_error error;
        if (one(argv[1], &setting, &error)) {
            char message[1600];
            routh_error_text(&error, message, sizeof message);
            fprintf(stderr, "%s = %s: %s\n", argv[2], argv[k], message);
            return 1;
        }
    }
    return 0;
}
