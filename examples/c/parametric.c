/* Eigenvalues of a model file while one of its parameters changes: parametric MODEL PARAMETER
 * VALUE... The model is read once; sweep.c reads it for each value, with the same eigenvalues. */
#include <routh/routh.h>
#include <stdio.h>
#include <stdlib.h>

static routh_status print_modes(routh_parametric *p, const char *value, routh_error *error)
{
    const routh_modes *modes;
    routh_status status = routh_parametric_set(p, 0, strtod(value, NULL), error);
    if (!status) status = routh_parametric_modes(p, &modes, error);
    for (int k = 0; !status && k < modes->n; k++)
        printf("%s %.12g %.12g\n", value, modes->modes[k].eigenvalue[0],
               modes->modes[k].eigenvalue[1]);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: parametric MODEL PARAMETER VALUE...\n");
        return 2;
    }
    const char *const names[] = {argv[2], NULL};
    routh_model *model = NULL;
    routh_parametric *p = NULL;
    routh_error error;
    routh_status status = routh_model_read(&model, argv[1], NULL, 0, &error);
    if (!status) status = routh_parametric_create(&p, model, names, NULL, NULL, NULL, &error);
    for (int k = 3; k < argc && !status; k++) status = print_modes(p, argv[k], &error);
    if (status) {
        char message[1600];
        routh_error_text(&error, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
    routh_parametric_free(p);
    routh_model_free(model);
    return status != ROUTH_OK;
}
