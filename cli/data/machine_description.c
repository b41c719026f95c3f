#include "cli/data/machine_description.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

static const struct out_column columns[] = {
	{"machine", NULL, OUT_TEXT},
	{"title", NULL, OUT_TEXT},
	{"origin", NULL, OUT_TEXT},
	{"simulated", NULL, OUT_BOOL},
	{"nodes", NULL, OUT_INT},
	{"cores_per_node", "cores per node", OUT_INT},
	{"memory_bytes_per_node", "memory per node [bytes]", OUT_REAL},
	{"L_s", "L [s]", OUT_REAL},
	{"o_small_s", "o, small messages [s]", OUT_REAL},
	{"o_large_s", "o, large messages [s]", OUT_REAL},
	{"G_small_s_per_byte", "G, small messages [s/byte]", OUT_REAL},
	{"G_large_s_per_byte", "G, large messages [s/byte]", OUT_REAL},
	{"small_max_bytes", "small: up to [bytes]", OUT_REAL},
	{"handshake_bytes", "handshake from [bytes]", OUT_REAL},
	{"blocking_bytes", "sends block from [bytes]", OUT_REAL},
};

/* 0 in a definition means "not known". */
static double known(double value)
{
	return value > 0 ? value : (double)NAN;
}

static void put_count(struct out_table *t, int64_t n)
{
	if (n > 0)
		out_int(t, n);
	else
		out_null(t);
}

static void put_loggp(struct out_table *t, const struct machine *m)
{
	const double value[] = {
		m->loggp.L_s,
		m->loggp.o_small_s,
		m->loggp.o_large_s,
		m->loggp.G_small_s_per_byte,
		m->loggp.G_large_s_per_byte,
		m->loggp.small_max_bytes,
		m->loggp.handshake_bytes,
	};

	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
		out_real(t, m->has_loggp ? value[i] : (double)NAN);
}

static void put_machine(struct out_table *t, const struct machine *m)
{
	out_text(t, m->name);
	out_text(t, m->title);
	out_text(t, m->origin);
	out_bool(t, m->simulated);
	put_count(t, m->nodes);
	put_count(t, m->cores_per_node);
	out_real(t, known(m->memory_bytes_per_node));
	put_loggp(t, m);
	out_real(t, known(m->blocking_bytes));
}

static const struct out_column segment_columns[] = {
	{"from_bytes", "from [bytes]", OUT_REAL},
	{"intercept_s", "intercept [s]", OUT_REAL},
	{"s_per_byte", "slope [s/byte]", OUT_REAL},
	{"se_intercept_s", "std. error [s]", OUT_REAL},
	{"se_s_per_byte", "std. error [s/byte]", OUT_REAL},
	{"origin", NULL, OUT_TEXT},
};

static void put_segments(struct out_table *t, const struct cost_segment *segment, size_t n,
			 const char *origin)
{
	for (size_t i = 0; i < n; i++) {
		out_real(t, segment[i].from_bytes);
		out_real(t, segment[i].intercept_s);
		out_real(t, segment[i].s_per_byte);
		out_real(t, known(segment[i].se_intercept_s));
		out_real(t, known(segment[i].se_s_per_byte));
		out_text(t, origin);
	}
}

/* One-way message costs: those of the definition, else those fitted to ping-pong times. */
static enum err_code read_segments(struct context *c, const struct machine *m, int64_t id,
				   struct out_table *t, struct err *e)
{
	struct cost_segment *fitted = NULL;
	size_t n = 0;
	enum err_code rc = ERR_OK;

	if (m->n_segment > 0)
		put_segments(t, m->segment, m->n_segment, "given");
	else if (!(rc = kb_get_message_cost(c->session.kb, id, &fitted, &n, e)))
		put_segments(t, fitted, n, "fitted");
	put_segments(t, m->segment_local, m->n_segment_local, "given, inside a node");
	free(fitted);
	return rc;
}

static enum err_code print_json(const struct out_table *t, const struct out_table *segments,
				FILE *f, struct err *e)
{
	json_t *answer = out_json_answer();
	json_t *rows = out_table_json(t);
	json_t *machine = json_array_get(rows, 0);
	enum err_code rc;

	if (!answer || json_object_set_new(machine, "segments", out_table_json(segments)) ||
	    json_object_set(answer, "machine", machine))
		rc = err_set(e, ERR_NOMEM, "the machine as JSON");
	else
		rc = out_json(answer, f, e);
	json_decref(rows);
	json_decref(answer);
	return rc;
}

static enum err_code print_all(struct context *c, const struct machine *m, int64_t id,
			       struct out_table *t, struct out_table *segments, struct err *e)
{
	enum err_code rc;

	if (!t || !segments)
		return err_set(e, ERR_NOMEM, "the machine %s", m->name);
	put_machine(t, m);
	if ((rc = read_segments(c, m, id, segments, e)))
		return rc;
	if (c->format == FORMAT_JSON)
		return print_json(t, segments, c->out, e);
	if ((rc = out_record_print(t, c->format, "machine", c->out, e)) || c->format == FORMAT_CSV)
		return rc;
	if (out_table_rows(segments) > 0)
		fputs("\nmessages, one way:\n", c->out);
	else if (!m->has_loggp)
		context_note(c,
			     "its message costs are not known; `lemnos calibrate --machine %s "
			     "--pingpong FILE` finds them",
			     m->name);
	return out_table_print(segments, FORMAT_TABLE, "segments", c->out, e);
}

enum err_code machine_description_print(struct context *c, const struct machine *m, int64_t id,
					struct err *e)
{
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	struct out_table *segments =
		out_table_new(segment_columns, sizeof segment_columns / sizeof segment_columns[0]);
	enum err_code rc = print_all(c, m, id, t, segments, e);

	out_table_free(segments);
	out_table_free(t);
	return rc;
}
