//! Calls of token contracts, and their one event that matters (TRC-20, which is ERC-20).

use alloy_primitives::{Address, B256, U256, b256, hex};

use crate::account;
use crate::answers::Log;
use crate::calls::TRANSFER_CALL;

/// `Transfer(address,address,uint256)`
pub(crate) const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");

/// A function by its signature, which servers hash themselves, and its arguments.
pub struct ContractCall {
    pub function: &'static str,
    pub arguments: Vec<u8>,
}

pub fn transfer(to: Address, value: U256) -> ContractCall {
    let arguments = [to.into_word().to_vec(), value.to_be_bytes_vec()].concat();
    ContractCall { function: "transfer(address,uint256)", arguments }
}

pub fn balance_of(account: Address) -> ContractCall {
    ContractCall { function: "balanceOf(address)", arguments: account.into_word().to_vec() }
}

pub fn decimals() -> ContractCall {
    ContractCall { function: "decimals()", arguments: Vec::new() }
}

/// The data of a transaction that transfers.
pub fn transfer_data(to: Address, value: U256) -> Vec<u8> {
    [TRANSFER_CALL.to_vec(), transfer(to, value).arguments].concat()
}

/// Contract, sender, recipient and amount. `None` for an event of another form, such as that of an NFT.
pub fn read_transfer(log: &Log) -> Option<(Address, Address, Address, U256)> {
    let [TRANSFER, from, to] = log.topics[..] else { return None };
    let data = hex::decode(&log.data).ok()?;
    let value = U256::from_be_bytes(<[u8; 32]>::try_from(data).ok()?);
    Some((account::read_any(&log.address)?, Address::from_word(from), Address::from_word(to), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_transfer_or_it_is_not() {
        let word = |number: u8| B256::left_padding_from(&[number]);
        let value = hex::encode(U256::from(5).to_be_bytes_vec());
        let contract = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
        let check = |topics: Vec<B256>, data: &str, expected: Option<(u8, u8, u64)>| {
            let log = Log { address: contract.to_owned(), topics, data: data.to_owned() };
            let expected = expected.map(|(from, to, value)| {
                let at = |byte| Address::with_last_byte(byte);
                (account::read_any(contract).unwrap(), at(from), at(to), U256::from(value))
            });
            assert_eq!(read_transfer(&log), expected, "{log:?}");
        };
        check(vec![TRANSFER, word(1), word(2)], &value, Some((1, 2, 5)));
        // An NFT has its id as a third indexed field.
        check(vec![TRANSFER, word(1), word(2), word(5)], "", None);
        check(vec![TRANSFER, word(1), word(2)], "", None);
        check(vec![TRANSFER, word(1), word(2)], &value[2..], None);
        check(vec![TRANSFER], &value, None);
        check(vec![word(9), word(1), word(2)], &value, None);
    }
}
