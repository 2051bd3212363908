#ifndef CHOSTILE_H
#define CHOSTILE_H

/* System calls that code of an attacker might try, for tests of the sandbox. */

int chostile_count(void);
const char *chostile_name(int index);
/* 0 if the call was let through, else its errno. */
int chostile_try(int index);

void chostile_crash(void);

/* Asks the pool a question that two descriptors of `file` go with, and waits for the answer. Not 0 on failure. */
int chostile_ask_with_files(int socket, int file);

/* From here on the system has neither seccomp nor Landlock for this process. Not 0 on failure. */
int chostile_refuse_confinement(void);

/* Reads a byte of every page of the program and its libraries that is loaded read-only. Returns how many these are. */
int chostile_read_code(void);
#endif
