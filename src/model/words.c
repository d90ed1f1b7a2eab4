/* Values that are words: names, choices, texts, true and false. */
#include "model/read_values.h"

#include <string.h>

int rt_word_position(const char *word, const char *const *choices)
{
    for (int k = 0; choices[k]; k++)
        if (!strcmp(word, choices[k])) return k;
    return -1;
}

routh_status rt_read_word(rt_reader *r, const rt_yaml *node, const char *what, rt_word *out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || !node->text[0] || rt_yaml_is_null(node))
        return rt_reader_fail(r, node->place, "%s must be a name, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    *out = (rt_word){node->text, node->place};
    return ROUTH_OK;
}

routh_status rt_read_between(rt_reader *r, const rt_yaml *node, rt_word out[2])
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count != 2)
        return rt_reader_fail(r, node->place,
                              "between must be a list of two names, such as [a, b], not %s",
                              rt_yaml_describe(node, found, sizeof found));
    const routh_status status = rt_read_word(r, node->first, "between", out);
    return status ? status : rt_read_word(r, node->first->next, "between", out + 1);
}

routh_status rt_read_word_list(rt_reader *r, const rt_yaml *node, const char *what,
                               rt_word_list *out)
{
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count < 2 || node->count > 3)
        return rt_reader_fail(r, node->place, "%s must be a list of 2 or 3 names, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    routh_status status = ROUTH_OK;
    out->n = 0;
    for (const rt_yaml *entry = node->first; entry && !status; entry = entry->next)
        status = rt_read_word(r, entry, what, &out->words[out->n++]);
    return status;
}

static routh_status find_choice(rt_reader *r, rt_word word, const rt_field *field, int *out)
{
    char hint[128], all[400];
    *out = rt_word_position(word.text, field->choices);
    if (*out >= 0) return ROUTH_OK;
    return rt_reader_fail(r, word.place, "%s is '%.60s', which is not one of %s%s", field->name,
                          word.text, rt_join_words(field->choices, all, sizeof all),
                          rt_did_you_mean(word.text, field->choices, hint, sizeof hint));
}

routh_status rt_read_choice(rt_reader *r, const rt_yaml *node, const rt_field *field, int *out)
{
    rt_word word;
    const routh_status status = rt_read_word(r, node, field->name, &word);
    return status ? status : find_choice(r, word, field, out);
}

routh_status rt_read_choices(rt_reader *r, const rt_yaml *node, const rt_field *field,
                             rt_word_list *out)
{
    routh_status status = rt_read_word_list(r, node, field->name, out);
    for (int k = 0; k < out->n && !status; k++)
        status = find_choice(r, out->words[k], field, &out->choice[k]);
    return status;
}

routh_status rt_read_text(rt_reader *r, const rt_yaml *node, const char *what, const char **out)
{
    char found[96];
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node))
        return rt_reader_fail(r, node->place, "%s must be text, not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    *out = rt_arena_text(&r->model->arena, node->text, strlen(node->text));
    return *out ? ROUTH_OK : rt_fail_memory(r->error);
}

routh_status rt_read_truth(rt_reader *r, const rt_yaml *node, const char *what, bool *out)
{
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE", NULL};
    char found[96];
    const int k =
        node->kind == RT_YAML_SCALAR && !node->quoted ? rt_word_position(node->text, words) : -1;
    if (k < 0)
        return rt_reader_fail(r, node->place, "%s must be true or false, without quotes, not %s",
                              what, rt_yaml_describe(node, found, sizeof found));
    *out = k >= 3;
    return ROUTH_OK;
}
