"""Processes of a run: a worker and the group of all, their limits, and what they write to their supervisor."""
