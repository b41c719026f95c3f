#ifndef DOMAIN_STORAGE_SHAPE_H
#define DOMAIN_STORAGE_SHAPE_H

/* A disk behind a cache that writes back, as a storage component describes it. */
struct disk_shape {
	double bytes_per_s;	  /* of the disk itself, > 0 */
	double request_s;	  /* of each write: seek, open, close; >= 0 */
	double cache_bytes;	  /* 0: no cache */
	double cache_bytes_per_s; /* unless it is faster than the disk, it is of no use */
};

/* How processes write: all into one file, each where its cells lie; some that have collected the
 * data of the others, whole stripes of one file; each a file of its own. */
enum file_layout { FILES_SHARED, FILES_COLLECTIVE, FILES_PER_PROCESS, FILES_LAYOUTS };

/* A parallel file system, as a storage component describes it: files are cut into stripes, which go
 * in turn to the targets of the file. */
struct file_system_shape {
	struct disk_shape target; /* each of them; request_s of each piece that it gets */
	double targets;		  /* a whole number >= 1 */
	double stripe_count;	  /* targets of one file: a whole number, 1 to targets */
	double stripe_bytes;	  /* > 0 */
	double open_s;		  /* of each process that opens a file, one after the other; >= 0 */
	double link_bytes_per_s;  /* of one process to the others and to the targets; > 0 */
	enum file_layout layout;
	double aggregators; /* FILES_COLLECTIVE: processes that write; a whole number >= 1 */
};

#endif
