#include "domain/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"

static bool has_include(const char *text)
{
	while (text) {
		text += strspn(text, " \t\r\n");
		if (strncmp(text, "@include", strlen("@include")) == 0)
			return true;
		text = strchr(text, '\n');
	}
	return false;
}

/* libconfig looks at none of its allocations: without memory it crashes, or leaves a text out. So
 * see first whether there is as much as it can want. The most it takes, 130 bytes for every byte of
 * text, is for lists in each other: two structs, a name and room for sixteen members for each
 * pair of parentheses. */
static bool has_room(const char *text)
{
	void *volatile room = malloc(((size_t)64 << 10) + 160 * strlen(text));
	bool has = room != NULL;

	free(room);
	return has;
}

enum err_code conf_open(struct conf *c, const char *text, const char *origin, struct err *e)
{
	*c = (struct conf){.origin = origin, .e = e};
	if (!has_room(text)) {
		conf_fail_memory(c);
		return c->rc;
	}
	config_init(&c->config);
	if (has_include(text))
		c->rc = err_set(e, ERR_PARSE, "%s: @include is not allowed in a definition",
				origin);
	else if (config_read_string(&c->config, text) != CONFIG_TRUE)
		c->rc = err_set(e, ERR_PARSE,
				"%s:%d: %s (wanted: name = \"text\"; n = 1; group = { ... };)",
				origin, config_error_line(&c->config),
				config_error_text(&c->config));
	return c->rc;
}

void conf_close(struct conf *c)
{
	if (c->config.root)
		config_destroy(&c->config);
}

void conf_fail(struct conf *c, const config_setting_t *at, const char *fmt, ...)
{
	char what[sizeof((struct err *)0)->msg];
	va_list args;

	if (c->rc != ERR_OK)
		return;
	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	c->rc = err_set(c->e, ERR_PARSE, "%s:%u: %s", c->origin,
			(unsigned)config_setting_source_line(at), what);
}

void conf_fail_memory(struct conf *c)
{
	if (c->rc == ERR_OK)
		c->rc = err_set(c->e, ERR_NOMEM, "%s: out of memory", c->origin);
}

void conf_fail_inner(struct conf *c, const config_setting_t *at, const char *remark,
		     const struct err *inner)
{
	if (inner->code == ERR_NOMEM)
		conf_fail_memory(c);
	else
		conf_fail(c, at, "%s%s", remark, inner->msg);
}

const config_setting_t *conf_top(struct conf *c, const char *name)
{
	const config_setting_t *root = config_root_setting(&c->config);
	const config_setting_t *group;

	if (c->rc != ERR_OK)
		return NULL;
	group = config_setting_get_member(root, name);
	if (!group || !config_setting_is_group(group)) {
		c->rc = err_set(c->e, ERR_PARSE, "%s: '%s = { ... };' is wanted", c->origin, name);
		return NULL;
	}
	conf_check_keys(c, root, name);
	return c->rc == ERR_OK ? group : NULL;
}

static bool is_known(const char *key, const char *known)
{
	const char *word;
	size_t n;

	while ((word = text_next_word(&known, &n))) {
		if (strlen(key) == n && strncmp(word, key, n) == 0)
			return true;
	}
	return false;
}

void conf_check_keys(struct conf *c, const config_setting_t *group, const char *known)
{
	struct strbuf all = STRBUF_INIT;
	const char *word;
	size_t n;

	for (size_t i = 0; group && i < conf_length(group); i++) {
		const config_setting_t *s = conf_item(group, i);

		if (is_known(config_setting_name(s), known))
			continue;
		while ((word = text_next_word(&known, &n)))
			strbuf_printf(&all, "%s%.*s", all.len ? ", " : "", (int)n, word);
		conf_fail(c, s, "unknown key '%s'; known here: %s", config_setting_name(s),
			  strbuf_text(&all));
		strbuf_release(&all);
		return;
	}
}

/* The key's setting; NULL when absent or after an error. */
static const config_setting_t *member(const struct conf *c, const config_setting_t *group,
				      const char *key)
{
	return c->rc == ERR_OK && group ? config_setting_get_member(group, key) : NULL;
}

