#include "api/pingpong_import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "ingest/ingest.h"
#include "ingest/number_table.h"

enum err_code pingpong_file_read(const char *path, const struct progress *p,
				 struct pingpong_file *out, struct err *e)
{
	struct pingpong_file f = {.path = path};
	enum err_code rc = pingpong_read(path, p, &f.rows, f.sha256, e);

	if (!rc)
		*out = f;
	else
		pingpong_file_release(&f);
	return rc;
}

void pingpong_file_release(struct pingpong_file *f)
{
	kb_pingpong_release(&f->rows);
}

/* Names are only read by kb_add_pingpong(); the casts are for struct kb_import, which owns its
 * texts elsewhere. */
static struct kb_import import_of(const struct pingpong_file *f, const char *machine)
{
	const char *slash = strrchr(f->path, '/');
	struct kb_import imp = {
		.file_name = (char *)(slash ? slash + 1 : f->path),
		.mapping = (char *)(f->rows.inside_node ? KB_PINGPONG_INSIDE_MAPPING
							: KB_PINGPONG_MAPPING),
		.machine = (char *)machine,
		.n_taken = (int64_t)f->rows.n,
	};

	memcpy(imp.sha256, f->sha256, sizeof imp.sha256);
	return imp;
}

/* Is it there already? */
static enum err_code look_up(struct kb *kb, const struct pingpong_file *f, const char *machine,
			     struct pingpong_import *out, struct err *e)
{
	const struct kb_import imp = import_of(f, machine);
	enum err_code rc;

	*out = (struct pingpong_import){.n_rows = (int64_t)f->rows.n};
	rc = kb_find_import(kb, &imp, &out->import_id, e);
	out->known = out->import_id != 0;
	return rc;
}

enum err_code pingpong_import(struct kb *kb, const struct pingpong_file *f, int64_t machine_id,
			      const char *machine, struct pingpong_import *out, struct err *e)
{
	struct kb_import imp = import_of(f, machine);
	enum err_code rc = look_up(kb, f, machine, out, e);

	if (rc || out->known)
		return rc;
	rc = kb_add_pingpong(kb, machine_id, &imp, &f->rows, e);
	out->import_id = imp.id;
	return rc;
}

enum err_code pingpong_import_alone(struct kb *kb, const struct pingpong_file *f,
				    int64_t machine_id, const char *machine,
				    struct pingpong_import *out, struct err *e)
{
	enum err_code rc = look_up(kb, f, machine, out, e);

	if (rc || out->known || (rc = kb_begin(kb, e)))
		return rc;
	/* another may have added it while we waited */
	if ((rc = pingpong_import(kb, f, machine_id, machine, out, e)) || (rc = kb_commit(kb, e)))
		kb_rollback(kb);
	return rc;
}

/* ---- measured here ---- */

enum { BYTES, ROUNDTRIP, SEND, RECEIVE, BLOCKS, NODES, CORES, MEMORY, SIMULATED, N_COLUMNS };

static enum err_code read_table(const char *path, struct number_table *out, struct err *e)
{
	static const char *const bytes[] = {"message", NULL}, *const trip[] = {"roundtrip", NULL};
	static const char *const send[] = {"send", NULL}, *const receive[] = {"receive", NULL};
	static const char *const blocks[] = {"blocks", NULL}, *const nodes[] = {"pair_nodes", NULL};
	static const char *const cores[] = {"cores", NULL}, *const memory[] = {"memory", NULL};
	static const char *const simulated[] = {"simulated", NULL};
	static const struct number_column column[N_COLUMNS] = {
		[BYTES] = {.names = bytes, .kind = NUMBER_BYTES},
		[ROUNDTRIP] = {.names = trip, .kind = NUMBER_SECONDS, .least = 1e-12},
		[SEND] = {.names = send, .kind = NUMBER_SECONDS},
		[RECEIVE] = {.names = receive, .kind = NUMBER_SECONDS},
		[BLOCKS] = {.names = blocks},
		[NODES] = {.names = nodes, .least = 1},
		[CORES] = {.names = cores},
		[MEMORY] = {.names = memory, .kind = NUMBER_BYTES},
		[SIMULATED] = {.names = simulated},
	};

	return number_table_read(path, column, N_COLUMNS, out, e);
}

static enum err_code take_rows(const struct number_table *t, bool inside, struct message_place *p,
			       struct err *e)
{
	struct kb_pingpong *rows = &p->file.rows;

