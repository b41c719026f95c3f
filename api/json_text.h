#ifndef API_JSON_TEXT_H
#define API_JSON_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"

/* Numbers, texts and configurations in the JSON form of all answers. */
struct json_t;

/* Append a JSON value: indented, members in the order they were set, reals with as many digits as
 * they need to come back the same and no more. */
enum err_code out_json_text(const struct json_t *value, struct strbuf *text, struct err *e);
/* json_real() that gives null for NaN and infinity; json_string() that takes any bytes (NULL:
 * null). */
struct json_t *out_json_real(double value);
struct json_t *out_json_string(const char *text);
/* Set a member of an object; 0: done. */
int member_real(struct json_t *object, const char *key, double value);
int member_text(struct json_t *object, const char *key, const char *text);
int member_int(struct json_t *object, const char *key, int64_t value);
int member_bool(struct json_t *object, const char *key, bool value);
/* As member_int(); null for 0, which stands for a count or an id that is not known. */
int member_count(struct json_t *object, const char *key, int64_t value);
/* A value of any kind, which is taken over; NULL: it could not be made. */
int member_value(struct json_t *object, const char *key, struct json_t *value);
/* An object of the members that set() sets (0: done) of what arg points to, and an array of n such;
 * i: which of them. NULL: out of memory. */
typedef int set_members_fn(struct json_t *object, const void *arg, size_t i);
struct json_t *out_json_object(set_members_fn *set, const void *arg);
struct json_t *out_json_list(set_members_fn *set, const void *arg, size_t n);
/* The value, or NULL, and it is freed, where something of it failed. */
struct json_t *out_json_unless(int failed, struct json_t *value);
void out_json_free(struct json_t *value);
/* {"format_version": 1} to start from. */
struct json_t *out_json_answer(void);

/* Members; "" and NaN where there is none. */
const char *answer_text(const struct json_t *object, const char *key);
double answer_number(const struct json_t *object, const char *key);
bool answer_is(const struct json_t *object, const char *key);

/* Configurations as JSON, under the names of the application's definition. */

/* The k-th of the columns that say which configuration to submit, in the order in which answers
 * show them: nodes, ppn, procs, threads, then the other resources and the tunables. SIZE_MAX: there
 * are no more. */
size_t config_column(const struct application *a, size_t k);

/* Set in object all columns of a role; where only_given, those that are not NaN. -1: out of memory,
 * like jansson's own functions. */
int config_json_set_role(struct json_t *object, const struct application *a, enum column_role role,
			 const double *row, bool only_given);
/* Set in object the i-th column, one of real numbers as a real also where it is whole; null for
 * NaN.
 */
int member_column(struct json_t *object, const struct application *a, size_t i, double value);
/* An object with all columns but derived ones that are not NaN; NULL: out of memory. */
struct json_t *config_json_given(const struct application *a, const double *row);
/* Set in object what config_column() lists. */
int config_json_set_choice(struct json_t *object, const struct application *a, const double *row);

#endif
