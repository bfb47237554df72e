//! Deposit addresses by BIP-32 from account-level extended public keys. No private key is kept.

use std::collections::BTreeMap;

use bip32::{ChildNumber, PublicKey as _, XPub};
use checkout_core::address::Address;
use checkout_core::network::TagRule;
use checkout_core::{Network, derive};

use crate::ports::Addresses;

/// Where the keys of a network come from.
#[derive(Clone)]
enum Source {
    /// Addresses are children of its external chain: `xpub/0/index` (BIP-44).
    Account(Box<XPub>),
    /// One account for all, told apart by tags.
    Shared(String),
}

/// The keys of all networks that take deposits.
#[derive(Clone, Default)]
pub struct DepositKeys(BTreeMap<Network, Source>);

/// The text is neither an extended public key nor an account of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadKey(pub Network);

impl DepositKeys {
    /// Reads the keys of `[deposit_keys]`; the error is a sentence.
    pub fn of(keys: &[(Network, String)]) -> Result<Self, String> {
        Self::read(keys.iter().map(|(network, key)| (*network, key.as_str()))).map_err(|bad| {
            format!(
                "[deposit_keys] {} is neither an extended public key nor an account of that network.",
                bad.0
            )
        })
    }

    /// Reads one text per network: an extended public key, or the account of a network with tags.
    pub fn read<'a>(texts: impl IntoIterator<Item = (Network, &'a str)>) -> Result<Self, BadKey> {
        let read = |(network, text): (Network, &str)| {
            let source = if shares_account(network) {
                let account = Address::parse(network, text).map_err(|_| BadKey(network))?;
                Source::Shared(account.to_string())
            } else {
                Source::Account(Box::new(text.parse().map_err(|_| BadKey(network))?))
            };
            Ok((network, source))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

fn shares_account(network: Network) -> bool {
    network.spec().tag != TagRule::None
}

impl Addresses for DepositKeys {
    fn address(&self, network: Network, index: u32) -> Option<String> {
        let address = match self.0.get(&network)? {
            Source::Shared(account) => account.clone(),
            Source::Account(account) => child(account, network, index)?,
        };
        // What is given to a payer was read by the same rules that the payer's page applies.
        Address::parse(network, &address).ok().map(|address| address.to_string())
    }
}

fn child(account: &XPub, network: Network, index: u32) -> Option<String> {
    let external = account.derive_child(ChildNumber::new(0, false).ok()?).ok()?;
    let key = external.derive_child(ChildNumber::new(index, false).ok()?).ok()?;
    let compressed = key.public_key().to_bytes();
    let uncompressed: [u8; 65] = key.public_key().to_sec1_point(false).as_bytes().try_into().ok()?;
    derive::deposit_address(network, &compressed, &uncompressed).map(|address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_accounts_of_the_usual_test_mnemonic() {
        // BIP-84, test vectors: account 0 and its first two receiving addresses.
        let account = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
        let keys = DepositKeys::read([(Network::Btc, account)]).unwrap();
        let addresses = [0, 1].map(|index| keys.address(Network::Btc, index).unwrap());
        assert_eq!(
            addresses,
            ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"]
        );
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let check =
            |network, text| assert_eq!(DepositKeys::read([(network, text)]).err(), Some(BadKey(network)));
        check(Network::Btc, "");
        check(Network::Btc, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
        check(
            Network::Xrp,
            "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
        );
    }
}
