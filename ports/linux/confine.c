// SPDX-License-Identifier: MIT
// capabilities(7), credentials(7), seccomp(2).
#include "confine.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool failed(const char *what)
{
    fprintf(stderr, "%s: %s; the server would keep what it does not need; --unconfined lets it\n", what,
            strerror(errno));
    return false;
}

// Returns a number that sudo(8) has set; 0, root, without it.
static uid_t id_in(const char *variable)
{
    const char *said = getenv(variable);
    char *end;
    unsigned long id = said == NULL ? 0 : strtoul(said, &end, 10);
    return said == NULL || end == said || *end != '\0' || id >= (uid_t)-1 ? 0 : (uid_t)id;
}

// Drops the capabilities for all programs that this one would start, also for root's.
static bool drop_bounding_set(void)
{
    for (int one = 0; prctl(PR_CAPBSET_READ, one) >= 0; one++) {
        if (prctl(PR_CAPBSET_DROP, one) != 0 && errno != EPERM)    // EPERM: the process has no right to drop it
            return false;
    }
    return true;
}

// Returns the group that sudo(8) has set, or else the user's own.
static gid_t group_of(uid_t user)
{
    gid_t said = (gid_t)id_in("SUDO_GID");
    if (said != 0)
        return said;
    const struct passwd *entry = getpwuid(user);
    return entry == NULL ? (gid_t)user : entry->pw_gid;
}

static bool become(uid_t user, gid_t group)
{
    return setgroups(1, &group) == 0 && setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0;
}

static bool drop_capabilities(void)    // the ambient ones go with the permitted ones
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    return syscall(SYS_capset, &head, none) == 0;
}

bool confine_user(void)
{
    uid_t user = id_in("SUDO_UID");
    if (!drop_bounding_set())
        return failed("PR_CAPBSET_DROP");
    if (geteuid() == 0 && user != 0 && !become(user, group_of(user)))
        return failed("setresuid");
    return (drop_capabilities() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) || failed("capset");
}

// By their names, as some are of other processors or of newer kernels: those are passed over. With 32 bits, a time of
// 64 has calls of its own.
static const char *const allowed[] = {
    // memory, time, signals, and the end
    "brk",
    "clock_getres",
    "clock_getres_time64",
    "clock_gettime",
    "clock_gettime64",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    "exit",
    "exit_group",
    "futex",
    "futex_time64",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getrandom",
    "gettid",
    "gettimeofday",
    "getuid",
    "madvise",
    "mremap",
    "munmap",
    "nanosleep",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigtimedwait",
    "set_robust_list",
    "sigaltstack",
    "sigreturn",
    "sysinfo",
    "tgkill",
    "time",
    "uname",
    // files that are open
    "_llseek",
    "close",
    "close_range",
    "dup",
    "dup3",
    "fcntl",
    "fcntl64",
    "fdatasync",
    "flock",
    "fstat",
    "fstat64",
    "fsync",
    "ftruncate",
    "ftruncate64",
    "getdents64",
    "lseek",
    "poll",
    "ppoll",
    "ppoll_time64",
    "pread64",
    "preadv",
    "pselect6",
    "pselect6_time64",
    "pwrite64",
    "pwritev",
    "read",
    "readv",
    "write",
    "writev",
    // files, which this user may open
    "access",
    "creat",
    "faccessat",
    "faccessat2",
    "fstatat64",
    "getcwd",
    "link",
    "linkat",
    "lstat",
    "lstat64",
    "mkdir",
    "mkdirat",
    "newfstatat",
    "open",
    "openat",
    "readlink",
    "readlinkat",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "stat",
    "stat64",
    "statx",
    "unlink",
    "unlinkat",
    "utimensat",
};
static const char *const of_sockets[] = {
    "accept",   "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen",     "recv",
    "recvfrom", "recvmsg", "send", "sendmsg", "sendto",      "setsockopt",  "shutdown",   "socketcall",
};
static const unsigned long requests[] = {TCGETS, FIONREAD, FIONBIO};    // permitted requests of ioctl(2)
static const unsigned long families[] = {AF_INET, AF_INET6, AF_UNIX};
#define CNT(array) (sizeof(array) / sizeof *(array))

static int allow(scmp_filter_ctx filter, const char *const *names, size_t cnt)
{
    int result = 0;
    for (size_t i = 0; i < cnt && result == 0; i++) {
        int number = seccomp_syscall_resolve_name(names[i]);
        if (number != __NR_SCMP_ERROR)
            result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
    }
    return result;
}

// A call that has one of these as its argument.
static int allow_values(scmp_filter_ctx filter, int number, unsigned argument, const unsigned long *values, size_t cnt)
{
    int result = 0;
    for (size_t i = 0; i < cnt && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1, SCMP_CMP(argument, SCMP_CMP_EQ, values[i], 0));
    return result;
}

// Memory that can be written never becomes code.
static int allow_mapping(scmp_filter_ctx filter)
{
    static const char *const names[] = {"mmap", "mmap2", "mprotect"};
    int result = 0;
    for (size_t i = 0; i < CNT(names) && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, seccomp_syscall_resolve_name(names[i]), 1,
                                  SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    return result;
}

void confine_calls(bool has_sockets)
{
#ifdef WHIT_SANITIZED    // the search for leaks starts a thread
    return;
#endif
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int result = filter == NULL ? -ENOMEM : allow(filter, allowed, CNT(allowed));
    if (result == 0)
        result = allow_mapping(filter);
    if (result == 0)
        result = allow_values(filter, SCMP_SYS(ioctl), 1, requests, CNT(requests));
    if (result == 0 && has_sockets)
        result = allow(filter, of_sockets, CNT(of_sockets));
    if (result == 0 && has_sockets)
        result = allow_values(filter, SCMP_SYS(socket), 0, families, CNT(families));
    if (result == 0)
        result = seccomp_load(filter);
    if (result != 0)
        fprintf(stderr, "seccomp: %s; the server goes on with all system calls\n", strerror(-result));
    seccomp_release(filter);
}
