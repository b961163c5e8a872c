#ifndef _LEMMATA_ERRNO
#define _LEMMATA_ERRNO
extern int errno;
#endif
