"""What the textbook algorithms tell while they work, one value per step, for ``lemmata explain``."""
