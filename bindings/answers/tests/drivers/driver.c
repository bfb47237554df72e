// Reads questions of five texts, each ended by 0x1f, and writes an answer a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#define XRP "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"
#define XLM "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"
#define BTC "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
#define UNSUPPORTED "{\"supported\":false,\"valid\":false}"
#define UNKNOWN_OPTION "{\"error\":\"unknown_option\",\"supported\":false,\"valid\":false}"

// A question and its answer: texts that are no UTF-8, and options that do not exist.
static const char *const cases[][6] = {
    {"BTC", "BTC", BTC "\xff", NULL, NULL,
     "{\"message\":\"the address contains a character that is not valid on this network\",\"positions\":[34],"
     "\"reason\":\"bad_character\",\"supported\":true,\"valid\":false}"},
    {"BTC", "BTC\xff", BTC, NULL, NULL, UNSUPPORTED},
    {"BTC\xff", "BTC", BTC, NULL, NULL, UNSUPPORTED},
    {"BTC", "ETH", "\xff", NULL, NULL, UNSUPPORTED},
    {"XLM", "XLM", XLM, "pay \xff", NULL,
     "{\"kind\":\"account\",\"message\":\"the tag must contain only digits\",\"reason\":\"tag_not_digits\",\"supported\":true,\"valid\":false}"},
    {"XRP", "XRP", XRP, "7\xff", NULL,
     "{\"kind\":\"classic\",\"message\":\"the tag must contain only digits\",\"reason\":\"tag_not_digits\",\"supported\":true,\"valid\":false}"},
    {"BTC", "BTC", BTC, "\xff", NULL,
     "{\"kind\":\"p2pkh\",\"normalized\":\"" BTC "\",\"supported\":true,\"valid\":true,\"warnings\":[\"tag_ignored\"]}"},
    {"BTC", "BTC", BTC, NULL, "allow_mweb,\xff", UNKNOWN_OPTION},
    {"BTC", "BTC", BTC, NULL, "allow_all", UNKNOWN_OPTION},
    {"USDC", "POLYGON", "", NULL, "table=interface", UNSUPPORTED},
};

int main(void) {
    char *question[5];
    while ((question[0] = text())) {
        for (int field = 1; field < 5; field++) question[field] = text();
        const char *tag = question[3][0] == '-' ? NULL : question[3] + 1;
        char *answer = crypto_checkout_validate(question[0], question[1], question[2], tag, question[4]);
        puts(answer);
        crypto_checkout_free(answer);
    }
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        const char *const *asked = cases[at];
        char *answer = crypto_checkout_validate(asked[0], asked[1], asked[2], asked[3], asked[4]);
        if (strcmp(answer, asked[5]) != 0) {
            fprintf(stderr, "case %zu: %s instead of %s\n", at, answer, asked[5]);
            return 1;
        }
        crypto_checkout_free(answer);
    }
    crypto_checkout_free(NULL);
    return crypto_checkout_validate(NULL, "", "", NULL, NULL) != NULL;
}
