"""SMT-LIB scripts: commands with their places and terms. The front ends for Horn clauses and VMT-LIB stand on it.

``Script.commands`` goes through a script: declarations and definitions enter the scope before they are handed out, assertions
come as terms. What a command means is the business of who asked.
"""

from lemmata.frontends.smtlib.kind import is_script, is_vmt
from lemmata.frontends.smtlib.script import Asserted, Command, Declared, Defined, Other, Script

__all__ = ["Asserted", "Command", "Declared", "Defined", "Other", "Script", "is_script", "is_vmt"]
