#ifndef CRYPTO_CHECKOUT_H
#define CRYPTO_CHECKOUT_H

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Checks an address and its tag. Returns JSON, which the caller gives back to `crypto_checkout_free`; NULL if `currency`, `network`
// or `address` is NULL.
//
// `tag` may be NULL. `options` is NULL or names of options separated by commas, such as "allow_test_networks,memo_type=id"; an
// unknown one gives {"error":"unknown_option","supported":false,"valid":false}. Texts are UTF-8; one that is not is refused.
// Both functions may be called by several threads at once.
//
// # Safety
//
// Each argument is NULL or a text that ends with a zero byte.
char *crypto_checkout_validate(const char *currency,
                               const char *network,
                               const char *address,
                               const char *tag,
                               const char *options);

// Frees an answer of `crypto_checkout_validate`. NULL is ignored.
//
// # Safety
//
// `answer` is NULL or an answer that was not freed.
void crypto_checkout_free(char *answer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CRYPTO_CHECKOUT_H */
