"""Second readers: the file is read again by code that shares nothing with ``frontends``, and the evidence checked on that."""
