#include "domain/composition.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "domain/expr.h"
#include "domain/profile_table.h"

/* The question. The functions that fail say why a resolution failed, all with ARG. */
struct composition_ask {
	const struct composition_question *question;
	struct profile_table *profiles;
	const struct component_request *request;
	const struct component *asked_by; /* NULL: the root */
	const struct expr *selector;
	const struct composition_wish *wish; /* NULL: none about this request */
};

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

static void composition_fail_none(const struct composition_ask *a, struct err *e)
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

static void composition_fail_several(const struct composition_ask *a,
				     const struct component *const *match, size_t n, struct err *e)
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

/* The wish is for a component or paradigm that is not among the matches. */
static void composition_fail_wish(const struct composition_ask *a,
				  const struct component *const *match, size_t n, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	assert(a->wish); /* without one, all that match are wished for */
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

/* c takes an argument, and none was given. */
static void composition_fail_argument(const struct composition_ask *a, const struct component *c,
				      struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "'%s' takes a %s: write ", c->name, c->takes);
	put_flag(a, &text);
	strbuf_printf(&text, "%s:%s", c->name, c->takes);
	fail(&text, e);
}

struct resolver {
	const struct composition_question *question;
	struct profile_table *profiles;
	struct composition *out;
	const struct component *path[COMPOSITION_MAX_DEPTH + 1]; /* from the root to here */
	struct err *e;
};

static const struct composition_wish *find_wish(const struct composition_question *q,
						const char *request)
{
	for (size_t i = 0; i < q->n_wishes; i++) {
		if (strcmp(q->wish[i].request, request) == 0)
			return &q->wish[i];
	}
	return NULL;
}

const struct composition_node *composition_find(const struct composition *c, const char *request)
{
	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(c->node[i].request->name, request) == 0)
			return &c->node[i];
	}
	return NULL;
}

static enum err_code parse_selector(struct resolver *r, const struct component *asked_by,
				    const struct component_request *request, struct expr **out)
{
	struct err why = {0};
	enum err_code rc =
		expr_parse(request->selector, profile_table_scope(r->profiles), out, &why);

	if (rc)
		err_set(r->e, rc, "%s: the selector of '%s' (line %u): %s",
			asked_by ? asked_by->origin : "the whole", request->name, request->line,
			why.msg);
	return rc;
}

/* node->match: the components that the selector is true of. */
static enum err_code match(struct resolver *r, const struct expr *selector,
			   struct composition_node *node)
{
	const struct component_set *set = r->question->set;

	node->match = calloc(set->n + 1, sizeof *node->match);
	if (!node->match)
		return err_set(r->e, ERR_NOMEM, "the matches of '%s'", node->request->name);
	for (size_t i = 0; i < set->n; i++) {
		if (expr_holds(selector, profile_table_row(r->profiles, i)))
			node->match[node->n_matches++] = set->item[i];
	}
	return ERR_OK;
}

/* Does a wish for "NAME" or "NAME:ARGUMENT" mean c? A name may hold colons itself. */
static bool is_wished(const struct composition_wish *w, const struct component *c,
		      const char **argument)
{
	size_t len = strlen(c->name);

	*argument = NULL;
	if (!w || (w->paradigm && *w->paradigm != c->paradigm))
		return !w;
	if (!w->component || strcmp(w->component, c->name) == 0)
		return true;
	if (strncmp(w->component, c->name, len) != 0 || w->component[len] != ':' || !c->takes)
		return false;
	*argument = w->component + len + 1;
	return true;
}

/* The matches that the wish leaves; those whose whole name was typed before those with an
 * argument, so that "ted:measure" is the component of that name if there is one. */
static size_t wished_for(const struct composition_ask *a, struct composition_node *node)
{
	const char *argument;
	size_t n = 0, n_exact = 0;

	for (size_t i = 0; i < node->n_matches; i++) {
		if (!is_wished(a->wish, node->match[i], &argument))
			continue;
		if (n_exact > 0 && argument)
			continue;
		if (!argument && n_exact++ == 0)
			n = 0;
		n++;
		node->chosen = node->match[i];
		node->argument = argument;
	}
	return n;
}

/* Of several that are left: the one that was settled before. */
static size_t settled(const struct composition_ask *a, struct composition_node *node)
{
	const char *argument;
	size_t n = 0;

	for (size_t i = 0; i < node->n_matches && a->wish && a->wish->dflt; i++) {
		if (!is_wished(a->wish, node->match[i], &argument) ||
		    strcmp(node->match[i]->name, a->wish->dflt) != 0)
			continue;
		node->chosen = node->match[i];
		n++;
	}
	return n;
}

/* Says which the wish leaves. */
static void fail_several(const struct composition_ask *a, const struct composition_node *node,
			 struct err *e)
{
	const struct component **left = calloc(node->n_matches, sizeof *left);
	const char *argument;
	size_t n = 0;

	for (size_t i = 0; left && i < node->n_matches; i++) {
		if (is_wished(a->wish, node->match[i], &argument))
			left[n++] = node->match[i];
	}
	if (left)
		composition_fail_several(a, left, n, e);
	else
		composition_fail_several(a, node->match, node->n_matches, e);
	free(left);
}

static const char *deciding(const struct composition_wish *w, size_t n_wished)
{
	if (n_wished > 1)
		return w->dflt_by;
	return w->component ? w->flag : "--paradigm";
}

static enum err_code choose(const struct composition_ask *a, struct composition_node *node,
			    struct err *e)
{
	size_t n_wished = wished_for(a, node);
	size_t n = n_wished > 1 && settled(a, node) == 1 ? 1 : n_wished;

