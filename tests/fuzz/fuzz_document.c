/* Any calls of a document, and any texts in them: it refuses them with a message, or gives a text
 * from which the reader makes what is built of the document itself. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 200 };

/* One call: a letter, and up to the end of the line its text. */
static void call(routh_document *d, char letter, const char *text)
{
    double number = 0;
    switch (letter) {
    case '{': routh_document_mapping(d); break;
    case '[': routh_document_list(d); break;
    case '}':
    case ']': routh_document_end(d); break;
    case '@': routh_document_at(d, text[0] ? text : NULL, (int)strlen(text), 0); break;
    case '"': routh_document_text(d, text); break;
    case '=':
        memcpy(&number, text, strlen(text) < sizeof number ? strlen(text) : sizeof number);
        routh_document_number(d, number);
        break;
    case ':': routh_document_key(d, text); break;
    default: routh_document_word(d, text); break;
    }
}

static void check(const routh_document *d)
{
    routh_error built = {0}, written = {0}, read = {0};
    routh_model *model = NULL, *again = NULL;
    routh_text text = {0};
    const routh_status status = routh_model_build(&model, d, NULL, 0, &built);
    assert((status == ROUTH_OK) == (model != NULL));
    assert(status == ROUTH_OK || (built.status == status && built.message[0]));
    if (routh_document_write(d, &text, &written) == ROUTH_OK)
        assert(routh_model_parse(&again, text.bytes, text.length, NULL, NULL, 0, &read) == status);
    else
        assert(status == written.status);
    routh_text_free(&text);
    routh_model_free(again);
    routh_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    routh_document *d = NULL;
    char text[LONGEST + 1];
    if (routh_document_create(&d, NULL, NULL)) return 0;
    for (size_t at = 0; at < size;) {
        const char letter = (char)data[at++];
        size_t n = 0;
        while (at < size && data[at] != '\n' && data[at] && n < LONGEST)
            text[n++] = (char)data[at++];
        text[n] = '\0';
        if (at < size && data[at] == '\n') at++;
        call(d, letter, text);
    }
    check(d);
    routh_document_free(d);
    return 0;
}
