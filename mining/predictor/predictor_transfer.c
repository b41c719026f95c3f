#include "mining/predictor/predictor_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

enum err_code predictor_transfer(const struct predictor *from, const struct machine *machine,
				 double wg_factor, struct predictor **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct predictor *p;
	enum err_code rc;

	if (!from->kind->transfer)
		return err_set(e, ERR_ARG,
			       "predictor %s has no structure to carry over to another machine",
			       from->kind->name);
	if (!(wg_factor > 0) || !isfinite(wg_factor))
		return err_set(e, ERR_ARG, "the factor on computation must be a number > 0");
	p = malloc(sizeof *p);
	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	*p = *from;
	p->state = NULL;
	p->explanation = NULL;
	p->rules = NULL;
	p->rules_explanation = NULL;
	p->limits = (struct time_limits){.n = 0}; /* they were of the other machine */
	p->slow = (struct slow_runs){.n = 0};
	p->failures = (struct chance_failures){.n = 0};
	p->tick_s = 0;
	p->transferred = true;
	if ((rc = from->kind->transfer(from->state, machine, wg_factor, &p->state, e))) {
		predictor_free(p);
		return rc;
	}
	strbuf_printf(
		&text,
		"WHAT IF: machine %s has no runs, and the interval knows nothing of the doubt "
		"in the borrowed computation times (times %g). Its message costs are its own. %s%s",
		machine->name, wg_factor,
		from->rules ? "Time rules of the other machine are left out. " : "",
		from->explanation);
	p->explanation = text.buf;
	if (text.failed) {
		strbuf_release(&text);
		p->explanation = NULL;
		predictor_free(p);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	*out = p;
	return ERR_OK;
}
