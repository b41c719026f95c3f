#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <hwloc.h>

#include "acquire/campaign_private.h"
#include "acquire/launch.h"
#include "acquire/result_reader.h"
#include "acquire/run_import.h"
#include "acquire/work_folder.h"
#include "base/text_form.h"
#include "base/units.h"
#include "base/wall_clock.h"
#include "domain/dataset.h"

/* Of what a command printed: results are at its end, and so are complaints. */
enum { MOST_OUTPUT = 1 << 20, LAST_LINES = 5, MOST_OF_LINES = 1000 };

char *campaign_utc(int64_t at_s)
{
	char text[WALL_CLOCK_SIZE];

	return strdup(wall_clock_put_utc(at_s, text) ? text : "");
}

/* ---- where it ran ---- */

/* Plugins of hwloc tell of devices, and take as long as all else together; beside libraries of
 * our own (make bundle) they would be those of the system. */
static enum err_code load_topology(hwloc_topology_t *out, struct err *e)
{
	static const char plugins[] = "HWLOC_PLUGINS_PATH";
	hwloc_topology_t t = NULL;
	const bool given = getenv(plugins) != NULL;
	bool loaded;

	if (!given && setenv(plugins, "", 1))
		return err_set(e, ERR_NOMEM, "the topology of this machine");
	/* all that the machine has, also what this process may not use */
	loaded = !hwloc_topology_init(&t) &&
		 !hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) &&
		 !hwloc_topology_load(t);
	if (!given)
		unsetenv(plugins);
	if (loaded)
		*out = t;
	else if (t)
		hwloc_topology_destroy(t);
	return ERR_OK;
}

static void put_cache(const char *name, hwloc_obj_t cache, struct strbuf *out)
{
	const double bytes = (double)cache->attr->cache.size;
	const char *unit = bytes < size_unit_bytes("MiB") ? "KiB" : "MiB";

	if (bytes > 0)
		strbuf_printf(out, ", %s %g %s", name, bytes / size_unit_bytes(unit), unit);
}

/* "AMD EPYC 7763, 2 packages, 128 cores, 256 processing units, 4 NUMA nodes, L1d 32 KiB, L2 512
 * KiB, L3 32 MiB"; caches as the first core has them. Memory is not among it: hwloc 2.9 in a
 * virtual machine has told less than a third. */
static void put_topology(hwloc_topology_t t, struct strbuf *out)
{
	static const struct {
		hwloc_obj_type_t type;
		const char *one;
	} counted[] = {{HWLOC_OBJ_PACKAGE, "package"},
		       {HWLOC_OBJ_CORE, "core"},
		       {HWLOC_OBJ_PU, "processing unit"},
		       {HWLOC_OBJ_NUMANODE, "NUMA node"}};
	static const struct {
		hwloc_obj_type_t type;
		const char *name;
	} cache[] = {{HWLOC_OBJ_L1CACHE, "L1d"},
		     {HWLOC_OBJ_L2CACHE, "L2"},
		     {HWLOC_OBJ_L3CACHE, "L3"},
		     {HWLOC_OBJ_L4CACHE, "L4"}};
	hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
	const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
	const int n_units = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
	const int n_allowed = hwloc_bitmap_weight(hwloc_topology_get_allowed_cpuset(t));

	if (model && *model)
		strbuf_puts(out, model);
	for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
		int n = hwloc_get_nbobjs_by_type(t, counted[i].type);

		if (n > 0)
			strbuf_printf(out, "%s%d %s%s", out->len ? ", " : "", n, counted[i].one,
				      n > 1 ? "s" : "");
		if (counted[i].type == HWLOC_OBJ_PU && n_allowed < n_units)
			strbuf_printf(out, " (%d allowed)", n_allowed);
	}
	for (size_t i = 0; i < sizeof cache / sizeof cache[0]; i++) {
		hwloc_obj_t first = hwloc_get_obj_by_type(t, cache[i].type, 0);

		if (first)
			put_cache(cache[i].name, first, out);
	}
}

static enum err_code read_processor(struct strbuf *out, struct err *e)
{
	hwloc_topology_t t = NULL;
	enum err_code rc = load_topology(&t, e);

