#ifndef CLI_COMPOSE_OPTIONS_H
#define CLI_COMPOSE_OPTIONS_H
#include <stddef.h>
#include "base/err.h"
#include "cli/frame/context.h"
#include "domain/composition.h"

/* What the command line says about a composition: which components there are, and which of them
 * serve which requests. */

extern const struct option_spec opt_network, opt_cpu, opt_choose, opt_paradigm, opt_components;

enum { MAX_WISHES = 32 };

/* Wishes about all requests that flags stand for, given or not, and about those of --choose and
 * --paradigm. */
struct compose_wishes {
	struct composition_wish item[MAX_WISHES];
	size_t n;
	enum component_paradigm paradigm[MAX_WISHES]; /* of item[i], if it has one */
	char **network;				      /* of --network, NULL-terminated */
	size_t n_networks;
	char **chosen, **paradigms;  /* what the items point into */
	char *application, *machine; /* the base's defaults */
};

/* Errors: USAGE. */
enum err_code compose_wishes_read(const struct context *c, struct compose_wishes *out,
				  struct err *e);
/* What the base has settled, where nothing was asked for: c->session.kb is open, or NULL. Errors:
 * KB. */
enum err_code compose_wishes_settle(const struct context *c, struct compose_wishes *w,
				    struct err *e);
void compose_wishes_release(struct compose_wishes *w);
/* The one about a request that a flag stands for: "network". */
struct composition_wish *compose_wishes_find(struct compose_wishes *w, const char *request);

/* The components that ship, and those of --components (files, or folders of *.conf). Errors: USAGE,
 * IO, NOTFOUND, PARSE. */
enum err_code compose_read_components(const struct context *c, struct component_set *set,
				      struct err *e);

#endif
