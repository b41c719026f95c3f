#ifndef CLI_CMD_MODEL_COMPONENTS_H
#define CLI_CMD_MODEL_COMPONENTS_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "cli/frame/context.h"
#include "domain/component.h"
#include "domain/machine.h"

/* Machines as components of the hardware domain (part transport): those of the knowledge base and,
 * where it has none of that name, those that ship. Their profiles:
 *
 *   costs          'loggp' or 'segments' as its definition gives them, 'ping-pong' as calibrated in
 *                  the base, 'none'
 *   local_costs    1: costs inside a node are known as well
 *   blocking_bytes sends of this size and more block; absent: not known
 *   simulated      1: invented or simulated
 *   runs           in the base
 *   nodes, cores_per_node   absent: not known */
struct machine_entry {
	struct component *component; /* the set's */
	struct machine *machine;     /* owned */
	int64_t id;		     /* in the base; 0: it ships */
};
struct machine_components {
	struct machine_entry *item;
	size_t n;
};

/* Append them to the set, and say in *out which is which. c->session.kb is open, or NULL: no base.
 * Errors: those of the base and of definitions. */
enum err_code machine_components_add(struct context *c, struct component_set *set,
				     struct machine_components *out, struct err *e);
void machine_components_release(struct machine_components *m);

/* NULL: the component is no machine. */
const struct machine_entry *machine_components_find(const struct machine_components *m,
						    const struct component *c);

#endif
