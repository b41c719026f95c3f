#include "domain/task_description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "domain/conf.h"
#include "domain/instruction_loop_read.h"

static const char *const method_name[] = {"measure", "database", "simulate", "trace"};
static const char *const variable_name[] = {"it", "jt", "kt", "mk", "mmi", "mm", "repeats"};
static const bool variable_integer[] = {true, true, true, true, true, true, true};

/* The variables as columns of expressions and templates. */
static const struct expr_scope task_scope = {variable_name, NULL, TASK_VARIABLES, variable_integer,
					     false};

const char *task_method_name(enum task_method method)
{
	return method_name[method];
}

const char *task_variable_name(enum task_variable v)
{
	return variable_name[v];
}

/* The parts of a task execution description, each from its group (NULL: nothing). Like the
 * functions of conf.h they do nothing after an error. */

/* A number that must be there and lie in [min, max]; a whole one. */
static double task_number(struct conf *c, const config_setting_t *g, const char *key, double min,
			  double max)
{
	double x = conf_required_number(c, g, key);

	if (c->rc == ERR_OK && !(x >= min && x <= max))
		conf_fail(c, conf_at(g, key), "'%s' wants a number from %g to %g", key, min, max);
	return x;
}

static int64_t task_count(struct conf *c, const config_setting_t *g, const char *key,
			  int64_t absent, int64_t min, int64_t max)
{
	double x = conf_number(c, g, key, (double)absent);

	if (c->rc == ERR_OK && !(x >= (double)min && x <= (double)max && trunc(x) == x))
		conf_fail(c, conf_at(g, key), "'%s' wants a whole number from %lld to %lld", key,
			  (long long)min, (long long)max);
	return c->rc == ERR_OK ? (int64_t)x : absent;
}

/* An expression over the variables; NULL when absent. */
static struct expr *task_expr(struct conf *c, const config_setting_t *g, const char *key)
{
	char *text = conf_text(c, g, key);
	struct expr *x = NULL;
	struct err inner = {0};
	char remark[80];

	snprintf(remark, sizeof remark, "'%s': ", key);
	if (text && expr_parse(text, &task_scope, &x, &inner) != ERR_OK)
		conf_fail_inner(c, conf_at(g, key), remark, &inner);
	free(text);
	return x;
}

/* Cycles: beyond this a miss would take longer than a disk. */
static const double cycles_max = 1e9;

/* "32 KiB" or a number of bytes. */
static uint64_t read_size(struct conf *c, const config_setting_t *g, const char *key)
{
	const config_setting_t *s = conf_at(g, key);
	double bytes = 0;
	struct err inner = {0};
	char *text;

	if (c->rc != ERR_OK)
		return 0;
	if (s != g && config_setting_type(s) != CONFIG_TYPE_STRING)
		return (uint64_t)task_count(c, g, key, 0, 0, INT64_C(1) << 50);
	text = conf_required_text(c, g, key);
	if (text && size_parse(text, &bytes, &inner) != ERR_OK)
		conf_fail(c, s, "'%s': %s", key, inner.msg);
	free(text);
	if (bytes > 0x1p50)
		conf_fail(c, s, "'%s' wants at most 2^50 bytes", key);
	return c->rc == ERR_OK ? (uint64_t)bytes : 0;
}

static int64_t required_count(struct conf *c, const config_setting_t *g, const char *key)
{
	conf_required_number(c, g, key);
	return task_count(c, g, key, 0, 0, INT64_C(1) << 40);
}

/* One level, with its name for messages. */
static void read_cache(struct conf *c, const config_setting_t *memory, const char *name,
		       struct cache_shape *out, double *miss_cycles)
{
	const config_setting_t *g = conf_group(c, memory, name);
	struct err inner = {0};

	if (!g) {
		if (c->rc == ERR_OK)
			conf_fail(c, memory, "'%s' is missing", name);
		return;
	}
	conf_check_keys(c, g, "size associativity line miss_cycles");
	out->size_bytes = read_size(c, g, "size");
	out->associativity = (uint64_t)required_count(c, g, "associativity");
	out->line_bytes = read_size(c, g, "line");
	*miss_cycles = task_number(c, g, "miss_cycles", 0, cycles_max);
	if (c->rc == ERR_OK && cache_shape_check(out, name, &inner) != ERR_OK)
		conf_fail(c, g, "%s", inner.msg);
}

