//! What a transaction has to pay to miners.

use checkout_core::Amount;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::rpc::{Node, RpcError};
use crate::settings::DECIMALS;

/// Within how many blocks a payout is to be confirmed.
const TARGET: u32 = 6;

/// Limits of the rate, in atoms per 1,000 virtual bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) most: u128,
    pub(crate) fallback: u128,
}

#[derive(Deserialize)]
struct Estimate {
    #[serde(default)]
    feerate: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Pool {
    mempoolminfee: Box<RawValue>,
}

/// The rate of payouts, in coins per 1,000 virtual bytes: what the node estimates, at least what its memory pool takes, at
/// most the limit. A payout above the limit is not sent for more; it waits in the memory pool for fees to fall.
pub(crate) async fn rate(node: &Node, limits: Limits) -> Result<String, RpcError> {
    let pool: Pool = node.call("getmempoolinfo", json!([])).await?;
    // Bitcoin Cash Node has `estimatefee` instead, and no queue of fees: its minimum is enough.
    let estimate = match node.call::<Estimate>("estimatesmartfee", json!([TARGET])).await {
        Ok(estimate) => estimate.feerate,
        Err(RpcError::Node { .. }) => None,
        Err(error) => return Err(error),
    };
    let estimate = estimate.as_deref().and_then(atoms);
    let rate = chosen(estimate, atoms(&pool.mempoolminfee).unwrap_or(0), limits);
    Ok(Amount::from_atoms(rate).unwrap_or(Amount::ZERO).to_text(DECIMALS))
}

fn atoms(text: &RawValue) -> Option<u128> {
    Amount::parse(text.get(), DECIMALS).ok().map(Amount::atoms)
}

fn chosen(estimate: Option<u128>, least: u128, limits: Limits) -> u128 {
    estimate.unwrap_or(limits.fallback).max(least).min(limits.most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_between_what_the_node_takes_and_the_limit() {
        let limits = Limits { most: 1_000, fallback: 100 };
        let check = |estimate, least, expected| assert_eq!(chosen(estimate, least, limits), expected);
        check(Some(500), 10, 500);
        check(None, 10, 100);
        check(None, 200, 200);
        check(Some(5_000), 10, 1_000);
        check(Some(500), 700, 700);
    }
}
