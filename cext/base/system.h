/* What operating systems do differently for the core: aligned memory, memory by pages, free memory, page faults. */
#ifndef STANDSTILL_SYSTEM_H
#define STANDSTILL_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <malloc.h>
#include <windows.h>
#include <psapi.h>

static inline void *aligned_new(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

/* Windows cannot free such memory by free. */
static inline void aligned_free(void *memory)
{
    _aligned_free(memory);
}

/* On Windows large pages need a privilege that ordinary users lack. */
static inline void *pages_new(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static inline void pages_free(void *memory, size_t bytes)
{
    (void) bytes;
    VirtualFree(memory, 0, MEM_RELEASE);
}

static inline void pages_commit(void *memory, size_t bytes)
{
    volatile char *page = (volatile char *) memory;
    size_t at;
    for (at = 0; at < bytes; at += 4096)
        page[at] = page[at];
}

/* Unlocking pages that are not locked takes them out of the working set. */
static inline void pages_drop(void *memory, size_t bytes)
{
    VirtualUnlock(memory, bytes);
}

/* Faults of the whole process, because Windows does not count those of a thread. */
static inline int64_t page_faults(void)
{
    PROCESS_MEMORY_COUNTERS use;
    use.cb = sizeof(use);
    return K32GetProcessMemoryInfo(GetCurrentProcess(), &use, sizeof(use)) ? (int64_t) use.PageFaultCount : 0;
}

/* Memory that is free now, or less if the page file cannot back that much memory. */
static inline uint64_t system_memory(void)
{
    MEMORYSTATUSEX state;
    state.dwLength = sizeof(state);
    if (!GlobalMemoryStatusEx(&state))
        return 0;
    return state.ullAvailPhys < state.ullAvailPageFile ? state.ullAvailPhys : state.ullAvailPageFile;
}

#else

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static inline void *aligned_new(size_t alignment, size_t bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, bytes) ? NULL : memory;
}

static inline void aligned_free(void *memory)
{
    free(memory);
}

/* Zeroed memory, in huge pages where the system has them: they mean fewer TLB misses. NULL if there is not enough. */
static inline void *pages_new(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); /* a refusal is harmless */
#endif
    return memory;
}

static inline void pages_free(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

/* Make the system commit this part of new pages now. */
static inline void pages_commit(void *memory, size_t bytes)
{
#ifdef __linux__
    madvise(memory, bytes, 23); /* MADV_POPULATE_WRITE, Linux 5.14; older headers do not name it, older systems refuse */
#else
    volatile char *page = (volatile char *) memory;
    size_t at;
    for (at = 0; at < bytes; at += 4096)
        page[at] = page[at];
#endif
}

/* Take pages of a shared mapping out of memory; their contents stay in the file. */
static inline void pages_drop(void *memory, size_t bytes)
{
    madvise(memory, bytes, MADV_DONTNEED);
}

/* Page faults of this thread so far, of the whole process where the system does not tell threads apart. */
static inline int64_t page_faults(void)
{
    struct rusage use;
#ifdef RUSAGE_THREAD
    getrusage(RUSAGE_THREAD, &use);
#else
    getrusage(RUSAGE_SELF, &use);
#endif
    return (int64_t) use.ru_minflt + use.ru_majflt;
}

/* Bytes of memory in the computer. On Linux, tt.pyx reads the amount of free memory from /proc/meminfo. */
static inline uint64_t system_memory(void)
{
    return (uint64_t) sysconf(_SC_PHYS_PAGES) * (uint64_t) sysconf(_SC_PAGESIZE);
}

#endif
#endif
