#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

void clinux_describe_error(int code, char *text, size_t capacity) {
    if (capacity == 0) return;
    /* With _GNU_SOURCE glibc's strerror_r returns the text, which need not be in the buffer. */
    char buffer[128];
    const char *found = strerror_r(code, buffer, sizeof buffer);
    strncpy(text, found, capacity - 1);
    text[capacity - 1] = 0;
}

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int poller, int operation, int descriptor, uint32_t flags, uint64_t key) {
    struct epoll_event event = {.events = EPOLLET, .data.u64 = key};
    if (flags & CLINUX_READABLE) event.events |= EPOLLIN | EPOLLRDHUP;
    if (flags & CLINUX_WRITABLE) event.events |= EPOLLOUT;
    return epoll_ctl(poller, operation, descriptor, &event);
}

int clinux_epoll_add(int poller, int descriptor, uint32_t flags, uint64_t key) {
    return control(poller, EPOLL_CTL_ADD, descriptor, flags, key);
}

int clinux_epoll_modify(int poller, int descriptor, uint32_t flags, uint64_t key) {
    return control(poller, EPOLL_CTL_MOD, descriptor, flags, key);
}

int clinux_epoll_remove(int poller, int descriptor) { return control(poller, EPOLL_CTL_DEL, descriptor, 0, 0); }

int clinux_epoll_wait(int poller, clinux_ready *ready, int capacity, int timeout_milliseconds) {
    struct epoll_event events[CLINUX_READY_LIMIT];
    int limit = capacity < CLINUX_READY_LIMIT ? capacity : CLINUX_READY_LIMIT;
    int count = epoll_wait(poller, events, limit, timeout_milliseconds);
    for (int i = 0; i < count; i++) {
        uint32_t seen = events[i].events, flags = 0;
        if (seen & (EPOLLIN | EPOLLPRI)) flags |= CLINUX_READABLE;
        if (seen & EPOLLOUT) flags |= CLINUX_WRITABLE;
        if (seen & EPOLLRDHUP) flags |= CLINUX_PEER_CLOSED;
        if (seen & (EPOLLERR | EPOLLHUP)) flags |= CLINUX_FAILED;
        ready[i] = (clinux_ready){.key = events[i].data.u64, .flags = flags};
    }
    return count;
}

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static void fill(sigset_t *set, const int *signals, size_t count) {
    sigemptyset(set);
    for (size_t i = 0; i < count; i++) sigaddset(set, signals[i]);
}

int clinux_signalfd(const int *signals, size_t count) {
    sigset_t set;
    fill(&set, signals, count);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_signalfd_read(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t count;
    do count = read(descriptor, &info, sizeof info);
    while (count < 0 && errno == EINTR);
    if (count == (ssize_t)sizeof info) return (int)info.ssi_signo;
    return count < 0 && errno != EAGAIN ? -1 : 0;
}

int clinux_socket(int family, int is_blocking) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | (is_blocking ? 0 : SOCK_NONBLOCK), 0);
}

int clinux_socket_pair(int pair[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair);
}

int clinux_queued_byte_count(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : -1;
}

int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length) {
    *peer_length = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, peer_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_peer_user(int descriptor, uid_t *user) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *user = peer.uid;
    return 0;
}

typedef union {
    char bytes[CMSG_SPACE(CLINUX_PASSED_LIMIT * sizeof(int))];
    struct cmsghdr header;
} passed_descriptors;

ssize_t clinux_pass(int socket, const void *text, size_t text_count, const int *descriptors, size_t count) {
    if (count == 0 || count > CLINUX_PASSED_LIMIT) {
        errno = EINVAL;
        return -1;
    }
    struct iovec piece = {(void *)text, text_count};
    passed_descriptors control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_take_passed(int socket, void *text, size_t capacity, int *descriptors, size_t *count) {
    struct iovec piece = {text, capacity};
    passed_descriptors control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    *count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    /* The room is for CLINUX_PASSED_LIMIT descriptors; the kernel closes what is beyond. */
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        if (*count + came > CLINUX_PASSED_LIMIT) break;
        memcpy(descriptors + *count, CMSG_DATA(header), came * sizeof(int));
        *count += came;
    }
    return received;
}

int clinux_open_nameless(int folder) { return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }

int clinux_link(int descriptor, int folder, const char *path) {
    /* AT_EMPTY_PATH takes a right that servers do not have. */
    char own[32];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, own, folder, path, AT_SYMLINK_FOLLOW);
}

int clinux_open_spool(const char *folder) {
    int descriptor;
    /* Without O_EXCL, so that the library can give what was received a name instead of copying it. */
    do descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return descriptor;
    return clinux_open_spool_by_name(folder);
}

int clinux_open_spool_by_name(const char *folder) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/.veduta-spool-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) unlink(path);
    return descriptor;
}

clinux_folder *clinux_folder_open(int descriptor) {
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        int code = errno;
        close(descriptor);
        errno = code;
    }
    return (clinux_folder *)folder;
}

int clinux_folder_next(clinux_folder *folder, const char **name, int *is_folder) {
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir((DIR *)folder);
        if (!entry) return errno == 0 ? 0 : -1;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        *name = entry->d_name;
        *is_folder = entry->d_type == DT_DIR;
        return 1;
    }
}

void clinux_folder_close(clinux_folder *folder) { closedir((DIR *)folder); }

