#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter of system calls is written for x86-64 and aarch64"
#endif

/* Sanitizers reserve terabytes, which are no memory. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

/* Fonts are files, and each open one takes memory that no limit counts. */
enum { DESCRIPTOR_LIMIT = 256 };

static int statm = -1;

/* Where less is allowed already, it stays so. */
static int limit(int resource, size_t most) {
    struct rlimit bound;
    if (getrlimit(resource, &bound)) return -1;
    if (bound.rlim_max > most) bound.rlim_max = most;
    bound.rlim_cur = bound.rlim_max;
    return setrlimit(resource, &bound);
}

static int refuse_files(int may_read_fonts);
/* Whether the kernel sees to it that no other files than fonts are read, by any thread. */
static int reads_fonts;

int csandbox_begin(pid_t parent, size_t memory_limit, size_t result_limit, int may_read_fonts) {
    if (syscall(SYS_close_range, CSANDBOX_RESULT + 1, ~0u, 0)) {
        /* Kernels before 5.9. */
        for (int number = CSANDBOX_RESULT + 1; number < 65536; number++) close(number);
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
        return -1;
    if (getppid() != parent) return errno = ESRCH, -1;
    /* What it reports of its memory; the file stays open. */
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
#ifndef IS_SANITIZED
    /* Not a word of it in the log of the server, either. */
    if (dup2(1, 2) < 0 || limit(RLIMIT_DATA, memory_limit)) return -1;
#else
    (void)memory_limit;
#endif
    /* RLIMIT_NPROC counts all processes of the user, those of the server too: the filter has a rule for clone instead. */
    if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, result_limit) || limit(RLIMIT_NOFILE, DESCRIPTOR_LIMIT)) return -1;
    /* Before libraries start threads, which would be left out. */
    reads_fonts = may_read_fonts && refuse_files(1) == 0;
    return 0;
}

size_t csandbox_resident_bytes(void) {
    char text[128];
    long pages = 0;
    ssize_t count = statm < 0 ? -1 : pread(statm, text, sizeof text - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    char *next = NULL;
    strtol(text, &next, 10);
    pages = strtol(next, NULL, 10);
    return pages > 0 ? (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* From linux/landlock.h, which older systems do not have. */
struct ruleset {
    uint64_t handled_access_fs, handled_access_net, scoped;
};
struct __attribute__((packed)) beneath {
    uint64_t allowed_access;
    int32_t folder;
};
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };

/* Where fonts lie, and what finding and loading them takes. */
static const char *const font_places[] = {"/usr", "/lib", "/lib64", "/etc/fonts", "/var/cache/fontconfig"};

/* Refuses every access to a file by its path, but reading fonts where that is asked for; and connections, and signals to others,
 * as far as the kernel knows how. 0 if it took effect, 1 where the system has no Landlock. */
static int refuse_files(int may_read_fonts) {
    long version = syscall(CREATE_RULESET, NULL, 0, 1u);
    if (version < 1) return 1;
    struct ruleset set = {(1ull << 13) - 1, 0, 0};
    size_t size = 8;
    if (version >= 2) set.handled_access_fs |= 1ull << 13; /* refer */
    if (version >= 3) set.handled_access_fs |= 1ull << 14; /* truncate */
    if (version >= 4) set.handled_access_net = 3, size = 16; /* bind and connect */
    if (version >= 5) set.handled_access_fs |= 1ull << 15; /* ioctl of devices */
    if (version >= 6) set.scoped = 3, size = 24; /* abstract sockets and signals */
    long rules = syscall(CREATE_RULESET, &set, size, 0u);
    if (rules < 0) return -1;
    for (size_t i = 0; may_read_fonts && i < sizeof font_places / sizeof *font_places; i++) {
        struct beneath rule = {READ_FILE | READ_FOLDER, open(font_places[i], O_PATH | O_CLOEXEC)};
        if (rule.folder < 0) continue;
        syscall(ADD_RULE, (int)rules, 1, &rule, 0u);
        close(rule.folder);
    }
    long status = syscall(RESTRICT_SELF, (int)rules, 0u);
    close((int)rules);
    return status ? -1 : 0;
}

/* What computing needs, and messages over the socket. Whatever is not named here fails with EPERM. */
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_lseek, SYS_fstat,
    SYS_recvmsg, SYS_sendmsg, SYS_ppoll,
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getattr,
    SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getpid, SYS_gettid, SYS_getrusage, SYS_getcpu, SYS_getrandom, SYS_sysinfo, SYS_membarrier,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};
enum { ALLOWED_COUNT = sizeof allowed / sizeof *allowed };

/* To find and open fonts, where Landlock says which files these are. */
static const int for_fonts[] = {
    SYS_openat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_statfs,
    SYS_fstatfs, SYS_getcwd,
#ifdef SYS_open
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
};
enum { FOR_FONTS_COUNT = sizeof for_fonts / sizeof *for_fonts };

#define ARGUMENT(index) (offsetof(struct seccomp_data, args) + 8 * (index)) /* the lower half: both are little-endian */
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(offset))
#define WHEN(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), then, otherwise)
#define WHEN_BIT(bits, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(bits), then, otherwise)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (unsigned)(value))
/* Stands for the process's number, which is known at run time. No other number in the filter is the same. */
#define OWN_PROCESS 0xfffffffeu
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)

