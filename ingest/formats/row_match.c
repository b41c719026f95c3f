#include "ingest/formats/row_match.h"

#include <stdlib.h>
#include <string.h>

/* A template is texts and wildcards in turn: text[0] wildcard[0] text[1] ... text[n_wild]. */
struct row_match {
	char *column; /* the spec, cut at its first = */
	const char *template;
	char *copy; /* of the template: texts and names lie in it */
	const char *text[ROW_MATCH_NAMES_MAX + 1];
	const char *name[ROW_MATCH_NAMES_MAX]; /* NULL: a star */
	size_t n_wild;
};

static enum err_code refuse(const struct row_match *m, const char *why, struct err *e)
{
	return err_set(e, ERR_ARG, "--match %.60s=%.200s: %s", m->column, m->template, why);
}

static enum err_code add_name(struct row_match *m, const char *name, struct err *e)
{
	if (!*name)
		return refuse(m, "{} wants the name of a column", e);
	for (size_t i = 0; i < m->n_wild; i++) {
		if (m->name[i] && strcmp(m->name[i], name) == 0)
			return refuse(m, "a name stands there twice", e);
	}
	return ERR_OK;
}

/* Cuts the copy at its wildcards. */
static enum err_code parse(struct row_match *m, struct err *e)
{
	char *p = m->copy;
	enum err_code rc;

	m->text[0] = p;
	while (*(p += strcspn(p, "*{}"))) {
		char kind = *p;
		char *name = p + 1;

		if (m->n_wild == ROW_MATCH_NAMES_MAX)
			return refuse(m, "it has more than 32 stars and names", e);
		if (m->n_wild > 0 && p == m->text[m->n_wild])
			return refuse(m,
				      "between two stars or names a text has to tell where the one "
				      "ends",
				      e);
		*p++ = '\0';
		if (kind == '{') {
			p += strcspn(p, "*{}");
			if (*p != '}')
				return refuse(m, "a { without its }", e);
			*p++ = '\0';
			if ((rc = add_name(m, name, e)))
				return rc;
		} else if (kind == '}') {
			return refuse(m, "a } without its {", e);
		}
		m->name[m->n_wild++] = kind == '{' ? name : NULL;
		m->text[m->n_wild] = p;
	}
	return ERR_OK;
}

enum err_code row_match_new(const char *spec, struct row_match **out, struct err *e)
{
	const char *equals = strchr(spec, '=');
	struct row_match *m;
	enum err_code rc;

	if (!equals || equals == spec || !equals[1])
		return err_set(e, ERR_ARG, "--match %.200s: write COLUMN=TEMPLATE", spec);
	m = calloc(1, sizeof *m);
	if (m) {
		m->column = strdup(spec);
		m->copy = strdup(equals + 1);
	}
	if (!m || !m->column || !m->copy) {
		row_match_free(m);
		return err_set(e, ERR_NOMEM, "--match %.200s", spec);
	}
	m->column[equals - spec] = '\0';
	m->template = m->column + (equals - spec) + 1;
	if ((rc = parse(m, e))) {
		row_match_free(m);
		return rc;
	}
	*out = m;
	return ERR_OK;
}

const char *row_match_column(const struct row_match *m)
{
	return m->column;
}

const char *row_match_template(const struct row_match *m)
{
	return m->template;
}

const char *row_match_name(const struct row_match *m, size_t i)
{
	for (size_t k = 0; k < m->n_wild; k++) {
		if (m->name[k] && i-- == 0)
			return m->name[k];
	}
	return NULL;
}

size_t row_match_n_names(const struct row_match *m)
{
	size_t n = 0;

	for (size_t k = 0; k < m->n_wild; k++)
		n += m->name[k] != NULL;
	return n;
}

/* Each text at its first place behind the one before: if the rest cannot follow that, it cannot
 * follow a later one either. The last stands at the end. */
bool row_match_run(const struct row_match *m, const char *text, struct row_capture *out)
{
	size_t len = strlen(m->text[0]);

	if (strncmp(text, m->text[0], len) != 0)
		return false;
	text += len;
	for (size_t k = 0; k < m->n_wild; k++) {
		const char *next = m->text[k + 1];
		size_t least = m->name[k] != NULL, n = strlen(text);
		const char *end;

		if (n < least + strlen(next))
			return false;
		if (k + 1 == m->n_wild) {
			end = text + n - strlen(next);
			if (strcmp(end, next) != 0)
				return false;
		} else {
			end = strstr(text + least, next);
		}
		if (!end)
			return false;
		if (m->name[k])
			*out++ = (struct row_capture){m->name[k], text, (size_t)(end - text)};
		text = end + strlen(next);
	}
	return m->n_wild > 0 || !*text;
}

void row_match_free(struct row_match *m)
{
	if (!m)
		return;
	free(m->column);
	free(m->copy);
	free(m);
}
