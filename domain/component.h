#ifndef DOMAIN_COMPONENT_H
#define DOMAIN_COMPONENT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"

/* A component of a composed model as data: what it is (its profile), and what it needs from others
 * (its requests). Read from libconfig texts (data/components, or the user's own); composition.h
 * puts components together.
 *
 * Source: Deelman et al., "POEMS: End-to-end Performance Design of Large Parallel Adaptive
 * Computational Systems", WOSP 1998, section 2.4. There a profile and a selector belong to an
 * interface with a transaction and a protocol, and a profile may change during execution; here a
 * component has one profile that does not change, and what flows between components is fixed by the
 * code behind them. */

enum component_domain {
	DOMAIN_APPLICATION, /* the program */
	DOMAIN_RUNTIME,	    /* operating and runtime system: what a message and a wait cost */
	DOMAIN_HARDWARE,
	DOMAIN_COUNT
};
const char *component_domain_name(enum component_domain d); /* "application", ... */

/* The classes of the hardware domain. */
enum component_part {
	PART_NONE, /* of the other domains */
	PART_PROCESSOR,
	PART_MEMORY,
	PART_TRANSPORT,
	PART_STORAGE,
	PART_COUNT
};
const char *component_part_name(enum component_part p); /* "processor", ...; "" for PART_NONE */

enum component_paradigm {
	PARADIGM_ANALYTIC,
	PARADIGM_SIMULATED,
	PARADIGM_MEASURED,
	PARADIGM_COUNT
};
const char *component_paradigm_name(enum component_paradigm p); /* "analytic", ... */
/* Errors: ARG (the message lists the three). */
enum err_code component_paradigm_parse(const char *text, enum component_paradigm *out,
				       struct err *e);

struct component_attribute {
	char *name;
	char *text; /* NULL: a number */
	double number;
};

/* A need, by what the one who serves it must be like. */
struct component_request {
	char *name;	/* "network"; what --network decides */
	char *selector; /* a condition (expr.h) over the attributes of all profiles */
	unsigned line;	/* of the definition */
};

struct component {
	char *name;
	char *title;
	enum component_domain domain;
	enum component_part part;
	enum component_paradigm paradigm;
	char *code;  /* what computes it; as name unless the definition says otherwise */
	char *takes; /* what must follow the name: "FILE" for name:FILE; NULL: nothing */
	struct component_attribute *attribute;
	size_t n_attributes;
	struct component_request *request;
	size_t n_requests;
	char *origin; /* where it was defined: "FILE:LINE" for messages */
};

/* Components, in the order in which they were added. */
struct component_set {
	struct component **item;
	size_t n;
};

/* Append the components of a definition text:
 *
 *   components = ( { name = "..."; domain = "..."; paradigm = "..."; part = "...";   (hardware)
 *                    title = "..."; code = "..."; takes = "...";                  (may be left out)
 *                    profile = { ATTRIBUTE = "text" or number; ... };
 *                    requests = ( { name = "..."; selector = "..."; }, ... ); }, ... );
 *
 * On an error the set holds what it held before. Errors: PARSE (names file, line, and what would be
 * right). Whether names are unique and selectors make sense is known when the set is complete:
 * composition_resolve() says. */
enum err_code component_parse(const char *text, const char *origin, struct component_set *set,
			      struct err *e);
/* component_parse() of a file. Errors: IO, NOTFOUND, PARSE. */
enum err_code component_read(const char *path, struct component_set *set, struct err *e);

/* Add a component that was made otherwise; taken over in any case. Errors: NOMEM. */
enum err_code component_set_add(struct component_set *set, struct component *c, struct err *e);
void component_set_release(struct component_set *set);

/* Copies; a profile's attribute is added by one of these. false: out of memory. */
bool component_put_text(struct component *c, const char *attribute, const char *text);
bool component_put_number(struct component *c, const char *attribute, double number);
void component_free(struct component *c);

/* Append its name for people: in quotes where it is more than a word, and "NAME:FILE" if it takes
 * something. */
void component_put_name(const struct component *c, struct strbuf *out);

/* The attribute of this name (as in a condition, case does not matter); NULL: it has none. */
const struct component_attribute *component_attribute(const struct component *c, const char *name);

#endif
