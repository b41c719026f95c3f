#include "api/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/json_text.h"
#include "kb/kb.h"
#include "mining/messages/message_fit.h"

/* ---- from a file to costs; inside one transaction ---- */

/* As ingest does: a machine that is not known yet is made. */
static enum err_code make_machine(struct session *session, const char *name, const char *definition,
				  struct machine_calibration *k, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = definition ? ERR_OK : machine_unknown_text(name, &text, e);

	if (!rc && !(rc = machine_parse(definition ? definition : strbuf_text(&text), name,
					&k->machine, e)))
		rc = kb_put_machine(session->kb, k->machine, &k->machine_id, e);
	k->new_machine = true;
	strbuf_release(&text);
	return rc;
}

static enum err_code find_machine(struct session *session, const char *name, bool may_be_new,
				  const char *definition, struct machine_calibration *k,
				  struct err *e)
{
	struct err why = {0};
	enum err_code rc = session_machine(session, name, 0, &k->machine, &k->machine_id, &why);

	if (rc == ERR_NOTFOUND && name && may_be_new)
		return make_machine(session, name, definition, k, e);
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static bool is_identifiable(const struct message_loggp *p, const char *name)
{
	for (size_t i = 0; i < p->n_identifiable; i++) {
		if (!strcmp(p->identifiable[i], name))
			return true;
	}
	return false;
}

static void take_loggp(const struct message_loggp *p, struct machine_calibration *k)
{
	const struct loggp *v = &p->value, *se = &p->std_error;
	const struct calibration_loggp all[CALIBRATION_LOGGP] = {
		{"L", "L_s", false, v->L_s, se->L_s},
		{"o_small", "o_s", false, v->o_small_s, se->o_small_s},
		{"o_large", "o_large_s", false, v->o_large_s, se->o_large_s},
		{"G_small", "G_s_per_byte", false, v->G_small_s_per_byte, se->G_small_s_per_byte},
		{"G_large", "G_large_s_per_byte", false, v->G_large_s_per_byte,
		 se->G_large_s_per_byte},
	};

	memcpy(k->loggp, all, sizeof all);
	for (size_t i = 0; i < CALIBRATION_LOGGP; i++)
		k->loggp[i].known = is_identifiable(p, all[i].name);
	k->has_overheads = p->has_overheads;
	snprintf(k->why_not, sizeof k->why_not, "%s", p->why_not);
}

static enum err_code take_fit(const struct message_fit *fit, struct machine_calibration *k,
			      struct err *e)
{
	k->segment = calloc(fit->n_segment + 1, sizeof *k->segment);
	if (!k->segment)
		return err_set(e, ERR_NOMEM, "the costs of messages");
	memcpy(k->segment, fit->segment, fit->n_segment * sizeof *k->segment);
	k->n_segment = fit->n_segment;
	k->n_size = fit->n_size;
	k->n_disturbed = fit->n_disturbed;
	k->relative_error = fit->relative_error;
	k->threshold_bytes = fit->threshold_bytes;
	take_loggp(&fit->loggp, k);
	return ERR_OK;
}

static enum err_code fit_costs(struct session *session, struct machine_calibration *k,
			       struct err *e)
{
	struct kb_pingpong rows = {0};
	struct message_fit fit;
	enum err_code rc = kb_load_pingpong(session->kb, k->machine_id, &rows, e);

	if (!rc && rows.n == 0) {
		k->nothing_measured = true;
		rc = err_set(e, ERR_NODATA, "there are no ping-pong data of %s", k->machine->name);
	}
	if (!rc && !(rc = message_fit(rows.message_bytes, rows.roundtrip_s, rows.n,
				      session->progress, &fit, e)))
		rc = take_fit(&fit, k, e);
	k->n_rows = rows.n;
	k->inside_node = rows.inside_node;
	kb_pingpong_release(&rows);
	return rc;
}

static enum err_code calibrate(struct session *session, const char *machine,
			       const struct pingpong_file *const *file, size_t n,
			       const char *definition, struct machine_calibration *k, struct err *e)
{
	enum err_code rc = find_machine(session, machine, n > 0, definition, k, e);

	/* The first one is what the summary speaks of. */
	for (size_t i = n; i-- > 0 && !rc;) {
		if (file[i]->rows.n > 0)
			rc = pingpong_import(session->kb, file[i], k->machine_id, k->machine->name,
					     &k->import, e);
	}
	if (rc || (rc = fit_costs(session, k, e)))
		return rc;
	return kb_put_message_cost(session->kb, k->machine_id, k->segment, k->n_segment, e);
}

/* A file that cannot be fitted leaves no machine and no facts behind. */
enum err_code calibrate_with_files(struct session *session, const char *machine,
				   const struct pingpong_file *const *file, size_t n,
				   const char *definition, struct machine_calibration *out,
				   struct err *e)
{
	enum err_code rc = kb_begin(session->kb, e);

