//! Sends payouts from one account.
//!
//! Every payment expires three minutes ahead. Until it is in a ledger it counts as unsent, and the same bytes
//! are submitted again. It is signed again only when it can never be in one: see `fate`.

mod fate;

use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_keys::account::NumberedAccount;
use checkout_core::address::Address;
use checkout_core::tag::Tag;
use checkout_core::{Amount, Currency, Decimal, Network, pair};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::kept_tag;
use checkout_domain::chain::payout::{Payout, Purpose, Sequence, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, SentBefore, Sequences, Unsent};
use sha2::{Digest as _, Sha256};
use stellar_xdr::Memo;

use self::fate::{failed, fate};
use crate::DECIMALS;
use crate::answers::{Account, Ledger, seconds};
use crate::node::{Lookup, Node};
use crate::signer::Signer;
use crate::transaction::{PaymentTransaction, max_time};

/// Seconds until a payment expires.
const LIFETIME: u64 = 180;

/// Nodes accept one payment of an account for each ledger, and none whose number is not the next.
const MOST_PENDING: u64 = 1;

/// Default of the maximum fee of one payment, in stroops. On an idle network it is 100 stroops.
pub const MAX_FEE: u32 = 100_000;

pub struct StellarBroadcaster {
    node: Arc<Node>,
    signer: Signer,
    account: NumberedAccount,
}

struct Destination {
    account: String,
    key: [u8; 32],
    muxed_id: Option<u64>,
    memo: Memo,
}

impl StellarBroadcaster {
    pub fn new(
        node: Arc<Node>,
        signer: impl Into<Signer>,
        sequences: Arc<dyn Sequences>,
        max_fee: u32,
    ) -> Self {
        let signer = signer.into();
        let (address, max_fee) = (signer.account(), max_fee.into());
        let account = NumberedAccount { network: Network::Xlm, address, unit: "stroops", max_fee, sequences };
        Self { node, signer, account }
    }

    /// Returns whether the payment must create the account. Refuses payments that would not arrive or could
    /// not be assigned.
    async fn check_destination(
        &self,
        to: &Destination,
        ledger: &Ledger,
        stroops: i64,
    ) -> Result<bool, Unsent> {
        let account = &to.account;
        let least = 2 * ledger.base_reserve_in_stroops;
        match self.node.account(account).await? {
            Some(found) if found.requires_memo() && to.memo == Memo::None && to.muxed_id.is_none() => {
                Err(Unsent::Refused(format!("{account} requires a memo (SEP-29)")))
            }
            Some(_) => Ok(false),
            None if to.muxed_id.is_some() => Err(Unsent::Refused(format!(
                "{account} does not exist, and a muxed account cannot be created"
            ))),
            None if u64::try_from(stroops).is_ok_and(|stroops| stroops >= least) => Ok(true),
            None => Err(Unsent::Refused(format!(
                "{account} does not exist, and a first payment has to bring its reserve of {least} stroops"
            ))),
        }
    }

    /// Returns the account's next sequence number, if no payment of it is pending.
    async fn sequence(&self, ledger: &Ledger, needed: u64) -> Result<i64, Unsent> {
        let address = &self.account.address;
        let own = self.node.account(address).await?.ok_or_else(|| self.account.missing())?;
        let free = own.spendable(ledger.base_reserve_in_stroops);
        let free = free.ok_or_else(|| Unsent::later(format!("the balance of {address} cannot be read")))?;
        self.account.check_funds(free, needed)?;
        let next = self.account.free_number(last_number(&own, address)? + 1, MOST_PENDING).await?;
        i64::try_from(next)
            .map_err(|_| Unsent::later(format!("the sequence numbers of {address} are used up")))
    }

    /// In stroops. Above the cap a payment waits.
    async fn capped_fee(&self, least: u32) -> Result<u32, Unsent> {
        let fee = self.node.fee().await?.max(least);
        self.account.check_fee(fee.into())?;
        Ok(fee)
    }

    /// Returns whether it is in a ledger; false while it still can get into one.
    async fn is_closed(&self, signed: &Signed) -> Result<bool, Unsent> {
        let Some(dead_at) = max_time(&signed.bytes) else {
            return Err(Unsent::Refused("the stored bytes are no payment of this gateway".to_owned()));
        };
        match self.node.transaction(&signed.transaction_id).await? {
            Lookup::Successful { .. } => Ok(true),
            Lookup::Failed { ledger } => Err(failed(ledger)),
            Lookup::NotFound => fate(&self.node, signed, dead_at).await,
        }
    }
}

