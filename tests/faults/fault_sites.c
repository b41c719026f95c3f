/* Where the calls of the kind come from: the hash of the innermost return addresses of each, into a
 * file that fault_sweep reads (struct fault_sites). Addresses count from the start of their program
 * or library, which lies elsewhere in each process: a build has the same hashes in every run. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): so is its name */
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/faults/fault_inject.h"
#include "tests/faults/fault_state.h"
#include "tests/support/call_place.h"

/* Ours, of which there are up to four (with the frame of a signal), and those of the program. */
enum { OWN_FRAMES = 4, FRAMES = OWN_FRAMES + FAULT_SITE_DEPTH, MODULES_MAX = 64 };

static struct fault_sites *sites;
static struct module {
	uintptr_t start, end;
} modules[MODULES_MAX];
static size_t n_modules;

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module m = {.start = info->dlpi_addr, .end = info->dlpi_addr};

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;

		if (part->p_type == PT_LOAD && end > m.end)
			m.end = end;
	}
	if (n_modules < MODULES_MAX)
		modules[n_modules++] = m;
	return 0;
}

/* Modules are numbered in the order in which they were loaded; what lies in none of them is 0. */
static void *relative(void *frame)
{
	uintptr_t at = (uintptr_t)frame;

	for (size_t i = 0; i < n_modules; i++) {
		if (at >= modules[i].start && at < modules[i].end)
			return (void *)(at - modules[i].start + ((i + 1) << 40));
	}
	return NULL;
}

void fault_sites_start(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
	void *frame[1], *p;

	if (fd < 0)
		return;
	backtrace(frame, 1); /* loads what it needs, once */
	dl_iterate_phdr(add_module, NULL);
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
	int n_frames;

	if (!sites || n > FAULT_SITES_MAX)
		return;
	n_frames = backtrace(frame, FRAMES);
	for (int i = 0; i < n_frames; i++)
		frame[i] = relative(frame[i]);
	sites->hash[n - 1] = call_place(frame, n_frames);
}
