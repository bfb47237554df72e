//! Sends payouts from one account.
//!
//! Every payment has a last ledger, about a minute ahead. Until it is in a validated ledger it counts as
//! unsent, and the same bytes are submitted again. It is signed again, with the first free sequence number, only when
//! it can never be in one: see `fate`.

mod fate;

use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_keys::account::NumberedAccount;
use checkout_core::address::{Address, Options};
use checkout_core::{Amount, Currency, Decimal, Network, pair};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Sequence, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, SentBefore, Sequences, Unsent};

use self::fate::{fate, outcome};
use crate::answers::SUCCESS;
use crate::node::{Lookup, Node, Server};
use crate::payment::{PaymentTransaction, last_ledger};
use crate::signer::Signer;

/// Ledgers until a payment expires, a little more than a minute.
const LIFETIME: u32 = 20;

/// Maximum number of pending payments of the account; servers queue ten.
const MOST_PENDING: u64 = 10;

/// Default of the maximum fee of one payment, in drops. On an idle network it is 10 drops.
pub const MAX_FEE: u64 = 5_000;

pub struct XrpBroadcaster {
    node: Arc<Node>,
    signer: Signer,
    account: NumberedAccount,
}

struct Destination {
    address: String,
    id: [u8; 20],
    tag: Option<u32>,
}

impl XrpBroadcaster {
    pub fn new(
        node: Arc<Node>,
        signer: impl Into<Signer>,
        sequences: Arc<dyn Sequences>,
        max_fee: u64,
    ) -> Self {
        let signer = signer.into();
        let address = signer.account();
        let account = NumberedAccount { network: Network::Xrp, address, unit: "drops", max_fee, sequences };
        Self { node, signer, account }
    }

    /// Refuses payments for which the network would charge a fee without delivering.
    async fn check_destination(&self, to: &Destination, server: &Server, drops: u64) -> Result<(), Unsent> {
        let address = &to.address;
        match self.node.account(address).await? {
            Some(account) if account.requires_tag() && to.tag.is_none() => {
                Err(Unsent::Refused(format!("{address} requires a destination tag")))
            }
            Some(_) => Ok(()),
            None => match server.validated.reserve(0) {
                Some(reserve) if drops >= reserve => Ok(()),
                Some(reserve) => Err(Unsent::Refused(format!(
                    "{address} does not exist, and a first payment has to bring its reserve of {reserve} drops"
                ))),
                None => Err(Unsent::later("the server's reserve cannot be read")),
            },
        }
    }

    /// Returns the account's first sequence number that neither the ledger nor a pending payment uses.
    async fn sequence(&self, server: &Server, needed: u64) -> Result<u32, Unsent> {
        let own = self.node.account(&self.account.address).await?.ok_or_else(|| self.account.missing())?;
        let reserve = server.validated.reserve(own.owner_count);
        let free = own.drops().zip(reserve).map(|(drops, reserve)| drops.saturating_sub(reserve));
        let free = free.ok_or_else(|| Unsent::later("the server's balances cannot be read"))?;
        self.account.check_funds(free, needed)?;
        let next = self.account.free_number(own.sequence.into(), MOST_PENDING).await?;
        u32::try_from(next).map_err(|_| Unsent::later("the account's sequence numbers are used up"))
    }

    /// In drops. Above the cap a payment waits.
    async fn capped_fee(&self) -> Result<u64, Unsent> {
        let fee = self.node.fee().await?;
        self.account.check_fee(fee)?;
        Ok(fee)
    }

    /// Returns whether it is in a validated ledger; false while it still can get into one.
    async fn is_validated(&self, signed: &Signed) -> Result<bool, Unsent> {
        let Some(last) = last_ledger(&signed.bytes) else {
            return Err(Unsent::Refused("the stored bytes are no payment of this gateway".to_owned()));
        };
        match self.node.transaction(&signed.transaction_id).await? {
            Lookup::Validated { result, ledger } => outcome(&result, ledger),
            // A server keeps what it was sent, long after no ledger can include it.
            Lookup::Pending | Lookup::NotFound => fate(&self.node, signed, last).await,
        }
    }
}

