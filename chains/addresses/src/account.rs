//! Reads the key of an account: an extended public key whose prefix names the kind of its addresses ([SLIP-132]), or a descriptor
//! ([BIP-380]).
//!
//! `xpub` and `Ltub` stand for legacy addresses in SLIP-132, and many wallets write every account so. On networks with several
//! kinds such a key alone does not say which addresses the wallet watches.
//!
//! [SLIP-132]: https://github.com/satoshilabs/slips/blob/master/slip-0132.md
//! [BIP-380]: https://github.com/bitcoin/bips/blob/master/bip-0380.mediawiki

use bip32::{ExtendedKey, Prefix, XPub};
use checkout_core::Network;
use checkout_core::address::TestNetwork;

use super::{BadKey, address_of, checksum};

/// The kind of a key's addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `wpkh(…)`, BIP-84.
    WitnessKeyHash,
    /// `pkh(…)`, BIP-44.
    KeyHash,
    /// The only one of its network, outside of the Bitcoin family.
    Only,
}

/// An account's extended public key.
#[derive(Clone, Debug)]
pub struct AccountKey {
    pub key: XPub,
    pub kind: Kind,
}

impl Kind {
    /// In descriptors.
    pub fn name(self) -> &'static str {
        match self {
            Self::WitnessKeyHash => "wpkh",
            Self::KeyHash => "pkh",
            Self::Only => "",
        }
    }

    /// The other kind that a wallet may mean.
    pub(super) fn other(self, network: Network) -> Option<Self> {
        match self {
            Self::WitnessKeyHash => Some(Self::KeyHash),
            Self::KeyHash if has_witnesses(network) => Some(Self::WitnessKeyHash),
            _ => None,
        }
    }
}

/// Dogecoin Core's own is `dgub` (`EXT_PUBLIC_KEY` in its `src/chainparams.cpp`).
const MAIN: [&str; 4] = ["xpub", "zpub", "Ltub", "dgub"];
const TEST: [&str; 3] = ["tpub", "vpub", "ttub"];
const NESTED: [&str; 3] = ["ypub", "upub", "Mtub"];
/// Those of the lists above that name native segwit.
const SEGWIT: [&str; 2] = ["zpub", "vpub"];

/// The texts that may follow the key in a descriptor: the gateway gives out `/0/*`.
const PATHS: [&str; 3] = ["", "/0/*", "/<0;1>/*"];

/// Reads the key of an account. If a test network has its own address formats (the Bitcoin family), its keys have their own
/// prefixes, too, and the prefix must match the configured network.
pub fn account_key(network: Network, text: &str, for_tests: bool) -> Result<AccountKey, BadKey> {
    let is_family = !network.spec().test_networks.is_empty();
    if !is_family {
        return Ok(AccountKey { key: public(network, &extended(network, text)?)?, kind: Kind::Only });
    }
    let (said, text) = described(network, text)?;
    let key = extended(network, text)?;
    let prefix = key.prefix.as_str();
    match (MAIN.contains(&prefix), TEST.contains(&prefix)) {
        _ if NESTED.contains(&prefix) => return Err(BadKey::OtherKind(network)),
        (true, _) if for_tests => return Err(BadKey::Main(network)),
        (_, true) if !for_tests => return Err(BadKey::Test(network)),
        (false, false) => return Err(BadKey::Unreadable(network)),
        _ => {}
    }
    let named = SEGWIT.contains(&prefix).then_some(Kind::WitnessKeyHash);
    let kind = match (said, named) {
        (Some(said), Some(named)) if said != named => return Err(BadKey::OtherKind(network)),
        (Some(kind), _) | (None, Some(kind)) => kind,
        (None, None) if !has_witnesses(network) => Kind::KeyHash,
        (None, None) => return Err(no_kind(network, &public(network, &key)?, for_tests)),
    };
    if kind == Kind::WitnessKeyHash && !has_witnesses(network) {
        return Err(BadKey::OtherKind(network));
    }
    Ok(AccountKey { key: public(network, &key)?, kind })
}

fn has_witnesses(network: Network) -> bool {
    network.spec().key_path.purpose == 84
}

fn extended(network: Network, text: &str) -> Result<ExtendedKey, BadKey> {
    let key: ExtendedKey = text.parse().map_err(|_| BadKey::Unreadable(network))?;
    // Not all prefixes of private keys end with `prv`; no public key starts with zero.
    if key.prefix.is_private() || key.key_bytes[0] == 0 { Err(BadKey::Private(network)) } else { Ok(key) }
}

fn public(network: Network, key: &ExtendedKey) -> Result<XPub, BadKey> {
    let mut key = key.clone();
    // The crate takes those alone whose prefix ends with `pub`.
    key.prefix = Prefix::XPUB;
    key.try_into().map_err(|_| BadKey::Unreadable(network))
}

