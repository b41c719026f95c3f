#include "tests/support/synthetic_runs.h"

#include <math.h>
#include <string.h>

#include "domain/configuration.h"
#include "mining/structure/wavefront_time.h"
#include "models/model_list.h"
#include "tests/support/uniform.h"

int synthetic_open(struct synthetic *s)
{
	double p[WP_COUNT];

	memset(s, 0, sizeof *s);
	s->segment[0] = (struct cost_segment){0, 20e-6, 10e-9, 0, 0};
	s->machine.name = (char *)(uintptr_t) "synthetic";
	if (application_read("data/applications/sweep3d.conf", &s->app, NULL) ||
	    !wavefront_time_bind(s->app, s->truth.column) ||
	    message_cost_from_segments(s->segment, 1, 0, MESSAGE_COST_OVERHEAD_SHARE,
				       &s->truth.cost, NULL))
		return -1;
	for (int j = 0; j < WP_COUNT; j++)
		p[j] = wavefront_param_info[j].prior;
	p[WP_WG] = log(4e-7);
	p[WP_JT] = -0.1;
	p[WP_GRID_1] = 0.05;
	s->truth.step = 11.5;
	wavefront_time_set(&s->truth, p);
	return 0;
}

void synthetic_close(struct synthetic *s)
{
	application_free(s->app);
}

static void put(const struct application *app, double *row, const char *name, double value)
{
	row[application_column(app, name)] = value;
}

void synthetic_row(const struct synthetic *s, double *row, double cube, double npe_i, double npe_j,
		   double mk, double mmi)
{
	configuration_clear(s->app, row);
	configuration_default_workload(s->app, row);
	put(s->app, row, "it_g", cube);
	put(s->app, row, "jt_g", cube);
	put(s->app, row, "kt", cube);
	put(s->app, row, "npe_i", npe_i);
	put(s->app, row, "npe_j", npe_j);
	put(s->app, row, "nodes", npe_i * npe_j);
	put(s->app, row, "mk", npe_i * npe_j > 1 ? mk : cube);
	put(s->app, row, "mmi", npe_i * npe_j > 1 ? mmi : 6);
	configuration_derive(s->app, row);
}

double synthetic_model_time(const struct synthetic *s, const char *model, const double *row,
			    double Wg_s)
{
	struct model_input in = {.remote = &s->truth.cost, .tile_i = 1, .tile_j = 1};
	const struct model *m;
	struct sweep_time time;

	if (model_find(model, &m, NULL) ||
	    wavefront_question(s->app, row, &in.sweep, &in.run, NULL))
		return NAN;
	in.run.Wg_s = in.run.Wg_fixup_s = Wg_s;
	return model_run(m, &in, &time, NULL) ? NAN : time.time_s;
}

struct dataset *synthetic_runs(const struct synthetic *s, int max_procs, int repeats, double noise,
			       int disturb, uint64_t seed)
{
	static const double cube[] = {20, 40, 50, 100, 150}, mk[] = {1, 5, 10}, mmi[] = {1, 3, 6};
	struct dataset *d = dataset_new(s->app);
	int n = 0;

	for (int i = 0; d && i < 5 * 3 * 3; i++) {
		for (int procs = 1; procs <= max_procs; procs *= 2) {
			for (int npe_i = 1; npe_i <= procs && npe_i <= 16; npe_i *= 2) {
				int npe_j = procs / npe_i;
				double row[64], t;

				/* one blocking only: the others are the same run */
				if (procs == 1 && i % 9 != 0)
					continue;
				synthetic_row(s, row, cube[i / 9], npe_i, npe_j, mk[i / 3 % 3],
					      mmi[i % 3]);
				t = wavefront_time_at(&s->truth, row, NULL, NULL);
				for (int r = 0; r < repeats; r++) {
					double f = 1 + uniform_draw(&seed, -noise, noise);

					if (disturb && ++n % disturb == 0)
						f *= uniform_draw(&seed, 1, 25);
					if (dataset_add(d, row, t * f, (int64_t)d->n + 1, 1,
							SOURCE_SIMULATED, RUN_OK, 1, NULL)) {
						dataset_free(d);
						return NULL;
					}
				}
			}
		}
	}
	return d;
}
