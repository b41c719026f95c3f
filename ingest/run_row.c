#include "ingest/run_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/cell_number.h"
#include "ingest/extra_json.h"

/* The knowledge base takes times below this. */
static const double wall_max_s = 9e99;

enum err_code run_row_init(struct run_row *r, const struct column_mapping *m,
			   struct application *app, struct machine_cache *machines, struct err *e)
{
	enum err_code rc;

	*r = (struct run_row){.machines = machines, .source = -1};
	if ((rc = row_values_init(&r->values, m, app, e)))
		return rc;
	r->values.nodes_required = true;
	return ERR_OK;
}

void run_row_release(struct run_row *r)
{
	row_values_release(&r->values);
	strbuf_release(&r->computed);
	strbuf_release(&r->extra);
	free(r->app_seen);
	*r = (struct run_row){0};
}

/* The cell of a field that is not the configuration's; NULL if no column has it. */
static const char *cell(const struct run_row *r, const struct table_record *rec,
			enum field_kind kind, const char **header)
{
	const struct column_mapping *m = r->values.m;
	size_t i = m->of_kind[kind];

	if (i == SIZE_MAX)
		return NULL;
	*header = text_table_column(m->table, i);
	return rec->field[i];
}

static bool refuse_word(const char *header, const char *text, const char *kind, const char *right,
			struct refusal *why)
{
	refusal_begin(why, header, text, *text ? kind : "empty");
	if (*text)
		strbuf_printf(&why->reason, "'%.60s' is %s: %s", text, kind, right);
	else
		strbuf_printf(&why->reason, "empty: %s", right);
	return false;
}

static bool read_app(struct run_row *r, const struct table_record *rec, struct refusal *why)
{
	const struct application *a = r->values.app;
	const char *header;
	const char *text = cell(r, rec, FIELD_APP, &header);

	if (!text || (r->app_seen && strcmp(r->app_seen, text) == 0))
		return true;
	if (application_is(a, text)) {
		free(r->app_seen);
		r->app_seen = strdup(text); /* without it, only slower */
		return true;
	}
	refusal_begin(why, header, text, NULL);
	strbuf_printf(&why->kind, "%s: not %s", header, a->name);
	strbuf_printf(&why->reason, "'%.60s' is not %s: load each application by itself", text,
		      a->name);
	return false;
}

static enum err_code machine_failed(const struct run_row *r, const struct table_record *rec,
				    enum err_code rc, const struct err *reason, struct err *e)
{
	return err_set(e, rc, "%s:%llu: machine: %s", text_table_name(r->values.m->table),
		       (unsigned long long)rec->line, reason->msg);
}

static enum err_code read_machine(struct run_row *r, const struct table_record *rec,
				  struct known_machine **out, struct refusal *why, struct err *e)
{
	const char *header = "";
	const char *name = r->machine ? r->machine : cell(r, rec, FIELD_MACHINE, &header);
	const char *fault = machine_name_fault(name);
	struct err reason = {0};
	enum err_code rc;

	*out = NULL;
	if (fault) {
		refusal_begin(why, header, name, fault);
		strbuf_printf(&why->reason, "'%.60s' is no machine's name: %s", name, fault);
		return ERR_OK;
	}
	rc = machine_cache_get(r->machines, name, out, &reason);
	return rc ? machine_failed(r, rec, rc, &reason, e) : ERR_OK;
}

static bool read_source(const struct run_row *r, const struct table_record *rec, struct kb_run *out,
			struct refusal *why)
{
	const char *header;
	const char *text = cell(r, rec, FIELD_SOURCE, &header);
	int source = r->source;

	if (source < 0)
		source = text ? source_from_word(text) : SOURCE_MEASURED;
	if (source < 0)
		return refuse_word(header, text, "no known source",
				   "write measured, simulated or modelled", why);
	out->source = (enum run_source)source;
	return true;
}

static bool read_status(const struct run_row *r, const struct table_record *rec, struct kb_run *out,
			struct refusal *why)
{
	const char *header;
	const char *text = cell(r, rec, FIELD_STATUS, &header);
	int status = text ? status_from_word(text) : RUN_OK;

	if (status < 0)
		return refuse_word(header, text, "no known status", "write ok, failed or timeout",
				   why);
	out->status = (enum run_status)status;
	return true;
}

static bool read_time(const struct run_row *r, const struct table_record *rec, struct kb_run *out,
		      struct refusal *why)
{
	const struct column_mapping *m = r->values.m;
	const char *header;
	const char *text = cell(r, rec, FIELD_TIME, &header);
	enum number_fault fault;

