#include "kb/kb_lock_holder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/strbuf.h"

/* /proc/locks is read, and no lock is asked for: that would need a descriptor of the file, and to
 * close it would drop the locks that SQLite holds ("How To Corrupt An SQLite Database File", 2.2).
 */

/* The bytes that SQLite locks (os.h, wal.c of 3.40): in the -shm file of WAL mode the write lock
 * and those of a checkpoint and of recovery; in the base itself from the pending byte on. */
enum { WAL_FIRST = 120, WAL_LAST = 122, BASE_FIRST = 0x40000000 };

struct lock {
	char kind[8]; /* READ, WRITE */
	long pid;
	unsigned major, minor;
	unsigned long inode, first;
};

static bool parse(const char *line, struct lock *l)
{
	return sscanf(line, "%*d: %*s %*s %7s %ld %x:%x:%lu %lu", l->kind, &l->pid, &l->major,
		      &l->minor, &l->inode, &l->first) == 6;
}

static bool is_on(const struct lock *l, const struct stat *file)
{
	return l->inode == file->st_ino && l->major == major(file->st_dev) &&
	       l->minor == minor(file->st_dev);
}

/* A reader is in the way of a writer only without WAL, where all locks are in the base. */
static bool is_in_the_way(const struct lock *l, const struct stat *base, const struct stat *shm)
{
	if (l->pid <= 0 || l->pid == (long)getpid())
		return false;
	if (is_on(l, shm))
		return !strcmp(l->kind, "WRITE") && l->first >= WAL_FIRST && l->first <= WAL_LAST;
	return !shm->st_ino && is_on(l, base) && l->first >= BASE_FIRST;
}

static long find_pid(const struct stat *base, const struct stat *shm)
{
	FILE *f = fopen("/proc/locks", "re");
	struct lock l;
	char line[200];
	long pid = 0;

	while (f && !pid && fgets(line, sizeof line, f)) {
		if (parse(line, &l) && is_in_the_way(&l, base, shm))
			pid = l.pid;
	}
	if (f)
		fclose(f);
	return pid;
}

/* "123 (name) T ...": the name may hold anything, and the letter says what it does. */
static void ask_about(struct lock_holder *h)
{
	char path[40], text[200] = "";
	const char *from, *to;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/stat", h->pid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (!fgets(text, sizeof text, f))
		*text = '\0';
	fclose(f);
	from = strchr(text, '(');
	to = strrchr(text, ')');
	if (!from || !to || to < from || strlen(to) < 3)
		return;
	snprintf(h->name, sizeof h->name, "%.*s", (int)(to - from - 1), from + 1);
	h->stopped = to[2] == 'T' || to[2] == 't';
}

bool lock_holder_find(const char *path, struct lock_holder *out)
{
	struct strbuf shm_path = STRBUF_INIT;
	struct stat base, shm = {0};
	bool known;

	strbuf_printf(&shm_path, "%s-shm", path);
	known = !shm_path.failed && stat(path, &base) == 0;
	if (known && stat(strbuf_text(&shm_path), &shm) != 0)
		shm = (struct stat){0};
	strbuf_release(&shm_path);
	if (!known)
		return false;
	*out = (struct lock_holder){.pid = find_pid(&base, &shm)};
	if (out->pid)
		ask_about(out);
	return out->pid != 0;
}

void lock_holder_describe(const struct lock_holder *h, char *text, int size)
{
	if (!h)
		snprintf(text, (size_t)size, "another process");
	else if (*h->name)
		snprintf(text, (size_t)size, "process %ld (%s%s)", h->pid, h->name,
			 h->stopped ? ", stopped" : "");
	else
		snprintf(text, (size_t)size, "process %ld", h->pid);
}
