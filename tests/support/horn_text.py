"""Clauses as the text of a whole file."""


def asked(clauses: str) -> str:
    """With the question at the end, without which nothing is asked."""
    return f"{clauses}\n(check-sat)\n"
