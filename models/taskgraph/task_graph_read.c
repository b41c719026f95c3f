#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "base/units.h"
#include "domain/task_description.h"
#include "models/taskgraph/task_graph.h"
#include "models/taskgraph/task_graph_private.h"
#include "models/taskgraph/task_graph_text.h"

/* ---- lines and words ---- */

/* "ORIGIN:LINE:COLUMN: ..." as a PARSE error, the column counted in bytes from 1. */
__attribute__((format(printf, 3, 4))) static void
task_lexer_fail(struct task_lexer *x, const char *at, const char *fmt, ...)
{
	char text[800];
	va_list args;

	if (x->rc)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	x->rc = err_set(x->e, ERR_PARSE, "%s:%zu:%zu: %s", x->origin, x->line ? x->line : 1,
			(size_t)(at - x->line_begin) + 1, text);
}

/* ---- words ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool put_char(struct task_lexer *x, struct task_word *w, size_t *n, char c, const char *at)
{
	if (is_control(c))
		task_lexer_fail(x, at, "byte 0x%02x: names are made of printable characters",
				(unsigned)c);
	else if (*n >= TASK_NAME_MAX)
		task_lexer_fail(x, w->at, "a name of more than %d bytes", TASK_NAME_MAX);
	else
		w->name[(*n)++] = c;
	return !x->rc;
}

static void read_quoted(struct task_lexer *x, struct task_word *w)
{
	const char *p = w->at + 1;
	size_t n = 0;

	for (; p < x->line_end && *p != '"'; p++) {
		if (*p == '\\') {
			p++;
			if (p == x->line_end || (*p != '"' && *p != '\\')) {
				task_lexer_fail(x, p - 1, "after \\ in a name comes \" or \\");
				return;
			}
		}
		if (!put_char(x, w, &n, *p, p))
			return;
	}
	if (p == x->line_end)
		task_lexer_fail(x, w->at, "this quote is not closed by the end of the line");
	else if (n == 0)
		task_lexer_fail(x, w->at, "a name has at least one character");
	else if (p + 1 < x->line_end && !is_space(p[1]) && p[1] != '#')
		task_lexer_fail(x, p + 1, "a space belongs after the closing quote");
	w->name[n] = '\0';
	w->len = (size_t)(p + 1 - w->at);
}

static void read_bare(struct task_lexer *x, struct task_word *w)
{
	const char *p = w->at;
	size_t n = 0;

	for (; p < x->line_end && !is_space(*p) && *p != '#' && *p != '"'; p++) {
		if (*p == '=' && !w->equals)
			w->equals = p;
	}
	w->len = (size_t)(p - w->at);
	if (p < x->line_end && *p == '"')
		task_lexer_fail(x, p, "a quote within a word: quote the whole name");
	if (w->equals || x->rc)
		return;
	for (p = w->at; p < w->at + w->len; p++) {
		if (!put_char(x, w, &n, *p, p))
			return;
	}
	w->name[n] = '\0';
}

/* The next word; len 0 at the end of the line or after an error. */
void task_lexer_word(struct task_lexer *x, struct task_word *w)
{
	while (x->at < x->line_end && is_space(*x->at))
		x->at++;
	if (x->at < x->line_end && *x->at == '#')
		x->at = x->line_end;
	w->at = x->at;
	w->len = 0;
	w->equals = NULL;
	w->name[0] = '\0';
	if (x->rc || x->at == x->line_end)
		return;
	if (*x->at == '"')
		read_quoted(x, w);
	else
		read_bare(x, w);
	if (x->rc)
		w->len = 0;
	x->at += w->len;
}

static bool task_word_is(const struct task_word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->at, text, w->len) == 0;
}

bool task_lexer_line(struct task_lexer *x)
{
	const char *bad;
	size_t len;

	if (x->rc || x->next >= x->end)
		return false;
	x->line++;
	x->line_begin = x->at = x->next;
	x->line_end = memchr(x->next, '\n', (size_t)(x->end - x->next));
	if (!x->line_end)
		x->line_end = x->end;
	x->next = x->line_end + 1;
	len = (size_t)(x->line_end - x->line_begin);
	bad = memchr(x->line_begin, '\0', len);
	if (!bad)
		bad = x->line_begin + utf8_first_invalid(x->line_begin, len);
	if (bad < x->line_end)
		task_lexer_fail(x, bad, "byte 0x%02x: a task graph is UTF-8 text",
				(unsigned)(unsigned char)*bad);
	return !x->rc;
}