static void fail_missing(struct conf *c, const config_setting_t *group, const char *key)
{
	if (c->rc == ERR_OK)
		conf_fail(c, group, "'%s' is missing", key);
}

static char *copy_text(struct conf *c, const config_setting_t *s)
{
	char *copy;

	if (config_setting_type(s) != CONFIG_TYPE_STRING) {
		conf_fail(c, s, "a \"text\" is wanted");
		return NULL;
	}
	copy = strdup(config_setting_get_string(s));
	if (!copy)
		conf_fail_memory(c);
	return copy;
}

char *conf_text(struct conf *c, const config_setting_t *group, const char *key)
{
	const config_setting_t *s = member(c, group, key);

	return s ? copy_text(c, s) : NULL;
}

char *conf_required_text(struct conf *c, const config_setting_t *group, const char *key)
{
	char *text = conf_text(c, group, key);

	if (!text) {
		fail_missing(c, group, key);
	} else if (!*text) {
		conf_fail(c, conf_at(group, key), "'%s' is empty", key);
	}
	return text;
}

static void put_words(const char *(*name_of)(int), int n, struct strbuf *out)
{
	for (int i = 0; i < n; i++) {
		if (name_of(i))
			strbuf_printf(out, "%s%s", out->len ? ", " : "", name_of(i));
	}
}

int conf_word(struct conf *c, const config_setting_t *group, const char *key,
	      const char *(*name_of)(int), int n, int absent)
{
	char *text = absent < 0 ? conf_required_text(c, group, key) : conf_text(c, group, key);
	struct strbuf all = STRBUF_INIT;
	int found = text ? -1 : absent;

	for (int i = 0; text && i < n && found < 0; i++) {
		if (name_of(i) && strcmp(text, name_of(i)) == 0)
			found = i;
	}
	if (text && found < 0) {
		put_words(name_of, n, &all);
		conf_fail(c, conf_at(group, key), "%s = \"%.60s\": one of %s is wanted", key, text,
			  strbuf_text(&all));
		strbuf_release(&all);
	}
	free(text);
	return found < 0 ? 0 : found;
}

static double get_number(struct conf *c, const config_setting_t *s, double absent)
{
	switch (config_setting_type(s)) {
	case CONFIG_TYPE_INT:
		return config_setting_get_int(s);
	case CONFIG_TYPE_INT64:
		return (double)config_setting_get_int64(s);
	case CONFIG_TYPE_FLOAT:
		return config_setting_get_float(s);
	default:
		conf_fail(c, s, "a number is wanted");
		return absent;
	}
}

double conf_number(struct conf *c, const config_setting_t *group, const char *key, double absent)
{
	const config_setting_t *s = member(c, group, key);

	return s ? get_number(c, s, absent) : absent;
}

double conf_required_number(struct conf *c, const config_setting_t *group, const char *key)
{
	if (!member(c, group, key))
		fail_missing(c, group, key);
	return conf_number(c, group, key, 0);
}

bool conf_bool(struct conf *c, const config_setting_t *group, const char *key, bool absent)
{
	const config_setting_t *s = member(c, group, key);

	if (!s)
		return absent;
	if (config_setting_type(s) != CONFIG_TYPE_BOOL)
		conf_fail(c, s, "true or false is wanted");
	return config_setting_get_bool(s);
}

/* An array [ ... ] or a list ( ... ) of scalars; NULL when absent or empty. */
static const config_setting_t *scalars(struct conf *c, const config_setting_t *group,
				       const char *key)
{
	const config_setting_t *s = member(c, group, key);

	if (!s)
		return NULL;
	if (!config_setting_is_array(s) && !config_setting_is_list(s)) {
		conf_fail(c, s, "'%s' wants a list in brackets: [ ..., ... ]", key);
		return NULL;
	}
	return conf_length(s) > 0 ? s : NULL;
}

