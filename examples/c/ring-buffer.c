/* A ring buffer with one free cell between its end and its start: both stay inside, and a full one takes no more. */
#include <assert.h>
#include <stdbool.h>

#define SIZE 8u

extern bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned int start = 0, end = 0, count = 0;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if ((end + 1) % SIZE != start) {
                end = (end + 1) % SIZE;
                count++;
            }
        } else if (end != start) {
            start = (start + 1) % SIZE;
            count--;
        }
        assert(start < SIZE && end < SIZE);
        assert(count < SIZE);
    }
}
