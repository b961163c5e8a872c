#ifndef _LEMMATA_STDNORETURN
#define _LEMMATA_STDNORETURN
#define noreturn _Noreturn
#endif
