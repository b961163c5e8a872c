"""Macros that are defined before a file begins (C11 6.10.8), and facts about types that gcc tells in the same way."""

from __future__ import annotations

from functools import cache

from lemmata.frontends.c.preprocessor.macros import CMacro, special
from lemmata.frontends.c.preprocessor.tokens import scan

_LINES = ("__FILE__", "__LINE__", "__COUNTER__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "__DATE__", "__TIME__", "__TIMESTAMP__")
SPECIAL = (*_LINES, "_Pragma", "__has_include", "__VA_ARGS__", "__VA_OPT__")
_ALWAYS = """
__STDC__ 1
__STDC_VERSION__ 201112L
__STDC_HOSTED__ 1
__STDC_NO_ATOMICS__ 1
__STDC_NO_COMPLEX__ 1
__STDC_NO_THREADS__ 1
__LEMMATA__ 1
__CHAR_BIT__ 8
__SCHAR_MAX__ 0x7f
__SHRT_MAX__ 0x7fff
__INT_MAX__ 0x7fffffff
__LONG_LONG_MAX__ 0x7fffffffffffffffLL
__SCHAR_WIDTH__ 8
__SHRT_WIDTH__ 16
__INT_WIDTH__ 32
__LONG_LONG_WIDTH__ 64
__INTMAX_WIDTH__ 64
__WCHAR_WIDTH__ 32
__WINT_WIDTH__ 32
__INT8_TYPE__ signed char
__INT16_TYPE__ short int
__INT32_TYPE__ int
__UINT8_TYPE__ unsigned char
__UINT16_TYPE__ short unsigned int
__UINT32_TYPE__ unsigned int
__INT8_MAX__ 0x7f
__INT16_MAX__ 0x7fff
__INT32_MAX__ 0x7fffffff
__UINT8_MAX__ 0xff
__UINT16_MAX__ 0xffff
__UINT32_MAX__ 0xffffffffU
__WINT_TYPE__ unsigned int
__WINT_MAX__ 0xffffffffU
__WINT_MIN__ 0U
__WCHAR_MIN__ (-__WCHAR_MAX__ - 1)
__CHAR16_TYPE__ short unsigned int
__CHAR32_TYPE__ unsigned int
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG_LONG__ 8
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZEOF_WCHAR_T__ 4
__SIZEOF_WINT_T__ 4
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
__FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
"""
_LP64 = """
_LP64 1
__LP64__ 1
__LONG_MAX__ 0x7fffffffffffffffL
__LONG_WIDTH__ 64
__SIZE_WIDTH__ 64
__PTRDIFF_WIDTH__ 64
__INTPTR_WIDTH__ 64
__SIZE_MAX__ 0xffffffffffffffffUL
__PTRDIFF_MAX__ 0x7fffffffffffffffL
__INTPTR_MAX__ 0x7fffffffffffffffL
__UINTPTR_MAX__ 0xffffffffffffffffUL
__INT64_MAX__ 0x7fffffffffffffffL
__UINT64_MAX__ 0xffffffffffffffffUL
__INTMAX_MAX__ 0x7fffffffffffffffL
__UINTMAX_MAX__ 0xffffffffffffffffUL
__WCHAR_MAX__ 0x7fffffff
__SIZE_TYPE__ long unsigned int
__PTRDIFF_TYPE__ long int
__INTPTR_TYPE__ long int
__UINTPTR_TYPE__ long unsigned int
__INT64_TYPE__ long int
__UINT64_TYPE__ long unsigned int
__INTMAX_TYPE__ long int
__UINTMAX_TYPE__ long unsigned int
__WCHAR_TYPE__ int
__SIZEOF_LONG__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_LONG_DOUBLE__ 16
"""
_ILP32 = """
_ILP32 1
__ILP32__ 1
__LONG_MAX__ 0x7fffffffL
__LONG_WIDTH__ 32
__SIZE_WIDTH__ 32
__PTRDIFF_WIDTH__ 32
__INTPTR_WIDTH__ 32
__SIZE_MAX__ 0xffffffffU
__PTRDIFF_MAX__ 0x7fffffff
__INTPTR_MAX__ 0x7fffffff
__UINTPTR_MAX__ 0xffffffffU
__INT64_MAX__ 0x7fffffffffffffffLL
__UINT64_MAX__ 0xffffffffffffffffULL
__INTMAX_MAX__ 0x7fffffffffffffffLL
__UINTMAX_MAX__ 0xffffffffffffffffULL
__WCHAR_MAX__ 0x7fffffffL
__SIZE_TYPE__ unsigned int
__PTRDIFF_TYPE__ int
__INTPTR_TYPE__ int
__UINTPTR_TYPE__ unsigned int
__INT64_TYPE__ long long int
__UINT64_TYPE__ long long unsigned int
__INTMAX_TYPE__ long long int
__UINTMAX_TYPE__ long long unsigned int
__WCHAR_TYPE__ long int
__SIZEOF_LONG__ 4
__SIZEOF_POINTER__ 4
__SIZEOF_SIZE_T__ 4
__SIZEOF_PTRDIFF_T__ 4
__SIZEOF_LONG_DOUBLE__ 12
"""


@cache
def predefined(data_model: str) -> dict[str, CMacro]:
    """All of them, by name."""
    found = {name: special(name) for name in SPECIAL}
    for line in (_ALWAYS + (_LP64 if data_model == "LP64" else _ILP32)).split("\n"):
        name, _, value = line.partition(" ")
        if name:
            body = tuple(scan(value)[:-1])
            found[name] = CMacro(name, None, body, alone=frozenset((name,)))
    return found
