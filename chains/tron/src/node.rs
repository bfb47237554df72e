//! The questions that are put to a server, with typed answers.

use alloy_primitives::{Address, B256, U256, hex};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::account;
use crate::answers::{AccountState, Block, Blocks, Broadcast, Constant, Found, Info, Parameters, Resources};
use crate::api::Api;
use crate::tokens::{self, ContractCall};
use checkout_chain_http::{Code, NodeError};

#[derive(Debug)]
pub struct Node {
    api: Api,
    genesis: B256,
    /// The server said once that it is on the configured network.
    verified: OnceCell<()>,
}

/// Which blocks an answer is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// All, also those that can still leave the chain.
    Newest,
    /// Those that stay.
    Solid,
}

impl Of {
    fn path(self, newest: &'static str, solid: &'static str) -> &'static str {
        if self == Self::Newest { newest } else { solid }
    }
}

impl Node {
    pub fn new(api: Api, genesis: B256) -> Self {
        Self { api, genesis, verified: OnceCell::new() }
    }

    /// The id of the first block.
    pub fn genesis(&self) -> B256 {
        self.genesis
    }

    /// Fails when the server is on another network than the configured one.
    pub async fn verify(&self) -> Result<(), NodeError> {
        let verify = || async {
            let path = "wallet/getblock";
            let found: Found<Block> = self.api.call(path, json!({"id_or_num": "0", "detail": false})).await?;
            let first = found.0.ok_or_else(|| NodeError::malformed(path, "there is no first block"))?;
            if first.id == self.genesis {
                return Ok(());
            }
            let (have, want) = (hex::encode(first.id), hex::encode(self.genesis));
            let why =
                format!("the server is on the network with the first block {have}, and {want} is configured");
            Err(NodeError::malformed(path, why))
        };
        self.verified.get_or_try_init(verify).await.copied()
    }

    /// The header of the newest solidified block.
    pub async fn solid(&self) -> Result<Block, NodeError> {
        let path = "walletsolidity/getblock";
        let found: Found<Block> = self.api.call(path, json!({"detail": false})).await?;
        found.0.filter(Block::is_numbered).ok_or_else(|| NodeError::malformed(path, "there is no such block"))
    }

    /// The header of the newest block.
    pub async fn newest(&self) -> Result<Block, NodeError> {
        let path = "wallet/getblock";
        let found: Found<Block> = self.api.call(path, json!({"detail": false})).await?;
        found.0.filter(Block::is_numbered).ok_or_else(|| NodeError::malformed(path, "there is no such block"))
    }

    /// The header of a solidified block; `None` where it is not solidified yet.
    pub async fn solid_at(&self, number: u64) -> Result<Option<Block>, NodeError> {
        self.block_at(Of::Solid, number).await
    }

    /// The header of a block of the server's chain; `None` where it has none yet.
    pub async fn newest_at(&self, number: u64) -> Result<Option<Block>, NodeError> {
        self.block_at(Of::Newest, number).await
    }

    async fn block_at(&self, of: Of, number: u64) -> Result<Option<Block>, NodeError> {
        let path = of.path("wallet/getblock", "walletsolidity/getblock");
        let body = json!({"id_or_num": number.to_string(), "detail": false});
        let found: Found<Block> = self.api.call(path, body).await?;
        Ok(found.0.filter(|block| block.number() == number && block.is_numbered()))
    }

    /// Blocks with the ids of their transactions, from `first` to before `end`, as many as there are; at most 100.
    pub async fn blocks(&self, of: Of, first: u64, end: u64) -> Result<Vec<Block>, NodeError> {
        let path = of.path("wallet/getblockbylimitnext", "walletsolidity/getblockbylimitnext");
        let blocks: Found<Blocks> = self.api.call(path, json!({"startNum": first, "endNum": end})).await?;
        Ok(blocks.0.map_or_else(Vec::new, |blocks| blocks.block))
    }

    /// The effects of all transactions of a block, each to be read for itself.
    pub async fn infos(&self, number: u64) -> Result<Vec<Box<RawValue>>, NodeError> {
        let path = "wallet/gettransactioninfobyblocknum";
        let infos: Box<RawValue> = self.api.call(path, json!({"num": number})).await?;
        if infos.get() == "{}" {
            return Ok(Vec::new());
        }
        serde_json::from_str(infos.get()).map_err(|error| NodeError::malformed(path, error))
    }

