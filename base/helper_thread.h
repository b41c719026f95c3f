#ifndef BASE_HELPER_THREAD_H
#define BASE_HELPER_THREAD_H
#include <stdbool.h>
#include <pthread.h>

/* A thread that works beside the calling one, which keeps the signals: it is the one that asks
 * whether to go on. Those that an instruction of the helper itself raises stay its own. false: none
 * could be had; do the work alone. */
bool helper_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
