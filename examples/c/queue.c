/* A bounded queue in a struct: the number of elements is that between its ends, modulo the capacity. */
#include <assert.h>

#define CAPACITY 5

extern int __VERIFIER_nondet_int(void);

struct queue {
    int first, count;
    int items[CAPACITY];
};

int main(void) {
    struct queue q = {0};
    for (;;) {
        int value = __VERIFIER_nondet_int();
        if (value >= 0 && q.count < CAPACITY) {
            q.items[(q.first + q.count) % CAPACITY] = value;
            q.count++;
        } else if (value < 0 && q.count > 0) {
            q.first = (q.first + 1) % CAPACITY;
            q.count--;
        }
        assert(0 <= q.count && q.count <= CAPACITY);
        assert(0 <= q.first && q.first < CAPACITY);
    }
}
