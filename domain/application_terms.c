#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/splitmix.h"
#include "domain/application.h"
#include "domain/application_private.h"
#include "domain/configuration.h"

/* Terms: reading, checking, and their values. */

void application_free_terms(struct application_terms *terms)
{
	for (size_t i = 0; i < terms->n_let; i++) {
		free(terms->let[i].name);
		free(terms->let[i].text);
		expr_free(terms->let[i].value);
	}
	free(terms->let);
	for (size_t i = 0; i < terms->n; i++) {
		free(terms->term[i].text);
		expr_free(terms->term[i].value);
	}
	free(terms->term);
	free(terms->used);
}

/* ---- values ---- */

bool application_terms_at(const struct application *a, const double *row, double *phi)
{
	const struct application_terms *t = &a->terms;
	double value[APPLICATION_MAX_TERM_VALUES], sum = 0;

	if (t->n == 0) /* of such an application there may be more columns */
		return false;
	memcpy(value, row, a->n_columns * sizeof *value);
	for (size_t i = 0; i < t->n_let; i++)
		value[a->n_columns + i] = expr_eval(t->let[i].value, value);
	for (size_t k = 0; k < t->n; k++) {
		phi[k] = expr_eval(t->term[k].value, value);
		if (!(phi[k] >= 0))
			return false;
		sum += phi[k];
	}
	return sum > 0 && isfinite(sum);
}

/* used[i]: of columns and names, from what `x` names on. */
static void mark(const struct application *a, const struct expr *x, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++) {
		if (used[i] || !expr_uses(x, i))
			continue;
		used[i] = true;
		if (i >= a->n_columns)
			mark(a, a->terms.let[i - a->n_columns].value, i, used);
		else if (a->column[i].derived)
			mark(a, a->column[i].derived, i, used);
	}
}

void application_mark_terms(struct application *a)
{
	for (size_t k = 0; k < a->terms.n; k++)
		mark(a, a->terms.term[k].value, a->n_columns + a->terms.n_let, a->terms.used);
}

bool application_terms_use(const struct application *a, size_t i_column)
{
	return a->terms.n > 0 && a->terms.used[i_column];
}

void application_put_term(const struct application *a, size_t k, struct strbuf *out)
{
	const struct application_terms *t = &a->terms;
	bool used[APPLICATION_MAX_TERM_VALUES] = {false};

	mark(a, t->term[k].value, a->n_columns + t->n_let, used);
	strbuf_puts(out, t->term[k].text);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (used[i] && a->column[i].derived) {
			strbuf_printf(out, "; %s = ", a->column[i].name);
			expr_put_text(a->column[i].derived, out);
		}
	}
	for (size_t i = 0; i < t->n_let; i++) {
		if (used[a->n_columns + i])
			strbuf_printf(out, "; %s = %s", t->let[i].name, t->let[i].text);
	}
}

/* ---- reading ---- */

static struct expr *compile_term(struct conf *c, const config_setting_t *at, const char *text,
				 const struct expr_scope *scope)
{
	struct err inner = {0};
	struct expr *x = NULL;

	if (text && c->rc == ERR_OK && expr_parse(text, scope, &x, &inner) != ERR_OK)
		conf_fail_inner(c, at, "", &inner);
	return x;
}

static void check_let_name(struct conf *c, const config_setting_t *g, const struct application *a,
			   const char *name)
{
	if (!name || c->rc != ERR_OK)
		return;
	if (!expr_is_name(name))
		conf_fail(c, conf_at(g, "name"),
			  "the name '%s' wants a letter, then letters, digits and _", name);
	else if (application_find_name(a, name) != SIZE_MAX)
		conf_fail(c, conf_at(g, "name"), "'%s' is a column: give the name of 'let' another",
			  name);
	for (size_t i = 0; i + 1 < a->terms.n_let && c->rc == ERR_OK; i++) {
		if (strcasecmp(a->terms.let[i].name, name) == 0)
			conf_fail(c, conf_at(g, "name"), "'%s' is declared twice", name);
	}
}

static void read_let(struct conf *c, const config_setting_t *g, struct application *a,
		     struct expr_scope *scope, const char **scope_name)
{
	struct term_name *let = &a->terms.let[a->terms.n_let++];

