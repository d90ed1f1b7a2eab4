#include "commands.h"
#include "models.h"
#include "run.h"
#include "say.h"

/* All yes, or nothing worse than a doubt: done. */
static int verdict(const routh_check *check, const options *given)
{
    for (int k = 0; k < check->n_findings; k++)
        if (check->findings[k].verdict == ROUTH_NO)
            complain("%s: no: %s", check->findings[k].name, check->findings[k].text);
    if (check->verdict == ROUTH_NO) return EXIT_FAULT;
    if (check->verdict == ROUTH_CANNOT_TELL && !given->quiet)
        remark("no answer is no, but some are \"cannot tell\"; see the remarks in the table");
    return EXIT_DONE;
}

int run_to_check(run *r, const options *given)
{
    routh_error error = {0};
    routh_check_options o = routh_check_defaults();
    o.operating = routh_operating_point_defaults();
    o.operating.accept_unstable = given->accept_unstable;
    int status = run_type(given, &o.operating.type);
    if (status == EXIT_DONE) status = run_to_model(r, given);
    if (status) return status;
    o.reference = given->reference;
    o.threads = given->threads;
    return routh_check_run(&r->check, r->model, &o, &error) ? fault(&error) : EXIT_DONE;
}

static int check_one_of_many(const options *given, routh_text *out)
{
    run r = {0};
    routh_error error = {0};
    int status = run_to_check(&r, given);
    if (status == EXIT_DONE) {
        routh_results results = run_results(&r);
        results.units = given->units;
        status = (given->json ? routh_check_json : routh_check_table)(&results, out, &error)
                     ? fault(&error)
                     : verdict(r.check, given);
    }
    run_free(&r);
    return status;
}

int run_check(const options *given)
{
    run r = {0};
    if (given->n_positional > 1) return models_run(given, check_one_of_many);
    if (given->distributed)
        return usage_error("option --distributed needs several models; write routh check MODEL "
                           "MODEL...");
    int status = run_to_check(&r, given);
    if (status == EXIT_DONE)
        status =
            run_write(&r, given, (run_forms){.table = routh_check_table, .json = routh_check_json});
    if (status == EXIT_DONE) status = verdict(r.check, given);
    run_free(&r);
    return status;
}