static void read_tlb(struct conf *c, const config_setting_t *g, struct tlb_shape *out,
		     double *miss_cycles)
{
	if (!g)
		return;
	conf_check_keys(c, g, "entries associativity page miss_cycles");
	out->entries = (uint64_t)task_count(c, g, "entries", 0, 1, INT64_C(1) << 40);
	out->associativity = (uint64_t)required_count(c, g, "associativity");
	out->page_bytes = read_size(c, g, "page");
	*miss_cycles = task_number(c, g, "miss_cycles", 0, cycles_max);
}

static void read_memory(struct conf *c, const config_setting_t *g, struct memory_shape *m,
			struct task_processor *p)
{
	static const char *const shared[] = {"L2", "L3", "LL"};
	struct err inner = {0};

	conf_check_keys(c, g, "I1 D1 L2 L3 LL tlb inclusive");
	read_cache(c, g, "I1", &m->I1, &p->I1_miss_cycles);
	read_cache(c, g, "D1", &m->D1, &p->D1_miss_cycles);
	for (size_t i = 0; i < MEMORY_MAX_SHARED; i++) {
		if (strcmp(shared[i], "LL") != 0 && !conf_group(c, g, shared[i]))
			continue;
		read_cache(c, g, shared[i], &m->shared[m->n_shared],
			   &p->shared_miss_cycles[m->n_shared]);
		m->n_shared++;
	}
	read_tlb(c, conf_group(c, g, "tlb"), &m->tlb, &p->tlb_miss_cycles);
	m->inclusive = conf_bool(c, g, "inclusive", false);
	if (c->rc == ERR_OK && conf_group(c, g, "L3") && !conf_group(c, g, "L2"))
		conf_fail(c, conf_at(g, "L3"), "a level L3 without L2; call it L2");
	if (c->rc == ERR_OK && memory_shape_check(m, &inner) != ERR_OK)
		conf_fail(c, g, "%s", inner.msg);
}

/* Instructions per cycle without misses. */
static double read_parallelism(struct conf *c, const config_setting_t *g)
{
	double width, chain;

	if (g && config_setting_get_member(g, "pipeline")) {
		if (config_setting_get_member(g, "issue_width") ||
		    config_setting_get_member(g, "dependent_cycles") ||
		    config_setting_get_member(g, "instructions_per_cycle"))
			conf_fail(c, conf_at(g, "pipeline"),
				  "a pipeline says itself how many instructions a cycle there are; "
				  "issue_width goes into it");
		return NAN;
	}
	if (!g || !config_setting_get_member(g, "issue_width")) {
		if (g && config_setting_get_member(g, "dependent_cycles"))
			conf_fail(c, conf_at(g, "dependent_cycles"),
				  "dependent_cycles belongs beside issue_width");
		return task_number(c, g, "instructions_per_cycle", 1e-3, 1e3);
	}
	if (config_setting_get_member(g, "instructions_per_cycle"))
		conf_fail(c, conf_at(g, "issue_width"),
			  "give instructions_per_cycle, or issue_width and dependent_cycles");
	width = task_number(c, g, "issue_width", 1e-3, 1e3);
	chain = task_number(c, g, "dependent_cycles", 0, 1e3);
	return chain * width > 1 ? 1 / chain : width;
}

/* processor = { ... }; memory = { ... }; */
static void task_hardware_read(struct conf *c, const config_setting_t *top,
			       struct task_processor *p, struct memory_shape *m)
{
	const config_setting_t *g = conf_group(c, top, "processor");

	conf_check_keys(c, g,
			"clock_ghz instructions_per_cycle issue_width dependent_cycles "
			"pipeline");
	p->clock_hz = task_number(c, g, "clock_ghz", 1e-3, 1e3) * 1e9;
	p->instructions_per_cycle = read_parallelism(c, g);
	if (g)
		p->pipeline = instruction_loop_read(c, conf_group(c, g, "pipeline"));
	read_memory(c, conf_group(c, top, "memory"), m, p);
}

enum {
	RUNS_DEFAULT = 5, /* the fewest whose median two disturbed runs cannot move */
	COUNT_MAX = 1000000
};

/* ---- measure, simulate ---- */

