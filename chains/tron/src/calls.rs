//! What the transactions of a block are to do, as far as they are transfers of tokens.

use alloy_primitives::{Address, B256, U256, hex};
use checkout_chain_http::Fields;
use serde_json::value::RawValue;

use crate::account;

/// `transfer(address,uint256)`
pub(crate) const TRANSFER_CALL: [u8; 4] = [0xa9, 0x05, 0x9c, 0xbb];

/// `transferFrom(address,address,uint256)`
const TRANSFER_FROM_CALL: [u8; 4] = [0x23, 0xb8, 0x72, 0xdd];

/// A transaction that calls a contract to transfer, whatever came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledTransfer {
    pub contract: Address,
    pub to: Address,
}

/// `None` for one that does something else, or transfers nothing.
pub fn read_call(transaction: &Fields) -> Option<CalledTransfer> {
    let contracts: Vec<Box<RawValue>> = transaction.object("raw_data").ok()?.need("contract").ok()?;
    let call = Fields::of(contracts.first()?).ok()?.object("parameter").ok()?.object("value").ok()?;
    let data = hex::decode(call.need::<String>("data").ok()?).ok()?;
    let words = match data.split_at_checked(4)? {
        (selector, words) if selector == TRANSFER_CALL => words,
        (selector, words) if selector == TRANSFER_FROM_CALL => words.get(32..)?,
        _ => return None,
    };
    let amount = U256::try_from_be_slice(words.get(32..64)?)?;
    let to = Address::from_word(B256::from_slice(words.get(..32)?));
    let contract = account::read_any(&call.need::<String>("contract_address").ok()?)?;
    (!amount.is_zero()).then_some(CalledTransfer { contract, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_transfers_or_it_does_not() {
        let word = |number: u8| hex::encode(B256::left_padding_from(&[number]));
        let check = |data: &str, expected: Option<u8>| {
            let text = format!(
                r#"{{"raw_data":{{"contract":[{{"parameter":{{"value":{{"data":"{data}",
                    "contract_address":"41a614f803b6fd780986a42c78ec9c7f77e6ded13c"}}}}}}]}}}}"#
            );
            let fields = Fields::of(&RawValue::from_string(text).unwrap()).unwrap();
            let to = read_call(&fields).map(|called| called.to);
            assert_eq!(to, expected.map(Address::with_last_byte), "{data}");
        };
        check(&format!("a9059cbb{}{}", word(2), word(5)), Some(2));
        check(&format!("23b872dd{}{}{}", word(1), word(2), word(5)), Some(2));
        check(&format!("a9059cbb{}{}", word(2), word(0)), None);
        check(&format!("095ea7b3{}{}", word(2), word(5)), None);
        check(&format!("a9059cbb{}", word(2)), None);
        check("a9", None);
        check("?", None);
    }
}
