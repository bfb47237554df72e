//! Gas prices of payouts.

use alloy_primitives::U256;
use serde_json::json;

use crate::node::Node;
use crate::node::answers::Header;
use checkout_chain_http::NodeError;

/// The price per unit of gas, in wei.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GasPrice {
    Eip1559 { max: u128, tip: u128 },
    Legacy(u128),
}

impl GasPrice {
    /// The maximum price per unit of gas.
    pub(crate) fn most(self) -> u128 {
        match self {
            Self::Eip1559 { max, .. } => max,
            Self::Legacy(price) => price,
        }
    }
}

/// Computes the price from the newest block and the node's suggestion. Returns `None` if the network's price
/// exceeds `cap`.
pub(crate) async fn gas_price(node: &Node, cap: u128) -> Result<Option<GasPrice>, NodeError> {
    let latest = node.latest().await?;
    let Some(base) = base_fee(&latest) else {
        let price: U256 = node.rpc.call("eth_gasPrice", json!([])).await?;
        return Ok(legacy(u128::try_from(price).unwrap_or(u128::MAX), cap));
    };
    let tip: U256 = node.rpc.call("eth_maxPriorityFeePerGas", json!([])).await?;
    Ok(eip1559(base, u128::try_from(tip).unwrap_or(u128::MAX), cap))
}

/// The price of a unit of gas in the next block. Returns `None` if that exceeds `cap`.
pub(crate) async fn price_now(node: &Node, cap: u128) -> Result<Option<u128>, NodeError> {
    let latest = node.latest().await?;
    let (method, base) = match base_fee(&latest) {
        Some(base) => ("eth_maxPriorityFeePerGas", base),
        None => ("eth_gasPrice", 0),
    };
    let price: U256 = node.rpc.call(method, json!([])).await?;
    let price = u128::try_from(price).unwrap_or(u128::MAX).saturating_add(base);
    Ok(Some(price).filter(|price| *price <= cap))
}

fn base_fee(header: &Header) -> Option<u128> {
    header.base_fee_per_gas.map(|fee| u128::try_from(fee).unwrap_or(u128::MAX))
}

/// Twice the base fee: a transaction stays valid for six full blocks in a row, each of which raises the base
/// fee by an eighth. Only base fee plus tip are paid.
fn eip1559(base: u128, tip: u128, cap: u128) -> Option<GasPrice> {
    let least = base.checked_add(tip)?;
    if least > cap {
        return None;
    }
    let max = base.saturating_mul(2).saturating_add(tip).min(cap);
    Some(GasPrice::Eip1559 { max, tip })
}

/// A fifth above the node's suggestion, so that a rise between two blocks does not delay the transaction.
fn legacy(price: u128, cap: u128) -> Option<GasPrice> {
    (price <= cap).then(|| GasPrice::Legacy(price.saturating_add(price / 5).min(cap)))
}

/// The raise that a node asks of a transaction that replaces another one with the same nonce: an eighth more. Nodes differ; none asks
/// for more.
const RAISE: u128 = 8;

/// The price of a transaction that replaces one with price `old`, when the network asks for `wanted`. Returns `None` if an
/// eighth more exceeds `cap`.
pub(crate) fn raised(old: GasPrice, wanted: Option<GasPrice>, cap: u128) -> Option<GasPrice> {
    let least = |old: u128| old.saturating_add(old.div_ceil(RAISE).max(1));
    let price = match old {
        GasPrice::Eip1559 { max, tip } => {
            let (wanted_max, wanted_tip) = match wanted {
                Some(GasPrice::Eip1559 { max, tip }) => (max, tip),
                _ => (0, 0),
            };
            let max = least(max).max(wanted_max.min(cap));
            GasPrice::Eip1559 { max, tip: least(tip).max(wanted_tip).min(max) }
        }
        GasPrice::Legacy(old) => GasPrice::Legacy(least(old).max(wanted.map_or(0, GasPrice::most).min(cap))),
    };
    (price.most() <= cap).then_some(price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_capped() {
        let check = |base, tip, cap, expected: Option<(u128, u128)>| {
            let expected = expected.map(|(max, tip)| GasPrice::Eip1559 { max, tip });
            assert_eq!(eip1559(base, tip, cap), expected, "{base} + {tip}, at most {cap}");
        };
        check(100, 2, 1000, Some((202, 2)));
        check(100, 2, 150, Some((150, 2)));
        check(100, 2, 102, Some((102, 2)));
        check(100, 2, 101, None);
        check(0, 1, 5, Some((1, 1)));
        check(u128::MAX, 1, u128::MAX, None);
        let check = |price, cap, expected: Option<u128>| {
            assert_eq!(legacy(price, cap), expected.map(GasPrice::Legacy), "{price}, at most {cap}");
        };
        check(100, 1000, Some(120));
        check(100, 110, Some(110));
        check(100, 99, None);
    }

    #[test]
    fn a_replacement_pays_an_eighth_more_or_what_the_network_asks() {
        let check = |old, wanted: Option<(u128, u128)>, cap, expected: Option<(u128, u128)>| {
            let price = |(max, tip)| GasPrice::Eip1559 { max, tip };
            assert_eq!(raised(price(old), wanted.map(price), cap), expected.map(price), "{old:?} {wanted:?}");
        };
        check((800, 8), Some((300, 8)), 10_000, Some((900, 9)));
        check((800, 8), Some((2_000, 50)), 10_000, Some((2_000, 50)));
        check((800, 8), Some((2_000, 50)), 1_000, Some((1_000, 50)));
        check((801, 9), None, 10_000, Some((902, 11)));
        check((800, 8), None, 899, None);
        check((800, 8), None, 900, Some((900, 9)));
        check((0, 0), None, 10, Some((1, 1)));
        check((8, 8), Some((0, 500)), 10, Some((9, 9)));
        let check = |old, wanted: Option<u128>, cap, expected: Option<u128>| {
            let raised = raised(GasPrice::Legacy(old), wanted.map(GasPrice::Legacy), cap);
            assert_eq!(raised, expected.map(GasPrice::Legacy), "{old} {wanted:?}");
        };
        check(80, Some(20), 1_000, Some(90));
        check(80, Some(200), 1_000, Some(200));
        check(80, None, 89, None);
    }
}
