#ifndef _LEMMATA_STDDEF
#define _LEMMATA_STDDEF
#ifdef __LP64__
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#else
typedef unsigned int size_t;
typedef int ptrdiff_t;
typedef long wchar_t;
#endif
#define NULL ((void *)0)
#endif
