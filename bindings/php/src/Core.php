<?php

declare(strict_types=1);

namespace CryptoCheckout;

/** Checks addresses with the shared library of the package, or the one that CRYPTO_CHECKOUT_LIBRARY names. */
final class Core
{
    private const HEADER = <<<'C'
        char *crypto_checkout_validate(const char *, const char *, const char *, const char *, const char *);
        void crypto_checkout_free(char *);
        C;

    private static ?\FFI $library = null;

    /**
     * @param string|null $tag the destination tag or memo
     * @param list<string> $options names such as "allow_test_networks" or "memo_type=id"
     * @throws \InvalidArgumentException for an unknown option, and for options that are no list of names
     */
    public static function validate(
        string $currency,
        string $network,
        string $address,
        ?string $tag = null,
        array $options = [],
    ): Verdict {
        foreach ($options as $option) {
            // C reads names separated by commas.
            if (!array_is_list($options) || !is_string($option) || str_contains($option, ',')) {
                throw new \InvalidArgumentException('options are a list of names, each the name of one option');
            }
        }
        $texts = [$currency, $network, $address, $tag, implode(',', $options)];
        // C ends a text at a zero byte. 0xFF is in no text either, and refused.
        $texts = array_map(fn (?string $text) => $text === null ? null : strtr($text, "\0", "\xff"), $texts);
        $library = self::library();
        $answer = $library->crypto_checkout_validate(...$texts);
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
        $platform = strtolower(PHP_OS_FAMILY . '-' . php_uname('m'));
        $path = dirname(__DIR__) . "/lib/$platform." . PHP_SHLIB_SUFFIX;
        return self::$library ??= \FFI::cdef(self::HEADER, getenv('CRYPTO_CHECKOUT_LIBRARY') ?: $path);
    }
}
