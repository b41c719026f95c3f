#include "ingest/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/cell_number.h"
#include "ingest/foreign_file.h"
#include "ingest/header_match.h"
#include "ingest/mapping_check.h"
#include "ingest/text_table.h"

/* The columns of a ping-pong table. */
struct pingpong_columns {
	size_t bytes;
	size_t roundtrip;
	size_t nodes; /* of the pair, 1 or 2; SIZE_MAX: it does not say */
	struct cell_unit bytes_unit;
	struct cell_unit roundtrip_unit;
};

static bool is_one_of(const char *stem, const char *const *name)
{
	while (*name && strcmp(*name, stem) != 0)
		name++;
	return *name != NULL;
}

static enum err_code missing(const struct text_table *t, const char *what, struct err *e)
{
	struct strbuf headers = STRBUF_INIT;
	enum err_code rc;

	mapping_check_list_headers(t, &headers);
	rc = err_set(e, ERR_PARSE, "%s:%llu: %s; the columns are %s", text_table_name(t),
		     (unsigned long long)text_table_header_line(t), what, strbuf_text(&headers));
	strbuf_release(&headers);
	return rc;
}

static enum err_code find_columns(const struct text_table *t, struct pingpong_columns *c,
				  struct err *e)
{
	static const char *const bytes[] = {"message", "msg", "message_size", "msg_size", "size",
					    "bytes",   NULL};
	static const char *const roundtrip[] = {"roundtrip", "round_trip", "rtt", NULL};

	*c = (struct pingpong_columns){SIZE_MAX, SIZE_MAX, text_table_find(t, "pair_nodes"),
				       cell_unit_same, cell_unit_same};
	for (size_t i = 0; i < text_table_n_columns(t); i++) {
		struct header_name h;

		if (!header_name_read(text_table_column(t, i), &h) || h.statistic)
			continue;
		if (is_one_of(h.stem, bytes) && (!*h.unit || cell_unit_bytes(h.unit) > 0)) {
			if (c->bytes != SIZE_MAX)
				return missing(t, "two columns could be message_bytes", e);
			c->bytes = i;
			if (*h.unit)
				c->bytes_unit = cell_unit_of_ratio(cell_unit_bytes(h.unit));
		} else if (is_one_of(h.stem, roundtrip) && cell_unit_seconds(h.unit) > 0) {
			if (c->roundtrip != SIZE_MAX)
				return missing(t, "two columns could be the round trip", e);
			c->roundtrip = i;
			c->roundtrip_unit = cell_unit_of_ratio(cell_unit_seconds(h.unit));
		}
	}
	if (c->bytes == SIZE_MAX)
		return missing(t, "no column message_bytes", e);
	if (c->roundtrip == SIZE_MAX)
		return missing(t, "no column roundtrip_us (or _ns, _ms, _s)", e);
	return ERR_OK;
}

static enum err_code read_value(const struct text_table *t, const struct table_record *rec,
				size_t i, struct cell_unit unit, bool zero_allowed, double *out,
				struct err *e)
{
	enum number_fault fault = cell_number(rec->field[i], out);
	struct strbuf reason = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	if (fault != NUMBER_OK) {
		number_fault_explain(fault, rec->field[i], &reason);
	} else {
		*out = cell_unit_apply(unit, *out);
		if (*out < 0 || (*out == 0 && !zero_allowed) || !(*out < 9e99))
			strbuf_printf(&reason, "'%.60s' is out of range: it must be %s",
				      rec->field[i],
				      zero_allowed ? "at least 0" : "greater than 0");
	}
	if (reason.len || reason.failed)
		rc = err_set(e, ERR_PARSE, "%s:%llu: %s: %s", text_table_name(t),
			     (unsigned long long)rec->line, text_table_column(t, i),
			     strbuf_text(&reason));
	strbuf_release(&reason);
	return rc;
}

/* Its rows are held in memory, and fitted as a whole: no measurement is longer, and a pipe may
 * never end. */
enum { FILE_BYTES_MAX = 64 << 20, MAX_ROUND_TRIPS = 1000000, ROWS_PER_POLL = 4096 };

static enum err_code add_row(struct kb_pingpong *rows, size_t *cap, double bytes,
			     double roundtrip_s, struct err *e)
{
	if (rows->n == *cap) {
		size_t grown = *cap ? *cap * 2 : 256;
		double *b = realloc(rows->message_bytes, grown * sizeof *b);
		double *r;

		if (!b)
			return err_set(e, ERR_NOMEM, "%zu ping-pong rows", grown);
		rows->message_bytes = b;
		r = realloc(rows->roundtrip_s, grown * sizeof *r);
		if (!r)
			return err_set(e, ERR_NOMEM, "%zu ping-pong rows", grown);
		rows->roundtrip_s = r;
		*cap = grown;
	}
	rows->message_bytes[rows->n] = bytes;
	rows->roundtrip_s[rows->n++] = roundtrip_s;
	return ERR_OK;
}

