//! In what the nodes of a network differ from Bitcoin Core: one row each.

use checkout_core::Network;
use serde_json::{Value, json};

/// The JSON-RPC of a node, and what its network does with transactions.
pub(crate) struct Dialect {
    /// Wallets have names and are made on demand. Without that a node has one, which it opens at its start.
    pub(crate) has_wallets: bool,
    pub(crate) describe_address: &'static str,
    pub(crate) sign: &'static str,
    pub(crate) rescan: &'static str,
    /// With the number of blocks as its argument, or without one.
    pub(crate) estimate: (&'static str, Option<u32>),
    any_fee: AnyFee,
    /// The method that tells about double spends that somebody proved ([double-spend proofs]).
    ///
    /// [double-spend proofs]: https://docs.bitcoincashnode.org/doc/json-rpc/getdsproof/
    pub(crate) proof: Option<&'static str>,
    /// A payout that waits can be replaced by one with a higher fee.
    pub(crate) replaces_payouts: bool,
    /// There are Esplora servers for the network.
    pub(crate) has_esplora: bool,
    /// Atoms per 1,000 virtual bytes: the most for a payout, and what counts if the node has no estimate.
    pub(crate) rates: (u128, u128),
}

/// The second argument of `sendrawtransaction`.
#[derive(Clone, Copy)]
enum AnyFee {
    /// The highest rate; 0 is none.
    Rate,
    /// The permission for any fee.
    Flag,
}

/// Confirmation target of payouts and of instant deposits, in blocks.
const TARGET: u32 = 6;

static BITCOIN: Dialect = Dialect {
    has_wallets: true,
    describe_address: "getaddressinfo",
    sign: "signrawtransactionwithwallet",
    rescan: "rescanblockchain",
    estimate: ("estimatesmartfee", Some(TARGET)),
    any_fee: AnyFee::Rate,
    proof: None,
    replaces_payouts: true,
    has_esplora: true,
    rates: (200_000, 10_000),
};

static LITECOIN: Dialect = Dialect { rates: (1_000_000, 10_000), ..BITCOIN };

static BITCOIN_CASH: Dialect = Dialect {
    estimate: ("estimatefee", None),
    any_fee: AnyFee::Flag,
    proof: Some("getdsproof"),
    replaces_payouts: false,
    has_esplora: false,
    rates: (50_000, 1_000),
    ..BITCOIN
};

/// Dogecoin Core 1.14 has the methods of Bitcoin Core 0.14, and `rescan` since 1.14.6. No method of it builds a replacement of a
/// payout without sending it. The fallback is its recommended fee (`RECOMMENDED_MIN_TX_FEE` in `src/policy/policy.h`).
static DOGECOIN: Dialect = Dialect {
    has_wallets: false,
    describe_address: "validateaddress",
    sign: "signrawtransaction",
    rescan: "rescan",
    any_fee: AnyFee::Flag,
    replaces_payouts: false,
    has_esplora: false,
    rates: (100_000_000, 1_000_000),
    ..BITCOIN
};

impl Dialect {
    pub(crate) fn of(network: Network) -> &'static Self {
        match network {
            Network::Ltc => &LITECOIN,
            Network::Bch => &BITCOIN_CASH,
            Network::Doge => &DOGECOIN,
            _ => &BITCOIN,
        }
    }

    /// The argument of `sendrawtransaction` with which no fee is too high.
    pub(crate) fn any_fee(&self) -> Value {
        match self.any_fee {
            AnyFee::Rate => json!(0),
            AnyFee::Flag => json!(true),
        }
    }

    /// How messages name a wallet.
    pub(crate) fn wallet_name(&self, configured: &str) -> String {
        if self.has_wallets { configured.to_owned() } else { "of the node".to_owned() }
    }
}
