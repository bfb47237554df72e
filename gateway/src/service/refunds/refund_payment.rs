//! Refunds a payment because the merchant asks for it: to an address, or to one that is given later.

use checkout_core::{Amount, Decimal, Pair};
use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::fee::Fees;
use checkout_domain::ledger::limits::smallest_refund;
use checkout_domain::payment::refund_said::Given;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::ports::Tx;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::{Refunded, Withdrawal};
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount};
use checkout_wire::payment::RefundWait;
use checkout_wire::{FieldError, ListedRefund, PaymentStatus, PaymentType};
use uuid::Uuid;

use crate::render::refund as render;
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payments::create_payment::payment_url;
use crate::service::payments::{keep_link, refresh_payment};
use crate::service::payouts::create_withdrawal::{
    above_daily_limit, above_network_fee, beyond_limits, is_stored, not_whitelisted, price, reserve,
};
use crate::service::payouts::recipient::Recipient;
use crate::service::payouts::spendable::spendable;
use crate::service::payouts::withdrawal_request::{Target, WithdrawalRequest};
use crate::service::payouts::{network_fee, own_address};
use crate::service::refunds::refund_request::RefundRequest;
use crate::service::refused::{ClientId, Created, Refused, no_errors};

/// Charges the balance. [`pay_out`](crate::service::payouts::pay_out) sends the refund; the same request again has the refund as it is then.
pub async fn refund(
    app: &App,
    caller: Caller,
    initiator: Actor,
    payment: PaymentId,
    request: &RefundRequest,
) -> Result<Created<ListedRefund>, Refused> {
    let hash = request.hash(payment);
    let seen = app.store.payment(payment).await?.ok_or(Refused::NoPayment)?;
    let fees = network_fee::of_all(app, seen.received_pairs()).await;
    let is_own = names_own(app, payment, request).await?;
    let mut tx = app.store.begin().await?;
    // The lock on the payment makes concurrent refunds wait: together they stay within what it received.
    let record = tx.payment(payment).await?.filter(|record| caller.acts_for(record.payment.business));
    let record = record.ok_or(Refused::NoPayment)?;
    let business = app.store.business(record.payment.business).await?.ok_or(Refused::NoPayment)?;
    if let Some((known, known_hash)) =
        tx.merchant_refund_by_client_id(business.id, &request.client_refund_id).await?
    {
        if known_hash != hash {
            return Err(Refused::Taken(ClientId::Refund));
        }
        drop(tx);
        let body = with_link(app, &business, &record, read_listed(app, known.id).await?);
        return Ok(Created { body, replayed: true });
    }
    if business.disabled {
        return Err(Refused::Disabled);
    }
    if is_own {
        return Err(Refused::OwnAddress("address"));
    }
    let mut withdrawal = ask(app, tx.as_mut(), caller, &business, &record, request, &fees).await?;
    withdrawal.initiator = Some(initiator);
    let is_unaddressed = withdrawal.to.is_empty();
    let state = if is_unaddressed { PayoutState::Unaddressed } else { PayoutState::Waiting };
    if !reserve(app, tx.as_mut(), &withdrawal, &hash, state).await? {
        return Err(Refused::Taken(ClientId::Refund));
    }
    refresh_payment::refresh(app, tx.as_mut(), &withdrawal).await?;
    if is_unaddressed {
        keep_link::keep_link(app, tx.as_mut(), payment).await?;
    }
    announce_events::since(app, tx.as_mut(), &record).await?;
    if let Err(error) = tx.commit().await
        && !(error.is_unknown() && is_stored(app, &withdrawal).await)
    {
        return Err(error.into());
    }
    let body = with_link(app, &business, &record, read_listed(app, withdrawal.id).await?);
    Ok(Created { body, replayed: false })
}

