"""Functions of libc, written in C: what they do is translated as if the program defined them.

Each is its definition in the standard (C11 7.4, 7.22, 7.24) as the simplest loop. ``__lemmata_sign(x)`` is any number with the
sign of ``x``: the standard says no more of what ``strcmp`` and ``memcmp`` return.
"""

from __future__ import annotations

from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of, parse
from lemmata.frontends.c.syntax.text import plain_text
from lemmata.frontends.c.types import DataModel

SIGN = "__lemmata_sign"
_SOURCES = {
    "abs": "int abs(int n) { return n < 0 ? -n : n; }",
    "labs": "long labs(long n) { return n < 0 ? -n : n; }",
    "llabs": "long long llabs(long long n) { return n < 0 ? -n : n; }",
    "strlen": "SIZE strlen(const char *s) { SIZE n = 0; while (s[n]) n++; return n; }",
    "strcpy": "char *strcpy(char *d, const char *s) { SIZE n = 0; while ((d[n] = s[n])) n++; return d; }",
    "strncpy": """char *strncpy(char *d, const char *s, SIZE k) {
        SIZE n = 0; while (n < k && s[n]) { d[n] = s[n]; n++; } while (n < k) d[n++] = 0; return d; }""",
    "strcat": """char *strcat(char *d, const char *s) {
        SIZE m = 0, n = 0; while (d[m]) m++; while ((d[m + n] = s[n])) n++; return d; }""",
    "strncat": """char *strncat(char *d, const char *s, SIZE k) {
        SIZE m = 0, n = 0; while (d[m]) m++; while (n < k && s[n]) { d[m + n] = s[n]; n++; } d[m + n] = 0; return d; }""",
    "strcmp": """int strcmp(const char *a, const char *b) {
        SIZE n = 0; while (a[n] && a[n] == b[n]) n++;
        return __lemmata_sign((int)(unsigned char)a[n] - (int)(unsigned char)b[n]); }""",
    "strncmp": """int strncmp(const char *a, const char *b, SIZE k) {
        SIZE n = 0; while (n < k && a[n] && a[n] == b[n]) n++;
        return n == k ? 0 : __lemmata_sign((int)(unsigned char)a[n] - (int)(unsigned char)b[n]); }""",
    "strchr": """char *strchr(const char *s, int c) {
        char *p = (char *)s; while (*p != (char)c) { if (!*p) return 0; p++; } return p; }""",
    "strrchr": """char *strrchr(const char *s, int c) {
        char *p = (char *)s, *q = 0; do { if (*p == (char)c) q = p; } while (*p++); return q; }""",
    "memcmp": """int memcmp(const void *a, const void *b, SIZE k) {
        const unsigned char *x = a, *y = b; SIZE n = 0; while (n < k && x[n] == y[n]) n++;
        return n == k ? 0 : __lemmata_sign((int)x[n] - (int)y[n]); }""",
    "memchr": """void *memchr(const void *a, int c, SIZE k) {
        const unsigned char *x = a; SIZE n = 0; while (n < k) { if (x[n] == (unsigned char)c) return (void *)(x + n); n++; }
        return 0; }""",
    "isdigit": "int isdigit(int c) { return c < '0' || c > '9' ? 0 : __lemmata_sign(1); }",
    "tolower": "int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }",
    "toupper": "int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }",
}
NAMES = frozenset(_SOURCES)


def library_of(tree: Node, data: DataModel) -> list[Node]:
    """Definitions of what a program mentions and does not define, where we have one; each is where it is mentioned first."""
    defined = {node.decl.name for node in tree.ext if kind_of(node) == "FuncDef"}
    defined |= {n.name for n in descendants(tree) if kind_of(n) == "Decl" and n.name and kind_of(n.type) != "FuncDecl"}
    found: list[Node] = []
    seen: set[str] = set()
    for node in descendants(tree):
        name = node.name if kind_of(node) == "ID" else ""
        name = name.removeprefix("__builtin_")
        if name not in NAMES or name in seen or node.name in defined:
            continue
        seen.add(name)
        found.append(_definition(name, node, data))
    return found


def _definition(name: str, place: Node, data: DataModel) -> Node:
    source = _SOURCES[name].replace("SIZE", str(data.size_t)).replace(f"{name}(", f"{place.name}(", 1)
    source = source.replace("\n", " ")
    definition = parse(plain_text(source, "<libc>")).ext[-1]
    for node in descendants(definition):
        node.coord = place.coord
    return definition
