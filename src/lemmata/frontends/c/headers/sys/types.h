typedef int pid_t;
typedef long ssize_t;
#include <stddef.h>
