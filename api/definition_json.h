#ifndef API_DEFINITION_JSON_H
#define API_DEFINITION_JSON_H
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "kb/kb.h"

/* The definition of an application, as `lemnos apps show` tells it, that of a machine, as `lemnos
 * machines show` does, and their JSON forms. */

/* The flag of a column, without dashes: as defined; resources go by their names. NULL: it has none.
 */
const char *application_shown_flag(const struct application *a, const struct column *c);
/* "divisors of kt": the values that are tried when nobody fixed one; nothing where none are. */
void application_put_candidates(const struct application *a, const struct column *c,
				struct strbuf *s);

/* {"format_version", "app": {"name", "title", "model", "target", "columns": [...], "group_flags",
 * "legality", "terms"}}; "terms" only where there are some. NULL: out of memory. */
struct json_t;
struct json_t *application_json(const struct application *a);

/* 0 in a definition means "not known": NaN. */
double definition_known(double value);

/* What messages of a machine cost one way from a size on, and where that is from: "given" with the
 * machine, "given, inside a node", or "fitted" to ping-pong times. */
struct shown_costs {
	struct shown_cost {
		struct cost_segment segment;
		const char *origin;
	} * item;
	size_t n;
};
/* Those of the definition, else those fitted. id: of the machine in the base. Errors: NOMEM, those
 * of kb. */
enum err_code shown_costs_find(struct kb *kb, const struct machine *m, int64_t id,
			       struct shown_costs *out, struct err *e);
void shown_costs_release(struct shown_costs *c);

/* {"format_version", "machine": {"machine", "title", "origin", "simulated", "nodes",
 * "cores_per_node", "memory_bytes_per_node", the parameters of LogGP, "blocking_bytes", "segments":
 * [...]}}; what is not known is null. NULL: out of memory. */
struct json_t *machine_definition_json(const struct machine *m, const struct shown_costs *c);

#endif