/// Whether its address is an own one on a network on which the payment received something.
async fn names_own(app: &App, payment: PaymentId, request: &RefundRequest) -> Result<bool, Refused> {
    let Some(to) = &request.to else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    for pair in record.received_pairs() {
        if own_address::is_own(app, pair.network, &to.address).await {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds the link with which the payer names the address.
fn with_link(
    app: &App,
    business: &Business,
    record: &PaymentWithDeposits,
    refund: ListedRefund,
) -> ListedRefund {
    let waits = refund.waiting_for == Some(RefundWait::Address);
    let claim_url = waits.then(|| payment_url(app, business, &record.payment).into());
    ListedRefund { claim_url, ..refund }
}

/// The refund as it is now.
pub(crate) async fn read_listed(app: &App, id: Uuid) -> Result<ListedRefund, Refused> {
    let found = app.store.refund(id).await?;
    found.as_ref().and_then(render::listed).ok_or(Refused::NoRefund)
}

/// Checks the request against the payment, and prices it.
async fn ask(
    app: &App,
    tx: &mut dyn Tx,
    caller: Caller,
    business: &Business,
    record: &PaymentWithDeposits,
    request: &RefundRequest,
    fees: &Fees,
) -> Result<Withdrawal, Refused> {
    if is_open(record, app.clock.now()) {
        return Err(Refused::PaymentOpen);
    }
    let received = record.received_pairs();
    if received.is_empty() {
        return Err(Refused::NothingToRefund);
    }
    let pair = request.pair(&received)?;
    let rest = record.refundable(pair).rest();
    if rest == Amount::ZERO {
        return Err(Refused::NothingToRefund);
    }
    let target = request.target(pair, record.payment.display_currency);
    let to = request.to.as_ref().map(|to| to.check(pair, &app.policy.environments)).transpose();
    let (target, to) = match (target, to) {
        (Ok(target), Ok(to)) => (target.unwrap_or(Target::Crypto(rest)), to.unwrap_or_default()),
        (target, to) => return Err(Refused::Invalid(target.err().into_iter().chain(to.err()).collect())),
    };
    if !app.broadcasters.contains_key(&pair.network) {
        return Err(Refused::NetworkUnavailable(pair.network));
    }
    let fee = *fees.get(&(pair.currency, pair.network)).ok_or(Refused::NetworkUnavailable(pair.network))?;
    let withdrawal = charged(app, tx, caller, business, record, request, (pair, to, target, fee)).await?;
    let (to, field) = (Given::of(&withdrawal), request.amount_name());
    if request.to.is_some() && !record.came_from(&withdrawal, &to) {
        no_errors(not_whitelisted(app, tx, "address", (business.id, pair, &to)).await?)?;
    }
    let errors = [
        above_network_fee(app, tx, field, &withdrawal).await?,
        above_daily_limit(app, tx, field, &withdrawal).await?,
    ];
    no_errors(errors.into_iter().flatten())?;
    Ok(withdrawal)
}

/// Whether the payer can still be asked for the price, or a transfer on its way pays it: what goes back meanwhile would be asked for
/// again.
fn is_open(record: &PaymentWithDeposits, now: u64) -> bool {
    let is_unpaid = match status::status_at(record, now) {
        PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting => true,
        PaymentStatus::Expired | PaymentStatus::Deposited | PaymentStatus::Overpaid => false,
    };
    record.payment.kind == PaymentType::OneTime && is_unpaid
}

/// The withdrawal that is charged to the first balance that suffices.
pub(crate) async fn charged(
    app: &App,
    tx: &mut dyn Tx,
    caller: Caller,
    business: &Business,
    record: &PaymentWithDeposits,
    request: &RefundRequest,
    (pair, to, target, fee): (&'static Pair, Recipient, Target, Amount),
) -> Result<Withdrawal, Refused> {
    let policy = match target {
        Target::Fiat(_) => TargetPolicy::Fiat,
        Target::Crypto(_) => TargetPolicy::Crypto,
    };
    let field = request.amount_name();
    let coins = [Some(pair.currency), business.settlement_crypto].into_iter().flatten().map(Asset::Crypto);
    let crypto = coins.map(|coin| (WithdrawalAccount::Crypto, coin));
    let all = crypto.chain([(WithdrawalAccount::Fiat, Asset::Fiat(Fiat::EUR))]);
    let mut short = Vec::new();
    for (account, asset) in all.filter(|(account, _)| request.account.is_none_or(|asked| asked == *account)) {
        let order = WithdrawalRequest {
            client_withdrawal_id: request.client_refund_id.clone(),
            pair,
            recipient: to.clone(),
            display_currency: record.payment.display_currency,
            policy,
            target,
            account,
        };
        let mut withdrawal = price(app, caller, business, &order, (asset, Decimal::ZERO, fee), field)?;
        let of_unpaid = !status::is_settled(status::status_at(record, app.clock.now()));
        let (payment, after) = (record.payment.id, Some(record.last_seen()));
        withdrawal.refunds = Some(Refunded { payment, of_unpaid, claim_of: request.claim_of, after });
        no_errors(beyond_refundable(field, record, &withdrawal))?;
        let account = (withdrawal.balance(), asset);
        let balance = spendable(tx, business.id, account, Some(record.payment.id)).await?;
        if balance.covers(withdrawal.deducted) {
            return Ok(withdrawal);
        }
        let detail = balance.lacks(withdrawal.deducted);
        if !short.contains(&detail) {
            short.push(detail);
        }
    }
    Err(FieldError::of(field, "insufficient_balance", short.join("; or ")).into())
}

/// The error of an amount beyond what the payment received and did not give back, or below the smallest or above the largest of the pair.
fn beyond_refundable(
    field: &str,
    record: &PaymentWithDeposits,
    withdrawal: &Withdrawal,
) -> Option<FieldError> {
    let (pair, rest) = (withdrawal.pair, record.refundable(withdrawal.pair).rest());
    if withdrawal.amount <= rest {
        return beyond_limits(field, withdrawal, smallest_refund(pair, withdrawal.fee));
    }
    let text = |amount: Amount| format!("{} {}", amount.to_text(pair.decimals), pair.currency);
    let detail = format!("{} is more than the {} that can be refunded", text(withdrawal.amount), text(rest));
    Some(FieldError::of(field, "above_refundable", detail))
}
