/* A buffer is filled up to the end of the input, and one byte further. */
#include <assert.h>

#define SIZE 16

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > SIZE)
        return 1;
    int next = 0;
    while (next < length)
        next++;
    assert(next < SIZE); /* where the terminating zero goes */
    return 0;
}
