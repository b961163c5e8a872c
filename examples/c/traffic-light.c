/* A crossing with two lights, as a state machine: never are both of them green. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum colour { RED, YELLOW, GREEN };

int main(void) {
    enum colour north = RED, east = GREEN;
    while (1) {
        if (!__VERIFIER_nondet_int())
            continue;
        switch (east) {
        case GREEN:
            east = YELLOW;
            break;
        case YELLOW:
            east = RED;
            north = GREEN;
            break;
        default:
            if (north == GREEN) {
                north = YELLOW;
            } else {
                north = RED;
                east = GREEN;
            }
        }
        assert(north != GREEN || east != GREEN);
    }
}
