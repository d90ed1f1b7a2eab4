/* The classes of measures together. */
#include "model/measure_class.h"

#include <stdio.h>
#include <string.h>

#define RT_MEASURE_FAMILY(name) &rt_measure_family_##name,
static const rt_measure_family *const families[] = {
#include "model/measures/list.h"
};
#undef RT_MEASURE_FAMILY
enum { N_FAMILIES = sizeof families / sizeof families[0] };

const rt_measure_family *rt_measure_family_at(int k) { return k < N_FAMILIES ? families[k] : NULL; }

const rt_measure_class *rt_measure_at(int k)
{
    for (int f = 0; f < N_FAMILIES; k -= families[f]->n, f++)
        if (k < families[f]->n) return &families[f]->measures[k];
    return NULL;
}

int rt_measure_count(void)
{
    int n = 0;
    for (int f = 0; f < N_FAMILIES; f++) n += families[f]->n;
    return n;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 'a' + 'A') : *a;
        const char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 'a' + 'A') : *b;
        if (x != y) return false;
    }
    return !*a && !*b;
}

const rt_measure_class *rt_measure_find(const char *name)
{
    const rt_measure_class *class;
    for (int k = 0; (class = rt_measure_at(k)) != NULL; k++)
        if (same_word(name, class->name)) return class;
    return NULL;
}

const char *rt_measure_usage(const rt_measure_class *class, char text[RT_MEASURE_USAGE])
{
    int at = snprintf(text, RT_MEASURE_USAGE, "%.20s(", class->name);
    for (int k = 0; k < class->n_arguments; k++)
        at += snprintf(text + at, (size_t)(RT_MEASURE_USAGE - at), "%s%.7s", k ? ", " : "",
                       rt_measure_argument_at(class->arguments[k])->name);
    snprintf(text + at, (size_t)(RT_MEASURE_USAGE - at), ")");
    return text;
}

const char *rt_measure_doc(const rt_measure_class *class, bool together, char text[RT_MEASURE_DOC])
{
    static const char mark[] = "{axis}";
    static const char *const axes[] = {"the x axis", "the y axis", "the z axis"};
    const char *at = strstr(class->doc, mark);
    const char *axis = together ? "an axis" : axes[class->component];
    if (at)
        snprintf(text, RT_MEASURE_DOC, "%.*s%s%s", (int)(at - class->doc), class->doc, axis,
                 at + strlen(mark));
    else
        snprintf(text, RT_MEASURE_DOC, "%s", class->doc);
    return text;
}
