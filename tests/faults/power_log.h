#ifndef TESTS_FAULTS_POWER_LOG_H
#define TESTS_FAULTS_POWER_LOG_H
#include <stdint.h>

/* What a program does to files, in the order in which it does it, as the preloaded library records
 * it in the file $FAULT_LOG (power_record.c) and power_disk.c reads it: a struct power_op each,
 * followed by its two names without an end, and by the bytes of a write. Files and directories go
 * by numbers made of device and inode; names are those inside their directory. */
enum power_op_kind {
	POWER_START = 1, /* dir: the working directory */
	POWER_CREATE,	 /* name in dir is the new file `file` */
	POWER_MKDIR,	 /* name in dir is the new directory `file` */
	POWER_LINK,	 /* name in dir is `file`, too */
	POWER_UNLINK,	 /* name in dir is gone */
	POWER_RENAME,	 /* name in dir is name2 in dir2 now */
	POWER_WRITE,	 /* size bytes of file, from offset on */
	POWER_TRUNCATE,	 /* file has size bytes now */
	POWER_SYNC,	 /* file, or the directory `file`, is on the disk */
	POWER_TOLD,	 /* something was written to standard output */
	POWER_UNKNOWN,	 /* a call that is not understood: the record is worth nothing */
};

struct power_op {
	uint32_t kind;
	uint16_t name_size, name2_size;
	uint64_t file, dir, dir2;
	uint64_t offset, size;
};

#endif
