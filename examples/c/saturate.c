/* Addition of bytes that stops at the largest: in C the sum of two bytes is an int. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char level = 0;
    for (;;) {
        unsigned char more = __VERIFIER_nondet_uchar();
        unsigned char before = level;
        if (level + more > 255)
            level = 255;
        else
            level += more;
        assert(level >= before);
    }
}
