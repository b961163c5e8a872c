/* McCarthy's function is 91 for all arguments up to 101. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int f(int n) {
    if (n > 100)
        return n - 10;
    return f(f(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 1;
    int result = f(n);
    assert(n > 101 || result == 91);
    return 0;
}
