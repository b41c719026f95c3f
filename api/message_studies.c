#include "api/message_studies.h"

#include <math.h>
#include <stdlib.h>

#include "ingest/ingest.h"
#include "ingest/number_table.h"

/* ---- a ping-pong beside the model ---- */

static int by_size(const void *a, const void *b)
{
	const struct study_point *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? 1 : -1;
	return (x->measured_s > y->measured_s) - (x->measured_s < y->measured_s);
}

/* Points sorted by size and time: one of each size is left, with the median time. */
static size_t join_repeats(struct study_point *p, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double lower, upper;

		for (end = i; end < n && p[end].bytes == p[i].bytes;)
			end++;
		lower = p[i + (end - i - 1) / 2].measured_s;
		upper = p[i + (end - i) / 2].measured_s;
		p[n_left++] = (struct study_point){p[i].bytes, (lower + upper) / 2, end - i};
	}
	return n_left;
}

static enum err_code take_measured(const struct kb_pingpong *rows, struct message_study *s,
				   struct err *e)
{
	s->point = calloc(rows->n, sizeof *s->point);
	if (!s->point)
		return err_set(e, ERR_NOMEM, "%zu sizes of messages", rows->n);
	for (size_t i = 0; i < rows->n; i++)
		s->point[i] =
			(struct study_point){rows->message_bytes[i], rows->roundtrip_s[i] / 2, 1};
	qsort(s->point, rows->n, sizeof *s->point, by_size);
	s->n = join_repeats(s->point, rows->n);
	s->measured = true;
	return ERR_OK;
}

/* Powers of 2, and of each range of the cost its first byte and the last one before it. */
static enum err_code take_usual(const struct message_cost *c, struct message_study *s,
				struct err *e)
{
	enum { POWERS = 21 };
	size_t n = 0;

	s->point = calloc(POWERS + 2 * c->n_range, sizeof *s->point);
	if (!s->point)
		return err_set(e, ERR_NOMEM, "sizes of messages");
	for (int k = 0; k < POWERS; k++)
		s->point[n++].bytes = (double)(1 << k);
	for (size_t i = 1; i < c->n_range; i++) {
		double first = ceil(c->range[i].from_bytes);

		s->point[n++].bytes = first;
		s->point[n++].bytes = first - 1;
	}
	for (size_t i = 0; i < n; i++)
		s->point[i].measured_s = NAN;
	qsort(s->point, n, sizeof *s->point, by_size);
	s->n = join_repeats(s->point, n);
	return ERR_OK;
}

enum err_code message_study_read(struct session *session, const struct model_question *q,
				 const char *path, struct message_study *out, struct err *e)
{
	struct message_study s = {0};
	struct kb_pingpong rows = {0};
	char sha256[65];
	enum err_code rc = ERR_OK;

	if (path)
		rc = pingpong_read(path, session->progress, &rows, sha256, e);
	else if (session->kb && q->machine_id)
		rc = kb_load_pingpong(session->kb, q->machine_id, &rows, e);
	if (!rc)
		rc = rows.n > 0 ? take_measured(&rows, &s, e) : take_usual(&q->remote, &s, e);
	kb_pingpong_release(&rows);
	if (rc)
		message_study_release(&s);
	else
		*out = s;
	return rc;
}

void message_study_release(struct message_study *s)
{
	free(s->point);
	*s = (struct message_study){0};
}

/* ---- the states of a network ---- */

enum err_code transfer_states_read(const char *path, double ideal_share, const struct progress *p,
				   struct transfer_states *out, struct err *e)
{
	struct kb_pingpong rows = {0};
	char sha256[65];
	enum err_code rc = pingpong_read(path, p, &rows, sha256, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < rows.n; i++)
		rows.roundtrip_s[i] /= 2; /* one way */
	rc = transfer_states_find(rows.message_bytes, rows.roundtrip_s, rows.n, ideal_share, out,
				  e);
	kb_pingpong_release(&rows);
	return rc;
}

/* ---- a collective operation ---- */

enum { BYTES, NODES, TIME, N_COLUMNS };

static enum err_code fit_rows(const struct number_table *t, struct collective_fit *out,
			      struct err *e)
{
	double *column = calloc(t->n_rows, N_COLUMNS * sizeof *column);
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "%zu measurements", t->n_rows);
	for (size_t i = 0; i < t->n_rows; i++) {
		for (size_t k = 0; k < N_COLUMNS; k++)
			column[k * t->n_rows + i] = t->cell[i * N_COLUMNS + k];
	}
	rc = collective_fit_find(column + BYTES * t->n_rows, column + NODES * t->n_rows,
				 column + TIME * t->n_rows, t->n_rows, out, e);
	free(column);
	return rc;
}

enum err_code collective_fit_read(const char *path, struct collective_fit *out, struct err *e)
{
	static const char *const bytes[] = {"message", "msg", "message_size", "msg_size", "bytes",
					    "size",    NULL};
	static const char *const nodes[] = {"nodes", "n", "procs", "processes", "ranks", NULL};
	static const char *const time[] = {"time", "t", NULL};
	static const struct number_column column[N_COLUMNS] = {
		[BYTES] = {.names = bytes, .kind = NUMBER_BYTES},
		[NODES] = {.names = nodes, .least = 1},
		[TIME] = {.names = time, .kind = NUMBER_SECONDS, .least = 1e-12},
	};
	struct number_table rows = {0};
	enum err_code rc;

	if (!(rc = number_table_read(path, column, N_COLUMNS, &rows, e)))
		rc = fit_rows(&rows, out, e);
	number_table_release(&rows);
	return rc;
}

double collective_line_rate(const struct collective_line *line)
{
	return line->s_per_byte > 0 ? 1 / line->s_per_byte : (double)NAN;
}
