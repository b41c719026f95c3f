#include "domain/template.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A literal, a text column, or an expression. */
struct template_part {
	char *text;		     /* the literal, or what stands between the braces */
	struct expr *x;		     /* NULL: not an expression */
	const struct levels *levels; /* of a text column; else NULL */
	size_t i_column;
};

struct template
{
	struct template_part *part;
	size_t n;
};

void template_free(struct template *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++) {
		free(t->part[i].text);
		expr_free(t->part[i].x);
	}
	free(t->part);
	free(t);
}

static struct template_part *add_part(struct template *t)
{
	struct template_part *grown = realloc(t->part, (t->n + 1) * sizeof *grown);

	if (!grown)
		return NULL;
	t->part = grown;
	grown[t->n] = (struct template_part){.i_column = SIZE_MAX};
	return &grown[t->n++];
}

static enum err_code out_of_memory(struct err *e)
{
	return err_set(e, ERR_NOMEM, "a template");
}

/* Up to the next place; doubled braces are halved. *at moves behind it. */
static enum err_code read_literal(struct template *t, const char **at, struct err *e)
{
	struct strbuf literal = STRBUF_INIT;
	const char *p = *at;
	struct template_part *part;

	while (*p && !(*p == '{' && p[1] != '{')) {
		if (*p == '}' && p[1] != '}') {
			strbuf_release(&literal);
			return err_set(e, ERR_PARSE,
				       "a } without its {; a brace itself is written }}");
		}
		strbuf_putc(&literal, *p);
		p += *p == '{' || *p == '}' ? 2 : 1;
	}
	*at = p;
	if (literal.len == 0 && !literal.failed)
		return ERR_OK;
	part = literal.failed ? NULL : add_part(t);
	if (!part) {
		strbuf_release(&literal);
		return out_of_memory(e);
	}
	part->text = literal.buf; /* handed over */
	return ERR_OK;
}

/* The text column of this name; SIZE_MAX: none. */
static size_t find_text_column(const char *name, const struct expr_scope *scope)
{
	for (size_t i = 0; scope->levels && i < scope->n; i++) {
		if (scope->levels[i] && strcmp(scope->name[i], name) == 0)
			return i;
	}
	return SIZE_MAX;
}

/* {...}; *at moves behind it. */
static enum err_code read_place(struct template *t, const struct expr_scope *scope, const char **at,
				struct err *e)
{
	const char *begin = *at + 1;
	const char *end = strpbrk(begin, "{}");
	struct err inner = {0};
	struct template_part *part;
	enum err_code rc;

	if (!end || *end == '{')
		return err_set(e, ERR_PARSE, "a { without its }; a brace itself is written {{");
	*at = end + 1;
	part = add_part(t);
	if (!part)
		return out_of_memory(e);
	part->text = strndup(begin, (size_t)(end - begin));
	if (!part->text)
		return out_of_memory(e);
	part->i_column = find_text_column(part->text, scope);
	if (part->i_column != SIZE_MAX) {
		part->levels = scope->levels[part->i_column];
		return ERR_OK;
	}
	rc = expr_parse(part->text, scope, &part->x, &inner);
	return rc ? err_set(e, rc, "{%s}: %s", part->text, inner.msg) : ERR_OK;
}

enum err_code template_parse(const char *text, const struct expr_scope *scope,
			     struct template **out, struct err *e)
{
	struct template *t = calloc(1, sizeof *t);
	enum err_code rc;

	if (!t)
		return out_of_memory(e);
	rc = read_literal(t, &text, e);
	while (!rc && *text) {
		if (!(rc = read_place(t, scope, &text, e)))
			rc = read_literal(t, &text, e);
	}
	if (rc)
		template_free(t);
	else
		*out = t;
	return rc;
}

static const char *unsafe_byte(const char *text, enum template_use use)
{
	static const char in_commands[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_.,:+=/@%-";

	if (use == TEMPLATE_COMMAND)
		return text + strspn(text, in_commands);
	while ((unsigned char)*text >= ' ' && *text != '\x7f')
		text++;
	return text;
}

static enum err_code put_level(const struct template_part *p, double code, enum template_use use,
			       struct strbuf *out, struct err *e)
{
	const char *text = p->levels->name[(size_t)code];

	if (use == TEMPLATE_COMMAND && !*text)
		return err_set(e, ERR_ARG, "{%s} is empty: that cannot stand in a command",
			       p->text);
	if (*unsafe_byte(text, use))
		return err_set(e, ERR_ARG, "{%s} is '%s': that cannot stand in %s", p->text, text,
			       use == TEMPLATE_COMMAND ? "a command" : "an input file");
	strbuf_puts(out, text);
	return ERR_OK;
}

static enum err_code put_part(const struct template_part *p, const double *row,
			      enum template_use use, struct strbuf *out, struct err *e)
{
	double value;

	if (!p->x && !p->levels) {
		strbuf_puts(out, p->text);
		return ERR_OK;
	}
	value = p->levels ? row[p->i_column] : expr_eval(p->x, row);
	if (!isfinite(value))
		return err_set(e, ERR_ARG, "{%s} has no value in this configuration", p->text);
	if (p->levels)
		return put_level(p, value, use, out, e);
	strbuf_put_number(out, value);
	return ERR_OK;
}

enum err_code template_fill(const struct template *t, const double *row, enum template_use use,
			    struct strbuf *out, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < t->n && !rc; i++)
		rc = put_part(&t->part[i], row, use, out, e);
	if (!rc && out->failed)
		rc = err_set(e, ERR_NOMEM, "a filled template");
	return rc;
}
