"""The compiler of the core and its target processor. Imported only on request."""

from .bits cimport simd_level

cdef extern from *:
    """
    #include "simd.h"
    #if defined(__clang__)
    #define COMPILED_BY "clang " __clang_version__
    #elif defined(__GNUC__)
    #define COMPILED_BY "gcc " __VERSION__
    #else
    #define COMPILED_BY "an unknown compiler"
    #endif
    #if defined(__SANITIZE_ADDRESS__)
    #define COMPILED_AS "sanitize"
    #elif defined(__SANITIZE_THREAD__)
    #define COMPILED_AS "thread"
    #elif !defined(CYTHON_WITHOUT_ASSERTIONS)
    #define COMPILED_AS "debug"
    #else
    #define COMPILED_AS "release"
    #endif
    """
    const char* COMPILED_BY
    const char* COMPILED_AS
    int HAVE_PEXT
    int CYTHON_HEX_VERSION

COMPILER = COMPILED_BY.decode()
BUILD = COMPILED_AS.decode()
LEVEL = simd_level().decode()
PEXT = HAVE_PEXT != 0
CYTHON = f"{CYTHON_HEX_VERSION >> 24 & 255}.{CYTHON_HEX_VERSION >> 16 & 255}.{CYTHON_HEX_VERSION >> 8 & 255}"
