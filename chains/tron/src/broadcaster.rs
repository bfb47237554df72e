//! Sends payouts from one account.
//!
//! Accounts of TRON do not number their transactions; a transaction expires instead, ten minutes after it was signed. Until it
//! is in a solidified block it counts as not sent, and the same bytes are broadcast again. Expired and in no block it is
//! signed again, and only then: of two transactions for one payout both could get on the chain.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alloy_primitives::{Address, B256, U256};
use async_trait::async_trait;
use checkout_core::{Decimal, Network, address};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Sequence, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::chain::source::Check;
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Sequences, Unsent};

use crate::account::trx;
use crate::answers::Block;
use crate::cursor::transaction_id;
use crate::fees::{Estimate, burned, estimate};
use crate::node::{Node, Of};
use crate::settings::Settings;
use crate::signer::Signer;
use crate::transaction::{self, Action, Window};
use crate::{SOLID, account, lifetime, tokens};
use checkout_chain_http::NodeError;

/// From signature to expiration, in milliseconds.
const LIFETIME: u64 = 600_000;

pub struct TronBroadcaster {
    settings: Settings,
    node: Arc<Node>,
    signer: Signer,
    sequences: Arc<dyn Sequences>,
    /// The timestamp of the last transaction that this process signed.
    last: AtomicU64,
}

/// The recipient while nobody knows it: an account that holds nothing, whose first tokens cost twice the energy of others.
const NOBODY: Address = Address::new(*b"crypto checkout fees");

impl TronBroadcaster {
    pub fn new(
        settings: Settings,
        node: Arc<Node>,
        signer: impl Into<Signer>,
        sequences: Arc<dyn Sequences>,
    ) -> Self {
        let signer = signer.into();
        Self { settings, node, signer, sequences, last: AtomicU64::new(0) }
    }

    /// The recipient and the contract of a payout.
    fn parties(&self, payout: &Payout) -> Result<(Address, Address), Unsent> {
        let currency = payout.pair.currency;
        let to = account::read(&payout.to);
        let to = to.ok_or_else(|| Unsent::Refused(format!("{} is no account", payout.to)))?;
        let contract = self.settings.contract(payout.pair);
        let contract = contract
            .ok_or_else(|| Unsent::later(format!("no contract of {currency} is configured on TRX")))?;
        Ok((to, contract))
    }

    /// The account has enough for the payout. What it lacks can still be sent to it, so this is never final.
    async fn check_funds(&self, payout: &Payout, contract: Address) -> Result<(), Unsent> {
        let have = self.node.token_balance(contract, self.signer.account()).await?;
        if have >= U256::from(payout.amount.atoms()) {
            return Ok(());
        }
        let (account, currency) = (account::to_text(self.signer.account()), payout.pair.currency);
        Err(Unsent::later(format!(
            "the account {account} has less than {} {currency}",
            payout.amount.to_text(payout.pair.decimals)
        )))
    }

    /// The limit for the transaction.
    async fn fee(&self, contract: Address, call: &tokens::ContractCall) -> Result<u64, Unsent> {
        let (owner, cap) = (self.signer.account(), self.settings.max_fee);
        let fee = match estimate(&self.node, owner, contract, call, cap).await? {
            Estimate::Fee(fee) => fee,
            Estimate::TooDear(least) => {
                return Err(Unsent::later(format!(
                    "a transfer costs {} TRX, and the cap is {}",
                    trx(least),
                    trx(cap)
                )));
            }
            Estimate::Reverted => return Err(Unsent::Refused("the token refuses the transfer".to_owned())),
        };
        let have = self.node.balance(owner).await?;
        if have < fee.needed {
            let (account, have, need) = (account::to_text(owner), trx(have), trx(fee.needed));
            return Err(Unsent::later(format!(
                "the account {account} has {have} TRX and needs {need} for the fee"
            )));
        }
        Ok(fee.limit)
    }

    /// No two transactions have the same: two equal ones would be one.
    async fn timestamp(&self, solid: &Block) -> Result<u64, Unsent> {
        let account = account::to_text(self.signer.account());
        let last = self.last.load(Ordering::SeqCst);
        let first = solid.millis().max(last + 1);
        let free = self.sequences.free_sequence(Network::Trx, &account, first).await;
        let free = free?;
        match self.last.compare_exchange(last, free, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => Ok(free),
            Err(_) => Err(Unsent::later("another payout was signed at the same moment")),
        }
    }

    /// Whether it is in a solidified block; false while it can get into one.
    async fn is_solid(&self, signed: &Signed) -> Result<bool, Unsent> {
        let read =
            transaction::read(&signed.bytes).filter(|(id, _)| transaction_id(*id) == signed.transaction_id);
        let Some((id, raw)) = read else {
            return Err(Unsent::Refused("the stored bytes are no transaction of this gateway".to_owned()));
        };
        let solid = self.node.solid().await?;
        match self.node.info(Of::Solid, id).await? {
            Some(info) if info.is_success() => Ok(true),
            Some(info) => Err(Unsent::Refused(format!(
                "block {} has it with {}: it moved nothing",
                info.block_number,
                info.outcome()
            ))),
            None if lifetime::is_dead(&self.node, id, &raw, &solid).await? => Err(Unsent::Expired(
                "it expired, and no solidified block that it could get into has it".to_owned(),
            )),
            None => Ok(false),
        }
    }
}

