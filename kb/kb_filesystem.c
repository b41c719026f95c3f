#include "kb/kb_filesystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/whole_file.h"

/* f_type values: statfs(2), linux/magic.h, and the sources of Lustre, GPFS and BeeGFS. FUSE is
 * among them because sshfs and most cluster file systems in user space look like it. */
static const unsigned long network_magic[] = {
	0x6969,	    /* NFS */
	0x517b,	    /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB2 */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
	0x19830326, /* BeeGFS */
	0x5346414f, /* AFS (OpenAFS) */
	0x6b414653, /* AFS (kernel) */
	0x73757245, /* Coda */
	0x00c36400, /* Ceph */
	0x01161970, /* GFS2 */
	0x7461636f, /* OCFS2 */
	0x20030528, /* OrangeFS */
	0x01021997, /* 9p */
	0x65735546, /* FUSE */
	0xaad7aaea, /* PanFS */
};

bool filesystem_is_network(unsigned long magic)
{
	for (size_t i = 0; i < sizeof network_magic / sizeof network_magic[0]; i++) {
		if (network_magic[i] == magic)
			return true;
	}
	return false;
}

/* The directory of path, "DIR/." */
static void put_parent(const char *path, struct strbuf *out)
{
	const char *slash = strrchr(path, '/');

	strbuf_add(out, path, slash ? (size_t)(slash - path) + 1 : 0);
	strbuf_putc(out, '.');
}

bool filesystem_of_is_network(const char *path)
{
	struct strbuf parent = STRBUF_INIT;
	struct statfs fs;
	bool known = statfs(path, &fs) == 0;

	if (!known) {
		put_parent(path, &parent);
		known = statfs(strbuf_text(&parent), &fs) == 0;
		strbuf_release(&parent);
	}
	/* Some architectures sign-extend f_type. */
	return known && filesystem_is_network((unsigned long)fs.f_type & 0xffffffffUL);
}

bool filesystem_may_write(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

bool filesystem_may_read(const char *path)
{
	return faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 || errno != EACCES;
}

bool filesystem_may_write_beside(const char *path)
{
	struct strbuf parent = STRBUF_INIT;
	bool may;

	put_parent(path, &parent);
	may = parent.failed || filesystem_may_write(strbuf_text(&parent));
	strbuf_release(&parent);
	return may;
}

/* 0: yes; else why not, as errno has it, ENOMEM where there is no room for the name. */
static int refuses_access(const char *path, const char *suffix, int how)
{
	struct strbuf name = STRBUF_INIT;
	int number = ENOMEM;

	strbuf_printf(&name, "%s%s", path, suffix);
	if (!name.failed)
		number = faccessat(AT_FDCWD, strbuf_text(&name), how, AT_EACCESS) ? errno : 0;
	strbuf_release(&name);
	return number;
}

bool filesystem_exists(const char *path, const char *suffix)
{
	return refuses_access(path, suffix, F_OK) == 0;
}

bool filesystem_may_write_existing(const char *path, const char *suffix)
{
	/* Asked once: whoever closes the base may be removing it. Other reasons SQLite tells. */
	int why = refuses_access(path, suffix, W_OK);

	return why != EACCES && why != EPERM && why != EROFS;
}

/* Lustre without its option "flock" says ENOSYS, NFS without its lock service ENOLCK. */
static bool may_lock(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_SETLK, &lock) == 0 ||
	       (errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP && errno != EINVAL);
}

/* A file next to path that has no name any more, -1 and errno when it cannot be made. */
static int make_nameless(const char *path)
{
	struct strbuf name = STRBUF_INIT;
	int fd = -1, number;

	strbuf_printf(&name, "%s-probe-XXXXXX", path);
	errno = ENOMEM;
	if (!name.failed && (fd = mkstemp(name.buf)) >= 0)
		unlink(name.buf);
	number = errno;
	strbuf_release(&name);
	errno = number;
	return fd;
}

/* Tried on a file of its own: to close another descriptor of a base, or of its log, would drop the
 * locks that SQLite holds ("How To Corrupt An SQLite Database File", 2.2). */
bool filesystem_has_locks(const char *path)
{
	int fd = make_nameless(path);
	bool has = fd < 0 || may_lock(fd);

	if (fd >= 0)
		close(fd);
	return has;
}

int filesystem_making_fails(const char *path)
{
	int fd = make_nameless(path);
	int number = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	return number;
}

enum err_code filesystem_make_parents(const char *path, struct err *e)
{
	char *parent = strdup(path);
	enum err_code rc = ERR_OK;

	if (!parent)
		return err_set(e, ERR_NOMEM, "directory of %s", path);
	for (char *p = parent + 1; !rc && *parent && (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(parent, 0777) == 0)
			whole_file_sync_folder(parent);
		else if (errno != EEXIST)
			rc = err_set(
				e, ERR_IO,
				"cannot make directory %s: %s (--kb FILE puts the base elsewhere)",
				parent, strerror(errno));
		*p = '/';
	}
	free(parent);
	return rc;
}

void filesystem_put_uri(const char *path, const char *parameters, struct strbuf *out)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~/";

	/* An empty authority before absolute paths; "./" keeps ":memory:" a file name. */
	strbuf_puts(out, *path == '/' ? "file://" : "file:./");
	for (; *path; path++) {
		if (strchr(plain, *path))
			strbuf_putc(out, *path);
		else
			strbuf_printf(out, "%%%02x", (unsigned)(unsigned char)*path);
	}
	strbuf_puts(out, parameters);
}