#[async_trait]
impl Broadcaster for XrpBroadcaster {
    fn network(&self) -> Network {
        Network::Xrp
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        Ok(account.account().to_string() == self.account.address)
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        let to = destination(payout)?;
        let drops = u64::try_from(payout.amount.atoms())
            .map_err(|_| Unsent::Refused(format!("{} drops are more than exist", payout.amount.atoms())))?;
        let server = self.node.server().await?;
        self.check_destination(&to, &server, drops).await?;
        let fee = self.capped_fee().await?;
        let payment = PaymentTransaction {
            network: self.node.network(),
            destination: to.id,
            destination_tag: to.tag,
            drops,
            fee,
            sequence: self.sequence(&server, drops.saturating_add(fee)).await?,
            last_ledger: server.validated.seq.saturating_add(LIFETIME),
        };
        let message = payment.message(self.signer.public());
        let signature = self.signer.sign(&message).await.map_err(Unsent::Unavailable)?;
        let signed = payment.signed(self.signer.public(), &signature);
        let sequence = Sequence { account: self.account.address.clone(), number: payment.sequence.into() };
        Ok(Signed { transaction_id: signed.hash, bytes: signed.bytes, sequence: Some(sequence) })
    }

    /// Succeeds only once the payment is in a validated ledger: earlier results are not final.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.node.server().await?;
        if self.is_validated(signed).await? {
            return Ok(());
        }
        let opinion = self.node.submit(&hex::encode_upper(&signed.bytes)).await?;
        Err(Unsent::later(format!(
            "it waits for a validated ledger; now {}: {}",
            opinion.engine_result, opinion.engine_result_message
        )))
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        let now = self.node.last().await?;
        Ok(match self.node.transaction(transaction_id).await? {
            Lookup::Validated { ledger, result } => {
                let blocks = u64::from(now.saturating_sub(ledger)) + 1;
                if result == SUCCESS { Known::Confirmed(blocks) } else { Known::Reverted(blocks) }
            }
            Lookup::Pending => Known::Pending,
            Lookup::NotFound => Known::Unknown,
        })
    }

    async fn fee(&self, _: &Payout) -> Result<Option<Decimal>, Unsent> {
        Ok(Some(Decimal::new(i64::try_from(self.capped_fee().await?).unwrap_or(i64::MAX), 6)))
    }

    /// `lsfRequireDestTag` and `lsfDepositAuth`: <https://xrpl.org/docs/references/protocol/ledger-data/ledger-entry-types/accountroot>.
    async fn no_refund_address(
        &self,
        payout: &Payout,
        _: &OutputId,
    ) -> Result<Option<NoRefundAddress>, Unsent> {
        let to = destination(payout)?;
        Ok(match self.node.account(&to.address).await? {
            Some(account) if account.requires_tag() && to.tag.is_none() => Some(NoRefundAddress::TagRequired),
            Some(account) if account.requires_authorization() => Some(NoRefundAddress::Closed),
            Some(_) | None => None,
        })
    }

    async fn holdings(&self, deposits: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        let pair = pair::find(Currency::Xrp, Network::Xrp);
        let mut drops: u64 = 0;
        for address in self.account.with(deposits) {
            if let Some(account) = self.node.account(address).await? {
                let held = account.drops().ok_or_else(|| Unsent::later("a balance cannot be read"))?;
                drops = drops.saturating_add(held);
            }
        }
        Ok(pair
            .zip(Amount::from_atoms(drops.into()).ok())
            .map(|(pair, amount)| Holding { pair, amount })
            .into_iter()
            .collect())
    }

    async fn sent_before(&self, _: &Payout) -> Result<SentBefore, Unsent> {
        match self.node.account(&self.account.address).await? {
            Some(own) => self.account.sent_before(own.sequence.into()).await,
            None => Ok(SentBefore::No),
        }
    }
}

fn destination(payout: &Payout) -> Result<Destination, Unsent> {
    let refused = |why: &str| Unsent::Refused(format!("{}: {why}", payout.to));
    let options = Options { allow_test_networks: true, ..Options::STRICT };
    let address =
        Address::parse_with(Network::Xrp, &payout.to, &options).map_err(|_| refused("no account"))?;
    let inside = address.tag().map(|tag| tag.to_string());
    let tag = payout.tag.clone().or(inside).map(|tag| tag.parse());
    Ok(Destination {
        address: address.account().to_string(),
        id: address.payload().try_into().map_err(|_| refused("no account"))?,
        tag: tag.transpose().map_err(|_| refused("its destination tag is no number of 32 bits"))?,
    })
}
