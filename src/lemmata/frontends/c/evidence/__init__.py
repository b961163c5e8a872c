"""What evidence in C needs of the source: how things are written there, what a compiler lacks, what a user must know."""