/// The kind that a descriptor names, and the text of its key.
fn described(network: Network, text: &str) -> Result<(Option<Kind>, &str), BadKey> {
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else { return Ok((None, text)) };
    let kind = match name {
        "wpkh" => Kind::WitnessKeyHash,
        "pkh" => Kind::KeyHash,
        _ => return Err(BadKey::Descriptor(network)),
    };
    let body = match rest.split_once('#') {
        Some((body, sum)) => {
            let described = &text[..text.len() - sum.len() - 1];
            if checksum::of(described).as_deref() != Some(sum) {
                return Err(BadKey::Checksum(network));
            }
            body
        }
        None => rest,
    };
    let inner = body.strip_suffix(')').ok_or(BadKey::Descriptor(network))?;
    let key = match inner.strip_prefix('[') {
        Some(origin) => origin.split_once(']').ok_or(BadKey::Descriptor(network))?.1,
        None => inner,
    };
    let (key, path) = key.split_at(key.find('/').unwrap_or(key.len()));
    if PATHS.contains(&path) { Ok((Some(kind), key)) } else { Err(BadKey::Descriptor(network)) }
}

/// The refusal, with the first address of each kind.
fn no_kind(network: Network, key: &XPub, for_tests: bool) -> BadKey {
    let first = |kind| {
        let chain = key.derive_child(bip32::ChildNumber::default()).ok();
        let child = chain.and_then(|chain| chain.derive_child(bip32::ChildNumber::default()).ok());
        // On regtest its prefix differs.
        let test = for_tests.then_some(TestNetwork::Testnet);
        child.and_then(|child| address_of(&child, kind, network, test)).unwrap_or_default()
    };
    BadKey::NoKind(network, Box::new([first(Kind::WitnessKeyHash), first(Kind::KeyHash)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-84, test vectors: account 0.
    const ZPUB: &str = "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
    const XPUB: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";

    #[test]
    fn a_descriptor_or_a_prefix_names_the_kind() {
        let check = |network, text: &str, expected: Result<Kind, BadKey>| {
            assert_eq!(account_key(network, text, false).map(|account| account.kind), expected, "{text}");
        };
        let (btc, bch) = (Network::Btc, Network::Bch);
        check(btc, ZPUB, Ok(Kind::WitnessKeyHash));
        for form in [
            "wpkh(K)",
            "wpkh(K/0/*)",
            "wpkh(K/<0;1>/*)",
            "wpkh([d34db33f/84h/0h/0h]K/0/*)",
            " wpkh([73c5da0a/84'/0'/0']K) ",
        ] {
            check(btc, &form.replace('K', XPUB), Ok(Kind::WitnessKeyHash));
        }
        check(btc, &format!("wpkh({ZPUB})"), Ok(Kind::WitnessKeyHash));
        check(btc, &format!("pkh({XPUB})"), Ok(Kind::KeyHash));
        check(bch, XPUB, Ok(Kind::KeyHash));
        check(bch, &format!("pkh({XPUB})"), Ok(Kind::KeyHash));
        check(Network::Eth, XPUB, Ok(Kind::Only));
        check(btc, &format!("pkh({ZPUB})"), Err(BadKey::OtherKind(btc)));
        check(bch, ZPUB, Err(BadKey::OtherKind(bch)));
        check(bch, &format!("wpkh({XPUB})"), Err(BadKey::OtherKind(bch)));
        for form in ["sh(wpkh(K))", "tr(K)", "wpkh(K", "wpkh(K/1/*)", "wpkh(K/0/5)", "wpkh([00K)", "wpkh(K)x"]
        {
            check(btc, &form.replace('K', XPUB), Err(BadKey::Descriptor(btc)));
        }
        check(btc, "wpkh()", Err(BadKey::Unreadable(btc)));
        check(btc, &format!("wpkh({XPUB},{XPUB})"), Err(BadKey::Unreadable(btc)));
        check(Network::Eth, &format!("pkh({XPUB})"), Err(BadKey::Unreadable(Network::Eth)));
    }

    #[test]
    fn a_checksum_is_compared() {
        let text = format!("wpkh({XPUB}/0/*)");
        let sum = checksum::of(&text).unwrap();
        assert!(account_key(Network::Btc, &format!("{text}#{sum}"), false).is_ok());
        let wrong = account_key(Network::Btc, &format!("{text}#qqqqqqqq"), false);
        assert_eq!(wrong.err(), Some(BadKey::Checksum(Network::Btc)));
        let short = account_key(Network::Btc, &format!("{text}#"), false);
        assert_eq!(short.err(), Some(BadKey::Checksum(Network::Btc)));
    }
}
