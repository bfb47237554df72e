//! Verdicts on refused texts.

use crypto_checkout_core::address::TestNetwork;
use crypto_checkout_core::{Address, Network, Options, Reason, validate};

/// The verdict's JSON, as `checkout validate --jsonl` writes it.
#[track_caller]
fn check(currency: &str, network: &str, address: &str, expected: &str) {
    let verdict = validate(currency, network, address, None);
    assert_eq!(serde_json::to_string(&verdict).unwrap(), expected, "{address}");
}

#[test]
fn an_address_of_another_network_is_named() {
    let trx = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
    for (currency, network) in
        [("BTC", "BTC"), ("LTC", "LTC"), ("USDT", "ETH"), ("XRP", "XRP"), ("XLM", "XLM")]
    {
        check(
            currency,
            network,
            trx,
            r#"{"valid":false,"supported":true,"reason":"wrong_network","looksLike":"TRX"}"#,
        );
    }
    check(
        "USDT",
        "TRX",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        r#"{"valid":false,"supported":true,"reason":"wrong_network","looksLike":"ETH"}"#,
    );
    check(
        "XRP",
        "XRP",
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        r#"{"valid":false,"supported":true,"reason":"wrong_network","looksLike":"XLM"}"#,
    );
    check(
        "LTC",
        "LTC",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        r#"{"valid":false,"supported":true,"reason":"wrong_network","looksLike":"BTC"}"#,
    );
    check(
        "BTC",
        "BTC",
        "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        r#"{"valid":false,"supported":true,"reason":"wrong_network","looksLike":"BCH"}"#,
    );
}