static void read_arguments(struct conf *c, const config_setting_t *g, struct task_program *out)
{
	size_t n;
	char **text = conf_texts(c, g, "arguments", &n);
	struct err inner = {0};

	out->argument = n > 0 ? calloc(n, sizeof(struct template *)) : NULL;
	if (n > 0 && !out->argument)
		conf_fail_memory(c);
	for (size_t i = 0; i < n && c->rc == ERR_OK; i++) {
		char remark[80];

		snprintf(remark, sizeof remark, "\"%.60s\": ", text[i]);
		if (template_parse(text[i], &task_scope, &out->argument[i], &inner) != ERR_OK)
			conf_fail_inner(c, conf_at(g, "arguments"), remark, &inner);
		else
			out->n_arguments++;
	}
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

static void task_run_read(struct conf *c, const config_setting_t *g, enum task_method method,
			  struct task_program *out)
{
	if (!g)
		return;
	conf_check_keys(c, g,
			method == TASK_MEASURE
				? "program arguments cell_angles only repeats runs output"
				: "program arguments cell_angles only");
	out->program = conf_required_text(c, g, "program");
	read_arguments(c, g, out);
	out->cell_angles = task_expr(c, g, "cell_angles");
	out->only = task_expr(c, g, "only");
	out->repeats = task_count(c, g, "repeats", 1, 1, COUNT_MAX);
	out->runs = task_count(c, g, "runs", RUNS_DEFAULT, 1, COUNT_MAX);
	out->output = conf_text(c, g, "output");
	if (c->rc == ERR_OK && !out->cell_angles && !out->output)
		conf_fail(c, g,
			  "'cell_angles' is missing: how many cells times angles one repeat "
			  "computes, \"8 * it * jt * kt * mm\"");
}

static void task_run_release(struct task_program *r)
{
	for (size_t i = 0; i < r->n_arguments; i++)
		template_free(r->argument[i]);
	free(r->argument);
	free(r->program);
	expr_free(r->cell_angles);
	expr_free(r->only);
	free(r->output);
}

/* ---- trace ---- */

static void read_recorded(struct conf *c, const config_setting_t *g, double *out)
{
	conf_check_keys(c, g, "it jt kt mk mmi mm");
	for (int v = 0; v < TASK_VARIABLES; v++) {
		out[v] = NAN;
		if (v < TASK_REPEATS && g && config_setting_get_member(g, variable_name[v]))
			out[v] = (double)task_count(c, g, variable_name[v], 0, 1, COUNT_MAX);
	}
}

static void task_trace_read(struct conf *c, const config_setting_t *g, struct task_trace *out)
{
	if (!g)
		return;
	conf_check_keys(c, g, "file recorded cell_angles warm_passes");
	out->file = conf_required_text(c, g, "file");
	read_recorded(c, conf_group(c, g, "recorded"), out->recorded);
	out->cell_angles = task_number(c, g, "cell_angles", 1, 1e15);
	out->warm_passes = task_count(c, g, "warm_passes", 0, 0, 1000);
}

/* ---- database ---- */

/* Text and numbers as they stand where exact; numbers and expressions where near. */
static void read_attribute(struct conf *c, const config_setting_t *s, bool exact,
			   struct task_attribute *out)
{
	const char *name = config_setting_name(s);
	const config_setting_t *group = config_setting_parent(s);

	out->column = strdup(name);
	if (!out->column) {
		conf_fail_memory(c);
	} else if (config_setting_type(s) != CONFIG_TYPE_STRING) {
		out->number = conf_number(c, group, name, 0);
		if (!exact && !(out->number > 0 && isfinite(out->number)))
			conf_fail(c, s, "'%s' wants a number > 0: nearness is a ratio", name);
	} else if (exact) {
		out->text = conf_text(c, group, name);
	} else {
		out->value = task_expr(c, group, name);
	}
}

static struct task_attribute *read_attributes(struct conf *c, const config_setting_t *g, bool exact,
					      size_t *n)
{
	struct task_attribute *list;

	*n = 0;
	if (conf_length(g) == 0)
		return NULL;
	list = calloc(conf_length(g), sizeof *list);
	if (!list) {
		conf_fail_memory(c);
		return NULL;
	}
	for (; *n < conf_length(g); ++*n)
		read_attribute(c, conf_item(g, *n), exact, &list[*n]);
	return list;
}

static void task_database_read(struct conf *c, const config_setting_t *g, struct task_database *out)
{
	if (!g)
		return;
	conf_check_keys(c, g, "file time exact nearest within");
	out->file = conf_required_text(c, g, "file");
	out->time = conf_required_text(c, g, "time");
	out->exact = read_attributes(c, conf_group(c, g, "exact"), true, &out->n_exact);
	out->nearest = read_attributes(c, conf_group(c, g, "nearest"), false, &out->n_nearest);
	out->within = conf_number(c, g, "within", 1);
	if (c->rc == ERR_OK && !(out->within >= 1 && isfinite(out->within)))
		conf_fail(c, conf_at(g, "within"),
			  "'within' wants a factor >= 1; 1 takes only what agrees exactly");
	if (c->rc == ERR_OK && out->n_exact + out->n_nearest == 0)
		conf_fail(c, g, "which rows? Give 'exact' or 'nearest'");
}

static void release_attributes(struct task_attribute *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].column);
		free(list[i].text);
		expr_free(list[i].value);
	}
	free(list);
}

