#ifndef TESTS_SUPPORT_CALL_PLACE_H
#define TESTS_SUPPORT_CALL_PLACE_H
#include <stdint.h>

/* From where a call comes: a number made of its return addresses, as backtrace() has them. FNV-1a
 * over whole words. */
static inline uint64_t call_place(void *const *frame, int n_frames)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (int i = 0; i < n_frames; i++)
		h = (h ^ (uintptr_t)frame[i]) * 0x100000001b3u;
	return h;
}

#endif
