"""The transposition table: allocation, probing and replacement."""

from libc.string cimport memset

from .bits cimport high_product, prefetch
from .types cimport *

cimport cython

cdef extern from "<sys/mman.h>" nogil:
    void* mmap(void* address, size_t length, int protection, int flags, int fd, long offset)
    int munmap(void* address, size_t length)
    int madvise(void* address, size_t length, int advice)
    const int PROT_READ, PROT_WRITE, MAP_PRIVATE, MAP_ANONYMOUS, MADV_HUGEPAGE
    void* MAP_FAILED

cdef extern from "<unistd.h>" nogil:
    long sysconf(int name)
    const int _SC_PHYS_PAGES, _SC_PAGESIZE

cdef enum:
    AGES = 32
    AGE_COST = 4                      # an entry loses this many plies of its worth with each search it outlives
    SAMPLE = 1000


cdef size_t memory_limit():
    """Bytes the process may have: physical memory, or less in a container (control group version 2)."""
    cdef size_t physical = <size_t> sysconf(_SC_PHYS_PAGES) * <size_t> sysconf(_SC_PAGESIZE)
    try:
        with open("/sys/fs/cgroup/memory.max") as file:
            text = file.read().strip()
    except OSError:
        return physical
    return min(physical, int(text)) if text.isdigit() else physical


@cython.final
cdef class Table:
    """A table of ``mb`` megabytes; raises MemoryError if that much cannot be had."""

    def __cinit__(self, int mb):
        self.size = <size_t> mb << 20
        if self.size > memory_limit():
            raise MemoryError(f"{mb} MB is more than the {memory_limit() >> 20} MB of memory here")
        memory = mmap(NULL, self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if memory == MAP_FAILED:
            raise MemoryError(f"{mb} MB cannot be had")
        madvise(memory, self.size, MADV_HUGEPAGE)   # fewer misses of the address cache; a refusal does no harm
        self.entries = <Entry*> memory
        self.clusters = self.size // (CLUSTER * sizeof(Entry))
        self.mb = mb

    def __dealloc__(self):
        if self.entries != NULL:
            munmap(self.entries, self.size)

    cdef void wipe(self) noexcept nogil:
        """Forget everything; the first call also makes the system hand over the memory."""
        memset(self.entries, 0, self.size)
        self.age = 0
        self.touched = True

    cdef void next_search(self) noexcept nogil:
        self.age = (self.age + 1) % AGES

    cdef void fetch(self, uint64_t place) noexcept nogil:
        prefetch(&self.entries[high_product(place, self.clusters) * CLUSTER])

    cdef void probe(self, uint64_t place, uint64_t key, Probe* found) noexcept nogil:
        cdef Entry* cluster = &self.entries[high_product(place, self.clusters) * CLUSTER]
        cdef Entry entry
        cdef int i
        for i in range(CLUSTER):
            entry = cluster[i]
            if entry.depth and entry.check ^ mix(&entry) == <uint32_t> key:
                found.hit = True
                found.move = entry.move
                found.score = entry.score
                found.raw_eval = entry.raw_eval
                found.depth = entry.depth - 1
                found.bound = entry.flags & 3
                found.pv = entry.flags >> 2 & 1
                return
        found.hit = found.pv = False
        found.move = 0
        found.score = SCORE_NONE
        found.raw_eval = NO_EVAL
        found.depth = -1
        found.bound = BOUND_NONE

    cdef void store(self, uint64_t place, uint64_t key, Move move, Score score, int raw_eval, int depth, int bound,
                    bint pv) noexcept nogil:
        cdef Entry* cluster = &self.entries[high_product(place, self.clusters) * CLUSTER]
        cdef Entry* worst = cluster
        cdef Entry entry
        cdef int i, worth, least = 1 << 30
        for i in range(CLUSTER):
            entry = cluster[i]
            if entry.depth == 0:
                worst = &cluster[i]
                break
            if entry.check ^ mix(&entry) == <uint32_t> key:
                worst = &cluster[i]
                if move == 0:
                    move = entry.move
                # A much deeper result of this search is worth more than a new shallow bound.
                if bound != BOUND_EXACT and depth + 4 < entry.depth - 1 and entry.flags >> 3 == self.age:
                    return
                break
            worth = entry.depth - AGE_COST * ((self.age - (entry.flags >> 3)) & (AGES - 1))
            if worth < least:
                least = worth
                worst = &cluster[i]
        entry.move = move
        entry.score = score
        entry.raw_eval = <int16_t> raw_eval
        entry.depth = <uint8_t> (depth + 1)
        entry.flags = <uint8_t> (bound | pv << 2 | self.age << 3)
        entry.check = <uint32_t> key ^ mix(&entry)
        worst[0] = entry

    cdef int permille(self) noexcept nogil:
        """How full the table is with this search's entries, from a sample."""
        cdef int i, used = 0
        cdef int n = SAMPLE if self.clusters * CLUSTER >= SAMPLE else <int> self.clusters * CLUSTER
        for i in range(n):
            used += self.entries[i].depth != 0 and self.entries[i].flags >> 3 == self.age
        return used * 1000 // n


cdef inline uint32_t mix(const Entry* entry) noexcept nogil:
    return (entry.move ^ <uint32_t> entry.score ^ <uint32_t> <uint16_t> entry.raw_eval
            ^ <uint32_t> entry.depth << 16 ^ <uint32_t> entry.flags << 24)
