#ifndef _LEMMATA_CTYPE
#define _LEMMATA_CTYPE
int isalpha(int);
int isdigit(int);
int isalnum(int);
int isspace(int);
int isupper(int);
int islower(int);
int toupper(int);
int tolower(int);
#endif
