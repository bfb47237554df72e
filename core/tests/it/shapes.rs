//! Recognition of refused texts, tested at the exact boundaries.

use crypto_checkout_core::{Address, Network, Options, Reason, validate};

use crate::support::rows;

#[track_caller]
fn reason(network: Network, text: &str) -> Reason {
    Address::parse(network, text).unwrap_err().reason()
}

/// A text with this start and length is a secret; one character more or less is not.
#[track_caller]
fn secret(start: &str, filler: &str, lengths: &[usize]) {
    for length in lengths.iter().flat_map(|length| [length - 1, *length, length + 1]) {
        let text = format!("{start}{}", filler.repeat(length - start.len()));
        for row in rows() {
            // An address of Sui is written as a bare key is.
            let Err(error) = Address::parse(row.network, &text) else {
                assert!(start == "0x" && [Network::Sui, Network::Apt].contains(&row.network));
                continue;
            };
            let found = error.reason() == Reason::Secret;
            assert_eq!(found, lengths.contains(&length), "{text}, {length} characters, {}", row.code());
        }
    }
    // A character outside the encoding's alphabet.
    for length in lengths {
        let text = format!("{start}{}!", filler.repeat(length - start.len() - 1));
        assert_ne!(reason(Network::Btc, &text), Reason::Secret, "{text}");
    }
}

#[test]
fn a_key_has_its_start_and_its_length() {
    for start in ["5", "6", "9"] {
        secret(start, "z", &[51]);
    }
    for start in ["K", "L", "T", "c"] {
        secret(start, "z", &[52]);
    }
    secret("6P", "z", &[58]);
    for start in ["xprv", "yprv", "zprv", "tprv", "Ltpv"] {
        secret(start, "z", &[107, 108, 109, 110, 111, 112]);
    }
    secret("", "z", &[86, 87, 88]);
    secret("sEd", "z", &[31]);
    secret("sn", "z", &[28, 29]);
    secret("SK", "z", &[53]);
    secret("SC", "A", &[56]);
    secret("", "f", &[64]);
    secret("0x", "f", &[66]);
    // Neither alphabet of base58 has these four.
    for wrong in ["0", "O", "I", "l"] {
        assert_ne!(reason(Network::Btc, &format!("K{}{wrong}", "z".repeat(50))), Reason::Secret);
    }
    for wrong in ["a", "1", "8", "="] {
        assert_ne!(reason(Network::Xlm, &format!("S{}{wrong}", "A".repeat(54))), Reason::Secret);
    }
}

#[test]
fn a_key_in_bech32_has_its_start() {
    for (start, expected) in [
        ("secret-extended-key-main1", true),
        ("secret-extended-key-test1", true),
        ("addr_sk1", true),
        ("ed25519e_sk1", true),
        ("root_xsk1", true),
        ("addr_vk1", false),
        ("addr_xvk1", false),
        ("zs1", false),
    ] {
        let key = |length| reason(Network::Zec, &format!("{start}{}", "q".repeat(length))) == Reason::Secret;
        assert_eq!((key(51), key(50)), (expected, false), "{start}");
    }
}

#[test]
fn a_key_that_says_so_may_have_any_length() {
    for start in ["suiprivkey1", "SUIPRIVKEY1", "ed25519-priv-", "secp256k1-priv-0x", "secp256r1-priv-0x"] {
        for rest in ["", "q", &"q".repeat(59), &"f".repeat(64)] {
            for row in rows() {
                assert_eq!(reason(row.network, &format!("{start}{rest}")), Reason::Secret, "{start}{rest}");
            }
        }
        assert_ne!(reason(Network::Sui, &start[..start.len() - 3]), Reason::Secret, "{start}");
    }
}

/// Some of these lengths are those of keys.
#[test]
fn a_recovery_phrase_may_have_any_length() {
    for count in [12, 13, 15, 16, 18, 21, 24, 25] {
        for length in (4 * count - 1)..(13 * count) {
            let mut words = vec![3; count];
            for at in (0..count).cycle().take((length + 1 - 4 * count).min(9 * count)) {
                words[at] += 1;
            }
            for start in ["z", "c", "s", "f"] {
                let words: Vec<String> = words.iter().map(|letters| start.repeat(*letters)).collect();
                let text = words.join(" ");
                assert_eq!((text.len(), reason(Network::Btc, &text)), (length, Reason::Secret), "{text}");
            }
        }
    }
}

#[test]
fn a_recovery_phrase_has_12_to_25_words_of_3_to_12_letters() {
    for count in 1..=27 {
        for row in rows() {
            let found = reason(row.network, &["zoo"; 27][..count].join(" ")) == Reason::Secret;
            assert_eq!(
                found,
                matches!(count, 12 | 13 | 15 | 16 | 18 | 21 | 24 | 25),
                "{count} words, {}",
                row.code()
            );
        }
    }
    let phrase = |word: &str| reason(Network::Btc, &format!("{word}{}", " zoo".repeat(11))) == Reason::Secret;
    for (word, expected) in [
        ("zo", false),
        ("zoo", true),
        ("absolute", true),
        ("acquaintance", true),
        ("acquaintances", false),
        ("Zoo", false),
        ("z00", false),
        ("zoo ", true),
        ("zoo\n\t", true),
    ] {
        assert_eq!(phrase(word), expected, "{word:?}");
    }
}

