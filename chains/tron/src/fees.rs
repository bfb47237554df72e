//! The cost of a transaction: TRX is burned for the energy and the bandwidth that the account does not have.

use alloy_primitives::Address;

use crate::answers::Parameters;
use crate::node::Node;
use crate::tokens::ContractCall;
use checkout_chain_http::NodeError;

/// Bytes of a transfer of a token with its signature and what servers add, rounded up.
const BYTES: u64 = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Sun for a unit of energy, and for a byte.
    pub energy: u64,
    pub bandwidth: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fee {
    /// The most that may be burned for energy, in sun; it stands in the transaction.
    pub limit: u64,
    /// The TRX that the account needs, in sun: it has some energy and bandwidth for nothing.
    pub needed: u64,
}

/// The cost of a call.
pub enum Estimate {
    Fee(Fee),
    /// More than the cap, in sun.
    TooDear(u64),
    /// The contract refuses the call.
    Reverted,
}

pub async fn prices(node: &Node) -> Result<Prices, NodeError> {
    let parameters = node.parameters().await?;
    Ok(Prices {
        energy: parameter(&parameters, "getEnergyFee")?,
        bandwidth: parameter(&parameters, "getTransactionFee")?,
    })
}

fn parameter(parameters: &Parameters, key: &str) -> Result<u64, NodeError> {
    let found = parameters.all.iter().find(|parameter| parameter.key == key);
    let value = found.and_then(|parameter| u64::try_from(parameter.value).ok()).filter(|value| *value > 0);
    value.ok_or_else(|| NodeError::malformed("wallet/getchainparameters", format!("there is no {key}")))
}

pub async fn estimate(
    node: &Node,
    owner: Address,
    contract: Address,
    call: &ContractCall,
    cap: u64,
) -> Result<Estimate, NodeError> {
    computed(node, owner, contract, call, |energy, prices, own| fee(energy, prices, own, cap)).await
}

/// The current cost of the call with this many times its energy, without the margin of [`estimate`].
pub async fn burned(
    node: &Node,
    owner: Address,
    contract: Address,
    call: &ContractCall,
    (times, cap): (u64, u64),
) -> Result<Estimate, NodeError> {
    let exact = |energy: u64, prices, own| exact(energy.saturating_mul(times), prices, own, cap);
    computed(node, owner, contract, call, exact).await
}

async fn computed(
    node: &Node,
    owner: Address,
    contract: Address,
    call: &ContractCall,
    fee: impl Fn(u64, Prices, (u64, u64)) -> Estimate,
) -> Result<Estimate, NodeError> {
    let answer = node.constant(owner, contract, call).await?;
    if answer.is_reverted() {
        return Ok(Estimate::Reverted);
    }
    if answer.energy_used == 0 {
        return Err(NodeError::malformed("wallet/triggerconstantcontract", "the call takes no energy"));
    }
    let prices = prices(node).await?;
    let resources = node.resources(owner).await?;
    Ok(fee(answer.energy_used, prices, (resources.energy(), resources.bandwidth())))
}

/// A quarter above the estimate, because the energy of a busy contract rises. Unused energy is not charged.
fn fee(energy: u64, prices: Prices, (own_energy, own_bandwidth): (u64, u64), cap: u64) -> Estimate {
    let least = energy.saturating_mul(prices.energy);
    if least > cap {
        return Estimate::TooDear(least);
    }
    let limit = least.saturating_add(least / 4).min(cap);
    charged(limit, prices, (own_energy, own_bandwidth))
}

fn exact(energy: u64, prices: Prices, own: (u64, u64), cap: u64) -> Estimate {
    let least = energy.saturating_mul(prices.energy);
    if least > cap { Estimate::TooDear(least) } else { charged(least, prices, own) }
}

fn charged(limit: u64, prices: Prices, (own_energy, own_bandwidth): (u64, u64)) -> Estimate {
    let burned = limit.saturating_sub(own_energy.saturating_mul(prices.energy));
    let bytes = if own_bandwidth >= BYTES { 0 } else { BYTES };
    Estimate::Fee(Fee { limit, needed: burned.saturating_add(bytes.saturating_mul(prices.bandwidth)) })
}

/// The maximum cost of a transfer of TRX, in sun; more where the recipient does not exist yet.
pub async fn transfer(node: &Node, owner: Address) -> Result<u64, NodeError> {
    let resources = node.resources(owner).await?;
    let bytes = if resources.bandwidth() >= BYTES { 0 } else { BYTES };
    Ok(bytes.saturating_mul(prices(node).await?.bandwidth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fees_are_capped() {
        let prices = Prices { energy: 100, bandwidth: 1000 };
        let check = |own: (u64, u64), cap, expected: Option<(u64, u64)>| {
            let have = match fee(65_000, prices, own, cap) {
                Estimate::Fee(fee) => Some((fee.limit, fee.needed)),
                _ => None,
            };
            assert_eq!(have, expected, "{own:?}, at most {cap}");
        };
        check((0, 0), 50_000_000, Some((8_125_000, 8_525_000)));
        check((0, 600), 50_000_000, Some((8_125_000, 8_125_000)));
        check((65_000, 600), 50_000_000, Some((8_125_000, 1_625_000)));
        check((100_000, 600), 50_000_000, Some((8_125_000, 0)));
        check((0, 0), 7_000_000, Some((7_000_000, 7_400_000)));
        check((0, 0), 6_499_999, None);
    }
}