#[async_trait]
impl Broadcaster for StellarBroadcaster {
    fn network(&self) -> Network {
        Network::Xlm
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        Ok(account.account().to_string() == self.account.address)
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        let to = destination(payout)?;
        let stroops = i64::try_from(payout.amount.atoms())
            .map_err(|_| Unsent::Refused(format!("{} stroops are more than exist", payout.amount.atoms())))?;
        self.node.root().await?;
        let ledger = self.node.last_ledger().await?;
        let creates = self.check_destination(&to, &ledger, stroops).await?;
        let fee = self.capped_fee(ledger.base_fee_in_stroops).await?;
        let needed = stroops.unsigned_abs().saturating_add(fee.into());
        let payment = PaymentTransaction {
            destination: to.key,
            muxed_id: to.muxed_id,
            creates,
            memo: to.memo,
            stroops,
            fee,
            sequence: self.sequence(&ledger, needed).await?,
            max_time: closed_at(&ledger)? + LIFETIME,
        };
        let network = Sha256::digest(self.node.passphrase().as_bytes()).into();
        let unwritable = |error: stellar_xdr::Error| Unsent::Unavailable(Box::new(error));
        let account = self.signer.public();
        let message = payment.message(&account, network).map_err(unwritable)?;
        let signature = self.signer.sign(&message).await.map_err(Unsent::Unavailable)?;
        let signed = payment.signed(&account, network, &signature).map_err(unwritable)?;
        let number = payment.sequence.unsigned_abs();
        let sequence = Sequence { account: self.account.address.clone(), number };
        Ok(Signed { transaction_id: signed.hash, bytes: signed.bytes, sequence: Some(sequence) })
    }

    /// Succeeds only once the payment is in a ledger.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.node.root().await?;
        if self.is_closed(signed).await? {
            return Ok(());
        }
        let status = self.node.submit(&signed.bytes).await?;
        Err(Unsent::later(format!("it waits for a ledger; Horizon says {status}")))
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        let now = self.node.last(&self.node.root().await?).await?;
        Ok(match self.node.transaction(transaction_id).await? {
            Lookup::Successful { ledger } => Known::Confirmed(u64::from(now.saturating_sub(ledger)) + 1),
            Lookup::Failed { ledger } => Known::Reverted(u64::from(now.saturating_sub(ledger)) + 1),
            Lookup::NotFound => Known::Unknown,
        })
    }

    async fn fee(&self, _: &Payout) -> Result<Option<Decimal>, Unsent> {
        Ok(Some(Decimal::new(self.capped_fee(0).await?.into(), DECIMALS.into())))
    }

    /// SEP-29: <https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0029.md>.
    async fn no_refund_address(
        &self,
        payout: &Payout,
        _: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        let to = destination(payout)?;
        let has_tag = to.memo != Memo::None || to.muxed_id.is_some();
        let account = self.node.account(&to.account).await?;
        let lacks_tag = account.is_some_and(|account| account.requires_memo()) && !has_tag;
        Ok(lacks_tag.then_some(NoRefundAddress::TagRequired))
    }

    async fn holdings(&self, deposits: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        let pair = pair::find(Currency::Xlm, Network::Xlm);
        let mut stroops: u64 = 0;
        for address in self.account.with(deposits) {
            if let Some(account) = self.node.account(address).await? {
                let held = account.native().ok_or_else(|| Unsent::later("a balance cannot be read"))?;
                stroops = stroops.saturating_add(held);
            }
        }
        Ok(pair
            .zip(Amount::from_atoms(stroops.into()).ok())
            .map(|(pair, amount)| Holding { pair, amount })
            .into_iter()
            .collect())
    }

    async fn sent_before(&self, _: &Payout) -> Result<SentBefore, Unsent> {
        let address = &self.account.address;
        match self.node.account(address).await? {
            Some(own) => self.account.sent_before(last_number(&own, address)? + 1).await,
            None => Ok(SentBefore::No),
        }
    }
}

/// The memo of the tag, of the type that was asked for. The tag of a refund to the sender is the id of the muxed account that sent
/// the deposit.
fn destination(payout: &Payout) -> Result<Destination, Unsent> {
    let refused = |why: &str| Unsent::Refused(format!("{}: {why}", payout.to));
    let address = Address::parse(Network::Xlm, &payout.to).map_err(|_| refused("no account"))?;
    let wrong = || refused("its memo is longer than 28 bytes");
    let tag = payout.tag.as_deref().map(|tag| kept_tag::memo(tag).ok_or_else(wrong)).transpose()?;
    let (muxed_id, memo) = match tag {
        None => (address.tag(), Memo::None),
        Some(Tag::MemoId(id)) if payout.purpose == Purpose::Refund && !payout.claimed => {
            (Some(id), Memo::None)
        }
        Some(Tag::MemoId(id)) => (address.tag(), Memo::Id(id)),
        Some(Tag::MemoText(text)) => (address.tag(), Memo::Text(text.try_into().map_err(|_| wrong())?)),
        Some(Tag::MemoHash(hash)) => (address.tag(), Memo::Hash(hash.into())),
        Some(_) => return Err(refused("its tag is no memo")),
    };
    let key = address.payload().try_into().map_err(|_| refused("no account"))?;
    Ok(Destination { account: address.account().to_string(), key, muxed_id, memo })
}

/// The last number that the account used.
fn last_number(account: &Account, address: &str) -> Result<u64, Unsent> {
    account.sequence.parse().map_err(|_| Unsent::later(format!("the number of {address} cannot be read")))
}

fn closed_at(ledger: &Ledger) -> Result<u64, Unsent> {
    seconds(&ledger.closed_at)
        .ok_or_else(|| Unsent::later(format!("the time {} cannot be read", ledger.closed_at)))
}
