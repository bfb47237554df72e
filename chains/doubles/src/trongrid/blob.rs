//! Reads a signed transaction, and checks its signature.

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use prost::Message;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sha3::Keccak256;

#[derive(Clone, PartialEq, Message)]
struct Transaction {
    #[prost(bytes = "vec", tag = "1")]
    raw_data: Vec<u8>,
    #[prost(bytes = "vec", repeated, tag = "2")]
    signature: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
struct Raw {
    #[prost(bytes = "vec", tag = "1")]
    ref_block_bytes: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    ref_block_hash: Vec<u8>,
    #[prost(int64, tag = "8")]
    expiration: i64,
    #[prost(message, repeated, tag = "11")]
    contract: Vec<Contract>,
    #[prost(int64, tag = "14")]
    timestamp: i64,
    #[prost(int64, tag = "18")]
    fee_limit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Contract {
    #[prost(int32, tag = "1")]
    kind: i32,
    #[prost(message, optional, tag = "2")]
    parameter: Option<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// The fields of both kinds that have the same numbers: owner, then recipient or contract, then an amount.
#[derive(Clone, PartialEq, Message)]
struct Parameter {
    #[prost(bytes = "vec", tag = "1")]
    owner: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    to: Vec<u8>,
    #[prost(int64, tag = "3")]
    amount: i64,
    #[prost(bytes = "vec", tag = "4")]
    data: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Transfer {
        amount: u64,
    },
    /// `transfer(address,uint256)`, or another function.
    Call {
        transfer: Option<(String, u128)>,
    },
}

#[derive(Clone, Debug)]
pub struct Submitted {
    pub id: String,
    pub owner: String,
    /// The recipient, or the contract.
    pub to: String,
    pub action: Action,
    pub ref_block_bytes: Vec<u8>,
    pub ref_block_hash: Vec<u8>,
    pub expiration: u64,
    pub fee_limit: u64,
    pub bytes: u64,
    /// As servers show it.
    pub json: Value,
}

/// `None` for anything but a transfer or a call that its owner signed.
pub fn read(blob: &[u8]) -> Option<Submitted> {
    let transaction = Transaction::decode(blob).ok()?;
    let id: [u8; 32] = Sha256::digest(&transaction.raw_data).into();
    let raw = Raw::decode(&transaction.raw_data[..]).ok()?;
    let [contract] = &raw.contract[..] else { return None };
    let [signature] = &transaction.signature[..] else { return None };
    let any = contract.parameter.as_ref()?;
    let parameter = Parameter::decode(&any.value[..]).ok()?;
    if signer(&id, signature)? != parameter.owner {
        return None;
    }
    let name = any.type_url.strip_prefix("type.googleapis.com/protocol.")?;
    let (owner, to) = (hex::encode(&parameter.owner), hex::encode(&parameter.to));
    let (action, value) = match (contract.kind, name) {
        (1, "TransferContract") => {
            let amount = u64::try_from(parameter.amount).ok()?;
            let value = json!({"owner_address": owner, "to_address": to, "amount": amount});
            (Action::Transfer { amount }, value)
        }
        (31, "TriggerSmartContract") => {
            let data = hex::encode(&parameter.data);
            let value = json!({"owner_address": owner, "contract_address": to, "data": data});
            (Action::Call { transfer: read_transfer(&parameter.data) }, value)
        }
        _ => return None,
    };
    let json = json!({
        "txID": hex::encode(id), "visible": false, "raw_data_hex": hex::encode(&transaction.raw_data), "signature": [hex::encode(signature)],
        "raw_data": {
            "contract": [{"parameter": {"value": value, "type_url": any.type_url}, "type": name}],
            "ref_block_bytes": hex::encode(&raw.ref_block_bytes), "ref_block_hash": hex::encode(&raw.ref_block_hash),
            "expiration": raw.expiration, "timestamp": raw.timestamp, "fee_limit": raw.fee_limit
        }
    });
    Some(Submitted {
        id: hex::encode(id),
        owner,
        to,
        action,
        ref_block_bytes: raw.ref_block_bytes,
        ref_block_hash: raw.ref_block_hash,
        expiration: u64::try_from(raw.expiration).ok()?,
        fee_limit: u64::try_from(raw.fee_limit).ok()?,
        bytes: u64::try_from(blob.len()).ok()?,
        json,
    })
}

/// Recipient and amount.
pub fn read_transfer(data: &[u8]) -> Option<(String, u128)> {
    let arguments = data.strip_prefix(&[0xa9, 0x05, 0x9c, 0xbb])?;
    let (to, value) = arguments.split_at_checked(32)?;
    let value: [u8; 32] = value.try_into().ok()?;
    let low = u128::from_be_bytes(value[16..].try_into().ok()?);
    value[..16].iter().all(|byte| *byte == 0).then(|| (format!("41{}", hex::encode(&to[12..])), low))
}

/// The account, with its version.
fn signer(hash: &[u8], signature: &[u8]) -> Option<Vec<u8>> {
    let (parts, recovery) = signature.split_at_checked(64)?;
    let [recovery] = recovery else { return None };
    let recovery = RecoveryId::from_byte(recovery.checked_sub(27)?)?;
    let parts = Signature::from_slice(parts).ok()?;
    let key = VerifyingKey::recover_from_prehash(hash, &parts, recovery).ok()?;
    let point = key.to_encoded_point(false);
    let hash = Keccak256::digest(&point.as_bytes()[1..]);
    Some([&[0x41], &hash[12..]].concat())
}
