//! An invalid character is reported by its position.

use crypto_checkout_core::{Reason, validate};

/// `wrong` at every position from `start`.
#[track_caller]
fn check(currency: &str, network: &str, text: &str, start: usize, wrong: char) {
    for at in start..text.len() {
        let changed = format!("{}{wrong}{}", &text[..at], &text[at + 1..]);
        let verdict = validate(currency, network, &changed, None);
        assert_eq!(verdict.reason, Some(Reason::BadCharacter), "{changed}");
        assert_eq!(verdict.positions, [at], "{changed}");
    }
}

#[test]
fn in_base58() {
    for wrong in ['0', 'O', 'I', 'l', '!', 'é', '\u{fffd}'] {
        check("BTC", "BTC", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", 1, wrong);
        check("LTC", "LTC", "MUWheVyCBf3Fm3WNNXvotQ3Gj8NTSZCBVe", 1, wrong);
        check("USDT", "TRX", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", 1, wrong);
        check("XRP", "XRP", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", 1, wrong);
        check("XRP", "XRP", "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC", 1, wrong);
    }
}

#[test]
fn in_bech32() {
    for wrong in ['1', 'b', 'i', 'o', '!', 'é', '\u{fffd}'] {
        check("BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 3, wrong);
        check("LTC", "LTC", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", 4, wrong);
        check("BCH", "BCH", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", 12, wrong);
        check("BCH", "BCH", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", 1, wrong);
    }
}

/// Every character is a CashAddr symbol too, and changing the first one would give an address.
#[test]
fn base58_is_not_searched_as_cashaddr() {
    let verdict = validate("BCH", "BCH", "3pm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", None);
    assert_eq!((verdict.reason, verdict.positions), (Some(Reason::BadChecksum), vec![]));
}

#[test]
fn in_hexadecimal() {
    for wrong in ['g', 'G', '/', ':', '@', '`', 'x', 'é', '\u{fffd}'] {
        check("ETH", "ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 2, wrong);
        check("ETH", "BSC", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", 2, wrong);
    }
}

#[test]
fn in_base32() {
    for wrong in ['0', '1', '8', '9', 'a', '=', '@', '[', 'é', '\u{fffd}'] {
        check("XLM", "XLM", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", 1, wrong);
        check(
            "XLM",
            "XLM",
            "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
            1,
            wrong,
        );
    }
}

#[test]
fn in_the_iban_of_an_account() {
    // Two check digits, then letters and digits (ICAP).
    for wrong in ['A', 'z', '!'] {
        for at in [2, 3] {
            let mut text = String::from("XE95TWJ4YIDKW7A8PN4G709KZMFOAOL3X8F");
            text.replace_range(at..=at, wrong.encode_utf8(&mut [0; 4]));
            assert_eq!(validate("ETH", "ETH", &text, None).positions, [at], "{text}");
        }
    }
    check("ETH", "ETH", "XE95TWJ4YIDKW7A8PN4G709KZMFOAOL3X8F", 4, '!');
}
