#include "models/disk_cache.h"

#include <math.h>
#include <stddef.h>

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
