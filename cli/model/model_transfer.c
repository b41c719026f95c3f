#include "cli/model/model_transfer.h"

#include "api/message_studies.h"

const struct option_spec opt_ideal_share = {
	.name = "ideal-share",
	.arg = "F",
	.help = "transfer: ideal is at least this share of the best bandwidth\n(default 0.5)",
};

static const struct out_column range_columns[] = {
	{"state", NULL, OUT_TEXT},
	{"from_bytes", "from bytes", OUT_REAL},
	{"to_bytes", "to bytes", OUT_REAL},
	{"best_bytes", "best at", OUT_REAL},
	{"best_bytes_per_s", "bytes per s", OUT_REAL},
};

static enum err_code print_states(const struct context *c, const struct transfer_states *s,
				  struct err *e)
{
	struct out_table *t =
		out_table_new(range_columns, sizeof range_columns / sizeof range_columns[0]);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "the states of a network");
	for (size_t i = 0; i < s->n; i++) {
		const struct transfer_range *r = &s->range[i];

		out_text(t, transfer_state_name(r->state));
		out_real(t, r->from_bytes);
		out_real(t, r->to_bytes);
		out_real(t, r->best_bytes);
		out_real(t, r->best_bytes_per_s);
	}
	rc = out_table_print(t, c->format, "states", c->out, e);
	out_table_free(t);
	return rc;
}

enum err_code model_transfer_run(struct context *c, struct err *e)
{
	struct transfer_states states = {0};
	double share = TRANSFER_IDEAL_SHARE;
	enum err_code rc;

	if ((rc = options_number(&c->opt, &opt_ideal_share, 0.01, 0.99, &share, e)) ||
	    (rc = transfer_states_read(c->operand[0], share, &states, e)))
		return rc;
	rc = print_states(c, &states, e);
	transfer_states_release(&states);
	return rc;
}
