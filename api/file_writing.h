#ifndef API_FILE_WRITING_H
#define API_FILE_WRITING_H
#include "base/err.h"
#include "domain/storage_shape.h"
#include "models/sweep.h"

/* How long an application writes in a run [s]: `writes` times `bytes`, with between_s of other work
 * before each (models/storage_time.h). Errors: ARG (what is no disk, or no amount). */
enum err_code file_writing_time(const struct disk_shape *d, double writes, double bytes,
				double between_s, double *time_s, struct err *e);

/* The time on a parallel file system (models/storage_time.h): `writes` times the whole grid of s,
 * bytes_per_cell of each cell, in the order of Fortran (i fastest), of which each processor has its
 * part: as many pieces of a shared file as lines of its cells lie apart. Errors: ARG. */
enum err_code grid_writing_time(const struct file_system_shape *f, const struct sweep *s,
				double bytes_per_cell, double writes, double between_s,
				double *time_s, struct err *e);

/* The layout of this name ("shared", ...); FILES_LAYOUTS: there is none. */
enum file_layout file_layout_by_name(const char *name);

#endif
