//! An operator's decision about a refund that waits: to which address it goes.

use checkout_core::Amount;
use checkout_domain::payment::refund_said::Given;
use checkout_domain::payment::{PaymentWithDeposits, destination};
use checkout_domain::ports::{Store, Stored, Tx};
use uuid::Uuid;

use crate::service::callbacks::announce_events::{self, EventStamp};
use crate::service::payouts::own_address::is_deposit_address;
use crate::texts::amount::without_zeros;

/// The result of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Stored; a running gateway sends it.
    Kept(Given),
    NoDeposit,
    /// The deposit has no refund that waits.
    NotWaiting,
    /// The transaction does not name its sender, so an address is needed.
    NoSender,
    /// The recipient would get this amount.
    AnotherAmount(String),
    /// It would be sent to an account to which payers pay.
    OwnAddress,
    /// The address cannot receive it: the end of a sentence.
    BadAddress(String),
}

impl Decided {
    /// Why the decision was refused.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Kept(_) => None,
            Self::NoDeposit => Some("There is no such deposit.".to_owned()),
            Self::NotWaiting => Some("It has no refund that waits.".to_owned()),
            Self::NoSender => Some("Its sender is unknown.".to_owned()),
            Self::AnotherAmount(amount) => {
                Some(format!("It is {amount} now: look at it again. Nothing was changed."))
            }
            Self::OwnAddress => {
                Some("The address is an account of this gateway: name another one with --to.".to_owned())
            }
            Self::BadAddress(why) => Some(format!("The address {why}.")),
        }
    }
}

/// Sends the refund of a deposit to this address and tag, if the recipient gets this amount. `id` becomes that of the payout, and of an
/// event.
pub async fn send(
    store: &dyn Store,
    (id, now): (Uuid, u64),
    deposit: Uuid,
    (address, tag): (&str, Option<&str>),
    amount: &str,
) -> Stored<Decided> {
    let Some(payment) = store.payment_of_deposit(deposit).await? else { return Ok(Decided::NoDeposit) };
    let mut tx = store.begin().await?;
    let Some(record) = tx.payment(payment).await? else { return Ok(Decided::NoDeposit) };
    if let Some(refund) = record.refund(deposit) {
        let (decimals, sent) = (refund.pair.decimals, refund.amount());
        if Amount::parse(without_zeros(amount, decimals), decimals) != Ok(sent) {
            return Ok(Decided::AnotherAmount(sent.to_text(decimals)));
        }
    }
    let to = Given { address: address.to_owned(), tag: tag.map(str::to_owned) };
    let decided = send_of(tx.as_mut(), &record, (id, now), deposit, Some(&to)).await?;
    if matches!(decided, Decided::Kept(_)) {
        let source = EventStamp { new_id: &|| id, now };
        announce_events::since_from(store, &source, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    Ok(decided)
}

/// Sends it there, or to its sender. The caller locked the payment, stores the events and commits.
pub(crate) async fn send_of(
    tx: &mut dyn Tx,
    record: &PaymentWithDeposits,
    (id, now): (Uuid, u64),
    deposit: Uuid,
    to: Option<&Given>,
) -> Stored<Decided> {
    let Some(deposit) = record.deposit(deposit) else { return Ok(Decided::NoDeposit) };
    let Some(refund) = record.refund(deposit.id) else { return Ok(Decided::NotWaiting) };
    let given = match to {
        Some(to) => match destination::read(deposit, &to.address, to.tag.as_deref()) {
            Ok(given) => given,
            Err(destination::BadAddress(why)) => return Ok(Decided::BadAddress(why)),
        },
        None if deposit.from.is_empty() => return Ok(Decided::NoSender),
        None => deposit.sender(),
    };
    if is_deposit_address(tx, refund.pair.network, &given.address).await? {
        return Ok(Decided::OwnAddress);
    }
    let business = record.payment.business;
    let payout = refund.payout(id, business, given.clone(), to.is_some(), now);
    let Ok(decided) = refund.clone().decided(&payout) else { return Ok(Decided::NotWaiting) };
    tx.insert_payout(&payout).await?;
    tx.put_refund(record.payment.id, business, &decided).await?;
    Ok(Decided::Kept(given))
}
