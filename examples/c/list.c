/* A node is put between two others: the list has its three values in order. */
#include <assert.h>

struct node {
    int value;
    struct node *next;
};

static void insert(struct node *before, struct node *new) {
    new->next = before->next;
    before->next = new;
}

int main(void) {
    struct node c = {3, 0}, b = {2, 0}, a = {1, &c};
    insert(&a, &b);
    assert(a.next->value == 2);
    assert(a.next->next->value == 3);
    return 0;
}
