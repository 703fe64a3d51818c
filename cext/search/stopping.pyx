"""Limits of a search. Only worker 0 looks at the clock; the others obey the flag."""

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, nanosleep, timespec

from ..base.atomics cimport load_count, load_flag, store_flag
from ..base.types cimport *
from .worker cimport Worker, add_nodes

cdef enum:
    CHECK_INTERVAL = 1024             # nodes; about half a millisecond
    # Depth 1 is finished, so that a line can be reported, unless it takes this many nodes (boards full of queens).
    FIRST_DEPTH_NODES = 10000
    NAP_NS = 2000000                  # time that a paused thread sleeps before it checks again


cdef uint64_t now_ns() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <uint64_t> t.tv_sec * 1000000000 + <uint64_t> t.tv_nsec


cdef inline uint64_t ns_since(const uint64_t* start_ns) noexcept nogil:
    cdef uint64_t now = now_ns(), start = load_count(start_ns)
    return now - start if now > start else 0


cdef uint64_t elapsed_ns(Worker w) noexcept nogil:
    return ns_since(&w.shared.start_ns)


cdef uint64_t searched_ns(Worker w) noexcept nogil:
    return ns_since(&w.shared.began_ns)


cdef void sit_out(Worker w) noexcept nogil:
    """Sleep while the search is paused. A stop ends the pause."""
    cdef timespec nap
    nap.tv_sec = 0
    nap.tv_nsec = NAP_NS
    while load_flag(&w.shared.paused) and not load_flag(&w.shared.stop):
        nanosleep(&nap, NULL)


cdef void check_limits(Worker w) noexcept nogil:
    cdef uint64_t left = CHECK_INTERVAL, total, hard
    add_nodes(w)
    if w.completed == 0 and w.nodes < FIRST_DEPTH_NODES:
        w.next_check = w.nodes + 1        # check at every node until depth 1 ends
        return
    if load_flag(&w.shared.paused):
        sit_out(w)
    if load_flag(&w.shared.stop):
        w.stopped = True
        return
    if w.index == 0:
        if w.limits.nodes:
            total = load_count(&w.shared.nodes)
            if total >= w.limits.nodes:
                w.stopped = True
            elif w.limits.nodes - total < left:
                left = w.limits.nodes - total
        hard = load_count(&w.shared.hard_ns)
        if hard and not load_flag(&w.shared.pondering) and elapsed_ns(w) >= hard:
            w.stopped = True
        if w.stopped:
            store_flag(&w.shared.stop, True)
    w.next_check = w.nodes + left


cdef bint soft_limit_reached(Worker w) noexcept nogil:
    cdef uint64_t soft = load_count(&w.shared.soft_ns)
    if w.index or soft == 0 or load_flag(&w.shared.pondering):
        return False
    return elapsed_ns(w) >= <uint64_t> (soft * w.soft_scale)