	*out = (struct machine_calibration){0};
	if (!rc && ((rc = calibrate(session, machine, file, n, definition, out, e)) ||
		    (rc = kb_commit(session->kb, e))))
		kb_rollback(session->kb);
	return rc;
}

enum err_code calibrate_machine(struct session *session, const char *machine, const char *pingpong,
				struct machine_calibration *out, struct err *e)
{
	struct pingpong_file f = {0};
	const struct pingpong_file *const file[] = {&f};
	enum err_code rc;

	*out = (struct machine_calibration){0};
	/* Before the lock: whoever writes into a pipe may take long. */
	if (pingpong && (rc = pingpong_file_read(pingpong, session->progress, &f, e)))
		return rc;
	rc = calibrate_with_files(session, machine, file, pingpong != NULL, NULL, out, e);
	pingpong_file_release(&f);
	return rc;
}

void machine_calibration_release(struct machine_calibration *k)
{
	machine_free(k->machine);
	free(k->segment);
	*k = (struct machine_calibration){0};
}

/* ---- JSON ---- */

static json_t *segment_json(const struct cost_segment *s, double to_bytes)
{
	json_t *row = json_object();

	return out_json_unless(member_real(row, "from_bytes", s->from_bytes) |
				       member_real(row, "to_bytes", to_bytes) |
				       member_real(row, "intercept_s", s->intercept_s) |
				       member_real(row, "se_intercept_s", s->se_intercept_s) |
				       member_real(row, "s_per_byte", s->s_per_byte) |
				       member_real(row, "se_s_per_byte", s->se_s_per_byte),
			       row);
}

struct json_t *cost_segments_json(const struct cost_segment *segment, size_t n)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < n; i++) {
		double to_bytes = i + 1 < n ? segment[i + 1].from_bytes : (double)NAN;

		if (json_array_append_new(rows, segment_json(&segment[i], to_bytes))) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

static int set_loggp(json_t *answer, const struct machine_calibration *k)
{
	json_t *names = json_array();
	int failed = 0;

	for (size_t i = 0; i < CALIBRATION_LOGGP; i++) {
		const struct calibration_loggp *p = &k->loggp[i];

		failed |= json_object_set_new(answer, p->key,
					      p->known ? out_json_real(p->value) : json_null());
		if (p->known)
			failed |= json_array_append_new(names, json_string(p->name));
	}
	return failed | json_object_set_new(answer, "identifiable", names) |
	       member_text(answer, "why_not", k->why_not);
}

struct json_t *machine_calibration_json(const struct machine_calibration *k)
{
	json_t *answer = out_json_answer();

	return out_json_unless(
		member_text(answer, "machine", k->machine->name) |
			json_object_set_new(answer, "segments",
					    cost_segments_json(k->segment, k->n_segment)) |
			set_loggp(answer, k) |
			json_object_set_new(answer, "threshold_bytes",
					    k->threshold_bytes > 0
						    ? out_json_real(k->threshold_bytes)
						    : json_null()) |
			member_int(answer, "rows", (json_int_t)k->n_rows) |
			member_int(answer, "sizes", (json_int_t)k->n_size) |
			member_int(answer, "disturbed", (json_int_t)k->n_disturbed) |
			member_real(answer, "relative_error", k->relative_error) |
			json_object_set_new(answer, "pairs",
					    k->inside_node ? json_string("inside a node")
							   : json_null()),
		answer);
}
