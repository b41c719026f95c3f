#include "api/machine_measurement.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "acquire/kernel_run.h"
#include "acquire/launch.h"
#include "api/datadir.h"
#include "api/json_text.h"
#include "domain/machine.h"
#include "ingest/number_table.h"
#include "mining/numerics/order_statistics.h"

/* ---- how programs are started ---- */

struct launching {
	char **word; /* of the launcher */
	size_t n_word;
	char *programs; /* their folder */
	bool smpi;	/* the launcher is SimGrid's smpirun */
	struct work_folder folder;
	bool has_folder;
};

static bool is_smpirun(const char *launcher)
{
	const char *slash = strrchr(launcher, '/');

	return strncmp(slash ? slash + 1 : launcher, "smpirun", strlen("smpirun")) == 0;
}

static enum err_code launching_open(struct launching *l, const struct measurement_question *q,
				    struct err *e)
{
	enum err_code rc = command_words(q->launch ? q->launch : MEASUREMENT_LAUNCH, "--launch",
					 &l->word, &l->n_word, e);

	if (rc)
		return rc;
	if (l->n_word == 0)
		return err_set(e, ERR_USAGE,
			       "--launch: give what starts MPI programs here: 'srun -n 2'");
	l->smpi = is_smpirun(l->word[0]);
	l->programs = program_folder_find();
	if (!l->programs && errno == ENOMEM)
		return err_set(e, ERR_NOMEM, "the name of a folder");
	if ((rc = work_folder_open(q->keep, &l->folder, e)))
		return rc;
	l->has_folder = true;
	return ERR_OK;
}

static void launching_release(struct launching *l)
{
	if (l->has_folder)
		work_folder_close(&l->folder);
	free(l->word);
	free(l->programs);
}

static enum err_code find_program(const struct launching *l, const char *name, struct strbuf *out,
				  struct err *e)
{
	strbuf_printf(out, "%s/%s", l->programs ? l->programs : "", name);
	if (out->failed)
		return err_set(e, ERR_NOMEM, "the name of a program");
	if (l->programs && !access(out->buf, R_OK))
		return ERR_OK;
	return err_set(e, ERR_IO,
		       "the program %s is not here: Lemnos was built without %s. Install it and "
		       "build again, or install the package lemnos-kernels",
		       name,
		       l->smpi ? "SimGrid (Debian: libsimgrid-dev)"
			       : "MPI (Debian: libopenmpi-dev)");
}

/* Relative names of the launcher's files are the user's: it runs here, and only its output is in
 * the folder. */
static enum err_code run_program(const struct session *session, const struct launching *l,
				 const char *program, const char *const *argv, const char *output,
				 const char *what, struct err *e)
{
	struct strbuf path = STRBUF_INIT;
	struct kernel_run k = {.launcher = (const char *const *)l->word,
			       .argv = argv,
			       .output = output,
			       .what = what,
			       .progress = session->progress};
	enum err_code rc = find_program(l, program, &path, e);

	if (!rc) {
		k.program = strbuf_text(&path);
		rc = kernel_run(&k, &l->folder, e);
	}
	strbuf_release(&path);
	return rc;
}

static enum err_code path_in(const struct launching *l, const char *name, struct strbuf *out,
			     struct err *e)
{
	strbuf_printf(out, "%s/%s", strbuf_text(&l->folder.path), name);
	return out->failed ? err_set(e, ERR_NOMEM, "the name of a file") : ERR_OK;
}

/* The error about output that cannot be used, without the path of its file, which may be gone when
 * somebody reads this. */
static enum err_code not_its_output(const struct launching *l, const char *program,
				    const struct err *why, enum err_code rc, struct err *e)
{
	const char *folder = strbuf_text(&l->folder.path), *text = why->msg;

	if (strncmp(text, folder, strlen(folder)) == 0 && text[strlen(folder)] == '/')
		text += strlen(folder) + 1;
	return err_set(e, rc, "what %s printed, started by %s, cannot be used: %s", program,
		       l->word[0], text);
}

