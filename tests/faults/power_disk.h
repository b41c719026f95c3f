#ifndef TESTS_FAULTS_POWER_DISK_H
#define TESTS_FAULTS_POWER_DISK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/faults/power_log.h"

/* A disk under a program whose file operations were recorded. What was synced is on it. Of what was
 * not, each write, each change of a file's size and each change of a directory is on it or not,
 * whatever was done before or after it; a write may be there with some of its sectors only. A
 * synced file is not yet in its directory: the directory has to be synced, too (POSIX promises no
 * more). */

struct power_log;
struct power_disk;

/* The record in the file `path`; what cannot be read ends the test. */
struct power_log *power_log_read(const char *path);
void power_log_free(struct power_log *log);
size_t power_log_n_ops(const struct power_log *log);
enum power_op_kind power_log_kind(const struct power_log *log, size_t i_op);

/* The disk as it is now: the files of the working directory that are named, all else is not on it.
 */
struct power_disk *power_disk_new(const char *const *name, size_t n_names);
void power_disk_free(struct power_disk *disk);

/* Do the operations of the log up to, not including, `end`. Never goes back. */
void power_disk_advance(struct power_disk *disk, const struct power_log *log, size_t end);

/* Remove from the working directory every name that the disk ever had. */
void power_disk_clean(const struct power_disk *disk);

/* The power fails: put what is on the disk then into the working directory. The draw decides what
 * of the unsynced is kept; POWER_ALL_KEPT: everything. Files of shared memory (-shm) hold nothing
 * that makes sense. */
enum { POWER_ALL_KEPT = 0 };
void power_disk_lay_out(const struct power_disk *disk, uint64_t draw);

/* NULL: the files in the working directory are what they would be with all_kept; else a name. */
const char *power_disk_differs(const struct power_disk *disk);

/* A number in [0, 1) from the seed, which moves on: splitmix64. */
double power_uniform(uint64_t *seed);

#endif
