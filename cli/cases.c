#define _POSIX_C_SOURCE 200809L

#include "cases.h"

#include <stdio.h>
#include <stdlib.h>

#include "say.h"

typedef struct plan {
    case_step step;
    void *context;
} plan;

static void run_case(void *context, int k, routh_case *result)
{
    const plan *p = context;
    FILE *said = open_memstream(&result->said.bytes, &result->said.length);
    say_to(said); /* without memory for it: at once */
    result->status = p->step(p->context, k, &result->out);
    say_to(NULL);
    if (said) fclose(said);
}

int cases_run(int n, case_step step, void *context, bool distributed, routh_case *cases)
{
    plan p = {step, context};
    if (distributed) {
        const int status = cluster_cases(n, cases, run_case, &p);
        if (status) return status;
    } else
        for (int k = 0; k < n; k++) run_case(&p, k, &cases[k]);
    for (int k = 0; k < n; k++)
        if (cases[k].said.bytes) fputs(cases[k].said.bytes, stderr);
    return EXIT_DONE;
}

void cases_free(int n, routh_case *cases)
{
    for (int k = 0; cases && k < n; k++) {
        routh_text_free(&cases[k].out);
        routh_text_free(&cases[k].said);
    }
    free(cases);
}