    /// The effects of a transaction, to be read; `None` for one that is in no block of these.
    pub async fn effects(&self, of: Of, id: B256) -> Result<Option<Box<RawValue>>, NodeError> {
        let path = of.path("wallet/gettransactioninfobyid", "walletsolidity/gettransactioninfobyid");
        let found: Box<RawValue> = self.api.call(path, json!({"value": hex::encode(id)})).await?;
        Ok(Some(found).filter(|found| found.get() != "{}"))
    }

    /// `None` for a transaction that is in no block of these.
    pub async fn info(&self, of: Of, id: B256) -> Result<Option<Info>, NodeError> {
        let path = of.path("wallet/gettransactioninfobyid", "walletsolidity/gettransactioninfobyid");
        let found: Found<Info> = self.api.call(path, json!({"value": hex::encode(id)})).await?;
        let found = found.0;
        match found {
            Some(info) if info.id != id => Err(NodeError::malformed(path, "it is another transaction")),
            found => Ok(found),
        }
    }

    /// The transaction waits for a block.
    pub async fn is_pending(&self, id: B256) -> Result<bool, NodeError> {
        let found: Value =
            self.api.call("wallet/gettransactionfrompending", json!({"value": hex::encode(id)})).await?;
        Ok(found.get("txID").is_some())
    }

    /// In sun.
    pub async fn balance(&self, account: Address) -> Result<u64, NodeError> {
        Ok(self.account(account).await?.balance)
    }

    /// The account was paid at least once.
    pub async fn exists(&self, account: Address) -> Result<bool, NodeError> {
        Ok(self.account(account).await?.address.is_some())
    }

    pub async fn is_contract(&self, account: Address) -> Result<bool, NodeError> {
        Ok(self.account(account).await?.kind.as_deref() == Some("Contract"))
    }

    async fn account(&self, account: Address) -> Result<AccountState, NodeError> {
        self.api.call("wallet/getaccount", json!({"address": account::to_hex(account)})).await
    }

    pub async fn resources(&self, account: Address) -> Result<Resources, NodeError> {
        self.api.call("wallet/getaccountresource", json!({"address": account::to_hex(account)})).await
    }

    pub async fn parameters(&self) -> Result<Parameters, NodeError> {
        self.api.call("wallet/getchainparameters", json!({})).await
    }

    /// Runs a function of a contract without a transaction.
    pub async fn constant(
        &self,
        owner: Address,
        contract: Address,
        call: &ContractCall,
    ) -> Result<Constant, NodeError> {
        let body = json!({
            "owner_address": account::to_hex(owner),
            "contract_address": account::to_hex(contract),
            "function_selector": call.function,
            "parameter": hex::encode(&call.arguments),
        });
        let answer: Constant = self.api.call("wallet/triggerconstantcontract", body).await?;
        if answer.result.result {
            return Ok(answer);
        }
        Err(NodeError::refused("wallet/triggerconstantcontract", Code::None, answer.message()))
    }

    pub async fn token_balance(&self, contract: Address, account: Address) -> Result<U256, NodeError> {
        self.number(account, contract, &tokens::balance_of(account)).await
    }

    pub async fn token_decimals(&self, contract: Address) -> Result<U256, NodeError> {
        self.number(Address::ZERO, contract, &tokens::decimals()).await
    }

    async fn number(
        &self,
        owner: Address,
        contract: Address,
        call: &ContractCall,
    ) -> Result<U256, NodeError> {
        let answer = self.constant(owner, contract, call).await?;
        let bytes = answer.constant_result.first().and_then(|text| hex::decode(text).ok());
        let word = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()).filter(|_| !answer.is_reverted());
        word.map(U256::from_be_bytes).ok_or_else(|| {
            let why = format!("the contract answered {} with no number", call.function);
            NodeError::malformed("wallet/triggerconstantcontract", why)
        })
    }

    pub async fn broadcast(&self, bytes: &[u8]) -> Result<Broadcast, NodeError> {
        self.api.call("wallet/broadcasthex", json!({"transaction": hex::encode(bytes)})).await
    }
}
