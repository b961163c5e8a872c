"""Names, types and contracts of a program; structs are taken apart here."""
