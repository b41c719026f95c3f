#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

/* A growable string. Appending after a failed allocation does nothing, so a caller builds a whole
 * text and checks once: `if (s.failed) return err_set(e, ERR_NOMEM, ...)`. */
struct strbuf {
	char *buf; /* NUL-terminated once anything was appended; NULL before */
	size_t len;
	size_t cap;
	bool failed;
};

#define STRBUF_INIT ((struct strbuf){0})

void strbuf_add(struct strbuf *s, const char *data, size_t len);
void strbuf_puts(struct strbuf *s, const char *text);
void strbuf_putc(struct strbuf *s, char c);
void strbuf_printf(struct strbuf *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The shortest decimal text that reads back as exactly this number, with a point in any locale;
 * whole numbers without one: "280", "0.1", "1e+300", "nan", "-inf". */
void strbuf_put_number(struct strbuf *s, double value);
/* 'it''s': an SQL string literal. */
void strbuf_put_sql(struct strbuf *s, const char *text);
/* "a ""name""": an SQL identifier. */
void strbuf_put_sql_name(struct strbuf *s, const char *name);
/* The text, "" when empty; valid until the next append. */
const char *strbuf_text(const struct strbuf *s);
void strbuf_clear(struct strbuf *s);
/* There is no memory for what the text is made of: as if appending to it had failed. */
void strbuf_fail(struct strbuf *s);
/* Was memory short for any text since the program began? The last word on what was printed, piece
 * by piece, from texts that nobody checked: it may have gaps. */
bool strbuf_any_failed(void);
/* Hidden: libconfig exports functions of this prefix and would call ours, visible, for its own. */
__attribute__((visibility("hidden"))) void strbuf_release(struct strbuf *s);

/* Numbers in files, SQL and machine formats have a decimal point whatever the user's locale says.
 * Between enter and leave, this thread's strtod() and printf() follow the C locale:
 *
 *	locale_t old = c_locale_enter();
 *	...
 *	c_locale_leave(old);
 */
locale_t c_locale_enter(void);
void c_locale_leave(locale_t old);

#endif
