<?php
// Reads questions of five texts, each ended by 0x1f, and writes an answer a line.

declare(strict_types=1);

use CryptoCheckout\Core;

foreach (['Core', 'Verdict'] as $class) {
    require __DIR__ . "/../../../php/src/$class.php";
}

$texts = array_slice(explode("\x1f", stream_get_contents(STDIN)), 0, -1);
foreach (array_chunk($texts, 5) as [$currency, $network, $address, $tag, $options]) {
    $names = array_values(array_filter(explode(',', $options)));
    $verdict = Core::validate($currency, $network, $address, $tag === '-' ? null : substr($tag, 1), $names);
    $fields = array_filter(get_object_vars($verdict), fn ($value) => $value !== null && $value !== []);
    echo json_encode($fields, JSON_THROW_ON_ERROR), "\n";
}
try {
    Core::validate('BTC', 'BTC', '', null, ['allow_all']);
} catch (InvalidArgumentException) {
    exit(Core::validate('BTC', 'BTC', "a\0b")->valid ? 1 : 0);
}
exit(1);
