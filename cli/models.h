/* A command for several models, one after another or spread over the ranks of --distributed. */
#ifndef ROUTH_CLI_MODELS_H
#define ROUTH_CLI_MODELS_H

#include "options.h"

/* What the command gives of its one model, as a text; an exit status, after which a text may be
 * there too. What it complains of names the model. */
typedef int (*model_step)(const options *given, routh_text *out);

/* Each of given->positional by the step, what they give as one text in their order. An exit status:
 * that of the first model whose status is not EXIT_DONE. */
int models_run(const options *given, model_step step);

#endif
