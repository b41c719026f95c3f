#include "tests/support/check.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory_limit.h"

/* What this process has taken [bytes]; 0: the system does not say. */
static uint64_t taken_bytes(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	uint64_t kilobytes = 0;

	while (f && fgets(line, sizeof line, f) &&
	       sscanf(line, "VmData: %" SCNu64, &kilobytes) != 1)
		;
	if (f)
		fclose(f);
	return 1024 * kilobytes;
}

TEST(the_system_says_what_is_free_and_taken)
{
	uint64_t available = memory_available_bytes(), taken = taken_bytes();

	assert_true(available > (1u << 20) && available < (UINT64_C(1) << 60));
	assert_true(taken > 0 && taken < (UINT64_C(1) << 60));
}

/* In a process of its own: 0 where the limit is kept, 77 where this build keeps none. */
static int try_limit(void)
{
	const uint64_t limit = taken_bytes() + (UINT64_C(64) << 20);
	struct rlimit now;
	bool kept = false;
	void *small, *large;
	bool fits;

	if (memory_limit_set(limit, &kept, NULL))
		return 1;
	if (!kept)
		return 77;
	small = malloc(UINT64_C(16) << 20);
	large = malloc(UINT64_C(128) << 20);
	fits = small && !large;
	free(small);
	free(large);
	if (!fits)
		return 2;
	/* a limit that was there and is lower stays */
	if (memory_limit_set(2 * limit, &kept, NULL) || getrlimit(RLIMIT_DATA, &now) ||
	    now.rlim_cur != limit)
		return 3;
	return 0;
}

TEST(an_allocation_beyond_the_limit_fails)
{
	int status = -1;
	pid_t pid;

	skip_under_valgrind("its allocations heed no limit of data");
	pid = fork();
	if (pid == 0)
		_exit(try_limit());
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}
