#include "domain/application.h"

#include <string.h>
#include <strings.h>

/* The text of a definition with other terms: libconfig would write it anew, without the comments
 * and the order that somebody gave it. */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '*';
}

/* Behind the comment, string, word or character at p, which is not at its end. */
static const char *skip_token(const char *p)
{
	if (*p == '#' || (p[0] == '/' && p[1] == '/'))
		return p + strcspn(p, "\n");
	if (p[0] == '/' && p[1] == '*') {
		const char *end = strstr(p + 2, "*/");

		return end ? end + 2 : p + strlen(p);
	}
	if (*p == '"') {
		for (p++; *p && *p != '"'; p++) {
			if (*p == '\\' && p[1])
				p++;
		}
		return *p ? p + 1 : p;
	}
	if (is_word(*p)) {
		while (is_word(*p))
			p++;
		return p;
	}
	return p + 1;
}

static int depth_change(char c)
{
	if (strchr("{([", c))
		return 1;
	return strchr("})]", c) ? -1 : 0;
}

static bool is_key_of_terms(const char *word, size_t len)
{
	static const char *const key[] = {"let", "compute", "communication"};

	for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
		if (strlen(key[i]) == len && strncasecmp(word, key[i], len) == 0)
			return true;
	}
	return false;
}

/* Behind a setting whose name ends at p: its value is a list or an array, and what ends it. */
static const char *skip_setting(const char *p)
{
	int depth = 0;

	while (*p) {
		const char *next = skip_token(p);

		if (next == p + 1)
			depth += depth_change(*p);
		p = next;
		if (depth == 0 && strchr(")]", p[-1]))
			break;
	}
	p += strspn(p, " \t\r\n");
	if (*p == ';' || *p == ',')
		p++;
	return p;
}

/* Without the blanks at its end, and the line that these were. */
static void trim_line(struct strbuf *out)
{
	while (out->len > 0 && strchr(" \t", out->buf[out->len - 1]))
		out->len--;
	if (out->len > 0 && out->buf[out->len - 1] == '\n')
		out->len--;
	if (out->buf)
		out->buf[out->len] = '\0';
}

enum err_code application_replace_terms(const struct application *a, const char *keys,
					struct strbuf *out, struct err *e)
{
	const char *p = a->definition;
	size_t from = out->len;
	bool at_key = true, done = false;
	int depth = 0;

	while (*p) {
		const char *next = skip_token(p);
		const bool one = next == p + 1;

		if (depth == 1 && at_key && is_word(*p) && is_key_of_terms(p, (size_t)(next - p))) {
			trim_line(out);
			p = skip_setting(next);
			continue;
		}
		if (p[0] == '#' && p[1] == ':') {
			trim_line(out);
			p = next;
			continue;
		}
		if (one && depth == 1 && *p == '}' && !done) {
			trim_line(out);
			strbuf_puts(out, "\n");
			strbuf_puts(out, keys);
			done = true;
		}
		if (one)
			depth += depth_change(*p);
		/* a key stands behind the group's brace, or what ended a setting */
		if (!strchr(" \t\r\n#/", *p))
			at_key = one && strchr("{;,})]", *p);
		strbuf_add(out, p, (size_t)(next - p));
		p = next;
	}
	if (out->failed)
		return err_set(e, ERR_NOMEM, "definition of %s", a->name);
	if (!done) {
		out->len = from;
		return err_set(e, ERR_PARSE, "the definition of %s has no group to put terms into",
			       a->name);
	}
	return ERR_OK;
}
