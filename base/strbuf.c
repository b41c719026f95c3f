#include "base/strbuf.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"

/* Only ever set, and by whichever thread. */
static atomic_bool any_failed;

void strbuf_fail(struct strbuf *s)
{
	s->failed = true;
	atomic_store_explicit(&any_failed, true, memory_order_relaxed);
}

bool strbuf_any_failed(void)
{
	return atomic_load_explicit(&any_failed, memory_order_relaxed);
}

/* Room for `more` characters and the NUL. */
static bool reserve(struct strbuf *s, size_t more)
{
	size_t want;
	size_t cap;
	char *grown;

	if (s->failed)
		return false;
	if (more > SIZE_MAX / 2 - s->len - 1) {
		strbuf_fail(s);
		return false;
	}
	want = s->len + more + 1;
	if (want <= s->cap)
		return true;
	cap = s->cap ? s->cap : 32;
	while (cap < want)
		cap *= 2;
	grown = realloc(s->buf, cap);
	if (!grown) {
		strbuf_fail(s);
		return false;
	}
	s->buf = grown;
	s->cap = cap;
	return true;
}

void strbuf_add(struct strbuf *s, const char *data, size_t len)
{
	if (!reserve(s, len))
		return;
	if (len > 0)
		memcpy(s->buf + s->len, data, len);
	s->len += len;
	s->buf[s->len] = '\0';
}

void strbuf_puts(struct strbuf *s, const char *text)
{
	strbuf_add(s, text, strlen(text));
}

void strbuf_putc(struct strbuf *s, char c)
{
	strbuf_add(s, &c, 1);
}

void strbuf_printf(struct strbuf *s, const char *fmt, ...)
{
	va_list args;
	va_list again;
	int len;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	if (len < 0) {
		strbuf_fail(s);
	} else if (reserve(s, (size_t)len)) {
		vsnprintf(s->buf + s->len, (size_t)len + 1, fmt, again);
		s->len += (size_t)len;
	}
	va_end(again);
	va_end(args);
}

void strbuf_put_number(struct strbuf *s, double value)
{
	const double two_to_53 = 9007199254740992.0;
	char text[REAL_TEXT_SIZE];
	locale_t old;

	if (value == 0)
		value = 0; /* no "-0" */
	if (fabs(value) <= two_to_53 && trunc(value) == value) {
		strbuf_printf(s, "%.0f", value);
		return;
	}
	if (!shortest_double(value, text)) {
		old = c_locale_enter();
		real_text(value, text);
		c_locale_leave(old);
	}
	strbuf_puts(s, isnan(value) ? "nan" : text); /* never "-nan" */
}

static void put_quoted(struct strbuf *s, const char *text, char quote)
{
	strbuf_putc(s, quote);
	for (; *text; text++) {
		if (*text == quote)
			strbuf_putc(s, quote);
		strbuf_putc(s, *text);
	}
	strbuf_putc(s, quote);
}

void strbuf_put_sql(struct strbuf *s, const char *text)
{
	put_quoted(s, text, '\'');
}

void strbuf_put_sql_name(struct strbuf *s, const char *name)
{
	put_quoted(s, name, '"');
}

const char *strbuf_text(const struct strbuf *s)
{
	return s->buf ? s->buf : "";
}

void strbuf_clear(struct strbuf *s)
{
	s->len = 0;
	s->failed = false;
	if (s->buf)
		s->buf[0] = '\0';
}

void strbuf_release(struct strbuf *s)
{
	free(s->buf);
	*s = STRBUF_INIT;
}

/* ---- C locale ---- */

/* strtod_l() would be shorter but is not in POSIX. glibc and musl keep one static object for the C
 * locale: newlocale() neither allocates nor fails there, and freeing it does nothing. Were it to
 * fail elsewhere, uselocale(0) changes nothing and the caller sees the user's locale. */

locale_t c_locale_enter(void)
{
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void c_locale_leave(locale_t old)
{
	locale_t c = uselocale(old);

	if (c != LC_GLOBAL_LOCALE && c != old)
		freelocale(c);
}
