#ifndef _LEMMATA_INTTYPES
#define _LEMMATA_INTTYPES
#include <stdint.h>
#endif
