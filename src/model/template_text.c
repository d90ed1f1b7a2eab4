/* Parts of the text of a template. */
#include <string.h>

#include "model/template.h"

static bool is_plain_yaml(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
                                  "+-*/()^ ";
    const char first = text[0] == '-' ? text[1] : text[0];
    return strspn(text, allowed) == strlen(text) && first != '\0' && !strchr("+-*/()^ ", first);
}

void rt_template_parameter(rt_text *text, const char *name, const rt_template_value *value,
                           const char *comment)
{
    const char *quote = is_plain_yaml(value->text) ? "" : "\"";
    const size_t start = text->length;
    rt_text_append(text, "  %s: %s%s%s", name, quote, value->text, quote);
    while (!text->failed && text->length < start + 24) rt_text_bytes(text, " ", 1);
    rt_text_append(text, " # %s\n", comment);
}
