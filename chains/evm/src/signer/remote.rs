//! A remote signer with `eth_signTransaction` over HTTP: Web3Signer, Clef behind a proxy, or a service in
//! front of an HSM.

use alloy_consensus::{Transaction as _, TxEnvelope, TypedTransaction};
use alloy_eips::eip2718::Decodable2718 as _;
use alloy_primitives::{Address, Bytes, Signature, U64, U256};
use async_trait::async_trait;
use checkout_chain_http::client::MAX_SHORT_ANSWER;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{SignError, Signer};
use crate::rpc::Rpc;

const METHOD: &str = "eth_signTransaction";

#[derive(Debug)]
pub struct RemoteSigner {
    rpc: Rpc,
    account: Address,
}

/// Web3Signer returns the bytes; geth and Clef return an object that contains them.
#[derive(Deserialize)]
#[serde(untagged)]
enum SignedTransaction {
    Bytes(Bytes),
    Object { raw: Bytes },
}

impl RemoteSigner {
    pub fn new(url: &str, account: Address) -> Result<Self, String> {
        Ok(Self { rpc: Rpc::new(url)?.with_max_answer(MAX_SHORT_ANSWER), account })
    }
}

#[async_trait]
impl Signer for RemoteSigner {
    fn account(&self) -> Address {
        self.account
    }

    async fn sign(&self, transaction: &TypedTransaction) -> Result<Signature, SignError> {
        let answer: SignedTransaction =
            self.rpc.call(METHOD, json!([parameters(self.account, transaction)])).await?;
        let (SignedTransaction::Bytes(bytes) | SignedTransaction::Object { raw: bytes }) = answer;
        let envelope = TxEnvelope::decode_2718_exact(&bytes)?;
        // Accept the signed transaction only if it matches the request.
        match (envelope, transaction) {
            (TxEnvelope::Eip1559(signed), TypedTransaction::Eip1559(asked)) if signed.tx() == asked => {
                Ok(*signed.signature())
            }
            (TxEnvelope::Legacy(signed), TypedTransaction::Legacy(asked)) if signed.tx() == asked => {
                Ok(*signed.signature())
            }
            _ => Err("the signer signed a different transaction".into()),
        }
    }
}

fn parameters(account: Address, transaction: &TypedTransaction) -> Value {
    let mut parameters = json!({
        "from": account,
        "to": transaction.to(),
        "gas": U64::from(transaction.gas_limit()),
        "value": transaction.value(),
        "nonce": U64::from(transaction.nonce()),
        "data": transaction.input(),
        "chainId": transaction.chain_id().map(U64::from),
    });
    if let Some(tip) = transaction.max_priority_fee_per_gas() {
        parameters["maxFeePerGas"] = json!(U256::from(transaction.max_fee_per_gas()));
        parameters["maxPriorityFeePerGas"] = json!(U256::from(tip));
    } else {
        parameters["gasPrice"] = json!(transaction.gas_price().map(U256::from));
    }
    parameters
}
