#include "base/helper_thread.h"

#include <signal.h>

bool helper_thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	static const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
	sigset_t others;
	sigset_t before;
	int failed;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, &before);
	failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !failed;
}
