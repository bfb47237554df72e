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

/// Recipient and amount of a call that transfers. `None` for any other call.
pub fn read_call(data: &[u8]) -> Option<(Address, U256)> {
    transferCall::abi_decode(data).ok().map(|call| (call.to, call.value))
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
    use checkout_core::pair::EVERY_PAIR;
    use checkout_core::{Amount, Pair, browser_wallet};

    use super::*;

    /// The page has a wallet sign what the core writes.
    #[test]
    fn the_core_encodes_calls_as_alloy_does() {
        // From EIP-55.
        let texts = [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        ];
        let check = |pair: &Pair, text: &str, atoms: u128| {
            let to = checkout_core::Address::parse(pair.network, text).expect("an address");
            let account: Address = text.parse().expect("an account");
            let sent = browser_wallet::payment(pair, &to, Amount::from_atoms(atoms).expect("an amount"));
            let data = transfer_data(account, U256::from(atoms)).to_string();
            assert_eq!(sent.map(|call| call.data), Some(data), "{atoms} to {text}");
            let read = browser_wallet::balance(pair, &to);
            let data = Bytes::from(balanceOfCall { account }.abi_encode()).to_string();
            assert_eq!(read.map(|call| call.data), Some(data), "{text}");
        };
        let is_evm = |pair: &&Pair| pair.network.spec().chain_id().is_some();
        for pair in EVERY_PAIR.iter().filter(|pair| pair.contract.is_some()).filter(is_evm) {
            for (text, atoms) in texts.into_iter().zip([1, 25_500_000, Amount::MAX.atoms()]) {
                check(pair, text, atoms);
            }
        }
    }

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
                removed: Some(false),
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
