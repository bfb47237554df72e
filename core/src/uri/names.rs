//! The networks that a pasted text names: by a scheme, a chain id or a CAIP-10 account. docs/validation.md has the table.

pub(crate) use super::erc681::SCHEME as ETHEREUM;
pub(crate) use super::sep7::SCHEME as SEP_7;
use super::{metamask, xrpl};
use crate::chain::{PaymentLink, ROWS};
use crate::network::Network;

/// What a text names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Network(Network),
    /// A network that has no code here.
    Other,
}

/// Links of wallets, each with the scheme that it stands for.
pub(crate) const WALLET_LINKS: &[(&str, &str)] = &[
    (xrpl::XAMAN, "xrpl"),
    // Xaman's former name.
    ("https://xumm.app/detect/request:", "xrpl"),
    (metamask::START, ETHEREUM),
];

/// Besides the codes of the networks (`btc:`) and the schemes of BIP-321 (`bitcoin:`).
const SCHEMES: &[(&str, Network)] = &[
    // EIP-681; a chain id names the network instead.
    #[cfg(feature = "evm")]
    (ETHEREUM, Network::Eth),
    // EIP-3770: the short names of <https://github.com/ethereum-lists/chains>; `eth` and `base` are codes, too. Polygon's was `matic`.
    #[cfg(feature = "evm")]
    ("bnb", Network::Bsc),
    #[cfg(feature = "evm")]
    ("pol", Network::Polygon),
    #[cfg(feature = "evm")]
    ("matic", Network::Polygon),
    #[cfg(feature = "evm")]
    ("arb1", Network::Arbitrum),
    // CAIP-2's namespaces, which wallets use as schemes.
    #[cfg(feature = "optimism")]
    ("oeth", Network::Optimism),
    #[cfg(feature = "avalanche")]
    ("avax", Network::Avalanche),
    #[cfg(feature = "tron")]
    ("tron", Network::Trx),
    #[cfg(feature = "xrp")]
    ("xrpl", Network::Xrp),
    #[cfg(feature = "stellar")]
    ("stellar", Network::Xlm),
    // Solana Pay: <https://docs.solanapay.com/spec>.
    #[cfg(feature = "solana")]
    ("solana", Network::Sol),
    // CAIP-2's namespace; wallets have no standard.
    #[cfg(feature = "polkadot")]
    ("polkadot", Network::Dot),
    // CIP-13.
    #[cfg(feature = "cardano")]
    ("web+cardano", Network::Ada),
    #[cfg(feature = "cardano")]
    ("cardano", Network::Ada),
    // <https://github.com/monero-project/monero/wiki/URI-Formatting>
    #[cfg(feature = "monero")]
    ("monero", Network::Xmr),
    // ZIP-321.
    #[cfg(feature = "zcash")]
    ("zcash", Network::Zec),
    #[cfg(feature = "cosmos")]
    ("cosmos", Network::Atom),
    #[cfg(feature = "aptos")]
    ("aptos", Network::Apt),
    // By convention.
    #[cfg(feature = "xrp")]
    ("ripple", Network::Xrp),
    #[cfg(feature = "stellar")]
    (SEP_7, Network::Xlm),
];

/// Schemes of other networks. One that is in neither list names no network.
const OTHERS: &[&str] = &[
    // EIP-3770.
    "arb-nova", "aurora", "basesep", "bnbt", "celo", "cro", "etc", "ftm", "gno", "linea", "mantle", "obnb",
    "pls", "scr", "sep", "sonic", "zkevm", "zksync",
    // BIP-21 of other coins, CashAddr's test networks, CAIP-2's namespaces.
    "algorand", "bchreg", "bchtest", "dash", "digibyte", "hedera", "namecoin", "near", "tezos", "xahau",
];

/// CAIP-2 beside `eip155`: <https://github.com/ChainAgnostic/namespaces>.
const REFERENCES: &[(&str, &str, Network)] = &[
    #[cfg(feature = "bitcoin")]
    ("bip122", "000000000019d6689c085ae165831e93", Network::Btc),
    #[cfg(feature = "bitcoin")]
    ("bip122", "12a765e31ffd4059bada1e25190f6e98", Network::Ltc),
    #[cfg(feature = "bitcoin")]
    ("bip122", "1a91e3dace36e2be3bf030a65679fe82", Network::Doge),
    // The first block after the fork, by BIP-122; the namespace's page has another one.
    #[cfg(feature = "bitcoin-cash")]
    ("bip122", "000000000000000000651ef99cb9fcbe", Network::Bch),
    #[cfg(feature = "bitcoin-cash")]
    ("bip122", "000000000000000000b15ad892af8f6a", Network::Bch),
    // The page has the decimal number, WalletConnect the hexadecimal one.
    #[cfg(feature = "tron")]
    ("tron", "728126428", Network::Trx),
    #[cfg(feature = "tron")]
    ("tron", "0x2b6653dc", Network::Trx),
    #[cfg(feature = "xrp")]
    ("xrpl", "0", Network::Xrp),
    #[cfg(feature = "stellar")]
    ("stellar", "pubnet", Network::Xlm),
    #[cfg(feature = "solana")]
    ("solana", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", Network::Sol),
    #[cfg(feature = "polkadot")]
    ("polkadot", "91b171bb158e2d3848fa23a9f1c25182", Network::Dot),
];

/// The network of a scheme, in either letter case.
pub(crate) fn by_scheme(scheme: &str) -> Option<Named> {
    let is = |name: &str| name.eq_ignore_ascii_case(scheme);
    let of_chain = ROWS.iter().find(|chain| match chain.link {
        PaymentLink::Bip321 { scheme, .. } if is(scheme) => true,
        _ => is(chain.code()),
    });
    let network = of_chain.map(|chain| chain.network);
    let network = network.or_else(|| SCHEMES.iter().find(|row| is(row.0)).map(|row| row.1));
    network.map(Named::Network).or_else(|| OTHERS.iter().any(|name| is(name)).then_some(Named::Other))
}

/// The network of a chain id (EIP-155). `None` if it is none.
pub(crate) fn by_chain_id(id: &str) -> Option<Named> {
    let network = ROWS.iter().find(|chain| match chain.link {
        PaymentLink::Erc681 { chain_id, .. } => chain_id == id,
        _ => false,
    });
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) && !id.starts_with('0');
    network.map(|chain| Named::Network(chain.network)).or(is_number.then_some(Named::Other))
}

/// The network of the first two parts of a CAIP-10 account. `None` if they are none.
pub(crate) fn by_reference(namespace: &str, reference: &str) -> Option<Named> {
    if namespace.eq_ignore_ascii_case("eip155") {
        return by_chain_id(reference);
    }
    let mut rows = REFERENCES.iter().filter(|row| row.0.eq_ignore_ascii_case(namespace)).peekable();
    rows.peek()?;
    let network = rows.find(|row| row.1.eq_ignore_ascii_case(reference)).map(|row| row.2);
    Some(network.map_or(Named::Other, Named::Network))
}
