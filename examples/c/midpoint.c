/* The middle of two indices: the sum overflows when the array is large (J. Bloch, 2006). */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high);
    int middle = (low + high) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
