//! Every option, on and off, over the vectors of disputed forms and all others.

use crypto_checkout_core::address::Kind;
use crypto_checkout_core::{Address, MemoType, Network, Options, Reason, Table, Warning, validate_with};

use crate::support::{Case, addresses, lines};

const STRICT: Options = Options::STRICT;

/// Each option, alone.
pub(crate) const ALONE: [(&str, Options); 14] = [
    ("allow_test_networks", Options { allow_test_networks: true, ..STRICT }),
    ("allow_legacy_bch", Options { allow_legacy_bch: true, ..STRICT }),
    ("allow_legacy_ltc", Options { allow_legacy_ltc: true, ..STRICT }),
    ("allow_mweb", Options { allow_mweb: true, ..STRICT }),
    ("allow_pay_to_anchor", Options { allow_pay_to_anchor: true, ..STRICT }),
    ("allow_contracts", Options { allow_contracts: true, ..STRICT }),
    ("allow_burn_addresses", Options { allow_burn_addresses: true, ..STRICT }),
    ("allow_missing_0x", Options { allow_missing_0x: true, ..STRICT }),
    ("allow_icap", Options { allow_icap: true, ..STRICT }),
    ("allow_tron_hex", Options { allow_tron_hex: true, ..STRICT }),
    ("allow_surrounding_blanks", Options { allow_surrounding_blanks: true, ..STRICT }),
    ("refuse_future_witness", Options { refuse_future_witness: true, ..STRICT }),
    ("refuse_no_checksum", Options { refuse_no_checksum: true, ..STRICT }),
    ("refuse_tag_inside", Options { refuse_tag_inside: true, ..STRICT }),
];

/// Whether an option affects this reason: a refused text is accepted, or the other way round.
fn changes(option: &str, reason: Reason) -> bool {
    match option {
        "allow_test_networks" => reason == Reason::TestNetwork,
        "allow_legacy_bch" => reason == Reason::LegacyFormat,
        "allow_legacy_ltc" => reason == Reason::LegacyPrefix,
        "allow_mweb" => reason == Reason::MwebUnsupported,
        "allow_pay_to_anchor" => reason == Reason::AnyoneCanSpend,
        "allow_contracts" => reason == Reason::ContractAddress,
        "allow_burn_addresses" => reason == Reason::BurnAddress,
        "allow_missing_0x" => matches!(reason, Reason::Missing0x | Reason::BadPrefix),
        "allow_icap" => reason == Reason::IcapForm,
        "allow_tron_hex" => reason == Reason::HexForm,
        "allow_surrounding_blanks" => reason == Reason::SurroundingWhitespace,
        "refuse_future_witness" => reason == Reason::FutureWitnessVersion,
        "refuse_no_checksum" => reason == Reason::NoChecksum,
        "refuse_tag_inside" => reason == Reason::TagInside,
        other => panic!("an option without a reason: {other}"),
    }
}

fn every_case() -> Vec<Case> {
    Network::ALL.iter().flat_map(|network| addresses(*network)).chain(lines("policy.jsonl")).collect()
}

/// An option affects only texts with its own reason, and at least one.
#[test]
fn an_option_affects_only_its_own_reason() {
    let cases = every_case();
    for (name, options) in ALONE {
        let mut changed = 0;
        for case in &cases {
            let with = |options: Options| {
                let options = Options { memo_type: case.options().memo_type, ..options };
                let tag = case.destination_tag.as_deref();
                validate_with(&case.currency, &case.network, &case.address, tag, &options)
            };
            let (strict, relaxed) = (with(STRICT), with(options));
            if strict.valid == relaxed.valid {
                continue;
            }
            let reason = if name.starts_with("allow") { strict.reason } else { relaxed.reason };
            assert!(
                reason.is_some_and(|reason| changes(name, reason)),
                "{name} {case:?} {strict:?} {relaxed:?}"
            );
            changed += 1;
        }
        assert!(changed > 0, "{name} changes nothing");
    }
}

/// Accepted with this normal form; refused without the option for this reason.
#[track_caller]
fn check(network: Network, text: &str, options: Options, normal: &str, kind: Kind, reason: Reason) {
    let with = |options| validate_with(currency(network), network.code(), text, None, options);
    let strict = with(&STRICT);
    assert_eq!((strict.valid, strict.reason), (false, Some(reason)), "{text} {strict:?}");
    let relaxed = with(&options);
    assert_eq!(relaxed.normalized.as_deref(), Some(normal), "{text} {relaxed:?}");
    assert_eq!((relaxed.valid, relaxed.kind), (true, Some(kind)), "{text}");
    let address = Address::parse_with(network, text, &options).unwrap();
    assert_eq!((address.to_string().as_str(), address.kind()), (normal, kind), "{text}");
}

