#include "domain/composition_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_SHOWN = 12,	  /* candidates; a message has some 1000 bytes */
	MAX_DIFFERING = 4 /* attributes */
};

static void put_flag(const struct composition_ask *a, struct strbuf *out)
{
	if (a->wish)
		strbuf_printf(out, "%s ", a->wish->flag);
	else
		strbuf_printf(out, "--choose %s=", a->request->name);
}

static void put_names(const struct component *const *match, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n && i < MAX_SHOWN; i++) {
		strbuf_puts(out, i > 0 ? ", " : "");
		component_put_name(match[i], out);
		strbuf_printf(out, " (%s)", component_paradigm_name(match[i]->paradigm));
	}
	if (n > MAX_SHOWN)
		strbuf_printf(out, " and %zu more", n - MAX_SHOWN);
}

static void put_asker(const struct composition_ask *a, struct strbuf *out)
{
	strbuf_printf(out, "'%s'", a->request->name);
	if (a->asked_by)
		strbuf_printf(out, ", requested by '%s'", a->asked_by->name);
}

static void fail(struct strbuf *text, struct err *e)
{
	err_set(e, ERR_ARG, "%s", strbuf_text(text));
	strbuf_release(text);
}

/* ---- none ---- */

/* Of the components that come nearest to matching: what each of them fails. */
static void put_nearest(const struct composition_ask *a, struct strbuf *out)
{
	const struct component_set *set = a->question->set;
	size_t most = 0, n_conditions = 0, n_shown = 0;
	struct strbuf why = STRBUF_INIT;

	for (size_t i = 0; i < set->n; i++) {
		size_t holding = expr_holding(a->selector, profile_table_row(a->profiles, i),
					      &n_conditions, &why);

		most = holding > most ? holding : most;
		strbuf_clear(&why);
	}
	for (size_t i = 0; i < set->n && most > 0 && n_shown < MAX_SHOWN; i++) {
		if (expr_holding(a->selector, profile_table_row(a->profiles, i), &n_conditions,
				 &why) == most)
			strbuf_printf(out, "%s%s (not so: %s)",
				      n_shown++ ? ", " : "; the nearest are ", set->item[i]->name,
				      strbuf_text(&why));
		strbuf_clear(&why);
	}
	strbuf_release(&why);
}

void composition_fail_none(const struct composition_ask *a, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_puts(&text, "no component matches ");
	put_asker(a, &text);
	strbuf_printf(&text, ": %s", a->request->selector);
	put_nearest(a, &text);
	fail(&text, e);
}

/* ---- several ---- */

static bool same_value(const struct component *a, const struct component *b, const char *name)
{
	const struct component_attribute *x = component_attribute(a, name);
	const struct component_attribute *y = component_attribute(b, name);

	if (!x || !y)
		return x == y;
	if (!x->text || !y->text)
		return x->text == y->text && x->number == y->number;
	return strcmp(x->text, y->text) == 0;
}

static bool differs(const struct component *const *match, size_t n, const char *name)
{
	for (size_t i = 1; i < n; i++) {
		if (!same_value(match[0], match[i], name))
			return true;
	}
	return false;
}

static bool paradigms_differ(const struct component *const *match, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (match[i]->paradigm != match[0]->paradigm)
			return true;
	}
	return false;
}

/* An attribute of match[i] that was not named with one before it. */
static bool is_new(const struct component *const *match, size_t i, const char *name)
{
	for (size_t k = 0; k < i; k++) {
		if (component_attribute(match[k], name))
			return false;
	}
	return true;
}

static void put_differing(const struct component *const *match, size_t n, struct strbuf *out)
{
	size_t n_shown = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < match[i]->n_attributes && n_shown < MAX_DIFFERING; k++) {
			const char *name = match[i]->attribute[k].name;

			if (is_new(match, i, name) && differs(match, n, name))
				strbuf_printf(out, "%s%s", n_shown++ ? ", " : "; they differ in ",
					      name);
		}
	}
}

void composition_fail_several(const struct composition_ask *a, const struct component *const *match,
			      size_t n, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%zu components match ", n);
	put_asker(a, &text);
	strbuf_puts(&text, ": ");
	put_names(match, n, &text);
	put_differing(match, n, &text);
	strbuf_puts(&text, ". Decide by ");
	put_flag(a, &text);
	strbuf_puts(&text, "NAME");
	if (paradigms_differ(match, n))
		strbuf_printf(&text, " or --paradigm %s=PARADIGM", a->request->name);
	fail(&text, e);
}

/* ---- what was wished for ---- */

/* Why the component that was named is not among the matches. */
static void put_why_not(const struct composition_ask *a, struct strbuf *out)
{
	const struct component_set *set = a->question->set;
	size_t n_conditions;

	for (size_t i = 0; i < set->n; i++) {
		if (strcmp(set->item[i]->name, a->wish->component) != 0)
			continue;
		if (a->wish->paradigm && *a->wish->paradigm != set->item[i]->paradigm) {
			strbuf_printf(out, " (it is %s)",
				      component_paradigm_name(set->item[i]->paradigm));
			return;
		}
		strbuf_puts(out, " (not so: ");
		expr_holding(a->selector, profile_table_row(a->profiles, i), &n_conditions, out);
		strbuf_puts(out, ")");
		return;
	}
	strbuf_puts(out, " (no component is called so)");
}

void composition_fail_wish(const struct composition_ask *a, const struct component *const *match,
			   size_t n, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	if (a->wish->component) {
		strbuf_printf(&text, "%s %s", a->wish->flag, a->wish->component);
		if (a->wish->paradigm)
			strbuf_printf(&text, " as %s", component_paradigm_name(*a->wish->paradigm));
		strbuf_puts(&text, " does not match ");
		put_asker(a, &text);
		put_why_not(a, &text);
	} else {
		strbuf_printf(&text, "no component that is %s matches ",
			      component_paradigm_name(*a->wish->paradigm));
		put_asker(a, &text);
	}
	strbuf_puts(&text, "; what matches: ");
	put_names(match, n, &text);
	fail(&text, e);
}

void composition_fail_argument(const struct composition_ask *a, const struct component *c,
			       struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "'%s' takes a %s: write ", c->name, c->takes);
	put_flag(a, &text);
	strbuf_printf(&text, "%s:%s", c->name, c->takes);
	fail(&text, e);
}
