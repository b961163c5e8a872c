#ifndef _LEMMATA_SYS_RESOURCE
#define _LEMMATA_SYS_RESOURCE
struct rusage { long ru_maxrss; };
#endif