static void task_database_release(struct task_database *d)
{
	free(d->file);
	free(d->time);
	release_attributes(d->exact, d->n_exact);
	release_attributes(d->nearest, d->n_nearest);
}

static const char *method_at(int i)
{
	return method_name[i];
}

/* What each method needs, and what would be of no effect there and is refused. */
static void check_groups(struct conf *c, const config_setting_t *top, enum task_method method)
{
	static const char *const group[] = {"run", "processor", "memory", "trace", "database"};
	static const bool wanted[][5] = {
		[TASK_MEASURE] = {true, false, false, false, false},
		[TASK_DATABASE] = {false, false, false, false, true},
		[TASK_SIMULATE] = {true, true, true, false, false},
		[TASK_TRACE] = {false, true, true, true, false},
	};

	for (size_t i = 0; i < sizeof group / sizeof group[0]; i++) {
		bool given = conf_group(c, top, group[i]) != NULL;

		if (given != wanted[method][i])
			conf_fail(c, conf_at(top, group[i]), "the method '%s' %s a group '%s'",
				  method_name[method], given ? "does not use" : "needs", group[i]);
	}
}

static void read_task(struct conf *c, const config_setting_t *top, struct task_description *t)
{
	conf_check_keys(c, top, "name title origin method run processor memory trace database");
	t->name = conf_required_text(c, top, "name");
	t->title = conf_text(c, top, "title");
	t->origin = conf_text(c, top, "origin");
	t->method = (enum task_method)conf_word(c, top, "method", method_at, TASK_TRACE + 1, -1);
	check_groups(c, top, t->method);
	if (t->method == TASK_MEASURE || t->method == TASK_SIMULATE)
		task_run_read(c, conf_group(c, top, "run"), t->method, &t->run);
	if (t->method == TASK_SIMULATE || t->method == TASK_TRACE)
		task_hardware_read(c, top, &t->processor, &t->memory);
	if (t->method == TASK_TRACE)
		task_trace_read(c, conf_group(c, top, "trace"), &t->trace);
	if (t->method == TASK_DATABASE)
		task_database_read(c, conf_group(c, top, "database"), &t->database);
}

/* Cachegrind has I1, D1 and one shared level. */
static void check_simulator(struct conf *c, const config_setting_t *top,
			    const struct task_description *t)
{
	const config_setting_t *g = conf_at(top, "memory");

	if (c->rc != ERR_OK || t->method != TASK_SIMULATE)
		return;
	if (t->memory.n_shared > 1)
		conf_fail(c, g,
			  "cachegrind has one shared level: leave L2 and L3 out, or record a trace "
			  "and take method = \"trace\"");
	if (t->memory.tlb.entries > 0 || t->memory.inclusive)
		conf_fail(c, g,
			  "cachegrind has no TLB and no inclusive levels: record a trace and take "
			  "method = \"trace\"");
}

/* "data/tasks/" of "data/tasks/x.conf". */
static void set_folder(struct conf *c, struct task_description *t)
{
	const char *slash = strrchr(c->origin, '/');

	t->folder = slash ? strndup(c->origin, (size_t)(slash - c->origin) + 1) : strdup("");
	if (!t->folder)
		conf_fail_memory(c);
}

enum err_code task_description_parse(const char *text, const char *origin,
				     struct task_description **out, struct err *e)
{
	struct task_description *t = calloc(1, sizeof *t);
	const config_setting_t *top;
	struct conf c;

	if (!t)
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "task");
	if (top) {
		read_task(&c, top, t);
		check_simulator(&c, top, t);
		set_folder(&c, t);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		task_description_free(t);
	else
		*out = t;
	return c.rc;
}

enum err_code task_description_read(const char *path, struct task_description **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = task_description_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}

void task_description_free(struct task_description *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->title);
	free(t->origin);
	free(t->folder);
	task_run_release(&t->run);
	instruction_loop_free(t->processor.pipeline);
	free(t->trace.file);
	task_database_release(&t->database);
	free(t);
}
