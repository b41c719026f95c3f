#ifndef DOMAIN_COMPOSITION_H
#define DOMAIN_COMPOSITION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/component.h"

/* The components that a composed model is made of: each request is served by the one component
 * whose profile makes its selector true. Several such components, or none, are an error that shows
 * them and what would decide; nothing is ever chosen because it is first, newest or cheapest.
 *
 * Requests of one name are one request, wherever they stand: two components that ask for "machine"
 * get the same machine, which must match both selectors.
 *
 * Source: POEMS, WOSP 1998, section 2.4 (component.h). */

/* A wish from outside: it narrows the matches of a request, and cannot widen them. */
struct composition_wish {
	const char *request;
	const char *component; /* "NAME", or "NAME:ARGUMENT" of one that takes something; NULL: any
				*/
	const enum component_paradigm *paradigm; /* NULL: any */
	/* A name that decides where several match and nothing was asked for, if it is one of them:
	 * what somebody has settled before, and where. NULL: nothing was. */
	const char *dflt, *dflt_by;
	const char *flag; /* what decides it, for messages: "--cpu" */
};

struct composition_question {
	const struct component_set *set;
	const struct component_request *root; /* what the whole is: "app" */
	const struct composition_wish *wish;
	size_t n_wishes;
};

/* A request and who serves it. */
struct composition_node {
	const struct component_request *request;
	const struct component *asked_by; /* NULL: the root */
	const struct component *chosen;
	const char *argument;		/* what chosen takes; NULL: nothing */
	const struct component **match; /* all that the selector is true of, chosen among them */
	size_t n_matches;
	const char *decided_by; /* among several matches: a flag; NULL: it was the only match */
	unsigned depth;		/* 0: the root */
	bool again;		/* served further up already, by the same component */
};

/* The nodes in the order in which requests stand: each before those that its component asks. */
struct composition {
	struct composition_node *node;
	size_t n;
};

enum { COMPOSITION_MAX_DEPTH = 32 };

/* out borrows the question, its set and its wishes. Errors: ARG (none matches, several do, what was
 * wished for does not match, a cycle, nesting beyond COMPOSITION_MAX_DEPTH, a wish that nothing
 * requests), PARSE (a selector that is no condition over the profiles, a set that contradicts
 * itself), NOMEM. */
enum err_code composition_resolve(const struct composition_question *q, struct composition *out,
				  struct err *e);
void composition_release(struct composition *c);

/* The node that serves a request; NULL: nothing requests that. */
const struct composition_node *composition_find(const struct composition *c, const char *request);

#endif
