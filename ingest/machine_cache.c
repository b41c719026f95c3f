#include "ingest/machine_cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- what needs the knowledge base ---- */

/* A question to it. */
struct machine_question {
	struct machine_cache *c;
	struct known_machine *m;
};

static enum err_code ask(struct machine_cache *c, struct known_machine *m,
			 enum err_code (*call)(void *arg, struct err *e), struct err *e)
{
	struct machine_question q = {c, m};

	return c->consumer ? row_queue_ask(c->consumer, call, &q, e) : call(&q, e);
}

/* A known machine keeps its definition; one of which only the name is known gets the nodes that are
 * told now. */
static enum err_code compare_node(const struct machine_question *q, const struct machine *m,
				  struct err *e)
{
	const struct machine_node *node = &q->c->node;
	struct strbuf unknown = STRBUF_INIT;
	bool differs = (node->cores > 0 && node->cores != m->cores_per_node) ||
		       (node->memory_bytes > 0 && node->memory_bytes != m->memory_bytes_per_node);
	enum err_code rc = ERR_OK;

	q->m->cores_per_node = m->cores_per_node;
	if (!differs)
		return ERR_OK;
	if ((rc = machine_unknown_text(m->name, &unknown, e)))
		goto done;
	q->m->described = strcmp(strbuf_text(&unknown), m->definition) == 0;
	if (q->m->described)
		q->m->cores_per_node = node->cores;
	else
		rc = err_set(e, ERR_ARG,
			     "%s is there with other nodes than the command line says: leave that "
			     "out, or change its definition (`lemnos machines show %s`)",
			     m->name, m->name);
done:
	strbuf_release(&unknown);
	return rc;
}

static enum err_code look_up(void *arg, struct err *e)
{
	const struct machine_question *q = arg;
	struct machine *m = NULL;
	struct err why = {0};
	enum err_code rc = kb_get_machine(q->c->kb, q->m->name, &m, &q->m->id, &why);

	if (rc == ERR_NOTFOUND) {
		q->m->id = 0;
		q->m->cores_per_node = q->c->node.cores;
		return ERR_OK;
	}
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	rc = compare_node(q, m, e);
	machine_free(m);
	return rc;
}

static enum err_code put(struct machine_cache *c, struct known_machine *m, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct machine *made = NULL;
	enum err_code rc;

	if (!(rc = machine_node_text(m->name, &c->node, &text, e)) &&
	    !(rc = machine_parse(strbuf_text(&text), m->name, &made, e)))
		rc = kb_put_machine(c->kb, made, &m->id, e);
	machine_free(made);
	strbuf_release(&text);
	return rc;
}

static enum err_code create(struct machine_cache *c, struct known_machine *m, struct err *e)
{
	char **grown = realloc(c->created, (c->n_created + 1) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu machines", c->n_created + 1);
	c->created = grown;
	grown[c->n_created] = strdup(m->name);
	if (!grown[c->n_created])
		return err_set(e, ERR_NOMEM, "list of %zu machines", c->n_created + 1);
	c->n_created++;
	return put(c, m, e);
}

static enum err_code meet(void *arg, struct err *e)
{
	const struct machine_question *q = arg;
	enum err_code rc = ERR_OK;

	if (!q->m->id)
		rc = create(q->c, q->m, e);
	else if (q->m->described)
		rc = put(q->c, q->m, e);

	if (!rc && !(rc = kb_run_writer_meet(q->c->writer, q->m->id, e)))
		q->m->met = true;
	return rc;
}

/* ---- the list ---- */

static enum err_code add(struct machine_cache *c, const char *name, struct err *e)
{
	struct known_machine *grown, *fresh;
	enum err_code rc;

	if (c->n == MACHINES_MAX)
		return err_set(
			e, ERR_ARG,
			"more than %d different machines: is this column really the machine?",
			MACHINES_MAX);
	grown = realloc(c->machine, (c->n + 1) * sizeof *grown);
	if (!grown)
		return err_set(e, ERR_NOMEM, "list of %zu machines", c->n + 1);
	c->machine = grown;
	fresh = &grown[c->n];
	*fresh = (struct known_machine){.name = strdup(name)};
	if (!fresh->name)
		return err_set(e, ERR_NOMEM, "list of %zu machines", c->n + 1);
	if ((rc = ask(c, fresh, look_up, e))) {
		free(fresh->name);
		return rc;
	}
	c->n++;
	return ERR_OK;
}

enum err_code machine_cache_get(struct machine_cache *c, const char *name,
				struct known_machine **out, struct err *e)
{
	enum err_code rc;
	size_t i;

	if (c->last >= c->n || strcmp(c->machine[c->last].name, name) != 0) {
		for (i = 0; i < c->n && strcmp(c->machine[i].name, name) != 0; i++)
			;
		if (i == c->n && (rc = add(c, name, e)))
			return rc;
		c->last = i;
	}
	*out = &c->machine[c->last];
	return ERR_OK;
}

enum err_code machine_cache_use(struct machine_cache *c, struct known_machine *m, struct err *e)
{
	return m->met ? ERR_OK : ask(c, m, meet, e);
}

void machine_cache_release(struct machine_cache *c, char ***created, size_t *n_created)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->machine[i].name);
	free(c->machine);
	*created = c->created;
	*n_created = c->n_created;
	*c = (struct machine_cache){0};
}
