//! Decisions about a refund: where it goes, that it may go, or that it does not.

use checkout_core::{Decimal, Pair};
use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::chain::payout::Progress;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::merchant_refund::MerchantRefund;
use checkout_domain::payment::refund::{AskedAddress, Given, Refund, Wait};
use checkout_domain::payment::{PaymentWithDeposits, claim};
use checkout_domain::ports::refunds::{AnyRefund, FoundRefund};
use checkout_domain::ports::{NoRate, Store, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::Approval;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::create_withdrawal::check_whitelist;
use super::daily_limit::withdrawn;
use super::pay_out;
use super::refund_payment::{came_from, is_sender, read_listed};
use super::send_refund::{Decided, send_of};
use crate::requests::fields::Fields;
use crate::requests::recipient::{self, Recipient, memo_type};
use crate::requests::seen::Seen;
use crate::service::announce_events::{self, EventStamp};
use crate::service::missing_rate::MissingRate;
use crate::service::refused::Refused;
use crate::service::{App, own_address};

const NOT_WAITING: Refused = Refused::RefundState("waits for no address");

/// Gives a refund that waits its address. The same address again changes nothing.
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
    let pair = match &found.refund {
        AnyRefund::Automatic(deposit) => deposit.pair(),
        AnyRefund::Merchant(refund) => refund.withdrawal.pair,
    };
    let to = recipient::read(&mut fields, "address", Some(pair), false, &app.policy.environments);
    let Some(to) = to else { return Err(Refused::Invalid(fields.into_errors())) };
    if own_address::is_own(app, pair.network, &to.address).await {
        return Err(Refused::OwnAddress("address"));
    }
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let given = Given { address: to.address.clone(), tag: to.tag.clone() };
    // What goes back to where it came from is no loss.
    let goes_back = match &found.refund {
        AnyRefund::Automatic(deposit) => is_sender(deposit, &given),
        AnyRefund::Merchant(refund) => {
            let tag = given.tag.clone();
            came_from(&record, &Withdrawal { to: given.address.clone(), tag, ..refund.withdrawal.clone() })
        }
    };
    if !goes_back {
        check_whitelist(app, tx.as_mut(), &mut fields, "address", (found.business, pair, &given)).await?;
    }
    let fields = fields.valid()?;
    if let Some(refund) = record.merchant_refunds.iter().find(|refund| refund.withdrawal.id == id) {
        address_merchants(app, tx, by, (&record, refund), &to).await?;
    } else if let Some(deposit) = record.deposits.iter().find(|deposit| deposit.id == id) {
        if deposit.claim.as_ref().is_some_and(|claim| claim.to.as_ref() == Some(&given)) {
            return read_listed(app, id).await;
        }
        // The sum and the decision are one transaction: two at once do not pass the limit together.
        if !goes_back && is_above_limit(app, tx.as_mut(), found.business, deposit).await? {
            return Err(Refused::RefundLimit);
        }
        let (new, to) = ((app.new_id(), app.clock.now()), Some((&*to.address, to.tag.as_deref())));
        check_kept(send_of(tx.as_mut(), &record, new, id, to).await?, Some(fields))?;
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

async fn address_merchants(
    app: &App,
    mut tx: Box<dyn Tx>,
    by: &Actor,
    (record, refund): (&PaymentWithDeposits, &MerchantRefund),
    to: &Recipient,
) -> Result<(), Refused> {
    let given = Given { address: to.address.clone(), tag: to.tag.clone() };
    if refund.progress != Progress::Unaddressed {
        let is_known = refund.lasts() && Given::of(&refund.withdrawal) == given;
        return if is_known { Ok(()) } else { Err(NOT_WAITING) };
    }
    let withdrawal = &refund.withdrawal;
    tx.balance(withdrawal.business, withdrawal.balance(), withdrawal.deducted.asset).await?;
    if !tx.address_payout(withdrawal.id, &to.given, &given, app.clock.now()).await? {
        return Err(NOT_WAITING);
    }
    tx.put_initiator(withdrawal.id, by).await?;
    // With this one, which may have been asked for on another day.
    let sum = withdrawn(app, tx.as_mut(), withdrawal.business).await?;
    if tx.rules(withdrawal.business, app.clock.now()).await?.daily_limit.is_some_and(|most| sum > most) {
        return Err(Refused::RefundLimit);
    }
    announce_events::since(app, tx.as_mut(), record).await?;
    tx.commit().await?;
    Ok(())
}

/// Lets a refund go that waits for an approval: one beyond the automatic refunds of a day to its sender, one of the merchant above
/// the limit of the business by an organisation key, and not by who asked for it.
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
    let waits = waits_for_approval(app, caller, &record, id).await?;
    if waits && is_above_and_of(app, by, &record, id).await? {
        return Err(Refused::SameInitiator);
    }
    if !stands(&record, id).is_some_and(|(pair, now)| seen.is(pair, &now)) {
        return Err(Refused::AddressChanged);
    }
    if waits {
        approve_locked(app, tx.as_mut(), &record, id).await?;
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

/// Returns false if it was approved before.
async fn waits_for_approval(
    app: &App,
    caller: Caller,
    record: &PaymentWithDeposits,
    id: Uuid,
) -> Result<bool, Refused> {
    let none = Refused::RefundState("waits for no approval");
    if let Some(deposit) = record.deposits.iter().find(|deposit| deposit.id == id) {
        let refund = deposit.refund.as_ref().ok_or(Refused::NoRefund)?;
        return match refund.waits {
            Some(Wait::Approval | Wait::Claim) => Ok(true),
            Some(Wait::Address(_)) => Err(Refused::RefundState("waits for an address")),
            None if refund.asked.is_some() => Ok(false),
            None if deposit.claim.as_ref().is_some_and(|claim| claim.to.is_none()) => Ok(false),
            None => Err(none),
        };
    }
    let mut refunds = record.merchant_refunds.iter();
    let refund = refunds.find(|refund| refund.withdrawal.id == id).ok_or(Refused::NoRefund)?;
    let is_asked = refund.withdrawal.asked.is_some();
    match refund.approval {
        Some(_)
            if caller != Caller::Organisation && (!is_asked || is_large(app, &refund.withdrawal).await?) =>
        {
            Err(Refused::OnlyOrganisation)
        }
        Some(Approval::Waiting) => Ok(true),
        Some(Approval::Approved) => Ok(false),
        Some(Approval::Rejected) | None => Err(none),
    }
}

/// Whether this actor asked for a refund of the merchant above the limit, or named its address. The address of a claim is the payer's:
/// below the limit whoever made the refund approves it.
async fn is_above_and_of(
    app: &App,
    by: &Actor,
    record: &PaymentWithDeposits,
    id: Uuid,
) -> Result<bool, Refused> {
    let mut refunds = record.merchant_refunds.iter().map(|refund| &refund.withdrawal);
    let Some(refund) = refunds.find(|refund| refund.id == id && refund.is_of(by)) else { return Ok(false) };
    Ok(refund.asked.is_none() || is_large(app, refund).await?)
}

/// What would be sent of a refund, or is: to whom, and how much after the fee.
fn stands(record: &PaymentWithDeposits, id: Uuid) -> Option<(&'static Pair, Approved)> {
    let mut refunds = record.merchant_refunds.iter().map(|refund| &refund.withdrawal);
    if let Some(withdrawal) = refunds.find(|withdrawal| withdrawal.id == id) {
        return Some((withdrawal.pair, Approved::of(withdrawal)));
    }
    let deposit = record.deposits.iter().find(|deposit| deposit.id == id)?;
    let refund = deposit.refund.as_ref()?;
    let asked = refund.asked.as_ref().filter(|_| refund.waits == Some(Wait::Claim));
    let Given { address, tag } = match (asked, &deposit.claim) {
        (Some(asked), _) => asked.to.clone(),
        (None, Some(claim)) => claim::recipient(claim, deposit),
        (None, None) => claim::sender(deposit),
    };
    Some((deposit.pair(), Approved { address, tag, amount: refund.plan.gross.saturating_sub(refund.fee) }))
}

async fn approve_locked(
    app: &App,
    tx: &mut dyn Tx,
    record: &PaymentWithDeposits,
    id: Uuid,
) -> Result<(), Refused> {
    let waits_for_operator = |deposit: &Deposit| {
        deposit.id == id && deposit.refund.as_ref().is_some_and(|refund| refund.waits == Some(Wait::Approval))
    };
    if record.deposits.iter().any(waits_for_operator) {
        let new = (app.new_id(), app.clock.now());
        return check_kept(send_of(tx, record, new, id, None).await?, None);
    }
    let mut refunds = record.merchant_refunds.iter().map(|refund| &refund.withdrawal);
    match refunds.find(|withdrawal| withdrawal.id == id && withdrawal.asked.is_none()) {
        Some(withdrawal) => approve_withdrawal(app, tx, withdrawal).await,
        None => decide_claim(app, tx, record, id).await,
    }
}

async fn approve_withdrawal(app: &App, tx: &mut dyn Tx, withdrawal: &Withdrawal) -> Result<(), Refused> {
    let done = tx.approve(withdrawal.id, &Approved::of(withdrawal), app.clock.now()).await?;
    if done { Ok(()) } else { Err(Refused::RefundState("waits for no approval")) }
}

/// Whether it is above the limit that a token of the business may pay.
async fn is_large(app: &App, withdrawal: &Withdrawal) -> Result<bool, Refused> {
    let rules = app.store.rules(withdrawal.business, app.clock.now()).await?;
    Ok(rules.approval_above.is_some_and(|most| withdrawal.uniform_amount > most))
}

async fn decide_claim(
    app: &App,
    tx: &mut dyn Tx,
    record: &PaymentWithDeposits,
    id: Uuid,
) -> Result<(), Refused> {
    let business = app.store.business(record.payment.business).await?.ok_or(Refused::NoRefund)?;
    approve_claim(app, tx, (&business, record), id).await
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
    let none = Refused::RefundState("waits for no approval");
    let merchant = record.merchant_refunds.iter().find(|refund| refund.withdrawal.id == id);
    if let Some(MerchantRefund { withdrawal, .. }) = merchant {
        let to = Given::of(withdrawal);
        if !came_from(record, withdrawal) {
            refuse_unlisted(app, tx, (business.id, withdrawal.pair, &to)).await?;
        }
        let rules = tx.rules(business.id, app.clock.now()).await?;
        tx.balance(business.id, withdrawal.balance(), withdrawal.deducted.asset).await?;
        let sum = withdrawn(app, tx, business.id).await?;
        if rules.daily_limit.is_some_and(|most| sum.saturating_add(withdrawal.uniform_amount) > most) {
            return Err(Refused::RefundLimit);
        }
        return approve_withdrawal(app, tx, withdrawal).await;
    }
    let waits = |deposit: &&Deposit| {
        deposit.id == id && deposit.refund.as_ref().is_some_and(|refund| refund.waits == Some(Wait::Claim))
    };
    let deposit = record.deposits.iter().find(waits).ok_or(none)?;
    let asked = deposit.refund.as_ref().and_then(|refund| refund.asked.as_ref());
    let to = asked.map(|asked| asked.to.clone()).ok_or(NOT_WAITING)?;
    if !is_sender(deposit, &to) {
        refuse_unlisted(app, tx, (business.id, deposit.pair(), &to)).await?;
        if is_above_limit(app, tx, business.id, deposit).await? {
            return Err(Refused::RefundLimit);
        }
    }
    let new = (app.new_id(), app.clock.now());
    check_kept(send_of(tx, record, new, id, Some((&to.address, to.tag.as_deref()))).await?, None)
}

async fn refuse_unlisted(app: &App, tx: &mut dyn Tx, to: (BusinessId, &Pair, &Given)) -> Result<(), Refused> {
    let (business, pair, address) = to;
    let is_whitelist_only = tx.rules(business, app.clock.now()).await?.whitelist_only;
    if is_whitelist_only && !tx.is_whitelisted(business, pair, address, app.clock.now()).await? {
        return Err(Refused::NotWhitelisted);
    }
    Ok(())
}

/// The longest reason of a refusal, in characters.
const LONGEST_REASON: usize = 200;

/// Refuses what the payer asked for. Again, it changes nothing.
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
    if let Some(refund) = record.merchant_refunds.iter().find(|refund| refund.withdrawal.id == id) {
        if refund.withdrawal.asked.is_none() {
            return Err(none);
        }
        if refund.approval == Some(Approval::Rejected) {
            return Ok(());
        }
        if !tx.reject(id).await? {
            return Err(none);
        }
        tx.put_refusal(id, reason).await?;
    } else {
        let deposit = record.deposits.iter().find(|deposit| deposit.id == id).ok_or(Refused::NoRefund)?;
        let Some(Refund { asked: Some(asked), waits, .. }) = &deposit.refund else { return Err(none) };
        match waits {
            Some(Wait::Claim) => {}
            Some(Wait::Address(NoRefundAddress::ClaimRefused)) => return Ok(()),
            Some(Wait::Address(_) | Wait::Approval) | None => return Err(none),
        }
        let asked = Some(AskedAddress { refusal: Some(reason.to_owned()), ..asked.clone() });
        let waits = Some(Wait::Address(NoRefundAddress::ClaimRefused));
        let refund = deposit.refund.clone().map(|refund| Refund { waits, asked, ..refund });
        if let Some(refund) = refund {
            tx.put_refund(record.payment.id, record.payment.business, deposit, &refund).await?;
        }
    }
    let source = EventStamp { new_id: &|| event, now };
    announce_events::since_from(store, &source, tx.as_mut(), &record).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes a refund of the merchant back that is not sent. Its money is back on the balance.
pub async fn cancel(app: &App, caller: Caller, id: Uuid) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    if matches!(found.refund, AnyRefund::Automatic(_)) {
        return Err(Refused::RefundState("is automatic: its money belongs to the payer"));
    }
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let mut refunds = record.merchant_refunds.iter();
    let refund = refunds.find(|refund| refund.withdrawal.id == id).ok_or(Refused::NoRefund)?;
    match refund.progress {
        Progress::Cancelled => {}
        from @ (Progress::Unaddressed | Progress::Waiting)
            if pay_out::cancel(app, tx.as_mut(), id, from).await? =>
        {
            announce_events::since(app, tx.as_mut(), &record).await?;
            tx.commit().await?;
        }
        _ => return Err(Refused::RefundState("cannot be cancelled any more")),
    }
    read_listed(app, id).await
}

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

/// Whether an operator has to send it, because as a withdrawal it would be above a limit of the business. A stolen token does not
/// redirect more than it could withdraw. The balances of the business are locked before, as withdrawals do.
async fn is_above_limit(
    app: &App,
    tx: &mut dyn Tx,
    business: BusinessId,
    deposit: &Deposit,
) -> Result<bool, Refused> {
    let rules = tx.rules(business, app.clock.now()).await?;
    if rules.approval_above.is_none() && rules.daily_limit.is_none() {
        return Ok(false);
    }
    let (coin, eur) = (Asset::Crypto(deposit.currency), Asset::Fiat(Fiat::EUR));
    let rate = app
        .rates
        .rate(coin, eur)
        .map_err(|NoRate| Refused::NoRate(MissingRate { from: coin, to: eur, account: None }))?;
    let returned = deposit.refund.as_ref().map(Refund::returned).unwrap_or_default();
    let value = Money::of_amount(returned, deposit.pair())
        .and_then(|money| money.convert(eur, rate, Decimal::ONE, Round::Up))
        .map_or(Decimal::MAX, Money::to_decimal);
    tx.balance(business, Account::Fiat, eur).await?;
    let before = withdrawn(app, tx, business).await?;
    Ok(rules.approval_above.is_some_and(|most| value > most)
        || rules.daily_limit.is_some_and(|most| before.saturating_add(value) > most))
}
