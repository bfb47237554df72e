//! The fee for a transaction's data on Ethereum, which chains of the OP Stack take from the sender besides gas:
//! <https://docs.optimism.io/op-stack/transactions/fees>. No field of a transaction limits it.

use alloy_consensus::{SignableTransaction as _, TypedTransaction};
use alloy_primitives::{Address, U256, address};
use alloy_sol_types::{SolCall as _, sol};

use crate::networks;
use crate::node::{At, Node};
use crate::settings::Settings;
use checkout_chain_http::NodeError;

/// The predeployed contract `GasPriceOracle`.
pub const ORACLE: Address = address!("420000000000000000000000000000000000000F");

sol! {
    function getL1Fee(bytes data) returns (uint256);
}

/// The present cost of the data of a transaction, in wei; 0 on other chains.
pub(crate) async fn l1_fee(
    node: &Node,
    settings: &Settings,
    transaction: &TypedTransaction,
) -> Result<U256, NodeError> {
    if !networks::row(settings.network).has_l1_fee {
        return Ok(U256::ZERO);
    }
    let data = getL1FeeCall { data: transaction.encoded_for_signing().into() }.abi_encode();
    let answer = node.read_contract(ORACLE, data.into(), At::Latest).await?;
    getL1FeeCall::abi_decode_returns(&answer).map_err(|error| NodeError::malformed("eth_call", error))
}

/// The balance that the account must have for it: twice the fee, because the price follows Ethereum's base fee, which rises by an eighth
/// with each block at most.
pub(crate) fn reserve(fee: U256) -> U256 {
    fee.saturating_mul(U256::from(2))
}
