struct rusage { long ru_maxrss; };
