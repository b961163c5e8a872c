#include <sys/types.h>
unsigned int sleep(unsigned int);