fn currency(network: Network) -> &'static str {
    network.spec().pairs[0].currency.code()
}

const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CASHADDR: &str = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
const MWEB: &str = "ltcmweb1qq0yq03ewm830ugmkkvrvjmyyeslcpwk8ayd7k27qx63sryy6kx3ksqm3k6jd24ld3r5dp5lzx7rm7uyxfujf8sn7v4nlxeqwrcq6k6xxwqdc6tl3";

#[test]
fn an_allowed_form_is_written_in_its_normal_form() {
    use Network::{Bch, Bsc, Btc, Eth, Ltc, Trx, Xlm, Xrp};
    let legacy_bch = Options { allow_legacy_bch: true, ..STRICT };
    check(Bch, "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", legacy_bch, CASHADDR, Kind::P2pkh, Reason::LegacyFormat);
    check(
        Ltc,
        "3NJZLcZEEYBpxYEUGewU4knsQRn1WM5Fkt",
        Options { allow_legacy_ltc: true, ..STRICT },
        "MUWheVyCBf3Fm3WNNXvotQ3Gj8NTSZCBVe",
        Kind::P2sh,
        Reason::LegacyPrefix,
    );
    let mweb = Options { allow_mweb: true, ..STRICT };
    check(Ltc, MWEB, mweb, MWEB, Kind::Mweb, Reason::MwebUnsupported);
    check(Ltc, &MWEB.to_ascii_uppercase(), mweb, MWEB, Kind::Mweb, Reason::MwebUnsupported);
    let anchor = Options { allow_pay_to_anchor: true, ..STRICT };
    check(Btc, "bc1pfeessrawgf", anchor, "bc1pfeessrawgf", Kind::P2a, Reason::AnyoneCanSpend);
    let contract = "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA";
    let contracts = Options { allow_contracts: true, ..STRICT };
    check(Xlm, contract, contracts, contract, Kind::Contract, Reason::ContractAddress);
    let no_0x = Options { allow_missing_0x: true, ..STRICT };
    check(Eth, &EVM[2..], no_0x, EVM, Kind::Account, Reason::Missing0x);
    check(Bsc, &EVM[2..].to_ascii_lowercase(), no_0x, EVM, Kind::Account, Reason::Missing0x);
    check(Eth, &EVM.replacen('x', "X", 1), no_0x, EVM, Kind::Account, Reason::BadPrefix);
    check(
        Eth,
        "XE95TWJ4YIDKW7A8PN4G709KZMFOAOL3X8F",
        Options { allow_icap: true, ..STRICT },
        "0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF",
        Kind::Account,
        Reason::IcapForm,
    );
    let hex = Options { allow_tron_hex: true, ..STRICT };
    for text in ["4165cfbd57fa4f20687b2c33f84c4f9017e5895d49", "0x4165CFBD57FA4F20687B2C33F84C4F9017E5895D49"]
    {
        check(Trx, text, hex, "TKFY7SErikT5cfs762ivMwwYBM1eGxFV6B", Kind::Account, Reason::HexForm);
    }
    let burn = Options { allow_burn_addresses: true, ..STRICT };
    check(
        Xrp,
        "rrrrrrrrrrrrrrrrrrrrBZbvji",
        burn,
        "rrrrrrrrrrrrrrrrrrrrBZbvji",
        Kind::Classic,
        Reason::BurnAddress,
    );
    let blanks = Options { allow_surrounding_blanks: true, ..STRICT };
    for text in [format!(" {EVM}"), format!("\u{feff}{EVM}\r\n"), format!("{EVM}\t")] {
        check(Eth, &text, blanks, EVM, Kind::Account, Reason::SurroundingWhitespace);
    }
}

