//! Sends payouts from one account.
//!
//! Transactions of an account have consecutive nonces, and at most one transaction per nonce is mined. The
//! store assigns each nonce to one payout: a transaction whose nonce belongs to another payout is neither
//! stored nor broadcast, and its payout is signed again with the next nonce. Only stored transactions take a
//! nonce, so there are no gaps.

mod refunds;
mod refusal;
mod replacement;

use std::sync::Arc;

use alloy_consensus::{TxEip1559, TxLegacy, TypedTransaction};
use alloy_eips::eip2718::Encodable2718 as _;
use alloy_primitives::{Address, B256, Bytes, TxKind, U64, U256};
use async_trait::async_trait;
use checkout_core::{Decimal, Network, address};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Sequence, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::chain::source::Check;
use checkout_domain::chain::waiting::Waiting;
use checkout_domain::ports::broadcaster::{
    Broadcaster, Known, Replacement, SentBefore, Sequences, Unsent, sent_by_numbers,
};
use serde_json::json;

use self::refusal::Refusal;
use crate::fees::{GasPrice, gas_price};
use crate::l1_fee;
use crate::networks;
use crate::node::{At, Node};
use crate::settings::Settings;
use crate::signer::{Signer, signed};
use crate::tokens;
use crate::transfers::amount_text;
use checkout_chain_http::NodeError;

pub struct EvmBroadcaster {
    settings: Settings,
    node: Arc<Node>,
    signer: Arc<dyn Signer>,
    sequences: Arc<dyn Sequences>,
    /// Blocks after which a transaction is final.
    final_after: u64,
}

/// The action of a transaction.
pub(crate) struct Action {
    pub(crate) to: Address,
    pub(crate) value: U256,
    pub(crate) data: Bytes,
}

impl Action {
    pub(crate) fn transaction(
        self,
        chain_id: u64,
        nonce: u64,
        gas_limit: u64,
        price: GasPrice,
    ) -> TypedTransaction {
        let Self { to, value, data: input } = self;
        let to = TxKind::Call(to);
        match price {
            GasPrice::Eip1559 { max, tip } => TxEip1559 {
                chain_id,
                nonce,
                gas_limit,
                max_fee_per_gas: max,
                max_priority_fee_per_gas: tip,
                to,
                value,
                input,
                access_list: alloy_eips::eip2930::AccessList::default(),
            }
            .into(),
            GasPrice::Legacy(gas_price) => {
                TxLegacy { chain_id: Some(chain_id), nonce, gas_price, gas_limit, to, value, input }.into()
            }
        }
    }
}

impl EvmBroadcaster {
    pub fn new(
        settings: Settings,
        node: Arc<Node>,
        signer: Arc<dyn Signer>,
        sequences: Arc<dyn Sequences>,
    ) -> Self {
        let final_after = settings.finality.depth(settings.network).into();
        Self { settings, node, signer, sequences, final_after }
    }

    fn action(&self, payout: &Payout) -> Result<Action, Unsent> {
        let to = payout.to.parse();
        let to: Address = to.map_err(|_| Unsent::Refused(format!("{} is no account", payout.to)))?;
        let amount = U256::from(payout.amount.atoms());
        if payout.pair.contract.is_none() {
            return Ok(Action { to, value: amount, data: Bytes::new() });
        }
        let contract = self.settings.contract(payout.pair).ok_or_else(|| {
            Unsent::later(format!(
                "no contract of {} is configured on {}",
                payout.pair.currency, payout.pair.network
            ))
        })?;
        Ok(Action { to: contract, value: U256::ZERO, data: tokens::transfer_data(to, amount) })
    }

    /// Checks that the account can fund the payout. An insufficient balance is never final, because it can be
    /// topped up.
    async fn check_funds(&self, payout: &Payout, most: U256) -> Result<(), Unsent> {
        let account = self.signer.account();
        let coins = self.node.balance(account, At::Pending).await?;
        if coins < most {
            let (have, need) = (amount_text(coins), amount_text(most));
            return Err(Unsent::later(format!(
                "the account {account} has {have} of the network's coin and needs {need}"
            )));
        }
        if let Some(contract) = self.settings.contract(payout.pair) {
            let have = tokens::balance(&self.node, contract, account, At::Pending).await?;
            if have < U256::from(payout.amount.atoms()) {
                let currency = payout.pair.currency;
                let need = payout.amount.to_text(payout.pair.decimals);
                return Err(Unsent::later(format!("the account {account} has less than {need} {currency}")));
            }
        }
        Ok(())
    }

    /// The current gas estimate plus a quarter, because a token may need more later. Unused gas is not paid.
    async fn gas(&self, action: &Action) -> Result<u64, Unsent> {
        let gas = self.estimated_gas(action).await?;
        Ok(gas.saturating_add(gas / 4).min(self.max_gas()))
    }

    fn max_gas(&self) -> u64 {
        networks::row(self.settings.network).max_gas
    }