	rows->inside_node = inside;
	rows->message_bytes = calloc(t->n_rows + 1, sizeof *rows->message_bytes);
	rows->roundtrip_s = calloc(t->n_rows + 1, sizeof *rows->roundtrip_s);
	p->call = calloc(t->n_rows + 1, sizeof *p->call);
	if (!rows->message_bytes || !rows->roundtrip_s || !p->call)
		return err_set(e, ERR_NOMEM, "%zu round trips", t->n_rows);
	for (size_t i = 0; i < t->n_rows; i++) {
		const double *cell = &t->cell[i * t->n_columns];

		if ((cell[NODES] == 1) != inside)
			continue;
		rows->message_bytes[rows->n] = cell[BYTES];
		rows->roundtrip_s[rows->n] = cell[ROUNDTRIP];
		p->call[rows->n++] = (struct message_call){cell[BYTES], cell[SEND], cell[RECEIVE],
							   cell[BLOCKS] > 0};
	}
	return ERR_OK;
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, compare_doubles);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* The medians of one size; work[3 * rows]. */
static struct pingpong_point point_of(const struct message_place *p, double bytes, double *work)
{
	const size_t n_all = p->file.rows.n;
	size_t n = 0;

	for (size_t i = 0; i < n_all; i++) {
		if (p->call[i].bytes != bytes)
			continue;
		work[n] = p->file.rows.roundtrip_s[i] / 2;
		work[n_all + n] = p->call[i].send_s;
		work[2 * n_all + n++] = p->call[i].receive_s;
	}
	return (struct pingpong_point){bytes, median(work, n), median(work + n_all, n),
				       median(work + 2 * n_all, n)};
}

static enum err_code find_points(struct message_place *p, struct err *e)
{
	const size_t n = p->file.rows.n;
	double *work = calloc(3 * n + 1, sizeof *work);
	double last = -1;

	p->point = calloc(n + 1, sizeof *p->point);
	if (!work || !p->point) {
		free(work);
		return err_set(e, ERR_NOMEM, "%zu sizes of messages", n);
	}
	for (;;) {
		double next = INFINITY;

		for (size_t i = 0; i < n; i++) {
			if (p->call[i].bytes > last)
				next = fmin(next, p->call[i].bytes);
		}
		if (isinf(next))
			break;
		p->point[p->n_point++] = point_of(p, next, work);
		last = next;
	}
	free(work);
	return ERR_OK;
}

static enum err_code fit_place(struct message_place *p, struct err *e)
{
	const struct kb_pingpong *rows = &p->file.rows;
	enum err_code rc;

	if (rows->n == 0)
		return ERR_OK;
	if ((rc = message_fit(rows->message_bytes, rows->roundtrip_s, rows->n, NULL, &p->fit, e)) ||
	    (rc = overhead_fit(p->call, rows->n, &p->fit, &p->calls, e)))
		return rc;
	return find_points(p, e);
}

/* The smallest node counts: what is asked for must fit on any. 0, not known, is no size. */
static void take_node(const struct number_table *t, struct pingpong_measured *m)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		const double *cell = &t->cell[i * t->n_columns];

		if (cell[CORES] >= 1 && (m->cores == 0 || cell[CORES] < (double)m->cores))
			m->cores = (int64_t)fmin(cell[CORES], 1e9);
		if (cell[MEMORY] > 0 && (m->memory_bytes == 0 || cell[MEMORY] < m->memory_bytes))
			m->memory_bytes = cell[MEMORY];
		m->simulated |= cell[SIMULATED] > 0;
	}
}

/* The file's, as `calibrate --pingpong` has it: the same file again adds nothing. */
static enum err_code digest_of(const char *path, char sha256[65], struct err *e)
{
	struct pingpong_file f = {0};
	enum err_code rc = pingpong_file_read(path, NULL, &f, e);

	if (!rc)
		memcpy(sha256, f.sha256, sizeof f.sha256);
	pingpong_file_release(&f);
	return rc;
}

enum err_code pingpong_measured_read(const char *path, struct pingpong_measured *out, struct err *e)
{
	struct number_table t = {0};
	enum err_code rc;

	*out = (struct pingpong_measured){.cores = 0};
	if ((rc = read_table(path, &t, e)))
		return rc;
	take_node(&t, out);
	if (!(rc = take_rows(&t, true, &out->inside, e)) &&
	    !(rc = take_rows(&t, false, &out->between, e)) &&
	    !(rc = digest_of(path, out->inside.file.sha256, e)) &&
	    !(rc = fit_place(&out->inside, e)))
		rc = fit_place(&out->between, e);
	memcpy(out->between.file.sha256, out->inside.file.sha256, sizeof out->inside.file.sha256);
	out->inside.file.path = out->between.file.path = "pingpong.csv";
	number_table_release(&t);
	return rc;
}

static void place_release(struct message_place *p)
{
	pingpong_file_release(&p->file);
	free(p->call);
	free(p->point);
	*p = (struct message_place){.call = NULL};
}

void pingpong_measured_release(struct pingpong_measured *m)
{
	place_release(&m->inside);
	place_release(&m->between);
}
