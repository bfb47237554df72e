//! A block with its transactions. One that contradicts its own header is no answer; a transaction that cannot be read costs
//! no other one.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, Bloom, BloomInput, U64, U256, b256};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::lenient::lenient;

/// The root of an empty list (Yellow Paper, appendix D).
const NO_TRANSACTIONS: B256 = b256!("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");

#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Answered")]
pub struct Block {
    pub hash: B256,
    pub parent_hash: B256,
    pub number: u64,
    pub timestamp: u64,
    /// The bloom filter of the block's logs; `None` if the node does not tell it.
    pub logs_bloom: Option<Bloom>,
    pub transactions: Vec<Transaction>,
    /// Those that cannot be read.
    pub odd: Vec<OddTransaction>,
    /// Of all of them, in the order of the block.
    pub hashes: Vec<Option<B256>>,
}

#[derive(Clone, Debug)]
pub struct OddTransaction {
    /// Its hash, or else its block and place.
    pub name: String,
    pub why: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    pub hash: B256,
    pub from: Address,
    /// `None` for the creation of a contract. It must be there.
    #[serde(deserialize_with = "Option::deserialize")]
    pub to: Option<Address>,
    pub value: U256,
    /// The limit.
    #[serde(default, deserialize_with = "lenient")]
    gas: Option<U64>,
}

/// What every transaction costs at least. One with no more gas runs no code.
pub(super) const PLAIN_GAS: u64 = 21_000;

impl Transaction {
    /// Its hash, if no contract can move coins in it.
    pub fn plain(&self) -> Option<B256> {
        (self.gas?.to::<u64>() == PLAIN_GAS).then_some(self.hash)
    }
}

impl Block {
    /// Whether the block can have a log of one of these contracts with this topic. Many blocks can have one, and have none.
    pub fn may_have(&self, contracts: &[Address], topic: B256) -> bool {
        let has =
            |bytes: &[u8]| self.logs_bloom.is_none_or(|bloom| bloom.contains_input(BloomInput::Raw(bytes)));
        !self.hashes.is_empty()
            && has(topic.as_slice())
            && contracts.iter().any(|contract| has(contract.as_slice()))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answered {
    hash: B256,
    parent_hash: B256,
    number: U64,
    timestamp: U64,
    #[serde(default, deserialize_with = "lenient")]
    logs_bloom: Option<Bloom>,
    #[serde(default, deserialize_with = "lenient")]
    transactions_root: Option<B256>,
    #[serde(default, deserialize_with = "lenient")]
    gas_used: Option<U256>,
    transactions: Vec<Box<RawValue>>,
}

/// The parts that also an odd transaction can have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NamedTransaction {
    #[serde(default, deserialize_with = "lenient")]
    hash: Option<B256>,
    #[serde(default, deserialize_with = "lenient")]
    transaction_index: Option<U64>,
}

impl TryFrom<Answered> for Block {
    type Error = String;

