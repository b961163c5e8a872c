"""The preprocessor, from the standard (section numbers of C11) and from gcc's manual where the standard leaves it open."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.config import COptions
from lemmata.errors import InputError, Unsupported
from lemmata.frontends.c.preprocess import preprocessed
from lemmata.frontends.c.preprocessor import expansion, reader
from lemmata.frontends.c.preprocessor.tokens import LINE, scan
from tests.soak.preprocessor import compiler, complaints
from tests.support.c_tokens import preprocessing_tokens


def tokens(text: str, file: str = "p.c", **options: object) -> str:
    """What becomes of a text, with one blank between any two tokens."""
    found = preprocessing_tokens(text.encode(), file, COptions(**options))  # type: ignore[arg-type]
    return " ".join([token.text for token in found if token.kind is not LINE])


def apart(text: str) -> str:
    return " ".join([token.text for token in scan(text) if token.kind is not LINE])


def complaint(text: str, file: str = "p.c") -> str:
    with pytest.raises(InputError) as error:
        preprocessed(text.encode(), file, COptions())
    assert "\n" not in str(error.value)
    return str(error.value)


EXAMPLES = {
    "6.10.3.5p3: rescanning": (
        """
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
""",
        """
f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };
""",
    ),
    "6.10.3.5p4: strings and tokens": (
        r"""
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
""",
        r"""
printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
"vers2.h" "hello"; "hello" ", world"
""",
    ),
    "6.10.3.5p7: placemarkers": (
        """
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
""",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    ),
    "6.10.3.3p4: what is pasted is no operator": (
        """
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
""",
        'char p[] = "x ## y";',
    ),
    "6.10.3.5p9: variable arguments": (
        """
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag"); debug("X = %d\\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
""",
        """
