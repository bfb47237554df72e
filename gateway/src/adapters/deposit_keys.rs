//! Derives deposit addresses by BIP-32 from account-level extended public keys. No private key is stored.

use std::collections::BTreeMap;
use std::fmt;

use bip32::{ChildNumber, ExtendedKey, PublicKey as _, XPub};
use checkout_core::address::{Address, Options, TestNetwork};
use checkout_core::network::TagRule;
use checkout_core::{Network, derive};

use crate::domain::chain::environment::{ANY_NETWORK, Environments};
use crate::ports::Addresses;

/// The key of a network.
#[derive(Clone)]
enum Source {
    /// Addresses are children of its external chain: `xpub/0/index` (BIP-44).
    Account { key: Box<XPub>, test_network: Option<TestNetwork> },
    /// One account for all payments, which are distinguished by tags.
    Shared(String),
}

/// The keys of all networks with deposits.
#[derive(Clone, Default)]
pub struct DepositKeys(BTreeMap<Network, Source>);

/// Why a text is not a deposit key of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadKey {
    /// Neither an extended public key nor an account of the network.
    Unreadable(Network),
    /// An extended private key.
    Private(Network),
    /// For another kind of address than the gateway's, such as `ypub` for nested segwit.
    OtherKind(Network),
    /// Of the main network, but a test network is configured.
    Main(Network),
    /// Of a test network, but the main network is configured.
    Test(Network),
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (network, problem) = match self {
            Self::Unreadable(network) => {
                (network, "neither an extended public key nor an account of that network")
            }
            Self::Private(network) => (
                network,
                "a private key, which must not be on this machine: replace it by the extended public key of the \
                 account, and move the coins of that account if others could read this file",
            ),
            Self::OtherKind(network) => (
                network,
                "a key for nested segwit addresses, which the gateway does not give out: export the account of native \
                 segwit (zpub; on test networks vpub)",
            ),
            Self::Main(network) => (network, "a key of the main network, and [chains] names a test network"),
            Self::Test(network) => (network, "a key of a test network, and [chains] names the main network"),
        };
        write!(f, "[deposit_keys] {network} is {problem}.")
    }
}

impl DepositKeys {
    /// Reads the keys of `[deposit_keys]`; errors are sentences.
    pub fn of(keys: &[(Network, String)], environments: &Environments) -> Result<Self, String> {
        let texts = keys.iter().map(|(network, key)| (*network, key.as_str()));
        Self::read(texts, environments).map_err(|bad| bad.to_string())
    }

