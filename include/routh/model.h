/* Models: read from a file or from text, or written from a template. */
#ifndef ROUTH_MODEL_H
#define ROUTH_MODEL_H

#include "routh/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_model routh_model; /* immutable; may be shared between threads */

/* An override: name of a parameter and its value as text (an expression such as "2*pi"); or a part
 * and the name of its variant, "axle.left" and "winter"; or "variant" and that of the model's own.
 * In a list of them each name is there once. */
typedef struct routh_setting {
    const char *name;  /* of a parameter or a part of the model, or "variant" */
    const char *value; /* an expression, as in the model file, or a variant */
} routh_setting;

/* A block of text the library allocated; free with routh_text_free. */
typedef struct routh_text {
    char *bytes;   /* terminated */
    size_t length; /* of bytes, without the end */
} routh_text;

/* Frees the bytes and empties the text. NULL is allowed. */
ROUTH_API void routh_text_free(routh_text *text);

/* Reads and checks a model file (YAML, see the reference). path "-" is standard input.
 * settings[n_settings] override parameters (NULL when none). On success *model is the caller's,
 * to be freed with routh_model_free; on failure *model is NULL and *error has the source
 * location in the file. */
ROUTH_API routh_status routh_model_read(routh_model **model, const char *path,
                                        const routh_setting *settings, size_t n_settings,
                                        routh_error *error);

/* The same from memory; name stands for the file in messages, NULL: "model". */
ROUTH_API routh_status routh_model_parse(routh_model **model, const char *text, size_t length,
                                         const char *name, const routh_setting *settings,
                                         size_t n_settings, routh_error *error);

/* Its title and its description, "" where none is written and of NULL; they are the model's. */
ROUTH_API const char *routh_model_title(const routh_model *model);
ROUTH_API const char *routh_model_description(const routh_model *model);

/* One unit of time of the model's `units`, s; 1 where it names none, and of NULL. */
ROUTH_API double routh_model_time_unit(const routh_model *model);

/* The value of an expression of the model's parameters, such as "2*pi/spin". BAD_ARGUMENT says what
 * is wrong in it. */
ROUTH_API routh_status routh_model_evaluate(const routh_model *model, const char *expression,
                                            double *value, routh_error *error);

/* The value in SI of such an expression of the dimension of `unit`, such as "s": a period
 * "2*pi/spin" of a model in ms, or of a part in ms, is one in s. Numbers without a unit are in the
 * model's units. BAD_ARGUMENT also where it is of another dimension, or where nothing says what a
 * parameter of a part in other units is of. */
ROUTH_API routh_status routh_model_evaluate_si(const routh_model *model, const char *expression,
                                               const char *unit, double *value,
                                               routh_error *error);

/* The value for a parameter of such an expression, in the units of the parameter's own file; it is
 * refused where it is known to be of another dimension. */
ROUTH_API routh_status routh_model_evaluate_for(const routh_model *model, const char *parameter,
                                                const char *expression, double *value,
                                                routh_error *error);

ROUTH_API void routh_model_free(routh_model *model); /* NULL is allowed */

/* The text of the model file at path with other values of parameters in it, and other variants, all
 * else as it stands, comments too. A value goes where it holds: into the variant where one is
 * chosen that has the parameter. to: the file that the text is for; where it lies in another
 * folder, names of files in the model lead from there (NULL: they stay). MODEL_ERROR for parameters
 * it does not have, NOT_SUPPORTED for a value that is written over several lines, and where parts
 * would lie outside of the folder of `to`; FILE_ERROR where that is not there. */
ROUTH_API routh_status routh_model_rewrite(const char *path, const char *to,
                                           const routh_setting *settings, size_t n_settings,
                                           routh_text *text, routh_error *error);

/* The content of a model file that stands at path, or would, for one at `to`: where that lies in
 * another folder, names of files of bodies and of libraries lead from there; all else as it stands,
 * names of parts too, which are to go along. FILE_ERROR where one of the folders is not there. */
ROUTH_API routh_status routh_model_move(const char *content, size_t length, const char *path,
                                        const char *to, routh_text *text, routh_error *error);

/* The content of a model file laid out anew: indentation, spaces, quotes that are not needed, lists
 * and mappings of lines with more than `width` characters; 0: 100. Comments, blank lines, the order
 * and what is read stay. name stands for the file in messages, NULL: "model". SYNTAX_ERROR where it
 * is no YAML. */
ROUTH_API routh_status routh_model_format(const char *content, size_t length, const char *name,
                                          int width, routh_text *text, routh_error *error);

/* Ready models. settings shape the model (N=20); what is numeric is also a parameter of the
 * written file. */
ROUTH_API routh_status routh_template_write(const char *name, const routh_setting *settings,
                                            size_t n_settings, routh_text *text,
                                            routh_error *error);

/* The templates' names, one after another until NULL, and one line about each. */
ROUTH_API const char *routh_template_name(size_t index);
ROUTH_API const char *routh_template_about(size_t index);

/* The JSON Schema of model files, and the reference page in Markdown, both made from the
 * descriptor tables. */
ROUTH_API routh_status routh_model_schema(routh_text *text, routh_error *error);
ROUTH_API routh_status routh_model_reference(routh_text *text, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
