#ifndef _LEMMATA_UNISTD
#define _LEMMATA_UNISTD
#include <sys/types.h>
unsigned int sleep(unsigned int);
#endif