/* ---- messages ---- */

#define PINGPONG_FILE "pingpong.csv"

static enum err_code measure_messages(const struct session *session, const struct launching *l,
				      bool busy, struct pingpong_measured *out, struct err *e)
{
	const char *const argv[] = {busy ? "--busy" : NULL, "100", NULL};
	const char *program = l->smpi ? "pingpong_smpi" : "pingpong";
	struct strbuf path = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc;

	if (!(rc = run_program(session, l, program, argv, PINGPONG_FILE, "messages are sent: times",
			       e)) &&
	    !(rc = path_in(l, PINGPONG_FILE, &path, e)) &&
	    (rc = pingpong_measured_read(strbuf_text(&path), out, &why)))
		not_its_output(l, program, &why, rc, e);
	strbuf_release(&path);
	return rc;
}

/* ---- Wg ---- */

/* Sub-grids of much the same number of cells, so that caches are not taken for the start of loops;
 * blocks from the smallest to a whole octant. */
static const int sub_grid[][2] = {{4, 4}, {10, 10}, {25, 25}, {50, 50}, {10, 50}, {50, 10}};
static const int block_of[][2] = {{1, 1}, {4, 3}, {16, 6}}; /* mk, mmi */
enum {
	N_GRIDS = sizeof sub_grid / sizeof sub_grid[0],
	N_BLOCKS = sizeof block_of / sizeof block_of[0],
	CELLS = 40000,
	ITERATIONS = 7, /* those after the 7th do flux fix-ups */
	MM = 6,
	PASSES = 5 /* one after the other over all blocks, against drift */
};
#define TASKS_FILE "sweep_task.csv"
#define TASK_OUTPUT "sweep_task.out"

/* Lines of CSV without those of its header, which every process prints. */
static void keep_rows(const char *printed, struct strbuf *table)
{
	while (*printed) {
		size_t length = strcspn(printed, "\n");

		if ((*printed >= '0' && *printed <= '9') || table->len == 0) {
			strbuf_add(table, printed, length);
			strbuf_putc(table, '\n');
		}
		printed += length + (printed[length] == '\n');
	}
}

enum { N_RUNS = PASSES * N_GRIDS * N_BLOCKS, N_WORDS = 7 };

/* The words of sweep_task: all of them in one call, as starting it may take longer than it does. */
static void put_words(char text[N_RUNS * N_WORDS][16], const char *argv[N_RUNS * N_WORDS + 1])
{
	for (int i = 0; i < N_RUNS; i++) {
		const int *grid = sub_grid[i % (N_GRIDS * N_BLOCKS) / N_BLOCKS];
		const int *block = block_of[i % N_BLOCKS];
		const int value[N_WORDS] = {grid[0],   grid[1],	 CELLS / (grid[0] * grid[1]),
					    block[0],  block[1], MM,
					    ITERATIONS};

		for (int k = 0; k < N_WORDS; k++) {
			int at = i * N_WORDS + k;

			snprintf(text[at], sizeof text[at], "%d", value[k]);
			argv[at] = text[at];
		}
	}
	argv[N_RUNS * N_WORDS] = NULL;
}

static enum err_code run_blocks(const struct session *session, const struct launching *l,
				struct strbuf *table, struct err *e)
{
	char text[N_RUNS * N_WORDS][16];
	const char *argv[N_RUNS * N_WORDS + 1];
	struct strbuf printed = STRBUF_INIT;
	enum err_code rc;

	put_words(text, argv);
	if (!(rc = run_program(session, l, "sweep_task", argv, TASK_OUTPUT,
			       "blocks are computed: times", e)) &&
	    !(rc = work_folder_read(&l->folder, TASK_OUTPUT, SIZE_MAX, &printed, e)))
		keep_rows(strbuf_text(&printed), table);
	strbuf_release(&printed);
	return rc;
}

enum { IT, JT, MK, MMI, WG, N_TASK_COLUMNS };

