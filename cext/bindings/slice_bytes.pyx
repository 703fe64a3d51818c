"""Writes the bytes of a slice in chunks, and validates bytes that were read."""

from zlib import crc32

from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy, memset

from ..base.types cimport *
from ..tablebases.slice cimport SETTLED, Exit, Indices, Node, Slice, bound_memory
from ..tablebases.stairs cimport Step, value_in

cdef enum:
    CHUNK = 1 << 20                   # numbers written at a time

cdef const char* SOLVED = b"RMSLICE2"
cdef const char* IN_WORK = b"RMLEVEL2"


cdef object bytes_of(const void* data, size_t size):
    return (<const char*> data)[:size]


cdef void fill_head(SliceHead* head, const char* magic, const Slice* s) noexcept:
    memset(head, 0, sizeof(SliceHead))
    memcpy(head.magic, magic, 8)
    head.material_key = s.layout.material_key
    head.index = s.index
    head.whole_game = s.whole_game
    head.half = s.half
    head.steps = s.stairs.n
    head.place = s.place
    head.exits = s.n_exits
    head.done = s.done.n
    head.fresh = s.fresh.n
    head.positions = s.positions
    head.evaluations = s.evaluations


cdef class Chunks:
    """The bytes of a slice, in chunks, while it is open."""

    def solved(self):
        """The chunks of a solved slice."""
        return summed(self._solved())

    def in_work(self):
        """The chunks of a slice saved before the next part of the work."""
        return summed(self._in_work())

    def _solved(self):
        cdef SliceHead head
        cdef Statistics statistics
        cdef int64_t first, n
        fill_head(&head, SOLVED, self.s)
        yield bytes_of(&head, sizeof(SliceHead))
        memcpy(statistics.counts, self.s.counts, sizeof(statistics.counts))
        memcpy(statistics.longest, self.s.longest, sizeof(statistics.longest))
        yield bytes_of(&statistics, sizeof(Statistics))
        yield bytes_of(self.s.stairs.steps, self.s.stairs.n * sizeof(Step))
        for what in range(2):
            for first in range(0, 2 * <int64_t> self.s.half, CHUNK):
                n = min(<int64_t> CHUNK, 2 * <int64_t> self.s.half - first)
                yield self.numbers(what, first, n)

    cdef object numbers(self, bint is_fresh, int64_t first, int64_t n):
        out = bytearray(n * sizeof(uint32_t))
        cdef uint8_t[::1] view = out
        cdef uint32_t* items = <uint32_t*> &view[0]
        cdef const Node* node
        cdef int64_t i
        with nogil:
            for i in range(n):
                node = &self.s.nodes[first + i]
                if is_fresh:
                    items[i] = node.best if node.state == SETTLED else 0
                else:
                    items[i] = node.chain if node.state == SETTLED and node.code > 1 else NO_CHAIN
        return out

    def _in_work(self):
        cdef SliceHead head
        cdef int64_t first, n
        cdef Indices* listed
        fill_head(&head, IN_WORK, self.s)
        yield bytes_of(&head, sizeof(SliceHead))
        yield bytes_of(self.s.stairs.steps, self.s.stairs.n * sizeof(Step))
        yield bytes_of(self.s.exits, self.s.n_exits * sizeof(Exit)) if self.s.n_exits else b""
        for which in range(2):
            listed = &self.s.fresh if which else &self.s.done
            for first in range(0, listed.n, CHUNK):
                yield bytes_of(listed.items + first, min(<int64_t> CHUNK, listed.n - first) * sizeof(uint32_t))
                bound_memory(self.s)
        for first in range(0, 2 * <int64_t> self.s.half, CHUNK):
            n = min(<int64_t> CHUNK, 2 * <int64_t> self.s.half - first)
            yield bytes_of(&self.s.nodes[first], n * sizeof(Node))
            bound_memory(self.s)


def summed(chunks):
    """The chunks, followed by their checksum in four bytes."""
    total = 0
    for chunk in chunks:
        total = crc32(chunk, total)
        yield chunk
    yield total.to_bytes(4, "little")


cdef int check(const uint8_t[::1] data, const char* magic, const Slice* s) except -1:
    cdef const SliceHead* head
    cdef Py_ssize_t end = data.shape[0] - 4
    if end < <Py_ssize_t> sizeof(SliceHead) or memcmp(&data[0], magic, 8):
        raise ValueError("expected a slice of a class, found something else")
    head = <const SliceHead*> &data[0]
    if (head.material_key != s.layout.material_key or head.index != s.index or head.whole_game != s.whole_game
            or head.half != s.half):
        raise ValueError(f"expected slice {s.index} of this class, found another")
    if crc32(data[:end]) != int.from_bytes(data[end:], "little"):
        raise ValueError(f"slice {s.index} is damaged")
    return 0


cdef int check_solved(const uint8_t[::1] data, const Slice* s) except -1:
    return check(data, SOLVED, s)


cdef int check_in_work(const uint8_t[::1] data, const Slice* s) except -1:
    return check(data, IN_WORK, s)


cdef bint sound_steps(const Step* steps, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(1, n):
        if steps[i].before >= i:
            return False
    return n > 0


cdef bint sound_numbers(const uint32_t* chains, const uint32_t* fresh, int64_t half, uint32_t n_steps,
                        const Statistics* found) noexcept nogil:
    cdef int64_t[2][256] counts
    cdef int64_t i
    cdef int value
    memset(counts, 0, sizeof(counts))
    for i in range(2 * half):
        if chains[i] != NO_CHAIN and chains[i] >= n_steps:
            return False
        if fresh[i]:
            value = value_in(fresh[i]) + 128
            if not 0 < value < 256 or value == 128:
                return False
            counts[i >= half][value] += 1
        elif chains[i] != NO_CHAIN:
            return False
    return memcmp(counts, found.counts, sizeof(counts)) == 0
