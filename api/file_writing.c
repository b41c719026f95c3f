#include "api/file_writing.h"

#include <string.h>

#include "models/storage_time.h"

enum err_code file_writing_time(const struct disk_shape *d, double writes, double bytes,
				double between_s, double *time_s, struct err *e)
{
	double once_s = 0;
	enum err_code rc = disk_write_time(d, bytes, between_s, &once_s, e);

	if (!rc)
		*time_s = writes * once_s;
	return rc;
}

enum file_layout file_layout_by_name(const char *name)
{
	int l = 0;

	while (l < FILES_LAYOUTS && strcmp(name, file_layout_name((enum file_layout)l)) != 0)
		l++;
	return (enum file_layout)l;
}

/* Pieces of a file in which one processor's part of the grid lies. */
static double pieces_of(const struct sweep *s)
{
	const double planes = (double)s->kt;

	if (s->npe_i > 1)
		return planes * (double)sweep_cells_of(s->jt_g, s->npe_j, 0);
	return s->npe_j > 1 ? planes : 1;
}

enum err_code grid_writing_time(const struct file_system_shape *f, const struct sweep *s,
				double bytes_per_cell, double writes, double between_s,
				double *time_s, struct err *e)
{
	const struct file_amount amount = {
		.bytes = bytes_per_cell * (double)s->it_g * (double)s->jt_g * (double)s->kt,
		.procs = (double)s->npe_i * (double)s->npe_j,
		.pieces = pieces_of(s),
		.between_s = between_s,
	};
	struct file_system_time once = {0};
	enum err_code rc = file_system_write_time(f, &amount, &once, e);

	if (!rc)
		*time_s = writes * once.time_s;
	return rc;
}
