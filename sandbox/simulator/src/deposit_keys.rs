//! Deposit keys of a sandbox, generated once per database.

use bip32::{DerivationPath, Prefix, XPrv};
use checkout_core::Network;

/// Generates a sandbox's deposit key in the format of [`DepositKeys::read`]. The private key is discarded, so deposits
/// cannot be spent.
pub fn sandbox_key(network: Network, seed: &[u8; 64]) -> String {
    match network.spec().sandbox_account {
        Some(account) => account.to_owned(),
        None => with_kind(network, account_key(seed, &network.spec().key_path.to_string())),
    }
}

/// A key of BIP-84 with the kind of its addresses, which older databases lack.
pub fn with_kind(network: Network, key: String) -> String {
    let has_none = network.spec().key_path.purpose == 84 && key.starts_with(Prefix::XPUB.as_str());
    if has_none { format!("wpkh({key})") } else { key }
}

fn account_key(seed: &[u8; 64], path: &str) -> String {
    let path: DerivationPath = path.parse().expect("a key path is well-formed");
    let key = XPrv::derive_from_path(seed, &path).expect("one seed in 2^127 has no key on a path");
    key.public_key().to_string(Prefix::XPUB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_chain_addresses::DepositKeys;
    use checkout_core::chain::CHAINS;
    use checkout_core::network::TagRule;
    use checkout_domain::chain::environment::Environments;
    use checkout_domain::ports::Addresses as _;

    #[test]
    fn a_sandbox_has_an_address_on_every_network() {
        let texts: Vec<_> =
            CHAINS.iter().map(|row| (row.network, sandbox_key(row.network, &[7; 64]))).collect();
        let texts = texts.iter().map(|(network, text)| (*network, text.as_str()));
        let keys = DepositKeys::read(texts, &Environments::default()).unwrap();
        let mut seen = Vec::new();
        for row in CHAINS {
            let [first, again, second] = [0, 0, 1].map(|index| keys.address(row.network, index).unwrap());
            assert_eq!(first, again);
            assert_eq!(first == second, (row.network.spec().tag != TagRule::None), "{first} {second}");
            // One key may serve all EVM networks; the sandbox makes one for each.
            assert!(row.network.is_opt_in() || !seen.contains(&first), "{first} serves two networks");
            seen.push(first);
        }
    }
}
