COMPILER: str  # name and version
BUILD: str  # release, debug, sanitize or thread
LEVEL: str  # level of simd.h: avx512, avx2 or portable
PEXT: bool  # are bits extracted by one instruction?
CYTHON: str  # version
