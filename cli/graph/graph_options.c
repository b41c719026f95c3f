#include "cli/graph/graph_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/whole_file.h"

/* It is held in memory, and a pipe may never end. */
enum { GRAPH_BYTES_MAX = 256 << 20 };

/* A whole file of text, "-" being stdin. Errors: NOTFOUND, IO, NOMEM, INTERRUPTED, PARSE (too
 * long).
 */
static enum err_code text_file_read(const char *path, struct strbuf *out, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "rb");
	enum err_code rc = ERR_OK;
	char part[65536];
	size_t n;

	if (!file && errno == EINTR) /* a pipe that nobody writes to yet */
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	if (!file)
		return err_set(e, errno == ENOENT ? ERR_NOTFOUND : err_of_reading(errno), "%s: %s",
			       path, strerror(errno));
	while (!out->failed && out->len <= GRAPH_BYTES_MAX &&
	       (n = fread(part, 1, sizeof part, file)) > 0)
		strbuf_add(out, part, n);
	if (out->len > GRAPH_BYTES_MAX)
		rc = err_set(e, ERR_PARSE,
			     "%s: more than %d MiB, the most that is read: does it end at all?",
			     path, GRAPH_BYTES_MAX >> 20);
	else if (ferror(file) && errno == EINTR)
		rc = err_set(e, ERR_INTERRUPTED, "interrupted");
	else if (ferror(file))
		rc = err_set(e, err_of_reading(errno), "%s: %s", path, strerror(errno));
	else if (out->failed)
		rc = err_set(e, ERR_NOMEM, "%s: out of memory", path);
	if (!is_stdin)
		fclose(file);
	return rc;
}

enum err_code text_file_write(const char *path, const struct strbuf *text, struct err *e)
{
	struct whole_file *w = NULL;
	enum err_code rc;

	if (text->failed)
		return err_set(e, ERR_NOMEM, "what goes into %s", path);
	if ((rc = whole_file_open(path, WHOLE_FILE_REPLACES, &w, e)))
		return rc;
	fwrite(strbuf_text(text), 1, text->len, whole_file_stream(w));
	return whole_file_commit(w, e);
}

OPTION(opt_graph_processors, "processors", "P",
       .help = "graph: on P processors (default: those that the tasks name)");
OPTION(opt_graph_schedule, "schedule", "RULE", .values = "fifo longest",
       .help = "graph: which ready task a free processor takes: fifo, the one\n"
	       "that waits for longest (the default); longest, the one with\n"
	       "most to do from it to the end");
OPTION(opt_graph_contention, "contention", "WHAT[=RATE]",
       .help = "graph: bytes share a bus, the ports of receivers, or links\n"
	       "between pairs, of RATE bytes a second: bus=35MB, links=1.5GB\n"
	       "(default: what the machine does with large messages)");
OPTION(opt_graph_octants, "octants", "N",
       .help = "graph: only the first N of the 8 octants of an iteration");
OPTION(opt_graph_static, "static", NULL,
       .help = "graph: loops, classes of tasks and their dependences instead");
OPTION(opt_graph_write, "write", "FILE", .values = "FILE",
       .help = "graph: write the graph as text, which can be read again");
OPTION(opt_graph_dot, "dot", "FILE", .values = "FILE",
       .help = "graph: write a drawing for Graphviz, the critical path in red");

/* ---- the machine ---- */

/* "35MB" or "35MB/s" [bytes/s]; false: it is no rate above 0. */
static bool parse_rate(const char *text, double *out)
{
	size_t len = strlen(text);
	char rate[64];

	if (len > 2 && !strcmp(text + len - 2, "/s"))
		len -= 2;
	if (len >= sizeof rate)
		return false;
	memcpy(rate, text, len);
	rate[len] = '\0';
	return !size_parse(rate, out, NULL) && *out > 0;
}

/* "bus=35MB", or "bus" with the bandwidth of the machine: bytes_per_s stays 0. */
static enum err_code read_contention(const struct context *c, struct task_machine *m, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_graph_contention);

	if (!text)
		return ERR_OK;
	for (int k = NETWORK_BUS; k <= NETWORK_LINKS; k++) {
		const char *name = task_network_name((enum task_network)k);
		size_t len = strlen(name);

		if (strncmp(name, text, len) != 0)
			continue;
		m->network = (enum task_network)k;
		if (!text[len] || (text[len] == '=' && parse_rate(text + len + 1, &m->bytes_per_s)))
			return ERR_OK;
	}
	return err_set(
		e, ERR_USAGE,
		"--contention %s: bus, ports or links, and =RATE in bytes a second: bus=35MB",
		text);
}

