//! Calls to token contracts, and the `Transfer` event (ERC-20, BEP-20).

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall as _, SolEvent as _, sol};

use crate::node::answers::Log;
use crate::node::{At, Node};
use checkout_chain_http::NodeError;

sol! {
    event Transfer(address indexed from, address indexed to, uint256 value);
    function transfer(address to, uint256 value) returns (bool);
    function balanceOf(address account) returns (uint256);
    function decimals() returns (uint8);
}

pub const TRANSFER: B256 = Transfer::SIGNATURE_HASH;

/// Returns sender, recipient and amount. `None` for an event with the same name but another form, such as an
/// NFT's.
pub fn read_transfer(log: &Log) -> Option<(Address, Address, U256)> {
    let event = Transfer::decode_raw_log_validate(log.topics.iter().copied(), &log.data).ok()?;
    Some((event.from, event.to, event.value))
}

pub fn transfer_data(to: Address, value: U256) -> Bytes {
    transferCall { to, value }.abi_encode().into()
}

pub async fn balance(node: &Node, contract: Address, account: Address, at: At) -> Result<U256, NodeError> {
    let data = balanceOfCall { account }.abi_encode().into();
    let answer = node.read_contract(contract, data, at).await?;
    balanceOfCall::abi_decode_returns(&answer).map_err(|error| NodeError::malformed("eth_call", error))
}

pub async fn decimals(node: &Node, contract: Address) -> Result<u8, NodeError> {
    let answer = node.read_contract(contract, decimalsCall {}.abi_encode().into(), At::Latest).await?;
    decimalsCall::abi_decode_returns(&answer).map_err(|error| NodeError::malformed("eth_call", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfer_events_are_recognized() {
        let word = |number: u8| B256::left_padding_from(&[number]);
        let value = U256::from(5).to_be_bytes_vec();
        let check = |topics: Vec<B256>, data: Vec<u8>, expected: Option<(u8, u8, u64)>| {
            let log = Log {
                address: Address::ZERO,
                topics,
                data: data.into(),
                block_hash: None,
                transaction_hash: None,
                log_index: None,
                removed: false,
            };
            let expected = expected.map(|(from, to, value)| {
                (Address::with_last_byte(from), Address::with_last_byte(to), U256::from(value))
            });
            assert_eq!(read_transfer(&log), expected, "{:?}", log.topics);
        };
        check(vec![TRANSFER, word(1), word(2)], value.clone(), Some((1, 2, 5)));
        // ERC-721 has the id as a third indexed topic.
        check(vec![TRANSFER, word(1), word(2), word(5)], Vec::new(), None);
        check(vec![TRANSFER, word(1), word(2)], Vec::new(), None);
        check(vec![TRANSFER, word(1), word(2)], vec![0; 31], None);
        check(vec![TRANSFER], [vec![0; 64], value.clone()].concat(), None);
        check(vec![word(9), word(1), word(2)], value, None);
    }
}
