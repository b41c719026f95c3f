#ifndef DOMAIN_CONF_H
#define DOMAIN_CONF_H
#include <stdbool.h>
#include <stddef.h>

#include <libconfig.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Private to domain/: reading definition texts in libconfig syntax, with messages that name file
 * and line. The first error sticks: after it every function does nothing and returns what stands
 * for "absent", so a reader asks for all it wants and looks at c.rc once. */
struct conf {
	config_t config;
	const char *origin; /* names the text in messages */
	enum err_code rc;
	struct err *e;
};

/* Parse text. "@include" is refused: a definition is stored and hashed as one text. The caller
 * closes c in any case. */
enum err_code conf_open(struct conf *c, const char *text, const char *origin, struct err *e);
void conf_close(struct conf *c);

/* Record "ORIGIN:LINE: ..." as a PARSE error. */
void conf_fail(struct conf *c, const config_setting_t *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void conf_fail_memory(struct conf *c);
/* What an expression or a template in the text failed with: memory that gave out is no mistake of
 * whoever wrote it; all else is, at that place, `remark` before the message. */
void conf_fail_inner(struct conf *c, const config_setting_t *at, const char *remark,
		     const struct err *inner);

/* The group `name` at the top, which must be the only thing there. */
const config_setting_t *conf_top(struct conf *c, const char *name);
/* Every key of the group must be one of these words (text_next_word()). */
void conf_check_keys(struct conf *c, const config_setting_t *group, const char *known);

/* The values of a group's keys. Texts are copies, NULL when absent. */
char *conf_text(struct conf *c, const config_setting_t *group, const char *key);
char *conf_required_text(struct conf *c, const config_setting_t *group, const char *key);
/* The index of a key's text among name_of(0..n-1), some of which may be NULL: no word. What is
 * absent is `absent`, or an error if that is < 0. */
int conf_word(struct conf *c, const config_setting_t *group, const char *key,
	      const char *(*name_of)(int i), int n, int absent);
double conf_number(struct conf *c, const config_setting_t *group, const char *key, double absent);
double conf_required_number(struct conf *c, const config_setting_t *group, const char *key);
bool conf_bool(struct conf *c, const config_setting_t *group, const char *key, bool absent);
/* [ "a", "b" ] as copies, which the caller frees; NULL and 0 when absent or empty. */
char **conf_texts(struct conf *c, const config_setting_t *group, const char *key, size_t *n);
double *conf_numbers(struct conf *c, const config_setting_t *group, const char *key, size_t *n);
/* ( { ... }, { ... } ), NULL when absent. */
const config_setting_t *conf_list(struct conf *c, const config_setting_t *group, const char *key);
/* { ... }, NULL when absent. */
const config_setting_t *conf_group(struct conf *c, const config_setting_t *group, const char *key);
/* The line's setting for messages about a key: the key's own, or the group's when absent. */
const config_setting_t *conf_at(const config_setting_t *group, const char *key);
size_t conf_length(const config_setting_t *list);
const config_setting_t *conf_item(const config_setting_t *list, size_t i);

/* A whole file. Errors: IO, NOTFOUND, PARSE (too large, or a zero byte), INTERRUPTED, NOMEM. */
enum err_code conf_read_file(const char *path, struct strbuf *out, struct err *e);
/* A text as a libconfig string literal. */
void conf_put_text(struct strbuf *out, const char *text);

#endif