/* The tasks of a graph by name. */
struct task_names {
	uint32_t *slot; /* [n_slots], a power of two: open addressing; TASK_GRAPH_NONE: free */
	size_t n_slots, n;
};

static void task_names_release(struct task_names *names)
{
	free(names->slot);
	*names = (struct task_names){0};
}

/* FNV-1a, 64 bits; the upper half mixes better than the lower one. */
static size_t hash_of(const char *name)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return (size_t)(h ^ h >> 32);
}

/* Where the name is, or would be. */
static size_t slot_of(const struct task_names *names, const struct task_graph *g, const char *name)
{
	size_t mask = names->n_slots - 1, at = hash_of(name) & mask;

	while (names->slot[at] != TASK_GRAPH_NONE &&
	       strcmp(task_graph_name(g, names->slot[at]), name) != 0)
		at = (at + 1) & mask;
	return at;
}

/* TASK_GRAPH_NONE: no such task. */
static uint32_t task_names_find(const struct task_names *names, const struct task_graph *g,
				const char *name)
{
	return names->n > 0 ? names->slot[slot_of(names, g, name)] : TASK_GRAPH_NONE;
}

/* Room for twice as many. */
static enum err_code grow(struct task_names *names, const struct task_graph *g, struct err *e)
{
	struct task_names larger = {.n_slots = names->n_slots ? 2 * names->n_slots : 256,
				    .n = names->n};

	larger.slot = malloc(larger.n_slots * sizeof *larger.slot);
	if (!larger.slot)
		return err_set(e, ERR_NOMEM, "the names of %zu tasks", names->n);
	for (size_t i = 0; i < larger.n_slots; i++)
		larger.slot[i] = TASK_GRAPH_NONE;
	for (size_t i = 0; i < names->n_slots; i++) {
		uint32_t task = names->slot[i];

		if (task != TASK_GRAPH_NONE)
			larger.slot[slot_of(&larger, g, task_graph_name(g, task))] = task;
	}
	free(names->slot);
	*names = larger;
	return ERR_OK;
}

/* A task of g whose name is not there yet. Errors: NOMEM. */
static enum err_code task_names_add(struct task_names *names, const struct task_graph *g,
				    uint32_t task, struct err *e)
{
	enum err_code rc;

	if (2 * names->n >= names->n_slots && (rc = grow(names, g, e)))
		return rc;
	names->slot[slot_of(names, g, task_graph_name(g, task))] = task;
	names->n++;
	return ERR_OK;
}

struct graph_reader {
	struct task_lexer x;
	bool has_header;
	bool is_static; /* loops and conditions follow (task_graph_private.h) */
	const struct task_time_source *source; /* of ted=; NULL: none */
	const char *prefix; /* of the names of tasks: "NODE/" of a node that is a graph, or "" */
	struct task_graph *g;
	struct task_names names;
	uint32_t *edge_line; /* [edge_cap]: of each edge, for what is found in the end */
	size_t edge_cap;
};

/* ---- values ---- */

/* Copied to a string; what is longer is no value of ours. */
enum { VALUE_SIZE = 64 };

static bool copy_value(struct graph_reader *r, const struct task_word *w, char value[VALUE_SIZE])
{
	const char *from = w->equals + 1;
	size_t len = (size_t)(w->at + w->len - from);

	assert(w->equals); /* whoever asks for a value has looked for the = */
	if (len == 0)
		task_lexer_fail(&r->x, from, "a value belongs after the =");
	else if (len >= VALUE_SIZE)
		task_lexer_fail(&r->x, from, "a value of more than %d characters", VALUE_SIZE - 1);
	if (r->x.rc)
		return false;
	memcpy(value, from, len);
	value[len] = '\0';
	return true;
}

/* Where the number ends and its unit begins: "1e-3ms". */
static char *unit_of(char *value)
{
	char *p = value + strspn(value, "+-0123456789.");

	if ((*p == 'e' || *p == 'E') && strspn(p + 1, "+-0123456789") > 0)
		p += 1 + strspn(p + 1, "+-0123456789");
	return p;
}

