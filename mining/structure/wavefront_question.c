#include "mining/structure/wavefront_question.h"

enum err_code wavefront_question_refuse(const struct application *app, struct err *e)
{
	return err_set(e, ERR_ARG,
		       "%s is no wavefront application as the models know it (it_g, jt_g, kt, "
		       "npe_i, npe_j, mk, mmi, "
		       "mm, iterations, groups, timesteps); give --app sweep3d",
		       app->name);
}

enum err_code wavefront_question_at(const struct application *app, const size_t column[WC_COUNT],
				    const double *row, struct sweep *sweep, struct sweep_run *run,
				    struct err *e)
{
	int64_t value[WC_COUNT];

	for (int i = 0; i < WC_COUNT; i++) {
		double count = row[column[i]];

		if (!(count >= 1 && count <= (double)SWEEP_MAX_COUNT))
			return err_set(e, ERR_ARG,
				       "%s = %g is no count, or more than the models count to",
				       app->column[column[i]].name, count);
		value[i] = (int64_t)count;
	}
	*sweep = (struct sweep){
		.it_g = value[WC_IT_G],
		.jt_g = value[WC_JT_G],
		.kt = value[WC_KT],
		.npe_i = value[WC_NPE_I],
		.npe_j = value[WC_NPE_J],
		.mk = value[WC_MK],
		.mmi = value[WC_MMI],
		.mm = value[WC_MM],
	};
	run->iterations = value[WC_ITERATIONS];
	run->groups = value[WC_GROUPS];
	run->timesteps = value[WC_TIMESTEPS];
	return ERR_OK;
}

enum err_code wavefront_question(const struct application *app, const double *row,
				 struct sweep *sweep, struct sweep_run *run, struct err *e)
{
	size_t column[WC_COUNT] = {0};

	if (!wavefront_time_bind(app, column))
		return wavefront_question_refuse(app, e);
	return wavefront_question_at(app, column, row, sweep, run, e);
}