#[async_trait]
impl Broadcaster for TronBroadcaster {
    fn network(&self) -> Network {
        Network::Trx
    }

    async fn is_own(&self, account: &address::Address) -> Result<bool, Unsent> {
        Ok(account.to_string() == account::to_text(self.signer.account()))
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.node.verify().await?;
        let (to, contract) = self.parties(payout)?;
        let value = U256::from(payout.amount.atoms());
        // Before the estimate, in which a lack of funds is a refusal of the contract.
        self.check_funds(payout, contract).await?;
        let fee_limit = self.fee(contract, &tokens::transfer(to, value)).await?;
        let solid = self.node.solid().await?;
        let timestamp = self.timestamp(&solid).await?;
        let window = Window { timestamp, expiration: solid.millis() + LIFETIME };
        let action = Action::Call { contract, data: tokens::transfer_data(to, value), fee_limit };
        let raw = action.raw(self.signer.account(), &solid, window);
        let signature = self.signer.sign(&raw.message()).await.map_err(Unsent::Unavailable)?;
        let signed = raw.signed(signature);
        let account = account::to_text(self.signer.account());
        Ok(Signed {
            transaction_id: transaction_id(signed.id),
            bytes: signed.bytes,
            sequence: Some(Sequence { account, number: timestamp }),
        })
    }

    /// Content only when the transaction is in a solidified block.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.node.verify().await?;
        if self.is_solid(signed).await? {
            return Ok(());
        }
        let answer = self.node.broadcast(&signed.bytes).await?;
        let code = answer.code.as_deref().unwrap_or_default();
        if answer.result || code == "DUP_TRANSACTION_ERROR" {
            return Err(Unsent::later("it waits for a solidified block"));
        }
        // What a server says of it now is not final: it may be behind, or have it in a block already.
        Err(Unsent::later(format!("it waits for a solidified block; now {code}: {}", answer.message())))
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.node.verify().await?;
        let id = read_id(transaction_id)?;
        let solid = self.node.solid().await?.number();
        if let Some(info) = self.node.info(Of::Solid, id).await? {
            let blocks = SOLID + solid.saturating_sub(info.block_number);
            return Ok(if info.is_success() { Known::Confirmed(blocks) } else { Known::Reverted(blocks) });
        }
        let waits = self.node.info(Of::Newest, id).await?.is_some() || self.node.is_pending(id).await?;
        Ok(if waits { Known::Pending } else { Known::Unknown })
    }

    /// The TRX that is burned for missing energy and bandwidth.
    async fn fee(&self, payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        self.node.verify().await?;
        let (to, times) =
            if payout.to.is_empty() { (account::to_text(NOBODY), 2) } else { (payout.to.clone(), 1) };
        let payout = &Payout { to, ..payout.clone() };
        let (to, contract) = self.parties(payout)?;
        self.check_funds(payout, contract).await?;
        let call = tokens::transfer(to, U256::from(payout.amount.atoms()));
        let (owner, cap) = (self.signer.account(), self.settings.max_fee);
        match burned(&self.node, owner, contract, &call, (times, cap)).await? {
            Estimate::Fee(fee) => Ok(Some(Decimal::new(i64::try_from(fee.needed).unwrap_or(i64::MAX), 6))),
            Estimate::TooDear(least) => Err(Unsent::later(format!(
                "a transfer costs {} TRX, and the cap is {}",
                trx(least),
                trx(cap)
            ))),
            Estimate::Reverted => Err(Unsent::Refused("the token refuses the transfer".to_owned())),
        }
    }

    async fn no_refund_address(
        &self,
        payout: &Payout,
        _: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        self.node.verify().await?;
        let Some(sender) = account::read(&payout.to) else { return Ok(Some(NoRefundAddress::UnknownSender)) };
        let is_contract = self.node.is_contract(sender).await?;
        Ok(is_contract.then_some(NoRefundAddress::Contract))
    }

    async fn health(&self) -> Vec<Check> {
        let account = account::to_text(self.signer.account());
        let balance = match self.node.verify().await {
            Ok(()) => self.balance().await,
            Err(error) => Err(error),
        };
        vec![match balance {
            Ok((0, 0)) => Check::warning(
                "payouts",
                format!("the account {account} has neither TRX nor energy for fees"),
            ),
            Ok((sun, energy)) => Check::good(
                "payouts",
                format!("from {account}, which has {} TRX and {energy} units of energy", trx(sun)),
            ),
            Err(error) => Check::fault("payouts", error.to_string()),
        }]
    }
}

impl TronBroadcaster {
    async fn balance(&self) -> Result<(u64, u64), NodeError> {
        let account = self.signer.account();
        Ok((self.node.balance(account).await?, self.node.resources(account).await?.energy()))
    }
}

fn read_id(transaction_id: &str) -> Result<B256, Unsent> {
    transaction_id.parse().map_err(|_| Unsent::Refused(format!("{transaction_id} is no transaction id")))
}
