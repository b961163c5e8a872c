(check-sat 5)
