/* What routh symbolic --json writes. The module symbolic writes it and does not see this one: a
 * test compares the two (tests/output/test_results_schema.py). */
#include "output/descriptor.h"

static const rt_result_field symbol_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, .meaning = "of the parameter"},
    {.key = "value", .type = RT_RESULT_REAL, .meaning = "in the model"},
    {.key = "units",
     .type = RT_RESULT_TEXT,
     .meaning = "of its file, that its value is in, such as [m, kg, s]"},
    {.key = "used", .type = RT_RESULT_TRUTH, .meaning = "true: the formulas depend on it"},
};
static const rt_result_table symbol_table = {"symbol", "Symbol of the formulas", "",
                                             RT_FIELDS(symbol_fields)};

static const rt_result_field stability_fields[] = {
    {.key = "meaning", .type = RT_RESULT_TEXT, .meaning = "a sentence"},
    {.key = "marginal", .type = RT_RESULT_TRUTH, .meaning = "true: a row of Routh's array is zero"},
    {.key = "never", .type = RT_RESULT_TRUTH, .meaning = "true: not stable for any values"},
    {.key = "positive", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .meaning = "formulas that have to be positive"},
    {.key = "nonzero", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .meaning = "formulas that must not be zero"},
};
static const rt_result_table stability_table = {"stability", "Conditions of stability", "",
                                                RT_FIELDS(stability_fields)};

static bool symbolic_sometimes(const rt_result_row *row) { return row != NULL; }

static const rt_result_field symbolic_fields[] = {
    {.key = "title", .type = RT_RESULT_TEXT, .meaning = "of the model"},
    {.key = "coordinates",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .meaning = "names of the independent coordinates z"},
    {.key = "symbols",
     .type = RT_RESULT_LIST,
     .items = &symbol_table,
     .meaning = "parameters that stay symbols"},
    {.key = "assumed_positive",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .meaning = "what was assumed to be positive where roots were drawn"},
    {.key = "M",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_VALUES,
     .meaning = "rows of M z'' + C z' + K z = 0, whose values are in SI"},
    {.key = "C", .type = RT_RESULT_VALUES, .each = RT_RESULT_VALUES, .meaning = "likewise"},
    {.key = "K", .type = RT_RESULT_VALUES, .each = RT_RESULT_VALUES, .meaning = "likewise"},
    {.key = "A",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_VALUES,
     .nullable = true,
     .meaning = "rows of y' = A y, y = (z, z'); `null` where it is not made: M singular, or more "
                "than 5 coordinates with symbols, 10 without"},
    {.key = "equations",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .meaning = "what vanishes at the operating point, for the unknowns of `--unknown`"},
    {.key = "characteristic_polynomial",
     .type = RT_RESULT_VALUES,
     .each = RT_RESULT_TEXT,
     .there = symbolic_sometimes,
     .meaning = "coefficients of det(M s^2 + C s + K), that of s^0 first; absent where A is too "
                "large"},
    {.key = "stability",
     .type = RT_RESULT_OBJECT,
     .items = &stability_table,
     .there = symbolic_sometimes,
     .meaning = "with `--stability`"},
};
const rt_result_table rt_symbolic_document = {
    "symbolic", "routh symbolic --json",
    "Formulas are text, as `routh symbolic` writes them: whole numbers, names of parameters, "
    "`sqrt()`, `cos()`, `sin()`,\n`+ - * / ^`.",
    RT_FIELDS(symbolic_fields)};
