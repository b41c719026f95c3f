#include "cli/frame/memory_option.h"

#include <stdio.h>
#include <string.h>

#include "base/memory_limit.h"
#include "base/units.h"

/* A base, its classes and a small fit take less; below this nothing can be done. */
static const double least_bytes = 32 * 1048576.0;

static enum err_code read_size(const struct context *c, double *bytes, struct err *e)
{
	const char *text = options_get(&c->opt, &opt_max_memory);
	struct err why = {0};

	*bytes = (double)memory_available_bytes() / 2;
	if (!text) {
		if (*bytes > 0 && *bytes < least_bytes)
			*bytes = least_bytes;
		return ERR_OK;
	}
	if (size_parse(text, bytes, &why))
		return err_set(e, ERR_USAGE, "--max-memory: %s", why.msg);
	if (!(*bytes >= least_bytes && *bytes <= 0x1p60))
		return err_set(e, ERR_USAGE, "--max-memory %s: it must be 32 MiB or more", text);
	return ERR_OK;
}

static bool takes_option(const struct cmd *cmd)
{
	for (const struct option_spec *const *o = cmd->options; o && *o; o++) {
		if (*o == &opt_max_memory)
			return true;
	}
	return false;
}

enum err_code memory_option_keep(struct context *c, struct err *e)
{
	double bytes;
	bool kept = false;
	enum err_code rc;

	if (!takes_option(c->cmd))
		return ERR_OK;
	if ((rc = read_size(c, &bytes, e)) ||
	    (bytes > 0 && (rc = memory_limit_set((uint64_t)bytes, &kept, e))))
		return rc;
	c->max_memory_bytes = kept ? bytes : 0;
	return ERR_OK;
}

void memory_option_explain(const struct context *c, struct err *e)
{
	size_t length = strlen(e->msg);
	bool small = c->max_memory_bytes < 0x1p30;

	if (c->max_memory_bytes > 0)
		snprintf(e->msg + length, sizeof e->msg - length,
			 "; at most %.3g %s are taken: give more with --max-memory SIZE, or %s",
			 c->max_memory_bytes / (small ? 0x1p20 : 0x1p30), small ? "MiB" : "GiB",
			 c->cmd->less_memory);
}