#[test]
fn a_name_has_labels_and_ends_in_letters() {
    for (network, text) in [
        (Network::Ton, "wallet.ton"),
        (Network::Ton, "user.t.me"),
        (Network::Sui, "name.sui"),
        (Network::Apt, "name.apt"),
        (Network::Sol, "toly.sol"),
        (Network::Sol, "a-name-as-long-as-an-address-0123456789.sol"),
    ] {
        assert_eq!(reason(network, text), Reason::NeedsResolution, "{text}");
    }
    for text in [
        "vitalik.eth",
        "0x1.eth",
        "xena.eth",
        "XE.eth",
        "a.b.eth",
        "my-shop.bnb",
        "my_shop.eth",
        "münze.eth",
        "x.ETH",
    ] {
        assert_eq!(reason(Network::Eth, text), Reason::NeedsResolution, "{text}");
    }
    for text in
        ["eth", ".eth", "a..eth", "a.e", "a.3th", "a.e-h", "a b.eth", "a!.eth", "a.b!.eth", "a.eth.", "a."]
    {
        assert_eq!(reason(Network::Eth, text), Reason::Unrecognized, "{text}");
    }
    for text in ["name*domain.example", "n*d.e"] {
        assert_eq!(reason(Network::Xlm, text), Reason::NeedsResolution, "{text}");
    }
    for text in ["*domain.example", "name*domain", "name*do*main.example", "name", "domain.example"] {
        assert_eq!(reason(Network::Xlm, text), Reason::Unrecognized, "{text}");
    }
}

#[test]
fn only_forty_digits_are_an_address_without_0x() {
    let digits = "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
    assert_eq!(reason(Network::Eth, digits), Reason::Missing0x);
    assert_eq!(reason(Network::Eth, &format!("0X{digits}")), Reason::BadPrefix);
    for text in
        [&digits[1..], &format!("{digits}0"), &digits.replace('b', "g"), &format!("0X{}", &digits[1..])]
    {
        assert_eq!(reason(Network::Eth, text), Reason::Unrecognized, "{text}");
    }
    for length in [39, 41] {
        assert_eq!(reason(Network::Eth, &format!("0x{}", "0".repeat(length))), Reason::BadLength);
    }
}

#[test]
fn a_link_has_a_scheme_of_letters_digits_plus_minus_and_point() {
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    for (start, reason) in [
        ("bitcoin:", Reason::UriLike),
        ("arb-nova:", Reason::WrongNetwork),
        // These name no network.
        ("x1:", Reason::UriLike),
        ("web+bitcoin:", Reason::UriLike),
        (":", Reason::UriLike),
        ("a.b:", Reason::UriLike),
        // No schemes.
        ("the address:", Reason::Unrecognized),
        ("(:", Reason::Unrecognized),
    ] {
        let verdict = validate("BTC", "BTC", &format!("{start}{address}"), None);
        assert_eq!(verdict.reason, Some(reason), "{start}");
        let suggestion = Some(address).filter(|_| start == "bitcoin:");
        assert_eq!((verdict.suggestion.as_deref(), verdict.looks_like), (suggestion, None), "{start}");
    }
}

#[test]
fn blanks_are_skipped_up_to_the_longest_address() {
    for row in rows() {
        assert_eq!(reason(row.network, &" ".repeat(216)), Reason::Empty);
        assert_eq!(reason(row.network, &" ".repeat(217)), Reason::TooLong);
    }
}

#[test]
fn an_address_of_another_network_between_blanks_is_recognized() {
    let verdict = validate("BTC", "BTC", " TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", None);
    assert_eq!(verdict.reason, Some(Reason::SurroundingWhitespace));
    assert_eq!((verdict.suggestion, verdict.looks_like), (None, Some(Network::Trx)));
}

/// A position means nothing for an address that is valid on another network.
#[test]
fn an_address_of_another_network_has_no_positions() {
    // Both start like CashAddr.
    for text in ["rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59"] {
        let verdict = validate("BCH", "BCH", text, None);
        assert_eq!(verdict.reason, Some(Reason::WrongNetwork), "{text}");
        assert_eq!((verdict.looks_like, verdict.positions), (Some(Network::Xrp), vec![]), "{text}");
    }
}

/// Positions include skipped blanks.
#[test]
fn a_place_counts_from_the_start_of_the_text() {
    let options = Options { allow_surrounding_blanks: true, ..Options::STRICT };
    for blanks in ["", " ", "\u{feff}", " \n "] {
        let text = format!("{blanks}bc1qw508d6qejxtdg4y5r3zarvarz0c5xw7kv8f3t4 ");
        let verdict = crypto_checkout_core::validate_with("BTC", "BTC", &text, None, &options);
        assert_eq!(verdict.positions, [blanks.len() + 28], "{text:?}");
    }
}
