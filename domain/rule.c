#include "domain/rule.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_name[RULE_KIND_COUNT] = {
	[RULE_CHOICE] = "choice",
	[RULE_SETTING] = "setting",
	[RULE_TIME] = "time",
	[RULE_INVARIANT] = "invariant",
};

const char *rule_kind_name(enum rule_kind kind)
{
	return kind < RULE_KIND_COUNT ? kind_name[kind] : "unknown";
}

int rule_kind_from(const char *text)
{
	for (int kind = 0; kind < RULE_KIND_COUNT; kind++) {
		if (strcmp(kind_name[kind], text) == 0)
			return kind;
	}
	return -1;
}

void rule_release(struct rule *r)
{
	free(r->machine);
	free(r->condition);
	free(r->setting);
	for (size_t i = 0; i < r->n_term; i++)
		free(r->term[i].column);
	free(r->term);
	for (size_t i = 0; i < r->n_cost; i++)
		rule_cost_release(&r->cost[i]);
	free(r->cost);
	free(r->covers);
	free(r->caveat);
	*r = (struct rule){0};
}

void rule_list_release(struct rule_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		rule_release(&l->item[i]);
	free(l->item);
	*l = (struct rule_list){0};
}

enum err_code rule_list_add(struct rule_list *l, struct rule *r, struct err *e)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 16;
		struct rule *grown = realloc(l->item, cap * sizeof *grown);

		if (!grown) {
			rule_release(r);
			return err_set(e, ERR_NOMEM, "out of memory after %zu rules", l->n);
		}
		l->item = grown;
		l->cap = cap;
	}
	l->item[l->n++] = *r;
	*r = (struct rule){0};
	return ERR_OK;
}

enum err_code rule_add_term(struct rule *r, const char *column, double exponent, struct err *e)
{
	struct rule_term *grown = realloc(r->term, (r->n_term + 1) * sizeof *grown);
	char *name;

	if (!grown)
		return err_set(e, ERR_NOMEM, "out of memory for a formula");
	r->term = grown;
	name = strdup(column);
	if (!name)
		return err_set(e, ERR_NOMEM, "out of memory for a formula");
	r->term[r->n_term++] = (struct rule_term){.column = name, .exponent = exponent};
	return ERR_OK;
}

void rule_cost_release(struct rule_cost *cost)
{
	free(cost->part);
	free(cost->against);
	*cost = (struct rule_cost){0};
}

enum err_code rule_add_cost(struct rule *r, struct rule_cost *cost, struct err *e)
{
	struct rule_cost *grown = realloc(r->cost, (r->n_cost + 1) * sizeof *grown);

	if (!grown) {
		rule_cost_release(cost);
		return err_set(e, ERR_NOMEM, "out of memory for a cost");
	}
	r->cost = grown;
	r->cost[r->n_cost++] = *cost;
	*cost = (struct rule_cost){0};
	return ERR_OK;
}

double rule_held_up(const struct rule_evidence *v)
{
	double all = v->n_checked > 0 ? 1 - (double)v->n_counter / (double)v->n_checked : 1;

	return all < v->confidence ? all : v->confidence; /* NaN stays NaN */
}

bool rule_counts_run(const struct dataset *d, size_t i)
{
	return d->status[i] == RUN_OK && !d->flagged[i];
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

bool rule_says_same(const struct rule *general, const struct rule *own)
{
	if (general->kind != own->kind || own->kind == RULE_TIME)
		return false;
	/* Ids are of one length, so none is part of another. */
	return (same_text(general->condition, own->condition) &&
		same_text(general->setting, own->setting)) ||
	       (general->covers && *own->id && strstr(general->covers, own->id));
}
