<?php

declare(strict_types=1);

namespace CryptoCheckout;

/** Checks addresses with the shared library of the package, or the one that CRYPTO_CHECKOUT_LIBRARY names. */
final class Core
{
    private static ?\FFI $library = null;

    /**
     * @param string|null $tag the destination tag or memo
     * @param list<string> $options names such as "allow_test_networks" or "memo_type=id"
     */
    public static function validate(
        string $currency,
        string $network,
        string $address,
        ?string $tag = null,
        array $options = [],
    ): Verdict {
        foreach ([$currency, $network, $address, $tag ?? ''] as $text) {
            if (str_contains($text, "\0")) {
                // C would read the text up to here.
                return new Verdict(valid: false, supported: true, reason: 'bad_character', message: 'a text has a zero byte');
            }
        }
        $library = self::library();
        $answer = $library->crypto_checkout_validate($currency, $network, $address, $tag, implode(',', $options));
        try {
            $fields = json_decode(\FFI::string($answer), true, flags: JSON_THROW_ON_ERROR);
        } finally {
            $library->crypto_checkout_free($answer);
        }
        if (isset($fields['error'])) {
            throw new \InvalidArgumentException('unknown option among ' . implode(', ', $options));
        }
        return new Verdict(...$fields);
    }

    private static function library(): \FFI
    {
        if (self::$library === null) {
            $folder = dirname(__DIR__) . '/lib';
            $path = getenv('CRYPTO_CHECKOUT_LIBRARY') ?: "$folder/libcrypto_checkout.so";
            // PHP reads declarations, and no lines for the preprocessor.
            $header = preg_replace(['/^#ifdef __cplusplus.*?^#endif.*?$/ms', '/^#.*$/m'], '', file_get_contents("$folder/crypto_checkout.h"));
            self::$library = \FFI::cdef($header, $path);
        }
        return self::$library;
    }
}
