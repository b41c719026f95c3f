#include <stdlib.h>

#include "cli/compose/compose_options.h"
#include "cli/compose/compose_output.h"
#include "cli/compose/compose_store.h"
#include "cli/compose/composed_model.h"
#include "cli/compose/machine_components.h"
#include "cli/model/model_actions.h"
#include "cli/model/model_definitions.h"

/* One problem at one or several levels of detail: a composition for each network. */
struct levels_of_detail {
	struct component_set set;
	struct machine_components machines;
	struct compose_wishes wishes;
	struct composition *parts; /* [n] */
	struct composed_model *model;
	size_t n;
};

static char root_name[] = "app", root_selector[] = "domain = 'application'";
static const struct component_request root = {.name = root_name, .selector = root_selector};

static enum err_code read_all(struct context *c, struct levels_of_detail *l, struct err *e)
{
	enum err_code rc;

	if ((rc = compose_wishes_read(c, &l->wishes, e)) ||
	    (rc = model_definitions_open_base(c, e)) ||
	    (rc = compose_wishes_settle(c, &l->wishes, e)) ||
	    (rc = compose_read_components(c, &l->set, e)) ||
	    (rc = composed_model_check(&l->set, e)) ||
	    (rc = machine_components_add(c, &l->set, &l->machines, e)))
		return rc;
	l->n = l->wishes.n_networks > 1 ? l->wishes.n_networks : 1;
	l->parts = calloc(l->n, sizeof *l->parts);
	l->model = calloc(l->n, sizeof *l->model);
	return l->parts && l->model ? ERR_OK : err_set(e, ERR_NOMEM, "the levels of detail");
}

static void release_all(struct levels_of_detail *l)
{
	for (size_t i = 0; l->parts && l->model && i < l->n; i++) {
		composed_model_release(&l->model[i]);
		composition_release(&l->parts[i]);
	}
	free(l->model);
	free(l->parts);
	compose_wishes_release(&l->wishes);
	machine_components_release(&l->machines);
	component_set_release(&l->set);
}

static enum err_code resolve(struct levels_of_detail *l, struct err *e)
{
	struct composition_wish *network = compose_wishes_find(&l->wishes, "network");
	struct composition_question q = {
		.set = &l->set,
		.root = &root,
		.wish = l->wishes.item,
		.n_wishes = l->wishes.n,
	};
	enum err_code rc = ERR_OK;

	if (network->component && l->wishes.n_networks > 0)
		return err_set(e, ERR_USAGE,
			       "--network and --choose network=... say the same; keep one");
	for (size_t i = 0; i < l->n && !rc; i++) {
		if (l->wishes.n_networks > 0)
			network->component = l->wishes.network[i];
		rc = composition_resolve(&q, &l->parts[i], e);
	}
	return rc;
}

/* A level that cannot be had (no simulator here, say) leaves the others; one by itself is an error.
 */
static enum err_code run(struct context *c, struct levels_of_detail *l, struct err *e)
{
	enum err_code failed = ERR_OK;

	for (size_t i = 0; i < l->n; i++) {
		struct composed_model *m = &l->model[i];
		struct err why = {0};
		enum err_code rc;

		*m = (struct composed_model){
			.c = c, .parts = &l->parts[i], .machines = &l->machines};
		m->before = i > 0 && m[-1].parts ? &m[-1] : NULL;
		rc = composed_model_run(m, &why);
		if (rc && l->n == 1)
			return err_set(e, rc, "%s", why.msg);
		if (rc) {
			context_warn(c, "%s: %s", l->wishes.network[i], why.msg);
			m->parts = NULL;
			failed = rc;
		}
	}
	return failed;
}

static enum err_code store(struct context *c, const struct levels_of_detail *l, struct err *e)
{
	enum err_code rc = ERR_OK;

	if (!options_has(&c->opt, &opt_store))
		return ERR_OK;
	for (size_t i = 0; i < l->n && !rc; i++) {
		if (l->model[i].parts)
			rc = compose_store(c, &l->model[i], e);
	}
	return rc;
}

enum err_code model_compose_run(struct context *c, struct err *e)
{
	struct levels_of_detail l = {0};
	enum err_code failed = ERR_OK;
	enum err_code rc;

	if (options_has(&c->opt, &opt_model_from))
		return err_set(e, ERR_USAGE,
			       "compose takes one configuration at a time; --from is for `lemnos "
			       "model run`");
	if (!(rc = read_all(c, &l, e)) && !(rc = resolve(&l, e))) {
		failed = run(c, &l, e);
		if (failed && l.n == 1)
			rc = failed;
		else if (!(rc = compose_print(c, l.model, l.n, e)))
			rc = store(c, &l, e);
	}
	release_all(&l);
	return rc ? rc : failed;
}
