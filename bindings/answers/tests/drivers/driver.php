<?php
// Reads questions of five texts, each ended by 0x1f, and writes an answer a line.

declare(strict_types=1);

use CryptoCheckout\Core;

foreach (['Core', 'Verdict'] as $class) {
    require getenv('CHECKOUT_PHP') . "/src/$class.php";
}

$texts = array_slice(explode("\x1f", stream_get_contents(STDIN)), 0, -1);
foreach (array_chunk($texts, 5) as [$currency, $network, $address, $tag, $options]) {
    $names = array_values(array_filter(explode(',', $options)));
    $verdict = Core::validate($currency, $network, $address, $tag === '-' ? null : substr($tag, 1), $names);
    $fields = array_filter(get_object_vars($verdict), fn ($value) => $value !== null && $value !== []);
    echo json_encode($fields, JSON_THROW_ON_ERROR), "\n";
}

const ETH = ['ETH', 'ETH', '0x0000000000000000000000000000000000000000', null];
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

function fail(array $asked, object $verdict): never
{
    fwrite(STDERR, json_encode([$asked, $verdict], JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    exit(1);
}

// No list of names, each of one option.
$mistakes = [
    ['allow_all'],
    ['allow_mweb,allow_burn_addresses'],
    ["memo_type=id\0", 'refuse_no_checksum'],
    ["allow_burn_addresses\0"],
    ["\xff"],
    ['refuse_no_checksum' => false],
    [1 => 'refuse_no_checksum'],
    [[]],
    [null],
    [5],
];
set_error_handler(fn (int $kind, string $said) => throw new ErrorException($said));
foreach ($mistakes as $options) {
    try {
        $verdict = Core::validate(...ETH, options: $options);
    } catch (InvalidArgumentException) {
        continue;
    }
    fail($options, $verdict);
}

// Bytes that are no character, and a zero byte, at which C ends a text.
$texts = [
    [['BTC', 'BTC', "1\0"], [true, 'bad_character', [1]]],
    [['BTC', 'BTC', "1\xff"], [true, 'bad_character', [1]]],
    [['BTC', "BTC\0", '1'], [false, null, []]],
    [["BTC\xff", 'BTC', '1'], [false, null, []]],
    [['XLM', 'XLM', STELLAR, "pay \0"], [true, 'tag_not_digits', []]],
    [['XLM', 'XLM', STELLAR, "pay \xff"], [true, 'tag_not_digits', []]],
    [['XRP', 'XRP', 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', "7\0"], [true, 'tag_not_digits', []]],
];
foreach ($texts as [$arguments, $expected]) {
    $verdict = Core::validate(...$arguments);
    if ($verdict->valid || [$verdict->supported, $verdict->reason, $verdict->positions] !== $expected) {
        fail($arguments, $verdict);
    }
}
