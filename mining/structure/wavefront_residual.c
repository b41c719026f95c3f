#include <math.h>

#include "mining/structure/wavefront_model.h"

enum input {
	IN_IT,
	IN_JT,
	IN_KT,
	IN_MK,
	IN_MMI,
	IN_FIXED_UP, /* iterations with flux fix-ups: another inner loop */
	IN_PARTIAL,  /* the last k block is not full */
	IN_NPE_I,
	IN_NPE_J,
	IN_EW_BYTES,
	IN_NS_BYTES,
	IN_CELLS,
	N_INPUTS
};

#define BIT(i) (UINT32_C(1) << (i))

/* Likely sizes in log time: formulas of this kind are right to about a tenth for the computation,
 * and better for the rest, where messages are few. */
#define SHAPE_SD 0.1
#define GRID_SD 0.03
#define NOISE_SD 0.02
/* The time of loops jumps from one length to another (remainders of vectors, cache lines): what a
 * loop tells of one e times as long is little. Fix-ups make it another loop altogether. */
#define LOOP_LENGTH 1.0
#define FIX_LENGTH 0.2

void wavefront_residual_design(const void *state, struct gp_design *out)
{
	(void)state;
	*out = (struct gp_design){
		.n_inputs = N_INPUTS,
		.n_factors = 1,
		.n_parts = 2,
		.categorical = BIT(IN_FIXED_UP) | BIT(IN_PARTIAL),
		.noise_prior = NOISE_SD,
		.length_prior =
			{[IN_IT] = LOOP_LENGTH, [IN_JT] = LOOP_LENGTH, [IN_FIXED_UP] = FIX_LENGTH},
		.part = {
			{.shape = GP_MATERN_52,
			 .inputs = BIT(IN_IT) | BIT(IN_JT) | BIT(IN_KT) | BIT(IN_MK) | BIT(IN_MMI) |
				   BIT(IN_FIXED_UP) | BIT(IN_PARTIAL),
			 .factor = 0,
			 .sd_prior = SHAPE_SD},
			{.shape = GP_MATERN_52,
			 .inputs = BIT(IN_NPE_I) | BIT(IN_NPE_J) | BIT(IN_EW_BYTES) |
				   BIT(IN_NS_BYTES) | BIT(IN_CELLS),
			 .factor = -1,
			 .sd_prior = GRID_SD},
		}};
}

double wavefront_residual_share(const struct breakdown *parts)
{
	return (parts->compute_s + parts->fill_s + parts->other_s) / breakdown_total_s(parts);
}

void wavefront_residual_point(const void *state, const double *row, double *z, double *factor)
{
	const struct wavefront_model *m = state;
	const size_t *c = m->time.column;
	const double npe_i = row[c[WC_NPE_I]], npe_j = row[c[WC_NPE_J]], kt = row[c[WC_KT]];
	const double it = ceil(row[c[WC_IT_G]] / npe_i), jt = ceil(row[c[WC_JT_G]] / npe_j);
	const double mk = row[c[WC_MK]], mmi = row[c[WC_MMI]];
	struct breakdown parts;

	wavefront_time_at(&m->time, row, NULL, &parts);
	z[IN_IT] = log(it);
	z[IN_JT] = log(jt);
	z[IN_KT] = log(kt);
	z[IN_MK] = log(mk);
	z[IN_MMI] = log(mmi);
	z[IN_FIXED_UP] = row[c[WC_ITERATIONS]] > 7;
	z[IN_PARTIAL] = fmod(kt, mk) > 0;
	z[IN_NPE_I] = log(npe_i);
	z[IN_NPE_J] = log(npe_j);
	z[IN_EW_BYTES] = log(jt * mk * mmi);
	z[IN_NS_BYTES] = log(it * mk * mmi);
	z[IN_CELLS] = log(it * jt * kt);
	factor[0] = wavefront_residual_share(&parts);
}
