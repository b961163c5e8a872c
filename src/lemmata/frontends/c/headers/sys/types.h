#ifndef _LEMMATA_SYS_TYPES
#define _LEMMATA_SYS_TYPES
#include <stddef.h>
typedef int pid_t;
#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
#endif