/* A quantity with a unit, >= 0. */
static double read_quantity(struct graph_reader *r, const struct task_word *w,
			    double (*scale_of)(const char *), const char *example)
{
	char value[VALUE_SIZE], number[VALUE_SIZE];
	double x = 0, scale = 1;
	char *unit;

	if (!copy_value(r, w, value))
		return 0;
	unit = unit_of(value);
	memcpy(number, value, (size_t)(unit - value));
	number[unit - value] = '\0';
	if (*unit)
		scale = scale_of(unit);
	if (number_parse(number, &x, NULL) || scale <= 0 || x < 0 || !isfinite(x * scale))
		task_lexer_fail(&r->x, w->equals + 1, "%s is not %s", value, example);
	return x * scale;
}

static int32_t read_proc(struct graph_reader *r, const struct task_word *w)
{
	char value[VALUE_SIZE];
	int64_t proc = 0;

	if (!copy_value(r, w, value))
		return 0;
	if (integer_parse(value, 0, TASK_GRAPH_MAX_PROCS - 1, &proc, NULL))
		task_lexer_fail(&r->x, w->equals + 1, "%s is not a processor: 0 to %d", value,
				TASK_GRAPH_MAX_PROCS - 1);
	return (int32_t)proc;
}

static enum task_kind read_kind(struct graph_reader *r, const struct task_word *w)
{
	char value[VALUE_SIZE];

	if (!copy_value(r, w, value))
		return TASK_COMPUTE;
	for (int kind = 0; kind < TASK_N_KINDS; kind++) {
		if (strcmp(value, task_kind_name((enum task_kind)kind)) == 0)
			return (enum task_kind)kind;
	}
	task_lexer_fail(&r->x, w->equals + 1, "%s is not a kind of task: compute, send or receive",
			value);
	return TASK_COMPUTE;
}

/* 0: all. */
static uint32_t read_firing(struct graph_reader *r, const struct task_word *w)
{
	char value[VALUE_SIZE];
	int64_t n = 0;

	if (!copy_value(r, w, value) || strcmp(value, "all") == 0)
		return 0;
	if (strcmp(value, "any") == 0)
		return 1;
	if (integer_parse(value, 1, TASK_GRAPH_MAX_EDGES, &n, NULL))
		task_lexer_fail(&r->x, w->equals + 1,
				"%s is not a number of messages, from 1 on, any or all", value);
	return (uint32_t)n;
}

/* ---- statements ---- */

enum key {
	KEY_TIME,
	KEY_BYTES,
	KEY_PROC,
	KEY_KIND,
	KEY_PEER,
	KEY_TED,
	KEY_FIRES,
	KEY_ASKED,
	N_KEYS
};
static const char *const key_name[KEY_ASKED] = {"time", "bytes", "proc", "kind",
						"peer", "ted",	 "fires"};

/* The description of a task's time, and what it is asked for. */
struct ted_call {
	char name[TASK_NAME_MAX + 1]; /* "": none */
	double asked[TASK_VARIABLES]; /* NaN: not given */
};

static void read_ted(struct graph_reader *r, const struct task_word *w, struct ted_call *ted)
{
	const char *from = w->equals + 1;
	size_t len = (size_t)(w->at + w->len - from);

	if (len == 0 || len > TASK_NAME_MAX) {
		task_lexer_fail(&r->x, from, "the name of a task description belongs after ted=");
		return;
	}
	memcpy(ted->name, from, len);
	ted->name[len] = '\0';
}

/* it=20: the variable's number, or TASK_REPEATS. */
static int find_variable(const struct task_word *w)
{
	size_t len = w->equals ? (size_t)(w->equals - w->at) : 0;
	int v = 0;

	while (v < TASK_REPEATS) {
		const char *name = task_variable_name((enum task_variable)v);

		if (strlen(name) == len && !memcmp(w->at, name, len))
			break;
		v++;
	}
	return v;
}

static void read_asked(struct graph_reader *r, const struct task_word *w, double *out)
{
	char value[VALUE_SIZE];
	int64_t count = 0;

	if (!copy_value(r, w, value))
		return;
	if (!isnan(*out))
		task_lexer_fail(&r->x, w->at, "given twice");
	if (integer_parse(value, 1, INT32_MAX, &count, NULL))
		task_lexer_fail(&r->x, w->equals + 1, "%s is not a number of cells or angles",
				value);
	*out = (double)count;
}

