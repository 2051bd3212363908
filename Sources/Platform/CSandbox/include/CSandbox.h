#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Processes that may do nothing but compute, and how to talk to them. Calls return a negative number and set errno on failure. */

/* The descriptors of a sandboxed process: its end of the socket, and the file that it writes results to. */
enum { CSANDBOX_SOCKET = 3, CSANDBOX_RESULT = 4 };

/* A pair of sockets that keep messages apart; close-on-exec, numbers from 10 on. */
int csandbox_socket_pair(int pair[2]);
/* A file in memory of `size` bytes for good, close-on-exec, number from 10 on; it can be written. */
int csandbox_result_file(size_t size);
/* A file in memory that holds the pieces, each from a multiple of 16 on, and that nobody can change any more. */
typedef struct {
    const void *bytes;
    size_t count;
} csandbox_piece;
int csandbox_source_file(const csandbox_piece *pieces, size_t count);
/* Gives the memory of a file back where it has more than `kept` bytes of it; the file reads as zeros then. */
int csandbox_discard(int file, size_t kept);

/* Starts the program at `path` in a process group of its own, with the two descriptors above and no others. The process ends
 * with the calling thread. */
int csandbox_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int result,
                   pid_t *process);
void csandbox_kill(pid_t process);
/* Whether the process ends, or has ended, within that time. It is still to be reaped. */
int csandbox_ends(pid_t process, int milliseconds);
/* Waits for the end of the process. `*signal` is what ended it, or 0; `*peak_bytes` its most resident memory. */
int csandbox_reap(pid_t process, int *signal, size_t *peak_bytes);
/* The most resident memory of this process in bytes, with which the peak of a process that it starts begins: exec keeps the
   peak of the memory that it leaves, and that is shared with this process until then. */
size_t csandbox_peak(void);
/* Processor time of a running process in microseconds, or -1. */
int64_t csandbox_processor_time(pid_t process);

/* One message; `passed` is a descriptor that goes with it, or -1. Never raises SIGPIPE. Unless it `may_wait`, EAGAIN where the other
 * side has left too much unread. */
ssize_t csandbox_send(int socket, const void *bytes, size_t count, int passed, int may_wait);
/* The length of the next message, which may exceed `room`; 0 at the end. `*passed` is the descriptor that came with it, or -1. */
ssize_t csandbox_receive(int socket, void *bytes, size_t room, int *passed);
/* Whether the other side has closed the socket. */
int csandbox_is_closed(int socket);
/* 1: a message or the end can be received; 0: not within that time. */
int csandbox_wait(int socket, int milliseconds);

/* In the new process, before it has threads: closes all other descriptors, and gives up all rights that it can do without from
 * the start. Fails where the process that started it is gone. With `may_read_fonts` the folders of the system's fonts stay
 * readable, if the kernel can tell them apart from others (Landlock). */
int csandbox_begin(pid_t parent, size_t memory_limit, size_t result_limit, int may_read_fonts);
/* What a system does not have, or refuses to this process. */
enum { CSANDBOX_LACKS_FILTER = 1, CSANDBOX_LACKS_LANDLOCK = 2 };
/* Last: from here on no other file can be opened and no process reached. Whatever is needed of files has been read before.
 * Returns what the system lacks, as a sum. */
int csandbox_enter(void);
/* Resident bytes of this process, also within the sandbox. */
size_t csandbox_resident_bytes(void);

/* Read-only memory of the whole file, or NULL. */
const void *csandbox_map(int file, size_t length);
void csandbox_unmap(const void *memory, size_t length);
ssize_t csandbox_write(int file, const void *bytes, size_t count);
ssize_t csandbox_read(int file, void *bytes, size_t count);

#endif
