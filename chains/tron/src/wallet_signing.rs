//! The transaction that a payer's wallet signs, and that the gateway sends: such a wallet reads and sends from within the page, whose
//! policy allows no other server than the gateway ([TIP-1193]).
//!
//! Accounts of TRON do not number their transactions. Two that are equal are one transaction, so what an account signs for a payment
//! stays the same for some minutes, and as long as the network has it and the payment does not: signed twice, it is paid once.
//!
//! [TIP-1193]: https://github.com/tronprotocol/tips/blob/master/tip-1193.md

use alloy_primitives::{Address, B256, Signature, U256};
use async_trait::async_trait;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::wallet_signing::{Sending, Unsigned, WalletSigning, WalletTransfer};
use prost::Message as _;
use sha2::{Digest as _, Sha256};

use crate::answers::{Block, Info};
use crate::fees::{Estimate, burned};
use crate::node::Of;
use crate::transaction::{Action, Raw, TransactionMessage, TriggerSmartContract, Window};
use crate::watcher::TronChain;
use crate::{account, tokens};

/// All blocks of five minutes refer to the first of them.
const SPAN: u64 = 100;

/// From that block to the expiration, in milliseconds: the payer has at least nine minutes to sign.
const LIFETIME: u64 = 900_000;

/// The contract, the recipient and the amount of a transfer.
struct Parts {
    contract: Address,
    to: Address,
    value: U256,
}

impl TronChain {
    fn parts(&self, transfer: &WalletTransfer) -> Result<Parts, ChainError> {
        let contract = self.settings.contract(transfer.pair);
        let contract =
            contract.ok_or_else(|| format!("no contract of {} is configured", transfer.pair.currency))?;
        let to = account::read(&transfer.to).ok_or_else(|| format!("{} is no account", transfer.to))?;
        Ok(Parts { contract, to, value: U256::from(transfer.amount.atoms()) })
    }

    /// The limit is the configured maximum, not an estimate: only energy that is used is charged.
    fn action(&self, parts: &Parts) -> Action {
        let data = tokens::transfer_data(parts.to, parts.value);
        Action::Call { contract: parts.contract, data, fee_limit: self.settings.max_fee }
    }

    /// What is signed, with a reference to this block.
    fn bytes(&self, parts: &Parts, owner: Address, deposits: u64, reference: &Block) -> Vec<u8> {
        let window =
            Window { timestamp: reference.millis() + deposits, expiration: reference.millis() + LIFETIME };
        self.action(parts).raw(owner, reference, window).message()
    }

    /// Whether it waits for a block, or did its transfer in one.
    async fn is_sent(&self, unsigned: &[u8]) -> Result<bool, ChainError> {
        let id: [u8; 32] = Sha256::digest(unsigned).into();
        let included = self.node.info(Of::Newest, id.into()).await?;
        let is_done = included.as_ref().is_some_and(Info::is_success);
        Ok(is_done || self.node.is_pending(id.into()).await?)
    }

    /// Whether these bytes are the transfer and nothing else; the account that pays it.
    fn payer(&self, parts: &Parts, unsigned: &[u8]) -> Option<(Address, Raw)> {
        let raw = Raw::decode(unsigned).ok()?;
        let [contract] = raw.contract.as_slice() else { return None };
        let value = TriggerSmartContract::decode(contract.parameter.as_ref()?.value.as_slice()).ok()?;
        let owner = Address::try_from(value.owner_address.get(1..)?).ok()?;
        let action = self.action(parts);
        let is_ours = *contract == action.contract(owner) && raw.fee_limit == action.fee_limit();
        // What a reader skips would be signed, too.
        (is_ours && raw.encode_to_vec() == unsigned).then_some((owner, raw))
    }
}

#[async_trait]
impl WalletSigning for TronChain {
    async fn unsigned(&self, transfer: &WalletTransfer, account: &str) -> Result<Unsigned, ChainError> {
        self.node.verify().await?;
        let parts = self.parts(transfer)?;
        let owner = account::read(account).ok_or_else(|| format!("{account} is no account"))?;
        if self.node.token_balance(parts.contract, owner).await? < parts.value {
            return Ok(Unsigned::TooLittle);
        }
        let call = tokens::transfer(parts.to, parts.value);
        match burned(&self.node, owner, parts.contract, &call, (1, self.settings.max_fee)).await? {
            Estimate::Fee(fee) if self.node.balance(owner).await? < fee.needed => return Ok(Unsigned::NoFee),
            Estimate::Fee(_) => {}
            Estimate::TooDear(_) | Estimate::Reverted => return Ok(Unsigned::WouldFail),
        }
        let solid = self.node.solid().await?.number();
        let first = solid - solid % SPAN;
        let bytes = |reference: &Block| self.bytes(&parts, owner, transfer.deposits, reference);
        // What was sent at the end of the last five minutes is no deposit yet.
        if let Some(reference) = self.node.solid_at(first.saturating_sub(SPAN)).await? {
            let before = bytes(&reference);
            if self.is_sent(&before).await? {
                return Ok(Unsigned::Bytes(before));
            }
        }
        let reference = self.node.solid_at(first).await?;
        let reference = reference.ok_or_else(|| format!("the server does not have block {first}"))?;
        Ok(Unsigned::Bytes(bytes(&reference)))
    }

    async fn send(
        &self,
        transfer: &WalletTransfer,
        unsigned: &[u8],
        signature: &[u8],
    ) -> Result<Sending, ChainError> {
        let Some((owner, raw)) = self.payer(&self.parts(transfer)?, unsigned) else {
            return Ok(Sending::Other);
        };
        let hash: [u8; 32] = Sha256::digest(unsigned).into();
        let signed_by = Signature::from_raw(signature)
            .and_then(|signature| signature.recover_address_from_prehash(&B256::from(hash)));
        if signed_by.ok() != Some(owner) {
            return Ok(Sending::Other);
        }
        self.node.verify().await?;
        let bytes =
            TransactionMessage { raw_data: Some(raw), signature: vec![signature.to_vec()] }.encode_to_vec();
        let answer = self.node.broadcast(&bytes).await?;
        let code = answer.code.as_deref().unwrap_or_default();
        if answer.result || code == "DUP_TRANSACTION_ERROR" {
            return Ok(Sending::Sent);
        }
        Err(format!("the payer's transaction was not taken: {code}: {}", answer.message()).into())
    }
}
