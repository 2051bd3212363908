/* Preloaded by scripts/sanitize. The contended paths of Synchronization.Mutex are in the Swift runtime, and the locks by which
   libvips hands work to its threads are GLib's own, on futexes; the thread sanitizer sees into neither, and what they order
   looks like a race. These tell it. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

/* Weak: the compiler and the build tools, which are started with the same environment, have no sanitizer. */
extern __attribute__((weak)) void __tsan_acquire(void *address);
extern __attribute__((weak)) void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t, SELF) = (void *)dlsym(RTLD_NEXT, LOCK);
    next(thread, self);
    if (__tsan_acquire != NULL) __tsan_acquire(self);
}

SWIFT _Bool try_lock_slow(SELF) {
    SWIFT _Bool (*next)(SELF) = (void *)dlsym(RTLD_NEXT, TRY_LOCK);
    _Bool is_locked = next(self);
    if (is_locked && __tsan_acquire != NULL) __tsan_acquire(self);
    return is_locked;
}

SWIFT void unlock_slow(SELF) {
    if (__tsan_release != NULL) __tsan_release(self);
    SWIFT void (*next)(SELF) = (void *)dlsym(RTLD_NEXT, UNLOCK);
    next(self);
}

static void forward_lock(const char *name, void *lock) {
    void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, name);
    next(lock);
    if (__tsan_acquire != NULL) __tsan_acquire(lock);
}

static void forward_unlock(const char *name, void *lock) {
    if (__tsan_release != NULL) __tsan_release(lock);
    void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, name);
    next(lock);
}

void g_mutex_lock(void *mutex) { forward_lock("g_mutex_lock", mutex); }

void g_mutex_unlock(void *mutex) { forward_unlock("g_mutex_unlock", mutex); }

void g_rec_mutex_lock(void *mutex) { forward_lock("g_rec_mutex_lock", mutex); }

void g_rec_mutex_unlock(void *mutex) { forward_unlock("g_rec_mutex_unlock", mutex); }

void g_cond_wait(void *condition, void *mutex) {
    void (*next)(void *, void *) = (void (*)(void *, void *))dlsym(RTLD_NEXT, "g_cond_wait");
    if (__tsan_release != NULL) __tsan_release(mutex);
    next(condition, mutex);
    if (__tsan_acquire != NULL) __tsan_acquire(mutex);
}

int g_cond_wait_until(void *condition, void *mutex, int64_t end) {
    int (*next)(void *, void *, int64_t) = (int (*)(void *, void *, int64_t))dlsym(RTLD_NEXT, "g_cond_wait_until");
    if (__tsan_release != NULL) __tsan_release(mutex);
    int is_signalled = next(condition, mutex, end);
    if (__tsan_acquire != NULL) __tsan_acquire(mutex);
    return is_signalled;
}
