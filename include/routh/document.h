/* Models that a program builds instead of writing a file: a document has what a model file has,
 * value by value, and routh_model_build makes the model of it with the checks and messages of a
 * file.
 *
 * A document is one mapping, whose keys are the sections. Within a mapping each value follows its
 * key; a list holds values alone; each list and mapping that was begun is ended:
 *
 *     routh_document_create(&document, "rotor", &error);
 *     routh_document_mapping(document);
 *     routh_document_key(document, "bodies");
 *     routh_document_mapping(document);
 *     ...
 *     routh_document_end(document);
 *     routh_document_end(document);
 *     status = routh_model_build(&model, document, NULL, 0, &error);
 *
 * Calls return a status and need not be looked at one by one: after a failure the document takes
 * nothing more, and routh_model_build and routh_document_write give the first error. */
#ifndef ROUTH_DOCUMENT_H
#define ROUTH_DOCUMENT_H

#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_document routh_document; /* used by one thread at a time */

/* An empty document. name stands for the file in messages, and the files that the model names are
 * looked for in its folder; NULL: "model". On success *document is the caller's, to be freed with
 * routh_document_free; on failure it is NULL. */
ROUTH_API routh_status routh_document_create(routh_document **document, const char *name,
                                             routh_error *error);

ROUTH_API void routh_document_free(routh_document *document); /* NULL is allowed */

/* The place of all that follows, until the next call: for messages. file NULL: the document's name;
 * line 0: not known; column 0: the whole line. */
ROUTH_API routh_status routh_document_at(routh_document *document, const char *file, int line,
                                         int column);

/* The key of the next value of a mapping. Text here and below is UTF-8 and is copied. */
ROUTH_API routh_status routh_document_key(routh_document *document, const char *key);

/* A value as it is written in a file without quotes: a name, an expression, true. "" is none. */
ROUTH_API routh_status routh_document_word(routh_document *document, const char *word);

/* A value as it is written in quotes: text and nothing else. */
ROUTH_API routh_status routh_document_text(routh_document *document, const char *text);

/* A number, exactly; one that is not finite as .nan, .inf or -.inf. */
ROUTH_API routh_status routh_document_number(routh_document *document, double number);

/* n numbers as a list. */
ROUTH_API routh_status routh_document_numbers(routh_document *document, const double *numbers,
                                              size_t n);

/* Begin a mapping or a list, at most 64 within each other. */
ROUTH_API routh_status routh_document_mapping(routh_document *document);
ROUTH_API routh_status routh_document_list(routh_document *document);

/* Ends the innermost that is open. MODEL_ERROR where a mapping has a name twice. */
ROUTH_API routh_status routh_document_end(routh_document *document);

/* The document as the text of a model file, from which the same model is read, number by number. To
 * be freed with routh_text_free. */
ROUTH_API routh_status routh_document_write(const routh_document *document, routh_text *text,
                                            routh_error *error);

/* The document that a model file's text is, to be looked at by routh_document_parts_find, built or
 * written; it takes no more values. Its places are those of the text; name stands for the file in
 * messages, NULL: "model". SYNTAX_ERROR and so on as of routh_model_parse; whether it is a model is
 * seen by routh_model_build. On success *document is the caller's, to be freed with
 * routh_document_free; on failure it is NULL. */
ROUTH_API routh_status routh_document_parse(routh_document **document, const char *text,
                                            size_t length, const char *name, routh_error *error);

typedef enum routh_document_kind {
    ROUTH_DOCUMENT_WORD,    /* a value written without quotes */
    ROUTH_DOCUMENT_TEXT,    /* in quotes, or as a block */
    ROUTH_DOCUMENT_LIST,    /* its n entries follow */
    ROUTH_DOCUMENT_MAPPING, /* likewise, each with its key */
} routh_document_kind;

typedef struct routh_document_part {
    routh_document_kind kind; /* what it is */
    const char *key;          /* in a mapping; NULL elsewhere */
    const char *text;         /* of a word or a text; NULL of others */
    const char *file;         /* of its place; NULL: the document's */
    int line, column;         /* counted from 1; 0: not known */
    int n;                    /* entries of a list or mapping; 0 of others */
} routh_document_part;

/* Free with routh_document_parts_free. */
typedef struct routh_document_parts {
    size_t n;                   /* length of `parts` */
    routh_document_part *parts; /* the first is the whole */
} routh_document_parts;

/* All parts of a document in their order, each list and mapping before its entries. Texts are the
 * document's, which must outlive them. Fails as routh_document_write does. */
ROUTH_API routh_status routh_document_parts_find(routh_document_parts **parts,
                                                 const routh_document *document,
                                                 routh_error *error);
ROUTH_API void routh_document_parts_free(routh_document_parts *parts); /* NULL is allowed */

/* The model of the document, as routh_model_parse gives that of a text: the same checks, messages
 * and settings. The document may be freed, changed no more, or built again. */
ROUTH_API routh_status routh_model_build(routh_model **model, const routh_document *document,
                                         const routh_setting *settings, size_t n_settings,
                                         routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
