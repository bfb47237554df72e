//! What typing errors do to addresses of every kind, made at random.

use std::collections::BTreeMap;

use checkout_core::chain::CHAINS;
use checkout_core::{Address, Network, Options, Warning, validate_with};
use checkout_oracles::forms;
use checkout_oracles::random::Random;

/// Addresses of each kind.
const EACH: usize = 8;

/// Everything on a keyboard, and a letter that is not.
fn characters() -> impl Iterator<Item = char> + Clone {
    (' '..='~').chain(['é'])
}

/// Every text in which one character of this one is another.
fn changes(text: &str) -> impl Iterator<Item = String> {
    text.char_indices().flat_map(move |(at, old)| {
        let others = characters().filter(move |new| *new != old);
        others.map(move |new| format!("{}{new}{}", &text[..at], &text[at + 1..]))
    })
}

fn is_evm(network: Network) -> bool {
    matches!(network, Network::Eth | Network::Bsc)
}

/// All places, all characters. The checksums of bech32 and CashAddr are made to find four wrong characters; those of
/// base58 and of Stellar find one but for a chance of 2⁻³² and 2⁻¹⁶.
#[test]
fn every_change_of_one_character_is_refused() {
    let mut random = Random::new(8);
    let mut tried = BTreeMap::new();
    for row in CHAINS.iter().filter(|row| !is_evm(row.network)) {
        for (text, parts) in (0..EACH).flat_map(|_| forms::right(row.network, &mut random)) {
            let address = Address::parse(row.network, &text).unwrap();
            for changed in changes(&text) {
                let found = Address::parse(row.network, &changed);
                assert!(found.is_err(), "{text} {changed} {found:?}");
            }
            // With the prefix's colon gone it is another text of the same account, or none.
            if let Some((_, bare)) = text.split_once(':') {
                assert_eq!(Address::parse(row.network, bare), Ok(address));
                assert!(changes(bare).all(|changed| Address::parse(row.network, &changed).is_err()));
            }
            *tried.entry((row.code(), parts.kind)).or_insert(0) += text.len() * (characters().count() - 1);
        }
    }
    println!("{tried:?}");
    assert!(tried.len() > 18 && tried.values().all(|count| *count > 4_000), "{tried:?}");
}

/// EIP-55 has one bit of checksum a letter, of which an address has 15 on average: the standard says that 0.0247 % of
/// mistyped addresses pass. A wrong digit for a digit keeps all letters, and a few letters match at random.
#[test]
fn the_weakness_of_eip_55_is_what_the_standard_says() {
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
    // 0.0247 % of them, by a factor of two.
    assert!(tried > 300_000 && passed > tried / 8_100 && passed < tried / 2_025, "{passed} of {tried}");
}

/// Changed to one letter case it passes, with the warning.
#[test]
fn an_evm_address_that_lost_its_checksum_says_so() {
    let mut random = Random::new(56);
    for _ in 0..400 {
        let made = forms::right(Network::Bsc, &mut random);
        for (text, parts) in &made[1..] {
            let verdict = validate_with("ETH", "BSC", text, None, &Options::STRICT);
            // Digits alone have no case, and one letter may have the right one.
            let right = *text == made[0].0;
            assert_eq!(verdict.warnings.contains(&Warning::NoChecksum), !right, "{text}");
            assert_eq!(verdict.normalized.as_ref(), Some(&made[0].0), "{parts:?}");
        }
    }
}
