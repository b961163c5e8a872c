struct timeval { long tv_sec; long tv_usec; };