    /// Reads one text per network: an extended public key, or the account of a network with tags.
    pub fn read<'a>(
        texts: impl IntoIterator<Item = (Network, &'a str)>,
        environments: &Environments,
    ) -> Result<Self, BadKey> {
        let read = |(network, text): (Network, &str)| {
            let source = if shares_account(network) {
                let account = Address::parse(network, text).map_err(|_| BadKey::Unreadable(network))?;
                Source::Shared(account.to_string())
            } else {
                let test_network = environments.test(network).and_then(|test| test.addresses);
                let key = Box::new(account_key(network, text, test_network.is_some())?);
                Source::Account { key, test_network }
            };
            Ok((network, source))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

/// Reads an extended public key. If a test network has its own address formats (the Bitcoin family), its keys
/// have their own prefixes, too ([SLIP-132]), and the prefix must match the configured network.
///
/// [SLIP-132]: https://github.com/satoshilabs/slips/blob/master/slip-0132.md
pub fn account_key(network: Network, text: &str, for_tests: bool) -> Result<XPub, BadKey> {
    const MAIN: [&str; 3] = ["xpub", "zpub", "Ltub"];
    const TEST: [&str; 3] = ["tpub", "vpub", "ttub"];
    const NESTED: [&str; 3] = ["ypub", "upub", "Mtub"];
    let key: ExtendedKey = text.parse().map_err(|_| BadKey::Unreadable(network))?;
    if key.prefix.is_private() {
        return Err(BadKey::Private(network));
    }
    if !network.spec().test_networks.is_empty() {
        let prefix = key.prefix.as_str();
        match (MAIN.contains(&prefix), TEST.contains(&prefix)) {
            _ if NESTED.contains(&prefix) => return Err(BadKey::OtherKind(network)),
            (true, _) if for_tests => return Err(BadKey::Main(network)),
            (_, true) if !for_tests => return Err(BadKey::Test(network)),
            (false, false) => return Err(BadKey::Unreadable(network)),
            _ => {}
        }
    }
    key.try_into().map_err(|_| BadKey::Unreadable(network))
}

impl DepositKeys {
    /// The first address of the internal chain (`xpub/1/0`), which pays for the gas of a sweep; `None` where one account takes
    /// all deposits.
    pub fn gas_account(&self, network: Network) -> Option<String> {
        match self.0.get(&network)? {
            Source::Account { key, test_network } => child(key, network, *test_network, 1, 0),
            Source::Shared(_) => None,
        }
    }
}

fn shares_account(network: Network) -> bool {
    network.spec().tag != TagRule::None
}

impl Addresses for DepositKeys {
    fn address(&self, network: Network, index: u32) -> Option<String> {
        let address = match self.0.get(&network)? {
            Source::Shared(account) => account.clone(),
            Source::Account { key, test_network } => child(key, network, *test_network, 0, index)?,
        };
        // The payer's page applies the same rules to the address.
        let is_test = matches!(self.0.get(&network), Some(Source::Account { test_network: Some(_), .. }));
        let options = if is_test { &ANY_NETWORK } else { &Options::STRICT };
        Address::parse_with(network, &address, options).ok().map(|address| address.to_string())
    }
}

fn child(
    account: &XPub,
    network: Network,
    test: Option<TestNetwork>,
    chain: u32,
    index: u32,
) -> Option<String> {
    let chain = account.derive_child(ChildNumber::new(chain, false).ok()?).ok()?;
    let key = chain.derive_child(ChildNumber::new(index, false).ok()?).ok()?;
    let compressed = key.public_key().to_bytes();
    let uncompressed: [u8; 65] = key.public_key().to_sec1_point(false).as_bytes().try_into().ok()?;
    let address = match test {
        None => derive::deposit_address(network, &compressed, &uncompressed),
        Some(test) => derive::test_deposit_address(network, test, &compressed, &uncompressed),
    };
    address.map(|address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chain::environment::TestEnvironment;
    use bip32::Prefix;

    #[test]
    fn the_published_accounts_of_the_standard_test_mnemonic() {
        // BIP-84, test vectors: account 0 and its first two receiving addresses.
        let account = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
        let keys = DepositKeys::read([(Network::Btc, account)], &Environments::default()).unwrap();
        let addresses = [0, 1].map(|index| keys.address(Network::Btc, index).unwrap());
        assert_eq!(
            addresses,
            ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"]
        );
    }

    #[test]
    fn the_addresses_that_litecoind_derives_on_regtest() {
        // `litecoind -regtest`, `deriveaddresses "wpkh(tpub…/0/*)" [0,1]`
        let account = "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";
        let keys = DepositKeys::read([(Network::Ltc, account)], &regtest(Network::Ltc)).unwrap();
        assert_eq!(
            [0, 1].map(|index| keys.address(Network::Ltc, index).unwrap()),
            ["rltc1qm90ugl4d48jv8n6e5t9ln6t9zlpm5th6et0qsk", "rltc1ql7zg7ukh3dwr25ex2zn9jse926f27xy2v0wwu9"]
        );
    }

    fn regtest(network: Network) -> Environments {
        let addresses = Some(TestNetwork::Regtest);
        Environments::with([(network, TestEnvironment { name: "regtest".to_owned(), addresses })])
    }

    #[test]
    fn invalid_keys_are_refused() {
        const XPUB: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
        // BIP-32, test vector 1.
        const XPRV: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
        let key: XPub = XPUB.parse().unwrap();
        let (main, test) = (Environments::default(), regtest(Network::Ltc));
        let check = |environments: &Environments, network, text: &str, expected| {
            let read = DepositKeys::read([(network, text)], environments);
            assert_eq!(read.err(), expected, "{text}");
        };
        check(&main, Network::Btc, "", Some(BadKey::Unreadable(Network::Btc)));
        let address = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";
        check(&main, Network::Btc, address, Some(BadKey::Unreadable(Network::Btc)));
        check(&main, Network::Xrp, XPUB, Some(BadKey::Unreadable(Network::Xrp)));
        check(&main, Network::Ltc, XPRV, Some(BadKey::Private(Network::Ltc)));
        check(&main, Network::Ltc, XPUB, None);
        check(&test, Network::Ltc, XPUB, Some(BadKey::Main(Network::Ltc)));
        check(&test, Network::Btc, XPUB, None);
        let tpub = key.to_string(Prefix::TPUB);
        check(&test, Network::Ltc, &tpub, None);
        check(&main, Network::Ltc, &tpub, Some(BadKey::Test(Network::Ltc)));
        check(&main, Network::Ltc, &key.to_string(Prefix::ZPUB), None);
        check(&main, Network::Ltc, &key.to_string(Prefix::YPUB), Some(BadKey::OtherKind(Network::Ltc)));
        check(&main, Network::Eth, XPUB, None);
    }
}
