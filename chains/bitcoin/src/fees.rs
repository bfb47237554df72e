//! Miner fees of payouts, and of deposits that count as instant.

use checkout_core::Amount;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::rpc::Node;
use crate::settings::DECIMALS;
use checkout_chain_http::NodeError;

/// Bounds of the fee rate, in atoms per 1,000 virtual bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeeLimits {
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

/// Returns the fee rate of payouts, in coins per 1,000 virtual bytes: the node's estimate, raised to the
/// memory pool's minimum and capped at the limit. If the market rate exceeds the cap, a payout waits in the
/// memory pool until fees fall.
pub(crate) async fn rate(node: &Node, limits: FeeLimits) -> Result<String, NodeError> {
    let rate = limited(needed(node, limits.fallback).await?, limits);
    Ok(Amount::from_atoms(rate).unwrap_or(Amount::ZERO).to_text(DECIMALS))
}

/// Virtual bytes of a transaction with one P2PKH input and two outputs; those with other inputs are smaller.
const REFUND: u128 = 226;

/// The current fee of a refund, in atoms.
pub(crate) async fn of_refund(node: &Node, limits: FeeLimits) -> Result<i64, NodeError> {
    let rate = limited(needed(node, limits.fallback).await?, limits);
    Ok(i64::try_from(rate.saturating_mul(REFUND).div_ceil(1_000)).unwrap_or(i64::MAX))
}

/// In atoms per 1,000 virtual bytes.
pub(crate) async fn needed(node: &Node, fallback: u128) -> Result<u128, NodeError> {
    let pool: Pool = node.call("getmempoolinfo", json!([])).await?;
    let answer = match node.dialect.estimate {
        (method, None) => node.call(method, json!([])).await.map(Some),
        (method, Some(target)) => {
            let smart = node.call::<Estimate>(method, json!([target])).await;
            smart.map(|estimate| estimate.feerate)
        }
    };
    let estimate: Option<Box<RawValue>> = match answer {
        Ok(estimate) => estimate,
        Err(NodeError::Refused { .. }) => None,
        Err(error) => return Err(error),
    };
    // Dogecoin Core has -1 for none, which is no amount.
    let estimate = estimate.as_deref().and_then(atoms);
    Ok(chosen(estimate, atoms(&pool.mempoolminfee).unwrap_or(0), fallback))
}

pub(crate) fn atoms(text: &RawValue) -> Option<u128> {
    Amount::parse(text.get(), DECIMALS).ok().map(Amount::atoms)
}

fn chosen(estimate: Option<u128>, least: u128, fallback: u128) -> u128 {
    estimate.unwrap_or(fallback).max(least)
}

/// By how much the fee rate of a replacement has to rise, if the node does not say.
pub(crate) const LEAST_STEP: u128 = 1_000;

/// The fee rate of a transaction that replaces one with rate `paid`: what the network wants, at least a quarter more than
/// before. `step` is what nodes ask for relaying another transaction. Returns `None` if the cap leaves no room for that.
pub(crate) fn raised(paid: u128, step: u128, wanted: u128, most: u128) -> Option<u128> {
    let least = paid.saturating_add(paid.div_ceil(4).max(step));
    (least <= most).then(|| wanted.min(most).max(least))
}

fn limited(rate: u128, limits: FeeLimits) -> u128 {
    rate.min(limits.most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_between_the_minimum_and_the_cap() {
        let limits = FeeLimits { most: 1_000, fallback: 100 };
        let check = |estimate, least, expected| {
            assert_eq!(limited(chosen(estimate, least, limits.fallback), limits), expected);
        };
        check(Some(500), 10, 500);
        check(None, 10, 100);
        check(None, 200, 200);
        check(Some(5_000), 10, 1_000);
        check(Some(500), 700, 700);
    }

    #[test]
    fn a_replacement_pays_a_quarter_more_or_what_the_network_wants() {
        let check = |paid, wanted, most, expected| {
            assert_eq!(raised(paid, 1_000, wanted, most), expected, "{paid} {wanted} {most}");
        };
        check(20_000, 10_000, 100_000, Some(25_000));
        check(20_000, 60_000, 100_000, Some(60_000));
        check(20_000, 600_000, 100_000, Some(100_000));
        check(1_000, 1_000, 100_000, Some(2_000));
        check(80_001, 1_000, 100_000, None);
        check(80_000, 1_000, 100_000, Some(100_000));
    }
}
