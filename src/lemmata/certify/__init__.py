"""Certify: evidence becomes a verdict only after it was checked again.

Proofs are checked by fresh queries to a solver other than the engine's, traces by simulation or evaluation, all on the model as
it was read. Certify imports no engine, no transform and no front end (a contract in ``pyproject.toml``) and encodes the model
by itself. What it shares with the engines is below all of them: the models, ``logic`` (terms, their values, their
simplification) and the libraries behind ``solvers``.

Minimisers and replays are three of each, since each is about other questions: lemmas of circuits are asked one by one, those
over words all in one query, those of graphs edge by edge and in parts; and bits are simulated, words evaluated step by step,
facts compared with what edges make of their premises.

The ways in are ``certify.circuit.check`` and, for graphs, words included, ``certify.graph.check``; ``certify.reading`` has
second readers. Nothing is imported here, so that a check of one kind does not load the others'.
"""
