#include "cli/data/definitions.h"

#include <stdlib.h>

enum err_code for_each_operand(struct context *c,
			       enum err_code (*f)(struct context *c, const char *path,
						  struct err *e),
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n_operands && !rc; i++)
		rc = f(c, c->operand[i], e);
	return rc;
}

enum err_code default_print(struct context *c, const char *what, struct err *e)
{
	char *name = NULL;
	enum err_code rc = kb_get_default(c->session.kb, what, &name, e);

	if (!rc && name)
		context_print(c, "%s\n", name);
	else if (!rc)
		context_note(c, "no default %s is set", what);
	free(name);
	return rc;
}

enum err_code default_set(struct context *c, const char *what, const char *name, struct err *e)
{
	enum err_code rc = kb_set_default(c->session.kb, what, name, e);

	if (!rc && name)
		context_print(c, "default %s: %s\n", what, name);
	else if (!rc)
		fprintf(c->out, "no default %s\n", what);
	return rc;
}
