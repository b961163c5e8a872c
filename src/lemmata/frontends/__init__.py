"""Front ends: files in, models out."""