/* Wg it jt mk mmi: the block that the description is asked about. */
static void take_ted_time(struct graph_reader *r, const struct task_word *name,
			  const struct ted_call *ted, bool has_time, struct task *t)
{
	const double *a = ted->asked;
	struct err why = {0};
	double Wg_s = 0;
	enum err_code rc;

	if (!*ted->name) {
		for (int v = 0; v < TASK_REPEATS; v++) {
			if (!isnan(a[v]))
				task_lexer_fail(&r->x, name->at, "%s= is for a task with ted=",
						task_variable_name((enum task_variable)v));
		}
		return;
	}
	if (has_time || isnan(a[TASK_IT] + a[TASK_JT] + a[TASK_MK] + a[TASK_MMI])) {
		task_lexer_fail(&r->x, name->at,
				"a task with ted= has it=, jt=, mk= and mmi=, and no time=");
		return;
	}
	if (!r->source) {
		task_lexer_fail(&r->x, name->at, "nobody evaluates ted= here");
		return;
	}
	rc = r->source->find(r->source->arg, ted->name, a, &Wg_s, &why);
	if (rc == ERR_NOMEM || rc == ERR_INTERRUPTED)
		r->x.rc = err_set(r->x.e, rc, "%s", why.msg);
	else if (rc)
		task_lexer_fail(&r->x, name->at, "%s", why.msg);
	t->seconds = Wg_s * a[TASK_IT] * a[TASK_JT] * a[TASK_MK] * a[TASK_MMI];
}

/* One KEY=VALUE; the first n_keys are known. */
static void read_key(struct graph_reader *r, const struct task_word *w, int n_keys,
		     bool seen[N_KEYS], struct task *t, struct ted_call *ted)
{
	size_t len = w->equals ? (size_t)(w->equals - w->at) : 0;
	int n_named = n_keys < KEY_ASKED ? n_keys : KEY_ASKED, key = 0;

	if (n_keys == N_KEYS && find_variable(w) < TASK_REPEATS) {
		read_asked(r, w, &ted->asked[find_variable(w)]);
		return;
	}
	while (key < n_named &&
	       (strlen(key_name[key]) != len || memcmp(w->at, key_name[key], len) != 0))
		key++;
	if (!w->equals || key == n_named) {
		task_lexer_fail(
			&r->x, w->at, "%.*s: %s", w->len < 80 ? (int)w->len : 80, w->at,
			n_keys == N_KEYS
				? "a task takes time=, bytes=, proc=, kind=, peer= and fires= after "
				  "its name, or ted= and it=, jt=, kt=, mk=, mmi=, mm="
				: "an edge takes time= and bytes= after the names of two tasks");
		return;
	}
	if (seen[key])
		task_lexer_fail(&r->x, w->at, "%s= is given twice", key_name[key]);
	seen[key] = true;
	switch ((enum key)key) {
	case KEY_TIME:
		t->seconds = read_quantity(
			r, w, time_unit_s,
			"a time >= 0: seconds, or a number with ns, us, ms, s, min or h");
		break;
	case KEY_BYTES:
		t->bytes = read_quantity(r, w, size_unit_bytes,
					 "a size >= 0: bytes, or a number with B, kB, MB, GB, KiB, "
					 "MiB or GiB");
		break;
	case KEY_PROC:
		t->proc = read_proc(r, w);
		break;
	case KEY_PEER:
		t->peer = read_proc(r, w);
		break;
	case KEY_TED:
		read_ted(r, w, ted);
		break;
	case KEY_FIRES:
		t->fires_at = read_firing(r, w);
		break;
	default:
		t->kind = read_kind(r, w);
		break;
	}
}

static void read_keys(struct graph_reader *r, int n_keys, bool seen[N_KEYS], struct task *t,
		      struct ted_call *ted)
{
	struct task_word w;

	for (task_lexer_word(&r->x, &w); w.len > 0 && !r->x.rc; task_lexer_word(&r->x, &w))
		read_key(r, &w, n_keys, seen, t, ted);
}

static void put_prefix(struct graph_reader *r, struct task_word *w)
{
	size_t before = strlen(r->prefix), len = strlen(w->name);

	if (before + len > TASK_NAME_MAX) {
		task_lexer_fail(&r->x, w->at, "a name of more than %d bytes", TASK_NAME_MAX);
		return;
	}
	memmove(w->name + before, w->name, len + 1);
	memcpy(w->name, r->prefix, before);
}

