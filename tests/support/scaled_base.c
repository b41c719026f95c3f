#include "tests/support/scaled_base.h"

#include "api/import_runs.h"
#include "api/mine_base.h"
#include "api/shipped.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

double scaled_base_time_s(double n, double nodes, double tile)
{
	return 1e-4 * n * n / nodes * (1 + tile / 64);
}

static void write_runs(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("n,nodes,tile,time_s\n", f);
	for (int n = 1000; n <= 4000; n *= 2) {
		for (int k = 1; k <= 8; k *= 2) {
			for (int t = 16; t <= 64; t *= 2) {
				for (int r = -1; r <= 1; r += 2)
					fprintf(f, "%d,%d,%d,%.9g\n", n, k, t,
						scaled_base_time_s(n, k, t) * (1 + 0.003 * r));
			}
		}
	}
	assert_int_equal(fclose(f), 0);
}

static enum err_code pass(void *arg, const struct mined_step *step, struct err *e)
{
	(void)arg;
	return step->failed ? err_set(e, step->failed, "%s", step->why) : ERR_OK;
}

static void make_base(struct scaled_base *f)
{
	static const char *const problem[] = {"n", NULL}, *const tunable[] = {"tile", NULL},
				 *const resource[] = {"nodes", NULL},
				 *const constraint[] = {"nodes > 1 or n < 4000", NULL};
	const struct ad_hoc q = {.name = "q",
				 .target = "time_s",
				 .target_unit_s = 1,
				 .problem = problem,
				 .tunable = tunable,
				 .resource_column = resource,
				 .resource_field = resource,
				 .constraint = constraint};
	char runs[128];
	const struct ingest_options o = {
		.path = runs, .source = -1, .app = "q", .machine = "m", .ad_hoc = &q};
	const struct mine_request all = {.app = "q", .told = pass};
	struct ingest_result result = {0};

	snprintf(runs, sizeof runs, "%s/q.csv", folder);
	snprintf(f->kb, sizeof f->kb, "%s/q.kb", folder);
	write_runs(runs);
	f->session = (struct session){.kb_path = f->kb, .datadir = "data"};
	must(shipped_open_kb(&f->session, KB_CREATE, NULL, &err));
	must(import_runs(&f->session, &o, &result, &err));
	assert_int_equal(result.import.n_taken, 66); /* six on one node have n = 4000 */
	ingest_result_release(&result);
	must(mine_base(&f->session, &all, &err));
	must(session_application(&f->session, "q", &f->app, &f->app_id, &err));
}

int scaled_base_setup(void **state)
{
	static struct scaled_base f;

	session_init_process();
	if (make_folder(state))
		return -1;
	make_base(&f);
	*state = &f;
	return 0;
}

int scaled_base_teardown(void **state)
{
	struct scaled_base *f = *state;

	if (f)
		application_free(f->app);
	if (f)
		session_close(&f->session);
	return remove_folder(state);
}
