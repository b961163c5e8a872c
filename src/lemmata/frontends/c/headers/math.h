#ifndef _LEMMATA_MATH
#define _LEMMATA_MATH
double sqrt(double);
double pow(double, double);
double fabs(double);
double floor(double);
double ceil(double);
double round(double);
double sin(double);
double cos(double);
double exp(double);
double log(double);
#endif
