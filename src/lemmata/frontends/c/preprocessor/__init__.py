"""The preprocessor (C11 6.10, and phases 2 to 4 of 5.1.1.2): from the text of files to tokens that know where they are from."""
