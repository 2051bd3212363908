#define _GNU_SOURCE
#include "CHostile.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char *const none[] = {NULL};
static char zeros[4096];
/* A struct sched_attr. */
static unsigned idle[12] = {sizeof idle, SCHED_IDLE};
static long parent(void) { return syscall(SYS_getppid) > 0 ? syscall(SYS_getppid) : 1; }

#ifdef SYS_fork
#define OLD_CALLS(CALL) CALL(fork, 0) CALL(vfork, 0)
#else
#define OLD_CALLS(CALL)
#endif

/* Whatever its arguments, a call that the filter refuses answers EPERM; with these it would do something. */
#define CALLS(CALL) \
    CALL(openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0) \
    CALL(openat2, AT_FDCWD, "/etc/passwd", zeros, 24) \
    CALL(mkdirat, AT_FDCWD, "/tmp/veduta-hostile", 0700) \
    CALL(unlinkat, AT_FDCWD, "/tmp/veduta-nothing", 0) \
    CALL(renameat2, AT_FDCWD, "/tmp/veduta-nothing", AT_FDCWD, "/tmp/veduta-other", 0) \
    CALL(linkat, AT_FDCWD, "/etc/passwd", AT_FDCWD, "/tmp/veduta-hostile", 0) \
    CALL(symlinkat, "/etc/passwd", AT_FDCWD, "/tmp/veduta-hostile") \
    CALL(fchmodat, AT_FDCWD, "/tmp", 0777) \
    CALL(newfstatat, AT_FDCWD, "/etc/passwd", zeros, 0) \
    CALL(readlinkat, AT_FDCWD, "/proc/self/exe", zeros, sizeof zeros) \
    CALL(getdents64, 3, zeros, sizeof zeros) \
    CALL(chdir, "/tmp") \
    CALL(chroot, "/tmp") \
    CALL(mount, "none", "/tmp", "tmpfs", 0, NULL) \
    CALL(umount2, "/tmp", MNT_DETACH) \
    CALL(pivot_root, "/tmp", "/tmp") \
    CALL(unshare, CLONE_NEWUSER) \
    CALL(setns, 3, 0) \
    CALL(execve, "/bin/true", none, none) \
    CALL(execveat, AT_FDCWD, "/bin/true", none, none, 0) \
    CALL(socket, AF_INET, SOCK_STREAM, 0) \
    CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, zeros) \
    CALL(connect, 3, zeros, sizeof(struct sockaddr_un)) \
    CALL(bind, 3, zeros, sizeof(struct sockaddr_un)) \
    CALL(listen, 3, 1) \
    CALL(accept4, 3, NULL, NULL, 0) \
    CALL(ptrace, PTRACE_TRACEME, 0, NULL, NULL) \
    CALL(process_vm_readv, parent(), NULL, 0, NULL, 0, 0) \
    CALL(process_vm_writev, parent(), NULL, 0, NULL, 0, 0) \
    CALL(kill, 1, 0) \
    CALL(tgkill, 1, 1, 0) \
    CALL(pidfd_open, 1, 0) \
    CALL(pidfd_getfd, 3, 0, 0) \
    CALL(setuid, 0) \
    CALL(capset, NULL, NULL) \
    CALL(prctl, PR_SET_DUMPABLE, 1, 0, 0, 0) \
    CALL(seccomp, 0, 0, NULL) \
    CALL(bpf, BPF_MAP_CREATE, zeros, sizeof zeros) \
    CALL(io_uring_setup, 1, zeros) \
    CALL(userfaultfd, 0) \
    CALL(perf_event_open, zeros, 0, -1, -1, 0) \
    CALL(keyctl, 0, 0, 0, 0, 0) \
    CALL(memfd_create, "hostile", 0) \
    CALL(mmap, NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) \
    CALL(mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) \
    CALL(mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) \
    CALL(mprotect, zeros, 0, PROT_READ | PROT_EXEC) \
    CALL(mprotect, zeros, 0, PROT_READ) \
    CALL(clone, SIGCHLD, NULL, NULL, NULL, 0) \
    CALL(clone, CLONE_NEWUSER | CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, NULL, NULL, NULL, 0) \
    CALL(clone3, zeros, 64) \
    OLD_CALLS(CALL) \
    CALL(setpriority, 0, 0, -20) \
    CALL(sched_setattr, 0, idle, 0) \
    CALL(prlimit64, 0, 7, NULL, zeros) \
    CALL(ioctl, 3, 0x5401, zeros) \
    CALL(dup3, 3, 9, 0) \
    CALL(fcntl, 3, F_SETOWN, parent()) \
    CALL(fcntl, 3, F_SETSIG, SIGKILL) \
    CALL(fcntl, 3, F_SETFL, O_ASYNC) \
    CALL(fcntl, 3, F_DUPFD, 20)

#define NAME(name, ...) #name,
static const char *const names[] = {CALLS(NAME)};

int chostile_count(void) { return sizeof names / sizeof *names; }
const char *chostile_name(int index) { return names[index]; }

int chostile_try(int index) {
    int at = 0;
    long result = -1;
    errno = ENOSYS;
#define TRY(name, ...) \
    if (at++ == index) result = syscall(SYS_##name, __VA_ARGS__);
    CALLS(TRY)
    return result == -1 ? errno : 0;
}

int chostile_refuse_confinement(void) {
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 1, 0), /* landlock_create_ruleset */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static volatile int *volatile nowhere;
void chostile_crash(void) { *nowhere = 1; }

int chostile_ask_with_files(int socket, int file) {
    char question[] = {5, 0}, answer[64];
    int files[] = {file, file};
    union {
        char bytes[CMSG_SPACE(sizeof files)];
        struct cmsghdr header;
    } control;
    memset(&control, 0, sizeof control);
    struct iovec piece = {question, sizeof question};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof files);
    memcpy(CMSG_DATA(header), files, sizeof files);
    if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0) return -1;
    return read(socket, answer, sizeof answer) > 0 ? 0 : -1;
}

/* Sanitizers watch what lies between variables. */
__attribute__((no_sanitize("address", "thread"))) static int read_pages(struct dl_phdr_info *object, size_t size, void *count) {
    (void)size;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = object->dlpi_phdr + i;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_R) || part->p_flags & PF_W) continue;
        const volatile char *bytes = (const volatile char *)(object->dlpi_addr + part->p_vaddr);
        for (size_t at = 0; at < part->p_filesz; at += page) (void)bytes[at], ++*(int *)count;
    }
    return 0;
}

int chostile_read_code(void) {
    int count = 0;
    dl_iterate_phdr(read_pages, &count);
    return count;
}