/* How many nodes the pair of a row is on; 2 where the table does not say. */
static enum err_code read_nodes(const struct text_table *t, const struct table_record *rec,
				size_t i, double *out, struct err *e)
{
	enum err_code rc;

	*out = 2;
	if (i == SIZE_MAX)
		return ERR_OK;
	if ((rc = read_value(t, rec, i, cell_unit_same, false, out, e)))
		return rc;
	if (*out != 1 && *out != 2)
		return err_set(e, ERR_PARSE, "%s:%llu: pair_nodes: '%.60s' is neither 1 nor 2",
			       text_table_name(t), (unsigned long long)rec->line, rec->field[i]);
	return ERR_OK;
}

/* Costs inside a node and between nodes are two things: of a table with both only the latter are
 * taken. */
static void choose_kind(struct kb_pingpong *rows, bool inside_node)
{
	if (inside_node == rows->inside_node)
		return;
	if (rows->n > 0 && inside_node)
		return;
	rows->n = 0;
	rows->inside_node = inside_node;
}

/* After the n-th row, n_kept of them being of the kind that counts. */
static enum err_code may_go_on(const struct text_table *t, size_t n_kept, uint64_t n,
			       const struct progress *p, struct err *e)
{
	if (n_kept > MAX_ROUND_TRIPS)
		return err_set(e, ERR_PARSE,
			       "%s: more than %d round trips, the most that are taken: thin them "
			       "out, a few hundred of each size tell as much",
			       text_table_name(t), MAX_ROUND_TRIPS);
	if (n % ROWS_PER_POLL == 0 && !progress_step(p, NULL, 0, 0))
		return err_set(e, ERR_INTERRUPTED, "%s: interrupted", text_table_name(t));
	return ERR_OK;
}

static enum err_code read_rows(struct text_table *t, const struct progress *p,
			       struct kb_pingpong *rows, struct err *e)
{
	struct pingpong_columns c;
	struct table_record rec;
	size_t cap = 0;
	uint64_t n = 0;
	enum err_code rc = find_columns(t, &c, e);

	while (!rc && !(rc = text_table_next(t, &rec, e)) && rec.raw) {
		double bytes;
		double roundtrip_s;
		double nodes;

		if (rec.bad)
			rc = err_set(e, ERR_PARSE, "%s:%llu: %s", text_table_name(t),
				     (unsigned long long)rec.line, rec.bad);
		else if (!(rc = read_value(t, &rec, c.bytes, c.bytes_unit, true, &bytes, e)) &&
			 !(rc = read_value(t, &rec, c.roundtrip, c.roundtrip_unit, false,
					   &roundtrip_s, e)) &&
			 !(rc = read_nodes(t, &rec, c.nodes, &nodes, e))) {
			choose_kind(rows, nodes == 1);
			if (rows->inside_node == (nodes == 1))
				rc = add_row(rows, &cap, bytes, roundtrip_s, e);
		}
		if (!rc)
			rc = may_go_on(t, rows->n, ++n, p, e);
	}
	if (!rc && rows->n == 0)
		rc = err_set(e, ERR_PARSE, "%s:%llu: no row below the header", text_table_name(t),
			     (unsigned long long)text_table_header_line(t));
	return rc;
}

/* Read the fingerprinted source, which is closed if this fails. */
static enum err_code open_table(struct byte_source *source, const struct progress *p,
				struct text_table **out, struct err *e)
{
	const struct foreign_format *format = NULL;
	struct foreign_table *rows = NULL;
	enum err_code rc = foreign_file_format(source, foreign_format_auto, &format, e);

	if (!rc && !format)
		return text_table_open_source(source, 0, out, e);
	if (!rc && !format->is_pingpong)
		rc = err_set(e, ERR_PARSE,
			     "%s: %s: runs, no message costs: `lemnos ingest FILE` takes them",
			     byte_source_name(source), format->title);
	if (!rc)
		rc = foreign_file_read(source, format, FILE_BYTES_MAX, NULL, p, &rows, e);
	if (rc) {
		byte_source_close(source);
		return rc;
	}
	return text_table_open_foreign(source, rows, out, e);
}

enum err_code pingpong_read(const char *path, const struct progress *p, struct kb_pingpong *out,
			    char sha256[65], struct err *e)
{
	struct byte_source *source = NULL;
	struct kb_pingpong rows = {0};
	struct text_table *t = NULL;
	enum err_code rc;

	if ((rc = byte_source_open(path, &source, e)))
		return rc;
	byte_source_limit(source, FILE_BYTES_MAX, NULL);
	if ((rc = byte_source_fingerprint(source, p, sha256, e)))
		byte_source_close(source);
	else if (!(rc = open_table(source, p, &t, e)))
		rc = read_rows(t, p, &rows, e);
	text_table_close(t);
	if (rc)
		kb_pingpong_release(&rows);
	else
		*out = rows;
	return rc;
}
