#ifndef DOMAIN_DISK_SHAPE_H
#define DOMAIN_DISK_SHAPE_H

/* A disk behind a cache that writes back, as a storage component describes it. */
struct disk_shape {
	double bytes_per_s;	  /* of the disk itself, > 0 */
	double request_s;	  /* of each write: seek, open, close; >= 0 */
	double cache_bytes;	  /* 0: no cache */
	double cache_bytes_per_s; /* unless it is faster than the disk, it is of no use */
};

#endif