/* A name that belongs here. */
static bool read_name(struct graph_reader *r, struct task_word *w, const char *of)
{
	task_lexer_word(&r->x, w);
	if (w->len == 0 || w->equals)
		task_lexer_fail(&r->x, w->at, "the name of %s belongs here%s", of,
				w->equals ? "; one with = is written in quotes" : "");
	else if (*r->prefix)
		put_prefix(r, w);
	return !r->x.rc;
}

static void read_task(struct graph_reader *r)
{
	struct task t = {.proc = TASK_ANY_PROC, .peer = TASK_ANY_PROC};
	struct ted_call ted = {.name = ""};
	bool seen[N_KEYS] = {false};
	struct task_word name;
	uint32_t id;

	if (!read_name(r, &name, "a task"))
		return;
	for (int v = 0; v < TASK_VARIABLES; v++)
		ted.asked[v] = NAN;
	if (task_names_find(&r->names, r->g, name.name) != TASK_GRAPH_NONE)
		task_lexer_fail(&r->x, name.at, "there is a task %s above already: names differ",
				name.name);
	read_keys(r, N_KEYS, seen, &t, &ted);
	if (!r->x.rc)
		take_ted_time(r, &name, &ted, seen[KEY_TIME], &t);
	if (r->x.rc)
		return;
	id = task_graph_add_task(r->g, name.name, &t);
	if (id == TASK_GRAPH_NONE && r->g->why.code == ERR_NOMEM)
		r->x.rc = err_set(r->x.e, ERR_NOMEM, "%s", r->g->why.msg);
	else if (id == TASK_GRAPH_NONE)
		task_lexer_fail(&r->x, name.at, "%s", r->g->why.msg);
	else
		r->x.rc = task_names_add(&r->names, r->g, id, r->x.e);
}

static uint32_t read_end(struct graph_reader *r, const char *of)
{
	struct task_word name;
	uint32_t task;

	if (!read_name(r, &name, of))
		return 0;
	task = task_names_find(&r->names, r->g, name.name);
	if (task == TASK_GRAPH_NONE)
		task_lexer_fail(&r->x, name.at,
				"there is no task %s above; `task %.*s` belongs before its edges",
				name.name, (int)name.len, name.at);
	return task;
}

static void remember_line(struct graph_reader *r, size_t edge)
{
	size_t cap = r->edge_cap ? 2 * r->edge_cap : 64;
	uint32_t *larger;

	if (edge >= r->edge_cap) {
		larger = realloc(r->edge_line, cap * sizeof *larger);
		if (!larger) {
			r->x.rc = err_set(r->x.e, ERR_NOMEM, "a graph of %zu edges", edge + 1);
			return;
		}
		r->edge_line = larger;
		r->edge_cap = cap;
	}
	r->edge_line[edge] = (uint32_t)r->x.line;
}

static void read_edge(struct graph_reader *r)
{
	struct task t = {0};
	bool seen[N_KEYS] = {false};
	size_t edge = r->g->n_edges;
	uint32_t from = read_end(r, "the task that an edge comes from"), to;

	if (r->x.rc)
		return;
	to = read_end(r, "the task that an edge goes to");
	read_keys(r, KEY_BYTES + 1, seen, &t, NULL);
	if (r->x.rc)
		return;
	remember_line(r, edge);
	task_graph_add_edge(r->g, &(struct task_edge){from, to, t.seconds, t.bytes});
	if (!r->x.rc && r->g->why.code == ERR_NOMEM)
		r->x.rc = err_set(r->x.e, ERR_NOMEM, "%s", r->g->why.msg);
	else if (r->g->why.code)
		task_lexer_fail(&r->x, r->x.line_begin, "%s", r->g->why.msg);
}