/* Descriptors as such. With F_SETOWN and F_SETSIG, a file sends any signal to any process of the user. */
static const struct sock_filter descriptors_for_fonts[] = {
    WHEN(SYS_fcntl, 0, 8),
    LOAD(ARGUMENT(1)),
    WHEN(F_DUPFD, 5, 0),
    WHEN(F_DUPFD_CLOEXEC, 4, 0),
    WHEN(F_GETFD, 3, 0),
    WHEN(F_SETFD, 2, 0),
    WHEN(F_GETFL, 1, 0),
    REFUSE,
    ANSWER(SECCOMP_RET_ALLOW),
};
enum { DESCRIPTORS_COUNT = sizeof descriptors_for_fonts / sizeof *descriptors_for_fonts };

int csandbox_enter(void) {
    /* Threads that are there already are left to the filter. */
    int lacking = !reads_fonts && refuse_files(0) ? CSANDBOX_LACKS_LANDLOCK : 0;
    static const struct sock_filter head[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        WHEN(OWN_ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        /* Threads, with exactly what a thread shares; no processes. clone3 keeps its flags where no filter sees them. */
        WHEN(SYS_clone3, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        WHEN(SYS_clone, 0, 5),
        LOAD(ARGUMENT(0)),
        WHEN_BIT(CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                     CLONE_NEWCGROUP | CLONE_VFORK | CLONE_PTRACE | CLONE_PARENT, 1, 0),
        WHEN_BIT(CLONE_THREAD, 1, 0),
        REFUSE,
        ANSWER(SECCOMP_RET_ALLOW),
        /* Signals to itself: abort() says so with one. */
        WHEN(SYS_tgkill, 0, 4),
        LOAD(ARGUMENT(0)),
        WHEN(OWN_PROCESS, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        /* Names of threads. */
        WHEN(SYS_prctl, 0, 4),
        LOAD(ARGUMENT(0)),
        WHEN(PR_SET_NAME, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        /* Memory that holds data, not code, and that its limit counts: RLIMIT_DATA sees neither what could be shared with
         * others, nor what grows as a stack does, nor what could be written once and cannot any more. */
        WHEN(SYS_mmap, 0, 8),
        LOAD(ARGUMENT(2)),
        WHEN_BIT(PROT_EXEC, 5, 0),
        LOAD(ARGUMENT(3)),
        WHEN_BIT(MAP_GROWSDOWN, 3, 0),
        WHEN_BIT(MAP_ANONYMOUS, 0, 1),
        WHEN_BIT(MAP_SHARED, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
        WHEN(SYS_mprotect, 0, 5),
        LOAD(ARGUMENT(2)),
        WHEN_BIT(PROT_EXEC, 2, 0),
        WHEN_BIT(PROT_WRITE, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        REFUSE,
    };
    enum { HEAD_COUNT = sizeof head / sizeof *head };
    struct sock_filter filter[HEAD_COUNT + 2 * (ALLOWED_COUNT + FOR_FONTS_COUNT) + DESCRIPTORS_COUNT + 1];
    size_t count = 0;
    for (; count < HEAD_COUNT; count++) {
        filter[count] = head[count];
        if (head[count].code == (BPF_JMP | BPF_JEQ | BPF_K) && head[count].k == OWN_PROCESS)
            filter[count].k = (unsigned)getpid();
    }
    for (size_t i = 0; i < ALLOWED_COUNT; i++) {
        filter[count++] = (struct sock_filter)WHEN(allowed[i], 0, 1);
        filter[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    }
    for (size_t i = 0; reads_fonts && i < FOR_FONTS_COUNT; i++) {
        filter[count++] = (struct sock_filter)WHEN(for_fonts[i], 0, 1);
        filter[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    }
    for (size_t i = 0; reads_fonts && i < DESCRIPTORS_COUNT; i++) filter[count++] = descriptors_for_fonts[i];
    filter[count++] = (struct sock_filter)REFUSE;
    struct sock_fprog program = {(unsigned short)count, filter};
    /* For the threads that libraries have started as well. A thread that could not follow is told by its number. */
    long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (status == 0) return lacking;
    /* Old kernels, other systems that pose as Linux, and containers whose own filter refuses filters. */
    int is_lacking = status < 0 && (errno == ENOSYS || errno == EINVAL || errno == EPERM || errno == EACCES);
    return is_lacking ? lacking | CSANDBOX_LACKS_FILTER : -1;
}
