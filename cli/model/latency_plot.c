#include "cli/model/latency_plot.h"

#include <math.h>

#include "base/strbuf.h"
#include "cli/frame/gnuplot.h"

/* $f0, $f1, ...: processors, simulated, by LogGP, by LoPC, for each factor. */
static void put_data(const struct latency_study *s, struct strbuf *out)
{
	for (size_t f = 0; f < s->n_factor; f++) {
		strbuf_printf(out, "$f%zu << EOD\n", f);
		for (size_t i = f; i < s->n; i += s->n_factor) {
			const struct latency_point *p = &s->point[i];

			strbuf_printf(out, "%lld ", (long long)p->procs);
			if (isnan(p->simulated_s))
				strbuf_puts(out, "NaN");
			else
				strbuf_printf(out, "%.6g", p->simulated_s);
			strbuf_printf(out, " %.6g %.6g\n", p->loggp_s, p->lopc_s);
		}
		strbuf_puts(out, "EOD\n");
	}
}

static void put_script(const struct latency_study *s, struct strbuf *out)
{
	struct strbuf title = STRBUF_INIT;

	put_data(s, out);
	strbuf_printf(&title, "%s on %s: lines by LogGP, dashed by LoPC%s", s->app, s->machine,
		      s->simulated ? ", points simulated" : "");
	strbuf_puts(out, "set title ");
	gnuplot_put_text(strbuf_text(&title), out);
	strbuf_puts(out, "\nset logscale x 2\nset logscale y\nset xlabel 'processors'\n"
			 "set ylabel 'run time [s]'\nset format y '%g'\nset key outside right\n"
			 "set grid\nplot");
	for (size_t f = 0; f < s->n_factor; f++) {
		strbuf_printf(out, "%s$f%zu using 1:3 with lines lc %zu title '%g L'",
			      f ? ", \\\n " : " ", f, f + 1, s->factor[f]);
		strbuf_printf(out, ", $f%zu using 1:4 with lines dt 2 lc %zu notitle", f, f + 1);
		if (s->simulated)
			strbuf_printf(out, ", $f%zu using 1:2 with points pt 7 lc %zu notitle", f,
				      f + 1);
	}
	strbuf_putc(out, '\n');
	strbuf_release(&title);
}

enum err_code latency_plot_draw(const struct latency_study *s, const char *path, struct err *e)
{
	struct strbuf script = STRBUF_INIT;
	enum err_code rc;

	put_script(s, &script);
	rc = script.failed ? err_set(e, ERR_NOMEM, "a plot")
			   : gnuplot_draw(path, strbuf_text(&script), e);
	strbuf_release(&script);
	return rc;
}
