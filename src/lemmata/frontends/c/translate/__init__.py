"""Programs of C become those of ``frontends.programs``: functions, statements (C11 6.8), expressions (6.5), initialisers."""
