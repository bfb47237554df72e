use checkout_oracles::forms;
use crypto_checkout_core::address::Kind;
use crypto_checkout_core::{Address, AddressError, Network, Options, Reason, Table};

use crate::seeds;
use crate::text::{PLAIN, text};

/// The first two bytes hold the [options], the rest is the [text](crate::text).
pub(crate) fn run(network: Network, data: &[u8]) {
    let Some((flags, rest)) = data.split_first_chunk::<2>() else { return };
    let text = text(rest);
    let options = options(u16::from_le_bytes(*flags));
    let result = Address::parse_with(network, &text, &options);
    assert_eq!(Address::parse_with(network, &text, &options), result, "parsing is deterministic");
    match &result {
        Ok(address) => accepted(network, &options, address),
        Err(error) => refused(network, &options, &text, error),
    }
    // A text accepted by the strict rules is accepted by any options, unless they refuse more.
    let refuses_more =
        options.refuse_future_witness || options.refuse_no_checksum || options.refuse_tag_inside;
    if let Ok(address) = Address::parse(network, &text)
        && !refuses_more
    {
        assert_eq!(result, Ok(address));
    }
}

/// One bit per option.
pub(crate) fn options(flags: u16) -> Options {
    let bit = |at: u32| flags >> at & 1 == 1;
    Options {
        allow_test_networks: bit(0),
        allow_legacy_bch: bit(1),
        allow_legacy_ltc: bit(2),
        allow_mweb: bit(3),
        allow_pay_to_anchor: bit(4),
        allow_contracts: bit(5),
        allow_burn_addresses: bit(6),
        allow_missing_0x: bit(7),
        allow_icap: bit(8),
        allow_tron_hex: bit(9),
        allow_surrounding_blanks: bit(10),
        refuse_future_witness: bit(11),
        refuse_no_checksum: bit(12),
        refuse_tag_inside: bit(13),
        memo_type: None,
        table: Table::All,
    }
}

/// Everything is allowed.
pub(crate) const LAX: u16 = 0x7ff;

fn accepted(network: Network, options: &Options, address: &Address) {
    let parse = |text: &str| Address::parse_with(network, text, options).expect("what is printed parses");
    let printed = address.to_string();
    assert_eq!(parse(&printed), *address);
    assert_eq!(parse(&printed).to_string(), printed);
    assert_eq!(address.network(), network);
    assert!((2..=106).contains(&address.payload().len()));
    let account = address.account();
    assert_eq!(account.tag(), None);
    assert_eq!(account.account(), account);
    assert_eq!(parse(&account.to_string()).to_string(), account.to_string());
    // A classic address does not name its network: a test network's address parses as one of the main
    // network.
    if account.kind() != Kind::Classic || account.test_network().is_none() {
        assert_eq!(parse(&account.to_string()), account);
    }
    if let Some(tag) = address.tag() {
        assert_eq!(account.with_tag(tag), Some(*address));
        assert_eq!(address.with_tag(tag), None);
    }
}

pub(crate) fn refused(network: Network, options: &Options, text: &str, error: &AddressError) {
    assert!(error.position().is_none_or(|at| at < text.len()));
    if let Some(suggestion) = error.suggestion() {
        let account = suggestion.account().to_string();
        let again = Address::parse_with(network, &account, options).expect("what is suggested is right");
        assert_eq!(again.to_string(), account, "{error:?}");
    }
    if let Some(other) = error.looks_like() {
        assert_ne!(other, network);
        let blanks = error.reason() == Reason::SurroundingWhitespace || options.allow_surrounding_blanks;
        assert!(Address::parse(other, text).is_ok() || blanks || names_network(text), "{error:?}");
    }
    if error.reason() == Reason::Secret {
        assert_eq!((error.suggestion(), error.looks_like(), error.position()), (None, None, None));
    }
    // A message is one of a fixed list and contains no part of the text.
    let message = error.to_string();
    let rest = message.strip_prefix(error.reason().message()).expect("it starts with the reason's sentence");
    match error.looks_like() {
        None => assert_eq!(rest, ""),
        Some(other) => assert_eq!(rest, format!(" (it looks like a {} address)", other.code())),
    }
}

/// By a scheme or a chain id.
pub(crate) fn names_network(text: &str) -> bool {
    text.contains([':', '@'])
}

pub(crate) fn seeds(network: Network) -> Vec<Vec<u8>> {
    let strict = seeds::addresses(network).into_iter().map(|text| seeds::after(&[0, 0, PLAIN], &text));
    let [low, high] = LAX.to_le_bytes();
    let lax = seeds::addresses(network).into_iter().map(|text| seeds::after(&[low, high, PLAIN], &text));
    // The output of every encoding for a version and a hash.
    let encoded = (1..=10).flat_map(|how| {
        [0x00, 0x05, 0x30, 0x41].map(|version| [&[low, 0, how, version][..], &[0x5a; 20]].concat())
    });
    // All-zero accounts, in every network's form and in the forms that only get a suggestion.
    let zeros = Network::ALL.iter().flat_map(|network| forms::zeros(*network));
    let zeros = zeros.chain(["", "0x", "0X", "41"].map(|head| format!("{head}{}", "0".repeat(40))));
    let zeros = zeros.map(|text| seeds::after(&[0, 0, PLAIN], &text));
    strict.chain(lax).chain(encoded).chain(zeros).collect()
}