#[test]
fn addresses_of_dogecoin_and_of_its_relatives_are_told_apart() {
    let check = |network, address: &str, reason, looks_like| {
        let error = Address::parse(network, address).unwrap_err();
        assert_eq!((error.reason(), error.looks_like()), (reason, looks_like), "{network} {address}");
    };
    let (doge, wrong) = (Network::Doge, Reason::WrongNetwork);
    // One hash, base58 with each version.
    check(doge, "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9", wrong, Some(Network::Ltc));
    check(doge, "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH", wrong, Some(Network::Btc));
    check(doge, "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", wrong, Some(Network::Ltc));
    check(doge, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", wrong, Some(Network::Btc));
    for address in [
        "DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE",
        "A37YDYSwz3438rFtm1SLVcQHyD7JeueC9H",
        "9zYnVRaekPtdKBYuPw5QiBtv3NNrzD2LLW",
    ] {
        assert!(Address::parse(doge, address).is_ok(), "{address}");
        for other in [Network::Btc, Network::Ltc, Network::Bch, Network::Trx] {
            check(other, address, wrong, Some(doge));
        }
    }
    check(doge, "DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr", Reason::BurnAddress, None);
    check(doge, "QP5rQxpaP8HHPEdCEqxTjiHGWRvsyPvzZJeJ9BCxpfT13FN9VesQ", Reason::Secret, None);
}

/// Testnet and regtest have different versions for keys, and one for scripts.
#[test]
fn test_addresses_of_dogecoin_keep_their_version() {
    let options = Options { allow_test_networks: true, ..Options::STRICT };
    for (address, expected) in [
        ("nesRpRaAbTDmZHwmzBkLd2AtF7Z9L9z5S2", TestNetwork::Testnet),
        ("mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r", TestNetwork::Regtest),
        ("2N3vVYSK5XRgVSGWy21PnsRmBUywSQNdCsf", TestNetwork::Testnet),
    ] {
        let read = Address::parse_with(Network::Doge, address, &options).unwrap();
        assert_eq!((read.test_network(), read.to_string().as_str()), (Some(expected), address));
    }
}

#[test]
fn a_legacy_form_suggests_the_current_one() {
    // cashaddr.md, examples of address translation
    check(
        "BCH",
        "BCH",
        "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu",
        r#"{"valid":false,"supported":true,"reason":"legacy_format","suggestion":"bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a","looksLike":"BTC"}"#,
    );
    // One script hash with both versions: Litecoin validator vectors.
    check(
        "LTC",
        "LTC",
        "3NJZLcZEEYBpxYEUGewU4knsQRn1WM5Fkt",
        r#"{"valid":false,"supported":true,"reason":"legacy_prefix","suggestion":"MUWheVyCBf3Fm3WNNXvotQ3Gj8NTSZCBVe","looksLike":"BTC"}"#,
    );
    check(
        "USDT",
        "TRX",
        "4165cfbd57fa4f20687b2c33f84c4f9017e5895d49",
        r#"{"valid":false,"supported":true,"reason":"hex_form","suggestion":"TKFY7SErikT5cfs762ivMwwYBM1eGxFV6B"}"#,
    );
}

#[test]
fn the_missing_part_of_an_evm_address_is_suggested() {
    let right = r#""suggestion":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}"#;
    let refused = |reason: &str| format!(r#"{{"valid":false,"supported":true,"reason":"{reason}",{right}"#);
    check("ETH", "ETH", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", &refused("missing_0x"));
    check("ETH", "ETH", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", &refused("bad_prefix"));
    check("ETH", "ETH", " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n", &refused("surrounding_whitespace"));
    check(
        "ETH",
        "ETH",
        "\u{feff}0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        &refused("surrounding_whitespace"),
    );
    check("ETH", "ETH", "eth:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", &refused("uri_like"));
    check(
        "ETH",
        "ETH",
        "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=1",
        &refused("uri_like"),
    );
    // The wrong letter case is a typing error: there is no suggestion, not even for a missing prefix.
    check(
        "ETH",
        "ETH",
        "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        r#"{"valid":false,"supported":true,"reason":"bad_checksum"}"#,
    );
    check(
        "ETH",
        "ETH",
        "5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        r#"{"valid":false,"supported":true,"reason":"bad_checksum"}"#,
    );
    check("ETH", "ETH", "vitalik.eth", r#"{"valid":false,"supported":true,"reason":"needs_resolution"}"#);
}

#[test]
fn the_other_letter_case_is_suggested_where_it_alone_is_wrong() {
    let mixed = |at: usize, right: &str| {
        format!(
            r#"{{"valid":false,"supported":true,"reason":"mixed_case","positions":[{at}],"suggestion":"{right}"}}"#
        )
    };
    let bech32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    check("BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4", &mixed(40, bech32));
    check("BTC", "BTC", "Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", &mixed(1, bech32));
    let cashaddr = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
    check("BCH", "BCH", "BitCOINcash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", &mixed(1, cashaddr));
    check("BCH", "BCH", "bitcoincash:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A", &mixed(12, cashaddr));
    check(
        "XLM",
        "XLM",
        "ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz",
        r#"{"valid":false,"supported":true,"reason":"unrecognized","suggestion":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"}"#,
    );
    check(
        "BTC",
        "BTC",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T5",
        r#"{"valid":false,"supported":true,"reason":"mixed_case","positions":[40]}"#,
    );
}

#[test]
fn the_tag_of_a_pasted_link_is_kept() {
    check(
        "XRP",
        "XRP",
        "rKM5oQ2NdaS3o8ran4PKsESnhfxzfUqCJm?dt=33722",
        r#"{"valid":false,"supported":true,"destinationTag":"33722","reason":"uri_like","suggestion":"rKM5oQ2NdaS3o8ran4PKsESnhfxzfUqCJm"}"#,
    );
    check(
        "XRP",
        "XRP",
        "rKM5oQ2NdaS3o8ran4PKsESnhfxzfUqCJm?dt=1x",
        r#"{"valid":false,"supported":true,"reason":"tag_inside"}"#,
    );
}

#[test]
fn a_typing_error_is_reported_as_one() {
    let checksum = |network, text| assert_eq!(reason(network, text), Reason::BadChecksum, "{text}");
    checksum(Network::Btc, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3");
    checksum(Network::Ltc, "LW6HjAU6GL9fK2LZWUA6VZCzomTdrpx3nq");
    checksum(Network::Bch, "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q");
    checksum(Network::Trx, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD");
    checksum(Network::Xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDZ");
    checksum(Network::Xlm, "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA");
    let error = Address::parse(Network::Xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GD0").unwrap_err();
    assert_eq!((error.reason(), error.position()), (Reason::BadCharacter, Some(33)));
}

#[test]
fn a_valid_checksum_is_not_enough() {
    for (network, text, expected) in [
        (Network::Bch, "bitcoincash:spm2qsznhks23z7629mms6s4cwef74vcwv4glwxl5g", Reason::ReservedBits),
        // A strkey of a muxed account's length whose version is 97, not 96.
        (
            Network::Xlm,
            "ME7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAABZ7A",
            Reason::BadVersion,
        ),
        // 31 digits of base 36 hold more than an account.
        (Network::Eth, "XE54ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ", Reason::BadLength),
    ] {
        assert_eq!(reason(network, text), expected, "{text}");
    }
    // … and this is the largest account.
    let largest = Address::parse(Network::Eth, "XE95TWJ4YIDKW7A8PN4G709KZMFOAOL3X8F").unwrap_err();
    assert_eq!(largest.suggestion().unwrap().payload(), [0xff; 20]);
}

#[test]
fn a_secret_is_recognized_on_every_network_and_never_repeated() {
    let secrets = [
        "5KcrFZvJ2p4dM6QVUPu53cKXcCfozA1PJLHm1mNAxkDYhgThLu4",
        "L2kZaexG69VSriMe9T2m1jkS86iPe3xNbjcdfakRC1PHe7ay78Ji",
        "TAhBKuN6oDx4cGuTcfxEEt6qShF7juasHLj5wgURB5MoK7cK9n9A",
        // With a typing error it can still be guessed.
        "L2kZaexG69VSriMe9T2m1jkS86iPe3xNbjcdfakRC1PHe7ay78Jj",
        "sEdTM1uX8pu2do5XvTnutH6HsouMaM2",
        "sn259rEFXrQrWyx3Q7XneWcwV6dfL",
        "SC2RDTRNSHXJNCWEUVO7VGUSPNRAWFCQDPP6BGN4JFMWDSEZBRAPANYW",
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
        // BIP-38, first test vector.
        "6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
        "0x4646464646464646464646464646464646464646464646464646464646464646",
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
    ];
    let pairs =
        [("BTC", "BTC"), ("BCH", "BCH"), ("LTC", "LTC"), ("ETH", "ETH"), ("USDT", "TRX"), ("XRP", "XRP")];
    for secret in secrets {
        for (currency, network) in pairs.into_iter().chain([("XLM", "XLM")]) {
            for text in [secret.to_owned(), format!(" {secret}\n")] {
                check(currency, network, &text, r#"{"valid":false,"supported":true,"reason":"secret"}"#);
            }
        }
    }
}

#[test]
fn hostile_lengths_are_refused_unread() {
    for character in ["1", "A", "q", "0", "f", "G", "r", "T", " ", "三"] {
        for text in
            [character.repeat(20_000), character.repeat(1_000_000), format!("bc1{}", character.repeat(500))]
        {
            for row in crate::support::rows() {
                assert_eq!(reason(row.network, &text), Reason::TooLong, "{} {character:?}", row.code());
            }
        }
    }
}

#[test]
fn an_empty_text_and_blanks_are_empty() {
    for row in crate::support::rows() {
        for text in ["", " ", "\n\t", "\u{feff}"] {
            assert_eq!(reason(row.network, text), Reason::Empty, "{} {text:?}", row.code());
        }
    }
}

/// An address of Sui or Aptos is written as a bare key is, and as a transaction id of Ethereum.
#[test]
fn an_address_of_sui_is_a_secret_where_no_address_is_written_so() {
    let address = Network::Sui.spec().example;
    for row in crate::support::rows() {
        match Address::parse(row.network, address) {
            Ok(_) => assert!([Network::Sui, Network::Apt].contains(&row.network), "{}", row.code()),
            Err(error) => assert_eq!(error.reason(), Reason::Secret, "{}", row.code()),
        }
        assert_eq!(reason(row.network, &address[2..]), Reason::Secret, "{}", row.code());
    }
    let blank = Address::parse(Network::Sui, &format!(" {address}")).unwrap_err();
    assert_eq!(blank.reason(), Reason::SurroundingWhitespace);
    assert_eq!(blank.suggestion().unwrap().to_string(), address);
}

/// What is suggested, and what is not: a digit that is missing may be a zero, or any other.
#[test]
fn the_right_form_of_ton_and_sui_is_suggested() {
    let sui = Network::Sui.spec().example;
    let raw = "0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3";
    let of_master = "-1:3333333333333333333333333333333333333333333333333333333333333333";
    for (network, text, expected, suggestion) in [
        (Network::Ton, raw, Reason::RawForm, Some("EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB")),
        (Network::Ton, of_master, Reason::RawForm, Some("Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF")),
        (Network::Ton, &raw[..65], Reason::Unrecognized, None),
        (Network::Sui, &sui.replace("0x", "0X"), Reason::BadPrefix, Some(sui)),
        (Network::Sui, &sui[..65], Reason::BadLength, None),
        (Network::Apt, "0x10", Reason::BadLength, None),
    ] {
        let error = Address::parse(network, text).unwrap_err();
        let suggested = error.suggestion().map(Address::to_string);
        assert_eq!((error.reason(), suggested.as_deref()), (expected, suggestion), "{text}");
    }
}

#[test]
fn null_addresses_are_refused_everywhere() {
    for (network, text) in [
        (Network::Btc, "1111111111111111111114oLvT2"),
        (Network::Btc, "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs"),
        (Network::Bch, "bitcoincash:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603"),
        (Network::Eth, "0x0000000000000000000000000000000000000000"),
        (Network::Bsc, "0xdEAD000000000000000042069420694206942069"),
        (Network::Trx, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
        (Network::Xrp, "rrrrrrrrrrrrrrrrrrrrBZbvji"),
        (Network::Xrp, "rrrrrrrrrrrrrrrrrNAMEtxvNvQ"),
        (Network::Xrp, "rrrrrrrrrrrrrrrrrrrn5RM1rHd"),
        (Network::Sol, "1nc1nerator11111111111111111111111111111111"),
        (Network::Atom, "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"),
        (Network::Ton, "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c"),
        (Network::Ton, "Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU"),
        (Network::Ton, "0:0000000000000000000000000000000000000000000000000000000000000000"),
        (Network::Sui, "0x0"),
        (Network::Sui, "0x0000000000000000000000000000000000000000000000000000000000000002"),
        (Network::Apt, "0x1"),
        (Network::Apt, "0xF"),
        (Network::Xlm, "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"),
    ] {
        assert_eq!(reason(network, text), Reason::BurnAddress, "{text}");
    }
}

#[test]
fn every_reason_has_its_own_code_and_sentence() {
    for (at, reason) in Reason::ALL.iter().enumerate() {
        let twins = Reason::ALL[at + 1..].iter();
        assert!(
            twins.clone().all(|twin| twin.code() != reason.code() && twin.message() != reason.message()),
            "{reason:?}"
        );
        assert!(
            reason
                .code()
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
        );
    }
}

#[track_caller]
fn reason(network: Network, text: &str) -> Reason {
    Address::parse(network, text).unwrap_err().reason()
}
