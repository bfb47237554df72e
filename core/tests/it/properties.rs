//! Properties that hold for every text.

use crypto_checkout_core::{Address, Network, Options, Reason, Warning, validate, validate_with};
use proptest::prelude::*;

use crate::support::{Case, addresses, lines};

/// Every acceptable address of the vectors, with its network.
fn acceptable() -> Vec<(Network, String)> {
    let published =
        Network::ALL.iter().flat_map(|network| addresses(*network)).chain(lines::<Case>("policy.jsonl"));
    let valid = published.filter(|case| case.valid);
    valid.map(|case| (case.network(), case.address)).collect()
}

fn networks() -> impl Strategy<Value = Network> {
    prop::sample::select(Network::ALL)
}

/// Characters of addresses, to get past the first check.
const ALPHABETS: [&str; 6] = [
    "[1-9A-HJ-NP-Za-km-z]",
    "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]",
    "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]",
    "[A-Z2-7]",
    "[0-9a-f]",
    "[0-9A-Fa-f]",
];

const STARTS: [&str; 24] = [
    "",
    "1",
    "3",
    "bc1q",
    "bc1p",
    "BC1P",
    "tb1",
    "L",
    "M",
    "ltc1q",
    "ltcmweb1",
    "bitcoincash:",
    "bitcoincash:q",
    "bchtest:p",
    "q",
    "0x",
    "0X",
    "XE",
    "T",
    "41",
    "r",
    "X",
    "G",
    "s",
];

fn address_like() -> impl Strategy<Value = String> {
    let alphabet = prop::sample::select(ALPHABETS.to_vec());
    (prop::sample::select(STARTS.to_vec()), alphabet, 0_usize..120).prop_flat_map(
        |(start, alphabet, length)| {
            let pattern = format!("{alphabet}{{{length}}}");
            prop::string::string_regex(&pattern).unwrap().prop_map(move |rest| format!("{start}{rest}"))
        },
    )
}

#[test]
fn print_then_parse_is_the_identity_for_the_vectors() {
    for (network, text) in acceptable() {
        let address = Address::parse(network, &text).unwrap();
        let printed = address.to_string();
        assert_eq!(Address::parse(network, &printed), Ok(address), "{text}");
        let account = address.account();
        assert_eq!(Address::parse(network, &account.to_string()), Ok(account), "{text}");
        assert_eq!(account.account(), account, "{text}");
    }
}

const CHARACTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:?é";

/// Every third replacement character at every position, starting with a different one each time.
fn changes(text: &str) -> impl Iterator<Item = String> {
    text.char_indices().flat_map(move |(at, old)| {
        let others = CHARACTERS.chars().skip(at % 3).step_by(3).filter(move |new| *new != old);
        others.map(move |new| format!("{}{new}{}", &text[..at], &text[at + 1..]))
    })
}

fn is_checked(network: Network, text: &str) -> bool {
    !validate(currency(network), network.code(), text, None).warnings.contains(&Warning::NoChecksum)
}

/// … or the address has the warning that typing errors are not detected.
#[test]
fn every_change_of_one_character_is_refused() {
    let (mut tried, mut undetected) = (0, 0);
    for (network, text) in acceptable().into_iter().filter(|(network, _)| !is_evm(*network)) {
        let (address, is_checked) = (Address::parse(network, &text).unwrap(), is_checked(network, &text));
        for changed in changes(&text) {
            // A bech32 text with one letter may have it in either case.
            if Address::parse(network, &changed).is_ok_and(|found| found != address) {
                assert!(!is_checked, "{text} {changed}");
                undetected += 1;
            }
            tried += 1;
        }
    }
    assert!(tried > 150_000 && undetected > 10_000, "{undetected} of {tried}");
}

/// EIP-55 has one checksum bit per letter: an address with few letters lets some typing errors pass (0.0247 %
/// on average, according to the standard).
#[test]
fn almost_every_change_of_one_character_is_refused_by_eip_55() {
    let (mut tried, mut passed) = (0, 0);
    for (network, text) in acceptable().into_iter().filter(|(network, _)| is_evm(*network)) {
        if !is_checked(network, &text) {
            continue;
        }
        for changed in changes(&text) {
            let verdict = validate(currency(network), network.code(), &changed, None);
            tried += 1;
            passed += u32::from(verdict.valid && !verdict.warnings.contains(&Warning::NoChecksum));
        }
    }
    assert!(tried > 40_000, "{tried}");
    assert!(passed < tried / 1000, "{passed} of {tried}");
}

fn is_evm(network: Network) -> bool {
    network.spec().chain_id().is_some()
}

fn currency(network: Network) -> &'static str {
    network.spec().pairs[0].currency.code()
}

