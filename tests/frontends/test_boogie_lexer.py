import pytest

from lemmata.errors import InputError
from lemmata.frontends.boogie.syntax.lexer import END, read_words


def kinds(text: str) -> list[str]:
    return read_words(text.encode(), "p.bpl").kinds[:-1]


def texts(text: str) -> list[str]:
    return read_words(text.encode(), "p.bpl").texts[:-1]


def places(text: str) -> list[str]:
    words = read_words(text.encode(), "p.bpl")
    return [str(words.source.place(at)) for at in words.offsets]


def test_names_hold_the_odd_characters_of_generated_programs():
    names = ["#t~ret4", "~p~1", "$Pointer$", "a.b", "x'", "q?", "`r", "^s", "BLOCK#0stepBLOCK#0", "_l", "größe"]
    assert texts(" ".join(names)) == names
    assert set(kinds(" ".join(names))) == {"name"}


def test_a_backslash_makes_a_name_and_is_no_part_of_it():
    assert texts("\\x \\var \\int~1 \\bv8") == ["x", "var", "int~1", "bv8"]
    assert set(kinds("\\x \\var \\int~1 \\bv8")) == {"name"}
    assert texts("a\\b") == ["a", "b"]
    assert " ".join(texts("var \\q!1 : int; q!1 := \\q!1; \\q!f")) == "var q!1 : int ; q!1 := q!1 ; q ! f"


def test_keywords_are_kinds_of_their_own_and_only_as_whole_words():
    assert kinds("var variable var~1 int integer mod") == ["var", "name", "name", "int", "name", "mod"]


def test_numbers_reals_and_words_are_told_apart():
    assert kinds("12 1.5 2e3 1.25e-2 7bv32") == ["number", "decimal", "decimal", "decimal", "bits"]


def test_the_longest_sign_wins():
    signs = ["<==>", "<==", "<=", "<", "==>", "==", "!=", "!", ":=", "::", ":", "++", "+", "**", "*", "&&", "||"]
    assert kinds(" ".join(signs)) == signs
    assert kinds("a<==>b") == ["name", "<==>", "name"]
    assert kinds("!a!=b") == ["!", "name", "!=", "name"]


def test_an_exclamation_mark_ends_a_name():
    assert texts("q!offset") == ["q", "!", "offset"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("var a!b : int;", "a!b"),
        ("var x, a!b, y : int;", "a!b"),
        ("const unique a!1, y : int;", "a!1"),
        ("procedure p(x : t, a!b, y : int);", "a!b"),
        ("procedure a!b();", "a!b"),
        ("procedure {:entry} a!b();", "a!b"),
        ("axiom (forall a!b!c, x : int :: true);", "a!b!c"),
        ("{ k: a!b: goto a!b; }", "a!b"),
        ("x := a!b!f; type a!b;", "a!b"),
    ],
)
def test_an_exclamation_mark_is_part_of_a_declared_name(text, name):
    assert name in texts(text)


@pytest.mark.parametrize(
    "text",
    [
        "q := { base: a!b, offset: a!b + 4 };",
        "q := { base: 1 + a!b, offset: a!b };",
        "call f(a!b, x); l: assert x < a!b;",
        "var a : t; assert a!b == 1;",
        "var b, a : int; assert a ! b;",
    ],
)
def test_an_exclamation_mark_is_access_to_a_field_elsewhere(text):
    assert "!" in kinds(text) and "a!b" not in texts(text)


def test_the_field_of_a_name_with_an_exclamation_mark_is_still_a_field():
    assert texts("var a!b : t; x := a!b!f;")[7:] == ["a!b", "!", "f", ";"]


def test_mathematical_symbols_are_read_as_words():
    assert kinds("∀ ∃ • ∧ ∨ ¬ ⇒ ⇔ ≠ ≤ ≥") == ["forall", "exists", "::", "&&", "||", "!", "==>", "<==>", "!=", "<=", ">="]


def test_comments_are_dropped_and_nest():
    assert texts("a // b /* c\nd /* e /* f */ g // */ h") == ["a", "d", "h"]


def test_a_comment_sign_in_a_string_is_no_comment():
    assert texts('"a // b" c "/*" d') == ['"a // b"', "c", '"/*"', "d"]


def test_a_backslash_keeps_a_quote_within_a_string():
    assert texts(r'"a \" b" c') == [r'"a \" b"', "c"]
    assert texts('"c:\\dir\\" d') == ['"c:\\dir\\"', "d"]


def test_every_word_has_its_line_and_column():
    assert places("a /* x\n y */ bc\n\n  d\r\n\te") == ["p.bpl:1:1", "p.bpl:2:7", "p.bpl:4:3", "p.bpl:5:2", "p.bpl:5:3"]


def test_columns_count_characters_not_bytes():
    assert places("größe x")[1] == "p.bpl:1:7"


def test_a_byte_order_mark_does_not_move_columns():
    words = read_words("\ufeffvar".encode(), "p.bpl")
    assert (words.kinds[0], words.offsets[0]) == ("var", 0)


def test_an_empty_file_has_only_an_end():
    assert read_words(b"", "p.bpl").kinds == [END]
    assert read_words(b" // nothing", "p.bpl").kinds == [END]


def test_bytes_that_are_no_text_are_fine_in_comments():
    assert read_words(b"a // \xff\xfe\nb", "p.bpl").texts == ["a", "b", ""]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\n  @", "p.bpl:2:3: the character '@' has no place in a Boogie program"),
        (b"a \xff", "p.bpl:1:3: the byte 0xff is not UTF-8 (save the file as UTF-8)"),
        (b"a\x00", "p.bpl:1:2: the character '\\x00' has no place in a Boogie program"),
        (b"x /* /* */ y", "p.bpl:1:3: this comment is never closed"),
        (b'x "y\n"', "p.bpl:1:3: there is no end to this string"),
        (b"12abc", "p.bpl:1:1: '12abc' is not a number"),
        (b" 0x1F", "p.bpl:1:2: '0x1F' is not a number"),
        (b"1.5.2", "p.bpl:1:1: '1.5.2' is not a number"),
        (b"7bv", "p.bpl:1:1: '7bv' is not a number"),
        (b"a & b", "p.bpl:1:3: the character '&' has no place in a Boogie program"),
        (b"a ;|", "p.bpl:1:4: the character '|' has no place in a Boogie program"),
    ],
)
def test_what_is_no_word_is_an_error_with_its_place(data, message):
    with pytest.raises(InputError) as error:
        read_words(data, "p.bpl")
    assert str(error.value) == message