	out->wall_s = (double)NAN;
	if (!*text && out->status == RUN_FAILED)
		return true;
	fault = cell_number(text, &out->wall_s);
	if (fault != NUMBER_OK) {
		refusal_begin(why, header, text, number_fault_kind(fault));
		number_fault_explain(fault, text, &why->reason);
		return false;
	}
	out->wall_s = cell_unit_apply(m->field[m->of_kind[FIELD_TIME]].unit, out->wall_s);
	if (out->wall_s > 0 && out->wall_s < wall_max_s)
		return true;
	if (out->wall_s <= 0 && out->status == RUN_FAILED) { /* 0 or -1: how long is not known */
		out->wall_s = (double)NAN;
		return true;
	}
	refusal_begin(why, header, text, out->wall_s <= 0 ? "not greater than zero" : "too large");
	strbuf_printf(&why->reason, "'%.60s' is no run time: it must be greater than zero%s", text,
		      out->wall_s <= 0 ? "" : " and finite");
	return false;
}

/* A column of whole numbers >= min; none, or an empty cell, is dflt. */
static bool read_count(const struct run_row *r, const struct table_record *rec,
		       enum field_kind kind, double min, double max, double dflt, double *out,
		       struct refusal *why)
{
	const char *header;
	const char *text = cell(r, rec, kind, &header);
	enum number_fault fault;

	*out = dflt;
	if (!text || !*text)
		return true;
	fault = cell_integer(text, out);
	if (fault != NUMBER_OK) {
		refusal_begin(why, header, text, number_fault_kind(fault));
		number_fault_explain(fault, text, &why->reason);
		return false;
	}
	if (*out >= min && *out <= max)
		return true;
	refusal_begin(why, header, text, "out of range");
	strbuf_printf(&why->reason, "'%.60s' is out of range: %.0f to %.0f", text, min, max);
	return false;
}

static bool read_repeats(const struct run_row *r, const struct table_record *rec,
			 struct kb_run *out, struct refusal *why)
{
	const double repeat_max = 9007199254740992.0; /* 2^53 */
	double n_repeats;
	double repeat;

	if (!read_count(r, rec, FIELD_N_REPEATS, 1, UINT32_MAX, 1, &n_repeats, why) ||
	    !read_count(r, rec, FIELD_REPEAT, 0, repeat_max, 0, &repeat, why))
		return false;
	out->n_repeats = (uint32_t)n_repeats;
	out->repeat = (int64_t)repeat;
	return true;
}

static void put_computed(struct run_row *r)
{
	strbuf_clear(&r->computed);
	for (size_t i = 0; i < r->values.app->n_columns; i++) {
		if (!r->values.computed[i])
			continue;
		if (r->computed.len)
			strbuf_putc(&r->computed, ',');
		strbuf_puts(&r->computed, r->values.app->column[i].name);
	}
}

static void put_extra(struct run_row *r, const struct table_record *rec)
{
	const struct column_mapping *m = r->values.m;

	strbuf_clear(&r->extra);
	for (size_t i = 0; i < rec->n_fields; i++) {
		if (m->field[i].kind == FIELD_EXTRA && rec->field[i][0])
			extra_json_put(&r->extra, text_table_column(m->table, i), rec->field[i]);
	}
	extra_json_end(&r->extra);
}

enum err_code run_row_read(struct run_row *r, const struct table_record *rec, struct kb_run *out,
			   bool *taken, struct refusal *why, struct err *e)
{
	struct known_machine *machine;
	struct kb_run run = {.line = (int64_t)rec->line};
	struct err reason = {0};
	enum err_code rc;

	*taken = false;
	if (rec->bad) {
		refusal_begin(why, "", "", rec->bad_kind);
		strbuf_puts(&why->reason, rec->bad);
		return ERR_OK;
	}
	if (!read_app(r, rec, why) || !read_source(r, rec, &run, why) ||
	    !read_status(r, rec, &run, why) || !read_time(r, rec, &run, why) ||
	    !read_repeats(r, rec, &run, why))
		return ERR_OK;
	if ((rc = read_machine(r, rec, &machine, why, e)) || !machine)
		return rc;
	if (!row_values_read(&r->values, rec, machine->cores_per_node, why))
		return why->reason.failed ? err_set(e, ERR_NOMEM, "no memory for a row") : ERR_OK;
	if ((rc = machine_cache_use(r->machines, machine, &reason)))
		return machine_failed(r, rec, rc, &reason, e);
	put_computed(r);
	put_extra(r, rec);
	if (r->computed.failed || r->extra.failed)
		return err_set(e, ERR_NOMEM, "no memory for a row");
	run.row = r->values.row;
	run.machine_id = machine->id;
	run.computed = r->computed.len ? r->computed.buf : NULL;
	run.extra = r->extra.len ? r->extra.buf : NULL;
	*out = run;
	*taken = true;
	return ERR_OK;
}
