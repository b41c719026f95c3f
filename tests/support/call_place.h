#ifndef TESTS_SUPPORT_CALL_PLACE_H
#define TESTS_SUPPORT_CALL_PLACE_H
#include <stdint.h>

/* FNV-1a over whole words. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
static inline uint64_t fnv_add(uint64_t h, uintptr_t word)
{
	return (h ^ word) * 0x100000001b3u;
}

/* From where a call comes: a number made of its return addresses, as backtrace() has them. */
static inline uint64_t call_place(void *const *frame, int n_frames)
{
	uint64_t h = FNV_BASIS;

	for (int i = 0; i < n_frames; i++)
		h = fnv_add(h, (uintptr_t)frame[i]);
	return h;
}

#endif
