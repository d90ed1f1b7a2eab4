/* Each allocation refused, one after another, of a model that is built by a program, written as
 * text and made again with another value: the caller is told, and nothing leaks. */
#define _XOPEN_SOURCE 700
#include "oom/refuse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "routh/document.h"

static void fill(routh_document *d)
{
    const double inertia[3] = {1, 1, 0.1};
    routh_document_mapping(d);
    routh_document_key(d, "parameters");
    routh_document_mapping(d);
    for (int k = 0; k < 13; k++) { /* as many names as are looked for by a table */
        char name[8];
        snprintf(name, sizeof name, "p%d", k);
        routh_document_at(d, k % 2 ? "first.py" : "second.py", k + 1, 0);
        routh_document_key(d, name);
        routh_document_number(d, 1.0 / (k + 1));
    }
    routh_document_end(d);
    routh_document_key(d, "bodies");
    routh_document_mapping(d);
    routh_document_key(d, "block");
    routh_document_mapping(d);
    routh_document_key(d, "mass");
    routh_document_word(d, "2*p3");
    routh_document_key(d, "inertia");
    routh_document_numbers(d, inertia, 3);
    routh_document_end(d);
    routh_document_end(d);
    routh_document_end(d);
}

typedef struct products {
    routh_document *document, *parsed;
    routh_document_parts *parts;
    routh_text text;
    routh_model *model, *again;
} products;

static routh_status make(products *p, routh_error *error)
{
    const routh_setting heavier = {"p3", "7"};
    routh_status status = routh_document_create(&p->document, "main.py", error);
    if (status) return status;
    fill(p->document);
    status = routh_document_write(p->document, &p->text, error);
    if (!status)
        status = routh_document_parse(&p->parsed, p->text.bytes, p->text.length, "text", error);
    if (!status) status = routh_document_parts_find(&p->parts, p->parsed, error);
    if (!status) status = routh_model_build(&p->model, p->document, NULL, 0, error);
    return status ? status : rt_model_again(&p->again, p->model, &heavier, 1, error);
}

static void release(products *p)
{
    routh_model_free(p->again);
    routh_model_free(p->model);
    routh_document_parts_free(p->parts);
    routh_document_free(p->parsed);
    routh_text_free(&p->text);
    routh_document_free(p->document);
}

static void each_allocation_of_a_document(void **state)
{
    (void)state;
    for (int all_after = 0; all_after < 2; all_after++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            products p = {0};
            routh_error error = {0};
            catch_output();
            start(n, all_after);
            const routh_status status = make(&p, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(error.status, status);
            if (status)
                assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
            else
                assert_true(p.again && p.again->bodies[0].mass.value == 14);
            n_told += status != ROUTH_OK;
            release(&p);
        }
        assert_true(n_told > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_a_document)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
