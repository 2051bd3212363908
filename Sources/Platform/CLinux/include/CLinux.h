#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* All calls return a negative number and set errno on failure, as the system calls beneath do, unless they say otherwise. */

/* Writes the system's sentence for an errno value, cut to `capacity` bytes with the final NUL. */
void clinux_describe_error(int code, char *text, size_t capacity);

/* One ready descriptor: the key given at registration and CLINUX_READABLE... flags. Unlike epoll_event it is not packed. */
typedef struct {
    uint64_t key;
    uint32_t flags;
} clinux_ready;

enum {
    CLINUX_READABLE = 1,
    CLINUX_WRITABLE = 2,
    CLINUX_PEER_CLOSED = 4, /* the peer sends no more */
    CLINUX_FAILED = 8       /* error or full hang-up */
};

int clinux_epoll_create(void);
/* Edge-triggered; `flags` is CLINUX_READABLE | CLINUX_WRITABLE. */
int clinux_epoll_add(int poller, int descriptor, uint32_t flags, uint64_t key);
int clinux_epoll_modify(int poller, int descriptor, uint32_t flags, uint64_t key);
int clinux_epoll_remove(int poller, int descriptor);
/* At most CLINUX_READY_LIMIT events a call, whatever `capacity` is; a negative timeout waits without end. */
enum { CLINUX_READY_LIMIT = 256 };
int clinux_epoll_wait(int poller, clinux_ready *ready, int capacity, int timeout_milliseconds);

/* Non-blocking, close-on-exec. */
int clinux_eventfd(void);
int clinux_signalfd(const int *signals, size_t count);
/* The number of the signal read, 0 when none waits. */
int clinux_signalfd_read(int descriptor);

/* Close-on-exec and, when asked, non-blocking: set in the same call, so that no fork can come between. */
int clinux_socket(int family, int is_blocking);
int clinux_socket_pair(int pair[2]);
/* Bytes that were sent and that the peer has not acknowledged. */
int clinux_queued_byte_count(int descriptor);
int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length);
/* The user who connected a Unix-domain socket, or who listens at the other end of it (SO_PEERCRED). */
int clinux_peer_user(int descriptor, uid_t *user);

/* Descriptors with a text, in one message over a Unix-domain stream; 1 to CLINUX_PASSED_LIMIT of them. */
enum { CLINUX_PASSED_LIMIT = 4 };
ssize_t clinux_pass(int socket, const void *text, size_t text_count, const int *descriptors, size_t count);
/* Receives such a message. `descriptors` has room for CLINUX_PASSED_LIMIT, which are close-on-exec then; *count is how many came.
   Returns the bytes of the text, 0 at the end of the stream. */
ssize_t clinux_take_passed(int socket, void *text, size_t capacity, int *descriptors, size_t *count);

/* A new regular file in the open folder `folder` that has no name, and the name `path` beneath `folder` for such a file. */
int clinux_open_nameless(int folder);
int clinux_link(int descriptor, int folder, const char *path);

/* A new regular file in `folder` that has no name, for reading and writing by this user alone, close-on-exec. */
int clinux_open_spool(const char *folder);
/* The same on file systems without O_TMPFILE: the file has a name until it is open. */
int clinux_open_spool_by_name(const char *folder);

/* Entries of a folder one after the other; takes over `descriptor`, also on failure. NULL and errno on failure. */
typedef struct clinux_folder clinux_folder;
clinux_folder *clinux_folder_open(int descriptor);
/* 1: *name holds the next name, valid until the next call, and *is_folder what is known of its kind without asking;
   0: there are no more. `.` and `..` are left out. */
int clinux_folder_next(clinux_folder *folder, const char **name, int *is_folder);
void clinux_folder_close(clinux_folder *folder);

/* Takes the lock of the whole open file if nobody else has it (flock); EWOULDBLOCK otherwise. */
int clinux_lock_file(int descriptor);
/* Gives that lock up, though another process may still hold the opening: one that is about to run another program does. */
int clinux_unlock_file(int descriptor);
/* Takes or gives up the lock of one byte (F_OFD_SETLK): it belongs to the open file description. EAGAIN if it is taken. */
int clinux_lock_byte(int descriptor, off_t offset, int is_taken);

/* The bytes of a block of the file system that the open file is on. */
long clinux_block_byte_count(int descriptor);
/* The bytes that this user may still write there. */
int64_t clinux_available_byte_count(int descriptor);

/* Writes both pieces, one after the other, from `offset` on; how many bytes it wrote. */
ssize_t clinux_write_pair(int descriptor, const void *first, size_t first_count, const void *second, size_t second_count,
                          off_t offset);

/* Waits for `condition` for at most `nanoseconds`, whatever becomes of the wall clock. 0 or an errno value. */
int clinux_wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds);

/* At most 15 bytes; a longer name is cut. Names the calling thread. */
void clinux_name_this_thread(const char *name);
/* Adds `steps` (0 to 19) to the nice value of this thread and of the threads that it starts (setpriority(2)). Not undone. */
void clinux_lower_thread_priority(int steps);
/* Copies `count` bytes from the start of `file` to a file in memory, close-on-exec, which nobody can change from then on. Returns
 * it, or a negative number: with ENODATA where the file has more or less. Not every file system can (EINVAL). */
int clinux_sealed_copy(int file, size_t count);
/* Private read-only memory of the file, or NULL. */
const void *clinux_map(int file, size_t count);
void clinux_unmap(const void *memory, size_t count);
/* Starts a joinable thread that has every signal blocked. Returns 0 or an errno value. */
int clinux_thread_start(pthread_t *thread, size_t stack_byte_count, void *(*body)(void *), void *context);

/* Blocks `signals` for the calling thread and the threads it starts later. Returns 0 or an errno value. */
int clinux_block_signals(const int *signals, size_t count);

/* Processors in the affinity mask of the process, at least 1. */
int clinux_allowed_processors(void);
/* The quota of the process's cgroup (v2) in processors, rounded up; 0 without one. */
int clinux_processor_quota(void);
/* The lowest memory limit of the process's cgroup (v2) and those around it, in bytes; 0 without one. `root` is where cgroups are
   mounted, `own` the file of the process that names its cgroup. */
int64_t clinux_memory_limit(const char *root, const char *own);

/* Arenas of the C library's allocator, from how many bytes on a block is mapped on its own, and how many free bytes at the
   top of an arena are given back. */
void clinux_set_up_malloc(int arenas, int mapped_bytes, int trimmed_bytes);
/* Gives all free pages of its arenas back to the system. */
void clinux_trim_malloc(void);
/* Unmaps the pages of the program and its libraries that were never written: those wholly within a segment that is loaded
   read-only. Whoever needs one gets it from the page cache, or from its file. Libraries with relocations in their code
   (DT_TEXTREL) are left out. What a debugger wrote there is lost, such as breakpoints. */
void clinux_give_back_code(void);

/* Of this process; -1 where the system does not tell. */
typedef struct {
    int64_t resident_byte_count, virtual_byte_count, processor_microseconds;
    long descriptor_count, descriptor_limit;
} clinux_process_usage;

clinux_process_usage clinux_own_usage(void);

/* Raises the soft limit of open descriptors to the hard one; returns the limit that holds then. */
long clinux_raise_descriptor_limit(void);

#endif