	conf_check_keys(c, g, "name expr");
	let->name = conf_required_text(c, g, "name");
	let->text = conf_required_text(c, g, "expr");
	check_let_name(c, g, a, let->name);
	let->value = compile_term(c, conf_at(g, "expr"), let->text, scope);
	scope_name[scope->n++] = let->name;
}

static void read_kind(struct conf *c, const config_setting_t *top, bool communication,
		      const struct expr_scope *scope, struct application_terms *t)
{
	const char *key = communication ? "communication" : "compute";
	size_t n = 0;
	char **text = conf_texts(c, top, key, &n);

	if (c->rc == ERR_OK && t->n + n > APPLICATION_MAX_TERMS)
		conf_fail(c, conf_at(top, key), "%zu terms are too many: at most %d", t->n + n,
			  APPLICATION_MAX_TERMS);
	for (size_t i = 0; i < n && c->rc == ERR_OK; i++) {
		struct term *term = &t->term[t->n++];

		term->text = strdup(text[i]);
		term->communication = communication;
		if (!term->text)
			conf_fail_memory(c);
		term->value = compile_term(c, conf_at(top, key), term->text, scope);
	}
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

/* The columns' scope with room for the names, and with math. */
static bool make_term_scope(const struct application *a, size_t n_let, const char **name,
			    const struct levels **levels, struct expr_scope *out)
{
	if (!name || !levels)
		return false;
	memcpy(name, a->scope_name, a->n_columns * sizeof *name);
	memcpy(levels, a->scope_levels, a->n_columns * sizeof *levels);
	for (size_t i = 0; i < n_let; i++)
		levels[a->n_columns + i] = NULL;
	*out = (struct expr_scope){.name = name, .levels = levels, .n = a->n_columns, .math = true};
	return true;
}

void application_read_terms(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "let");
	const size_t n_let = conf_length(list), n = a->n_columns + n_let;
	struct application_terms *t = &a->terms;
	const char **name;
	const struct levels **levels;
	struct expr_scope scope;

	if (c->rc != ERR_OK || (!list && !config_setting_get_member(top, "compute") &&
				!config_setting_get_member(top, "communication")))
		return;
	if (n > APPLICATION_MAX_TERM_VALUES) {
		conf_fail(c, list ? list : top,
			  "%zu columns and %zu names of 'let' are too many: at most %d together",
			  a->n_columns, n_let, APPLICATION_MAX_TERM_VALUES);
		return;
	}
	name = calloc(n + 1, sizeof *name);
	levels = calloc(n + 1, sizeof *levels);
	t->let = calloc(n_let + 1, sizeof *t->let);
	t->term = calloc(APPLICATION_MAX_TERMS, sizeof *t->term);
	t->used = calloc(n + 1, sizeof *t->used);
	if (!make_term_scope(a, n_let, name, levels, &scope) || !t->let || !t->term || !t->used) {
		conf_fail_memory(c);
		goto done;
	}
	for (size_t i = 0; i < n_let && c->rc == ERR_OK; i++)
		read_let(c, conf_item(list, i), a, &scope, name);
	read_kind(c, top, false, &scope, t);
	read_kind(c, top, true, &scope, t);
	if (c->rc == ERR_OK && t->n == 0)
		conf_fail(c, list ? list : conf_at(top, "compute"),
			  "no terms: compute = [ \"n * n / procs\" ]; names what time is made of");
	if (c->rc == ERR_OK)
		application_mark_terms(a);
done:
	free(name);
	free(levels);
}

/* ---- what is wrong with them ---- */

enum {
	CHECKED_ROWS = 2000,
	MIN_CHECKED_ROWS = 20,
	CHECKED_CHARACTERS = 4000000, /* of all rows together: a tenth of a second */
	CHECKED_DOUBLINGS = 12 /* of the least value of a column: what is asked of most codes */
};

/* A value that a column may have: one of its list, or its least times a power of two, mostly, as
 * divisors are among those, or one between. */
static double checked_value(const struct column *col, uint64_t *random)
{
	const uint64_t r = splitmix_next(random);
	double x = isfinite(col->min) ? col->min : 1;

	if (col->n_list > 0)
		return col->list[r % col->n_list];
	if (x <= 0 && r % 4 > 0)
		x = 1;
	x = ldexp(x, (int)((r >> 8) % (CHECKED_DOUBLINGS + 1)));
	if (r % 5 == 0)
		x += (double)((r >> 16) % 7);
	if (col->type == COL_INT)
		x = round(x);
	return fmin(x, col->max);
}

