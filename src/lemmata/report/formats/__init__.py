"""Results and events in formats that others define: for programs, competitions, code hosts and viewers of waveforms."""
