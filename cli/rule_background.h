#ifndef CLI_RULE_BACKGROUND_H
#define CLI_RULE_BACKGROUND_H
#include <stdint.h>
#include "base/err.h"
#include "cli/context.h"
#include "cli/rule_book.h"
#include "cli/rule_witness.h"
#include "domain/dataset.h"

/* What `rules show` says of a rule besides what is stored with it: taken from today's runs. */
struct rule_background {
	struct dataset *runs; /* of the rule's scope */
	struct kb_names machines;
	struct rule_witness witness;
	int64_t n_runs;		 /* that the condition holds for */
	struct out_table *brief; /* the first of them */
};

/* limit: of runs in the table, 0: all. Errors: those of kb, NOMEM, INTERRUPTED. */
enum err_code rule_background_load(struct context *c, const struct rule_book *b,
				   const struct rule *r, int64_t limit, struct rule_background *out,
				   struct err *e);
void rule_background_release(struct rule_background *g);
/* The name of the machine of run i of g->runs. */
const char *rule_background_machine(const struct rule_background *g, size_t i);

#endif
