// Reads questions of five texts, each ended by 0x1f, and writes an answer a line.
#include <stdio.h>
#include <stdlib.h>

#include "crypto_checkout.h"

static char *text(void) {
    size_t length = 0, space = 64;
    char *read = malloc(space);
    int byte;
    while ((byte = getchar()) != 0x1f) {
        if (byte == EOF) return NULL;
        if (length + 1 == space) read = realloc(read, space *= 2);
        read[length++] = (char)byte;
    }
    read[length] = 0;
    return read;
}

int main(void) {
    char *question[5];
    while ((question[0] = text())) {
        for (int field = 1; field < 5; field++) question[field] = text();
        const char *tag = question[3][0] == '-' ? NULL : question[3] + 1;
        char *answer = crypto_checkout_validate(question[0], question[1], question[2], tag, question[4]);
        puts(answer);
        crypto_checkout_free(answer);
    }
    return crypto_checkout_validate(NULL, "", "", NULL, NULL) != NULL;
}
