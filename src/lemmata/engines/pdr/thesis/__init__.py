"""The lifted algorithm of Werner's thesis as it is written, and its improvements; start with ``loop.py``."""
