/* Allocations that fail: malloc() and its kin stand before those of libc or of a sanitizer. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/faults/fault_state.h"

/* The next library's, which is libc or a sanitizer. dlsym() may itself allocate a little before we
 * know them; what it gets comes from here and is never given back. */
static _Alignas(max_align_t) char early[4096];
static size_t early_used;
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

static void *early_alloc(size_t size)
{
	size_t step = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	char *p = early + early_used;

	if (step > sizeof early - early_used)
		return NULL;
	early_used += step;
	return p;
}

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static bool resolve(void)
{
	static bool busy;

	if (next_free)
		return true;
	if (busy)
		return false;
	busy = true;
	*(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next_free = dlsym(RTLD_NEXT, "free");
	busy = false;
	return true;
}

/* Where the code of libconfig lies. */
static uintptr_t spared_from, spared_to;

static int find_spared(struct dl_phdr_info *library, size_t size, void *arg)
{
	(void)size, (void)arg;
	if (!strstr(library->dlpi_name, "/libconfig."))
		return 0;
	for (int i = 0; i < library->dlpi_phnum; i++) {
		if (library->dlpi_phdr[i].p_type != PT_LOAD ||
		    !(library->dlpi_phdr[i].p_flags & PF_X))
			continue;
		spared_from = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
		spared_to = spared_from + library->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

static bool is_spared(const void *caller)
{
	return (uintptr_t)caller >= spared_from && (uintptr_t)caller < spared_to;
}

#define CALLER __builtin_return_address(0)

static bool no_memory(const void *caller)
{
	if (fault.kind != KIND_ALLOC || is_spared(caller) || !fault_is_now())
		return false;
	errno = ENOMEM;
	return true;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc keeps its names to itself
 */
void *malloc(size_t size)
{
	if (!resolve())
		return early_alloc(size);
	return no_memory(CALLER) ? NULL : next_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	if (!resolve())
		return early_alloc(n * size);
	return no_memory(CALLER) ? NULL : next_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	if (!resolve())
		return early_alloc(size);
	return no_memory(CALLER) ? NULL : next_realloc(p, size);
}

/* libc's own would be the caller of malloc(). */
static char *copy_text(const char *text, const void *caller)
{
	size_t size = strlen(text) + 1;
	char *copy = no_memory(caller) ? NULL : next_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

char *strdup(const char *text)
{
	return copy_text(text, CALLER);
}

char *__strdup(const char *text); /* NOLINT(bugprone-reserved-identifier): as libconfig calls it */
char *__strdup(const char *text)
{
	return copy_text(text, CALLER);
}

void free(void *p)
{
	if (resolve() && !is_early(p))
		next_free(p);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

void fault_alloc_start(void)
{
	dl_iterate_phdr(find_spared, NULL);
}
