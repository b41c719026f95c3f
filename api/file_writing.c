#include "api/file_writing.h"

#include "models/disk_cache.h"

enum err_code file_writing_time(const struct disk_shape *d, double writes, double bytes,
				double between_s, double *time_s, struct err *e)
{
	double once_s = 0;
	enum err_code rc = disk_write_time(d, bytes, between_s, &once_s, e);

	if (!rc)
		*time_s = writes * once_s;
	return rc;
}
