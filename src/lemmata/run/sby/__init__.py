"""Tasks of SymbiYosys: ``.sby`` files, run by Lemmata's engines, with the folders, status lines and exit codes of sby.

``tasks`` reads the file, ``job`` runs one task in its folder. Written from the reference of SymbiYosys ("Reference for .sby
file format"); nothing of its code is here.
"""

from lemmata.run.sby.job import RETURN_CODES, Job
from lemmata.run.sby.tasks import SbyTask, read_tasks

__all__ = ["RETURN_CODES", "Job", "SbyTask", "read_tasks"]
