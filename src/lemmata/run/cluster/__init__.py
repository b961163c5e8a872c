"""A cluster: many files, many properties, one file on many processors, on machines that may fail.

The driver, which the user has called, has a queue of items (``queue``): a file, a property or all of them, a worker's seat.
Sites (``site``, actors of Ray on the nodes) take them in batches and work as a run does on one machine: in a warm interpreter
(``fork_server``) that forks for each item, so limits of time and memory hold, and what breaks breaks alone. What a site finds
is judged on the driver (``executor``): nothing counts that was not certified and read again here. What counts is in a journal
(``journal``) before it is told, so a driver that is lost goes on from there; a site that is lost costs its unfinished items,
which others do (``driver``). ``ray_sites`` is the one module that speaks with Ray.
"""
