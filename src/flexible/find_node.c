#include "flexible/flexible.h"

int rt_flexible_find_node(const rt_flexible *flexible, int number)
{
    int low = 0, high = flexible->n_nodes;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (flexible->nodes[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < flexible->n_nodes && flexible->nodes[low].number == number ? low : -1;
}
