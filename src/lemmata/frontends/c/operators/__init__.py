"""What operators compute on values (C11 6.3, 6.5.5 to 6.5.15), in one of three arithmetics."""
