#include "mining/wg_from_fit.h"

#include "mining/structure/wavefront_time.h"

/* Of a row that computes for compute_s. */
static enum err_code wg_of_computation(const struct application *app, const double *row,
				       double compute_s, double *Wg_s, struct err *e)
{
	struct sweep_run run = {0};
	struct sweep_block block;
	struct sweep sweep;
	double n_iterations;
	enum err_code rc;

	if ((rc = wavefront_question(app, row, &sweep, &run, e)) ||
	    (rc = sweep_block_of(&sweep, &block, e)))
		return rc;
	n_iterations = (double)run.groups * (double)run.timesteps * (double)run.iterations;
	*Wg_s = compute_s / (n_iterations * 8 * block.n_block * block.cell_angles);
	return ERR_OK;
}

enum err_code wg_from_fit(const struct predictor *p, const struct application *app,
			  const double *row, double *Wg_s, struct err *e)
{
	struct breakdown parts;
	bool known;

	predictor_breakdown(p, row, &parts, &known);
	if (!known)
		return err_set(e, ERR_ARG, "predictor %s does not tell computation apart",
			       predictor_name(p));
	return wg_of_computation(app, row, parts.compute_s, Wg_s, e);
}