/* The rate of a network that was named without one. */
static enum err_code complete_contention(struct graph_question *q, struct err *e)
{
	struct task_machine *m = &q->machine;

	if (m->network == NETWORK_UNSHARED || m->bytes_per_s > 0)
		return ERR_OK;
	if (q->file)
		return err_set(
			e, ERR_USAGE,
			"--contention %s: of which bandwidth? A FILE has no machine: %s=35MB",
			task_network_name(m->network), task_network_name(m->network));
	return message_cost_bandwidth(&q->model.remote, &m->bytes_per_s, e);
}

static enum err_code read_machine(const struct context *c, struct task_machine *m, struct err *e)
{
	long long procs = 0;
	int rule = SCHEDULE_FIFO;
	enum err_code rc;

	if ((rc = options_integer(&c->opt, &opt_graph_processors, 1, TASK_GRAPH_MAX_PROCS, &procs,
				  e)) ||
	    (rc = options_choice(&c->opt, &opt_graph_schedule, &rule, e)))
		return rc;
	m->procs = (int32_t)procs;
	m->rule = (enum schedule_rule)rule;
	return read_contention(c, m, e);
}

/* ---- the graph ---- */

static enum err_code refuse(const char *option, const char *why, struct err *e)
{
	return err_set(e, ERR_USAGE, "--%s %s", option, why);
}

/* What is for configurations would be passed over for a file: say so. */
static enum err_code check_file_options(const struct context *c, struct err *e)
{
	static const struct option_spec *const of_problems[] = {
		&opt_problem, &opt_machine,  &opt_app,		 &opt_set,
		&opt_wg,      &opt_wg_fixup, &opt_graph_octants, &opt_graph_static};

	for (size_t i = 0; i < sizeof of_problems / sizeof *of_problems; i++) {
		if (options_has(&c->opt, of_problems[i]))
			return refuse(of_problems[i]->name,
				      "is for the graph of a problem, and a FILE is given", e);
	}
	if (c->opt.n_flags > 0)
		return refuse(c->opt.flag[0].name,
			      "is for the graph of a problem, and a FILE is given", e);
	return ERR_OK;
}

static enum err_code check_static_options(const struct context *c, struct err *e)
{
	static const struct option_spec *const of_dynamic[] = {
		&opt_graph_processors, &opt_graph_schedule, &opt_graph_contention,
		&opt_graph_write};

	for (size_t i = 0; i < sizeof of_dynamic / sizeof *of_dynamic; i++) {
		if (options_has(&c->opt, of_dynamic[i]))
			return refuse(of_dynamic[i]->name,
				      "is for the dynamic graph; --static can be printed and drawn "
				      "(--dot)",
				      e);
	}
	return ERR_OK;
}

static enum err_code read_problem(struct context *c, struct graph_question *q, struct err *e)
{
	struct model_question *m = &q->model;
	long long octants = 8;
	enum err_code rc;

	if (!options_has(&c->opt, &opt_problem) && !options_has(&c->opt, &opt_set))
		return err_set(e, ERR_USAGE,
			       "the graph of what? Give a FILE, or --problem, --grid, --mk, --mmi, "
			       "--machine and --wg");
	if ((rc = options_integer(&c->opt, &opt_graph_octants, 1, 8, &octants, e)) ||
	    (rc = model_question_read(c, "pipeline", m, e)) ||
	    (rc = model_question_read_row(c, m, e)) ||
	    (rc = model_question_configure(m, m->row, e)))
		return rc;
	return graph_question_set_octants(q, (int)octants, e);
}

enum err_code graph_question_read(struct context *c, struct graph_question *out, struct err *e)
{
	enum err_code rc;

	*out = (struct graph_question){.file = c->n_operands > 0 ? c->operand[0] : NULL,
				       .is_static = options_has(&c->opt, &opt_graph_static)};
	if ((rc = read_machine(c, &out->machine, e)))
		return rc;
	if (out->file)
		rc = check_file_options(c, e);
	else if (!out->is_static || !(rc = check_static_options(c, e)))
		rc = read_problem(c, out, e);
	return rc ? rc : complete_contention(out, e);
}

/* ---- the graph that is meant ---- */

enum err_code graph_question_graph(const struct context *c, const struct graph_question *q,
				   struct task_graph **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (!q->file)
		return wavefront_graph_build(&q->wavefront, out, e);
	rc = text_file_read(q->file, &text, e);
	if (!rc)
		rc = graph_read_text(&c->session, &text, q->file, out, e);
	strbuf_release(&text);
	return rc;
}
