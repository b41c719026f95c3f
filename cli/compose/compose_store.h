#ifndef CLI_COMPOSE_STORE_H
#define CLI_COMPOSE_STORE_H
#include "base/err.h"
#include "cli/compose/composed_model.h"

/* --store: the time of a composed model becomes a run of the knowledge base, simulated where its
 * network is, else modelled, with network, processor and Wg beside it. Errors: ARG (the program is
 * not of the class whose columns it has), those of generated_runs_store(). */
enum err_code compose_store(struct context *c, const struct composed_model *m, struct err *e);

#endif