#[test]
fn every_shortening_lengthening_and_swap_is_refused() {
    for (network, text) in acceptable() {
        let (address, is_checked) = (Address::parse(network, &text).unwrap(), is_checked(network, &text));
        for at in 0..text.len() {
            let shorter = format!("{}{}", &text[..at], &text[at + 1..]);
            let longer = format!("{}{}{}", &text[..at], &text[at..=at], &text[at..]);
            let mut swapped = text.clone().into_bytes();
            swapped.swap(at, (at + 1) % text.len());
            for changed in [shorter, longer, String::from_utf8(swapped).unwrap()] {
                if changed != text && !changed.eq_ignore_ascii_case(&text) {
                    let found = Address::parse(network, &changed);
                    // Without a checksum, a swap gives another valid address; hence the warning.
                    let unchecked = is_evm(network) || !is_checked;
                    assert!(found.is_err() || unchecked || found == Ok(address), "{text} {changed}");
                }
            }
        }
    }
}

/// One or two characters of bech32, bech32m and CashAddr texts are changed; exactly their positions are
/// reported.
#[test]
fn one_and_two_wrong_characters_are_located() {
    const SYMBOLS: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let mut located = 0;
    for (network, text) in acceptable() {
        let address = Address::parse(network, &text).unwrap();
        let start = match network {
            Network::Btc | Network::Ltc if address.witness_version().is_some() => {
                text.rfind('1').unwrap() + 1
            }
            Network::Atom => "cosmos1".len(),
            Network::Bch => text.find(':').map_or(0, |at| at + 1),
            _ => continue,
        };
        let places: Vec<usize> = (start + 1..text.len()).collect();
        let upper = text[start..].bytes().any(|byte| byte.is_ascii_uppercase());
        let change = |changed: &mut Vec<u8>, at: usize, by: usize| {
            let old = SYMBOLS.iter().position(|symbol| *symbol == changed[at].to_ascii_lowercase()).unwrap();
            let new = SYMBOLS[old ^ by];
            changed[at] = if upper { new.to_ascii_uppercase() } else { new };
        };
        for (index, first) in places.iter().enumerate() {
            // Every position alone, and together with one other.
            let second = places[(index * 7 + 3) % places.len()];
            for second in [None, Some(second).filter(|second| second != first)] {
                let mut changed = text.clone().into_bytes();
                change(&mut changed, *first, index % 31 + 1);
                let mut expected = vec![*first];
                if let Some(second) = second {
                    change(&mut changed, second, index * 3 % 31 + 1);
                    expected.push(second);
                }
                expected.sort_unstable();
                let changed = String::from_utf8(changed).unwrap();
                let verdict = validate(network.code(), network.code(), &changed, None);
                assert_eq!(verdict.positions, expected, "{text} {changed} {verdict:?}");
                located += 1;
            }
        }
    }
    assert!(located > 5_000, "{located}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn no_text_panics(network in networks(), text in prop_oneof![".*", address_like()]) {
        let options = Options { allow_test_networks: true, ..Options::STRICT };
        let strict = Address::parse(network, &text);
        let relaxed = Address::parse_with(network, &text, &options);
        if let Ok(address) = strict {
            prop_assert_eq!(relaxed, Ok(address));
            prop_assert_eq!(Address::parse(network, &address.to_string()), Ok(address));
        }
    }

    #[test]
    fn a_verdict_is_valid_or_has_a_reason(network in networks(), text in address_like(), tag in ".*") {
        let verdict = validate_with(currency(network), network.code(), &text, Some(&tag), &Options::STRICT);
        prop_assert!(verdict.supported);
        prop_assert_eq!(verdict.valid, verdict.reason.is_none());
        prop_assert_eq!(verdict.valid, verdict.normalized.is_some());
        let last = text.chars().count();
        prop_assert!(verdict.positions.iter().all(|at| *at < last));
    }

    #[test]
    fn any_hash_prints_and_parses(hash: [u8; 32], tag: u32) {
        for (network, text) in [
            (Network::Eth, format!("0x{}", hex::encode(&hash[..20]))),
            (Network::Bsc, format!("0x{}", hex::encode(&hash[..20]))),
        ] {
            let address = Address::parse(network, &text).unwrap();
            let printed = address.to_string();
            prop_assert!(printed.eq_ignore_ascii_case(&text));
            prop_assert_eq!(Address::parse(network, &printed), Ok(address));
            let hex_form = Address::parse(Network::Trx, &text.replacen("0x", "41", 1)).unwrap_err();
            prop_assert_eq!(hex_form.reason(), Reason::HexForm);
            let tron = *hex_form.suggestion().unwrap();
            prop_assert_eq!(Address::parse(Network::Trx, &tron.to_string()), Ok(tron));
            prop_assert_eq!(tron.payload(), &hash[..20]);
        }
        let classic = Address::parse(Network::Xrp, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY").unwrap();
        let tagged = classic.with_tag(u64::from(tag)).unwrap();
        prop_assert_eq!(Address::parse(Network::Xrp, &tagged.to_string()), Ok(tagged));
    }
}
