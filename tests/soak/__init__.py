"""Long comparisons with the truth on random models; ``make soak`` runs them, the suite takes a few of each."""
