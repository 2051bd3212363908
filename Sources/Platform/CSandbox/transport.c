#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Numbers below are those that the new process gets: a descriptor that already had one of them would be overwritten. */
enum { FIRST_NUMBER = 10 };

static int raised(int descriptor) {
    if (descriptor < 0 || descriptor >= FIRST_NUMBER) return descriptor;
    int other = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_NUMBER), code = errno;
    close(descriptor);
    errno = code;
    return other;
}

int csandbox_socket_pair(int pair[2]) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
    pair[0] = raised(pair[0]), pair[1] = raised(pair[1]);
    if (pair[0] >= 0 && pair[1] >= 0) return 0;
    int code = errno;
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0) close(pair[i]);
    errno = code;
    return -1;
}

static int failed(int file) {
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

int csandbox_result_file(size_t size) {
    int file = raised(memfd_create("result", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)size) || fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL))
        return failed(file);
    return file;
}

ssize_t csandbox_write(int file, const void *bytes, size_t count) {
    size_t written = 0;
    while (written < count) {
        ssize_t more = pwrite(file, (const char *)bytes + written, count - written, (off_t)written);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return -1;
        written += (size_t)more;
    }
    return (ssize_t)written;
}

ssize_t csandbox_read(int file, void *bytes, size_t count) {
    size_t got = 0;
    while (got < count) {
        ssize_t more = pread(file, (char *)bytes + got, count - got, (off_t)got);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return -1;
        got += (size_t)more;
    }
    return (ssize_t)got;
}

int csandbox_source_file(const csandbox_piece *pieces, size_t count) {
    int file = memfd_create("source", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    off_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        size_t written = 0;
        while (written < pieces[i].count) {
            ssize_t more = pwrite(file, (const char *)pieces[i].bytes + written, pieces[i].count - written,
                                  offset + (off_t)written);
            if (more < 0 && errno == EINTR) continue;
            if (more <= 0) return failed(file);
            written += (size_t)more;
        }
        offset += (off_t)((pieces[i].count + 15) & ~(size_t)15);
    }
    /* The last piece ends with the file's last page, which reads as zeros. */
    if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)) return failed(file);
    return file;
}

int csandbox_discard(int file, size_t kept) {
    struct stat status;
    if (fstat(file, &status)) return -1;
    if ((size_t)status.st_blocks * 512 <= kept) return 0;
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, status.st_size);
}

int csandbox_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int result,
                   pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return errno = code, -1;
    if ((code = posix_spawnattr_init(&attributes))) {
        posix_spawn_file_actions_destroy(&actions);
        return errno = code, -1;
    }
    (void)(/* The first failure ends the list. */
           (code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)) ||
           (code = posix_spawn_file_actions_adddup2(&actions, 0, 1)) ||
           (code = posix_spawn_file_actions_adddup2(&actions, socket, CSANDBOX_SOCKET)) ||
           (code = posix_spawn_file_actions_adddup2(&actions, result, CSANDBOX_RESULT)) ||
           (code = posix_spawnattr_setsigmask(&attributes, &none)) ||
           (code = posix_spawnattr_setsigdefault(&attributes, &all)) ||
           /* Signals of a terminal are for the server, which ends its workers when it is done. */
           (code = posix_spawnattr_setpgroup(&attributes, 0)) ||
           (code = posix_spawnattr_setflags(
                &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)) ||
           (code = posix_spawn(process, path, &actions, &attributes, arguments, environment)));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code ? (errno = code, -1) : 0;
}

void csandbox_kill(pid_t process) {
    if (process > 0) kill(process, SIGKILL);
}

int csandbox_ends(pid_t process, int milliseconds) {
    struct timespec pause = {0, 1000000};
    for (int passed = 0;; passed++) {
        siginfo_t info;
        info.si_pid = 0;
        int status = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
        if (status == 0 ? info.si_pid != 0 : errno != EINTR) return 1;
        if (passed >= milliseconds) return 0;
        nanosleep(&pause, NULL);
    }
}

int csandbox_reap(pid_t process, int *signal, size_t *peak_bytes) {
    int status = 0;
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    pid_t found;
    do found = wait4(process, &status, 0, &usage);
    while (found < 0 && errno == EINTR);
    if (found < 0) return -1;
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    *peak_bytes = (size_t)usage.ru_maxrss * 1024;
    return 0;
}

size_t csandbox_peak(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (size_t)usage.ru_maxrss * 1024;
}

int64_t csandbox_processor_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) return -1;
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

ssize_t csandbox_send(int socket, const void *bytes, size_t count, int passed, int may_wait) {
    struct iovec piece = {(void *)bytes, count};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL | (may_wait ? 0 : MSG_DONTWAIT));
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t csandbox_receive(int socket, void *bytes, size_t room, int *passed) {
    struct iovec piece = {bytes, room};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    *passed = -1;
    message.msg_control = &control;
    /* With its padding there would be room for two, of which the second would stay open. */
    message.msg_controllen = CMSG_LEN(sizeof(int));
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            memcpy(passed, CMSG_DATA(header), sizeof(int));
    return count;
}

int csandbox_wait(int socket, int milliseconds) {
    struct pollfd entry = {.fd = socket, .events = POLLIN};
    int count = poll(&entry, 1, milliseconds);
    return count < 0 ? (errno == EINTR ? 0 : -1) : count > 0;
}

int csandbox_is_closed(int socket) {
    struct pollfd entry = {.fd = socket};
    return poll(&entry, 1, 0) > 0 && entry.revents & (POLLHUP | POLLERR);
}

const void *csandbox_map(int file, size_t length) {
    /* Kernels before 6.7 share no mapping of a file that is sealed against writing. */
    void *memory = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void csandbox_unmap(const void *memory, size_t length) { munmap((void *)memory, length); }