static void put_row(struct strbuf *out, const struct application *a, const struct expr *x,
		    const double *row)
{
	bool used[APPLICATION_MAX_TERM_VALUES] = {false};
	const char *before = "";

	mark(a, x, a->n_columns + a->terms.n_let, used);
	for (size_t i = 0; i < a->n_columns; i++) {
		if (!used[i] || a->column[i].role == COL_DERIVED)
			continue;
		strbuf_printf(out, "%s%s = %.10g", before, a->column[i].name, row[i]);
		before = ", ";
	}
}

/* The first term that is no cost on this row; SIZE_MAX: none. Texts have no levels yet: a term that
 * uses one is not judged. */
static size_t bad_term(const struct application *a, const double *row, double *value)
{
	const struct application_terms *t = &a->terms;
	double all[APPLICATION_MAX_TERM_VALUES];

	memcpy(all, row, a->n_columns * sizeof *all);
	for (size_t i = 0; i < t->n_let; i++)
		all[a->n_columns + i] = expr_eval(t->let[i].value, all);
	for (size_t k = 0; k < t->n; k++) {
		bool used[APPLICATION_MAX_TERM_VALUES] = {false}, text = false;

		*value = expr_eval(t->term[k].value, all);
		if (*value >= 0 && isfinite(*value))
			continue;
		mark(a, t->term[k].value, a->n_columns + t->n_let, used);
		for (size_t i = 0; i < a->n_columns; i++)
			text = text || (used[i] && a->column[i].type == COL_TEXT);
		if (!text)
			return k;
	}
	return SIZE_MAX;
}

static void fail_term(struct conf *c, const config_setting_t *top, const struct application *a,
		      const double *row, size_t k, double value)
{
	const struct term *term = &a->terms.term[k];
	struct strbuf at = STRBUF_INIT;

	put_row(&at, a, term->value, row);
	conf_fail(c, conf_at(top, term->communication ? "communication" : "compute"),
		  "the term '%s' is %s where %s: a term is a finite number of 0 or more wherever "
		  "the columns are legal; write max(0, ...) or state in 'legality' what it needs",
		  term->text,
		  isnan(value)	 ? "no number"
		  : isinf(value) ? "infinite"
				 : "negative",
		  strbuf_text(&at));
	strbuf_release(&at);
}

/* A definition is read by every command: terms of megabytes are tried on fewer rows. */
static size_t n_checked_rows(const struct application_terms *t)
{
	size_t length = 1, n;

	for (size_t i = 0; i < t->n_let; i++)
		length += strlen(t->let[i].text);
	for (size_t k = 0; k < t->n; k++)
		length += strlen(t->term[k].text);
	n = CHECKED_CHARACTERS / length;
	if (n < MIN_CHECKED_ROWS)
		return MIN_CHECKED_ROWS;
	return n < CHECKED_ROWS ? n : CHECKED_ROWS;
}

void application_check_terms(struct conf *c, const config_setting_t *top,
			     const struct application *a)
{
	const size_t n_rows = n_checked_rows(&a->terms);
	double *row;
	uint64_t random = 1;

	if (c->rc != ERR_OK || a->terms.n == 0)
		return;
	if (a->model) {
		conf_fail(c, conf_at(top, "model"),
			  "the application has the model '%s': it takes no terms beside it",
			  a->model);
		return;
	}
	row = calloc(a->n_columns + 1, sizeof *row);
	if (!row) {
		conf_fail_memory(c);
		return;
	}
	for (size_t i = 0; i < n_rows && c->rc == ERR_OK; i++) {
		double value;
		size_t k;

		for (size_t j = 0; j < a->n_columns; j++)
			row[j] = a->column[j].role == COL_DERIVED || a->column[j].type == COL_TEXT
					 ? (double)NAN
					 : checked_value(&a->column[j], &random);
		configuration_derive(a, row);
		if (configuration_legal(a, row, NULL) && (k = bad_term(a, row, &value)) != SIZE_MAX)
			fail_term(c, top, a, row, k, value);
	}
	free(row);
}

/* ---- as text ---- */

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
