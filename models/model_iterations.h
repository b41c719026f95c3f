#ifndef MODELS_MODEL_ITERATIONS_H
#define MODELS_MODEL_ITERATIONS_H
#include "models/model_list.h"

/* One iteration of each wavefront model, asked in the words of model_list.h: what a model needs is
 * taken from the input, or named where it is missing. Errors: those of struct model's iteration. */
enum err_code iteration_basic(const struct model_input *in, double Wg_s, struct sweep_time *out,
			      struct err *e);
enum err_code iteration_printed(const struct model_input *in, double Wg_s, struct sweep_time *out,
				struct err *e);
enum err_code iteration_smp_printed(const struct model_input *in, double Wg_s,
				    struct sweep_time *out, struct err *e);
enum err_code iteration_smp_tiled(const struct model_input *in, double Wg_s, struct sweep_time *out,
				  struct err *e);
enum err_code iteration_pipeline(const struct model_input *in, double Wg_s, struct sweep_time *out,
				 struct err *e);
enum err_code iteration_logp(const struct model_input *in, double Wg_s, struct sweep_time *out,
			     struct err *e);
enum err_code iteration_lopc(const struct model_input *in, double Wg_s, struct sweep_time *out,
			     struct err *e);
enum err_code iteration_lopc_coprocessor(const struct model_input *in, double Wg_s,
					 struct sweep_time *out, struct err *e);
enum err_code iteration_plug_lu(const struct model_input *in, double Wg_s, struct sweep_time *out,
				struct err *e);
enum err_code iteration_plug_sweep3d(const struct model_input *in, double Wg_s,
				     struct sweep_time *out, struct err *e);
enum err_code iteration_plug_chimaera(const struct model_input *in, double Wg_s,
				      struct sweep_time *out, struct err *e);

#endif
