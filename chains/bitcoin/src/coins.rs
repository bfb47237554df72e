//! Addresses and amounts as servers write them.

use checkout_core::address::{Address, Kind};
use checkout_core::{Amount, Network};
use checkout_domain::chain::environment::ANY_NETWORK;

use crate::settings::DECIMALS;

/// An address in the core's normal form.
pub(crate) fn normal_form(network: Network, text: &str) -> Option<String> {
    Address::parse_with(network, text, &ANY_NETWORK).ok().map(|address| address.to_string())
}

/// The script that pays an address, in hexadecimal digits. An output of CashTokens has it behind a prefix, which the node takes away.
pub(crate) fn script(network: Network, text: &str) -> Option<String> {
    let address = Address::parse_with(network, text, &ANY_NETWORK).ok()?;
    let payload = hex::encode(address.payload());
    let length = address.payload().len();
    Some(match (address.kind(), address.witness_version()) {
        (_, Some(0)) => format!("00{length:02x}{payload}"),
        (_, Some(version)) => format!("{:02x}{length:02x}{payload}", 0x50 + version),
        (Kind::P2pkh, None) => format!("76a914{payload}88ac"),
        (Kind::P2sh, None) => format!("a914{payload}87"),
        _ => return None,
    })
}

/// Whether an output with this script pays an address. A script that is not told passes.
pub(crate) fn is_paid_by(network: Network, address: &str, hex: &str) -> bool {
    hex.is_empty() || script(network, address).is_none_or(|script| script.eq_ignore_ascii_case(hex))
}

/// Also of a number with an exponent, as some proxies write small ones.
pub(crate) fn amount(text: &str) -> Option<Amount> {
    match text.split_once(['e', 'E']) {
        None => Amount::parse(text, DECIMALS).ok(),
        Some((digits, exponent)) => Amount::parse(&without_exponent(digits, exponent)?, DECIMALS).ok(),
    }
}

fn without_exponent(digits: &str, exponent: &str) -> Option<String> {
    const MOST: i32 = 20;
    let exponent: i32 = exponent.parse().ok().filter(|exponent| (-MOST..=MOST).contains(exponent))?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = "0".repeat(MOST.unsigned_abs() as usize);
    let all = format!("{zeros}{whole}{fraction}{zeros}");
    let point = i32::try_from(zeros.len() + whole.len()).ok()? + exponent;
    let (whole, fraction) = all.split_at_checked(usize::try_from(point).ok()?)?;
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_script() {
        let check = |network, address, expected: &str| {
            assert_eq!(script(network, address).as_deref(), Some(expected), "{address}");
        };
        let hash = "76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac";
        check(Network::Btc, "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", hash);
        check(Network::Bch, "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", hash);
        check(
            Network::Btc,
            "3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC",
            "a91476a04053bda0a88bda5177b86a15c3b29f55987387",
        );
        check(
            Network::Btc,
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "0014751e76e8199196d454941c45d1b3a323f1433bd6",
        );
        check(
            Network::Btc,
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        );
    }

    #[test]
    fn amounts_are_read_without_floats() {
        let check = |text, expected: Option<u128>| {
            assert_eq!(amount(text).map(Amount::atoms), expected, "{text}");
        };
        check("0.00005000", Some(5_000));
        check("5e-05", Some(5_000));
        check("5E-5", Some(5_000));
        check("1.50000000e-05", Some(1_500));
        check("0.5e-3", Some(50_000));
        check("1.5e1", Some(1_500_000_000));
        check("0.5e+2", Some(5_000_000_000));
        check("1e-8", Some(1));
        check("0e0", Some(0));
        check("1e-9", None);
        check("1e999", None);
        check("1e21", None);
        check("-5e-1", None);
        check("5e", None);
        check("0.30000000000000004", None);
    }
}
