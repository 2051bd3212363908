#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void clinux_set_up_malloc(int arenas, int mapped_bytes, int trimmed_bytes) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_bytes);
    mallopt(M_TRIM_THRESHOLD, trimmed_bytes);
}

void clinux_trim_malloc(void) { malloc_trim(0); }

static int has_relocated_code(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = object->dlpi_phdr + i;
        if (part->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL)) return 1;
    }
    return 0;
}

static int give_back_read_only(struct dl_phdr_info *object, size_t size, void *page_size) {
    (void)size;
    if (has_relocated_code(object)) return 0;
    const uintptr_t page = *(const uintptr_t *)page_size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = object->dlpi_phdr + i;
        /* What is read-only after relocation (PT_GNU_RELRO) lies in a segment that can be written. */
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        /* Inwards: pages at the ends may hold the beginning of a segment that has been written. */
        const uintptr_t start = object->dlpi_addr + part->p_vaddr, first = (start + page - 1) & ~(page - 1),
                        end = (start + part->p_filesz) & ~(page - 1);
        /* Where the system refuses, they stay. */
        if (first < end) (void)madvise((void *)first, end - first, MADV_DONTNEED);
    }
    return 0;
}

void clinux_give_back_code(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    /* Holds the lock of the loader, so that no library goes meanwhile and leaves its addresses to others. */
    dl_iterate_phdr(give_back_read_only, &page);
}
