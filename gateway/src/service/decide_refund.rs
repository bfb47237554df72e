//! Decisions about a refund: where it goes, that it may go, or that it does not.

use checkout_core::Decimal;
use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::chain::payout::Progress;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::{Given, Refund};
use checkout_domain::payment::refund_phase::{End, Phase};
use checkout_domain::ports::refunds::FoundRefund;
use checkout_domain::ports::{NoRate, Store, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::{Approval, Unapproved};
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::send_refund::Decided;
use crate::requests::fields::Fields;
use crate::requests::recipient::{self, Recipient, memo_type};
use crate::requests::seen::Seen;
use crate::service::announce_events::{self, EventStamp};
use crate::service::create_withdrawal::{check_whitelist, may_receive};
use crate::service::daily_limit::withdrawn;
use crate::service::missing_rate::MissingRate;
use crate::service::refund_payment::read_listed;
use crate::service::refused::Refused;
use crate::service::send_refund::send_of;
use crate::service::{App, own_address, pay_out};

const NOT_WAITING: Refused = Refused::RefundState("waits for no address");
const NOT_UNAPPROVED: Refused = Refused::RefundState("waits for no approval");

async fn find(app: &App, caller: Caller, id: Uuid) -> Result<FoundRefund, Refused> {
    let found = app.store.refund(id).await?.filter(|found| caller.acts_for(found.business));
    found.ok_or(Refused::NoRefund)
}

/// A disabled business sends nothing: its token may be stolen.
async fn refuse_disabled(app: &App, found: &FoundRefund) -> Result<(), Refused> {
    let business = app.store.business(found.business).await?;
    if business.is_some_and(|business| business.disabled) { Err(Refused::Disabled) } else { Ok(()) }
}

/// The answer to a decision about an automatic refund. `fields` has its address.
fn check_kept(decided: Decided, fields: Option<Fields>) -> Result<(), Refused> {
    match decided {
        Decided::Kept(_) => Ok(()),
        Decided::NoDeposit => Err(Refused::NoRefund),
        Decided::NotWaiting => Err(NOT_WAITING),
        Decided::AnotherAmount(_) => Err(Refused::AddressChanged),
        Decided::OwnAddress if fields.is_some() => Err(Refused::OwnAddress("address")),
        Decided::OwnAddress => {
            Err(Refused::RefundState("would be sent to an account of this gateway: give it another address"))
        }
        Decided::NoSender => Err(Refused::RefundState("waits for an address")),
        Decided::BadAddress(why) => {
            let Some(mut fields) = fields else { return Err(NOT_WAITING) };
            fields.error("address", "bad_address", why);
            Err(Refused::Invalid(fields.into_errors()))
        }
    }
}

/// The same address again changes nothing.
pub async fn address(
    app: &App,
    caller: Caller,
    by: &Actor,
    id: Option<Uuid>,
    mut fields: Fields,
) -> Result<ListedRefund, Refused> {
    fields.required_text("address");
    fields.decimal_text("destinationTag");
    memo_type(&mut fields);
    let mut fields = fields.valid()?;
    let id = id.ok_or(Refused::NoRefund)?;
    let found = find(app, caller, id).await?;
    refuse_disabled(app, &found).await?;
    let pair = found.refund.pair();
    let to = recipient::read(&mut fields, "address", Some(pair), false, &app.policy.environments);
    let Some(to) = to else { return Err(Refused::Invalid(fields.into_errors())) };
    if own_address::is_own(app, pair.network, &to.address).await {
        return Err(Refused::OwnAddress("address"));
    }
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    let given = to.in_normal_form();
    if !record.goes_back(refund, &given) {
        check_whitelist(app, tx.as_mut(), &mut fields, "address", (found.business, pair, &given)).await?;
    }
    let fields = fields.valid()?;
    let is_new = match refund.charge() {
        Some(charge) => address_charged(app, tx.as_mut(), by, (refund, charge), &to).await?,
        None => address_automatic(app, tx.as_mut(), (&record, refund), &given, fields).await?,
    };
    if is_new {
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

/// Returns false if it has this address.
async fn address_automatic(
    app: &App,
    tx: &mut dyn Tx,
    (record, refund): (&PaymentWithDeposits, &Refund),
    to: &Given,
    fields: Fields,
) -> Result<bool, Refused> {
    if record.deposit(refund.id).and_then(Deposit::given) == Some(to) {
        return Ok(false);
    }
    // The sum and the decision are one transaction: two at once do not pass the limit together.
    if !record.goes_back(refund, to) && is_above_limit(app, tx, record.payment.business, refund).await? {
        return Err(Refused::RefundLimit);
    }
    let (new, to) = ((app.new_id(), app.clock.now()), Some((&*to.address, to.tag.as_deref())));
    check_kept(send_of(tx, record, new, refund.id, to).await?, Some(fields))?;
    Ok(true)
}

/// Returns false if it has this address.
async fn address_charged(
    app: &App,
    tx: &mut dyn Tx,
    by: &Actor,
    (refund, charge): (&Refund, &Withdrawal),
    to: &Recipient,
) -> Result<bool, Refused> {
    let given = to.in_normal_form();
    if refund.phase != (Phase::NeedsAddress(NoRefundAddress::NotGiven)) {
        let is_known = refund.lasts() && Given::of(charge) == given;
        return if is_known { Ok(false) } else { Err(NOT_WAITING) };
    }
    tx.balance(charge.business, charge.balance(), charge.deducted.asset).await?;
    if !tx.address_payout(charge.id, &to.given, &given, app.clock.now()).await? {
        return Err(NOT_WAITING);
    }
    tx.put_initiator(charge.id, by).await?;
    // With this one, which may have been asked for on another day.
    let sum = withdrawn(app, tx, charge.business).await?;
    if tx.rules(charge.business, app.clock.now()).await?.daily_limit.is_some_and(|most| sum > most) {
        return Err(Refused::RefundLimit);
    }
    Ok(true)
}

/// One beyond the automatic refunds of a day goes to its sender, a claim where the payer asked for. One above the limit of the business
/// is approved by an organisation key, and not by who asked for it.
pub async fn approve(
    app: &App,
    caller: Caller,
    by: &Actor,
    id: Uuid,
    seen: &Seen,
) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    refuse_disabled(app, &found).await?;
    let mut tx = app.store.begin().await?;
    // What was found may have changed until the payment is locked.
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    let is_new = match refund.charge() {
        None => is_automatic_unapproved(&record, refund)?,
        Some(charge) => is_charge_unapproved(app, caller, refund, charge).await?,
    };
    if is_new && is_above_and_of(app, by, refund).await? {
        return Err(Refused::SameInitiator);
    }
    if !record.to_approve(refund).is_some_and(|now| seen.is(refund.pair, &now)) {
        return Err(Refused::AddressChanged);
    }
    if is_new {
        let_go(app, tx.as_mut(), (&record, refund)).await?;
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

/// Returns false if it was approved before.
fn is_automatic_unapproved(record: &PaymentWithDeposits, refund: &Refund) -> Result<bool, Refused> {
    let decision = record.deposit(refund.id).and_then(|deposit| deposit.decision.as_ref());
    match refund.phase {
        Phase::NeedsApproval(_) => Ok(true),
        Phase::NeedsAddress(_) => Err(Refused::RefundState("waits for an address")),
        _ if refund.claim.is_some() || decision.is_some_and(|decision| decision.to.is_none()) => Ok(false),
        _ => Err(NOT_UNAPPROVED),
    }
}

/// Returns false if it was approved before.
async fn is_charge_unapproved(
    app: &App,
    caller: Caller,
    refund: &Refund,
    charge: &Withdrawal,
) -> Result<bool, Refused> {
    let Some(approval) = charge.approval else { return Err(NOT_UNAPPROVED) };
    if caller != Caller::Organisation && (refund.claim.is_none() || is_large(app, charge).await?) {
        return Err(Refused::OnlyOrganisation);
    }
    match approval {
        Approval::Waiting => Ok(true),
        Approval::Approved => Ok(false),
        Approval::Rejected => Err(NOT_UNAPPROVED),
    }
}

/// Whether this actor asked for a charged refund above the limit, or named its address. The address of a claim is the payer's: below the
/// limit whoever made the refund approves it.
async fn is_above_and_of(app: &App, by: &Actor, refund: &Refund) -> Result<bool, Refused> {
    let Some(charge) = refund.charge().filter(|charge| charge.is_of(by)) else { return Ok(false) };
    Ok(refund.claim.is_none() || is_large(app, charge).await?)
}

async fn let_go(
    app: &App,
    tx: &mut dyn Tx,
    (record, refund): (&PaymentWithDeposits, &Refund),
) -> Result<(), Refused> {
    match refund.charge() {
        None if refund.phase == Phase::NeedsApproval(Unapproved::Limit) => {
            let new = (app.new_id(), app.clock.now());
            check_kept(send_of(tx, record, new, refund.id, None).await?, None)
        }
        Some(charge) if refund.claim.is_none() => approve_charge(app, tx, charge).await,
        None | Some(_) => {
            let business = app.store.business(record.payment.business).await?.ok_or(Refused::NoRefund)?;
            approve_claim(app, tx, (&business, record), refund.id).await
        }
    }
}

async fn approve_charge(app: &App, tx: &mut dyn Tx, charge: &Withdrawal) -> Result<(), Refused> {
    let done = tx.approve(charge.id, &Approved::of(charge), app.clock.now()).await?;
    if done { Ok(()) } else { Err(NOT_UNAPPROVED) }
}

/// Approves what the payer asked for, within the limits of withdrawals: a stolen token, or a stolen link that a limit of the business
/// lets pass, does not get more than a withdrawal. The caller locked the payment, stores the events and commits.
pub(super) async fn approve_claim(
    app: &App,
    tx: &mut dyn Tx,
    (business, record): (&Business, &PaymentWithDeposits),
    id: Uuid,
) -> Result<(), Refused> {
    if business.disabled {
        return Err(Refused::Disabled);
    }
    let refund = record.refund(id).ok_or(NOT_UNAPPROVED)?;
    let to = refund.claim.as_ref().map(|claim| &claim.to).ok_or(NOT_UNAPPROVED)?;
    let goes_back = record.goes_back(refund, to);
    if !goes_back && !may_receive(app, tx, (business.id, refund.pair, to)).await? {
        return Err(Refused::NotWhitelisted);
    }
    if let Some(charge) = refund.charge() {
        let rules = tx.rules(business.id, app.clock.now()).await?;
        tx.balance(business.id, charge.balance(), charge.deducted.asset).await?;
        let sum = withdrawn(app, tx, business.id).await?;
        if rules.daily_limit.is_some_and(|most| sum.saturating_add(charge.uniform_amount) > most) {
            return Err(Refused::RefundLimit);
        }
        return approve_charge(app, tx, charge).await;
    }
    if refund.phase != (Phase::NeedsApproval(Unapproved::Claim)) {
        return Err(NOT_UNAPPROVED);
    }
    if !goes_back && is_above_limit(app, tx, business.id, refund).await? {
        return Err(Refused::RefundLimit);
    }
    let new = (app.new_id(), app.clock.now());
    check_kept(send_of(tx, record, new, id, Some((&to.address, to.tag.as_deref()))).await?, None)
}

/// Whether it is above the limit that a token of the business may pay.
async fn is_large(app: &App, charge: &Withdrawal) -> Result<bool, Refused> {
    let rules = app.store.rules(charge.business, app.clock.now()).await?;
    Ok(rules.approval_above.is_some_and(|most| charge.uniform_amount > most))
}

/// Whether an operator has to send an automatic refund, because as a withdrawal it would be above a limit of the business. The balances
/// of the business are locked before, as withdrawals do.
async fn is_above_limit(
    app: &App,
    tx: &mut dyn Tx,
    business: BusinessId,
    refund: &Refund,
) -> Result<bool, Refused> {
    let rules = tx.rules(business, app.clock.now()).await?;
    if rules.approval_above.is_none() && rules.daily_limit.is_none() {
        return Ok(false);
    }
    let (coin, eur) = (Asset::Crypto(refund.pair.currency), Asset::Fiat(Fiat::EUR));
    let missing = |NoRate| Refused::NoRate(MissingRate { from: coin, to: eur, account: None });
    let rate = app.rates.rate(coin, eur).map_err(missing)?;
    let value = Money::of_amount(refund.returned(), refund.pair)
        .and_then(|money| money.convert(eur, rate, Decimal::ONE, Round::Up))
        .map_or(Decimal::MAX, Money::to_decimal);
    tx.balance(business, Account::Fiat, eur).await?;
    let before = withdrawn(app, tx, business).await?;
    Ok(rules.approval_above.is_some_and(|most| value > most)
        || rules.daily_limit.is_some_and(|most| before.saturating_add(value) > most))
}

/// The longest reason of a refusal, in characters.
const LONGEST_REASON: usize = 200;

/// Again, it changes nothing.
pub async fn refuse(
    app: &App,
    caller: Caller,
    id: Option<Uuid>,
    mut fields: Fields,
) -> Result<ListedRefund, Refused> {
    let reason = fields.text("reason").unwrap_or_default();
    if reason.chars().count() > LONGEST_REASON {
        fields.error("reason", "too_long", format!("must have at most {LONGEST_REASON} characters"));
    }
    fields.valid()?;
    let id = id.ok_or(Refused::NoRefund)?;
    let found = find(app, caller, id).await?;
    refuse_claim(app.store.as_ref(), (app.new_id(), app.clock.now()), found.payment, (id, &reason)).await?;
    read_listed(app, id).await
}

/// The same without a gateway.
pub async fn refuse_claim(
    store: &dyn Store,
    (event, now): (Uuid, u64),
    payment: PaymentId,
    (id, reason): (Uuid, &str),
) -> Result<(), Refused> {
    let none = Refused::RefundState("was not asked for by the payer, or is decided");
    let mut tx = store.begin().await?;
    let record = tx.payment(payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    match refund.charge() {
        _ if refund.claim.is_none() => return Err(none),
        Some(charge) if charge.approval == Some(Approval::Rejected) => return Ok(()),
        Some(_) if tx.reject(id).await? => tx.put_refusal(id, reason).await?,
        None if refund.is_claimed() => {
            if let Phase::NeedsAddress(_) = refund.phase {
                return Ok(()); // It was refused before.
            }
            tx.put_refund(payment, record.payment.business, &refund.clone().refused(reason)).await?;
        }
        None | Some(_) => return Err(none),
    }
    let source = EventStamp { new_id: &|| event, now };
    announce_events::since_from(store, &source, tx.as_mut(), &record).await?;
    tx.commit().await?;
    Ok(())
}

const TOO_LATE: Refused = Refused::RefundState("cannot be cancelled any more");

/// Its money is back on the balance.
pub async fn cancel(app: &App, caller: Caller, id: Uuid) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    if refund.charge().is_none() {
        return Err(Refused::RefundState("is automatic: its money belongs to the payer"));
    }
    let from = match refund.phase {
        Phase::Ended(End::Cancelled) => return read_listed(app, id).await,
        Phase::NeedsAddress(_) => Progress::Unaddressed,
        Phase::NeedsApproval(_) | Phase::Refused | Phase::Queued(_) => Progress::Waiting,
        Phase::Signed(_) | Phase::Sent(_) | Phase::Confirmed(_) | Phase::Ended(_) => return Err(TOO_LATE),
    };
    if !pay_out::cancel(app, tx.as_mut(), id, from).await? {
        return Err(TOO_LATE);
    }
    announce_events::since(app, tx.as_mut(), &record).await?;
    tx.commit().await?;
    read_listed(app, id).await
}
