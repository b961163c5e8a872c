"""Big inputs, made to measure: what a check costs as files grow (``docs/scaling.md``, ``make bench-scaling``)."""
