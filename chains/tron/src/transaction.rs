//! Transactions as they are signed and sent: [protocol buffers], whose SHA-256 is the transaction's id.
//!
//! [protocol buffers]: https://github.com/tronprotocol/protocol/blob/master/core/Tron.proto

use alloy_primitives::{Address, B256};
use prost::Message;
use sha2::{Digest as _, Sha256};

use crate::account;
use crate::answers::Block;
use crate::key::Key;

const TRANSFER: i32 = 1;
const TRIGGER: i32 = 31;

#[derive(Clone, PartialEq, Eq, Message)]
pub struct TransactionMessage {
    #[prost(message, optional, tag = "1")]
    pub raw_data: Option<Raw>,
    #[prost(bytes = "vec", repeated, tag = "2")]
    pub signature: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Eq, Message)]
pub struct Raw {
    /// The last two bytes of the number of a recent block, and eight bytes of its id: the transaction is for chains that have it.
    #[prost(bytes = "vec", tag = "1")]
    pub ref_block_bytes: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    pub ref_block_hash: Vec<u8>,
    /// UNIX milliseconds. It gets into no block whose parent is of that time or later.
    #[prost(int64, tag = "8")]
    pub expiration: i64,
    #[prost(message, repeated, tag = "11")]
    pub contract: Vec<Contract>,
    /// UNIX milliseconds, which TRON does not check. They make two equal transfers two transactions.
    #[prost(int64, tag = "14")]
    pub timestamp: i64,
    #[prost(int64, tag = "18")]
    pub fee_limit: i64,
}

#[derive(Clone, PartialEq, Eq, Message)]
pub struct Contract {
    #[prost(int32, tag = "1")]
    pub kind: i32,
    #[prost(message, optional, tag = "2")]
    pub parameter: Option<Any>,
}

#[derive(Clone, PartialEq, Eq, Message)]
pub struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

/// Sends TRX.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct TransferContract {
    #[prost(bytes = "vec", tag = "1")]
    pub owner_address: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub to_address: Vec<u8>,
    #[prost(int64, tag = "3")]
    pub amount: i64,
}

/// Calls a contract.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct TriggerSmartContract {
    #[prost(bytes = "vec", tag = "1")]
    pub owner_address: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub contract_address: Vec<u8>,
    #[prost(int64, tag = "3")]
    pub call_value: i64,
    #[prost(bytes = "vec", tag = "4")]
    pub data: Vec<u8>,
}

/// The action of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// In sun.
    Transfer {
        to: Address,
        amount: u64,
    },
    Call {
        contract: Address,
        data: Vec<u8>,
        fee_limit: u64,
    },
}

/// From when to when it can get into a block; UNIX milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub timestamp: u64,
    pub expiration: u64,
}

pub struct SignedTransaction {
    pub id: B256,
    pub bytes: Vec<u8>,
}

impl Action {
    /// `reference`: a recent block.
    pub fn sign(&self, key: &Key, reference: &Block, window: Window) -> SignedTransaction {
        let raw = self.raw(key.account(), reference, window);
        let id: [u8; 32] = Sha256::digest(raw.encode_to_vec()).into();
        raw.signed(key.sign(&id))
    }

    /// `owner`: the account that signs it.
    pub fn raw(&self, owner: Address, reference: &Block, window: Window) -> Raw {
        Raw {
            ref_block_bytes: reference.number().to_be_bytes()[6..].to_vec(),
            ref_block_hash: reference.id[8..16].to_vec(),
            expiration: signed(window.expiration),
            contract: vec![self.contract(owner)],
            timestamp: signed(window.timestamp),
            fee_limit: self.fee_limit(),
        }
    }

    /// As a transaction has it.
    pub fn fee_limit(&self) -> i64 {
        match self {
            Self::Transfer { .. } => 0,
            Self::Call { fee_limit, .. } => signed(*fee_limit),
        }
    }

    pub fn contract(&self, owner: Address) -> Contract {
        let owner_address = account::bytes(owner).to_vec();
        let (kind, name, value) = match self {
            Self::Transfer { to, amount } => {
                let to_address = account::bytes(*to).to_vec();
                let value = TransferContract { owner_address, to_address, amount: signed(*amount) };
                (TRANSFER, "TransferContract", value.encode_to_vec())
            }
            Self::Call { contract, data, .. } => {
                let contract_address = account::bytes(*contract).to_vec();
                let data = data.clone();
                let value = TriggerSmartContract { owner_address, contract_address, call_value: 0, data };
                (TRIGGER, "TriggerSmartContract", value.encode_to_vec())
            }
        };
        let type_url = format!("type.googleapis.com/protocol.{name}");
        Contract { kind, parameter: Some(Any { type_url, value }) }
    }
}

impl Raw {
    /// The bytes whose SHA-256 the account signs.
    pub fn message(&self) -> Vec<u8> {
        self.encode_to_vec()
    }

    pub fn signed(self, signature: [u8; 65]) -> SignedTransaction {
        let id: [u8; 32] = Sha256::digest(self.encode_to_vec()).into();
        let bytes =
            TransactionMessage { raw_data: Some(self), signature: vec![signature.to_vec()] }.encode_to_vec();
        SignedTransaction { id: id.into(), bytes }
    }
}

/// Reads stored bytes.
pub fn read(bytes: &[u8]) -> Option<(B256, Raw)> {
    let raw = TransactionMessage::decode(bytes).ok()?.raw_data?;
    let id: [u8; 32] = Sha256::digest(raw.encode_to_vec()).into();
    Some((id.into(), raw))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