	if (t) {
		put_topology(t, out);
		hwloc_topology_destroy(t);
	} else if (!rc) {
		strbuf_printf(out, "%ld processing units online", sysconf(_SC_NPROCESSORS_ONLN));
	}
	return rc;
}

static enum err_code read_version(struct campaign_origin *o, const char *folder,
				  const struct progress *p, struct err *e)
{
	const struct plan_words *words = &o->target->plan->version;
	const char **argv = calloc(words->n + 1, sizeof *argv);
	struct work_folder at = {0};
	struct launch_end end;
	struct launch job = {
		.argv = argv, .folder = o->record->folder, .limit_s = 60, .progress = p};
	struct strbuf output = STRBUF_INIT;
	enum err_code rc = argv ? ERR_OK : err_set(e, ERR_NOMEM, "a command");

	for (size_t i = 0; i < words->n && !rc; i++)
		argv[i] = words->word[i];
	strbuf_puts(&at.path, folder);
	strbuf_printf(&output, "%s/version", folder);
	if (!rc && (output.failed || at.path.failed))
		rc = err_set(e, ERR_NOMEM, "a command");
	job.stdout_path = job.stderr_path = output.buf;
	if (!rc)
		rc = launch_run(&job, &end, e);
	strbuf_clear(&output);
	if (!rc && !(rc = work_folder_read(&at, "version", 4096, &output, e)))
		strbuf_add(&o->version, strbuf_text(&output), strcspn(strbuf_text(&output), "\n"));
	strbuf_release(&output);
	strbuf_release(&at.path);
	free(argv);
	return rc;
}

enum err_code campaign_origin_read(struct campaign_origin *o, const char *folder,
				   const struct progress *p, struct err *e)
{
	struct utsname system;
	char host[256] = "";
	enum err_code rc;

	if (!gethostname(host, sizeof host - 1))
		strbuf_puts(&o->host, host);
	if (uname(&system) >= 0)
		strbuf_printf(&o->system, "%s %s %s", system.sysname, system.release,
			      system.machine);
	if ((rc = read_processor(&o->processor, e)))
		return rc;
	return o->target->plan->version.n ? read_version(o, folder, p, e) : ERR_OK;
}

void campaign_origin_release(struct campaign_origin *o)
{
	strbuf_release(&o->host);
	strbuf_release(&o->system);
	strbuf_release(&o->processor);
	strbuf_release(&o->version);
}

/* ---- what it printed ---- */

static enum err_code read_output(const char *folder, const char *name, struct strbuf *out,
				 struct err *e)
{
	struct work_folder at = {0};
	enum err_code rc;

	strbuf_puts(&at.path, folder);
	rc = at.path.failed ? err_set(e, ERR_NOMEM, "a run's folder")
			    : work_folder_read(&at, name, MOST_OUTPUT, out, e);
	strbuf_release(&at.path);
	return rc;
}

/* Without zero bytes, which end a text, and without what is no UTF-8. */
static void make_text(struct strbuf *s)
{
	size_t at = 0;

	for (size_t i = 0; i < s->len; i++) {
		if (!s->buf[i])
			s->buf[i] = '?';
	}
	while (at < s->len && (at += utf8_first_invalid(s->buf + at, s->len - at)) < s->len)
		s->buf[at] = '?';
}

static void put_last_lines(const char *name, const struct strbuf *output, struct strbuf *out)
{
	const char *text = strbuf_text(output), *end = text + output->len, *from;
	int lines = 0;

	while (end > text && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' '))
		end--;
	for (from = end; from > text && end - from < MOST_OF_LINES; from--) {
		if (from[-1] == '\n' && ++lines == LAST_LINES)
			break;
	}
	/* no character is cut */
	while (from < end && ((unsigned char)*from & 0xC0) == 0x80)
		from++;
	if (end > from)
		strbuf_printf(out, "\n%s: %.*s", name, (int)(end - from), from);
}

struct outputs {
	struct strbuf out, err;
};

static void outputs_release(struct outputs *o)
{
	strbuf_release(&o->out);
	strbuf_release(&o->err);
}

static enum err_code outputs_read(const char *folder, struct outputs *o, struct err *e)
{
	enum err_code rc;

