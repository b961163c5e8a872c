/* A length that was not found is -1, and compared with an unsigned size it is very large. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned int size = 10;
    int length = __VERIFIER_nondet_int();
    if (length < -1)
        return 1;
    if (length < size) /* as unsigned numbers */
        assert(length < 10);
    else
        assert(length >= 10);
    return 0;
}
