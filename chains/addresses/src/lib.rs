//! Derives deposit addresses by BIP-32 from account-level extended public keys. No private key is stored.

mod account;
mod checksum;

use std::collections::BTreeMap;
use std::fmt;

use bip32::{ChildNumber, PublicKey as _, XPub};
use checkout_core::address::{Address, Options, TestNetwork};
use checkout_core::network::TagRule;
use checkout_core::{Network, derive};
use checkout_domain::chain::environment::{ANY_NETWORK, Environments};
use checkout_domain::ports::Addresses;

pub use account::{AccountKey, Kind, account_key};

/// The key of a network.
#[derive(Clone)]
enum KeySource {
    /// Addresses are children of its external chain: `xpub/0/index` (BIP-44).
    Account { key: Box<AccountKey>, test_network: Option<TestNetwork> },
    /// One account for all payments, which are distinguished by tags.
    Shared(String),
}

/// The keys of all networks with deposits.
#[derive(Clone, Default)]
pub struct DepositKeys(BTreeMap<Network, KeySource>);

/// Why a text is not a deposit key of its network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadKey {
    /// Neither an extended public key nor an account of the network.
    Unreadable(Network),
    /// An extended private key.
    Private(Network),
    /// For another kind of address than the gateway's, such as `ypub` for nested segwit.
    OtherKind(Network),
    /// A bare `xpub`, with the first address as `wpkh(…)` and as `pkh(…)`.
    NoKind(Network, Box<[String; 2]>),
    /// A descriptor of another form, or with another path than that of the gateway's addresses.
    Descriptor(Network),
    /// A descriptor with a wrong checksum.
    Checksum(Network),
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
                "a key for addresses that the gateway does not give out: export the account of native segwit (zpub, wpkh(…); \
                 on test networks vpub) on BTC and LTC, the one of BIP-44 (xpub, pkh(…)) on BCH and DOGE",
            ),
            Self::NoKind(network, first) => {
                let [segwit, legacy] = first.as_ref();
                return write!(
                    f,
                    "[deposit_keys] {network} does not say what kind of addresses the key is for. Compare the first address in your \
                     wallet: if it is {segwit}, write \"wpkh(KEY)\"; if it is {legacy}, write \"pkh(KEY)\"; if it is neither, it is \
                     another account."
                );
            }
            Self::Descriptor(network) => (
                network,
                "a descriptor that the gateway does not take: write wpkh(KEY) or pkh(KEY) with one extended public key, and \
                 nothing or /0/* or /<0;1>/* after it",
            ),
            Self::Checksum(network) => (network, "a descriptor with a wrong checksum: copy it again"),
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
                KeySource::Shared(account.to_string())
            } else {
                let test_network = environments.test(network).and_then(|test| test.addresses);
                let key = Box::new(account_key(network, text, test_network.is_some())?);
                KeySource::Account { key, test_network }
            };
            Ok((network, source))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl DepositKeys {
    /// The first address of the internal chain (`xpub/1/0`), which pays for the gas of a sweep; `None` where one account takes
    /// all deposits.
    pub fn gas_account(&self, network: Network) -> Option<String> {
        match self.0.get(&network)? {
            KeySource::Account { key, test_network } => child(key, network, *test_network, 1, 0),
            KeySource::Shared(_) => None,
        }
    }

    /// The first address that the key has as another kind, with the kind's name in descriptors.
    pub fn as_other_kind(&self, network: Network) -> Option<(&'static str, String)> {
        let KeySource::Account { key, test_network } = self.0.get(&network)? else { return None };
        let kind = key.kind.other(network)?;
        let other = AccountKey { key: key.key.clone(), kind };
        Some((kind.name(), child(&other, network, *test_network, 0, 0)?))
    }
}

fn shares_account(network: Network) -> bool {
    network.spec().tag != TagRule::None
}

