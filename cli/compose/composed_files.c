#include <string.h>

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

static enum err_code read_layout(const struct component *c, struct file_system_shape *out,
				 struct err *e)
{
	const struct component_attribute *a = component_attribute(c, "layout");

	out->layout = a && a->text ? file_layout_by_name(a->text) : FILES_LAYOUTS;
	if (out->layout == FILES_LAYOUTS)
		return err_set(e, ERR_PARSE,
			       "%s: the profile of '%s' wants layout, one of shared, collective, "
			       "per-process",
			       c->origin, c->name);
	return out->layout == FILES_COLLECTIVE ? take_number(c, "aggregators", &out->aggregators, e)
					       : ERR_OK;
}

static enum err_code read_file_system(const struct component *c, struct file_system_shape *out,
				      struct err *e)
{
	enum err_code rc;

	if ((rc = read_disk(c, &out->target, e)) ||
	    (rc = take_number(c, "targets", &out->targets, e)) ||
	    (rc = take_number(c, "stripe_count", &out->stripe_count, e)) ||
	    (rc = take_number(c, "stripe_bytes", &out->stripe_bytes, e)) ||
	    (rc = take_number(c, "open_s", &out->open_s, e)) ||
	    (rc = take_number(c, "link_bytes_per_s", &out->link_bytes_per_s, e)))
		return rc;
	return read_layout(c, out, e);
}

static enum err_code write_to_disk(const struct composed_model *m, double bytes_per_cell,
				   double timesteps, double *writing_s, struct err *e)
{
	const struct sweep *s = &m->q.input.sweep;
	struct disk_shape disk = {0};
	enum err_code rc = read_disk(m->disk, &disk, e);

	if (rc)
		return rc;
	return file_writing_time(&disk, timesteps,
				 bytes_per_cell * (double)s->it_g * (double)s->jt_g * (double)s->kt,
				 m->time.time_s / timesteps, writing_s, e);
}

static enum err_code write_to_targets(const struct composed_model *m, double bytes_per_cell,
				      double timesteps, double *writing_s, struct err *e)
{
	struct file_system_shape shape = {.aggregators = 1};
	struct err why = {0};
	enum err_code rc = read_file_system(m->disk, &shape, e);

	if (rc)
		return rc;
	rc = grid_writing_time(&shape, &m->q.input.sweep, bytes_per_cell, timesteps,
			       m->time.time_s / timesteps, writing_s, &why);
	return rc ? err_set(e, rc == ERR_ARG ? ERR_PARSE : rc, "%s: '%s': %s", m->disk->origin,
			    m->disk->name, why.msg)
		  : ERR_OK;
}

/* The grid is written after every time step, to the storage that was requested; between two
 * writes lies the time that the network, which is requested before, has put into m->time. */
enum err_code part_files(struct composed_model *m, const struct composition_node *node,
			 struct err *e)
{
	const double timesteps = (double)m->q.input.run.timesteps;
	double bytes_per_cell = 0, writing_s = 0;
	enum err_code rc;

	if ((rc = take_number(node->asked_by, "bytes_per_cell", &bytes_per_cell, e)))
		return rc;
	rc = strcmp(m->disk->code, "disk") != 0
		     ? write_to_targets(m, bytes_per_cell, timesteps, &writing_s, e)
		     : write_to_disk(m, bytes_per_cell, timesteps, &writing_s, e);
	if (rc)
		return rc;
	m->time.time_s += writing_s;
	m->time.parts.other_s += writing_s;
	return ERR_OK;
}
