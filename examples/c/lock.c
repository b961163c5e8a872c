/* A lock is taken only when it is free, and released only when it is held (after Ball, Rajamani 2001). */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int held;

static void take(void) {
    assert(!held);
    held = 1;
}

static void release(void) {
    assert(held);
    held = 0;
}

int main(void) {
    int old, new = 0;
    do {
        take();
        old = new;
        if (__VERIFIER_nondet_int()) {
            release();
            new++;
        }
    } while (new != old);
    release();
    return 0;
}