	if (node->n_matches == 0)
		composition_fail_none(a, e);
	else if (n == 0)
		composition_fail_wish(a, node->match, node->n_matches, e);
	else if (n > 1)
		fail_several(a, node, e);
	if (n != 1)
		return ERR_ARG;
	if (node->chosen->takes && !(node->argument && *node->argument)) {
		composition_fail_argument(a, node->chosen, e);
		return ERR_ARG;
	}
	if (node->n_matches > 1 && a->wish)
		node->decided_by = deciding(a->wish, n_wished);
	return ERR_OK;
}

static const char *name_of(const struct component *asked_by)
{
	return asked_by ? asked_by->name : "the whole";
}

/* The request is that of an earlier node: the same component must do. */
static enum err_code share(const struct composition_ask *a, const struct composition_node *earlier,
			   struct composition_node *node, struct err *e)
{
	const struct component *c = earlier->chosen;
	const struct component **m = node->match;
	size_t i = 0;

	while (i < node->n_matches && m[i] != c)
		i++;
	if (i == node->n_matches)
		return err_set(e, ERR_ARG,
			       "'%s' serves the request '%s' of '%s', but does not match that of "
			       "'%s': %s",
			       c->name, a->request->name, name_of(earlier->asked_by),
			       name_of(a->asked_by), a->request->selector);
	node->chosen = c;
	node->argument = earlier->argument;
	node->decided_by = earlier->decided_by;
	node->again = true;
	return ERR_OK;
}

static enum err_code check_cycle(const struct resolver *r, const struct composition_node *node)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc;
	unsigned i = 0;

	while (i < node->depth && r->path[i] != node->chosen)
		i++;
	if (i == node->depth)
		return ERR_OK;
	for (; i < node->depth; i++)
		strbuf_printf(&names, "'%.60s' -> ", r->path[i]->name);
	rc = err_set(r->e, ERR_ARG, "requests go in a circle: %s'%s'", strbuf_text(&names),
		     node->chosen->name);
	strbuf_release(&names);
	return rc;
}

static enum err_code serve(struct resolver *r, struct composition_node *node)
{
	const struct composition_node *earlier = composition_find(r->out, node->request->name);
	struct composition_ask a = {
		.question = r->question,
		.profiles = r->profiles,
		.request = node->request,
		.asked_by = node->asked_by,
		.wish = find_wish(r->question, node->request->name),
	};
	struct expr *selector = NULL;
	enum err_code rc = parse_selector(r, node->asked_by, node->request, &selector);

	a.selector = selector;
	if (!rc && !(rc = match(r, selector, node)))
		rc = earlier ? share(&a, earlier, node, r->e) : choose(&a, node, r->e);
	expr_free(selector);
	return rc ? rc : check_cycle(r, node);
}

static enum err_code add_node(struct resolver *r, const struct composition_node *node)
{
	struct composition *c = r->out;
	struct composition_node *longer = realloc(c->node, (c->n + 1) * sizeof *longer);

	if (!longer)
		return err_set(r->e, ERR_NOMEM, "a composition");
	c->node = longer;
	c->node[c->n++] = *node;
	return ERR_OK;
}

/* request and all that follows from it. The path up to the one who asks is set. */
static enum err_code resolve(struct resolver *r, const struct component *asked_by,
			     const struct component_request *request, unsigned depth)
{
	struct composition_node node = {.request = request, .asked_by = asked_by, .depth = depth};
	const struct component *chosen;
	enum err_code rc;

	if (depth > COMPOSITION_MAX_DEPTH)
		return err_set(r->e, ERR_ARG, "%s: requests nest deeper than %d", asked_by->origin,
			       COMPOSITION_MAX_DEPTH);
	if ((rc = serve(r, &node)) || (rc = add_node(r, &node))) {
		free(node.match);
		return rc;
	}
	if (node.again)
		return ERR_OK;
	chosen = r->path[depth] = node.chosen;
	for (size_t i = 0; i < chosen->n_requests && !rc; i++)
		rc = resolve(r, chosen, &chosen->request[i], depth + 1);
	return rc;
}

static enum err_code check_wishes(const struct composition_question *q, const struct composition *c,
				  struct err *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < q->n_wishes && !rc; i++) {
		const struct composition_wish *w = &q->wish[i];

		if ((!w->component && !w->paradigm) || composition_find(c, w->request))
			continue;
		for (size_t k = 0; k < c->n; k++) {
			if (!c->node[k].again)
				strbuf_printf(&names, "%s%s", names.len ? ", " : "",
					      c->node[k].request->name);
		}
		rc = err_set(e, ERR_ARG,
			     "%s: nothing in this composition requests '%s'; requested are %s",
			     w->component ? w->flag : "--paradigm", w->request,
			     strbuf_text(&names));
	}
	strbuf_release(&names);
	return rc;
}

enum err_code composition_resolve(const struct composition_question *q, struct composition *out,
				  struct err *e)
{
	struct composition made = {0};
	struct resolver r = {.question = q, .out = &made, .e = e};
	enum err_code rc;

	if (!(rc = profile_table_new(q->set, &r.profiles, e)) &&
	    !(rc = resolve(&r, NULL, q->root, 0)))
		rc = check_wishes(q, &made, e);
	profile_table_free(r.profiles);
	if (rc)
		composition_release(&made);
	else
		*out = made;
	return rc;
}

void composition_release(struct composition *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->node[i].match);
	free(c->node);
	*c = (struct composition){0};
}
