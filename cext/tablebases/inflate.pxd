# Unpacking a block: raw deflate streams (RFC 1951), and the checksum of their bytes (CRC-32).

from ..base.types cimport uint32_t, uint8_t

# Unpacks a stream to exactly `size` bytes. For any other stream it returns false, and may have written some bytes.
cdef bint inflate(const uint8_t* packed, size_t length, uint8_t* out, size_t size) noexcept nogil

cdef uint32_t crc32(const uint8_t* data, size_t length) noexcept nogil