static int by_block_then_time(const void *x, const void *y)
{
	const double *a = x, *b = y;

	for (int i = 0; i < N_TASK_COLUMNS; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static bool is_same_block(const double *a, const double *b)
{
	return a[IT] == b[IT] && a[JT] == b[JT] && a[MK] == b[MK] && a[MMI] == b[MMI];
}

/* The median of each block; *out[n_rows] is the caller's. */
static enum err_code find_medians(struct number_table *t, struct block_time **out, size_t *n,
				  struct err *e)
{
	struct block_time *time = calloc(t->n_rows + 1, sizeof *time);
	double *wg_s = calloc(t->n_rows + 1, sizeof *wg_s); /* of one block, ascending */
	const size_t width = t->n_columns;

	if (!time || !wg_s) {
		free(time);
		free(wg_s);
		return err_set(e, ERR_NOMEM, "%zu blocks", t->n_rows);
	}
	qsort(t->cell, t->n_rows, width * sizeof *t->cell, by_block_then_time);
	*n = 0;
	for (size_t first = 0, end; first < t->n_rows; first = end) {
		const double *b = &t->cell[first * width];

		for (end = first; end < t->n_rows && is_same_block(b, &t->cell[end * width]); end++)
			wg_s[end - first] = t->cell[end * width + WG];
		time[(*n)++] = (struct block_time){b[IT], b[JT], b[MK], b[MMI],
						   order_quantile(wg_s, end - first, 0.5)};
	}
	free(wg_s);
	*out = time;
	return ERR_OK;
}

static enum err_code read_blocks(const char *path, struct machine_measurement *m, struct err *e)
{
	static const char *const it[] = {"it", NULL}, *const jt[] = {"jt", NULL};
	static const char *const mk[] = {"mk", NULL}, *const mmi[] = {"mmi", NULL};
	static const char *const wg[] = {"wg", NULL};
	static const struct number_column column[N_TASK_COLUMNS] = {
		[IT] = {.names = it, .least = 1},
		[JT] = {.names = jt, .least = 1},
		[MK] = {.names = mk, .least = 1},
		[MMI] = {.names = mmi, .least = 1},
		[WG] = {.names = wg, .kind = NUMBER_SECONDS, .least = 1e-15},
	};
	struct number_table t = {0};
	size_t n = 0;
	enum err_code rc = number_table_read(path, column, N_TASK_COLUMNS, &t, e);

	if (!rc && !(rc = find_medians(&t, &m->block, &n, e)))
		rc = block_fit(m->block, n, &m->wg, e);
	m->has_wg = !rc;
	number_table_release(&t);
	return rc;
}

static enum err_code measure_blocks(const struct session *session, const struct launching *l,
				    struct machine_measurement *m, struct err *e)
{
	struct strbuf table = STRBUF_INIT, path = STRBUF_INIT;
	struct err why = {0};
	enum err_code rc = run_blocks(session, l, &table, e);

	if (!rc && table.failed)
		rc = err_set(e, ERR_NOMEM, "the times of blocks");
	if (!rc && !(rc = work_folder_write(&l->folder, TASKS_FILE, strbuf_text(&table), e)) &&
	    !(rc = path_in(l, TASKS_FILE, &path, e)) &&
	    (rc = read_blocks(strbuf_text(&path), m, &why)))
		not_its_output(l, "sweep_task", &why, rc, e);
	strbuf_release(&table);
	strbuf_release(&path);
	return rc;
}

/* ---- the definition ---- */

static void put_place(const char *where, const struct message_place *p, struct strbuf *out)
{
	const struct overhead_fit *c = &p->calls;

	if (p->file.rows.n == 0) {
		strbuf_printf(out, "%s: not measured.\n", where);
		return;
	}
	strbuf_printf(out, "%s: %zu round trips of %zu sizes, %.2g %% about the lines;", where,
		      p->file.rows.n, p->fit.n_size, 100 * p->fit.relative_error);
	if (c->L.known)
		strbuf_printf(out, " L %.3g +- %.1g us,", 1e6 * c->L.value_s,
			      1e6 * c->L.std_error_s);
	else
		strbuf_puts(out, " L not identifiable,");
	if (c->o.known)
		strbuf_printf(out, " o %.3g +- %.1g us.\n", 1e6 * c->o.value_s,
			      1e6 * c->o.std_error_s);
	else
		strbuf_puts(out, " o not identifiable.\n");
}

static void put_wg(const struct machine_measurement *m, struct strbuf *out)
{
	bool first = true;

	if (!m->has_wg) {
		strbuf_puts(out, "Wg: not measured.\n");
		return;
	}
	strbuf_puts(out, "Wg [ns] =");
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (!m->wg.known[t])
			continue;
		strbuf_printf(out, "%s %.3g%s", first ? "" : " +", 1e9 * m->wg.value_s[t],
			      block_term_divisor((enum block_term)t));
		first = false;
	}
	strbuf_printf(out, ", %.2g %% about it in %zu blocks, at most %.2g %%.\n",
		      100 * m->wg.relative_error, m->wg.n, 100 * m->wg.worst);
}

static void put_comment(const struct machine_measurement *m, struct strbuf *out)
{
	strbuf_puts(out, "Measured by `lemnos calibrate --run`. One way, in microseconds:\n");
	put_place("Between nodes", &m->messages.between, out);
	put_place("Inside a node", &m->messages.inside, out);
	put_wg(m, out);
	strbuf_puts(out, "How many nodes there are was not measured.\n");
}

static double not_nothing(const struct overhead_estimate *o)
{
	return o->known ? o->value_s : 0;
}

/* whole: with costs between nodes, which the base fits itself. The casts are for struct machine,
 * which owns its texts and segments elsewhere. */
static enum err_code put_definition(const struct machine_measurement *m, const char *name,
				    bool whole, struct strbuf *out, struct err *e)
{
	const struct message_place *in = &m->messages.inside, *between = &m->messages.between;
	struct strbuf comment = STRBUF_INIT, origin = STRBUF_INIT;
	struct machine text = {
		.name = (char *)(uintptr_t)name,
		.simulated = m->messages.simulated,
		.cores_per_node = m->messages.cores,
		.memory_bytes_per_node = m->messages.memory_bytes,
	};
	enum err_code rc;

	put_comment(m, &comment);
	strbuf_printf(&origin, "measured by lemnos calibrate --run, started by %s",
		      strbuf_text(&m->launch));
	text.origin = (char *)(uintptr_t)strbuf_text(&origin);
	if (between->file.rows.n > 0) {
		text.blocking_bytes = between->calls.blocking_bytes;
		text.overhead_s = not_nothing(&between->calls.o);
		if (whole) {
			text.segment = (struct cost_segment *)(uintptr_t)between->fit.segment;
			text.n_segment = between->fit.n_segment;
		}
	}
	if (in->file.rows.n > 0) {
		text.blocking_local_bytes = in->calls.blocking_bytes;
		text.overhead_local_s = not_nothing(&in->calls.o);
		text.segment_local = (struct cost_segment *)(uintptr_t)in->fit.segment;
		text.n_segment_local = in->fit.n_segment;
	}
	rc = comment.failed || origin.failed
		     ? err_set(e, ERR_NOMEM, "the definition of a machine")
		     : machine_put_text(&text, strbuf_text(&comment), out, e);
	strbuf_release(&comment);
	strbuf_release(&origin);
	return rc;
}

/* ---- all of it ---- */

/* Before everything is run, and only as far as the base tells. */
static enum err_code check_machine(struct session *session, const struct measurement_question *q,
				   bool simulated, struct err *e)
{
	struct machine *known = NULL;
	struct err why = {0};
	const char *fault = machine_name_fault(q->machine);
	enum err_code rc;

	if (fault)
		return err_set(e, ERR_ARG, "the machine's name '%.60s': %s", q->machine, fault);
	rc = session_machine(session, q->machine, 0, &known, NULL, &why);
	if (rc == ERR_NOTFOUND)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	if (known->simulated != simulated)
		rc = err_set(e, ERR_USAGE,
			     simulated ? "%s is a real machine, and %s simulates one: give another "
					 "name"
				       : "%s is a simulated machine, and %s starts programs on a "
					 "real one: give another name",
			     q->machine, q->launch ? q->launch : MEASUREMENT_LAUNCH);
	machine_free(known);
	return rc;
}

/* Measured calls tell L and o better than three equations do; if they are of the pairs whose costs
 * the base has taken. */
static void take_overheads(struct machine_measurement *m)
{
	struct machine_calibration *k = &m->calibration;
	const struct message_place *p = k->inside_node ? &m->messages.inside : &m->messages.between;

	if (p->file.rows.n == 0)
		return;
	k->loggp[0] = (struct calibration_loggp){"L", "L_s", p->calls.L.known, p->calls.L.value_s,
						 p->calls.L.std_error_s};
	k->loggp[1] = (struct calibration_loggp){"o_small", "o_s", p->calls.o.known,
						 p->calls.o.value_s, p->calls.o.std_error_s};
	k->loggp[2].known = false;
	k->has_overheads = p->calls.L.known;
	snprintf(k->why_not, sizeof k->why_not, "%s", p->calls.why_not);
}

static enum err_code store(struct session *session, const char *machine,
			   struct machine_measurement *m, struct err *e)
{
	const struct pingpong_file *const file[] = {&m->messages.between.file,
						    &m->messages.inside.file};
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = put_definition(m, machine, false, &text, e);

	if (!rc)
		rc = calibrate_with_files(session, machine, file, 2, strbuf_text(&text),
					  &m->calibration, e);
	if (!rc)
		take_overheads(m);
	strbuf_release(&text);
	return rc;
}

static enum err_code measure(struct session *session, const struct launching *l,
			     const struct measurement_question *q, struct machine_measurement *m,
			     struct err *e)
{
	enum err_code rc;

	for (size_t i = 0; i < l->n_word; i++)
		strbuf_printf(&m->launch, "%s%s", i ? " " : "", l->word[i]);
	if ((rc = measure_messages(session, l, q->busy, &m->messages, e)) ||
	    (!l->smpi && (rc = measure_blocks(session, l, m, e))) ||
	    (rc = put_definition(m, q->machine, true, &m->definition, e)))
		return rc;
	return store(session, q->machine, m, e);
}

enum err_code machine_measure(struct session *session, const struct measurement_question *q,
			      struct machine_measurement *out, struct err *e)
{
	struct launching l = {0};
	enum err_code rc;

	*out = (struct machine_measurement){0};
	if (!(rc = launching_open(&l, q, e)) && !(rc = check_machine(session, q, l.smpi, e)))
		rc = measure(session, &l, q, out, e);
	launching_release(&l);
	return rc;
}

void machine_measurement_release(struct machine_measurement *m)
{
	pingpong_measured_release(&m->messages);
	free(m->block);
	machine_calibration_release(&m->calibration);
	strbuf_release(&m->definition);
	strbuf_release(&m->launch);
	*m = (struct machine_measurement){0};
}

/* ---- JSON ---- */

static json_t *known(const struct overhead_estimate *o, double value_s)
{
	return o->known ? out_json_real(value_s) : json_null();
}

static json_t *positive(double value)
{
	return value > 0 ? out_json_real(value) : json_null();
}

static json_t *count(size_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *identifiable(const struct overhead_fit *c)
{
	json_t *names = json_array();
	int failed = 0;

	if (c->L.known)
		failed |= json_array_append_new(names, json_string("L"));
	if (c->o.known)
		failed |= json_array_append_new(names, json_string("o"));
	failed |= json_array_append_new(names, json_string("G"));
	if (!failed)
		return names;
	json_decref(names);
	return NULL;
}

static json_t *place_json(const struct message_place *p)
{
	const struct overhead_fit *c = &p->calls;
	json_t *o;

	if (p->file.rows.n == 0)
		return json_null();
	o = json_object();
	return out_json_unless(
		json_object_set_new(o, "rows", count(p->file.rows.n)) |
			json_object_set_new(o, "sizes", count(p->fit.n_size)) |
			json_object_set_new(o, "disturbed", count(p->fit.n_disturbed)) |
			member_real(o, "relative_error", p->fit.relative_error) |
			json_object_set_new(o, "segments",
					    cost_segments_json(p->fit.segment, p->fit.n_segment)) |
			json_object_set_new(o, "L_s", known(&c->L, c->L.value_s)) |
			json_object_set_new(o, "se_L_s", known(&c->L, c->L.std_error_s)) |
			json_object_set_new(o, "o_s", known(&c->o, c->o.value_s)) |
			json_object_set_new(o, "se_o_s", known(&c->o, c->o.std_error_s)) |
			json_object_set_new(o, "o_send_s", known(&c->send, c->send.value_s)) |
			json_object_set_new(o, "o_receive_s",
					    known(&c->receive, c->receive.value_s)) |
			json_object_set_new(o, "blocking_bytes", positive(c->blocking_bytes)) |
			json_object_set_new(o, "identifiable", identifiable(c)) |
			member_text(o, "why_not", c->why_not),
		o);
}

static json_t *measured_json(const struct machine_measurement *m)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < m->wg.n; i++) {
		const struct block_time *b = &m->block[i];
		json_t *row = json_object();
		int failed = member_real(row, "it", b->it) | member_real(row, "jt", b->jt) |
			     member_real(row, "mk", b->mk) | member_real(row, "mmi", b->mmi) |
			     member_real(row, "wg_s", b->wg_s) |
			     member_real(row, "fitted_s",
					 block_fit_wg(&m->wg, b->it, b->jt, b->mk, b->mmi));

		if (json_array_append_new(rows, row) | failed) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

static json_t *wg_json(const struct machine_measurement *m)
{
	json_t *o;
	int failed = 0;

	if (!m->has_wg)
		return json_null();
	o = json_object();
	for (int t = 0; t < BLOCK_TERMS; t++) {
		const char *name = block_term_name((enum block_term)t);
		char key[2][32];

		snprintf(key[0], sizeof key[0], "%s_s", name);
		snprintf(key[1], sizeof key[1], "se_%s_s", name);
		failed |= json_object_set_new(
			o, key[0], m->wg.known[t] ? out_json_real(m->wg.value_s[t]) : json_null());
		failed |= json_object_set_new(o, key[1],
					      m->wg.known[t] ? out_json_real(m->wg.std_error_s[t])
							     : json_null());
	}
	failed |= json_object_set_new(o, "blocks", count(m->wg.n)) |
		  member_real(o, "relative_error", m->wg.relative_error) |
		  member_real(o, "worst", m->wg.worst) |
		  json_object_set_new(o, "measured", measured_json(m));
	if (!failed)
		return o;
	json_decref(o);
	return NULL;
}

struct json_t *machine_measurement_json(const struct machine_measurement *m)
{
	json_t *answer = machine_calibration_json(&m->calibration), *node = json_object();
	int failed = !answer;

	failed |= json_object_set_new(node, "cores",
				      m->messages.cores > 0 ? json_integer(m->messages.cores)
							    : json_null()) |
		  json_object_set_new(node, "memory_bytes", positive(m->messages.memory_bytes));
	failed |= member_text(answer, "launch", strbuf_text(&m->launch)) |
		  member_bool(answer, "simulated", m->messages.simulated);
	failed |= json_object_set_new(answer, "node", node) |
		  json_object_set_new(answer, "inside_node", place_json(&m->messages.inside)) |
		  json_object_set_new(answer, "between_nodes", place_json(&m->messages.between)) |
		  json_object_set_new(answer, "wg", wg_json(m));
	if (!failed)
		return answer;
	json_decref(answer);
	return NULL;
}