#[test]
fn refuse_no_checksum_requires_mixed_case() {
    let options = Options { refuse_no_checksum: true, allow_missing_0x: true, ..STRICT };
    let verdict = |text: &str| {
        let verdict = validate_with("ETH", "ETH", text, None, &options);
        assert_eq!(verdict.looks_like, None, "{text}");
        (verdict.reason, verdict.suggestion, verdict.warnings)
    };
    let (small, capital) = (EVM.to_ascii_lowercase(), EVM.to_ascii_uppercase().replacen('X', "x", 1));
    for text in [&small, &capital, &small[2..]] {
        assert_eq!(verdict(text), (Some(Reason::NoChecksum), None, vec![]), "{text}");
    }
    // Digits have no case, and EIP-55 has valid texts in one case.
    for text in [
        EVM,
        &EVM[2..],
        "0x1234567890123456789012345678901234567890",
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0xde709f2102306220921060314715629080e2fb77",
    ] {
        assert_eq!(verdict(text), (None, None, vec![]), "{text}");
    }
    let without = validate_with("ETH", "ETH", &small, None, &STRICT);
    assert_eq!((without.valid, without.warnings), (true, vec![Warning::NoChecksum]));
    let without =
        validate_with("ETH", "ETH", &small[2..], None, &Options { allow_missing_0x: true, ..STRICT });
    assert_eq!((without.valid, without.warnings), (true, vec![Warning::NoChecksum]));
}

