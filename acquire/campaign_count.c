#include <math.h>
#include <stdlib.h>

#include "acquire/campaign.h"

/* What became of a campaign's runs, and what they used. */

static enum err_code count_loss(struct kb *kb, int64_t id, struct campaign_count *c, struct err *e)
{
	struct kb_campaign_batches batches = {0};
	enum err_code rc = kb_load_campaign_batches(kb, id, &batches, e);

	for (size_t i = 0; i < batches.n; i++) {
		double loss = batches.item[i].expected_loss;

		if (isnan(loss))
			continue;
		if (isnan(c->loss_first))
			c->loss_first = loss;
		c->loss_last = loss;
	}
	kb_campaign_batches_release(&batches);
	return rc;
}

static void count_run(const struct campaign_target *t, const struct kb_campaign_run *r, double *row,
		      struct campaign_count *c)
{
	double nodes = campaign_run_row(t, r->levels, row) ? campaign_nodes(t->app, row) : 1;

	c->of[r->state]++;
	if (r->state == CAMPAIGN_RUN_PLANNED || r->state == CAMPAIGN_RUN_RUNNING) {
		c->planned_node_hours += nodes * r->predicted_s / 3600;
	} else if (!isnan(r->elapsed_s)) {
		c->elapsed_s += r->elapsed_s;
		c->node_hours += nodes * r->elapsed_s / 3600;
	}
}

enum err_code campaign_count(struct kb *kb, const struct campaign_target *t, int64_t campaign_id,
			     const struct kb_campaign_runs *runs, struct campaign_count *out,
			     struct err *e)
{
	struct campaign_count c = {.n = runs->n, .loss_first = NAN, .loss_last = NAN};
	double *row = calloc(t->app->n_columns + 1, sizeof *row);
	enum err_code rc;

	if (!row)
		return err_set(e, ERR_NOMEM, "the state of a campaign");
	for (size_t i = 0; i < runs->n; i++)
		count_run(t, &runs->item[i], row, &c);
	free(row);
	rc = count_loss(kb, campaign_id, &c, e);
	if (!rc)
		*out = c;
	return rc;
}
