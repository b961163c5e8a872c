"""Tests of the whole program: examples, random models through every engine, seeded bugs, faults."""
