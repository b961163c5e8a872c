#ifndef _LEMMATA_STDLIB
#define _LEMMATA_STDLIB
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void abort(void);
void exit(int);
int rand(void);
void srand(unsigned int);
int abs(int);
long labs(long);
int atoi(const char *);
long atol(const char *);
double atof(const char *);
#endif
