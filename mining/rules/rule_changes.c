#include "mining/rules/mine_rules.h"

#include <stdlib.h>
#include <string.h>

static const struct rule *find_id(const struct rule_list *l, const char *id)
{
	for (size_t k = 0; k < l->n; k++) {
		if (!strcmp(l->item[k].id, id))
			return &l->item[k];
	}
	return NULL;
}

static enum err_code same_shape(const struct application *a, const struct rule *x,
				const struct rule *y, bool *same, struct err *e)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	rule_put_shape(a, x, &one);
	rule_put_shape(a, y, &other);
	if (one.failed || other.failed)
		rc = err_set(e, ERR_NOMEM, "shapes of rules");
	else
		*same = !strcmp(strbuf_text(&one), strbuf_text(&other));
	strbuf_release(&one);
	strbuf_release(&other);
	return rc;
}

/* A rule that was lost takes the first gained one of its shape that no other one took. */
static enum err_code add_lost(const struct application *a, const struct rule *lost,
			      struct rule_change *change, size_t n_gained, size_t *n, struct err *e)
{
	for (size_t k = 0; k < n_gained; k++) {
		bool same = false;
		enum err_code rc;

		if (change[k].before)
			continue;
		if ((rc = same_shape(a, lost, change[k].after, &same, e)))
			return rc;
		if (same) {
			change[k].before = lost;
			return ERR_OK;
		}
	}
	change[(*n)++] = (struct rule_change){.before = lost};
	return ERR_OK;
}

enum err_code rule_changes(const struct application *a, const struct rule_list *before,
			   const struct rule_list *after, struct rule_change **out, size_t *n,
			   struct err *e)
{
	struct rule_change *change = calloc(before->n + after->n + 1, sizeof *change);
	size_t n_made = 0, n_gained;
	enum err_code rc = ERR_OK;

	if (!change)
		return err_set(e, ERR_NOMEM, "changes of rules");
	for (size_t k = 0; k < after->n; k++) {
		if (!find_id(before, after->item[k].id))
			change[n_made++].after = &after->item[k];
	}
	n_gained = n_made;
	for (size_t k = 0; k < before->n && !rc; k++) {
		if (!find_id(after, before->item[k].id))
			rc = add_lost(a, &before->item[k], change, n_gained, &n_made, e);
	}
	if (rc) {
		free(change);
		return rc;
	}
	*out = change;
	*n = n_made;
	return ERR_OK;
}
