#include "acquire/process_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* flock() and not fcntl(): a lock goes over to a child, and is gone when the last process that has
 * the file open is, whatever ended it. */

/* Ten seconds: those who look let go at once, unless they are stopped just then. */
enum { MOST_TRIES = 2000 };

static pid_t read_holder(int fd)
{
	char text[32] = "";
	ssize_t n = pread(fd, text, sizeof text - 1, 0);

	return n > 0 ? (pid_t)strtol(text, NULL, 10) : 0;
}

/* Killed: then the lock is with a child that was forked just before, which will close the file. (A
 * holder on another machine looks gone, too.) */
static bool holder_is_gone(int fd)
{
	pid_t holder = read_holder(fd);

	return holder > 0 && kill(holder, 0) && errno == ESRCH;
}

/* Whoever looks has a shared lock for a moment, whoever holds it an exclusive one. errno tells. */
static bool lock_alone(int fd)
{
	for (int tries = 0; tries < MOST_TRIES; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return true;
		if (errno != EWOULDBLOCK)
			return false;
		if (!flock(fd, LOCK_SH | LOCK_NB)) {
			flock(fd, LOCK_UN);
		} else if (errno != EWOULDBLOCK) {
			return false;
		} else if (!holder_is_gone(fd)) {
			errno = EWOULDBLOCK;
			return false;
		}
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
	errno = EWOULDBLOCK;
	return false;
}

static enum err_code cannot(const char *path, struct err *e)
{
	return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
}

enum err_code process_lock_take(const char *path, int *fd, pid_t *holder, struct err *e)
{
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	char text[32];
	int n;

	if (file < 0)
		return cannot(path, e);
	if (!lock_alone(file)) {
		bool held = errno == EWOULDBLOCK;

		if (!held)
			cannot(path, e);
		*holder = read_holder(file);
		*fd = -1;
		close(file);
		return held ? ERR_OK : ERR_IO;
	}
	n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
	if (ftruncate(file, 0) || pwrite(file, text, (size_t)n, 0) != n) {
		cannot(path, e);
		close(file);
		return ERR_IO;
	}
	*fd = file;
	return ERR_OK;
}

enum err_code process_lock_look(const char *path, bool *held, pid_t *holder, struct err *e)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);

	*held = false;
	*holder = 0;
	if (file < 0)
		return errno == ENOENT || errno == ENOTDIR ? ERR_OK : cannot(path, e);
	/* shared: two who look at once are not taken for one who has it */
	if (flock(file, LOCK_SH | LOCK_NB)) {
		if (errno != EWOULDBLOCK) {
			cannot(path, e);
			close(file);
			return ERR_IO;
		}
		*held = true;
		*holder = read_holder(file);
	}
	close(file);
	return ERR_OK;
}

void process_lock_release(int fd)
{
	if (fd >= 0)
		close(fd);
}
