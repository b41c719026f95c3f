#include "api/file_writing.h"
#include "cli/compose/composed_parts.h"

enum err_code part_disk(struct composed_model *m, const struct composition_node *node,
			struct err *e)
{
	(void)e;
	m->disk = node->chosen; /* read by the file system that asked for it */
	return ERR_OK;
}

static enum err_code take_number(const struct component *c, const char *attribute, double *out,
				 struct err *e)
{
	const struct component_attribute *a = component_attribute(c, attribute);

	if (!a || a->text || !(a->number >= 0))
		return err_set(e, ERR_PARSE, "%s: the profile of '%s' wants %s, a number >= 0",
			       c->origin, c->name, attribute);
	*out = a->number;
	return ERR_OK;
}

static enum err_code read_disk(const struct component *c, struct disk_shape *out, struct err *e)
{
	enum err_code rc;

	if ((rc = take_number(c, "bytes_per_s", &out->bytes_per_s, e)) ||
	    (rc = take_number(c, "request_s", &out->request_s, e)) ||
	    (rc = take_number(c, "cache_bytes", &out->cache_bytes, e)) ||
	    (rc = take_number(c, "cache_bytes_per_s", &out->cache_bytes_per_s, e)))
		return rc;
	if (!(out->bytes_per_s > 0))
		return err_set(e, ERR_PARSE, "%s: '%s': bytes_per_s is a number > 0", c->origin,
			       c->name);
	return ERR_OK;
}

/* The grid is written after every time step, by one file system for all processors; between two
 * writes lies the time that the network, which is requested before, has put into m->time. */
enum err_code part_files(struct composed_model *m, const struct composition_node *node,
			 struct err *e)
{
	const struct sweep *s = &m->q.input.sweep;
	const double timesteps = (double)m->q.input.run.timesteps;
	struct disk_shape disk = {0};
	double bytes_per_cell = 0, writing_s = 0;
	enum err_code rc;

	if ((rc = take_number(node->asked_by, "bytes_per_cell", &bytes_per_cell, e)) ||
	    (rc = read_disk(m->disk, &disk, e)))
		return rc;
	rc = file_writing_time(&disk, timesteps,
			       bytes_per_cell * (double)s->it_g * (double)s->jt_g * (double)s->kt,
			       m->time.time_s / timesteps, &writing_s, e);
	if (rc)
		return rc;
	m->time.time_s += writing_s;
	m->time.parts.other_s += writing_s;
	return ERR_OK;
}