impl Addresses for DepositKeys {
    fn address(&self, network: Network, index: u32) -> Option<String> {
        let address = match self.0.get(&network)? {
            KeySource::Shared(account) => account.clone(),
            KeySource::Account { key, test_network } => child(key, network, *test_network, 0, index)?,
        };
        // The payer's page applies the same rules to the address.
        let is_test = matches!(self.0.get(&network), Some(KeySource::Account { test_network: Some(_), .. }));
        let options = if is_test { &ANY_NETWORK } else { &Options::STRICT };
        Address::parse_with(network, &address, options).ok().map(|address| address.to_string())
    }
}

fn child(
    account: &AccountKey,
    network: Network,
    test: Option<TestNetwork>,
    chain: u32,
    index: u32,
) -> Option<String> {
    let chain = account.key.derive_child(ChildNumber::new(chain, false).ok()?).ok()?;
    let key = chain.derive_child(ChildNumber::new(index, false).ok()?).ok()?;
    address_of(&key, account.kind, network, test)
}

/// The address of a key.
fn address_of(key: &XPub, kind: Kind, network: Network, test: Option<TestNetwork>) -> Option<String> {
    let compressed = key.public_key().to_bytes();
    let uncompressed: [u8; 65] = key.public_key().to_encoded_point(false).as_bytes().try_into().ok()?;
    let address = match (kind, test) {
        (Kind::KeyHash, test) => derive::key_hash_address(network, test, &compressed),
        (_, None) => derive::deposit_address(network, &compressed, &uncompressed),
        (_, Some(test)) => derive::test_deposit_address(network, test, &compressed, &uncompressed),
    };
    address.map(|address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bip32::Prefix;
    use checkout_domain::chain::environment::TestEnvironment;

    /// Wallets that show an account of BIP-84 as an `xpub` mean it so.
    fn segwit(key: &str) -> String {
        format!("wpkh({key})")
    }

    #[test]
    fn the_published_accounts_of_the_standard_test_mnemonic() {
        // BIP-84, test vectors: account 0 and its first two receiving addresses.
        let account = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
        let keys =
            DepositKeys::read([(Network::Btc, segwit(account).as_str())], &Environments::default()).unwrap();
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
        let keys =
            DepositKeys::read([(Network::Ltc, segwit(account).as_str())], &regtest(Network::Ltc)).unwrap();
        assert_eq!(
            [0, 1].map(|index| keys.address(Network::Ltc, index).unwrap()),
            ["rltc1qm90ugl4d48jv8n6e5t9ln6t9zlpm5th6et0qsk", "rltc1ql7zg7ukh3dwr25ex2zn9jse926f27xy2v0wwu9"]
        );
    }

    fn regtest(network: Network) -> Environments {
        let addresses = Some(TestNetwork::Regtest);
        Environments::with([(
            network,
            TestEnvironment { name: "regtest".to_owned(), addresses, chain_id: None },
        )])
    }

    /// The account `m/44'/3'/0'` of the phrase `abandon … about`, with the versions of Dogecoin Core; its first address is that of
    /// Ledger Live.
    #[test]
    fn dogecoin_has_legacy_addresses_of_a_key_with_its_own_prefix_too() {
        let account = "dgub8rUhDtD3YFGZTUphBfpBbzvFxSMKQXYLzg87Me2ta78r2SdVLmypBUkkxrrn9RTnchsyiJSkHZyLWxD13ibBiXtuFWktBoDaGaZjQUBLNLs";
        let xpub = "xpub6Bxse8AT19u9HExKtP1EAudLi9CpLxPpxDvanL2fFtM7UFE2Q7TTWRg4bnMnmT4KcyN6GQkSgZmPWDtyUywSii3MDpMNfXSTuzH7gvZywLU";
        let secret = "dgpv57bftCH9z6cEAdAY9SCDV9NfVsygaQWdi5LuCXdumz5qUPWnw1S3YBM7PdHXMvA8oSGS6Pbes1xEHMd5Zi2qHVK45y5FKKXzBXsZcTtYmX5";
        let read = |text: &str| DepositKeys::read([(Network::Doge, text)], &Environments::default());
        for text in [account.to_owned(), xpub.to_owned(), format!("pkh({account}/0/*)")] {
            let keys = read(&text).unwrap();
            let first = keys.address(Network::Doge, 0);
            assert_eq!(first.as_deref(), Some("DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC"), "{text}");
            assert_eq!(keys.as_other_kind(Network::Doge), None);
        }
        assert_eq!(read(secret).err(), Some(BadKey::Private(Network::Doge)));
        assert_eq!(read(&segwit(xpub)).err(), Some(BadKey::OtherKind(Network::Doge)));
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
        check(&main, Network::Ltc, &segwit(XPUB), None);
        check(&test, Network::Ltc, XPUB, Some(BadKey::Main(Network::Ltc)));
        check(&test, Network::Ltc, &segwit(XPUB), Some(BadKey::Main(Network::Ltc)));
        check(&test, Network::Btc, &segwit(XPUB), None);
        let tpub = key.to_string(Prefix::TPUB);
        check(&test, Network::Ltc, &segwit(&tpub), None);
        check(&main, Network::Ltc, &tpub, Some(BadKey::Test(Network::Ltc)));
        check(&main, Network::Ltc, &key.to_string(Prefix::ZPUB), None);
        check(&main, Network::Ltc, &key.to_string(Prefix::YPUB), Some(BadKey::OtherKind(Network::Ltc)));
        check(&main, Network::Eth, XPUB, None);
    }

    /// The account `m/44'/0'/0'` of the phrase `abandon … about`, and its first address in wallets with BIP-44; as a key of BIP-84
    /// the same account has another first address.
    const LEGACY: &str = "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj";
    const FIRST: [&str; 2] =
        ["bc1qmxrw6qdh5g3ztfcwm0et5l8mvws4eva24kmp8m", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"];

    #[test]
    fn a_bare_xpub_needs_its_kind_and_the_refusal_shows_both_first_addresses() {
        let read = |network, text: &str| DepositKeys::read([(network, text)], &Environments::default());
        for bare in [LEGACY.to_owned(), LEGACY.parse::<XPub>().unwrap().to_string(Prefix::XPUB)] {
            let said = read(Network::Btc, &bare).err().unwrap().to_string();
            assert!(
                said.contains("wpkh(KEY)") && said.contains(FIRST[0]) && said.contains(FIRST[1]),
                "{said}"
            );
        }
        assert!(matches!(read(Network::Ltc, LEGACY), Err(BadKey::NoKind(Network::Ltc, _))));
        // The same account with the version of Litecoin.
        let ltub = "Ltub2YEz7qzkZSGcWK8PatiqktKQaGCGVz3ikCarLMHQrzYQKJnvH4upL5zhcF7jnaLM9e1bBzLupY1NN8aZMLYFVgYKvqN5pf6dbLiP3zaCxFw";
        assert!(matches!(read(Network::Ltc, ltub), Err(BadKey::NoKind(Network::Ltc, _))));
        let keys = [LEGACY, ltub].map(|key| read(Network::Ltc, &format!("pkh({key})")).unwrap());
        let [first, same] = keys.map(|keys| keys.address(Network::Ltc, 0));
        assert!(first.is_some() && first == same, "{first:?} {same:?}");
        for (text, expected) in [("wpkh", FIRST[0]), ("pkh", FIRST[1])] {
            let keys = read(Network::Btc, &format!("{text}({LEGACY})")).unwrap();
            assert_eq!(keys.address(Network::Btc, 0).as_deref(), Some(expected));
            let other = FIRST.into_iter().find(|first| *first != expected).unwrap();
            assert_eq!(keys.as_other_kind(Network::Btc).unwrap().1, other);
        }
        // One kind only.
        let cash = read(Network::Bch, LEGACY).unwrap();
        assert_eq!(cash.as_other_kind(Network::Bch), None);
        assert_eq!(
            cash.address(Network::Bch, 0),
            read(Network::Bch, &format!("pkh({LEGACY})")).unwrap().address(Network::Bch, 0)
        );
        assert!(read(Network::Eth, LEGACY).is_ok());
    }
}
