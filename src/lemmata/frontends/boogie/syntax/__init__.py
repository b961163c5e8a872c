"""From text to a syntax tree: lexer, parsers, and the tree itself."""
