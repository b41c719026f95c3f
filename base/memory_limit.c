#include "base/memory_limit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(thread_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif
#ifndef HAS_SHADOW_MEMORY
#define HAS_SHADOW_MEMORY 0
#endif

/* The number of kB behind `name:` in a file of /proc; 0: there is none. */
static uint64_t proc_kilobytes(const char *path, const char *name)
{
	FILE *f = fopen(path, "re");
	char line[256];
	uint64_t value = 0;

	while (f && fgets(line, sizeof line, f)) {
		size_t length = strlen(name);

		if (!strncmp(line, name, length) && line[length] == ':' &&
		    sscanf(line + length + 1, "%" SCNu64, &value) == 1)
			break;
	}
	if (f)
		fclose(f);
	return value;
}

/* The one number of a file; UINT64_MAX: there is none ("max"). */
static uint64_t file_number(const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t value = UINT64_MAX;

	if (f && fscanf(f, "%" SCNu64, &value) != 1)
		value = UINT64_MAX;
	if (f)
		fclose(f);
	return value;
}

/* Memory that a container or a batch system leaves: version 2 of control groups, as seen from
 * inside. */
static uint64_t group_available_bytes(void)
{
	uint64_t most = file_number("/sys/fs/cgroup/memory.max");
	uint64_t taken = file_number("/sys/fs/cgroup/memory.current");

	if (most == UINT64_MAX || taken == UINT64_MAX)
		return UINT64_MAX;
	return most > taken ? most - taken : 0;
}

uint64_t memory_available_bytes(void)
{
	uint64_t system = 1024 * proc_kilobytes("/proc/meminfo", "MemAvailable");
	uint64_t group = group_available_bytes();

	return system > 0 && group < system ? group : system;
}

enum err_code memory_limit_set(uint64_t bytes, bool *kept, struct err *e)
{
	struct rlimit limit;

	if (HAS_SHADOW_MEMORY) {
		*kept = false;
		return ERR_OK;
	}
	if (getrlimit(RLIMIT_DATA, &limit))
		return err_set(e, ERR_IO, "the limit of memory: %s", strerror(errno));
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
		limit.rlim_cur = (rlim_t)bytes;
	if (setrlimit(RLIMIT_DATA, &limit))
		return err_set(e, ERR_IO, "the limit of memory: %s", strerror(errno));
	*kept = true;
	return ERR_OK;
}
