/* A list of three nodes is reversed: the pointers are turned one by one. */
#include <assert.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
    struct node *turned = 0, *rest = &a;
    while (rest) {
        struct node *next = rest->next;
        rest->next = turned;
        turned = rest;
        rest = next;
    }
    assert(turned->value == 3 && turned->next->value == 2 && turned->next->next == &a);
    return 0;
}
