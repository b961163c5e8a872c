"""The worlds by name; each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.world import World

WORLDS = ("smtlib", "vmt", "chc", "btor2", "aiger", "boogie", "proofs")


def world_of(name: str) -> World:
    """The world of that name."""
    world: World = import_module(f"tests.fuzz.{name}_world").WORLD
    return world
