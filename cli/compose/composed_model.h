#ifndef CLI_COMPOSED_MODEL_H
#define CLI_COMPOSED_MODEL_H
#include <stdbool.h>
#include "base/err.h"
#include "cli/frame/context.h"
#include "cli/compose/cmd_model_components.h"
#include "cli/model/model_options.h"
#include "domain/composition.h"

/* A composition that is run: each component contributes its part, those that it requests first. */
struct composed_model {
	struct context *c;
	const struct composition *parts;
	const struct machine_components *machines;
	/* What was composed just before, for levels of detail side by side: where machine and
	 * processor are the same, so is Wg, and nothing is measured twice. NULL: nothing. */
	const struct composed_model *before;

	struct model_question q; /* q.machine is borrowed, or own_machine */
	struct machine *own_machine;
	const struct component
		*disk; /* or file system: its profile has rates and sizes; NULL: nobody asked */
	const struct component *memory; /* its profile has the caches; NULL: nobody asked */
	struct sweep_time time;		/* parts NaN: only the whole is known */
	const char *caveat;		/* what the time must not be given without; NULL: nothing */
};

/* Everything that the components' code computes, into m->time. Errors: those of the components, and
 * ARG (a component without code: says what there is). */
enum err_code composed_model_run(struct composed_model *m, struct err *e);
void composed_model_release(struct composed_model *m);

/* Can every component of the set be run? Errors: PARSE (names the definition and the code there
 * is). */
enum err_code composed_model_check(const struct component_set *set, struct err *e);

#endif