	if ((rc = read_output(folder, "stdout", &o->out, e)) ||
	    (rc = read_output(folder, "stderr", &o->err, e)))
		return rc;
	make_text(&o->out);
	make_text(&o->err);
	return ERR_OK;
}

/* ---- how it ended ---- */

/* A shell's exit status, or srun's, ssh's or timeout's, for a command that is not there, or is no
 * program: it tells nothing about the configuration. */
static bool is_no_command(int exit_status)
{
	return exit_status == 126 || exit_status == 127;
}

/* At what time it was stopped: at its limit, or sooner, where its job was. */
static double cut_after_s(const struct kb_campaign_run *r, double elapsed_s)
{
	return elapsed_s > 0 && !(elapsed_s > r->limit_s) ? elapsed_s : r->limit_s;
}

static void judge_end(const struct campaign_launch *l, const struct supervised_end *end,
		      struct strbuf *message)
{
	struct kb_campaign_run *r = l->run;

	if (end->timed_out) {
		r->state = CAMPAIGN_RUN_TIMED_OUT;
		strbuf_printf(message, "stopped after %.4g s", cut_after_s(r, end->elapsed_s));
	} else if (end->signal) {
		r->state = CAMPAIGN_RUN_FAILED;
		strbuf_printf(message, "ended by signal %d (%s)", end->signal,
			      strsignal(end->signal));
	} else if (end->fault) {
		r->state = CAMPAIGN_RUN_FAILED;
	} else if (end->untold) {
		r->state = CAMPAIGN_RUN_REFUSED;
	} else if (is_no_command(end->exit_status)) {
		r->state = CAMPAIGN_RUN_REFUSED;
		strbuf_printf(message,
			      "exit status %d: there is no such command, or it is no program",
			      end->exit_status);
	} else if (end->exit_status) {
		r->state = CAMPAIGN_RUN_FAILED;
		strbuf_printf(message, "exit status %d", end->exit_status);
	} else {
		r->state = CAMPAIGN_RUN_DONE;
	}
	if (r->state != CAMPAIGN_RUN_DONE && *end->why)
		strbuf_printf(message, "%s%s", message->len ? ": " : "", end->why);
}

static enum err_code judge_result(const struct campaign_launch *l, const struct supervised_end *end,
				  const struct outputs *o, struct run_result *result,
				  struct strbuf *message, struct err *e)
{
	const struct campaign_plan *plan = l->target->plan;
	struct err why = {0};
	enum err_code rc;

	if (plan->result.kind == PLAN_WALL) {
		result->time_s = end->elapsed_s;
	} else {
		rc = result_read(plan, l->target->app, l->row, strbuf_text(&o->out), result, &why);
		if (rc == ERR_PARSE) {
			l->run->state = CAMPAIGN_RUN_REFUSED;
			strbuf_printf(message, "%s%s", why.msg,
				      o->out.len ? "" : " (its stdout is empty)");
			return ERR_OK;
		}
		if (rc)
			return err_set(e, rc, "%s", why.msg);
	}
	l->run->wall_s = result->time_s;
	return ERR_OK;
}

/* ---- as a table ---- */

static void put_run(struct run_table *t, const struct campaign_launch *l)
{
	static const enum run_status status[CAMPAIGN_RUN_STATES] = {
		[CAMPAIGN_RUN_DONE] = RUN_OK,
		[CAMPAIGN_RUN_FAILED] = RUN_FAILED,
		[CAMPAIGN_RUN_TIMED_OUT] = RUN_TIMEOUT,
	};
	const struct kb_campaign_run *r = l->run;
	double time_s = r->state == CAMPAIGN_RUN_DONE	     ? r->wall_s
			: r->state == CAMPAIGN_RUN_TIMED_OUT ? cut_after_s(r, r->elapsed_s)
							     : NAN;
	char repeat[32];

	snprintf(repeat, sizeof repeat, "%lld", (long long)r->repeat);
	run_table_put_run(t, l->target->app, l->row, time_s, status[r->state], repeat);
}

