#ifndef API_FILE_WRITING_H
#define API_FILE_WRITING_H
#include "base/err.h"
#include "domain/disk_shape.h"

/* How long an application writes in a run [s]: `writes` times `bytes`, with between_s of other work
 * before each (models/disk_cache.h). Errors: ARG (what is no disk, or no amount). */
enum err_code file_writing_time(const struct disk_shape *d, double writes, double bytes,
				double between_s, double *time_s, struct err *e);

#endif
