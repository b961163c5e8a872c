/* An unsigned counter is never below zero: the loop goes on with a very large index. */
#include <assert.h>

int main(void) {
    for (unsigned int i = 5; i >= 0; i--)
        assert(i <= 5);
    return 0;
}
