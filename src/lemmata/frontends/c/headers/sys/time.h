#ifndef _LEMMATA_SYS_TIME
#define _LEMMATA_SYS_TIME
struct timeval { long tv_sec; long tv_usec; };
#endif
