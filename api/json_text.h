#ifndef API_JSON_TEXT_H
#define API_JSON_TEXT_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"

/* What the JSON forms of all answers have in common. */
struct json_t;

/* Append a JSON value: indented, members in the order they were set, reals with as many digits as
 * they need to come back the same and no more. */
enum err_code out_json_text(const struct json_t *value, struct strbuf *text, struct err *e);
/* json_real() that gives null for NaN and infinity; json_string() that takes any bytes (NULL:
 * null). */
struct json_t *out_json_real(double value);
struct json_t *out_json_string(const char *text);
/* {"format_version": 1} to start from. */
struct json_t *out_json_answer(void);

/* Members; "" and NaN where there is none. */
const char *answer_text(const struct json_t *object, const char *key);
double answer_number(const struct json_t *object, const char *key);
bool answer_is(const struct json_t *object, const char *key);

#endif
