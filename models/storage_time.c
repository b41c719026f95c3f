#include "models/storage_time.h"

#include <math.h>
#include <stddef.h>

/* ---- one disk ---- */

enum err_code disk_write_time(const struct disk_shape *d, double bytes, double between_s,
			      double *time_s, struct err *e)
{
	const struct {
		const char *name;
		double value;
	} wanted[] = {
		{"request_s", d->request_s},
		{"cache_bytes", d->cache_bytes},
		{"cache_bytes_per_s", d->cache_bytes_per_s},
		{"bytes", bytes},
		{"between_s", between_s},
	};
	double room, at_cache_rate = 0;

	if (!(d->bytes_per_s > 0) || !isfinite(d->bytes_per_s))
		return err_set(e, ERR_ARG, "a disk's bytes_per_s is a number > 0, not %g",
			       d->bytes_per_s);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		if (!(wanted[i].value >= 0) || !isfinite(wanted[i].value))
			return err_set(e, ERR_ARG, "a disk's %s is a number >= 0, not %g",
				       wanted[i].name, wanted[i].value);
	}
	room = fmin(d->cache_bytes, d->bytes_per_s * between_s);
	if (d->cache_bytes_per_s > d->bytes_per_s)
		at_cache_rate = fmin(bytes, room * d->cache_bytes_per_s /
						    (d->cache_bytes_per_s - d->bytes_per_s));
	*time_s = d->request_s + (bytes - at_cache_rate) / d->bytes_per_s;
	if (at_cache_rate > 0)
		*time_s += at_cache_rate / d->cache_bytes_per_s;
	return ERR_OK;
}

const char *file_layout_name(enum file_layout layout)
{
	static const char *const name[] = {"shared", "collective", "per-process"};

	return name[layout];
}

static enum err_code check(const struct file_system_shape *f, const struct file_amount *a,
			   struct err *e)
{
	const struct {
		const char *name;
		double value, least;
		int whole;
	} wanted[] = {
		{"targets", f->targets, 1, 1},	   {"stripe_count", f->stripe_count, 1, 1},
		{"open_s", f->open_s, 0, 0},	   {"bytes", a->bytes, 0, 0},
		{"processes", a->procs, 1, 1},	   {"pieces", a->pieces, 1, 0},
		{"between_s", a->between_s, 0, 0},
	};
	const double aggregators = f->layout == FILES_COLLECTIVE ? f->aggregators : 1;

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		if (!(wanted[i].value >= wanted[i].least) || !isfinite(wanted[i].value) ||
		    (wanted[i].whole && wanted[i].value != floor(wanted[i].value)))
			return err_set(e, ERR_ARG, "a file system's %s is a %snumber >= %g, not %g",
				       wanted[i].name, wanted[i].whole ? "whole " : "",
				       wanted[i].least, wanted[i].value);
	}
	if (!(f->stripe_bytes > 0) || !isfinite(f->stripe_bytes) || !(f->link_bytes_per_s > 0) ||
	    !isfinite(f->link_bytes_per_s))
		return err_set(e, ERR_ARG,
			       "a file system's stripe_bytes and link_bytes_per_s are numbers > 0, "
			       "not %g and %g",
			       f->stripe_bytes, f->link_bytes_per_s);
	if (f->stripe_count > f->targets)
		return err_set(e, ERR_ARG, "a file on %g targets of %g", f->stripe_count,
			       f->targets);
	if (!(aggregators >= 1) || aggregators != floor(aggregators) || !isfinite(aggregators))
		return err_set(e, ERR_ARG,
			       "a file system's aggregators are a whole number >= 1, "
			       "not %g",
			       f->aggregators);
	return ERR_OK;
}

/* On the first target of a file. */
static double largest_part(const struct file_system_shape *f, double file_bytes)
{
	const double round = f->stripe_bytes * f->stripe_count;
	const double rounds = floor(file_bytes / round);

	return rounds * f->stripe_bytes + fmin(f->stripe_bytes, file_bytes - rounds * round);
}

enum err_code file_system_write_time(const struct file_system_shape *f,
				     const struct file_amount *amount, struct file_system_time *out,
				     struct err *e)
{
	struct file_system_time t = {0};
	struct disk_shape target = f->target;
	double writers, files, stripes, requests;
	enum err_code rc = check(f, amount, e);

	if (rc)
		return rc;
	writers =
		f->layout == FILES_COLLECTIVE ? fmin(f->aggregators, amount->procs) : amount->procs;
	files = f->layout == FILES_PER_PROCESS ? amount->procs : 1;
	stripes = files * ceil(amount->bytes / files / f->stripe_bytes);
	requests = stripes;
	if (f->layout == FILES_SHARED && amount->bytes > 0)
		requests = fmax(stripes, amount->procs * amount->pieces);
	t.target_bytes = fmin(amount->bytes, ceil(files * f->stripe_count / f->targets) *
						     largest_part(f, amount->bytes / files));
	if (amount->bytes > 0)
		t.target_requests = ceil(requests * (t.target_bytes / amount->bytes));
	target.request_s *= t.target_requests;
	if ((rc = disk_write_time(&target, t.target_bytes, amount->between_s, &t.target_s, e)))
		return rc;
	t.open_s = writers * f->open_s;
	t.link_s = amount->bytes / writers / f->link_bytes_per_s;
	if (f->layout == FILES_COLLECTIVE)
		t.exchange_s =
			amount->bytes * (1 / writers - 1 / amount->procs) / f->link_bytes_per_s;
	t.time_s = t.open_s + t.exchange_s + fmax(t.link_s, t.target_s);
	if (!isfinite(t.time_s))
		return err_set(e, ERR_ARG, "the time of a write is too large for a number");
	*out = t;
	return ERR_OK;
}
