"""Functions that programs call and do not define: what the verification world and libc mean by them."""

from __future__ import annotations

import re

from lemmata.frontends.c.types import (
    C_BOOL,
    C_INT,
    CHAR,
    DOUBLE,
    FLOAT,
    LLONG,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    USHORT,
    VOID,
    CType,
    DataModel,
    Pointer,
)

ASSERTS = frozenset({"assert", "__VERIFIER_assert", "sassert", "static_assert", "__CPROVER_assert", "__assert", "_assert"})
ASSUMES = frozenset({"__VERIFIER_assume", "assume", "__CPROVER_assume", "__builtin_assume"})
ENDS = frozenset(
    {"abort", "exit", "_exit", "_Exit", "quick_exit", "__VERIFIER_silent_exit", "__builtin_abort", "__builtin_exit"}
)
FAILS = frozenset({"__assert_fail", "__assert_rtn", "__assert_perror_fail"})
ALLOCATES = frozenset({"malloc", "alloca", "__builtin_alloca", "__builtin_malloc", "__VERIFIER_malloc", "kmalloc"})
AUTOMATIC = frozenset({"alloca", "__builtin_alloca"})
RELEASES = frozenset({"free", "__builtin_free", "kfree"})
COPIES = frozenset({"memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"})
FILLS = frozenset({"memset", "__builtin_memset"})
# Functions that do something with their arguments.
TOLD = ASSERTS | ASSUMES | ALLOCATES | RELEASES | COPIES | FILLS | {"calloc", "realloc", "__builtin_expect"}
# Functions of libc that read from outside: what they return or write is anything in a range, as far as a program knows.
READS: dict[str, tuple[int, int]] = {"rand": (0, 2147483647), "random": (0, 2147483647), "getchar": (-1, 255)}
# Functions of libc that have a meaning which is not told here: what they return or write is not just anything.
MEANT = frozenset({"atoi", "atol", "atoll", "strtol", "strtoul", "strstr", "strpbrk", "strspn", "strcspn", "strtok", "strdup"})
MEANT |= {"isalpha", "isspace", "isupper", "islower", "isalnum", "isxdigit", "ispunct", "isprint", "iscntrl", "isgraph"}
MEANT |= {"sprintf", "snprintf", "vsprintf", "vsnprintf", "sscanf", "fgets", "gets", "getline", "fread", "stpcpy", "bcopy"}
MEANT |= {"bzero", "ffs", "div", "ldiv", "mempcpy", "strnlen", "atof", "strtod", "rand_r", "getenv", "fgetc", "getc"}
# Functions of libc that only read what they get pointers to, as their prototypes say, which a program may have left out.
READ_ONLY = frozenset({"atoi", "atol", "atoll", "atof", "strspn", "strcspn", "strnlen", "getenv"})
# Functions that leave in other ways, or have another thread of control.
REFUSED = frozenset({"setjmp", "longjmp", "_setjmp", "sigsetjmp", "siglongjmp", "pthread_create", "pthread_join", "fork"})
REFUSED |= {"atexit", "on_exit", "at_quick_exit", "signal", "sigaction", "thrd_create", "execve", "execv", "execvp"}
# Functions of libc that only write to files.
PRINTS = frozenset(
    {"printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush", "perror"}
)
PRINTS |= {"srand", "sleep", "usleep", "fclose", "__builtin_printf"}
FILES = frozenset({"_lemmata_file", "_IO_FILE"})  # the structures behind ``FILE``
_NONDET = re.compile(r"_*(?:VERIFIER_)?_*nondet_?(\w*)|unknown_?(\w*)|NONDET_?(\w*)")


def is_nondet(name: str) -> bool:
    """Does everybody know by its name that the function returns anything?"""
    return _NONDET.fullmatch(name) is not None


def nondet_type(name: str, data: DataModel) -> CType:
    """The type of a function that is not declared, by its name: ``__VERIFIER_nondet_uint``; ``int`` otherwise."""
    found = _NONDET.fullmatch(name)
    word = next((group for group in found.groups() if group), "") if found else ""
    named: dict[str, CType] = {
        "bool": C_BOOL,
        "_Bool": C_BOOL,
        "char": CHAR,
        "uchar": UCHAR,
        "unsigned_char": UCHAR,
        "short": SHORT,
        "ushort": USHORT,
        "uint": UINT,
        "unsigned": UINT,
        "unsigned_int": UINT,
        "u32": UINT,
        "long": data.long,
        "ulong": data.ulong,
        "unsigned_long": data.ulong,
        "longlong": LLONG,
        "ulonglong": ULLONG,
        "loff_t": LLONG,
        "size_t": data.size_t,
        "sector_t": data.ulong,
        "float": FLOAT,
        "double": DOUBLE,
        "pointer": Pointer(VOID),
        "charp": Pointer(CHAR),
    }
    return named.get(word, C_INT)
