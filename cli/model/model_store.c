#include "cli/model/model_store.h"

#include "cli/model/model_actions.h"
#include "cli/frame/options.h"

/* Kept with each run. */
static const char *const extra[] = {"model", "Wg_s", "Wg_fixup_s"};

/* The parameters as they were typed: what a list of imports is to show. */
static void put_option(const struct context *c, const struct option_spec *o, struct strbuf *out)
{
	const char *value = options_get(&c->opt, o);

	if (value)
		strbuf_printf(out, " %s=%s", o->name, value);
}

static void put_origin(const struct context *c, const struct model_question *q, struct strbuf *out)
{
	static const struct option_spec *const parameter[] = {
		&opt_wg,       &opt_wg_fixup, &opt_wg_pre, &opt_nonwavefront,
		&opt_w_before, &opt_w_after,  &opt_tile,   &opt_model_from,
	};

	strbuf_printf(out, "model %s", q->model->name);
	if (q->wg_is_mined)
		strbuf_puts(out, " wg=mined");
	for (size_t i = 0; i < sizeof parameter / sizeof *parameter; i++)
		put_option(c, parameter[i], out);
	strbuf_printf(out, " machine=%s", q->machine->name);
}

enum err_code model_store_begin(struct context *c, const struct model_question *q,
				struct model_store *out, struct err *e)
{
	if (q->model->code && !application_is(q->app, q->model->code))
		return err_set(e, ERR_ARG,
			       "--store: model %s gives times of %s, which would be false ones of "
			       "%s: give --app of a class for that code",
			       q->model->name, q->model->code, q->app->name);
	*out = (struct model_store){.question = q};
	put_origin(c, q, &out->origin);
	if (out->origin.failed)
		return err_set(e, ERR_NOMEM, "modelled runs");
	out->runs = (struct generated_runs){
		.app = q->app,
		.machine = q->machine,
		.source = SOURCE_MODELLED,
		.origin = strbuf_text(&out->origin),
		.extra = extra,
		.n_extra = sizeof extra / sizeof *extra,
	};
	return ERR_OK;
}

void model_store_add(struct model_store *s, const double *row, const struct sweep_time *time)
{
	const struct sweep_run *run = &s->question->input.run;
	char Wg_s[REAL_TEXT_SIZE], Wg_fixup_s[REAL_TEXT_SIZE];
	const char *value[] = {s->question->model->name, real_text(run->Wg_s, Wg_s),
			       real_text(run->Wg_fixup_s, Wg_fixup_s)};

	generated_runs_add(&s->runs, row, time->time_s, value);
}

enum err_code model_store_finish(struct context *c, struct model_store *s, struct err *e)
{
	return generated_runs_store(&c->session, &s->runs, e);
}

void model_store_release(struct model_store *s)
{
	generated_runs_release(&s->runs);
	strbuf_release(&s->origin);
}
