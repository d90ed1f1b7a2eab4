#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

void names_free(name_list *list)
{
    free(list->text);
    free(list->names);
}

int names_take(name_list *list, const char *text)
{
    size_t n = 0;
    *list = (name_list){0};
    if (!text) return EXIT_DONE;
    list->text = malloc(strlen(text) + 1);
    list->names = calloc(strlen(text) + 2, sizeof *list->names);
    if (!list->text || !list->names) {
        complain("out of memory");
        return EXIT_FAULT;
    }
    strcpy(list->text, text);
    for (char *at = list->text; at;) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        list->names[n++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return EXIT_DONE;
}
