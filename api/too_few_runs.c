#include "api/too_few_runs.h"

#include "mining/mine.h"

/* So many runs are enough for every predictor, or so nearly that mining is the better answer:
 * nobody should wait for a fit to be told to make one. */
enum { MANY_RUNS = 200 };

enum err_code check_enough_runs(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, int64_t n_runs, struct strbuf *why,
				struct err *e)
{
	struct mine_target on = {.app = app, .app_id = app_id, .machine_id = machine_id};
	struct machine *machine = NULL;
	struct mine_input in = {0};
	struct predictor *p = NULL;
	struct err failure = {0};
	enum err_code rc;

	if (n_runs >= MANY_RUNS)
		return ERR_OK;
	if ((rc = kb_get_machine_by_id(kb, machine_id, &machine, e)))
		return rc;
	on.machine = machine;
	if (!(rc = mine_input_load(kb, &on, NULL, &in, e))) {
		if (predictor_fit(NULL, &in.fit, &p, &failure) == ERR_NODATA)
			strbuf_puts(why, failure.msg);
		predictor_free(p);
		mine_input_release(&in);
	}
	machine_free(machine);
	return rc;
}
