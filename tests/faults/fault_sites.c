/* Where the calls of the kind come from: the hash of the innermost return addresses of each, into a
 * file that fault_sweep reads (struct fault_sites). */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include <execinfo.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/faults/fault_inject.h"
#include "tests/faults/fault_state.h"
#include "tests/support/call_place.h"

/* Ours, of which there are up to four (with the frame of a signal), and those of the program. */
enum { OWN_FRAMES = 4, FRAMES = OWN_FRAMES + FAULT_SITE_DEPTH };

static struct fault_sites *sites;

void fault_sites_start(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
	void *frame[1], *p;

	if (fd < 0)
		return;
	backtrace(frame, 1); /* loads what it needs, once */
	if (ftruncate(fd, sizeof *sites) == 0) {
		p = mmap(NULL, sizeof *sites, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED)
			sites = p;
	}
	close(fd);
}

void fault_sites_record(long n)
{
	void *frame[FRAMES] = {0};

	if (sites && n <= FAULT_SITES_MAX)
		sites->hash[n - 1] = call_place(frame, backtrace(frame, FRAMES));
}
