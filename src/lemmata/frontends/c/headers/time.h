#ifndef _LEMMATA_TIME
#define _LEMMATA_TIME
typedef long time_t;
typedef long clock_t;
time_t time(time_t *);
clock_t clock(void);
#endif