int clinux_lock_file(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int clinux_unlock_file(int descriptor) { return flock(descriptor, LOCK_UN); }

int clinux_lock_byte(int descriptor, off_t offset, int is_taken) {
    struct flock lock = {
        .l_type = is_taken ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

// In bytes. f_bsize is what is best moved at once, on some file systems a megabyte.
static long block_size(const struct statfs *status) {
    return (long)(status->f_frsize != 0 ? status->f_frsize : status->f_bsize);
}

long clinux_block_byte_count(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? block_size(&status) : -1;
}

int64_t clinux_available_byte_count(int descriptor) {
    struct statfs status;
    int64_t count;
    if (fstatfs(descriptor, &status) != 0) return -1;
    return __builtin_mul_overflow(status.f_bavail, block_size(&status), &count) || count < 0 ? INT64_MAX : count;
}

ssize_t clinux_write_pair(int descriptor, const void *first, size_t first_count, const void *second, size_t second_count,
                          off_t offset) {
    struct iovec pieces[2] = {
        {.iov_base = (void *)first, .iov_len = first_count}, {.iov_base = (void *)second, .iov_len = second_count}};
    return pwritev(descriptor, pieces, 2, offset);
}

int clinux_wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec += nanoseconds % 1000000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000;
    }
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
}

void clinux_name_this_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof cut - 1);
    pthread_setname_np(pthread_self(), cut);
}

int clinux_sealed_copy(int file, size_t count) {
    int copy = memfd_create("original", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (copy < 0) return -1;
    off_t offset = 0;
    int code = 0;
    /* One byte more than there should be shows a file that grew. */
    while (!code && (size_t)offset <= count) {
        ssize_t more = sendfile(copy, file, &offset, count + 1 - (size_t)offset);
        if (more == 0) break;
        if (more < 0 && errno != EINTR) code = errno;
    }
    if (!code && (size_t)offset != count) code = ENODATA;
    if (!code && fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)) code = errno;
    if (!code) return copy;
    close(copy);
    errno = code;
    return -1;
}

const void *clinux_map(int file, size_t count) {
    /* Kernels before 6.7 share no mapping of a file that is sealed against writing. */
    void *memory = mmap(NULL, count, PROT_READ, MAP_PRIVATE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void clinux_unmap(const void *memory, size_t count) { munmap((void *)memory, count); }

void clinux_lower_thread_priority(int steps) {
    /* On Linux the nice value belongs to the thread, and 0 names the one that calls. */
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, 0);
    if (nice != -1 || errno == 0) setpriority(PRIO_PROCESS, 0, nice + steps);
}

int clinux_thread_start(pthread_t *thread, size_t stack_byte_count, void *(*body)(void *), void *context) {
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    code = pthread_attr_setstacksize(&attributes, stack_byte_count);
    if (code == 0) {
        /* The new thread inherits the mask, so it is blocked around the creation and restored after it. */
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        code = pthread_create(thread, &attributes, body, context);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return code;
}

int clinux_block_signals(const int *signals, size_t count) {
    sigset_t set;
    fill(&set, signals, count);
    return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int clinux_allowed_processors(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) return CPU_COUNT(&mask);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int clinux_processor_quota(void) {
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file) return 0;
    long quota = 0, period = 0;
    int count = fscanf(file, "%ld %ld", &quota, &period);
    fclose(file);
    if (count != 2 || quota <= 0 || period <= 0) return 0;
    return (int)((quota + period - 1) / period);
}

static int64_t read_memory_limit(const char *folder) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/memory.max", folder) >= (int)sizeof path) return 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    long long limit = 0;
    /* Without a limit it is the word `max`. */
    int count = fscanf(file, "%lld", &limit);
    fclose(file);
    return count == 1 && limit > 0 ? limit : 0;
}

int64_t clinux_memory_limit(const char *root, const char *own) {
    char folder[PATH_MAX], line[PATH_MAX];
    size_t length = strlen(root);
    if (length >= sizeof folder) return 0;
    memcpy(folder, root, length + 1);
    FILE *file = fopen(own, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "0::/", 4) != 0) continue;
        line[strcspn(line, "\n")] = 0;
        if (snprintf(folder + length, sizeof folder - length, "%s", line + 3) >= (int)(sizeof folder - length)) {
            folder[length] = 0;
        }
        break;
    }
    if (file) fclose(file);
    int64_t least = 0;
    for (;;) {
        int64_t limit = read_memory_limit(folder);
        if (limit > 0 && (least == 0 || limit < least)) least = limit;
        char *end = strrchr(folder + length, '/');
        if (!end) return least;
        *end = 0;
    }
}

static void read_memory(clinux_process_usage *usage) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[128];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return;
    text[count] = 0;
    long long all, resident;
    if (sscanf(text, "%lld %lld", &all, &resident) != 2) return;
    int64_t page = sysconf(_SC_PAGESIZE);
    usage->virtual_byte_count = all * page;
    usage->resident_byte_count = resident * page;
}

static long count_descriptors(void) {
    struct stat state;
    /* Linux 6.2 and later tell the number at once. */
    if (stat("/proc/self/fd", &state) == 0 && state.st_size > 0) return state.st_size;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return -1;
    /* Without `.`, `..` and the one that lists. */
    long count = -3;
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

clinux_process_usage clinux_own_usage(void) {
    clinux_process_usage usage = {-1, -1, -1, -1, -1};
    read_memory(&usage);
    usage.descriptor_count = count_descriptors();
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0)
        usage.processor_microseconds = time.tv_sec * INT64_C(1000000) + time.tv_nsec / 1000;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= LONG_MAX) usage.descriptor_limit = (long)limit.rlim_cur;
    return usage;
}

long clinux_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (limit.rlim_cur < limit.rlim_max && setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur > 1 << 24 ? 1 << 24 : (long)limit.rlim_cur;
}
