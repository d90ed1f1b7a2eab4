/* Lists of names on the command line. */
#ifndef ROUTH_CLI_NAMES_H
#define ROUTH_CLI_NAMES_H

typedef struct name_list {
    char *text;
    const char **names; /* NULL at the end; NULL where no list was given */
} name_list;

/* "a,b,c"; NULL: not given. Says what went wrong and returns an exit status. Free in every case. */
int names_take(name_list *list, const char *text);
void names_free(name_list *list);

#endif
