/* Included before every source where runs are counted (make coverage): what a process has counted is written
 * before another program takes its place. No headers: a source says first which parts of these it wants. */
#ifndef TOOLS_COUNTED_EXEC_H
#define TOOLS_COUNTED_EXEC_H

int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);
int uncounted_execvp(const char *file, char *const argv[]) __asm__("execvp");

static inline int counted_execvp(const char *file, char *const argv[])
{
	__llvm_profile_write_file();
	/* if there is no such program, the rest is added to what was written */
	__llvm_profile_reset_counters();
	return uncounted_execvp(file, argv);
}
#define execvp counted_execvp
#endif
