#include "domain/composition.h"

#include <stdlib.h>
#include <string.h>

#include "domain/composition_private.h"
#include "domain/expr.h"
#include "domain/profile_table.h"

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
