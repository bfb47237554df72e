//! The published vectors.

use crypto_checkout_core::pair::PAIRS;
use crypto_checkout_core::{Address, Network, Options, Reason, Table, validate_with};
use serde::Deserialize;

use crate::support::{Case, addresses, lines, path, rows};

/// Our name of a vector's kind, and whether the network uses it.
fn kind(name: &str) -> &'static str {
    match name {
        "p2pkh" => "p2pkh",
        "p2sh" => "p2sh",
        "p2wpkh" => "p2wpkh",
        "p2wsh" => "p2wsh",
        "p2tr" => "p2tr",
        "p2sh32" => "p2sh32",
        "account" | "evm-eip55" | "evm-lower" | "trx" | "G" => "account",
        "non_bounceable" => "non_bounceable",
        "classic" => "classic",
        "x-tag" | "x-notag" => "x_address",
        "M" => "muxed",
        "shelley" => "shelley",
        "byron" => "byron",
        "subaddress" => "subaddress",
        "integrated" => "integrated",
        "unified" => "unified",
        "sapling" => "sapling",
        "tex" => "tex",
        other => panic!("a kind that is not known here: {other}"),
    }
}

#[track_caller]
fn check(case: &Case) {
    let verdict = case.validate();
    assert_eq!(verdict.valid, case.valid, "{case:?} {verdict:?}");
    assert!(verdict.supported, "{case:?}");
    assert_eq!(verdict.valid, verdict.reason.is_none(), "{case:?} {verdict:?}");
    assert_eq!(verdict.valid, verdict.normalized.is_some(), "{case:?}");
    assert!(verdict.reason == Some(Reason::Secret) || !case.secret, "{case:?} {verdict:?}");
    assert!(verdict.reason != Some(Reason::Secret) || is_secret(case), "{case:?} {verdict:?}");
    assert_eq!(
        verdict.reason == Some(Reason::TestNetwork),
        case.test_network.is_some(),
        "{case:?} {verdict:?}"
    );

    if let (true, Some(name)) = (case.valid, &case.kind) {
        assert_eq!(verdict.kind.unwrap().code(), kind(name), "{case:?}");
    }
    if let Some(classic) = &case.x_classic {
        assert_eq!(verdict.normalized.as_ref(), Some(classic), "{case:?}");
        assert_eq!(verdict.destination_tag, case.x_tag.map(|tag| tag.to_string()), "{case:?}");
    }
    if let Some(id) = &case.muxed_id {
        assert_eq!(verdict.destination_tag.as_ref(), Some(id), "{case:?}");
    }
    if let Some(normalized) = &verdict.normalized {
        check_normal_form(case, normalized, verdict.destination_tag.as_deref());
    }
}

/// The normal form is accepted and is its own normal form.
#[track_caller]
fn check_normal_form(case: &Case, normalized: &str, tag: Option<&str>) {
    let again = validate_as(case, normalized, tag);
    assert!(again.valid, "{case:?} {again:?}");
    assert_eq!(again.normalized.as_deref(), Some(normalized), "{case:?}");
    assert_eq!(again.destination_tag.as_deref(), tag, "{case:?}");
}

fn validate_as(case: &Case, address: &str, tag: Option<&str>) -> crypto_checkout_core::Verdict {
    validate_with(&case.currency, &case.network, address, tag, &case.options())
}

/// The vectors mark the valid keys. Of the others, a bare 32-byte key looks like a transaction id, and some
/// have the shape of a key with a wrong version or checksum.
fn is_secret(case: &Case) -> bool {
    // Also after a colon, as in a link.
    let digits = case.address.rsplit(':').next().unwrap();
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    let bare_key = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let wif = matches!(case.address.len(), 51 | 52) && case.why.ends_with("key_io invalid");
    let seed = case.address.len() == 56 && case.address.starts_with('S');
    case.secret || bare_key || wif || seed
}

#[test]
fn every_address_vector_gets_its_verdict() {
    for network in Network::ALL {
        addresses(*network).iter().for_each(check);
    }
}

#[test]
fn every_network_has_vectors_of_both_verdicts() {
    for row in rows() {
        let cases = addresses(row.network);
        for valid in [true, false] {
            let count = cases.iter().filter(|case| case.valid == valid).count();
            assert!(count >= 20, "{}: {count} vectors with valid = {valid}", row.code());
        }
        assert!(cases.iter().all(|case| case.network() == row.network), "{}: a foreign vector", row.code());
    }
}

#[test]
fn every_vector_file_is_of_a_network() {
    let files = std::fs::read_dir(path("addresses")).unwrap();
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        let code = name.strip_suffix(".jsonl").unwrap().to_ascii_uppercase();
        assert!(code.parse::<Network>().is_ok(), "{name}");
    }
}

#[test]
fn test_networks_pass_when_asked_for() {
    let options = Options { allow_test_networks: true, ..Options::STRICT };
    for case in Network::ALL.iter().flat_map(|network| addresses(*network)) {
        let Some(test_network) = &case.test_network else { continue };
        let kind_name = case.kind.as_deref().unwrap();
        match Address::parse_with(case.network(), &case.address, &options) {
            Ok(address) => {
                assert_eq!(address.kind().code(), kind(kind_name), "{case:?}");
                // All test networks share base58 versions and X-addresses.
                let expected = if test_network == "test" { "testnet" } else { "regtest" };
                assert_eq!(address.test_network().unwrap().code(), expected, "{case:?}");
            }
            Err(error) => {
                assert!(kind_name.contains("legacy"), "{case:?} {error:?}");
                let suggestion = error.suggestion().expect("the form of today");
                assert!(suggestion.test_network().is_some(), "{case:?}");
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct PairCase {
    currency: String,
    network: String,
    supported: bool,
}

#[test]
fn the_table_of_the_interface_has_its_pairs_alone() {
    let options = Options { table: Table::Interface, ..Options::STRICT };
    for case in lines::<PairCase>("pairs.jsonl") {
        let verdict = validate_with(&case.currency, &case.network, "", None, &options);
        assert_eq!(verdict.supported, case.supported, "{case:?}");
        assert!(!verdict.valid, "{case:?}");
        if !verdict.supported {
            let json = serde_json::to_string(&verdict).unwrap();
            assert_eq!(json, r#"{"valid":false,"supported":false}"#, "{case:?}");
        }
    }
}

#[test]
fn every_pair_of_the_table_is_published() {
    let cases = lines::<PairCase>("pairs.jsonl");
    for row in PAIRS {
        let (currency, network) = (row.currency.code(), row.network.code());
        let published = cases.iter().any(|case| {
            case.supported && (case.currency.as_str(), case.network.as_str()) == (currency, network)
        });
        assert!(published, "{currency} on {network}");
    }
}

#[derive(Debug, Deserialize)]
struct ErrorCase {
    string: String,
    locations: Vec<usize>,
}

/// Bitcoin Core's vectors for addresses of Bitcoin and its test networks.
#[test]
fn typing_errors_are_located() {
    let options = Options { allow_test_networks: true, ..Options::STRICT };
    let mut checked = 0;
    for case in lines::<ErrorCase>("error_locations.jsonl") {
        let lower = case.string.to_ascii_lowercase();
        if ["mm1", "au1", "test1", "abcdef1", "a1", "10a"].iter().any(|start| lower.starts_with(start)) {
            continue;
        }
        let verdict = validate_with("BTC", "BTC", &case.string, None, &options);
        // If a character is outside the alphabet, Core looks for no other error.
        assert_eq!(verdict.positions, case.locations, "{case:?} {verdict:?}");
        checked += 1;
    }
    assert!(checked >= 15, "{checked}");
}
