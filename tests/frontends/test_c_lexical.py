"""Constants, strings, names and what GNU C adds to them (section numbers of C11), as programs that run on their graphs."""

from __future__ import annotations

import pytest

from lemmata.config import COptions
from lemmata.errors import InputError, Unsupported
from lemmata.frontends.c import parse_c
from tests.soak.c_mutations import complaints
from tests.support.c_runs import execute


def failure(text: str | bytes, **options: object) -> str | None:
    """The assertion that fails."""
    data = text if isinstance(text, bytes) else text.encode()
    run = execute(parse_c(data, "p.c", None, COptions(**options)))  # type: ignore[arg-type]
    assert run.is_exact
    return run.error


def main(body: str) -> str:
    return f"int main(void) {{ {body} }}"


HOLD = {
    "6.10.3: a macro puts no tokens together": "#define NEG(x) -x\n" + main("int i = 5; assert(-NEG(i) == 5); assert(i == 5);"),
    "5.1.1.2: a comment goes on after a backslash": main("int x = 1; // x is one \\\n x = 2;\n assert(x == 1);"),
    "5.1.1.2p6: escapes are read before strings are joined": main(
        r"""char s[] = "\x1" "2"; assert(sizeof s == 3); assert(s[0] == 1 && s[1] == '2');
        char t[] = "\0"
        "1"; assert(sizeof t == 3 && t[0] == 0 && t[1] == '1'); assert(sizeof("a" "" "b") == 3);"""
    ),
    "6.4.2.1: names with other letters": main(
        r"int é = 3; assert(\u00e9 == 3 && \U000000e9 == 3); int a$b = 1; assert(a$b == 1);"
    ),
    "6.4.2.2: the name of the function": (
        "int f(void) { return sizeof __func__; }\n"
        + main("assert(f() == 2); assert(__func__[0] == 'm' && __FUNCTION__[4] == 0); assert(__func__ == __func__);")
    ),
    "6.4.4.1: types of integer constants": main(
        """assert(sizeof 2147483647 == 4 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4 && sizeof 0x100000000 == 8);
        assert(0x80000000 > 0 && -0x80000000 > 0 && sizeof 1U == 4 && sizeof 1lu == 8 && sizeof 1LLU == 8 && sizeof 1ull == 8);
        assert(0xffffffffffffffff > 0 && 017777777777 == 2147483647 && sizeof 037777777777 == 4 && 037777777777 > 0);
        assert(0b101 == 5 && 0B11u == 3 && 00 == 0 && 0 == 0x0 && sizeof 4294967295 == 8);"""
    ),
    "6.4.4.2: floating constants": main(
        "double d = 0x1.8p3; d = 1.f; d = .5e-3L; d = 1e5; d = 0x1p-3f; assert(sizeof 1.f == 4);"
    ),
    "6.4.4.4: characters": main(
        r"""assert('\xff' == -1 && '\377' == -1 && '\x7f' == 127 && '\101' == 'A' && '\1' == 1 && sizeof 'a' == 4);
        assert('"' == 34 && '\"' == 34 && '\'' == 39 && '?' == '\?' && '\\' == 92 && '\e' == 27 && '\v' == 11);"""
    ),
    "6.4.5: strings": main(
        r"""char s[] = "a\0b"; assert(sizeof s == 4 && s[2] == 'b'); char t[] = "\u00e9\101?"; assert(sizeof t == 5);
        assert(t[0] == (char)0xc3 && t[2] == 'A' && t[3] == '?'); char u[] = u8"é"; assert(sizeof u == 3);
        assert("\x41"[0] == 65 && "\\"[0] == 92 && "\""[0] == 34 && sizeof "\1234" == 3 && sizeof "" == 1);"""
    ),
    "6.4.6: digraphs": main("int a<:2:> = <%1, 2%>; assert(a<:1:> == 2);"),
    "6.10.8.1: lines": "\n" + main("assert(__LINE__ == 2);\nassert(__LINE__ == 3\n);"),
    "7.2: assert is a macro": (
        "#include <assert.h>\n#define NDEBUG\n#include <assert.h>\n" + main("assert(0); static_assert(1, \"\");")
    ),
    "7.9: other words": (
        "#include <iso646.h>\n" + main("int x = 5; assert(x and not (x xor 5) or 0); assert((x bitand 4) not_eq 0);")
    ),
    "7.20: widths": "#include <stdint.h>\n#include <limits.h>\n" + main(
        """assert(sizeof(INT64_C(1)) == 8 && UINT64_MAX + 1 == 0 && INT64_MIN < 0 && UINT32_C(1) - 2 > 0);
        assert(SIZE_MAX == ULONG_MAX);
        assert(sizeof(int_fast16_t) == 8 && sizeof(uint_least8_t) == 1 && INTMAX_MAX == INT64_MAX && LONG_MAX > INT_MAX);
        assert(INT8_MIN == -128 && SCHAR_MIN == CHAR_MIN && PTRDIFF_MAX == LONG_MAX && sizeof(uintmax_t) == 8);"""
    ),
    "GNU: spellings": main(
        "__extension__ __const int x = 1; __signed__ char c = -1; assert(x == 1 && c < 0 && __alignof__(long) == 8);"
    ),
    "GNU: silent attributes": (
        "static int __attribute__((unused, __noinline__)) f(int x __attribute__((unused))) { return 1; }\n"
        "void die(int) __attribute__((__noreturn__, cold)); _Noreturn void end(void);\n"
        + main("int y __attribute__((unused)) = f(0); switch (y) { case 1: ; __attribute__((fallthrough)); default: y = 2; }"
        " assert(y == 2); if (y == 3) { end(); assert(0); } die(1); assert(0);")
    ),
    "GNU: modes, and alignments that are so anyway": (
        "typedef int a __attribute__ ((__mode__ (__QI__))); typedef int b __attribute__((mode(HI)));"
        "typedef int d __attribute__((mode(DI))); typedef unsigned int e __attribute__ ((__mode__ (__word__)));"
        "typedef unsigned int f __attribute__((mode(byte)));"
        "struct s { char c; long long x __attribute__((__aligned__(__alignof__(long long)))); };"
        "typedef struct { long long __max_align_ll __attribute__((__aligned__(__alignof__(long long)))); } max_align_t;\n"
        + main("a x = 255; f y = 255; assert(sizeof x == 1 && x < 0 && sizeof y == 1 && y == 255 && sizeof(b) == 2);"
        " assert(sizeof(d) == 8 && sizeof(e) == 8 && (e)-1 > 0 && sizeof(struct s) == 16);")
    ),
    "GNU: names of symbols": 'int f(void) __asm__("" "__isoc_f"); extern int v asm("v");\n' + main("assert(1);"),
    "GNU: types": main(
        "_Float128 a; _Float64 b; __builtin_va_list c; assert(sizeof a == 16 && sizeof b == 8 && sizeof c == 24);"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_what_the_standard_says_of_tokens_holds(name: str) -> None:
    assert failure(HOLD[name]) is None


def test_widths_follow_the_data_model() -> None:
    text = "#include <stdint.h>\n#include <limits.h>\n" + main(
        """assert(sizeof(INT64_C(1)) == 8 && LONG_MAX == INT_MAX && sizeof(int_fast16_t) == 4 && SIZE_MAX == UINT_MAX);
        assert(sizeof(intptr_t) == 4 && PTRDIFF_MIN == INT_MIN && sizeof(wchar_t) == 4 && ULONG_MAX == UINT32_MAX);"""
    )
    assert failure(text, data_model="ILP32") is None


def test_bytes_that_are_no_utf_8_stay_what_they_are() -> None:
    text = b'/* \xff */ int main(void) { char s[] = "\xe9\xe9"; assert(sizeof s == 3 && s[0] == -23 && s[1] == -23); }'
    assert failure(text) is None
    with pytest.raises(InputError, match=r"p\.c:1:5: '.*' is no part of a name"):
        parse_c(b"int \xe9;", "p.c")


def test_a_mark_of_byte_order_and_ends_of_lines_from_elsewhere_are_nothing() -> None:
    assert failure("\ufeffint main(void) { assert(0); }") == "assert at line 1"
    assert failure("int\r\nmain(void) {\r\n// \\\r\nassert(0);\r\nassert(0); }") == "assert at line 5"


ERRORS = {
    main("int x = 0x1e+1;"): "p.c:1:26: this is no number: 0x1e+1",
    main("int x = 09;"): "p.c:1:26: this is no number: 09",
    main("int x = 1lul;"): "p.c:1:26: this is no number: 1lul",
    main("int x = 1lL;"): "p.c:1:26: this is no number: 1lL",
    main("int x = 0x;"): "p.c:1:26: this is no number: 0x",
    main("int x = 1_000;"): "p.c:1:26: this is no number: 1_000",
    main("int x = 0b2;"): "p.c:1:26: this is no number: 0b2",
    main("int x = 1.5i;"): "p.c:1:26: this is no number: 1.5i",
    main("int x = 1e;"): "p.c:1:26: this is no number: 1e",
    main("int x = " + "9" * 5000 + ";"): "p.c:1:26: no integer type has the constant 9999",
    main("int x = 18446744073709551616u;"): "p.c:1:26: no integer type has the constant 18446744073709551616u",
    main("int x = '';"): "p.c:1:26: there is no character between these quotes",
    main("int x = 'a;"): "p.c:1:26: this ' has no partner on its line",
    main('char *s = "a;'): 'p.c:1:28: this " has no partner on its line',
    main(r"int x = '\q';"): r"p.c:1:26: there is no escape \q",
    main(r"int x = '\x';"): r"p.c:1:26: there is no escape \x",
    main(r"int x = '\400';"): r"p.c:1:26: no character has the value \400",
    main(r'char *s = "\x100";'): r"p.c:1:28: no character has the value \x100",
    main(r'char *s = "\u0041";'): r"p.c:1:28: no character is called \u0041",
    main(r'char *s = "\ud800";'): r"p.c:1:28: no character is called \ud800",
    main(r'char *s = "\u12";'): r"p.c:1:28: there is no escape \u",
    main("int x = 3 @ 4;"): "p.c:1:28: '@' does not belong here",
    main("int x = 3 # 4;"): "p.c:1:28: '#' does not belong here",
    main(r"int x\y;"): r"p.c:1:23: '\' does not belong here",
    main(r"int a\u0040 = 1;"): "p.c:1:22: '@' is no part of a name",
    main("int “x” = 1;"): "p.c:1:22: '“' is no part of a name",
    "#define BAD(x) x + y\n" + main("int x = 1; x = 2 +\n BAD(3);"): "p.c:3:2: 'y' is not declared",
    "#define GOOD(x) (1 + (x))\n" + main("int x = 1; x = GOOD(\n y);"): "p.c:3:2: 'y' is not declared",
}

UNSUPPORTED = {
    main('char *s = R"(a)";'): "p.c:1:28: raw strings",
    main("int x = L'a';"): "p.c:1:26: the wide character L'a'",
    main("int x = 'é';"): "p.c:1:26: the character constant 'é'",
    main("char *s = \"a\" L\"b\";"): "p.c:1:32: wide strings",
    main('if (1) asm("nop");'): "p.c:1:25: inline assembler",
    main('asm volatile ("nop" : : );'): "p.c:1:18: inline assembler",
    'asm(".text");\n' + main(""): "p.c:1:1: inline assembler",
    main("int x __attribute__((aligned(16))) = 1;"): "p.c:1:39: the attribute 'aligned'",
    "struct s { char a; int b; } __attribute__((unused, __packed__));\n" + main(""): "p.c:1:52: the attribute 'packed'",
    "typedef int v __attribute__((vector_size(16)));\n" + main(""): "p.c:1:30: the attribute 'vector_size'",
    "typedef int u, v __attribute__((__mode__(__DI__)));\n" + main(""): "p.c:1:33: the attribute 'mode'",
    "typedef float v __attribute__((mode(DF)));\n" + main(""): "p.c:1:32: the attribute 'mode'",
    "struct s { int x __attribute__((aligned(__alignof__(long)))); };\n" + main(""): "p.c:1:33: the attribute 'aligned'",
    "typedef struct { long double __max_align_ld __attribute__((aligned(16))); } max_align_t;\n"
    + main("return sizeof(max_align_t);"): "p.c:2:32: max_align_t is not supported",
    "__attribute__((constructor)) void f(void) {}\n" + main(""): "p.c:1:16: the attribute 'constructor'",
    "int f(void) __attribute__((weak, alias(\"g\")));\n" + main(""): "p.c:1:28: the attribute 'weak'",
    "int x __attribute__((my_own(1)));\n" + main(""): "p.c:1:22: the attribute 'my_own'",
    "#pragma pack(push, 1)\nstruct s { char a; int b; };\n" + main(""): "p.c:1:1: #pragma pack",
    'int f(void) __asm__("g"); int g(void) { return 1; }\n' + main(""): "p.c:1:13: the symbol of a declaration is called 'g'",
    main("_Alignas(16) int x;"): "p.c:1:18: _Alignas",
    main("__auto_type x = 1;"): "p.c:1:18: '__auto_type'",
    main("return __builtin_popcount(3);"): "p.c:1:25: the function __builtin_popcount",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_what_is_no_token_is_refused_where_it_is(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_c(text.encode(), "p.c")
    assert str(error.value).startswith(ERRORS[text])


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_what_would_change_the_meaning_is_refused_where_it_is(text: str) -> None:
    with pytest.raises(Unsupported) as error:
        parse_c(text.encode(), "p.c")
    assert str(error.value).startswith(UNSUPPORTED[text])


def test_attributes_can_be_defined_away() -> None:
    text = "struct s { int a; } __attribute__((packed)); " + main("struct s x = {1}; assert(x.a == 1);")
    assert failure(text, defines=("__attribute__(x)=",)) is None


def test_mutated_files_are_read_or_refused_with_a_place() -> None:
    assert complaints(list(range(60))) == []