static enum err_code put_origin(struct run_table *t, const struct campaign_origin *o,
				const struct campaign_launch *l, struct err *e)
{
	struct strbuf command = STRBUF_INIT;
	char number[32], attempt[32];
	enum err_code rc = campaign_launch_put(l, &command, e);
	const struct {
		const char *name, *text;
	} extra[] = {
		{"campaign", l->record->name},
		{"campaign_uid", l->record->uid},
		{"campaign_run", number},
		{"campaign_attempt", attempt},
		{"campaign_started", l->run->started_at ? l->run->started_at : ""},
		{"campaign_command", strbuf_text(&command)},
		{"campaign_version", strbuf_text(&o->version)},
		{"campaign_host", strbuf_text(&o->host)},
		{"campaign_system", strbuf_text(&o->system)},
		{"campaign_processor", strbuf_text(&o->processor)},
		{"lemnos_version", o->lemnos},
	};

	snprintf(number, sizeof number, "%lld", (long long)l->run->position);
	snprintf(attempt, sizeof attempt, "%lld", (long long)l->run->attempt);
	t->line.failed |= command.failed;
	for (size_t i = 0; i < sizeof extra / sizeof extra[0] && !rc; i++) {
		if (*extra[i].text)
			rc = run_table_put_extra(t, "", extra[i].name, extra[i].text, e);
	}
	strbuf_release(&command);
	return rc;
}

/* As the command got it: what the plan sets goes first. */
static enum err_code put_environment(struct run_table *t, const struct campaign_launch *l,
				     struct err *e)
{
	const struct plan_words *keep = &l->target->plan->keep;
	struct word_list set = {0};
	enum err_code rc = campaign_space_variables(&l->target->space, l->row,
						    (size_t)l->run->position, &set, e);

	for (size_t i = 0; i < keep->n && !rc; i++) {
		const char *name = keep->word[i], *value = getenv(name);

		for (size_t k = 0; k < set.n; k++) {
			if (strncmp(set.word[k], name, strlen(name)) == 0 &&
			    set.word[k][strlen(name)] == '=')
				value = set.word[k] + strlen(name) + 1;
		}
		if (value)
			rc = run_table_put_extra(t, "env_", name, value, e);
	}
	word_list_release(&set);
	return rc;
}

static enum err_code make_table(const struct campaign_origin *o, const struct campaign_launch *l,
				const struct run_result *result, struct run_table *t, struct err *e)
{
	enum err_code rc;

	put_run(t, l);
	rc = put_origin(t, o, l, e);
	if (!rc)
		rc = put_environment(t, l, e);
	for (size_t i = 0; i < result->n && !rc; i++)
		rc = run_table_put_extra(t, "told_", result->column[i].name, result->column[i].text,
					 e);
	return rc;
}

/* ---- into the base ---- */

/* In the import's transaction. */
static enum err_code mark(struct kb *kb, const struct ingest_result *result, void *arg,
			  struct err *e)
{
	const struct campaign_launch *l = arg;

	l->run->import_id = result->already_import ? result->already_import : result->import.id;
	return kb_put_campaign_run(kb, l->record->id, l->run, e);
}

static enum err_code ingest(struct kb *kb, const struct campaign_launch *l, struct run_table *t,
			    struct err *e)
{
	bool simulated = l->target->plan->launcher.kind == PLAN_SMPI;
	char origin[128];
	const struct run_import about = {
		.app = l->target->app,
		.machine = l->target->machine->name,
		.origin = origin,
		.source = simulated ? SOURCE_SIMULATED : SOURCE_MEASURED,
		.also = mark,
		.also_arg = (void *)(uintptr_t)l,
	};

	snprintf(origin, sizeof origin, "campaign %s run %lld", l->record->name,
		 (long long)l->run->position);
	return run_table_import(kb, t, &about, e);
}

static enum err_code refuse(struct kb *kb, const struct campaign_launch *l, struct err *e)
{
	l->run->import_id = 0;
	return kb_put_campaign_run(kb, l->record->id, l->run, e);
}

static enum err_code take_message(struct kb_campaign_run *r, const struct strbuf *message,
				  struct err *e)
{
	free(r->message);
	r->message = NULL;
	if (message->len == 0 && !message->failed)
		return ERR_OK;
	r->message = message->failed ? NULL : strdup(strbuf_text(message));
	return r->message ? ERR_OK : err_set(e, ERR_NOMEM, "what a run printed");
}

