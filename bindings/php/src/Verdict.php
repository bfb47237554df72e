<?php

declare(strict_types=1);

namespace CryptoCheckout;

/** The answer of Core::validate. Codes are stable; $message is their sentence in English. */
final class Verdict
{
    /**
     * @param bool $supported whether the currency exists on the network; if not, nothing else was checked
     * @param string|null $normalized the address in its normal form, the same for all texts of one account
     * @param string|null $destinationTag the tag in its normal form; of a refused text, the tag of the suggestion: take both, and $memoType
     * @param list<int> $positions of errors in the address, in bytes from its start
     * @param list<string> $warnings
     * @param string|null $looksLike the network for which the text is valid, or which it names
     */
    public function __construct(
        public readonly bool $valid,
        public readonly bool $supported,
        public readonly ?string $kind = null,
        public readonly ?string $normalized = null,
        public readonly ?string $destinationTag = null,
        public readonly ?string $memoType = null,
        public readonly ?string $reason = null,
        public readonly ?string $message = null,
        public readonly array $positions = [],
        public readonly array $warnings = [],
        public readonly ?string $suggestion = null,
        public readonly ?string $looksLike = null,
    ) {
    }
}
