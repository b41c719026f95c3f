#ifndef TESTS_SUPPORT_CALL_PLACE_H
#define TESTS_SUPPORT_CALL_PLACE_H
#include <execinfo.h>
#include <stdint.h>

enum { CALL_PLACE_MAX_FRAMES = 16 };

/* From where a call comes: a number made of the innermost return addresses, up to n_frames of them
 * (<= CALL_PLACE_MAX_FRAMES). FNV-1a over whole words. */
__attribute__((always_inline)) static inline uint64_t call_place(int n_frames)
{
	void *frame[CALL_PLACE_MAX_FRAMES];
	uint64_t h = 0xcbf29ce484222325u;

	n_frames = backtrace(frame, n_frames);
	for (int i = 0; i < n_frames; i++)
		h = (h ^ (uintptr_t)frame[i]) * 0x100000001b3u;
	return h;
}

#endif
