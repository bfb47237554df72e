//! Valid checksums over invalid contents.

use crypto_checkout_core::{Address, Network, Reason};

/// Made from the bytes 1, 8, 15 … and 3, 8, 13 …
#[test]
fn of_bitcoin_cash() {
    for (text, expected) in [
        ("bitcoincash:yqqssrckr5jzkv3egpr5u42uvd48z7rlscwfek9svt", Reason::UndefinedType), // type 4
        ("bitcoincash:9qqssrckr5jzkv3egpr5u42uvd48z7rlscevyeznhk", Reason::UndefinedType), // type 5
        ("bitcoincash:0qqssrckr5jzkv3egpr5u42uvd48z7rlscz8fyad0m", Reason::UndefinedType), // type 15
        (
            "bitcoincash:qvpssrgjzuwzzf3txq6n506yf989xkzavfnkcutk0wqgtz50jjveunsnw2n0p",
            Reason::UnsupportedHashSize, // P2PKH of 32 bytes
        ),
        (
            "bitcoincash:zvpssrgjzuwzzf3txq6n506yf989xkzavfnkcutk0wqgtz50jjveupr00njk2",
            Reason::UnsupportedHashSize, // the same, token-aware
        ),
        ("bitcoincash:pypssrgjzuwzzf3txq6n506yf989xkzavfnkcutkvks84wxp", Reason::UnsupportedHashSize), // 24 bytes
        ("bitcoincash:qvqssrckr5jzkv3egpr5u42uvd48z7rlsc3levs04y", Reason::BadLength), // 20 bytes that say 32
        // Another coin's prefix with any content, and one that starts like a payload.
        ("ecash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q", Reason::BadPrefix),
        ("pitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q", Reason::BadPrefix),
        (":qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6", Reason::BadPrefix),
        ("bitcoincash;qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", Reason::Unrecognized),
        // Base58: versions 4, 0x6e, 0x70, 0xc3 and 0xc5 of 20 and of 32 bytes, and other lengths.
        ("2cSsGa6HEG1wwycBk5TNSq71CW5fERFoWp", Reason::BadVersion),
        ("mGGoe5gpVP8pdvPNLYm9r7xPuyPeddzDsy", Reason::BadVersion),
        ("n4x1cJHPuk4aGnfYPPRnpNVyAyuY1KsX1b", Reason::BadVersion),
        ("7Y5VqQXoq87zz6WbQVZDwg5UZGBoxZybTNoASH7JPoKKb64JozK", Reason::BadVersion),
        ("7bxzBsRsXyUTFjg1DeoDrKH2PVRFFyfM2ewNvaV6P7L6aNzrUcM", Reason::BadVersion),
        ("14ddUHPqxTuyFK3vkVD1irNdb5eARxkb", Reason::BadLength),
        ("12DkP22WwEDX9BwgmzXZ6EL32LSnfPrRjnG", Reason::BadLength),
        ("1JYY3Q2rDemSC7iLbydWVRh797AM5x4Li3gteip8UoKFAtAf", Reason::BadLength),
        ("16tnBbZZRn5v6jq1v55tP2n6frWUfg3LGjLXzYM2KU58uSTqvbw", Reason::BadLength),
    ] {
        assert_eq!(Address::parse(Network::Bch, text).unwrap_err().reason(), expected, "{text}");
    }
}

/// Legacy forms of 32-byte scripts start with other letters than those of 20 bytes.
#[test]
fn bitcoin_cash_in_legacy_form() {
    for (old, new) in [
        ("31nUFgPZwSUpmQkGmVngvxNnq1LbyEpz1d", "bitcoincash:pqqssrckr5jzkv3egpr5u42uvd48z7rlschctv7lqe"),
        (
            "Ak4KMFjvHcyNE6bAMdNikALZbBNSmsDwwLi5pQyXJ3dpwRsyun",
            "bitcoincash:pvpssrgjzuwzzf3txq6n506yf989xkzavfnkcutk0wqgtz50jjveu6da6j8hs",
        ),
    ] {
        let error = Address::parse(Network::Bch, old).unwrap_err();
        assert_eq!(error.reason(), Reason::LegacyFormat, "{old}");
        assert_eq!(error.suggestion().unwrap().to_string(), new);
    }
}

#[test]
fn bitcoin_and_litecoin() {
    for network in [Network::Btc, Network::Ltc] {
        for (text, expected) in [
            ("2cSsGa6HEG1wwycBk5TNSq71CW5fERFoWp", Reason::BadVersion),
            ("mGGoe5gpVP8pdvPNLYm9r7xPuyPeddzDsy", Reason::BadVersion),
            ("2MU15LK2JqiXJ9mEjRD5F4n6GQrHpzj6x9X", Reason::BadVersion),
        ] {
            assert_eq!(Address::parse(network, text).unwrap_err().reason(), expected, "{network} {text}");
        }
    }
    for text in ["14ddUHPqxTuyFK3vkVD1irNdb5eARxkb", "12DkP22WwEDX9BwgmzXZ6EL32LSnfPrRjnG"] {
        assert_eq!(Address::parse(Network::Btc, text).unwrap_err().reason(), Reason::BadLength, "{text}");
    }
}
