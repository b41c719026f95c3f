#ifndef MODELS_DISK_CACHE_H
#define MODELS_DISK_CACHE_H
#include "base/err.h"
#include "domain/storage_shape.h"

/* A disk behind a cache that writes back, as a program sees it that writes the same amount again
 *and again with computation between. The cache takes bytes at its own rate while it has clean room,
 *and the disk empties it all the time; what finds no room goes at the disk's rate.
 *
 * In the steady state the room at the start of a write of B bytes is what the disk has emptied
 *since the last one, the whole cache at most. While the cache fills by cache rate - disk rate, it
 *takes A = min(cache, disk rate * between) * cache rate / (cache rate - disk rate) bytes, and the
 *write lasts t = request + min(B, A) / cache rate + max(0, B - A) / disk rate. Ours; POEMS (WOSP
 *1998, section 2.4) names disk caches among its components and gives no model. Limits: one disk for
 *all, no reading, nothing is written by others. */
enum err_code disk_write_time(const struct disk_shape *d, double bytes, double between_s,
			      double *time_s, struct err *e);

#endif