static enum err_code import_run(struct kb *kb, const struct campaign_origin *o,
				const struct campaign_launch *l, const struct run_result *result,
				struct strbuf *message, struct err *e)
{
	struct run_table table = {0};
	struct err why = {0};
	enum err_code rc = make_table(o, l, result, &table, e);

	if (!rc) {
		rc = ingest(kb, l, &table, &why);
		if (rc == ERR_PARSE) {
			l->run->state = CAMPAIGN_RUN_REFUSED;
			strbuf_clear(message);
			strbuf_puts(message, why.msg);
			if (!(rc = take_message(l->run, message, e)))
				rc = refuse(kb, l, e);
		} else if (rc) {
			err_set(e, rc, "%s", why.msg);
		}
	}
	run_table_release(&table);
	return rc;
}

static enum err_code fill_times(struct kb_campaign_run *r, const struct supervised_end *end,
				struct err *e)
{
	free(r->ended_at);
	r->ended_at = campaign_utc(end->ended_s);
	if (end->started_s > 0) {
		free(r->started_at);
		r->started_at = campaign_utc(end->started_s);
	}
	r->elapsed_s = end->elapsed_s;
	r->wall_s = NAN;
	return r->ended_at && r->started_at ? ERR_OK : err_set(e, ERR_NOMEM, "a date");
}

enum err_code campaign_outcome_store(struct kb *kb, const struct campaign_origin *o,
				     const struct campaign_launch *l,
				     const struct supervised_end *end, struct err *e)
{
	struct run_result result = {0};
	struct outputs outputs = {0};
	struct strbuf message = STRBUF_INIT;
	enum err_code rc;

	judge_end(l, end, &message);
	if ((rc = fill_times(l->run, end, e)) || (rc = outputs_read(l->folder, &outputs, e)))
		goto done;
	if (l->run->state == CAMPAIGN_RUN_DONE &&
	    (rc = judge_result(l, end, &outputs, &result, &message, e)))
		goto done;
	if (l->run->state != CAMPAIGN_RUN_DONE) {
		put_last_lines("stdout", &outputs.out, &message);
		put_last_lines("stderr", &outputs.err, &message);
	}
	if ((rc = take_message(l->run, &message, e)))
		goto done;
	rc = l->run->state == CAMPAIGN_RUN_REFUSED ? refuse(kb, l, e)
						   : import_run(kb, o, l, &result, &message, e);
done:
	run_result_release(&result);
	outputs_release(&outputs);
	strbuf_release(&message);
	return rc;
}

/* ---- what became of all of them, and what they used ---- */

static enum err_code count_loss(struct kb *kb, int64_t id, struct campaign_count *c, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(kb, id, &batches, e);

	for (size_t i = 0; i < batches.n; i++) {
		double loss = batches.item[i].expected_loss;

		if (isnan(loss))
			continue;
		if (isnan(c->loss_first))
			c->loss_first = loss;
		c->loss_last = loss;
	}
	kb_campaign_batches_release(&batches);
	return rc;
}

static void count_run(const struct campaign_target *t, const struct kb_campaign_run *r, double *row,
		      struct campaign_count *c)
{
	double nodes = campaign_run_row(t, r->levels, row) ? campaign_nodes(t->app, row) : 1;

	c->of[r->state]++;
	if (r->state == CAMPAIGN_RUN_PLANNED || r->state == CAMPAIGN_RUN_RUNNING) {
		c->planned_node_hours += nodes * r->predicted_s / 3600;
	} else if (!isnan(r->elapsed_s)) {
		c->elapsed_s += r->elapsed_s;
		c->node_hours += nodes * r->elapsed_s / 3600;
	}
}

enum err_code campaign_count(struct kb *kb, const struct campaign_target *t, int64_t campaign_id,
			     const struct kb_campaign_runs *runs, struct campaign_count *out,
			     struct err *e)
{
	struct campaign_count c = {.n = runs->n, .loss_first = NAN, .loss_last = NAN};
	double *row = calloc(t->app->n_columns + 1, sizeof *row);
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "the state of a campaign");
	for (size_t i = 0; i < runs->n; i++)
		count_run(t, &runs->item[i], row, &c);
	free(row);
	rc = count_loss(kb, campaign_id, &c, e);
	if (!rc)
		*out = c;
	return rc;
}