fprintf(stderr, "Flag"); fprintf(stderr, "X = %d\\n", x);
puts("The first, second, and third items.");
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));
""",
    ),
    "tokens are not put together": ("#define NEG(x) -x\n#define P +\n-NEG(i) +P P+ x", "- - i + + + + x"),
    "6.10.3.4p4, as gcc has it": ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
    "a macro does not replace itself": ("#define A B\n#define B A C\nA B\n#define f(x) x f\nf(f)(1)", "A C B C f f ( 1 )"),
    "the name of a function-like macro alone": ("#define f(x) [x]\nf + f\n(2)\n(f)(1)", "f + [ 2 ] ( f ) ( 1 )"),
    "arguments go over lines": ("#define f(a, b) b a\nf(1 // one\n , (2,\n3))", "( 2 , 3 ) 1"),
    "5.1.1.2: lines are spliced before comments end": ("a // b \\\n c\nd /\\\n/ e\n/\\\n* f *\\\n/ g", "a d g"),
    "5.1.1.2: lines are spliced inside of tokens": ('in\\\nt x = 1\\\n2 "a\\\nb" +\\\n+', 'int x = 12 "ab" ++'),
    "5.2.1.1: trigraphs are off": ('??= "??/"', '? ? = "??/"'),
    "6.4.6: digraphs": ("%:define A x %:%: 1 <: :>\n%:define S(x) %:x\nA S(<:)", 'x1 <: :> "<:"'),
    "6.4.8: numbers of the preprocessor": ("#define A 1\n0x1e+A 1.A .5e-3.A 1eA", "0x1e+A 1.A .5e-3.A 1eA"),
    "6.10.1: the groups": (
        "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\n#ifdef X\n#ifndef Y\n#endif\n#else\ne\n#endif",
        "b e",
    ),
    "6.10.1p6: what is skipped is not read": (
        "#if 0\n#else junk\na\n#endif x\n#if 0\n#elf don't\n#if (\n#endif\n'\n#endif\nb",
        "a b",
    ),
    "6.10.1p6: after a group no condition is read": ("#if 1\na\n#elif 1 / 0 (\nb\n#endif", "a"),
    "6.10.2p4: the name of a header may be a macro": (
        '#define H <limits.h>\n#define Q "limits.h"\n#include H\n#include Q\nINT_MAX',
        "2147483647",
    ),
    "6.10.4: lines": (
        '#line 7 "x.c"\n__LINE__ __FILE__\n#define N 20\n#line N\n__LINE__\n# 3 "y.c" 1 3\n__LINE__ __FILE__',
        '7 "x.c" 20 3 "y.c"',
    ),
    "6.10.8: a line is that of the macro's name, or of the argument": ("#define L __LINE__\n#define f(x) x L\nf(\nL\n)", "4 3"),
    "6.10.9: pragmas": ('_Pragma("omp x") a\n#pragma omp\n#define P _Pragma("GCC warning \\"x\\"") b\nP', "a b"),
    "GNU: a comma before no arguments": (
        "#define e(f, ...) p(f, ## __VA_ARGS__)\n#define g(a...) q(x, ##a)\ne(1) e(1,) e(1,2) g() g(1,2)",
        "p ( 1 ) p ( 1 , ) p ( 1 , 2 ) q ( x ) q ( x , 1 , 2 )",
    ),
    "GNU: counters": ("__COUNTER__ __COUNTER__\n#define f(x) x x\nf(__COUNTER__)", "0 1 2 2"),
    "GNU: macros kept": ('#define A 1\n#pragma push_macro("A")\n#undef A\n#define A 2\nA\n#pragma pop_macro("A")\nA', "2 1"),
    "GNU: dollars in names": ("#define $a b$\n$a a$", "b$ a$"),
    "GNU: is there a header": (
        '#ifdef __has_include\n#if __has_include(<limits.h>) && !__has_include("no.h")\na\n#endif\n#endif',
        "a",
    ),
    "white space in strings": (
        "#define s(x) #x\n#define E\n#define t(x) s(x)\ns( a   /* b */ + c ) t(- E-) t(-E -) t(E a)",
        '"a + c" "- -" "- -" "a"',
    ),
    "white space around what becomes nothing": (
        "#define s(x) #x\n#define t(x) s(x)\n#define E\n#define v(x) x 1\n#define w(x) x x#x\n"
        "t(/v(E)) t(/ v(E)) t(w(2 E)) t(w(E)+)",
        r'''"/ 1" "/ 1" "2 2 \"2 E\"" "\"E\"+"''',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_the_standard_become_what_it_says(name: str) -> None:
    text, wanted = EXAMPLES[name]
    assert tokens(text) == apart(wanted)


TRUE = [
    "1 + 2 * 3 == 7",
    "(2 + 3) * 4 / 5 % 3 == 1",
    "-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3",
    "-1 > 0u",
    "!(-1 > 0)",
    "0x7fffffffffffffff + 0 > 0",
    "0xffffffffffffffff == -1",
    "0xffffffffffffffff > 0",
    "-1 / 2 == 0",
    "(0 ? 1u : -1) > 0",
    "(1 ? -1 : 1) < 0",
    "2 || 1 / 0",
    "!(0 && 1 / 0)",
    "1 ? 1 : 1 / 0",
    "0 ? 9223372036854775807 + 1 : 1",
    "-9223372036854775807 - 1 < 0",
    "18446744073709551615u + 1 == 0",
    "(1u << 63) > 0 && 1 << 62 > 0",
    "-8 >> 1 == -4",
    "~0 == -1 && ~0u == 18446744073709551615u",
    "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
    "'a' == 97 && '\\n' == 10 && '\\377' < 0 && '\\x41' == 65 && '\\0' == 0 && '\\'' == 39",
    "010 == 8 && 0b101 == 5 && 0XfU == 15",
    "!true && !int && !NOWHERE",
    "defined A && defined(A) && !defined B && defined ( A )",
    "F(1) == 2 && !F",  # without arguments the name is no call, but a name
    "D",
    "3 > 2 > 1 == 0",
    "1 - 1 - 1 == -1",
    "!0 == 1 && !!5 == 1 && - - 3 == 3",
    "__LINE__ == 5 && __STDC_VERSION__ >= 201112L && __CHAR_BIT__ == 8",
]


@pytest.mark.parametrize("condition", TRUE)
def test_conditions_are_arithmetic_of_the_widest_types(condition: str) -> None:
    before = "#define A\n#define F(x) x + 1\n#define D defined A\n#undef B\n"
    assert tokens(f"{before}#if {condition}\nyes\n#else\nno\n#endif") == "yes"


ERRORS = {
    "x /* y": "p.c:1:3: this comment does not end",
    "a\n#if 1\n#else\n": "p.c:2:1: this #if has no #endif",
    "#ifdef A\n": "p.c:1:1: this #ifdef has no #endif",
    "#endif": "p.c:1:1: this #endif belongs to no #if",
    "#else": "p.c:1:1: this #else belongs to no #if",
    "#if 1\n#else\n#else\n#endif": "p.c:3:1: this #else comes after #else",
    "#if 0\n#else\n#elif 1\n#endif": "p.c:3:1: this #elif comes after #else",
    "#if\n#endif": "p.c:1:1: there is no condition",
    "#if 1 +\n#endif": "p.c:1:1: the condition ends where a value should be",
    "#if (1\n#endif": "p.c:1:1: the condition lacks a ')' here",
    "#if 1 2\n#endif": "p.c:1:7: '2' does not belong to the condition",
    "#if 1 / 0\n#endif": "p.c:1:7: the condition divides by zero",
    "#if 1 % (1 - 1)\n#endif": "p.c:1:7: the condition divides by zero",
    "#if 9223372036854775807 + 1\n#endif": "p.c:1:25: the condition overflows",
    "#if 9223372036854775808\n#endif": "p.c:1:5: no integer type has the constant 9223372036854775808",
    "#if 1 << 64\n#endif": "p.c:1:7: the condition shifts by 64",
    "#if 1.0\n#endif": "p.c:1:5: the condition has the floating-point number 1.0",
    '#if "a"\n#endif': "p.c:1:5: '\"a\"' is no part of a condition",
    "#if 'ab'\n#endif": "p.c:1:5: the character constant 'ab' is not supported",
    "#if L'a'\n#endif": "p.c:1:5: the wide character L'a' is not supported",
    "#if 1, 2\n#endif": "p.c:1:6: ',' does not belong to the condition",
    "#if a = 1\n#endif": "p.c:1:7: '=' does not belong to the condition",
    "#if defined\n#endif": "p.c:1:5: 'defined' needs a name",
    "#if defined(A\n#endif": "p.c:1:5: 'defined' needs a name",
    "#if 08\n#endif": "p.c:1:5: this is no number: 08",
    "#ifdef\n#endif": "p.c:1:1: #ifdef needs a name",
    "#ifdef A || B\n#endif": "p.c:1:10: '||' does not belong to #ifdef",
    "#elephant": "p.c:1:1: there is no directive #elephant",
    "#include": "p.c:1:1: #include needs the name of a header",
    "#include <a": "p.c:1:10: this is no name of a header",
    "#include <a//b>": "p.c:1:10: this is no name of a header",
    "#include 1": "p.c:1:10: #include needs the name of a header",
    "#include <no.h>": "p.c:1:1: there is no header 'no.h' (name its folder with -I, or preprocess with --cpp)",
    "#include <limits.h> x": "p.c:1:21: 'x' does not belong to #include",
    "#include <" + "a" * 5000 + ">": "p.c:1:1: there is no header",
    "#include_next <a.h>": "p.c:1:1: the directive #include_next is not supported",
    "#if 0\n#elifdef A\n#endif": "p.c:2:1: the directive #elifdef is not supported",
    "#define": "p.c:1:1: #define needs a name",
    "#define 1": "p.c:1:9: #define needs a name",
    "#define defined": "p.c:1:9: 'defined' cannot be defined",
    "#undef __FILE__": "p.c:1:8: '__FILE__' cannot be undefined",
    "#undef A B": "p.c:1:10: 'B' does not belong to #undef",
    "#define f(a": "p.c:1:11: the list of parameters does not end here with ')'",
    "#define f(a,)": "p.c:1:13: a parameter needs a name, not ')'",
    "#define f(a, a)": "p.c:1:14: the parameter 'a' is there twice",
    "#define f(..., a)": "p.c:1:14: the list of parameters does not end here with ')'",
    "#define f(a) #b": "p.c:1:14: '#' needs a parameter after it",
    "#define f(a) ## a": "p.c:1:14: '##' cannot be at an end of a macro",
    "#define A b ##": "p.c:1:13: '##' cannot be at an end of a macro",
    "#define f(a) __VA_ARGS__": "p.c:1:14: __VA_ARGS__ is for macros with '...'",
    "#define f(...) __VA_OPT__(x)": "p.c:1:16: __VA_OPT__ is not supported",
    "#define A 1\n#define A 2": "p.c:2:9: the macro 'A' is defined already, and otherwise (#undef it)",
    "#define A 1\n#define A(x) 1": "p.c:2:9: the macro 'A' is defined already, and otherwise (#undef it)",
    "#define f(a) a + a\n#define f(a) a +a": "p.c:2:9: the macro 'f' is defined already, and otherwise (#undef it)",
    "#define f(a) a\nx f(1, 2)": "p.c:2:3: the macro 'f' takes 1 arguments, not 2",
    "#define f(a, b) a\nf()": "p.c:2:1: the macro 'f' takes 2 arguments, not 1",
    "#define f() a\nf(1)": "p.c:2:1: the macro 'f' takes 0 arguments, not 1",
    "#define f(a) a\n\n f(1": "p.c:3:2: the arguments of the macro 'f' do not end with ')'",
    "#define f(a) a\nf(1\n#undef f\n)": "p.c:3:1: a directive inside of the arguments of a macro",
    "#define g(a, b) a ## b\ng(+, x)": "p.c:2:1: '##' makes no token of '+' and 'x'",
    "#define g(a, b) a ## b\n g(/, /)": "p.c:2:2: '##' makes no token of '/' and '/'",
    "#define s(a) #a\ns(\\)": "p.c:2:1: '#' makes no string of this argument",
    "#line x": "p.c:1:2: #line needs a number",
    "#line 3 x": "p.c:1:9: the name of a file is a string",
    "  #error don't": "p.c:1:3: #error don't",
    "#pragma pack(1)": "p.c:1:1: #pragma pack is not supported (it changes what the program means)",
    '_Pragma("pack(1)")': "p.c:1:1: #pragma pack is not supported",
    "_Pragma(1)": "p.c:1:1: _Pragma needs a string in parentheses",
    "char *d = __DATE__;": "p.c:1:11: __DATE__ depends on when the program is compiled",
    "int x = __VA_ARGS__;": "p.c:1:9: __VA_ARGS__ is for the replacement of macros with '...'",
    "#include __FILE__": "p.c:1:1: files include files more than 200 deep",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_what_is_malformed_has_one_line_with_a_place(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(text)
    said = complaint(text)
    assert said.startswith(ERRORS[text]) or (text.endswith("__FILE__") and said == ERRORS[text])


def test_errors_are_where_tokens_were_written(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("#define TWICE(x) x x\n\n  #bad\n")
    file = tmp_path / "p.c"
    file.write_text('/* */ #include "h.h"\n')
    assert complaint(file.read_text(), str(file)).startswith(f"{tmp_path / 'h.h'}:3:3: there is no directive #bad")


def test_a_macro_bomb_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "_EXPANDED_CHARACTERS", 100_000)
    lines = ["#define A0 x x x x x x x x x x"] + [f"#define A{n + 1} A{n} A{n} A{n} A{n} A{n} A{n}" for n in range(40)]
    assert complaint("\n".join(lines) + "\nA40").startswith("p.c:42:1: macros become more than")
    lines = ["#define A0(x) x x"] + [f"#define A{n + 1}(x) A{n}(x x)" for n in range(60)]
    assert complaint("\n".join(lines) + "\nA60(y)").startswith("p.c:62:1: macros become more than")
    lines = ["#define C(a, b) a ## b", "#define X(a, b) C(a, b)", "#define A0 x"]
    lines += [f"#define A{n + 1} X(A{n}, A{n})" for n in range(60)]
    assert complaint("\n".join(lines) + "\nA60").startswith("p.c:64:1: macros become more than")


def test_deep_nesting_is_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "_EXPANDED_CHARACTERS", 200_000)
    assert tokens("#define f(x) x\n" + "f(" * 150 + "y" + ")" * 150) == "y"
    assert "macros become more than" in complaint("#define f(x) x\n" + "f(" * 50_000 + "y" + ")" * 50_000)
    assert "nested more than 200 deep" in complaint("#define f(x) x\n" + "f(" * 250 + "y" + ")" * 250)
    assert complaint("#if " + "(" * 50_000 + "1" + ")" * 50_000 + "\n#endif").endswith("the condition is nested too deeply")
    assert tokens("#if " + "!" * 50_000 + "1\nx\n#endif") == "x"
    assert tokens("#if 1\n" * 20_000 + "x\n" + "#endif\n" * 20_000) == "x"


def test_long_lines_and_long_tokens_are_read() -> None:
    assert tokens("x " * 100_000) == " ".join(["x"] * 100_000)
    assert tokens("a" * 1_000_000) == "a" * 1_000_000
    assert tokens("x" + " " * 1_000_000) == "x"
    assert tokens("\\\n" * 100_000 + "x") == "x"


def test_headers_are_beside_the_file_in_quotes_and_in_folders(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.h").write_text(f"{folder} __INCLUDE_LEVEL__ __FILE__\n")
    (tmp_path / "two" / "b.h").write_text('#include "a.h"\n')
    (tmp_path / "a.h").write_text("beside\n")
    file = str(tmp_path / "p.c")
    folders = (str(tmp_path / "one"), str(tmp_path / "two"))
    one = tmp_path / "one" / "a.h"
    assert tokens('#include "a.h"\n#include <a.h>\n', file, includes=folders) == f'beside one 1 "{one}"'
    assert tokens('#include "b.h"\n', file, includes=folders) == f'two 2 "{tmp_path / "two" / "a.h"}"'
    with pytest.raises(InputError, match=r"there is no header 'b\.h'"):
        tokens("#include <b.h>\n", file)


def test_a_header_with_pragma_once_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "o.h").write_text("#pragma once\nx\n")
    (tmp_path / "g.h").write_text("#ifndef G\n#define G\ny\n#endif\n")
    text = '#include "o.h"\n#include "./o.h"\n#include "g.h"\n#include "g.h"\n'
    assert tokens(text, str(tmp_path / "p.c")) == "x y"


def test_files_that_include_each_other_again_and_again_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_INCLUDED_TOKENS", 5_000)
    (tmp_path / "twice.h").write_text("#if __INCLUDE_LEVEL__ < 100\n#include __FILE__\n#include __FILE__\n#endif\n")
    with pytest.raises(InputError, match=r"twice\.h:\d:1: the files that are included have more than 5,000 tokens"):
        tokens('#include "twice.h"\n', str(tmp_path / "p.c"))


def test_special_files_are_no_headers(tmp_path: Path) -> None:
    (tmp_path / "folder.h").mkdir()
    for name in ("/dev/zero", "folder.h", "."):
        with pytest.raises(InputError, match="there is no header"):
            tokens(f'#include "{name}"\n', str(tmp_path / "p.c"))


def test_macros_of_the_command_line() -> None:
    assert tokens("A B f(2)", defines=("A", "B=1=2", "f(x)=[x]")) == "1 1 = 2 [ 2 ]"
    with pytest.raises(InputError, match=r"<command line>:1:1: #define needs a name"):
        tokens("x", defines=("1=2",))


@pytest.mark.parametrize("model, sizes", [("LP64", "8 8 L"), ("ILP32", "4 4 LL")])
def test_facts_about_types_are_those_of_the_data_model(model: str, sizes: str) -> None:
    text = "#include <stdint.h>\n#define S(x) #x\n__SIZEOF_LONG__ __SIZEOF_POINTER__ INT64_C(1)\n"
    long, pointer, suffix = sizes.split()
    assert tokens(text, data_model=model).endswith(f"{long} {pointer} 1{suffix}")


def test_a_preprocessed_file_has_no_macros_and_no_conditions() -> None:
    found = preprocessed(b'# 1 "x.c" 1 3\n#define A 1\n#pragma omp\n#ident "x"\nint A; // c\n', "p.i", COptions())
    assert found.text == "int A;\n"
    assert str(found.place(0)) == "x.c:4:1"
    assert found.spot(4) == (5, 5)
    with pytest.raises(InputError, match=r"p\.i:1:1: the directive #if in a file that is preprocessed already"):
        preprocessed(b"#if 0\nint x;\n#endif\n", "p.i", COptions())
    with pytest.raises(Unsupported, match=r"x\.c:7:1: #pragma pack is not supported"):
        preprocessed(b'# 7 "x.c"\n#pragma pack(1)\n', "p.i", COptions())


def test_what_a_macro_makes_is_where_it_was_used_and_arguments_are_where_they_were_written() -> None:
    found = preprocessed(b"#define F(x) y + x\nint z = F(  w) ;\n", "p.c", COptions())
    places = {value: str(found.place(at)) for value, at in zip(found.lexemes.values, found.lexemes.starts, strict=True)}
    assert places == {
        "int": "p.c:2:1",
        "z": "p.c:2:5",
        "=": "p.c:2:7",
        "y": "p.c:2:9",
        "+": "p.c:2:9",
        "w": "p.c:2:13",
        ";": "p.c:2:16",
    }


@pytest.mark.skipif(compiler() is None, reason="needs gcc")
def test_random_texts_become_the_tokens_of_gcc() -> None:
    assert complaints(list(range(40))) == []
