//! A currency on a network.

use crate::currency::Currency;
use crate::network::Network;

/// A currency on a network. [`Table`](crate::Table) lists them; the fields after `decimals`, other than `contract`, are for a gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub currency: Currency,
    pub network: Network,
    /// Payers can deposit with this pair.
    pub deposit: bool,
    /// Merchants can withdraw with this pair and whitelist addresses for it.
    pub withdrawal: bool,
    /// Decimal places of one atomic unit on this network. USDT has 6 on ETH and 18 on BSC.
    pub decimals: u8,
    /// Decimal places to which a quoted deposit amount is rounded up; at most 8.
    pub quote_precision: u8,
    /// The token's contract; `None` for the network's own coin.
    pub contract: Option<&'static str>,
    pub limits: PairLimits,
    /// Who owes the token, if it is not the coin's issuer: it stands for coins that are locked elsewhere, and can lose its price
    /// while they keep theirs.
    pub wrapped_by: Option<&'static str>,
    /// Interface section 2.10 lacks it: off unless the operator configures its network and a business takes it.
    pub opt_in: bool,
}

impl Pair {
    pub(super) const fn opt_in(self) -> Self {
        Self { opt_in: true, ..self }
    }

    /// Of a network of which only addresses are checked.
    pub(super) const fn address_only(self) -> Self {
        Self { deposit: false, withdrawal: false, opt_in: true, ..self }
    }

    pub(super) const fn wrapped_by(self, issuer: &'static str) -> Self {
        Self { wrapped_by: if cfg!(feature = "page") { None } else { Some(issuer) }, ..self }
    }
}

/// The fee and limits of withdrawals with a pair, in whole coins.
///
/// Fees cover the network fee on a busy day. A minimum is at least ten fees, unless dust rules and reserves
/// require more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairLimits {
    /// The network fee, which the recipient of a refund or the merchant pays.
    pub fee: &'static str,
    pub minimum: &'static str,
    pub maximum: &'static str,
}

/// A network without a gateway has no withdrawals.
pub(super) const NO_LIMITS: PairLimits = PairLimits { fee: "0", minimum: "0", maximum: "0" };

pub(super) const fn limits(fee: &'static str, minimum: &'static str, maximum: &'static str) -> PairLimits {
    if cfg!(feature = "page") {
        return PairLimits { fee: "", minimum, maximum: "" };
    }
    PairLimits { fee, minimum, maximum }
}

/// The network's own coin.
pub(super) const fn coin(currency: Currency, network: Network, decimals: u8, limits: PairLimits) -> Pair {
    let quote_precision = if decimals < 8 { decimals } else { 8 };
    let (deposit, withdrawal) = (true, true);
    Pair {
        currency,
        network,
        deposit,
        withdrawal,
        decimals,
        quote_precision,
        contract: None,
        limits,
        wrapped_by: None,
        opt_in: false,
    }
}

pub(super) const fn token(
    currency: Currency,
    network: Network,
    decimals: u8,
    quote_precision: u8,
    contract: &'static str,
    limits: PairLimits,
) -> Pair {
    let (deposit, withdrawal, contract) = (true, true, Some(contract));
    Pair {
        currency,
        network,
        deposit,
        withdrawal,
        decimals,
        quote_precision,
        contract,
        limits,
        wrapped_by: None,
        opt_in: false,
    }
}