char **conf_texts(struct conf *c, const config_setting_t *group, const char *key, size_t *n)
{
	const config_setting_t *s = scalars(c, group, key);
	char **text;

	*n = 0;
	if (!s)
		return NULL;
	text = calloc(conf_length(s), sizeof *text);
	if (!text) {
		conf_fail_memory(c);
		return NULL;
	}
	while (*n < conf_length(s) && (text[*n] = copy_text(c, conf_item(s, *n))))
		++*n;
	return text;
}

double *conf_numbers(struct conf *c, const config_setting_t *group, const char *key, size_t *n)
{
	const config_setting_t *s = scalars(c, group, key);
	double *number;

	*n = 0;
	if (!s)
		return NULL;
	number = calloc(conf_length(s), sizeof *number);
	if (!number) {
		conf_fail_memory(c);
		return NULL;
	}
	for (; *n < conf_length(s); ++*n)
		number[*n] = get_number(c, conf_item(s, *n), 0);
	return number;
}

const config_setting_t *conf_list(struct conf *c, const config_setting_t *group, const char *key)
{
	const config_setting_t *s = member(c, group, key);

	if (!s)
		return NULL;
	if (!config_setting_is_list(s)) {
		conf_fail(c, s, "'%s' wants a list in parentheses: ( { ... }, { ... } )", key);
		return NULL;
	}
	for (size_t i = 0; i < conf_length(s); i++) {
		const config_setting_t *item = conf_item(s, i);

		if (!config_setting_is_group(item)) {
			conf_fail(c, item, "each item of '%s' is a group { ... }", key);
			return NULL;
		}
	}
	return s;
}

const config_setting_t *conf_group(struct conf *c, const config_setting_t *group, const char *key)
{
	const config_setting_t *s = member(c, group, key);

	if (s && !config_setting_is_group(s)) {
		conf_fail(c, s, "'%s' wants a group { ... }", key);
		return NULL;
	}
	return s;
}

const config_setting_t *conf_at(const config_setting_t *group, const char *key)
{
	const config_setting_t *s = config_setting_get_member(group, key);

	return s ? s : group;
}

size_t conf_length(const config_setting_t *list)
{
	return list ? (size_t)config_setting_length(list) : 0;
}

const config_setting_t *conf_item(const config_setting_t *list, size_t i)
{
	return config_setting_get_elem(list, (unsigned)i);
}

enum err_code conf_read_file(const char *path, struct strbuf *out, struct err *e)
{
	enum { LARGEST = 1 << 20 }; /* a definition is written by hand */
	FILE *file = fopen(path, "rb");
	enum err_code rc = ERR_OK;
	char part[8192];
	size_t n;

	/* only a signal that the program catches ends the wait for a pipe */
	if (!file && errno == EINTR)
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted", path);
	if (!file)
		return err_set(e, errno == ENOENT ? ERR_NOTFOUND : err_of_reading(errno), "%s: %s",
			       path, strerror(errno));
	while ((n = fread(part, 1, sizeof part, file)) > 0 && out->len <= LARGEST)
		strbuf_add(out, part, n);
	if (ferror(file) && errno == EINTR)
		rc = err_set(e, ERR_INTERRUPTED, "%s: interrupted", path);
	else if (ferror(file))
		rc = err_set(e, err_of_reading(errno), "%s: %s", path, strerror(errno));
	else if (out->failed)
		rc = err_set(e, ERR_NOMEM, "%s: out of memory", path);
	else if (out->len > LARGEST)
		rc = err_set(e, ERR_PARSE, "%s: larger than 1 MiB, so not a definition", path);
	else if (out->len > 0 && memchr(out->buf, '\0', out->len))
		rc = err_set(e, ERR_PARSE, "%s: has a zero byte, so not a definition", path);
	fclose(file);
	return rc;
}

void conf_put_text(struct strbuf *out, const char *text)
{
	strbuf_putc(out, '"');
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			strbuf_printf(out, "\\%c", byte);
		else if (byte < ' ')
			strbuf_printf(out, "\\x%02x", byte);
		else
			strbuf_putc(out, *text);
	}
	strbuf_putc(out, '"');
}