#[test]
fn refuse_tag_inside_suggests_account_and_tag_separately() {
    let options = Options { refuse_tag_inside: true, ..STRICT };
    let json = |network: Network, text: &str| {
        let verdict = validate_with(network.code(), network.code(), text, None, &options);
        serde_json::to_string(&verdict).unwrap()
    };
    let refused = r#"{"valid":false,"supported":true,"#;
    assert_eq!(
        json(Network::Xrp, "XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC"),
        format!(
            r#"{refused}"destinationTag":"1","reason":"tag_inside","suggestion":"rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf"}}"#
        )
    );
    assert_eq!(
        json(Network::Xrp, "X7YenJqxv3L66CwhBSfd3N8RzGXxYqPopMGMsCcpho79rex"),
        format!(r#"{refused}"reason":"tag_inside","suggestion":"rpZc4mVfWUif9CRoHRKKcmhu1nx2xktxBo"}}"#)
    );
    assert_eq!(
        json(Network::Xlm, "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAGZFQ"),
        format!(
            r#"{refused}"destinationTag":"1","memoType":"id","reason":"tag_inside","suggestion":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"}}"#
        )
    );
    // A suggestion for a link is accepted under the same options.
    assert_eq!(
        json(Network::Xrp, "rKM5oQ2NdaS3o8ran4PKsESnhfxzfUqCJm?dt=33722"),
        format!(
            r#"{refused}"destinationTag":"33722","reason":"uri_like","suggestion":"rKM5oQ2NdaS3o8ran4PKsESnhfxzfUqCJm"}}"#
        )
    );
}

#[test]
fn an_allowed_form_must_pass_every_other_rule() {
    let all = Options { allow_legacy_bch: true, allow_legacy_ltc: true, allow_tron_hex: true, ..STRICT };
    let all = Options { allow_missing_0x: true, allow_icap: true, allow_surrounding_blanks: true, ..all };
    let reason = |network: Network, text: &str| {
        validate_with(currency(network), network.code(), text, None, &all).reason
    };
    for (network, text, expected) in [
        // On a test network, a burn address, mistyped.
        (Network::Bch, "mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r", Reason::TestNetwork),
        (Network::Bch, "1111111111111111111114oLvT2", Reason::BurnAddress),
        (Network::Bch, "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggv", Reason::BadChecksum),
        (Network::Trx, "410000000000000000000000000000000000000000", Reason::BurnAddress),
        (Network::Eth, "0000000000000000000000000000000000000000", Reason::BurnAddress),
        (Network::Eth, "5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Reason::BadChecksum),
        (Network::Eth, " ", Reason::Empty),
        (Network::Eth, " 5KcrFZvJ2p4dM6QVUPu53cKXcCfozA1PJLHm1mNAxkDYhgThLu4 ", Reason::Secret),
    ] {
        assert_eq!(reason(network, text), Some(expected), "{text}");
    }
    // Without the options, a burn address is not suggested either.
    for text in ["1111111111111111111114oLvT2", "410000000000000000000000000000000000000000"] {
        let network = if text.starts_with('4') { Network::Trx } else { Network::Bch };
        let error = Address::parse(network, text).unwrap_err();
        assert_eq!((error.reason(), error.suggestion()), (Reason::BurnAddress, None));
    }
}

#[test]
fn errors_after_skipped_blanks_have_the_right_position() {
    let options = Options { allow_surrounding_blanks: true, ..STRICT };
    let positions = |text: &str| validate_with("BTC", "BTC", text, None, &options).positions;
    assert_eq!(positions("bc1qw508d6qejxtdg4y5r3zarvarz0c5xw7kv8f3t4"), [28]);
    assert_eq!(positions("  bc1qw508d6qejxtdg4y5r3zarvarz0c5xw7kv8f3t4 "), [30]);
    assert_eq!(positions("\u{feff}bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4!"), [45]);
    let error = Address::parse_with(Network::Btc, "\n bc1qw508d6qejxtdg4y5r3zarvarybc5xw7kv8f3t4", &options);
    assert_eq!(error.unwrap_err().position(), Some(31));
    // Blanks longer than any address are not skipped.
    let hostile = " ".repeat(1_000_000);
    assert_eq!(validate_with("BTC", "BTC", &hostile, None, &options).reason, Some(Reason::TooLong));
}

#[test]
fn mweb_addresses_are_checked_like_all_others() {
    let options = Options { allow_mweb: true, allow_test_networks: true, ..STRICT };
    let reason =
        |text: &str| Address::parse_with(Network::Ltc, text, &options).map_err(|error| error.reason());
    let address = reason(MWEB).unwrap();
    assert_eq!((address.kind(), address.payload().len()), (Kind::Mweb, 66));
    assert!(address.payload().chunks(33).all(|key| matches!(key[0], 2 | 3)));
    assert_eq!(reason(&MWEB.replacen('m', "M", 1)), Err(Reason::MixedCase));
    for (at, _) in MWEB.char_indices().skip("ltcmweb1".len()) {
        let mut changed = MWEB.to_owned().into_bytes();
        changed[at] = if changed[at] == b'q' { b'p' } else { b'q' };
        let changed = String::from_utf8(changed).unwrap();
        assert_eq!(reason(&changed), Err(Reason::BadChecksum), "{changed}");
    }
    assert_eq!(reason(&format!("{MWEB}q")), Err(Reason::BadChecksum));
}

/// With all options that accept more, the normal form that reuses the accepted text equals the formatted one.
#[test]
fn the_normal_form_equals_the_formatted_account() {
    let options =
        Options { allow_test_networks: true, allow_legacy_bch: true, allow_legacy_ltc: true, ..STRICT };
    let options = Options { allow_mweb: true, allow_pay_to_anchor: true, allow_contracts: true, ..options };
    let options = Options { allow_burn_addresses: true, allow_missing_0x: true, allow_icap: true, ..options };
    let options = Options { allow_tron_hex: true, allow_surrounding_blanks: true, ..options };
    let mut accepted = 0;
    for case in every_case() {
        for text in [case.address.clone(), case.address.to_ascii_uppercase(), format!(" {}", case.address)] {
            let verdict = validate_with(&case.currency, &case.network, &text, None, &options);
            let Ok(address) = Address::parse_with(case.network(), &text, &options) else {
                assert!(!verdict.valid, "{text} {verdict:?}");
                continue;
            };
            assert_eq!(verdict.normalized, Some(address.account().to_string()), "{text}");
            assert_eq!(
                Address::parse_with(case.network(), &address.to_string(), &options),
                Ok(address),
                "{text}"
            );
            accepted += 1;
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn options_are_read_by_their_names() {
    let check = |text: &str, expected: Option<Options>| assert_eq!(text.parse().ok(), expected, "{text}");
    check("", Some(Options::STRICT));
    check(
        "allow_mweb,refuse_tag_inside",
        Some(Options { allow_mweb: true, refuse_tag_inside: true, ..Options::STRICT }),
    );
    check(
        "memo_type=id,table=interface",
        Some(Options { memo_type: Some(MemoType::Id), table: Table::Interface, ..Options::STRICT }),
    );
    for text in
        ["allow_all", "allow_mweb=1", "memo_type", "memo_type=return", "table=none", "allow_mweb, allow_icap"]
    {
        check(text, None);
    }
    // `Debug` prints all fields.
    for field in format!("{:?}", Options::STRICT).split(", ").filter_map(|field| field.split_once(": false"))
    {
        let name = field.0.trim_start_matches("Options { ");
        assert_ne!(name.parse(), Ok(Options::STRICT), "{name}");
        assert!(name.parse::<Options>().is_ok(), "{name}");
    }
}
