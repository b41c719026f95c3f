#ifndef API_KB_STATUS_H
#define API_KB_STATUS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* How things stand for one application on one machine. */
enum knowledge_state { STATE_NOT_MINED, STATE_TOO_FEW, STATE_STALE, STATE_MINED };
/* "not mined", "too few runs" (not mined, and mining would not help), "stale", "mined" */
const char *knowledge_state_name(enum knowledge_state s);

struct knowledge_status {
	char *app;
	char *machine;
	int64_t n_runs; /* in the base */
	enum knowledge_state state;
	char *predictor;  /* NULL: not mined */
	int64_t n_fitted; /* runs it was fitted to */
};
struct kb_status {
	struct knowledge_status *item; /* one per pair that has runs */
	size_t n;
	size_t n_not_mined, n_stale, n_mined;
	int64_t n_runs;
};

/* Knowledge is stale when the facts, judgements or given parameters it was made from are not those
 * of today: kb_snapshot() differs from the fit's. */
enum err_code kb_status_read(struct kb *kb, struct kb_status *out, struct err *e);
void kb_status_release(struct kb_status *s);

/* The base's own figures. */
struct kb_facts {
	char *default_app, *default_machine; /* NULL: none */
	int64_t n_imports;		     /* that were not undone */
	int64_t n_bytes;		     /* of its file; 0: not known */
};
/* Must be released in any case. Errors: those of kb. */
enum err_code kb_facts_read(struct kb *kb, struct kb_facts *out, struct err *e);
void kb_facts_release(struct kb_facts *facts);

/* {"format_version", "kb", "schema", "journal", "size_bytes", "imports", "runs", "default_app",
 * "default_machine", "knowledge": [...], "next"}; NULL: out of memory. path: as the base was
 * asked for. */
struct json_t;
struct json_t *kb_status_json(const char *path, struct kb *kb, const struct kb_facts *b,
			      const struct kb_status *s);

/* The command to type next. */
const char *kb_status_next(const struct kb_status *s);

#endif
