#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "models/taskgraph/task_graph_analysis.h"
#include "models/taskgraph/task_graph_text.h"

/* A task graph as text: what is read can be written, read back, drawn and analysed. */

static void check_round_trip(const struct task_graph *g)
{
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct task_graph *back = NULL;
	struct err e = {0};

	task_graph_write(g, &text);
	fuzz_require(!task_graph_read(strbuf_text(&text), text.len, "again", &back, &e), &e);
	task_graph_write(back, &again);
	fuzz_require(text.len == again.len, &e);
	task_graph_free(back);
	strbuf_release(&text);
	strbuf_release(&again);
}

static void check_analysis(const struct task_graph *g, const struct task_machine *m)
{
	struct task_analysis a = {0};
	struct strbuf dot = STRBUF_INIT;
	struct err e = {0};
	enum err_code rc = task_graph_analyse(g, m, NULL, &a, &e);

	fuzz_check_error(rc, &e);
	fuzz_require(rc || (a.time_s >= 0 && a.path.n > 0), &e);
	if (!rc)
		fuzz_require(!task_graph_dot(g, &a.path, &dot, &e), &e);
	strbuf_release(&dot);
	task_analysis_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A processor costs memory, whether tasks use it or not. */
	enum { MOST_PROCS = 100000 };
	struct task_graph *g = NULL;
	struct err e = {0};
	enum err_code rc = task_graph_read((const char *)data, size, "input", &g, &e);

	fuzz_check_error(rc, &e);
	if (rc)
		return 0;
	check_round_trip(g);
	if (g->n_procs <= MOST_PROCS) {
		check_analysis(g, &(struct task_machine){.procs = 0});
		check_analysis(g, &(struct task_machine){.procs = 3,
							 .rule = SCHEDULE_LONGEST,
							 .network = NETWORK_BUS,
							 .bytes_per_s = 1e6});
		check_analysis(
			g, &(struct task_machine){.network = NETWORK_LINKS, .bytes_per_s = 1e6});
	}
	task_graph_free(g);
	return 0;
}
