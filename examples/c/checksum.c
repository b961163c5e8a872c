/* A message of four bytes with a checksum, modulo 256: all five bytes together are zero. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char sum = 0, check = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        sum += byte;
        check -= byte;
    }
    assert((unsigned char)(sum + check) == 0);
    return 0;
}
