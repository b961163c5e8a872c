#ifndef _LEMMATA_STDIO
#define _LEMMATA_STDIO
#include <stddef.h>
typedef struct _lemmata_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...);
int puts(const char *);
int putchar(int);
int getchar(void);
int fflush(FILE *);
#endif
