//! Typing errors in random addresses of every kind.

use std::collections::BTreeMap;

use checkout_oracles::forms;
use checkout_oracles::random::Random;
use crypto_checkout_core::{Address, Network, Options, Warning, validate_with};

/// Addresses of each kind.
const EACH: usize = 8;

/// All keyboard characters, and one other letter.
fn characters() -> impl Iterator<Item = char> + Clone {
    (' '..='~').chain(['é'])
}

/// Every text that differs in one character.
fn changes(text: &str) -> impl Iterator<Item = String> {
    text.char_indices().flat_map(move |(at, old)| {
        let others = characters().filter(move |new| *new != old);
        others.map(move |new| format!("{}{new}{}", &text[..at], &text[at + 1..]))
    })
}

fn is_evm(network: Network) -> bool {
    network.spec().chain_id().is_some()
}

fn is_checked(network: Network) -> bool {
    !is_evm(network) && ![Network::Sol, Network::Sui, Network::Apt].contains(&network)
}

/// All positions, all characters. bech32 and CashAddr checksums detect up to four wrong characters; those of
/// base58 and Stellar miss an error with a probability of 2⁻³² and 2⁻¹⁶.
#[test]
fn every_change_of_one_character_is_refused() {
    let mut random = Random::new(8);
    let mut tried = BTreeMap::new();
    for network in Network::ALL.iter().copied().filter(|network| is_checked(*network)) {
        for (text, parts) in (0..EACH).flat_map(|_| forms::right(network, &mut random)) {
            let address = Address::parse(network, &text).unwrap();
            for changed in changes(&text) {
                let found = Address::parse(network, &changed);
                // TON writes two digits in two ways.
                assert!(found.is_err() || found == Ok(address), "{text} {changed} {found:?}");
            }
            // Without the prefix's colon it is another text of the same account, or no address.
            if let Some((_, bare)) = text.split_once(':') {
                assert_eq!(Address::parse(network, bare), Ok(address));
                assert!(changes(bare).all(|changed| Address::parse(network, &changed).is_err()));
            }
            *tried.entry((network.code(), parts.kind)).or_insert(0) +=
                text.len() * (characters().count() - 1);
        }
    }
    println!("{tried:?}");
    assert!(tried.len() > 18 && tried.values().all(|count| *count > 4_000), "{tried:?}");
}

/// EIP-55 has one checksum bit per letter, and an address has 15 letters on average: according to the
/// standard, 0.0247 % of mistyped addresses pass. Replacing a digit by a digit keeps all letters, so that a
/// few cases match at random.
#[test]
fn eip_55_misses_as_many_errors_as_its_standard_states() {
    let mut random = Random::new(55);
    let strict = Options { refuse_no_checksum: true, ..Options::STRICT };
    let (mut tried, mut passed) = (0_u32, 0_u32);
    for _ in 0..400 {
        let (text, _) = forms::right(Network::Eth, &mut random).swap_remove(0);
        let hexadecimal = |text: &String| text[2..].bytes().all(|digit| digit.is_ascii_hexdigit());
        for changed in changes(&text).filter(|text| text.starts_with("0x") && hexadecimal(text)) {
            tried += 1;
            passed += u32::from(Address::parse_with(Network::Eth, &changed, &strict).is_ok());
        }
    }
    println!("{passed} of {tried}");
    // 0.0247 %, within a factor of two.
    assert!(tried > 300_000 && passed > tried / 8_100 && passed < tried / 2_025, "{passed} of {tried}");
}

/// In one letter case it passes with the warning.
#[test]
fn an_evm_address_without_a_checksum_has_a_warning() {
    let mut random = Random::new(56);
    for _ in 0..400 {
        let made = forms::right(Network::Bsc, &mut random);
        for (text, parts) in &made[1..] {
            let verdict = validate_with("ETH", "BSC", text, None, &Options::STRICT);
            // Digits have no case, and a single letter may match by chance.
            let right = *text == made[0].0;
            assert_eq!(verdict.warnings.contains(&Warning::NoChecksum), !right, "{text}");
            assert_eq!(verdict.normalized.as_ref(), Some(&made[0].0), "{parts:?}");
        }
    }
}
