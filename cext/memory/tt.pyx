"""The transposition table: allocation, probing and replacement."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memset

from ..base.bits cimport high_product, prefetch as prefetch_line
from ..base.system cimport pages_commit, pages_free, pages_new, system_memory
from ..base.types cimport *

cimport cython

cdef struct Kept:                     # an entry and its place in the table, to be written to a file
    uint64_t place
    Entry entry

cdef enum:
    AGE_CYCLE = 32
    AGE_WEIGHT = 4                    # an entry of the previous search counts as this many plies shallower
    KEEP_MARGIN = 4                   # plies; a new bound does not replace a deeper entry
    HASHFULL_SAMPLE = 1000


def number_in(path, name=""):
    """The first number on the line of the file that begins with ``name``, or None."""
    try:
        with open(path) as file:
            for line in file:
                words = line.removeprefix(name).split()
                if line.startswith(name) and words and words[0].isdigit():
                    return int(words[0])
    except OSError:
        pass
    return None


def available_bytes(meminfo="/proc/meminfo", cgroup="/sys/fs/cgroup") -> int:
    """Memory that the process may still allocate: free memory, or less in a container (cgroup version 2)."""
    kilobytes = number_in(meminfo, "MemAvailable:")
    free = system_memory() if kilobytes is None else kilobytes << 10
    most = number_in(f"{cgroup}/memory.max")
    if most is None:
        return free
    used = number_in(f"{cgroup}/memory.current") or 0
    # The system gives up file caches on demand, so they do not count as used, as in MemAvailable.
    for kind in ("inactive_file", "active_file"):
        used -= number_in(f"{cgroup}/memory.stat", kind) or 0
    return min(free, max(0, most - max(0, used)))


@cython.final
cdef class Table:
    """A table of ``mb`` megabytes. It may replace another table, which is freed. Raises MemoryError if it does not fit.

    A new table is empty, because new memory from the system is zero.
    """

    def __cinit__(self, int mb, Table other=None):
        self.size = <size_t> mb << 20
        room = available_bytes() + (0 if other is None else other.size)
        if self.size > room:
            raise MemoryError(f"{mb} MB is more than the {room >> 20} MB of memory here")
        self.entries = <Entry*> pages_new(self.size)
        if self.entries == NULL:
            raise MemoryError(f"{mb} MB cannot be allocated")
        self.clusters = self.size // (CLUSTER * sizeof(Entry))
        self.mb = mb

    def __dealloc__(self):
        if self.entries != NULL:
            pages_free(self.entries, self.size)

    cdef void clear(self, int part, int parts) noexcept nogil:
        """Clear one of ``parts`` equal parts; threads may share the work."""
        cdef size_t first = self.size // parts * part
        memset(<char*> self.entries + first, 0, self.size - first if part == parts - 1 else self.size // parts)

    cdef void commit(self, int part, int parts) noexcept nogil:
        """Make the system commit one of ``parts`` equal parts of a new table; threads may share the work.

        Otherwise nearly every early node of the search would wait for the system to clear a huge page.
        """
        cdef size_t pages = self.size >> 21
        cdef size_t first = pages * part // parts << 21, last = pages * (part + 1) // parts << 21
        pages_commit(<char*> self.entries + first, (self.size if part == parts - 1 else last) - first)

    cdef void new_search(self) noexcept nogil:
        self.age = (self.age + 1) % AGE_CYCLE
        self.used = True

    cdef void prefetch(self, uint64_t cluster_key) noexcept nogil:
        prefetch_line(&self.entries[high_product(cluster_key, self.clusters) * CLUSTER])

    cdef void probe(self, uint64_t cluster_key, uint64_t key, Probe* found) noexcept nogil:
        cdef Entry* cluster = &self.entries[high_product(cluster_key, self.clusters) * CLUSTER]
        cdef Entry entry
        cdef int i
        for i in range(CLUSTER):
            entry = cluster[i]
            if entry.depth and entry.check ^ checksum(&entry) == <uint32_t> key:
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

    cdef void store(self, uint64_t cluster_key, uint64_t key, Move move, Score score, int raw_eval, int depth,
                    int bound, bint pv) noexcept nogil:
        cdef Entry* cluster = &self.entries[high_product(cluster_key, self.clusters) * CLUSTER]
        cdef Entry* worst = cluster
        cdef Entry entry
        cdef int i, worth, least = 1 << 30
        for i in range(CLUSTER):
            entry = cluster[i]
            if entry.depth == 0:
                worst = &cluster[i]
                break
            if entry.check ^ checksum(&entry) == <uint32_t> key:
                worst = &cluster[i]
                if move == 0:
                    move = entry.move
                # A much deeper entry of this search is worth more than a new bound.
                if bound != BOUND_EXACT and depth + KEEP_MARGIN < entry.depth - 1 and entry.flags >> 3 == self.age:
                    return
                break
            worth = entry.depth - AGE_WEIGHT * ((self.age - (entry.flags >> 3)) & (AGE_CYCLE - 1))
            if worth < least:
                least = worth
                worst = &cluster[i]
        entry.move = move
        entry.score = score
        entry.raw_eval = <int16_t> raw_eval
        entry.depth = <uint8_t> (depth + 1)
        entry.flags = <uint8_t> (bound | pv << 2 | self.age << 3)
        entry.check = <uint32_t> key ^ checksum(&entry)
        worst[0] = entry

    def depths(self) -> list[int]:
        """Number of entries of each depth, from 0."""
        cdef uint64_t counts[256]
        cdef uint64_t i
        memset(counts, 0, sizeof(counts))
        for i in range(self.clusters * CLUSTER):
            counts[self.entries[i].depth] += 1
        return [counts[i] for i in range(1, 256)]

    def dump(self, int least_depth) -> bytes:
        """The entries of at least that depth, for ``load`` into a table of the same size.

        Safe during a search: an entry torn by a concurrent write matches no position.
        """
        cdef uint64_t count = sum(self.depths()[max(0, least_depth):]), i, done = 0
        cdef bytes data = PyBytes_FromStringAndSize(NULL, count * sizeof(Kept))
        cdef Kept* kept = <Kept*> <char*> data
        for i in range(self.clusters * CLUSTER):
            if self.entries[i].depth > max(0, least_depth) and done < count:
                memset(&kept[done], 0, sizeof(Kept))
                kept[done].place = i
                kept[done].entry = self.entries[i]
                done += 1
        return data if done == count else data[:done * sizeof(Kept)]  # the search may have replaced some since

    def load(self, bytes data not None) -> None:
        """Load the entries of ``dump``. Raises ValueError for data that no table of this size can produce."""
        cdef uint64_t count = len(data) // sizeof(Kept), i
        cdef const Kept* kept = <const Kept*> <const char*> data
        cdef Entry entry
        if len(data) % sizeof(Kept):
            raise ValueError("expected whole entries")
        for i in range(count):
            if kept[i].place >= self.clusters * CLUSTER:
                raise ValueError("expected entries of a table of this size")
            # They count as entries of the next search, so the check word is computed again for the new age.
            entry = kept[i].entry
            entry.check ^= checksum(&entry)
            entry.flags = <uint8_t> (entry.flags & 7 | self.age << 3)
            entry.check ^= checksum(&entry)
            self.entries[kept[i].place] = entry
        self.used = True

    cdef int hashfull(self) noexcept nogil:
        """Per mille of a sample that holds entries of this search."""
        cdef int i, used = 0
        cdef int n = HASHFULL_SAMPLE if self.clusters * CLUSTER >= HASHFULL_SAMPLE else <int> self.clusters * CLUSTER
        for i in range(n):
            used += self.entries[i].depth != 0 and self.entries[i].flags >> 3 == self.age
        return used * 1000 // n


cdef inline uint32_t checksum(const Entry* entry) noexcept nogil:
    return (entry.move ^ <uint32_t> entry.score ^ <uint32_t> <uint16_t> entry.raw_eval
            ^ <uint32_t> entry.depth << 16 ^ <uint32_t> entry.flags << 24)
