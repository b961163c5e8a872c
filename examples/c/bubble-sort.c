/* Bubble sort of four cells, its loops written out: neighbours change places until the largest are behind. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define ORDER(i)            \
    if (a[i] > a[i + 1]) {  \
        int kept = a[i];    \
        a[i] = a[i + 1];    \
        a[i + 1] = kept;    \
    }

int main(void) {
    int a[4];
    a[0] = __VERIFIER_nondet_int();
    a[1] = __VERIFIER_nondet_int();
    a[2] = __VERIFIER_nondet_int();
    a[3] = __VERIFIER_nondet_int();
    ORDER(0) ORDER(1) ORDER(2)
    ORDER(0) ORDER(1)
    ORDER(0)
    assert(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]);
    return 0;
}
