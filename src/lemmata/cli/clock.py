"""When this call began, as near to its beginning as we can tell: ``--timeout`` counts from here."""

from time import monotonic

STARTED = monotonic()
