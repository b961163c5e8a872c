"""Every message about a C file: one line with file, line and column, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.config import COptions
from lemmata.errors import InputError, Unsupported, UsageError
from lemmata.frontends import load
from lemmata.frontends.c import parse_c


def complaint(text: str, file: str = "p.c", options: COptions | None = None, entry: str | None = None) -> str:
    with pytest.raises(InputError) as error:
        parse_c(text.encode(), file, entry, options)
    assert "\n" not in str(error.value)
    return str(error.value)


def main(body: str) -> str:
    return f"int main(void) {{\n  {body}\n}}\n"


ERRORS = {
    "int main(void) { int x = ; }": "p.c:1:26: invalid expression",
    "int main(void) {": "p.c:1:16: at end of input",
    "int x y;": "p.c:1:7: this is not C near 'y'",
    main("y = 1;"): "p.c:2:3: 'y' is not declared",
    main("unknown_type x;"): "p.c:2:16: this is not C near 'x'",
    main("int x; int x;"): "p.c:2:14: 'x' is declared twice",
    main("void x;"): "p.c:2:8: the variable 'x' has an incomplete type",
    main("break;"): "p.c:2:3: there is no loop or switch to leave here",
    main("continue;"): "p.c:2:3: there is no loop to continue here",
    main("int x; switch (x) { case x: ; }"): "p.c:2:23: the value of a case must be a constant",
    main("case 1: ;"): "p.c:2:3: this case belongs to no switch",
    main("switch (1) { case 1: case 3 - 2: ; }"): "p.c:2:24: this switch has two cases 1",
    main("switch (1) { default: default: ; }"): "p.c:2:25: this switch has two defaults",
    "enum e { A = -1, B = 18446744073709551615u };": "p.c:1:1: no integer type has all values of this enumeration",
    main("const int x = 1; x = 2;"): "p.c:2:20: 'x' is const: it cannot be assigned",
    main("typedef const int t; t x[2] = {1}; x[1] = 2;"): "p.c:2:38: 'x' is const: it cannot be assigned",
    main("struct { int a; const int b; } s; s.b = 2;"): "p.c:2:37: the member 'b' is const: it cannot be assigned",
    main("struct s { const int b[2]; } *p; p->b[1]++;"): "p.c:2:36: the member 'b' is const: it cannot be assigned",
    main("struct s { const int b; } s, t; s = t;"): "p.c:2:35: struct s has a member that is const: it cannot be assigned",
    main("const struct { struct { int a; } s; } t; t.s.a = 1;"): "p.c:2:44: 't' is const: it cannot be assigned",
    main("static const int x[2]; x[1]++;"): "p.c:2:26: 'x' is const: it cannot be assigned",
    main("goto nowhere;"): "p.c:2:3: there is no label 'nowhere'",
    "int x;\nlong x;" + main(""): "p.c:2:6: 'x' is declared before as something else",
    "int x = 1;\nint x = 2;" + main(""): "p.c:2:5: 'x' is defined twice",
    "int f(int a);\nlong f(int a) { return a; }" + main(""): "p.c:2:6: 'f' is declared before as something else",
    "int f(int a) { return a; }\nint f(long a);" + main(""): "p.c:2:5: 'f' is declared before as something else",
    "enum e { A, A };" + main(""): "p.c:1:13: 'A' is declared before as something else",
    "enum e { A };\nint A;" + main(""): "p.c:2:5: 'A' is declared before as something else",
    "int f(int a, int a) { return a; }\n" + main("f(1, 2);"): "p.c:1:18: two parameters are called 'a'",
    main("struct s { int a : 3; } x; int *p = &x.a;"): "p.c:2:40: a bit-field has no address",
    main("a: a: ;"): "p.c:2:6: the label 'a' is declared twice",
    main("int x; *x = 1;"): "p.c:2:11: a value of type int points to nothing",
    main("int x; x[0] = 1;"): "p.c:2:10: a value of type int has no elements",
    main("int x; x.a = 1;"): "p.c:2:10: a value of type int has no members",
    main("struct s { int a; } x; x.b = 1;"): "p.c:2:26: struct s has no member 'b'",
    main("struct s { int a; } x; if (x) ;"): "p.c:2:30: a value of type struct s is no condition",
    main("struct s { int a; } x; int y = x;"): "p.c:2:30: a value of type struct s is not converted to int",
    main("struct s { int a; } x; x + 1;"): "p.c:2:26: this needs an integer, not a value of type struct s",
    main("struct s { int a : 40; } x;"): "p.c:2:18: this is no width of a bit-field",
    main("struct s { int a : 0; } x;"): "p.c:2:18: a bit-field of no width has no name",
    main("struct s { int a; }; union s x;"): "p.c:2:30: 's' is no union",
    main("struct s { int a; int a; } x;"): "p.c:2:25: the member 'a' is declared twice",
    main("int x[-1];"): "p.c:2:10: an array cannot have -1 elements",
    main("int x[2] = 1;"): "p.c:2:7: an array is initialised by a list or a string",
    main("int x[2] = {1, 2, 3};"): "p.c:2:21: there are more initialisers than elements",
    main("int x[2] = {[2] = 1};"): "p.c:2:7: this designator is no index of the array",
    main("struct s { int a; } x = {.b = 1};"): "p.c:2:23: there is no member 'b' to initialise",
    main("int x = {};"): "p.c:2:7: this list of initialisers is empty",
    main("int x = 99999999999999999999;"): "p.c:2:11: no integer type has the constant 99999999999999999999",
    main("1 = 2;"): "p.c:2:3: this is no place to store something",
    main("int x; (int)x = 2;"): "p.c:2:10: a cast is no place to store something",
    main("int *p, *q; p * q;"): "p.c:2:15: pointers have no operator *",
    main("int x; x();"): "p.c:2:10: a value of type int cannot be called",
    main("enum e x;"): "p.c:2:3: there is no enum 'e'",
    main('int x; _Static_assert(x, "");'): "p.c:2:10: a static assertion needs a constant",
    "int f(int a) { return a; }\n" + main("f();"): "p.c:3:3: 'f' takes 1 arguments, not 0",
    "int f(void) { return 1; }\nint f(void) { return 2; }": "p.c:2:5: the function 'f' is defined twice",
    "int x { return 1; }": "p.c:1:5: 'x' has a body, and is no function",
    "typedef int f(void); f g { return 1; }": "p.c:1:24: 'g' has a body, and is no function",
    "struct s { int a; }; struct s { int b; };": "p.c:1:29: the struct 's' is declared twice",
    "int f(void) { return 1; }": "p.c:1:1: the program has no function 'main' (it defines f; choose one with --entry)",
    "int x;": "p.c:1:1: the program has no function 'main' (it defines none; choose one with --entry)",
    '#include "nowhere.h"\n': "p.c:1:1: there is no header 'nowhere.h' (name its folder with -I, or preprocess with --cpp)",
    "\n#error stop here\n": "p.c:2:1: #error stop here",
    "#if 1\n": "p.c:1:1: this #if has no #endif",
    "int main(void) { return 0; \0 }": "p.c:1:1: there is a zero byte in the text (is this C?)",
}

UNSUPPORTED = {
    "int f(a) int a; { return a; }\nint main(void) { return f(1); }": "p.c:1:5: definitions in the style of K&R",
    "int f(int n, int a[n][n]) { return a[0][0]; }": "p.c:1:18: a parameter is an array of arrays of variable length",
    "struct s { long a : 33; };": "p.c:1:17: bit-fields of more than 32 bits are not supported",
    "struct s { int n; int a[]; } x = {1, {2}};" + main("x.n = 1;"): "p.c:1:39: a flexible array member is initialised",
    "int f(int n, ...) { return n; }": "p.c:1:5: 'f' takes any number of arguments",
    main('__asm__("nop");'): "p.c:2:3: inline assembler is not supported",
    main("setjmp(0);"): "p.c:2:3: the function setjmp is not supported",
    "void f(int (*)(void));\n" + main("f(main);"): "p.c:3:5: 'f', which has no definition, may call a function that it",
    main("int x[3000], y; struct { int a[3000]; } p, *q = &p; *q = p;"): "p.c:2:56: an object of more than 2048 elements",
    main("float _Complex x;"): "p.c:2:3: complex numbers are not supported",
    main('char *s = L"a";'): "p.c:2:13: wide strings are not supported",
    main("int x = 'ab';"): "p.c:2:11: the character constant 'ab' is not supported",
}


@pytest.mark.parametrize("text", ERRORS)
def test_wrong_programs_have_one_line_with_a_place(text: str) -> None:
    assert complaint(text).startswith(ERRORS[text])


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_what_is_not_supported_is_refused_with_a_place(text: str) -> None:
    with pytest.raises(Unsupported) as error:
        parse_c(text.encode(), "p.c")
    assert str(error.value).startswith(UNSUPPORTED[text])


def test_places_are_those_of_the_users_file() -> None:
    assert complaint('# 10 "other.c"\nint main(void) { y = 1; }', "p.i").startswith("other.c:10:18: 'y' is not declared")
    assert complaint('#line 7 "x.y"\nint main(void) { y = 1; }').startswith("x.y:7:18:")
    assert complaint("#define TWO \\\n  2\nint main(void) { return TWO + y; }").startswith("p.c:3:")


def test_an_error_in_a_header_is_in_the_header(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("int f(void) {\n return y; }\n")
    (tmp_path / "p.c").write_text('#include "own.h"\nint main(void) { return f(); }\n')
    with pytest.raises(InputError, match=r"own\.h:2:\d+: 'y' is not declared"):
        load(tmp_path / "p.c")


def test_folders_of_headers_and_macros_are_options(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "own.h").write_text("#define LIMIT 3\n")
    (tmp_path / "p.c").write_text("#include <own.h>\nint main(void) { int a[LIMIT + MORE]; a[0] = 1; return A; }\n")
    with pytest.raises(InputError, match=r"there is no header 'own\.h'"):
        load(tmp_path / "p.c")
    load(tmp_path / "p.c", c=COptions(includes=(str(tmp_path / "inc"),), defines=("MORE=2", "A")))


def test_the_preprocessor_may_be_a_command(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) { return X; }\n")
    shell = tmp_path / "cpp.sh"
    shell.write_text("#!/bin/sh\necho '# 5 \"q.c\"'\necho 'int main(void) { return y; }'\n")
    shell.chmod(0o755)
    with pytest.raises(InputError, match=r"q\.c:5:25: 'y' is not declared"):
        load(file, c=COptions(cpp=str(shell)))
    with pytest.raises(UsageError, match="there is no preprocessor"):
        load(file, c=COptions(cpp="no-such-program-anywhere"))
    with pytest.raises(UsageError, match="is an empty command"):
        load(file, c=COptions(cpp=" "))
    with pytest.raises(UsageError, match="is no command"):
        load(file, c=COptions(cpp="'"))
    with pytest.raises(InputError, match="the preprocessor refuses the file"):
        load(file, c=COptions(cpp="false"))


def test_property_files_are_read_or_refused_by_name(tmp_path: Path) -> None:
    text = b"void e(void); int main(void) { e(); return 1 + 1; }"

    def with_file(name: str, content: str) -> COptions:
        (tmp_path / name).write_text(content)
        return COptions(property_file=str(tmp_path / name))

    unreach = with_file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(e())) )\n")
    assert [p.name for p in parse_c(text, "p.c", None, unreach).questions] == ["e at line 1"]
    overflow = with_file("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )")
    assert [p.name for p in parse_c(text, "p.c", None, overflow).questions] == ["no-overflow at line 1"]
    with pytest.raises(Unsupported, match=r"the property termination \(F end\) is not supported"):
        parse_c(text, "p.c", None, with_file("termination.prp", "CHECK( init(main()), LTL(F end) )"))
    with pytest.raises(Unsupported, match=r"the property valid-memsafety \(G valid-free\) is not supported"):
        parse_c(text, "p.c", None, with_file("valid-memsafety.prp", "CHECK( init(main()), LTL(G valid-free) )"))
    with pytest.raises(InputError, match=r"bad\.prp:1:1: this is no property of SV-COMP"):
        parse_c(text, "p.c", None, with_file("bad.prp", "x"))
    with pytest.raises(InputError, match="there is no such file"):
        parse_c(text, "p.c", None, COptions(property_file=str(tmp_path / "none.prp")))
    (tmp_path / "unreach-call.prp").unlink()
    with pytest.raises(InputError, match="there is no such file"):  # a name that is known is no path that is wrong
        parse_c(text, "p.c", None, unreach)
    by_name = parse_c(text, "p.c", None, COptions(property_file="no-overflow.prp"))
    assert [p.name for p in by_name.questions] == ["no-overflow at line 1"]


def test_options_of_c_are_for_c(tmp_path: Path) -> None:
    (tmp_path / "p.smt2").write_text("(set-logic HORN)")
    with pytest.raises(UsageError, match="is no C"):
        load(tmp_path / "p.smt2", c=COptions(data_model="ILP32"))
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    with pytest.raises(UsageError, match="is no Boogie"):
        load(tmp_path / "p.c", dialect="boogie")


def test_without_the_extra_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module in ("pycparser", "pycparser.c_parser"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=r"pip install 'lemmata\[c\]'"):
        parse_c(b"int main(void) { return 0; }", "p.i")


def test_deep_nesting_is_read_or_refused() -> None:
    parse_c(main("int x = " + "(" * 500 + "1" + ")" * 500 + ";").encode(), "p.c")
    with pytest.raises(InputError):
        parse_c(main("int x = " + "(" * 20_000 + "1" + ")" * 20_000 + ";").encode(), "p.c")


def test_another_release_of_the_parser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import pycparser

    monkeypatch.setattr(pycparser, "__version__", "3.12")
    with pytest.raises(UsageError, match=r"C needs pycparser 3\.00, and this is 3\.12"):
        parse_c(b"int main(void) { return 0; }", "p.c")