static void read_header(struct graph_reader *r, const struct task_word *first)
{
	struct task_word version;

	r->is_static = task_word_is(first, "static-task-graph");
	if (!r->is_static && !task_word_is(first, "task-graph")) {
		task_lexer_fail(&r->x, first->at,
				"a task graph begins with `task-graph %d` or `static-task-graph "
				"%d`",
				TASK_GRAPH_TEXT_VERSION, TASK_GRAPH_TEXT_VERSION);
		return;
	}
	task_lexer_word(&r->x, &version);
	if (!task_word_is(&version, "1"))
		task_lexer_fail(&r->x, version.at, "this program reads version %d: `task-graph %d`",
				TASK_GRAPH_TEXT_VERSION, TASK_GRAPH_TEXT_VERSION);
	task_lexer_word(&r->x, &version);
	if (version.len > 0)
		task_lexer_fail(&r->x, version.at, "nothing belongs after `task-graph %d`",
				TASK_GRAPH_TEXT_VERSION);
	r->has_header = true;
}

static void read_statement(struct graph_reader *r)
{
	struct task_word first;

	task_lexer_word(&r->x, &first);
	if (first.len == 0)
		return;
	if (!r->has_header)
		read_header(r, &first);
	else if (task_word_is(&first, "task"))
		read_task(r);
	else if (task_word_is(&first, "edge"))
		read_edge(r);
	else
		task_lexer_fail(&r->x, first.at,
				"%.*s: a line begins with task or edge (or # for a comment)",
				first.len < 80 ? (int)first.len : 80, first.at);
}

/* One statement of an unrolled graph. */
static enum err_code read_unrolled(void *arg, const char *statement, size_t len, const char *prefix,
				   size_t line, struct err *e)
{
	struct graph_reader *r = arg;

	(void)e; /* r->x.e is the same */
	r->prefix = prefix;
	r->x.next = statement;
	r->x.end = statement + len;
	if (task_lexer_line(&r->x)) {
		r->x.line = line;
		read_statement(r);
	}
	return r->x.rc;
}

/* Tasks first: an edge may stand above what it joins. */
static void read_static(struct graph_reader *r)
{
	const char *from = r->x.next < r->x.end ? r->x.next : r->x.end;
	struct static_program *p = NULL;

	r->x.rc = static_program_parse(from, (size_t)(r->x.end - from), r->x.origin, r->x.line, &p,
				       r->x.e);
	for (int edges = 0; edges <= 1 && !r->x.rc; edges++)
		r->x.rc = static_program_run(p, edges, read_unrolled, r, r->x.e);
	static_program_free(p);
}

static void read_lines(struct graph_reader *r)
{
	while (!r->is_static && task_lexer_line(&r->x))
		read_statement(r);
	if (r->is_static && !r->x.rc)
		read_static(r);
	if (!r->has_header)
		task_lexer_fail(&r->x, r->x.at,
				"a task graph begins with `task-graph %d`; here is nothing",
				TASK_GRAPH_TEXT_VERSION);
}

static void finish(struct graph_reader *r)
{
	struct err why = {0};
	uint32_t closing = TASK_GRAPH_NONE;
	enum err_code rc = task_graph_finish(r->g, &closing, &why);

	if (rc == ERR_ARG && closing != TASK_GRAPH_NONE)
		r->x.rc = err_set(r->x.e, ERR_PARSE, "%s:%u:1: %s", r->x.origin,
				  r->edge_line[closing], why.msg);
	else if (rc == ERR_ARG)
		r->x.rc = err_set(r->x.e, ERR_PARSE, "%s: %s", r->x.origin, why.msg);
	else if (rc)
		r->x.rc = err_set(r->x.e, rc, "%s", why.msg);
}

enum err_code task_graph_read(const char *text, size_t len, const char *origin,
			      struct task_graph **out, struct err *e)
{
	return task_graph_read_from(text, len, origin, NULL, out, e);
}

enum err_code task_graph_read_from(const char *text, size_t len, const char *origin,
				   const struct task_time_source *source, struct task_graph **out,
				   struct err *e)
{
	struct graph_reader r = {.prefix = "",
				 .source = source,
				 .x = {.origin = origin,
				       .next = text,
				       .at = text,
				       .line_begin = text,
				       .end = text + len,
				       .e = e}};

	r.g = task_graph_new();
	if (!r.g)
		return err_set(e, ERR_NOMEM, "a task graph");
	read_lines(&r);
	if (!r.x.rc)
		finish(&r);
	if (!r.x.rc)
		*out = r.g;
	else
		task_graph_free(r.g);
	task_names_release(&r.names);
	free(r.edge_line);
	return r.x.rc;
}