    fn try_from(answered: Answered) -> Result<Self, String> {
        let Answered {
            hash, parent_hash, number, timestamp, logs_bloom, transactions_root, gas_used, ..
        } = answered;
        let contradicts = |why: &str| Err(format!("block {number} contradicts its header: {why}"));
        if answered.transactions.is_empty() {
            if transactions_root.is_some_and(|root| !root.is_zero() && root != NO_TRANSACTIONS) {
                return contradicts("it has no transactions, and the root of some");
            }
            if gas_used.is_some_and(|gas| !gas.is_zero()) {
                return contradicts("it has no transactions, and used gas");
            }
        }
        let mut listed = Vec::with_capacity(answered.transactions.len());
        let (mut places, mut next) = (BTreeMap::new(), 0_u64);
        for raw in &answered.transactions {
            let named = serde_json::from_str(raw.get())
                .unwrap_or(NamedTransaction { hash: None, transaction_index: None });
            let told = named.transaction_index.map(|index| index.to::<u64>());
            // Some servers list a transaction twice, or in another order.
            if let Some(place) = named.hash.and_then(|hash| places.get(&hash)) {
                if told.is_none_or(|told| told == *place) {
                    continue;
                }
                return contradicts("a transaction is in two places");
            }
            let index = told.unwrap_or(next);
            next += 1;
            places.extend(named.hash.map(|hash| (hash, index)));
            listed.push((index, named.hash, serde_json::from_str::<Transaction>(raw.get())));
        }
        listed.sort_by_key(|(index, ..)| *index);
        if (0..).zip(&listed).any(|(place, (index, ..))| place != *index) {
            return contradicts("a transaction is missing");
        }
        let (mut transactions, mut odd, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for (place, named, read) in listed {
            hashes.push(named);
            match read {
                Ok(transaction) => transactions.push(transaction),
                Err(error) => {
                    let name = named.map_or_else(|| format!("{hash}:{place}"), |named| named.to_string());
                    odd.push(OddTransaction {
                        name,
                        why: format!("it cannot be read in its block: {error}"),
                    });
                }
            }
        }
        let (number, timestamp) = (number.to(), timestamp.to());
        Ok(Self { hash, parent_hash, number, timestamp, logs_bloom, transactions, odd, hashes })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(mut object: Value, fields: Value) -> Value {
        let (Value::Object(all), Value::Object(more)) = (&mut object, fields) else { panic!("no objects") };
        all.extend(more);
        object
    }

    fn block(fields: Value) -> Value {
        let block = json!({
            "hash": B256::with_last_byte(1), "parentHash": B256::with_last_byte(2), "number": "0x7",
            "timestamp": "0x64", "transactions": [],
        });
        with(block, fields)
    }

    fn transaction(number: u8, fields: Value) -> Value {
        let transaction = json!({
            "hash": B256::with_last_byte(number), "from": Address::ZERO, "to": null, "value": "0x1",
            "transactionIndex": format!("{:#x}", number - 1),
        });
        with(transaction, fields)
    }

    #[test]
    fn an_answer_that_contradicts_its_header_is_none() {
        let plain = || transaction(1, json!({}));
        let check = |fields, expected: Option<&str>| {
            let read: Result<Block, _> = serde_json::from_value(block(fields));
            match expected {
                None => drop(read.unwrap()),
                Some(why) => assert!(read.unwrap_err().to_string().contains(why), "{why}"),
            }
        };
        let some = B256::with_last_byte(9);
        check(json!({"transactionsRoot": NO_TRANSACTIONS, "gasUsed": "0x0"}), None);
        check(json!({"transactionsRoot": B256::ZERO}), None);
        check(json!({"transactionsRoot": null, "logsBloom": "0x", "gasUsed": []}), None);
        check(json!({"transactionsRoot": some, "transactions": [plain()]}), None);
        check(json!({"transactionsRoot": some}), Some("the root of some"));
        check(json!({"gasUsed": "0x5208"}), Some("used gas"));
        check(
            json!({"transactions": [plain(), transaction(3, json!({}))]}),
            Some("a transaction is missing"),
        );
        check(
            json!({"transactions": [plain(), transaction(1, json!({"transactionIndex": "0x1"}))]}),
            Some("a transaction is in two places"),
        );
        check(json!({"transactions": null}), Some("invalid type"));
        check(json!({"number": null}), Some("invalid type"));
    }

    #[test]
    fn an_odd_transaction_costs_no_other_one() {
        let check = |transactions: &[Value], readable: &[u8], odd: &[&str]| {
            let read: Block = serde_json::from_value(block(json!({"transactions": transactions}))).unwrap();
            let hashes: Vec<B256> = read.transactions.iter().map(|transaction| transaction.hash).collect();
            let expected: Vec<B256> = readable.iter().map(|number| B256::with_last_byte(*number)).collect();
            let names: Vec<&str> = read.odd.iter().map(|odd| odd.name.as_str()).collect();
            assert_eq!((hashes, names), (expected, odd.to_vec()), "{transactions:?}");
        };
        let of = |number| transaction(number, json!({}));
        let second = B256::with_last_byte(2).to_string();
        check(&[of(1), of(2)], &[1, 2], &[]);
        check(&[of(2), of(1), of(2)], &[1, 2], &[]);
        let placeless = |number| transaction(number, json!({"transactionIndex": null}));
        check(&[placeless(1), placeless(2), placeless(2), placeless(3)], &[1, 2, 3], &[]);
        check(&[of(1), transaction(2, json!({"value": null}))], &[1], &[&second]);
        check(&[of(1), transaction(2, json!({"from": "0x12"}))], &[1], &[&second]);
        let mut without = of(2);
        without.as_object_mut().unwrap().remove("to");
        check(&[of(1), without], &[1], &[&second]);
        check(&[of(1), transaction(2, json!({"value": "0x1".repeat(40)}))], &[1], &[&second]);
        let nameless = format!("{}:1", B256::with_last_byte(1));
        check(&[of(1), transaction(2, json!({"hash": null}))], &[1], &[&nameless]);
        check(&[of(1), json!(null)], &[1], &[&nameless]);
        check(&[of(1), json!("0x12")], &[1], &[&nameless]);
    }

    #[test]
    fn a_plain_transfer_runs_no_code() {
        let check = |fields, expected| {
            let read: Transaction = serde_json::from_value(transaction(1, fields)).unwrap();
            assert_eq!(read.plain().is_none(), expected);
        };
        check(json!({"gas": "0x5208"}), false);
        check(json!({"gas": "0x5209"}), true);
        check(json!({"gas": null}), true);
        check(json!({}), true);
    }
}
