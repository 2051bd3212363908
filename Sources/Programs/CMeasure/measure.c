/* Takes the place of the C library's malloc and its kin in the program that this is linked to: the heap is glibc's own,
   every call is counted. glibc allows it for programs that define the whole family. */
#include "CMeasure.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CMEASURE_HEAP_IS_TAKEN
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(CMEASURE_HEAP_IS_TAKEN)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_int_least64_t allocation_count;
static _Thread_local bool this_thread_is_apart;

static void count_one(void) {
    if (!this_thread_is_apart) atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_one();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *made = memalign(alignment, size);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block) {
    __libc_free(block);
}

int64_t cmeasure_allocation_count(void) {
    return atomic_load_explicit(&allocation_count, memory_order_relaxed);
}

void cmeasure_set_apart(bool is_apart) {
    this_thread_is_apart = is_apart;
}

#else

int64_t cmeasure_allocation_count(void) {
    return -1;
}

void cmeasure_set_apart(bool is_apart) {
    (void)is_apart;
}

#endif

__attribute__((noinline)) void cmeasure_mark(void) {
    __asm__ volatile("" ::: "memory");
}