    async fn estimated_gas(&self, action: &Action) -> Result<u64, Unsent> {
        let call = json!({
            "from": self.signer.account(), "to": action.to, "value": action.value, "data": action.data
        });
        let estimate: Result<U64, NodeError> =
            self.node.rpc.call("eth_estimateGas", json!([call, At::Pending.json()])).await;
        match estimate {
            // No block may have room for it, and then no later nonce of the account is mined.
            Ok(gas) if gas > U64::from(self.max_gas()) => Err(Unsent::Refused(format!(
                "the recipient takes {gas} gas, the maximum is {}",
                self.max_gas()
            ))),
            Ok(gas) => Ok(gas.to::<u64>()),
            Err(error) if refusal::is_reverted(&error) => Err(Unsent::Refused(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the first nonce that neither the chain nor a stored transaction uses.
    async fn next_nonce(&self) -> Result<u64, Unsent> {
        let account = self.signer.account();
        let on_chain = self.node.nonce(account, At::Pending).await?;
        let stored = self.sequences.next_sequence(self.settings.network, &account.to_checksum(None)).await;
        let stored = stored?;
        Ok(on_chain.max(stored.unwrap_or(0)))
    }

    /// Finds out what happened to a transaction whose nonce is used on the chain. One URL may stand for several servers of which
    /// some are behind, so a receipt that is missing on one and the nonce of another do not prove that another transaction used it.
    async fn used_number(&self, transaction: B256, nonce: u64) -> Result<(), Unsent> {
        let Some(receipt) = self.node.receipt(transaction).await? else {
            return Err(Unsent::unproven(format!(
                "its number {nonce} is used, and the node does not show by what"
            )));
        };
        if receipt.succeeded() {
            return Ok(());
        }
        let blocks = self.node.depth(&receipt, self.final_after).await?;
        let said = format!("it reverted in block {} and moved nothing", receipt.block_number);
        Err(if blocks >= self.final_after { Unsent::Refused(said) } else { Unsent::later(said) })
    }
}

#[async_trait]
impl Broadcaster for EvmBroadcaster {
    fn network(&self) -> Network {
        self.settings.network
    }

    async fn is_own(&self, account: &address::Address) -> Result<bool, Unsent> {
        Ok(account.payload() == self.signer.account().as_slice())
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.node.verify().await?;
        let action = self.action(payout)?;
        let price = gas_price(&self.node, self.settings.max_fee_per_gas).await?.ok_or_else(|| {
            Unsent::later(format!("gas costs more than the cap of {} wei", self.settings.max_fee_per_gas))
        })?;
        // Checked before the estimate, which reports a lack of funds as a failed call.
        self.check_funds(payout, action.value).await?;
        let gas = self.gas(&action).await?;
        let most = U256::from(gas).saturating_mul(U256::from(price.most()));
        let value = action.value;
        let nonce = self.next_nonce().await?;
        let transaction = action.transaction(self.settings.chain_id, nonce, gas, price);
        let data = l1_fee::reserve(l1_fee::l1_fee(&self.node, &self.settings, &transaction).await?);
        self.check_funds(payout, value.saturating_add(most).saturating_add(data)).await?;
        let envelope = signed(self.signer.as_ref(), transaction).await.map_err(Unsent::Unavailable)?;
        Ok(Signed {
            transaction_id: envelope.tx_hash().to_string(),
            bytes: envelope.encoded_2718(),
            sequence: Some(Sequence { account: self.signer.account().to_checksum(None), number: nonce }),
        })
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.node.verify().await?;
        let transaction = read_id(&signed.transaction_id)?;
        let Err(error) = self.node.send_raw(&signed.bytes).await else { return Ok(()) };
        match refusal::read(&error) {
            Refusal::Known => Ok(()),
            Refusal::NumberUsed => {
                let nonce = signed.sequence.as_ref().map_or(0, |sequence| sequence.number);
                self.used_number(transaction, nonce).await
            }
            Refusal::Other => Err(error.into()),
        }
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.node.verify().await?;
        let transaction = read_id(transaction_id)?;
        if let Some(receipt) = self.node.receipt(transaction).await? {
            let blocks = self.node.depth(&receipt, self.final_after).await?.max(1);
            return Ok(if receipt.succeeded() { Known::Confirmed(blocks) } else { Known::Reverted(blocks) });
        }
        let seen = self.node.transaction(transaction).await?;
        Ok(if seen.is_some() { Known::Pending } else { Known::Unknown })
    }

    async fn replace(&self, _: &Payout, newest: &Signed, waiting: Waiting) -> Result<Replacement, Unsent> {
        if !self.is_time(waiting).await? {
            return Ok(Replacement::None);
        }
        self.replacement(newest).await
    }

    async fn fee(&self, payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        self.fee_now(payout).await.map(Some)
    }

    async fn no_refund_address(
        &self,
        payout: &Payout,
        deposit: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        self.judge_sender(payout, deposit).await
    }

    async fn sent_before(&self, _: &Payout) -> Result<SentBefore, Unsent> {
        let account = self.signer.account();
        let next = self.node.nonce(account, At::Pending).await?;
        let (network, account) = (self.settings.network, account.to_checksum(None));
        sent_by_numbers(self.sequences.as_ref(), network, &account, next).await
    }

    async fn health(&self) -> Vec<Check> {
        let account = self.signer.account();
        let balance = match self.node.verify().await {
            Ok(()) => self.node.balance(account, At::Latest).await,
            Err(error) => Err(error),
        };
        vec![match balance {
            Ok(wei) if wei.is_zero() => {
                Check::warning("payouts", format!("the account {account} has nothing to pay gas with"))
            }
            Ok(wei) => Check::good(
                "payouts",
                format!("from {account}, which has {} of the network's coin", amount_text(wei)),
            ),
            Err(error) => Check::fault("payouts", error.to_string()),
        }]
    }
}

fn read_id(transaction_id: &str) -> Result<B256, Unsent> {
    transaction_id.parse().map_err(|_| Unsent::Refused(format!("{transaction_id} is no transaction id")))
}
